import assert from "node:assert/strict";
import { test } from "node:test";

import { dot } from "../../docs/assets/js/touch/maths/attention.js";
import {
  frequencies,
  offsetMap,
  positionalEncoding,
  rotate,
  times,
} from "../../docs/assets/js/touch/maths/positions.js";
import { sinusoid } from "../../docs/assets/js/touch/maths/translator/layers.js";
import { close } from "./helpers.js";

test("frequencies fall from 1 by equal factors, down to nearly 1/10000", () => {
  const found = frequencies(8);
  close(found, [1, 0.1, 0.01, 0.001]);
});

test("an encoding is sine and cosine in turn", () => {
  close(positionalEncoding(0, 4), [0, 1, 0, 1]);
  close(positionalEncoding(3, 4), [Math.sin(3), Math.cos(3), Math.sin(0.03), Math.cos(0.03)]);
  close(sinusoid(3, 4), positionalEncoding(3, 4), 1e-7); // the same in a model
});

test("one matrix leads from any position to the one so far behind it", () => {
  const map = offsetMap(5, 6);
  for (const position of [0, 1, 17])
    close(times(positionalEncoding(position, 6), map), positionalEncoding(position + 5, 6));
  close(
    times(
      [1, 2],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ),
    [9, 12, 15],
  );
});

test("a turned pair keeps its length, and a dot product depends on the distance alone", () => {
  close(rotate([1, 0], Math.PI / 2), [0, 1]);
  close(rotate(rotate([0.3, -2], 0.7), -0.7), [0.3, -2]);
  const q = [0.95, 0.31],
    k = [0.74, -0.67],
    at = (m, n) => dot(rotate(q, 0.35 * m), rotate(k, 0.35 * n));
  close(at(9, 4), at(5, 0));
  assert.ok(Math.abs(at(9, 4) - at(4, 9)) > 0.1, "the sign of the distance counts");
});
