// The GPT of snippets/families/gpt.py, a token at a time, with keys and values of those before.

import { attend, feedForward, gelu, grown, layerNorm, residual } from "./layers.js";
import { norm, parts, scores } from "./model.js";

export class GPT {
  /** loaded: what weights.js loads. */
  constructor(loaded) {
    this.size = loaded.config.d_model;
    this.table = loaded.tensors["tokens.weight"];
    this.positions = loaded.tensors["positions.table"];
    this.longest = this.positions.length / this.size;
    this.norm = norm(loaded, "stack.norm");
    this.layers = Array.from({ length: loaded.config.num_layers }, (_, i) => {
      const of = parts(loaded, `stack.layers.${i}`);
      return {
        attention: of.attention("attention"),
        feedForward: { ...of.feedForward(), activation: gelu },
        residuals: [1, 2].map(of.residual),
      };
    });
  }

  /** No token yet. A state is never changed. */
  start() {
    return { length: 0, layers: this.layers.map(() => ({ keys: [], values: [] })) };
  }

  /** After one more token: the state, and the logits of what follows. Throws where no position is left. */
  next(state, token) {
    if (state.length >= this.longest) throw new RangeError(`${this.longest} positions have been learned, and no more`);
    const row = (table, i) => table.subarray(i * this.size, (i + 1) * this.size);
    const position = row(this.positions, state.length);
    let x = row(this.table, token).map((value, i) => value + position[i]);
    const layers = [];
    this.layers.forEach((layer, i) => {
      x = residual(layer.residuals[0], x, (y) => {
        layers[i] = grown(layer.attention, y, state.layers[i]);
        return attend(layer.attention, y, layers[i]).output;
      });
      x = residual(layer.residuals[1], x, (y) => feedForward(layer.feedForward, y));
    });
    return { state: { length: state.length + 1, layers }, logits: scores(this.table, layerNorm(this.norm, x)) };
  }
}
