import assert from "node:assert/strict";
import { test } from "node:test";

import * as attention from "../../docs/assets/js/touch/maths/attention.js";
import { onlineSoftmax } from "../../docs/assets/js/touch/maths/online.js";
import { close, matrix } from "./helpers.js";

const { softmax, entropy } = attention;

test("a softmax is a distribution in the order of its scores, and the same for all scores moved", () => {
  const scores = [0.5, -2, 3, 0];
  const weights = softmax(scores);
  close(
    weights.reduce((a, b) => a + b),
    1,
  );
  close(weights[2] / weights[0], Math.exp(2.5));
  close(softmax(scores.map((score) => score + 7)), weights);
  close(softmax([1000, 1000]), [0.5, 0.5]); // nothing overflows
});

test("what is masked has no weight, and a row of nothing else is NaN", () => {
  close(softmax([0, -Infinity, 0]), [0.5, 0, 0.5]);
  close(softmax([-Infinity, -Infinity]), [NaN, NaN]);
});

test("the entropy is largest where all is equal, and 0 where one has all", () => {
  close(entropy([0.25, 0.25, 0.25, 0.25]), Math.log(4));
  assert.equal(Object.is(entropy([1, 0, 0]), 0) || Object.is(entropy([1, 0, 0]), -0), true);
  assert.ok(entropy([0.5, 0.3, 0.2]) < Math.log(3));
});

test("a soft look-up is a mean of the values by their weights", () => {
  close(attention.softLookup([0, Math.log(3)], [10, 20]), { answer: 17.5, weights: [0.25, 0.75] });
});

test("the Jacobian matrix is what a small change of a score does to each weight", () => {
  const [scores] = matrix(1, 5, 3),
    step = 1e-6;
  const jacobian = attention.softmaxJacobian(softmax(scores));
  scores.forEach((_, j) => {
    const moved = softmax(scores.map((score, i) => (i === j ? score + step : score)));
    const before = softmax(scores);
    close(
      jacobian.map((row) => row[j]),
      moved.map((weight, i) => (weight - before[i]) / step),
      1e-5,
    );
  });
  close(
    attention.norm([
      [3, 0],
      [0, -4],
    ]),
    5,
  );
});

test("scores are dot products over the root of the size of a key", () => {
  close(attention.dot([1, 2, 3], [4, -5, 6]), 12);
  close(
    attention.scaledScores(
      [[2, 0, 0, 2]],
      [
        [1, 1, 1, 1],
        [0, 0, 0, -3],
      ],
    ),
    [[2, -3]],
  );
});

test("masks allow what is before, and what is no padding", () => {
  const causal = attention.causalMask(3),
    padding = attention.paddingMask([false, false, true]);
  assert.deepEqual(causal, [
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
  assert.deepEqual(padding, [
    [true, true, false],
    [true, true, false],
    [true, true, false],
  ]);
  assert.deepEqual(attention.both(causal, padding)[2], [true, true, false]);
  assert.deepEqual(attention.not([[true, false]]), [[false, true]]);
});

test("masked weights are those of what is allowed; where nothing is, NaN or nothing", () => {
  const scores = [
      [1, 2, 3],
      [1, 2, 3],
    ],
    allowed = [
      [true, true, false],
      [false, false, false],
    ];
  const [first, second] = attention.maskedSoftmax(scores, allowed);
  close(first, [...softmax([1, 2]), 0]);
  close(second, [NaN, NaN, NaN]);
  close(attention.attentionWeights(scores, allowed), [first, [0, 0, 0]]);
});

test("an online softmax has the same output as all at once, whatever a block is", () => {
  const [scores] = matrix(1, 7, 1),
    [values] = matrix(1, 7, 2);
  const whole = attention.softLookup(scores, values).answer;
  for (const block of [1, 2, 3, 7, 10]) {
    const states = onlineSoftmax(scores, values, block);
    assert.equal(states.length, Math.ceil(7 / block));
    close(states.at(-1).output, whole);
    for (const { end, maximum, sum, weighted } of states) {
      const seen = scores.slice(0, end);
      close(maximum, Math.max(...seen));
      close(
        sum,
        seen.reduce((total, score) => total + Math.exp(score - maximum), 0),
      );
      close(
        weighted,
        seen.reduce((total, score, i) => total + Math.exp(score - maximum) * values[i], 0),
      );
    }
  }
});

test("sums shrink when a larger score comes, and else do not", () => {
  const [first, second, third] = onlineSoftmax([1, 3, 2], [1, 1, 1], 1);
  assert.equal(first.shrink, 0); // nothing has been summed yet
  close(second, { shrink: Math.exp(-2), before: Math.exp(-2), maximum: 3, end: 2 });
  close(third, { shrink: 1, before: second.sum, maximum: 3, end: 3 });
});
