// What snippets/positions computes, for the figures that can be touched.

/** omega_i = 10000^(-2i / d_model), in radians per position. */
export const frequencies = (dModel) => Array.from({ length: dModel / 2 }, (_, i) => 10000 ** -((2 * i) / dModel));

/** PE(pos): sine and cosine of each frequency. */
export const positionalEncoding = (position, dModel) =>
  frequencies(dModel).flatMap((omega) => [Math.sin(position * omega), Math.cos(position * omega)]);

/** M with PE(pos + offset) = PE(pos) M for every pos: one rotation for each frequency, along the diagonal. */
export const offsetMap = (offset, dModel) => {
  const map = Array.from({ length: dModel }, () => new Array(dModel).fill(0));
  frequencies(dModel).forEach((omega, i) => {
    const cos = Math.cos(offset * omega),
      sin = Math.sin(offset * omega);
    map[2 * i][2 * i] = map[2 * i + 1][2 * i + 1] = cos;
    map[2 * i][2 * i + 1] = -sin;
    map[2 * i + 1][2 * i] = sin;
  });
  return map;
};

/** A row times a matrix. */
export const times = (row, matrix) =>
  matrix[0].map((_, j) => row.reduce((sum, entry, i) => sum + entry * matrix[i][j], 0));

/**
 * A pair of components, turned by an angle in radians: rotate in snippets/positions/relative.py.
 * @param {number[]} pair
 * @param {number} angle
 */
export const rotate = ([x, y], angle) => [
  x * Math.cos(angle) - y * Math.sin(angle),
  x * Math.sin(angle) + y * Math.cos(angle),
];
