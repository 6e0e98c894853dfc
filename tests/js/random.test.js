import assert from "node:assert/strict";
import { test } from "node:test";

import {
  deviation,
  dotProducts,
  histogram,
  median,
  normals,
  uniform,
} from "../../docs/assets/js/touch/maths/random.js";
import { close } from "./helpers.js";

test("the same seed gives the same numbers, from 0 to 1", () => {
  const [one, again, other] = [uniform(5), uniform(5), uniform(6)];
  const numbers = Array.from({ length: 2000 }, one);
  assert.deepEqual(numbers.slice(0, 9), Array.from({ length: 9 }, again));
  assert.notDeepEqual(numbers.slice(0, 9), Array.from({ length: 9 }, other));
  assert.ok(numbers.every((x) => x >= 0 && x < 1));
  close(numbers.reduce((a, b) => a + b) / 2000, 0.5, 0.02);
  close(uniform(0)(), 0.26642920868471265); // mulberry32, as its author has it
});

test("normal numbers have mean 0, variance 1, and neighbours that know nothing of each other", () => {
  const x = normals(20_001, 3);
  assert.equal(x.length, 20_001);
  const mean = (f) => x.reduce((sum, value, i) => sum + f(value, i), 0) / x.length;
  close(
    mean((value) => value),
    0,
    0.03,
  );
  close(
    mean((value) => value ** 2),
    1,
    0.05,
  );
  close(
    mean((value) => value ** 3),
    0,
    0.1,
  );
  close(
    mean((value, i) => value * (x[i + 1] ?? 0)),
    0,
    0.03,
  );
});

test("dot products of d numbers have variance d", () => {
  const rows = dotProducts(40, 20, 64, 1);
  assert.deepEqual([rows.length, rows[0].length], [40, 20]);
  close(deviation(rows.flat()), 8, 0.6);
  const numbers = normals(2 * 3 * 4, 9); // a query and two keys, twice
  const at = (i) => [...numbers.slice(4 * i, 4 * i + 4)];
  const sum = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);
  close(dotProducts(2, 2, 4, 9), [
    [sum(at(0), at(1)), sum(at(0), at(2))],
    [sum(at(3), at(4)), sum(at(3), at(5))],
  ]);
});

test("what is said of numbers", () => {
  close(deviation([2, 4, 4, 4, 5, 5, 7, 9]), 2);
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2); // the lower one, and the list stays as it is
  assert.deepEqual(histogram([-9, 0, 0.4, 0.5, 0.99, 1, 7], 0, 1, 2), [3, 4]);
});
