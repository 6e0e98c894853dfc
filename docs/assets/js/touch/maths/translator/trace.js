// Every number that the Transformer of snippets/model/transformer.py computes on its way from a source to the next token;
// and what comes out if a head is off or a score is another one.

import { attending, generated, input, output, UNCHANGED, widening } from "./blocks.js";
import { sinusoid } from "./layers.js";
import { BOS, EOS, PAD } from "./model.js";

/** Rows of the embedding matrix times √d_model, and sines and cosines of the positions. */
const embedded = ({ table, size }, ids) => input(table, ids, Math.sqrt(size), ids.map((_, position) => sinusoid(position, size)));

/** The encoder: blocks by name, e.input, e0.self, e0.ffn, …. */
export function encoded(model, ids, changes = UNCHANGED) {
  const blocks = { "e.input": embedded(model, ids) };
  let rows = blocks["e.input"].passed;
  const step = (name, block) => {
    blocks[name] = block;
    rows = block.passed;
  };
  model.encoderLayers.forEach((layer, i) => {
    step(`e${i}.self`, attending(layer.residuals[0], layer.attention, `e${i}.self`, rows, { changes }));
    step(`e${i}.ffn`, widening(layer.residuals[1], layer.feedForward, rows));
  });
  return blocks;
}

/** The decoder for a beginning of a translation, and the logits of what follows each of its tokens. */
export function decoded(model, ids, memory, changes = UNCHANGED) {
  const blocks = { "d.input": embedded(model, ids) };
  const last = Object.values(memory).at(-1).passed;
  let rows = blocks["d.input"].passed;
  const step = (name, block) => {
    blocks[name] = block;
    rows = block.passed;
  };
  model.decoderLayers.forEach((layer, i) => {
    step(`d${i}.self`, attending(layer.residuals[0], layer.own, `d${i}.self`, rows, { causal: true, changes }));
    step(`d${i}.cross`, attending(layer.residuals[1], layer.cross, `d${i}.cross`, rows, { memory: last, changes }));
    step(`d${i}.ffn`, widening(layer.residuals[2], layer.feedForward, rows));
  });
  blocks.output = output(model.table, rows, model.norms.decoder, PAD);
  return blocks;
}

/** Greedy decoding: the blocks of the encoder, and the tokens of the translation with </s>. guess: see `generated`. */
export function translated(model, ids, most, changes = UNCHANGED, guess = []) {
  const memory = encoded(model, ids, changes);
  return { memory, made: generated((made) => decoded(model, [BOS, ...made], memory, changes).output.candidates, most, EOS, guess) };
}
