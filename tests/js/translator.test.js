// Models that nobody has trained: what is said of them must not depend on what they have learned.

import assert from "node:assert/strict";
import { test } from "node:test";

import { explained, generated, UNCHANGED } from "../../docs/assets/js/touch/maths/translator/blocks.js";
import { beamSearch, lengthPenalty, rivals } from "../../docs/assets/js/touch/maths/translator/decoding.js";
import { GPT } from "../../docs/assets/js/touch/maths/translator/gpt.js";
import { continued, passed } from "../../docs/assets/js/touch/maths/translator/gpt_trace.js";
import { greedy, nextLogP } from "../../docs/assets/js/touch/maths/translator/greedy.js";
import { best, layerNorm, linear, logSoftmax } from "../../docs/assets/js/touch/maths/translator/layers.js";
import { BOS, EOS, PAD, Transformer } from "../../docs/assets/js/touch/maths/translator/model.js";
import { decoderBlocks, stations, translatorBlocks } from "../../docs/assets/js/touch/maths/translator/stations.js";
import { decoded, encoded, translated } from "../../docs/assets/js/touch/maths/translator/trace.js";
import { close, gpt, SIZES, translator } from "./helpers.js";

const SOURCE = [4, 5, 6, 4, EOS],
  TARGET = [BOS, 7, 4, 9];
const MODELS = { "post-LN": new Transformer(translator(false)), "pre-LN": new Transformer(translator(true)) };
const small = new GPT(gpt());

/** Step by step: logits and weights after each token. */
function steps(model, tokens, memory) {
  let state = model.start(memory);
  return tokens.map((token) => {
    const step = model.next(state, token);
    state = step.state;
    return step;
  });
}

for (const [order, model] of Object.entries(MODELS)) {
  test(`${order}: one token after the other gives the same as all at once`, () => {
    const memory = model.encode(SOURCE),
      one = steps(model, TARGET, memory),
      once = model.decode(TARGET, memory);
    close(
      one.map(({ logits }) => logits),
      once.map(({ logits }) => logits),
      1e-5,
    );
    close(
      one.map(({ weights }) => weights),
      once.map(({ weights }) => weights),
      1e-6,
    );
  });
}

// The walk shows a translator whose norms follow the sums, and its trace knows no norm behind the last layer of an encoder.
const walked = MODELS["post-LN"];

test("the trace of a translator has the numbers of the model", () => {
  const memory = walked.encode(SOURCE),
    once = walked.decode(TARGET, memory);
  const encoder = encoded(walked, SOURCE),
    decoder = decoded(walked, TARGET, encoder);
  close(
    decoder.output.logits,
    once.map(({ logits }) => logits),
    1e-4,
  );
  for (let layer = 0; layer < SIZES.layers; layer++)
    for (let head = 0; head < SIZES.heads; head++) {
      close(
        encoder[`e${layer}.self`].heads[head].weights,
        memory.weights[layer].map((row) => row[head]),
        1e-5,
      );
      close(
        decoder[`d${layer}.cross`].heads[head].weights,
        once.map(({ weights }) => weights.cross[layer][head]),
        1e-5,
      );
      const own = decoder[`d${layer}.self`].heads[head].weights;
      own.forEach((row, i) => {
        close(row.slice(0, i + 1), once[i].weights.own[layer][head], 1e-5);
        assert.ok(
          row.slice(i + 1).every((weight) => weight === 0),
          "nothing is seen of what comes later",
        );
      });
    }
});

test("each number of each station is explained by a calculation that gives it", () => {
  const encoder = encoded(walked, SOURCE),
    blocks = { ...encoder, ...decoded(walked, TARGET, encoder) };
  checkExplained(blocks, stations(translatorBlocks(SIZES.layers)), "translator");
});

const OF_HEAD = {
  queries: "queries",
  keys: "keys",
  values: "values",
  scores: "scores",
  weights: "weights",
  head: "output",
};

function checkExplained(blocks, way, name) {
  assert.deepEqual(new Set(way.map(({ block }) => block)), new Set(Object.keys(blocks)));
  let count = 0;
  for (const { block, panels, at } of way)
    for (const panel of panels)
      for (let head = 0; head < (blocks[block].heads?.length ?? 1); head++) {
        const values = panel in OF_HEAD ? blocks[block].heads[head][OF_HEAD[panel]] : blocks[block][panel];
        values.forEach((row, i) =>
          row.forEach((value, j) => {
            const cell = explained(blocks[block], panel, head, i, j);
            close(cell.shown ?? cell.result, value, 1e-4, `${name} ${at} ${panel}[${i}][${j}]`);
            if (cell.pairs && value > -Infinity) close(cell.result, value, 1e-4, `${name} ${at} ${panel}[${i}][${j}]`);
            if (cell.gamma !== undefined) {
              const x = cell.x + (cell.f ?? 0);
              close(((x - cell.mean) / cell.deviation) * cell.gamma + cell.beta, value, 1e-4, `${name} ${at} ${panel}`);
            }
            count++;
          }),
        );
      }
  assert.ok(count > 1000);
}

