// Beam search: snippets/training/decoding.py, with all that happens on the way.

import { nextLogP } from "./greedy.js";
import { best } from "./layers.js";
import { BOS, EOS } from "./model.js";

/** The most probable tokens other than one: {id, logP}. */
export function rivals(logits, chosen, count = 3) {
  const logP = nextLogP(logits);
  const others = best(logP, count + 1).filter((id) => id !== chosen);
  return others.slice(0, count).map((id) => ({ id, logP: logP[id] }));
}

/** What log-probabilities are divided by. */
export const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

/** The order in which Python compares two lists. */
function compared(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * Beam search. Returns the best sentence, its score, and the tree, by length: all hypotheses that could have been kept,
 * the best first, as {ids, total, logP, parent, kept, score}; with a beam of one, the second best, too. `logits` and
 * `weights` of one that was continued are those of its last token; `score` is that of a sentence.
 */
export function beamSearch(model, src, size, most, alpha = 0.6) {
  const first = model.next(model.start(model.encode(src)), BOS);
  const root = { ids: [], total: 0, logP: 0, parent: null, kept: true, score: null, ...first };
  const levels = [[root]];
  const found = [];
  let beam = [root];
  for (let length = 1; length <= most && beam.length; length++) {
    const candidates = beam.flatMap((parent) => {
      const logP = nextLogP(parent.logits);
      const ids = best(logP, Math.max(size, 2)).filter((id) => logP[id] > -Infinity);
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
  const winner = found.reduce((a, b) => ((b.score - a.score || compared(b.ids, a.ids)) > 0 ? b : a));
  return { ids: winner.ids, score: winner.score, winner, levels, found };
}
