// What the tests of the scripts have in common. None of them needs a browser: `npm test`.

import assert from "node:assert/strict";

import { normals } from "../../docs/assets/js/touch/maths/random.js";

/** The same numbers, in lists of lists and objects; NaN where NaN is. */
export function close(found, expected, atol = 1e-12, where = "") {
  if (typeof expected === "number") {
    const same = Object.is(found, expected) || found === expected || Math.abs(found - expected) <= atol;
    assert.ok(same, `${where || "it"} is ${found}, and not ${expected}`);
  } else if (expected?.length !== undefined && typeof expected !== "string") {
    assert.equal(found.length, expected.length, `so many in ${where}`);
    for (let i = 0; i < expected.length; i++) close(found[i], expected[i], atol, `${where}[${i}]`);
  } else if (expected && typeof expected === "object") {
    for (const key of Object.keys(expected)) close(found[key], expected[key], atol, `${where}.${key}`);
  } else assert.deepEqual(found, expected, where);
}

/** Rows of random numbers. */
export const matrix = (rows, columns, seed) => {
  const numbers = normals(rows * columns, seed);
  return Array.from({ length: rows }, (_, i) => [...numbers.slice(i * columns, (i + 1) * columns)]);
};

/** Sizes of the models that `translator` and `gpt` make: of everything another number, so that none is taken for another. */
export const SIZES = { words: 11, size: 6, heads: 2, wide: 10, layers: 2, longest: 9 };

const tensor = (seed, count, scale = 0.6) => Float32Array.from(normals(count, seed), (x) => scale * x);

/** Adds the tensors of layers with attention of these names to some; every seed is used once. */
function addLayers(tensors, path, names, normFirst) {
  const { size, wide, layers } = SIZES;
  let seed = 100 * path.length + (normFirst ? 7 : 0);
  const dense = (name, out, into) => {
    tensors[`${name}.weight`] = tensor(seed++, out * into);
    tensors[`${name}.bias`] = tensor(seed++, out);
  };
  const norm = (name) => {
    tensors[`${name}.gamma`] = tensor(seed++, size).map((x) => 1 + x);
    tensors[`${name}.beta`] = tensor(seed++, size);
  };
  for (let i = 0; i < layers; i++) {
    const layer = `${path}.layers.${i}`;
    for (const name of names) for (const w of ["w_q", "w_k", "w_v", "w_o"]) dense(`${layer}.${name}.${w}`, size, size);
    dense(`${layer}.feed_forward.w_1`, wide, size);
    dense(`${layer}.feed_forward.w_2`, size, wide);
    for (let n = 1; n <= names.length + 1; n++) norm(`${layer}.residual_${n}.norm`);
  }
  if (normFirst) norm(`${path}.norm`);
}

const config = (norm_first) => ({
  num_layers: SIZES.layers,
  d_model: SIZES.size,
  num_heads: SIZES.heads,
  norm_first,
  eps: 1e-5,
});

/** What weights.js would load of a translator that nobody has trained. */
export function translator(normFirst = false) {
  const tensors = { "embedding.table": tensor(1, SIZES.words * SIZES.size) };
  addLayers(tensors, "encoder", ["attention"], normFirst);
  addLayers(tensors, "decoder", ["self_attention", "cross_attention"], normFirst);
  return { config: config(normFirst), tensors };
}

/** The same of a GPT. */
export function gpt() {
  const tensors = {
    "tokens.weight": tensor(2, SIZES.words * SIZES.size),
    "positions.table": tensor(3, SIZES.longest * SIZES.size),
  };
  addLayers(tensors, "stack", ["attention"], true);
  return { config: config(true), tensors };
}
