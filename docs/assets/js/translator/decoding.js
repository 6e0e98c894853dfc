// How a model generates: snippets/training/decoding.py, with all that happens on the way.

import { logSoftmax } from "./layers.js";
import { BOS, EOS, PAD } from "./model.js";

/** Log-probabilities of the next token: padding is none. */
function nextLogP(logits) {
  const scores = Array.from(logits);
  scores[PAD] = -Infinity;
  return logSoftmax(scores);
}

/** Indices of the largest numbers, the largest first. */
function best(numbers, count) {
  const order = Array.from(numbers, (_, i) => i).sort((a, b) => numbers[b] - numbers[a] || a - b);
  return order.slice(0, count);
}

/** One token after the other, each the most probable one: {id, logP, weights, rivals}, until </s>. */
export function* greedy(model, src, most, rivals = 3) {
  let step = model.next(model.start(model.encode(src)), BOS);
  for (let length = 1; length <= most; length++) {
    const logP = nextLogP(step.logits);
    const [id, ...others] = best(logP, 1 + rivals);
    yield { id, logP: logP[id], weights: step.weights, rivals: others.map((other) => ({ id: other, logP: logP[other] })) };
    if (id === EOS) return;
    if (length < most) step = model.next(step.state, id);
  }
}

/** What log-probabilities are divided by. */
export const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

/** The order in which Python compares two lists. */
function compared(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * Beam search. Returns the best sentence, its score, and the tree: by length, all hypotheses that were looked at
 * closely: {ids, total, logP, parent, kept, score, weights}. Those that were not kept are the next best of each parent, as many
 * as there may be hypotheses.
 */
export function beamSearch(model, src, size, most, alpha = 0.6) {
  const root = { ids: [], total: 0, logP: 0, parent: null, kept: true, ...model.next(model.start(model.encode(src)), BOS) };
  const levels = [[root]];
  const found = [];
  let beam = [root];
  for (let length = 1; length <= most && beam.length; length++) {
    const candidates = beam.flatMap((parent) => {
      const logP = nextLogP(parent.logits);
      const ids = best(logP, size).filter((id) => logP[id] > -Infinity);
      return ids.map((id) => ({
        ids: [...parent.ids, id],
        total: parent.total + logP[id],
        logP: logP[id],
        parent,
        kept: false,
        score: null,
      }));
    });
    const totals = candidates.map((one) => one.total);
    const level = best(totals, candidates.length).map((i) => candidates[i]);
    levels.push(level);
    const kept = level.slice(0, size);
    for (const one of kept) {
      one.kept = true;
      if (one.ids.at(-1) === EOS || length === most) {
        one.score = one.total / lengthPenalty(length, alpha);
        found.push(one);
      }
    }
    beam = kept.filter((one) => one.ids.at(-1) !== EOS);
    if (length < most) for (const one of beam) Object.assign(one, model.next(one.parent.state, one.ids.at(-1)));
  }
  const winner = found.reduce((a, b) => (b.score - a.score || compared(b.ids, a.ids)) > 0 ? b : a);
  return { ids: winner.ids, score: winner.score, winner, levels, found };
}
