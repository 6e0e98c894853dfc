// What snippets/attention computes, for the figures that can be touched. A matrix is a list of rows.

import { softmax } from "./softmax.js";

export { entropy, softmax } from "./softmax.js";

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The weighted average of the values, and the weights: snippets/attention/soft_lookup.py. */
export const softLookup = (scores, values) => {
  const weights = softmax(scores);
  return { answer: dot(weights, values), weights };
};

/** d w_i / d s_j = w_i (delta_ij - w_j). */
export const softmaxJacobian = (weights) => weights.map((w, i) => weights.map((v, j) => w * ((i === j ? 1 : 0) - v)));

/** The Frobenius norm of a matrix. */
export const norm = (matrix) => Math.sqrt(matrix.flat().reduce((sum, entry) => sum + entry * entry, 0));

/** Every score q . k / sqrt(d_k): rows of queries, and rows of keys. */
export const scaledScores = (queries, keys) =>
  queries.map((query) => keys.map((key) => dot(query, key) / Math.sqrt(query.length)));

/** Position i may attend to positions j <= i: snippets/attention/masks.py. */
export const causalMask = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i));

/** No query may attend to padding. padding: for each key, whether it is that. */
export const paddingMask = (padding) => padding.map(() => padding.map((is) => !is));

export const both = (one, other) => one.map((row, i) => row.map((allowed, j) => allowed && other[i][j]));

export const not = (mask) => mask.map((row) => row.map((allowed) => !allowed));

/** -Infinity where it is not allowed, then the softmax: NaN in a row where nothing is. */
export const maskedSoftmax = (scores, allowed) =>
  scores.map((row, i) => softmax(row.map((score, j) => (allowed[i][j] ? score : -Infinity))));

/** The same, but 0 in a row where nothing is allowed: snippets/attention/scaled_dot_product.py. */
export const attentionWeights = (scores, allowed) =>
  maskedSoftmax(scores, allowed).map((row, i) => (allowed[i].some(Boolean) ? row : row.map(() => 0)));
