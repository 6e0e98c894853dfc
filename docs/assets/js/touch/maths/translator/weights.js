// The weights of a trained model, as book/weights.py writes them: float16, which becomes float32 here.

/** A number of 16 bits, as IEEE 754 has it. */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size = exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024);
  return bits & 0x8000 ? -size : size;
}

/** All tensors by name, from NAME.json and the bytes of NAME.bin. Throws if they are not of one kind. */
export function unpacked(described, buffer) {
  const sizes = Object.entries(described.tensors).map(([name, shape]) => [name, shape.reduce((a, b) => a * b, 1)]);
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  if (buffer.byteLength !== 2 * all) throw new Error(`${buffer.byteLength} bytes of weights, and not ${2 * all}`);
  const view = new DataView(buffer);
  const tensors = {};
  let start = 0;
  for (const [name, size] of sizes) {
    tensors[name] = Float32Array.from({ length: size }, (_, i) => half(view.getUint16(2 * (start + i), true)));
    start += size;
  }
  return tensors;
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response;
}

/** Sizes, tokens and tensors of a model; folder is where NAME.json and NAME.bin are. */
export async function load(name, folder = new URL("../../../../weights/", import.meta.url)) {
  // asked again when a book is published anew: the digest makes sure that both files are of the same day
  const described = await (await fetched(new URL(`${name}.json`, folder))).json();
  const data = await fetched(new URL(`${name}.bin?${described.digest.slice(0, 12)}`, folder));
  return { ...described, tensors: unpacked(described, await data.arrayBuffer()) };
}
