// The layers of a Transformer for vectors of numbers: what snippets/block and snippets/attention compute with PyTorch.
// A vector is a Float32Array; sums are taken in the numbers of JavaScript, which have 64 bits.

import { softmax } from "../softmax.js";

/** W x + b, as nn.Linear keeps them: W has one row for each number that comes out. */
export function linear({ weight, bias }, x) {
  const y = new Float32Array(bias.length);
  for (let i = 0, at = 0; i < y.length; i++) {
    let sum = bias[i];
    for (let j = 0; j < x.length; j++, at++) sum += weight[at] * x[j];
    y[i] = sum;
  }
  return y;
}

/** Mean 0 and variance 1, then gamma and beta. */
export function layerNorm({ gamma, beta, eps }, x) {
  let mean = 0;
  for (const value of x) mean += value / x.length;
  let variance = 0;
  for (const value of x) variance += (value - mean) ** 2 / x.length;
  const factor = 1 / Math.sqrt(variance + eps);
  return x.map((value, i) => (value - mean) * factor * gamma[i] + beta[i]);
}

/** What is added to the embedding at a position: sines and cosines in turn. */
export function sinusoid(position, size) {
  return Float32Array.from({ length: size }, (_, i) => {
    const angle = position * 10000 ** (-(i - (i % 2)) / size);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

/** ln of what softmax gives, precise where that is near 0. */
export function logSoftmax(scores) {
  const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const rest = Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0));
  return Array.from(scores, (score) => score - most - rest);
}

/** Indices of the largest numbers, the largest first. */
export const best = (numbers, count) =>
  Array.from(numbers, (_, i) => i)
    .sort((a, b) => numbers[b] - numbers[a] || a - b)
    .slice(0, count);

/** Keys and values of attention to one more vector, beside those before. */
export function grown(attention, x, { keys, values }) {
  const more = project(attention, [x]);
  return { keys: [...keys, ...more.keys], values: [...values, ...more.values] };
}

export const relu = (x) => Math.max(0, x);

/** The approximation that GPT-2 has. */
export const gelu = (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** Two linear layers, and an activation between them. */
export const feedForward = ({ w_1, w_2, activation = relu }, x) => linear(w_2, linear(w_1, x).map(activation));

/** x + F(x) with a norm after it (post-LN), or before F (pre-LN). */
export function residual({ norm, normFirst }, x, sublayer) {
  const added = sublayer(normFirst ? layerNorm(norm, x) : x);
  const sum = x.map((value, i) => value + added[i]);
  return normFirst ? sum : layerNorm(norm, sum);
}

/** Keys and values of attention to some vectors. */
export const project = (attention, vectors) => ({
  keys: vectors.map((x) => linear(attention.w_k, x)),
  values: vectors.map((x) => linear(attention.w_v, x)),
});

/** From one vector to as many keys as it may attend to. Weights: by head, one for each key. */
export function attend(attention, x, { keys, values }, scaled = true) {
  const { numHeads } = attention;
  const query = linear(attention.w_q, x);
  const size = query.length / numHeads; // d_k
  const divisor = scaled ? Math.sqrt(size) : 1;
  const output = new Float32Array(query.length);
  const weights = [];
  for (let head = 0; head < numHeads; head++) {
    const [from, to] = [head * size, (head + 1) * size];
    const scores = keys.map((key) => {
      let sum = 0;
      for (let i = from; i < to; i++) sum += query[i] * key[i];
      return sum / divisor;
    });
    const shares = softmax(scores);
    for (let i = from; i < to; i++) {
      let sum = 0;
      for (let j = 0; j < values.length; j++) sum += shares[j] * values[j][i];
      output[i] = sum;
    }
    weights.push(shares);
  }
  return { output: linear(attention.w_o, output), weights };
}
