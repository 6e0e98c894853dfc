// Blocks of a Transformer with every number that they compute, kept and named, and how each of them comes about. All tokens
// are computed at once, as in training: row i belongs to the token at position i.

import { best, layerNorm, linear, relu } from "./layers.js";
import { scores as products } from "./model.js";
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
    const scores = queries.map((query, i) =>
      keys.map((key, j) => {
        if (causal && j > i) return -Infinity;
        return changes.scores.get(`${name}.${head}.${i}.${j}`) ?? dot(query, key) / Math.sqrt(size);
      }),
    );
    const weights = scores.map(softmax);
    const off = changes.off.has(`${name}.${head}`);
    const output = weights.map((shares) =>
      Float32Array.from({ length: size }, (_, i) =>
        off ? 0 : shares.reduce((sum, share, j) => sum + share * values[j][i], 0),
      ),
    );
    return { queries, keys, values, scores, weights, output };
  });
  const concatenated = rows.map((_, i) => heads.flatMap(({ output }) => [...output[i]]));
  return { others, module, causal, heads, concatenated, output: concatenated.map((x) => linear(module.w_o, x)) };
}

const sum = (rows, others) => rows.map((x, i) => x.map((value, j) => value + others[i][j]));
const normalized = (norm, rows) => rows.map((x) => layerNorm(norm, x));

/**
 * A residual connection around a sublayer, which gets `inner` and returns its numbers, `output` among them. `passed` is
 * what the next block gets: the norm of x + F(x) (post-LN), or x + F(x), where F gets the norm of x (pre-LN).
 */
function around({ norm, normFirst }, rows, sublayer) {
  const inner = normFirst ? normalized(norm, rows) : rows;
  const found = sublayer(inner);
  const sums = sum(rows, found.output);
  return { rows, inner, ...found, sums, norm, normFirst, passed: normFirst ? sums : normalized(norm, sums) };
}

/** The block of an attention: to `memory`, or to the tokens themselves. */
export const attending = (residual, module, name, rows, { memory = undefined, causal = false, changes }) =>
  around(residual, rows, (inner) => attention(module, name, inner, memory ?? inner, causal, changes));

/** The block of a feed-forward network. */
export const widening = (residual, module, rows) =>
  around(residual, rows, (inner) => {
    const hidden = inner.map((x) => linear(module.w_1, x).map(module.activation ?? relu));
    return { module, hidden, output: hidden.map((x) => linear(module.w_2, x)) };
  });

/** What stands before the first layer: rows of the embedding matrix times a factor, what positions add, and the sums. */
export function input(table, ids, factor, positions, learned = false) {
  const size = positions[0].length;
  const embedded = ids.map((id) => table.slice(id * size, (id + 1) * size).map((value) => value * factor));
  return { embedded, factor, positions, learned, passed: sum(embedded, positions) };
}

/** What stands behind the last layer. norm: that of pre-LN; never: a token that is none, and has no probability. */
export function output(table, rows, norm, never) {
  const inner = norm ? normalized(norm, rows) : rows;
  const logits = inner.map((x) => products(table, x));
  const candidates = logits.map((row) => Array.from(row, (logit, id) => (id === never ? -Infinity : logit)));
  return { rows, inner, norm, table, logits, candidates, probabilities: candidates.map(softmax) };
}

/** Blocks by name, one after the other: each of `steps`, [name, run], gets the rows that the block before passes on. */
export function inTurn(name, first, steps) {
  const blocks = { [name]: first };
  let rows = first.passed;
  for (const [next, run] of steps) {
    blocks[next] = run(rows);
    rows = blocks[next].passed;
  }
  return blocks;
}

/**
 * Greedy decoding, at most so many tokens, until `end`. run: logits after each of the tokens that it gets, and after
 * what stands before them. guess: tokens that may come out. One pass tells up to where they do, since a token depends on
 * those before it and on no other: the next pass begins with what was right.
 */
