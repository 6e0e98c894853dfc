// The same numbers as the modules of the book: tests/machinery/test_scripts.py computes them, and names the folder where
// they are. By itself, `npm test` leaves these out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";

import * as attention from "../../docs/assets/js/touch/maths/attention.js";
import { onlineSoftmax } from "../../docs/assets/js/touch/maths/online.js";
import * as positions from "../../docs/assets/js/touch/maths/positions.js";
import { encode, pieces } from "../../docs/assets/js/touch/maths/tokens.js";
import { read } from "../../docs/assets/js/touch/maths/translator/dates.js";
import { beamSearch } from "../../docs/assets/js/touch/maths/translator/decoding.js";
import { GPT } from "../../docs/assets/js/touch/maths/translator/gpt.js";
import { passed } from "../../docs/assets/js/touch/maths/translator/gpt_trace.js";
import { greedy } from "../../docs/assets/js/touch/maths/translator/greedy.js";
import * as layers from "../../docs/assets/js/touch/maths/translator/layers.js";
import { Transformer } from "../../docs/assets/js/touch/maths/translator/model.js";
import { topP } from "../../docs/assets/js/touch/maths/translator/sampling.js";
import { decoded, encoded } from "../../docs/assets/js/touch/maths/translator/trace.js";
import { unpacked } from "../../docs/assets/js/touch/maths/translator/weights.js";
import { close } from "./helpers.js";

const folder = process.env.EXPECTED;
const skip = !folder && "pytest tests/machinery/test_scripts.py compares with Python";
const json = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
const expected = folder ? json("expected") : {};

function model(name) {
  const described = json(name),
    data = readFileSync(join(folder, `${name}.bin`));
  return {
    ...described,
    tensors: unpacked(described, data.buffer.slice(data.byteOffset, data.byteOffset + data.length)),
  };
}

test("attention", { skip }, () => {
  for (const one of expected.attention) {
    close(attention.softLookup(one.row, one.values), { answer: one.answer, weights: one.softmax });
    close(attention.entropy(one.softmax), one.entropy);
    close(attention.softmaxJacobian(one.softmax), one.jacobian);
    close(attention.attentionWeights(attention.scaledScores(one.queries, one.keys), one.allowed), one.weights);
    const states = onlineSoftmax(one.row, one.values, one.block);
    close(
      states.map(({ maximum, sum, weighted }) => [maximum, sum, weighted]),
      one.online,
      1e-9,
    );
  }
});

test("positions", { skip }, () => {
  for (const { position, size, encoding, map, pair, turned } of expected.positions) {
    close(positions.positionalEncoding(position, size), encoding, 1e-9);
    close(positions.offsetMap(position, size), map, 1e-9);
    close(positions.rotate(pair, position), turned, 1e-9);
  }
});

test("layers and sampling", { skip }, () => {
  const { x, gamma, beta, norm, gelu, log, cuts } = expected.layers;
  close(layers.layerNorm({ gamma, beta, eps: 1e-5 }, x), norm, 1e-9);
  close(x.map(layers.gelu), gelu, 1e-9);
  close(layers.logSoftmax(x), log, 1e-9);
  for (const [p, kept] of Object.entries(cuts))
    assert.deepEqual(
      topP(x, Number(p)).map((logit) => logit > -Infinity),
      kept,
      p,
    );
});

test("tokens", { skip }, () => {
  const { merges, texts } = expected.tokens;
  for (const [text, cut, ids] of texts) {
    assert.deepEqual(pieces(text), cut);
    assert.deepEqual(encode(text, merges), ids);
  }
  for (const [text, tokens] of expected.dates) assert.deepEqual(read(text), tokens);
});

for (const name of ["post-ln", "pre-ln"])
  test(`a translator, ${name}`, { skip }, () => {
    const { src, tgt, logits, greedily, beam, score, weights } = expected[name],
      whole = new Transformer(model(name));
    const memory = whole.encode(src);
    close(
      whole.decode(tgt, memory).map((step) => [...step.logits]),
      logits,
      1e-4,
    );
    close(
      memory.weights.at(-1).map((heads) => heads),
      weights,
      1e-5,
    );
    assert.deepEqual(
      [...greedy(whole, src, 7)].map(({ id }) => id),
      greedily,
    );
    const found = beamSearch(whole, src, 3, 7, 0.6);
    assert.deepEqual(found.ids, beam);
    close(found.score, score, 1e-4);
    if (name === "post-ln")
      close(
        decoded(whole, tgt, encoded(whole, src)).output.logits.map((row) => [...row]),
        logits,
        1e-4,
      );
  });

test("a GPT, with whole numbers of 8 bits", { skip }, () => {
  const { ids, logits } = expected.gpt,
    small = new GPT(model("gpt"));
  let step = { state: small.start() };
  close(
    ids.map((id) => [...(step = small.next(step.state, id)).logits]),
    logits,
    1e-4,
  );
  close(
    passed(small, ids).output.logits.map((row) => [...row]),
    logits,
    1e-4,
  );
});
