// Every number that the Transformer of snippets/model/transformer.py computes on its way from a source to the next token;
// and what comes out if a head is off or a score is another one.

import { attending, generated, input, inTurn, output, UNCHANGED, widening } from "./blocks.js";
import { sinusoid } from "./layers.js";
import { BOS, EOS, PAD } from "./model.js";

/** Rows of the embedding matrix times √d_model, and sines and cosines of the positions. */
const embedded = ({ table, size }, ids) =>
  input(
    table,
    ids,
    Math.sqrt(size),
    ids.map((_, position) => sinusoid(position, size)),
  );

/** The encoder: blocks by name, e.input, e0.self, e0.ffn, …. */
export const encoded = (model, ids, changes = UNCHANGED) =>
  inTurn(
    "e.input",
    embedded(model, ids),
    model.encoderLayers.flatMap(({ attention, feedForward, residuals }, i) => [
      [`e${i}.self`, (rows) => attending(residuals[0], attention, `e${i}.self`, rows, { changes })],
      [`e${i}.ffn`, (rows) => widening(residuals[1], feedForward, rows)],
    ]),
  );

/** The decoder for a beginning of a translation, and the logits of what follows each of its tokens. */
export function decoded(model, ids, encoder, changes = UNCHANGED) {
  const memory = Object.values(encoder).at(-1).passed;
  const layers = model.decoderLayers.flatMap(({ own, cross, feedForward, residuals }, i) => [
    [`d${i}.self`, (rows) => attending(residuals[0], own, `d${i}.self`, rows, { causal: true, changes })],
    [`d${i}.cross`, (rows) => attending(residuals[1], cross, `d${i}.cross`, rows, { memory, changes })],
    [`d${i}.ffn`, (rows) => widening(residuals[2], feedForward, rows)],
  ]);
  return inTurn("d.input", embedded(model, ids), [
    ...layers,
    ["output", (rows) => output(model.table, rows, model.norms.decoder, PAD)],
  ]);
}

/** Greedy decoding: the blocks of the encoder, and the tokens of the translation with </s>. guess: see `generated`. */
export function translated(model, ids, most, changes = UNCHANGED, guess = []) {
  const memory = encoded(model, ids, changes);
  return {
    memory,
    made: generated((made) => decoded(model, [BOS, ...made], memory, changes).output.candidates, most, EOS, guess),
  };
}
