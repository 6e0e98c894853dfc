// Every number that the Transformer of snippets/model/transformer.py computes on its way from a source to the next token,
// kept and named; and what comes out if a head is off or a score is another one. All tokens are computed at once, as in
// training: row i belongs to the token at position i.

import { best, layerNorm, linear, relu, sinusoid } from "./layers.js";
import { nextLogP } from "./decoding.js";
import { BOS, EOS, PAD, scores as products } from "./model.js";
import { softmax } from "../softmax.js";

/**
 * What a reader has changed. off: names of heads, "d1.cross.2" for the third one of the cross-attention in the second
 * layer of the decoder, whose output is 0; scores: by head, query and key, "d1.cross.2.4.7", the score instead of the
 * computed one.
 */
export const UNCHANGED = { off: new Set(), scores: new Map() };

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** Attention of rows to others, by head: queries, keys, values, scores, weights, output; then all heads, and W_O. */
function attention(module, name, rows, others, causal, changes) {
  const { numHeads } = module;
  const project = (w, vectors) => vectors.map((x) => linear(module[w], x));
  const [q, k, v] = [project("w_q", rows), project("w_k", others), project("w_v", others)];
  const size = q[0].length / numHeads;
  const heads = Array.from({ length: numHeads }, (_, head) => {
    const own = (vectors) => vectors.map((x) => x.slice(head * size, (head + 1) * size));
    const [queries, keys, values] = [own(q), own(k), own(v)];
    const scores = queries.map((query, i) => keys.map((key, j) => {
      if (causal && j > i) return -Infinity;
      return changes.scores.get(`${name}.${head}.${i}.${j}`) ?? dot(query, key) / Math.sqrt(size);
    }));
    const weights = scores.map(softmax);
    const off = changes.off.has(`${name}.${head}`);
    const output = weights.map((shares) =>
      Float32Array.from({ length: size }, (_, i) => (off ? 0 : shares.reduce((sum, share, j) => sum + share * values[j][i], 0))));
    return { queries, keys, values, scores, weights, output };
  });
  const concatenated = rows.map((_, i) => heads.flatMap(({ output }) => [...output[i]]));
  return { rows, others, module, causal, heads, concatenated, output: concatenated.map((x) => linear(module.w_o, x)) };
}

/** x + F(x), and its layer norm: post-LN, which is what this model was trained with. */
function added({ norm, normFirst }, rows, output) {
  if (normFirst) throw new Error("a trace is that of post-LN");
  const sums = rows.map((x, i) => x.map((value, j) => value + output[i][j]));
  return { rows, output, sums, norm, normed: sums.map((x) => layerNorm(norm, x)) };
}

function feedForward(module, rows) {
  const before = rows.map((x) => linear(module.w_1, x));
  const hidden = before.map((x) => x.map(relu));
  return { rows, module, before, hidden, output: hidden.map((x) => linear(module.w_2, x)) };
}

/** Of tokens, as ids: rows of the embedding matrix times √d_model, what positions add, and the sums. */
function input(model, ids) {
  const { size, table } = model;
  const embedded = ids.map((id) => table.slice(id * size, (id + 1) * size).map((value) => value * Math.sqrt(size)));
  const positions = ids.map((_, position) => sinusoid(position, size));
  return { ids, embedded, positions, normed: embedded.map((x, i) => x.map((value, j) => value + positions[i][j])) };
}

/** The encoder: blocks by name, e.input, e0.self, e0.ffn, …; `normed` of each is what the next one gets. */
export function encoded(model, ids, changes = UNCHANGED) {
  const blocks = { "e.input": input(model, ids) };
  let rows = blocks["e.input"].normed;
  model.encoderLayers.forEach((layer, i) => {
    const self = attention(layer.attention, `e${i}.self`, rows, rows, false, changes);
    blocks[`e${i}.self`] = { ...self, ...added(layer.residuals[0], rows, self.output) };
    rows = blocks[`e${i}.self`].normed;
    const ffn = feedForward(layer.feedForward, rows);
    blocks[`e${i}.ffn`] = { ...ffn, ...added(layer.residuals[1], rows, ffn.output) };
    rows = blocks[`e${i}.ffn`].normed;
  });
  return blocks;
}

/** The decoder for a beginning of a translation, and the logits of what follows each of its tokens. */
export function decoded(model, ids, memory, changes = UNCHANGED) {
  const blocks = { "d.input": input(model, ids) };
  const last = Object.values(memory).at(-1).normed;
  let rows = blocks["d.input"].normed;
  model.decoderLayers.forEach((layer, i) => {
    const step = (name, found, around) => {
      blocks[`d${i}.${name}`] = { ...found, ...added(around, rows, found.output) };
      rows = blocks[`d${i}.${name}`].normed;
    };
    step("self", attention(layer.own, `d${i}.self`, rows, rows, true, changes), layer.residuals[0]);
    step("cross", attention(layer.cross, `d${i}.cross`, rows, last, false, changes), layer.residuals[1]);
    step("ffn", feedForward(layer.feedForward, rows), layer.residuals[2]);
  });
  const logits = rows.map((x) => products(model.table, x));
  const probabilities = logits.map((row) => nextLogP(row).map(Math.exp));
  blocks.output = { rows, table: model.table, logits, normed: logits, probabilities };
  return blocks;
}