test("what is switched off is off", () => {
  const whole = MODELS["post-LN"],
    loaded = translator(),
    memory = whole.encode(SOURCE);
  const plain = new Transformer(loaded, { positions: false });
  const [a, b] = plain.decode([4, 4], plain.encode(SOURCE)),
    [c, d] = whole.decode([4, 4], memory);
  close(a.logits, b.logits, 1e-5); // the same token at another place
  assert.ok(Math.abs(c.logits[5] - d.logits[5]) > 1e-3);
  const sees = new Transformer(loaded, { mask: false }),
    short = sees.decode(TARGET.slice(0, 2), sees.encode(SOURCE));
  assert.ok(
    Math.abs(sees.decode(TARGET, sees.encode(SOURCE))[1].logits[5] - short[1].logits[5]) > 1e-3,
    "the future is seen",
  );
  close(whole.decode(TARGET, memory)[1].logits, whole.decode(TARGET.slice(0, 2), memory)[1].logits, 1e-5);
  close(steps(sees, TARGET, memory).at(-1).logits, sees.decode(TARGET, memory).at(-1).logits, 1e-5);
  const sharp = new Transformer(loaded, { scaling: false }).encode(SOURCE).weights[0][0][0],
    soft = memory.weights[0][0][0];
  close(Math.log(sharp[0] / sharp[1]), Math.sqrt(SIZES.size / SIZES.heads) * Math.log(soft[0] / soft[1]), 1e-4);
});

test("a head that is off gives nothing, and a score that is set is taken", () => {
  const model = MODELS["post-LN"],
    encoder = encoded(model, SOURCE);
  const changes = { off: new Set(["d0.self.1"]), scores: new Map([["d1.cross.0.2.3", 50]]) };
  const found = decoded(model, TARGET, encoder, changes),
    before = decoded(model, TARGET, encoder, UNCHANGED);
  assert.ok(found["d0.self"].heads[1].output.flatMap((row) => [...row]).every((value) => value === 0));
  close(found["d0.self"].heads[0].output, before["d0.self"].heads[0].output);
  close(found["d1.cross"].heads[0].weights[2], [0, 0, 0, 1, 0], 1e-6);
  assert.equal(explained(found["d1.cross"], "scores", 0, 2, 3).shown, 50);
  assert.ok(
    Math.abs(explained(found["d1.cross"], "scores", 0, 2, 3).result - 50) > 1,
    "and what would have been there is said",
  );
});

test("greedy decoding takes the most probable token, and never padding", () => {
  for (const model of Object.values(MODELS)) {
    const found = [...greedy(model, SOURCE, 6)];
    assert.ok(found.length <= 6 && (found.length === 6 || found.at(-1).id === EOS));
    for (const { id, logP, logits } of found) {
      const others = logSoftmax(Array.from(logits, (logit, i) => (i === PAD ? -Infinity : logit)));
      close(logP, Math.max(...others));
      assert.equal(id, best(others, 1)[0]);
    }
  }
  const ids = [...greedy(walked, SOURCE, 6)].map(({ id }) => id);
  assert.deepEqual(translated(walked, SOURCE, 6).made, ids);
  for (const guess of [ids, [9, 9, 9], [...ids].reverse(), [...ids, 3, 3]]) {
    assert.deepEqual(translated(walked, SOURCE, 6, UNCHANGED, guess).made, ids, "a guess changes nothing");
  }
  close(nextLogP([100, 0, Math.log(3)]), [-Infinity, Math.log(0.25), Math.log(0.75)]);
});

test("the next most probable tokens are those after the one that was chosen", () => {
  const logits = [100, 1, 5, 4, 3];
  assert.deepEqual(
    rivals(logits, 2).map(({ id }) => id),
    [3, 4, 1],
  );
  assert.deepEqual(
    rivals(logits, 3, 2).map(({ id }) => id),
    [2, 4],
  );
});

