// How the next token is drawn: snippets/families/sampling.py.

import { softmax } from "../softmax.js";

/** Logits of the fewest most probable tokens that reach p together; the others become -Infinity. */
export function topP(logits, p) {
  const order = Array.from(logits, (_, i) => i).sort((a, b) => logits[a] - logits[b] || a - b);
  const ordered = softmax(order.map((i) => logits[i]));
  const kept = Array.from(logits);
  let tail = 0;
  for (let place = 0; place < order.length - 1; place++) {
    tail += ordered[place]; // it and all less probable ones
    if (tail <= 1 - p) kept[order[place]] = -Infinity;
  }
  return kept;
}

/** Probabilities of the next token, with a temperature and without the tail. */
export const distribution = (logits, temperature, p) =>
  softmax(
    topP(
      Array.from(logits, (logit) => logit / temperature),
      p,
    ),
  );

/** The token at which a number between 0 and 1 falls, if each has as much room as its probability. */
export function drawn(probabilities, number) {
  let sum = 0;
  let last = 0;
  for (let i = 0; i < probabilities.length; i++) {
    if (!probabilities[i]) continue;
    last = i; // rounding may leave a little room at the end
    sum += probabilities[i];
    if (number < sum) return i;
  }
  return last;
}