/**
 * Greedy decoding: the blocks of the encoder, and the tokens of the translation with </s>.
 * guess: tokens that may be the translation. One pass tells up to where they
 * are, since a token depends on those before it and on no other: the next pass begins with what was right.
 */
export function translated(model, ids, most, changes = UNCHANGED, guess = []) {
  const memory = encoded(model, ids, changes);
  let made = guess.slice(0, most);
  for (let sure = 0; sure < most && made[sure - 1] !== EOS;) {
    const { logits } = decoded(model, [BOS, ...made.slice(0, most - 1)], memory, changes).output;
    for (let agreed = true; agreed && sure < logits.length && made[sure - 1] !== EOS; sure++) {
      const [next] = best(nextLogP(logits[sure]), 1);
      agreed = made[sure] === next;
      made[sure] = next;
    }
    if (sure === most || made[sure - 1] === EOS) made = made.slice(0, sure);
  }
  return { memory, made };
}

// ---- how one number comes about

/** a · b and what is done with it: pairs to multiply, what is added, what it is divided by, and the result. */
const product = (a, b, { bias = 0, divisor = 1, activation = (x) => x } = {}) => {
  const pairs = Array.from(a, (value, i) => [value, b[i]]);
  const sum = pairs.reduce((total, [left, right]) => total + left * right, 0);
  return { pairs, sum, bias, divisor, result: activation((sum + bias) / divisor) };
};

/** Row i of a weight matrix that has as many columns as x has numbers. */
const rowOf = ({ weight }, i, columns) => weight.subarray(i * columns, (i + 1) * columns);
const through = (module, x, i, more) => product(x, rowOf(module, i, x.length), { bias: module.bias[i], ...more });

/**
 * How a cell of a panel comes about. block: one of a trace; panel: what is shown; head: of attention; i, j: row, column.
 * Returns {pairs, sum, bias, divisor, result}, or of a softmax {scores, result}, or of a norm {x, f, mean, deviation,
 * gamma, beta, result}, or of an input {table, factor, position, result}; shown: the number that stands there, if a
 * reader or a mask has put another one in its place.
 */
export function explained(block, panel, head, i, j) {
  const of = block.heads?.[head];
  const size = of?.queries[0].length;
  if (panel === "queries") return through(block.module.w_q, block.rows[i], head * size + j);
  if (panel === "keys") return through(block.module.w_k, block.others[i], head * size + j);
  if (panel === "values") return through(block.module.w_v, block.others[i], head * size + j);
  if (panel === "scores") return { ...product(of.queries[i], of.keys[j], { divisor: Math.sqrt(size) }), shown: of.scores[i][j] };
  if (panel === "weights") return { scores: of.scores[i], column: j, result: of.weights[i][j] };
  if (panel === "head") return { ...product(of.weights[i], of.values.map((v) => v[j])), shown: of.output[i][j] };
  if (panel === "concatenated") return { result: block.concatenated[i][j], head: Math.floor(j / size), column: j % size };
  if (panel === "output") return block.module.w_o ? through(block.module.w_o, block.concatenated[i], j) : through(block.module.w_2, block.hidden[i], j);
  if (panel === "hidden") return through(block.module.w_1, block.rows[i], j, { activation: relu });
  if (panel === "rows") return { result: block.rows[i][j] };
  if (panel === "normed" && block.norm) {
    const x = block.sums[i];
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    return {
      x: block.rows[i][j], f: block.output[i][j], mean, deviation: Math.sqrt(variance + block.norm.eps),
      gamma: block.norm.gamma[j], beta: block.norm.beta[j], result: block.normed[i][j],
    };
  }
  if (panel === "embedded") return { factor: Math.sqrt(block.embedded[i].length), table: block.embedded[i][j] / Math.sqrt(block.embedded[i].length), result: block.embedded[i][j] };
  if (panel === "positions") return { position: i, pair: j - (j % 2), cosine: j % 2 === 1, size: block.positions[i].length, result: block.positions[i][j] };
  if (panel === "normed") return { x: block.embedded[i][j], f: block.positions[i][j], result: block.normed[i][j] };
  if (panel === "logits") return product(block.rows[i], rowOf({ weight: block.table }, j, block.rows[i].length));
  const scores = Array.from(block.logits[i], (logit, id) => (id === PAD ? -Infinity : logit)); // as nextLogP takes them
  return { scores, column: j, result: block.probabilities[i][j] };
}