export function generated(run, most, end, guess = []) {
  let made = guess.slice(0, most);
  for (let sure = 0; sure < most && made[sure - 1] !== end;) {
    const candidates = run(made.slice(0, most - 1));
    for (let agreed = true; agreed && sure < candidates.length && made[sure - 1] !== end; sure++) {
      const [next] = best(candidates[sure], 1);
      agreed = made[sure] === next;
      made[sure] = next;
    }
    if (sure === most || made[sure - 1] === end) made = made.slice(0, sure);
  }
  return made;
}

// ---- how one number comes about

/** a · b and what is done with it: pairs to multiply, what is added, what it is divided by, and the result. */
const product = (a, b, { bias = 0, divisor = 1, activation = (x) => x } = {}) => {
  const pairs = Array.from(a, (value, i) => [value, b[i]]);
  const sum = pairs.reduce((total, [left, right]) => total + left * right, 0);
  return { pairs, sum, bias, divisor, activation, result: activation((sum + bias) / divisor) };
};

/** Row i of a weight matrix that has as many columns as x has numbers. */
const rowOf = ({ weight }, i, columns) => weight.subarray(i * columns, (i + 1) * columns);
const through = (module, x, i, more) => product(x, rowOf(module, i, x.length), { bias: module.bias[i], ...more });

/** Component j of the norm of x: row i of what came out. */
function normOf({ norm }, x, i, j, out) {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const deviation = Math.sqrt(variance + norm.eps);
  return { x: x[j], mean, deviation, gamma: norm.gamma[j], beta: norm.beta[j], result: out[i][j] };
}

/**
 * How a cell of a panel comes about. block: one of a trace; panel: what is shown; head: of attention; i, j: row, column.
 * Returns {pairs, sum, bias, divisor, activation, result}, or of a softmax {scores, result}, or of a norm {x, mean,
 * deviation, gamma, beta, result}, with f where that was added before, or of an input {table, factor, position, learned,
 * result}; shown: the number that stands there, if a
 * reader or a mask has put another one in its place.
 */
export function explained(block, panel, head, i, j) {
  const { module, inner, others, rows, hidden, concatenated, sums, passed, embedded, factor, positions } = block;
  const of = block.heads?.[head],
    size = of?.queries[0].length;
  if (panel === "queries") return through(module.w_q, inner[i], head * size + j);
  if (panel === "keys") return through(module.w_k, others[i], head * size + j);
  if (panel === "values") return through(module.w_v, others[i], head * size + j);
  if (panel === "scores") {
    return { ...product(of.queries[i], of.keys[j], { divisor: Math.sqrt(size) }), shown: of.scores[i][j] };
  }
  if (panel === "weights") return { scores: of.scores[i], column: j, result: of.weights[i][j] };
  if (panel === "head") {
    const column = of.values.map((value) => value[j]);
    return { ...product(of.weights[i], column), shown: of.output[i][j] };
  }
  if (panel === "concatenated") return { result: concatenated[i][j], head: Math.floor(j / size), column: j % size };
  if (panel === "output")
    return module.w_o ? through(module.w_o, concatenated[i], j) : through(module.w_2, hidden[i], j);
  if (panel === "hidden") return through(module.w_1, inner[i], j, { activation: module.activation ?? relu });
  if (panel === "rows" || (panel === "inner" && inner === rows)) return { result: rows[i][j] };
  if (panel === "inner") return normOf(block, rows[i], i, j, inner);
  if (panel === "passed" && sums) {
    const added = { x: rows[i][j], f: block.output[i][j], result: passed[i][j] };
    return block.normFirst ? added : { ...normOf(block, sums[i], i, j, passed), ...added };
  }
  if (panel === "embedded") return { factor, table: embedded[i][j] / factor, result: embedded[i][j] };
  if (panel === "positions") {
    const result = positions[i][j];
    if (block.learned) return { learned: true, result };
    return { position: i, pair: j - (j % 2), cosine: j % 2 === 1, size: positions[i].length, result };
  }
  if (panel === "passed") return { x: embedded[i][j], f: positions[i][j], result: passed[i][j] };
  if (panel === "logits") return product(inner[i], rowOf({ weight: block.table }, j, inner[i].length));
  return { scores: block.candidates[i], column: j, result: block.probabilities[i][j] };
}
