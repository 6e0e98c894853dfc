// Every number that the GPT of snippets/families/gpt.py computes on its way from a text to the next token; and what comes out
// if a head is off or a score is another one.

import { attending, generated, input, inTurn, output, UNCHANGED, widening } from "./blocks.js";
import { BOS, EOS } from "./model.js";

/** For a text, as ids: blocks by name, d.input, d0.self, d0.ffn, …, output. */
export function passed(model, ids, changes = UNCHANGED) {
  const positions = ids.map((_, i) => model.positions.slice(i * model.size, (i + 1) * model.size));
  const layers = model.layers.flatMap(({ attention, feedForward, residuals }, i) => [
    [`d${i}.self`, (rows) => attending(residuals[0], attention, `d${i}.self`, rows, { causal: true, changes })],
    [`d${i}.ffn`, (rows) => widening(residuals[1], feedForward, rows)],
  ]);
  const first = input(model.table, ids, 1, positions, true);
  return inTurn("d.input", first, [...layers, ["output", (rows) => output(model.table, rows, model.norm)]]);
}

/** The text and its greedy continuation, at most so many tokens, until </s>. guess: see `generated`. */
export function continued(model, ids, most, changes = UNCHANGED, guess = []) {
  const run = (made) => passed(model, [BOS, ...ids, ...made], changes).output.candidates.slice(ids.length);
  return [...ids, ...generated(run, most, EOS, guess)];
}
