import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bytesOf,
  characters,
  encode,
  joins,
  pieces,
  published,
  readable,
} from "../../docs/assets/js/touch/maths/tokens.js";

test("words are cut with the space before them", () => {
  assert.deepEqual(pieces("We the  people "), ["We", " the", "  ", "people", " "]);
  assert.deepEqual(pieces(""), []);
  assert.equal(pieces("a  b c ").join(""), "a  b c ");
});

test("what was learned first is joined first, from left to right", () => {
  const merges = [
    ["a", "a"],
    ["aa", "b"],
    ["b", "c"],
  ];
  const steps = joins(["aaab", "bc"], merges);
  assert.deepEqual(
    steps.map(({ words }) => words),
    [
      [
        ["a", "a", "a", "b"],
        ["b", "c"],
      ],
      [
        ["aa", "a", "b"],
        ["b", "c"],
      ],
      [["aa", "a", "b"], ["bc"]],
    ],
  );
  assert.deepEqual(
    steps.map(({ made, next }) => [made, next]),
    [
      [null, 0],
      [0, 2],
      [2, null],
    ],
  );
  assert.deepEqual(steps[0].ranks, [[0, 0, null], [2]]);
});

// ids of bytes: ! is 0, and a is 64, as in GPT-2
const id = (letter) => letter.charCodeAt(0) - 33;
const MERGES = [
  [id("a"), id("b"), 256],
  [256, id("c"), 257],
];

test("a text becomes ids, and these its bytes again", () => {
  assert.deepEqual(encode("abc ab", MERGES), [257, ...encode(" ", []), 256]);
  assert.deepEqual(encode("bab", MERGES), [id("b"), 256]);
  const tokens = bytesOf(MERGES);
  assert.equal(new Set(tokens.slice(0, 256).flat()).size, 256);
  for (const text of ["abcab", "한글 🙂", "§ \u00ad\u0000"]) {
    assert.equal(characters(encode(text, MERGES).flatMap((one) => tokens[one])), text);
  }
});

test("bytes that are no whole character are written as bytes", () => {
  assert.equal(readable([97, 32]), "a␣");
  assert.equal(readable([0xed, 0x95]), "ED 95");
  assert.equal(readable([10, 0xff]), "0A FF");
  assert.equal(characters([0xed, 0x95]), undefined);
});

test("a published tokenizer takes its merges from 16-bit numbers, and as many of them as it is told", () => {
  const bytes = [97, 98, 99, 49]; // a b c 1, with one token before them
  const pairs = [
    [1, 2],
    [5, 3],
    [4, 4],
  ]; // ab, abc, 11
  const merges = btoa(String.fromCharCode(...new Uint8Array(Uint16Array.from(pairs.flat()).buffer)));
  const { tokens, encode: cut, merges: count } = published({ merges, bytes, control: 1 });
  assert.equal(count, 3);
  assert.deepEqual(tokens.slice(5), [
    [97, 98],
    [97, 98, 99],
    [49, 49],
  ]);
  assert.deepEqual(cut("abc"), [6]);
  assert.deepEqual(cut("abc", 1), [5, 3]);
  assert.deepEqual(cut("abc", 0), [1, 2, 3]);
  assert.deepEqual(cut("11"), [4, 4], "each digit is a piece of its own");
  assert.deepEqual(cut("az"), [1], "what has no byte is left out");
});
