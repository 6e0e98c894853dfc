// The Transformer of snippets/model/transformer.py, for one sentence and without training. The decoder takes a token
// at a time and keeps keys and values of those before, as snippets/training/cache.py does.

import { attend, feedForward, grown, layerNorm, linear, project, residual, sinusoid } from "./layers.js";

export const [PAD, BOS, EOS] = [0, 1, 2];
/** What can be switched off in a model that has been trained with it. */
export const WHOLE = { positions: true, mask: true, scaling: true };

/** The tensors of one module, from those of the model. */
export function parts({ tensors, config }, path) {
  const dense = (name) => ({ weight: tensors[`${path}.${name}.weight`], bias: tensors[`${path}.${name}.bias`] });
  return {
    attention: (name) => ({
      ...Object.fromEntries(["w_q", "w_k", "w_v", "w_o"].map((w) => [w, dense(`${name}.${w}`)])),
      numHeads: config.num_heads,
    }),
    feedForward: () => ({ w_1: dense("feed_forward.w_1"), w_2: dense("feed_forward.w_2") }),
    residual: (number) => ({
      norm: norm({ tensors, config }, `${path}.residual_${number}.norm`),
      normFirst: config.norm_first,
    }),
  };
}

export const norm = ({ tensors, config }, path) =>
  tensors[`${path}.gamma`] && { gamma: tensors[`${path}.gamma`], beta: tensors[`${path}.beta`], eps: config.eps };

/** The dot product of a vector with each row of the embedding matrix. */
export const scores = (table, x) => linear({ weight: table, bias: new Float32Array(table.length / x.length) }, x);

export class Transformer {
  /** loaded: what weights.js loads; switches: which parts of WHOLE are there. */
  constructor(loaded, switches = WHOLE) {
    const layers = Array.from({ length: loaded.config.num_layers }, (_, i) => i);
    this.switches = { ...WHOLE, ...switches };
    this.size = loaded.config.d_model;
    this.table = loaded.tensors["embedding.table"];
    this.encoderLayers = layers.map((i) => {
      const of = parts(loaded, `encoder.layers.${i}`);
      return {
        attention: of.attention("attention"),
        feedForward: of.feedForward(),
        residuals: [1, 2].map(of.residual),
      };
    });
    this.decoderLayers = layers.map((i) => {
      const of = parts(loaded, `decoder.layers.${i}`);
      return {
        own: of.attention("self_attention"),
        cross: of.attention("cross_attention"),
        feedForward: of.feedForward(),
        residuals: [1, 2, 3].map(of.residual),
      };
    });
    this.norms = { encoder: norm(loaded, "encoder.norm"), decoder: norm(loaded, "decoder.norm") };
  }

  /** A token at a position, as a vector. */
  embed(id, position) {
    const x = this.table.slice(id * this.size, (id + 1) * this.size).map((value) => value * Math.sqrt(this.size));
    if (!this.switches.positions) return x;
    const added = sinusoid(position, this.size);
    return x.map((value, i) => value + added[i]);
  }

  /** A score for each token: the embedding once more. */
  logits(x) {
    const last = this.norms.decoder ? layerNorm(this.norms.decoder, x) : x; // pre-LN has one at the end
    return scores(this.table, last);
  }

  /** Of a source, as ids: keys and values for each layer of the decoder, and the encoder's weights by layer. */
  encode(ids) {
    let rows = ids.map((id, position) => this.embed(id, position));
    const weights = [];
    for (const layer of this.encoderLayers) {
      const [around, last] = layer.residuals;
      const inner = around.normFirst ? rows.map((x) => layerNorm(around.norm, x)) : rows;
      const seen = project(layer.attention, inner);
      const maps = [];
      rows = rows.map((x) =>
        residual(around, x, (y) => {
          const found = attend(layer.attention, y, seen, this.switches.scaling);
          maps.push(found.weights);
          return found.output;
        }),
      );
      rows = rows.map((x) => residual(last, x, (y) => feedForward(layer.feedForward, y)));
      weights.push(maps);
    }
    if (this.norms.encoder) rows = rows.map((x) => layerNorm(this.norms.encoder, x));
    return { layers: this.decoderLayers.map((layer) => project(layer.cross, rows)), weights };
  }

  /** Nothing generated yet. A state is never changed, so that several hypotheses can begin with the same one. */
  start(memory) {
    const empty = { keys: [], values: [] };
    return { memory, tokens: [], layers: this.decoderLayers.map(() => empty) };
  }

  /** After one more token: the state, the logits of what follows, and the weights by layer and head. */
  next(state, token) {
    if (!this.switches.mask) return this.again(state, token);
    const before = state.layers;
    const layers = [];
    const weights = { own: [], cross: [] };
    let x = this.embed(token, state.tokens.length);
    this.decoderLayers.forEach((layer, i) => {
      x = residual(layer.residuals[0], x, (y) => {
        layers[i] = grown(layer.own, y, before[i]);
        return this.noted(weights.own, layer.own, y, layers[i]);
      });
      x = this.rest(layer, x, state.memory.layers[i], weights);
    });
    const later = { memory: state.memory, tokens: [...state.tokens, token], layers };
    return { state: later, logits: this.logits(x), weights };
  }

  /** The same without a mask: tokens before see this one, too, so that nothing computed before is good any more. */
  again(state, token) {
    const tokens = [...state.tokens, token];
    const all = this.decode(tokens, state.memory);
    return { state: { ...state, tokens }, ...all.at(-1) };
  }

  /** All tokens at once, without a cache: logits of what follows each of them, and its weights. */
  decode(tokens, memory) {
    let rows = tokens.map((id, position) => this.embed(id, position));
    const weights = tokens.map(() => ({ own: [], cross: [] }));
    this.decoderLayers.forEach((layer, i) => {
      const [around] = layer.residuals;
      const { keys, values } = project(layer.own, around.normFirst ? rows.map((x) => layerNorm(around.norm, x)) : rows);
      rows = rows.map((x, place) => {
        const end = this.switches.mask ? place + 1 : tokens.length;
        const seen = { keys: keys.slice(0, end), values: values.slice(0, end) };
        x = residual(around, x, (y) => this.noted(weights[place].own, layer.own, y, seen));
        return this.rest(layer, x, memory.layers[i], weights[place]);
      });
    });
    return rows.map((x, place) => ({ logits: this.logits(x), weights: weights[place] }));
  }

  /** What a decoder layer does after self-attention: nothing in it looks at other tokens of the target. */
  rest(layer, x, memory, weights) {
    x = residual(layer.residuals[1], x, (y) => this.noted(weights.cross, layer.cross, y, memory));
    return residual(layer.residuals[2], x, (y) => feedForward(layer.feedForward, y));
  }

  noted(weights, attention, x, seen) {
    const found = attend(attention, x, seen, this.switches.scaling);
    weights.push(found.weights);
    return found.output;
  }
}
