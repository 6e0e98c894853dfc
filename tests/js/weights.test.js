import assert from "node:assert/strict";
import { test } from "node:test";

import { load, unpacked } from "../../docs/assets/js/touch/maths/translator/weights.js";
import { close } from "./helpers.js";

const bytes = (...words) => new Uint8Array(Uint16Array.from(words).buffer);

test("numbers of 16 bits are what IEEE 754 says", () => {
  const data = bytes(0x3c00, 0xc000, 0x3555, 0x0001, 0x8400, 0x7bff, 0x0000);
  const { x } = unpacked({ bits: 16, tensors: { x: [7] } }, data.buffer);
  close(x, [1, -2, 0.333251953125, 2 ** -24, -(2 ** -14), 65504, 0]);
});

test("rows of whole numbers have a factor each; what has no rows has 16 bits", () => {
  const data = Uint8Array.of(...bytes(0x3c00, 0x3800), 1, 255, 127, 2, 254, 129, ...bytes(0x4000));
  const { matrix, bias } = unpacked({ bits: 8, tensors: { matrix: [2, 3], bias: [1] } }, data.buffer);
  close(matrix, [1, -1, 127, 1, -1, -63.5]);
  close(bias, [2]);
  assert.throws(
    () => unpacked({ bits: 8, tensors: { matrix: [2, 3] } }, data.buffer),
    /12 bytes of weights, and not 10/,
  );
});

test("both files of a model come from one day, and how much has come is told", async (context) => {
  const described = { bits: 16, digest: "0123456789abcdef", tensors: { x: [2] }, tokens: ["<pad>"] },
    asked = [],
    told = [];
  context.mock.method(globalThis, "fetch", async (url) => {
    asked.push(String(url));
    if (String(url).includes("gone")) return new Response("", { status: 404 });
    return url.pathname.endsWith(".json") ? Response.json(described) : new Response(bytes(0x3c00, 0x4000));
  });
  const model = await load("dates", (...sums) => told.push(sums), new URL("https://book.org/weights/"));
  close(model.tensors.x, [1, 2]);
  assert.deepEqual(asked, ["https://book.org/weights/dates.json", "https://book.org/weights/dates.bin?0123456789ab"]);
  assert.deepEqual(told.at(-1), [4, 4]);
  await assert.rejects(load("gone", undefined, new URL("https://book.org/")), /404/);
});
