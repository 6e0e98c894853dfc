import assert from "node:assert/strict";
import { test } from "node:test";

import * as stations from "../../docs/assets/js/touch/maths/translator/stations.js";

test("the way leads through every block, in the order in which they run", () => {
  assert.deepEqual(stations.translatorBlocks(1), [
    "e.input",
    "e0.self",
    "e0.ffn",
    "d.input",
    "d0.self",
    "d0.cross",
    "d0.ffn",
    "output",
  ]);
  assert.deepEqual(stations.decoderBlocks(2), ["d.input", "d0.self", "d0.ffn", "d1.self", "d1.ffn", "output"]);
  const steps = (normFirst) => stations.stations(["d0.ffn"], normFirst).map(({ at }) => at);
  assert.deepEqual(steps(false), ["d0.ffn.hidden", "d0.ffn.shrink", "d0.ffn.add"]);
  assert.deepEqual(steps(true), ["d0.ffn.norm", "d0.ffn.hidden", "d0.ffn.shrink", "d0.ffn.add"]);
});

test("every station has its page", () => {
  const pages = { ...stations.PAGES, ...stations.GPT_PAGES };
  for (const one of [
    ...stations.stations(stations.translatorBlocks(2)),
    ...stations.stations(stations.decoderBlocks(2), true),
  ]) {
    assert.match(pages[stations.aspectOf(one)], /^[a-z-]+\/[a-z-]+\/#[a-z-]+$/, one.at);
  }
  const aspect = (block, step) => stations.aspectOf({ block, step });
  assert.deepEqual(
    [aspect("d0.self", "scores"), aspect("e0.self", "scores"), aspect("d0.cross", "scores")],
    ["masked", "scores", "scoresCross"],
  );
  assert.deepEqual([aspect("output", "norm"), aspect("d0.self", "norm")], ["final", "norm"]);
});

test("a state is written as an address, and read again", () => {
  const first = { at: "e.input.input", date: "May 1", step: 6, off: "", scores: "" };
  assert.equal(stations.written(first, first), "at=e.input.input");
  const state = { ...first, at: "d1.cross.mix", date: "5월 2, 2024", step: 11, scores: "d1.cross.2.4.7:-3.5" };
  const address = stations.written(state, first);
  assert.equal(address, "at=d1.cross.mix&date=5%EC%9B%94+2,+2024&step=11&scores=d1.cross.2.4.7:-3.5");
  assert.deepEqual(stations.readFrom(`#${address}`, first), state);
  assert.deepEqual(
    stations.readFrom("#at=x&step=many", first),
    { ...first, at: "x" },
    "what is no number is as at first",
  );
  assert.equal(stations.readFrom("#questions", first), null);
});

test("what a reader has changed, as text and back", () => {
  const heads = stations.headsIn("d1.cross.2,e0.self");
  assert.deepEqual([...heads], ["d1.cross.2", "e0.self.0", "e0.self.1", "e0.self.2", "e0.self.3"]);
  assert.deepEqual(stations.headsIn(stations.headsAsText(heads)), heads);
  assert.equal(stations.headsIn("d1.ffn.1,x").size, 0);
  const scores = stations.scoresIn("d1.cross.2.4.7:-3.5,e0.self.0.1.2:4,d1.cross.2.4:9,e0.self.0.0.0:x");
  assert.deepEqual(
    [...scores],
    [
      ["d1.cross.2.4.7", -3.5],
      ["e0.self.0.1.2", 4],
    ],
  );
  assert.equal(stations.scoresAsText(scores), "d1.cross.2.4.7:-3.5,e0.self.0.1.2:4");
});
