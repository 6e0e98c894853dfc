import assert from "node:assert/strict";
import { test } from "node:test";

import * as layers from "../../docs/assets/js/touch/maths/translator/layers.js";
import { distribution, drawn, topP } from "../../docs/assets/js/touch/maths/translator/sampling.js";
import { softmax } from "../../docs/assets/js/touch/maths/softmax.js";
import { mean, placed } from "../../docs/assets/js/touch/aligning.js";
import { close, matrix } from "./helpers.js";

const dense = (weight, bias) => ({ weight: Float32Array.from(weight.flat()), bias: Float32Array.from(bias) });

test("a linear layer is W x + b, a row of W for each number that comes out", () => {
  close(
    layers.linear(
      dense(
        [
          [1, 2, 3],
          [0, -1, 0],
        ],
        [10, 20],
      ),
      [1, 1, 2],
    ),
    [19, 19],
  );
});

test("a norm has mean 0 and variance 1 before gamma and beta", () => {
  const ones = [1, 1, 1, 1],
    x = Float32Array.of(1, 2, 4, 9);
  const plain = layers.layerNorm({ gamma: ones, beta: [0, 0, 0, 0], eps: 0 }, x);
  close(
    plain.reduce((a, b) => a + b),
    0,
    1e-6,
  );
  close(plain.reduce((sum, value) => sum + value ** 2, 0) / 4, 1, 1e-6);
  close(
    layers.layerNorm({ gamma: [2, 2, 2, 2], beta: [1, 1, 1, 1], eps: 0 }, x),
    [...plain].map((value) => 2 * value + 1),
    1e-6,
  );
  close(
    layers.layerNorm({ gamma: ones, beta: [0, 0, 0, 0], eps: 3 }, Float32Array.of(1, -1, 1, -1)),
    [0.5, -0.5, 0.5, -0.5],
    1e-6,
  );
});

test("a logarithm of a softmax is precise where that is nothing", () => {
  close(layers.logSoftmax([1, 2, 3]), softmax([1, 2, 3]).map(Math.log));
  close(layers.logSoftmax([0, -2000]), [0, -2000]);
  close(layers.logSoftmax([0, -Infinity]), [0, -Infinity]);
});

test("the best ones, the first where two are equal", () => {
  assert.deepEqual(layers.best([3, 9, 9, 1], 3), [1, 2, 0]);
});

test("activations", () => {
  close([-2, 0, 3].map(layers.relu), [0, 0, 3]);
  close(layers.gelu(1), 0.8411919906082768);
  close(layers.gelu(-1), 0.8411919906082768 - 1);
  close(layers.gelu(10), 10, 1e-6);
});

test("a network is applied between norm and sum, or before the norm", () => {
  const norm = { gamma: [1, 1], beta: [0, 0], eps: 0 },
    x = Float32Array.of(3, 1),
    seen = [];
  const sublayer = (y) => {
    seen.push([...y]);
    return Float32Array.of(10, 0);
  };
  close(layers.residual({ norm, normFirst: true }, x, sublayer), [13, 1], 1e-6);
  close(layers.residual({ norm, normFirst: false }, x, sublayer), [1, -1], 1e-6);
  close(
    seen,
    [
      [1, -1],
      [3, 1],
    ],
    1e-6,
  );
  const twice = {
    w_1: dense(
      [
        [1, 0],
        [-1, 0],
      ],
      [0, 0],
    ),
    w_2: dense([[1, 1]], [0.5]),
  };
  close(layers.feedForward(twice, [-3, 7]), [3.5]);
  close(layers.feedForward({ ...twice, activation: (value) => value }, [-3, 7]), [0.5]);
});

test("attention: a mean of values for each head, and keys that are added one at a time are the same as all", () => {
  const rows = matrix(4, 4, 1),
    [wq, wk, wv, wo] = [2, 3, 4, 5].map((seed) => dense(matrix(4, 4, seed), matrix(1, 4, 9 + seed)[0]));
  const attention = { w_q: wq, w_k: wk, w_v: wv, w_o: wo, numHeads: 2 };
  const seen = layers.project(attention, rows);
  const step = rows.reduce((before, x) => layers.grown(attention, x, before), { keys: [], values: [] });
  close(step, seen);
  const { output, weights } = layers.attend(attention, rows[1], seen);
  const query = layers.linear(wq, rows[1]);
  const heads = [0, 1].map((head) => {
    const part = (x) => [...x.slice(2 * head, 2 * head + 2)];
    const own = softmax(
      seen.keys.map((key) => part(key).reduce((sum, value, i) => sum + value * part(query)[i], 0) / Math.SQRT2),
    );
    close(weights[head], own, 1e-6);
    return [0, 1].map((i) => own.reduce((sum, weight, j) => sum + weight * part(seen.values[j])[i], 0));
  });
  close(output, layers.linear(wo, heads.flat()), 1e-5);
  close(
    mean(weights),
    weights[0].map((weight, j) => (weight + weights[1][j]) / 2),
  );
  const unscaled = layers.attend(attention, rows[1], seen, false).weights[0];
  close(Math.log(unscaled[0] / unscaled[1]), Math.SQRT2 * Math.log(weights[0][0] / weights[0][1]), 1e-5);
});

test("what stands twice is named with its place", () => {
  const say = (token, place) => `${token} (${place})`;
  assert.deepEqual(
    [0, 1, 2].map((place) => placed(["a", "b", "a"], place, say)),
    ["a (1)", "b", "a (3)"],
  );
});

test("top-p keeps the fewest tokens that reach p together, and never none", () => {
  const logits = [0.5, 0.3, 0.15, 0.05].map(Math.log);
  const kept = (p) => topP(logits, p).map((logit) => logit > -Infinity);
  assert.deepEqual(kept(1), [true, true, true, true]);
  assert.deepEqual(kept(0.9), [true, true, true, false]);
  assert.deepEqual(kept(0.6), [true, true, false, false]);
  assert.deepEqual(kept(0.01), [true, false, false, false]);
  assert.deepEqual(
    topP([0, 0, 0, 0], 0.75).map((logit) => logit > -Infinity),
    [false, true, true, true],
    "exactly p is enough",
  );
  close(distribution(logits, 1, 0.6), [0.625, 0.375, 0, 0]);
  close(
    distribution(logits, 0.5, 1),
    [0.25, 0.09, 0.0225, 0.0025].map((square) => square / 0.365),
  );
});

test("a token is drawn as often as it is probable", () => {
  const shares = [0.2, 0, 0.5, 0.3];
  assert.deepEqual(
    [0, 0.199, 0.2, 0.699, 0.7, 0.999].map((number) => drawn(shares, number)),
    [0, 0, 2, 2, 3, 3],
  );
  assert.equal(drawn([0.5, 0.4999, 0], 0.99999), 1, "rounding leaves room for the last one that can be drawn");
});
