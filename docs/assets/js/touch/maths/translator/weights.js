// The weights of a trained model, as book/artifacts/weights.py writes them: float16, or rows of int8 with a factor for each.
// Both become float32 here.

/** A number of 16 bits, as IEEE 754 has it. */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024);
  return bits & 0x8000 ? -size : size;
}

const layout = (described) => {
  const whole = ([, columns]) => described.bits === 8 && columns !== undefined; // numbers with factors
  const bytes = (shape) => (whole(shape) ? shape[0] * (2 + shape[1]) : 2 * shape.reduce((a, b) => a * b, 1));
  return { whole, bytes, all: Object.values(described.tensors).reduce((sum, shape) => sum + bytes(shape), 0) };
};

/** All tensors by name, from NAME.json and the bytes of NAME.bin. Throws if they are not of one kind. */
export function unpacked(described, buffer) {
  const { whole, bytes, all } = layout(described);
  if (buffer.byteLength !== all) throw new Error(`${buffer.byteLength} bytes of weights, and not ${all}`);
  const view = new DataView(buffer);
  const halves = (start, length) => Float32Array.from({ length }, (_, i) => half(view.getUint16(start + 2 * i, true)));
  const tensors = {};
  let start = 0;
  for (const [name, shape] of Object.entries(described.tensors)) {
    if (whole(shape)) {
      const [rows, columns] = shape;
      const factors = halves(start, rows);
      const first = start + 2 * rows;
      tensors[name] = Float32Array.from(
        { length: rows * columns },
        (_, i) => factors[Math.floor(i / columns)] * view.getInt8(first + i),
      );
    } else tensors[name] = halves(start, bytes(shape) / 2);
    start += bytes(shape);
  }
  return tensors;
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response;
}

/** The bytes of a response, however they come; `come` hears how many there are so far. */
async function read(response, come) {
  const pieces = [];
  let sum = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces).arrayBuffer();
    pieces.push(value);
    come((sum += value.length));
  }
}

/**
 * Sizes, tokens and tensors of a model; folder is where NAME.json and NAME.bin are. `come` hears how many bytes of how
 * many have come.
 * @param {string} name
 * @param {(now: number, all: number) => void} [come]
 */
export async function load(name, come = () => {}, folder = new URL("../../../../weights/", import.meta.url)) {
  // asked again when a book is published anew: the digest makes sure that both files are of the same day
  const described = await (await fetched(new URL(`${name}.json`, folder))).json();
  const data = await fetched(new URL(`${name}.bin?${described.digest.slice(0, 12)}`, folder));
  const { all } = layout(described);
  return { ...described, tensors: unpacked(described, await read(data, (sum) => come(sum, all))) };
}
