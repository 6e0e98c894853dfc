// Greedy decoding: snippets/training/decoding.py.

import { best, logSoftmax } from "./layers.js";
import { BOS, EOS, PAD } from "./model.js";

/** Log-probabilities of the next token: padding is none. */
export function nextLogP(logits) {
  const scores = Array.from(logits);
  scores[PAD] = -Infinity;
  return logSoftmax(scores);
}

/** One token after the other, each the most probable one: {id, logP, logits, weights}, until </s>. */
export function* greedy(model, src, most, memory = model.encode(src)) {
  let step = model.next(model.start(memory), BOS);
  for (let length = 1; length <= most; length++) {
    const logP = nextLogP(step.logits);
    const [id] = best(logP, 1);
    yield { id, logP: logP[id], logits: step.logits, weights: step.weights };
    if (id === EOS) return;
    if (length < most) step = model.next(step.state, id);
  }
}
