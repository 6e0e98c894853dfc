// Random numbers that are the same for the same seed.

/** From a seed, a function that returns a number between 0 and 1, 0 included: mulberry32, by Tommy Ettinger. */
export const uniform = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** So many numbers of a normal distribution with mean 0 and variance 1, by Box and Muller. */
export const normals = (count, seed) => {
  const next = uniform(seed),
    found = new Float64Array(count + (count % 2));
  for (let i = 0; i < found.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - next())),
      angle = 2 * Math.PI * next();
    found[i] = radius * Math.cos(angle);
    found[i + 1] = radius * Math.sin(angle);
  }
  return found.subarray(0, count);
};

/** The dot products of each of so many random queries with so many random keys of its own: rows of them. */
export const dotProducts = (queries, keys, d, seed) => {
  const numbers = normals(queries * (1 + keys) * d, seed);
  return Array.from({ length: queries }, (_, query) => {
    const start = query * (1 + keys) * d;
    return Array.from({ length: keys }, (_, key) => {
      let sum = 0;
      for (let i = 0; i < d; i++) sum += numbers[start + i] * numbers[start + (1 + key) * d + i];
      return sum;
    });
  });
};

export const deviation = (numbers) => {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length);
};

/** The lower of the two in the middle, as torch has it. */
export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

/** How many numbers fall into each of so many equal bins from low to high; what is beyond, into the outermost. */
export const histogram = (numbers, low, high, bins) => {
  const counts = new Array(bins).fill(0);
  for (const number of numbers) {
    const bin = Math.floor(((number - low) / (high - low)) * bins);
    counts[Math.min(bins - 1, Math.max(0, bin))] += 1;
  }
  return counts;
};