/** A model of a tree: the probabilities of the next token by what stands there. */
const tree = (branches) => ({
  encode: () => null,
  start: () => ({ ids: [] }),
  next: (state, id) => {
    const ids = [...state.ids, id],
      shares = branches[ids.slice(1).join(" ")] ?? { [EOS]: 1 };
    return { state: { ids }, logits: Array.from({ length: 6 }, (_, i) => Math.log(shares[i] ?? 0)), weights: null };
  },
});

test("a beam finds the sentence that greedy decoding misses", () => {
  const model = tree({
    "": { 3: 0.6, 4: 0.4 },
    3: { [EOS]: 0.4, 5: 0.6 },
    "3 5": { [EOS]: 0.5, 4: 0.5 },
    4: { [EOS]: 1 },
  });
  const greedily = [...greedy(model, [], 4)].map(({ id }) => id);
  assert.deepEqual(greedily.slice(0, 2), [3, 5]);
  const one = beamSearch(model, [], 1, 4, 0),
    two = beamSearch(model, [], 2, 4, 0);
  assert.deepEqual(one.ids, greedily, "a beam of one is greedy");
  assert.deepEqual(two.ids, [4, EOS]);
  close(two.score, Math.log(0.4));
  assert.deepEqual(
    two.levels[1].map(({ ids, kept }) => [ids, kept]),
    [
      [[3], true],
      [[4], true],
    ],
  );
});

test("long sentences may be preferred: log-probabilities are divided by a penalty", () => {
  close(lengthPenalty(1, 0.6), 1);
  close(lengthPenalty(7, 1), 2);
  close(lengthPenalty(7, 0), 1);
  const model = tree({ "": { [EOS]: 0.5, 3: 0.5 }, 3: { 4: 0.8, 5: 0.2 }, "3 4": { [EOS]: 1 } });
  assert.deepEqual(beamSearch(model, [], 2, 5, 0).ids, [EOS]);
  assert.deepEqual(beamSearch(model, [], 2, 5, 2).ids, [3, 4, EOS]);
  const cut = beamSearch(tree({ "": { 3: 1 }, 3: { 3: 1 }, "3 3": { 3: 1 } }), [], 2, 2, 1);
  assert.deepEqual(cut.ids, [3, 3], "what has not ended is a sentence where it has to end");
});

test("a GPT gives the same from its cache as from all at once, and is explained", () => {
  const text = [BOS, 4, 8, 3, 10];
  let step = { state: small.start() };
  const logits = text.map((id) => (step = small.next(step.state, id)).logits);
  const blocks = passed(small, text);
  close(blocks.output.logits, logits, 1e-4);
  checkExplained(blocks, stations(decoderBlocks(SIZES.layers), true), "GPT");
  while (step.state.length < SIZES.longest) step = small.next(step.state, 3);
  assert.throws(() => small.next(step.state, 3), RangeError);
});

test("a text goes on with what is most probable after all of it", () => {
  const made = continued(small, [4, 8], 5);
  assert.deepEqual(made.slice(0, 2), [4, 8]);
  for (let length = 2; length < made.length; length++) {
    const { probabilities } = passed(small, [BOS, ...made.slice(0, length)]).output;
    assert.equal(made[length], best(probabilities.at(-1), 1)[0]);
  }
});

test("what is generated ends with its end, or where it has to", () => {
  const chain = (next) => (made) =>
    [3, ...made].map((id) => Array.from({ length: 6 }, (_, i) => (i === next[id] ? 1 : 0)));
  const run = chain({ 3: 4, 4: 5, 5: 2 });
  assert.deepEqual(generated(run, 9, 2), [4, 5, 2]);
  assert.deepEqual(generated(run, 2, 2), [4, 5]);
  assert.deepEqual(generated(run, 9, 2, [4, 5, 2, 7, 7]), [4, 5, 2]);
  assert.deepEqual(generated(run, 9, 2, [4, 4, 4]), [4, 5, 2]);
});

test("logits are dot products with the embedding", () => {
  const model = MODELS["pre-LN"],
    x = Float32Array.from({ length: SIZES.size }, (_, i) => i - 2);
  const last = layerNorm(model.norms.decoder, x),
    row = model.table.slice(3 * SIZES.size, 4 * SIZES.size);
  close(model.logits(x)[3], linear({ weight: row, bias: [0] }, last)[0], 1e-6);
  close(
    MODELS["post-LN"].embed(3, 0)[1],
    MODELS["post-LN"].table[3 * SIZES.size + 1] * Math.sqrt(SIZES.size) + 1,
    1e-6,
  );
});
