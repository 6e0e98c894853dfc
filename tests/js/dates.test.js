import assert from "node:assert/strict";
import { test } from "node:test";

import {
  completed,
  isInNumbers,
  isUsual,
  meant,
  read,
  shown,
} from "../../docs/assets/js/touch/maths/translator/dates.js";

const TUESDAY = ["Tuesday", ",", "March", "5", ",", "2", "0", "2", "4"];
const fails = (reason, what) => (error) => error.name === "Error" && error.reason === reason && error.what === what;

test("a date in numbers gets the day of the week that it was", () => {
  for (const text of [
    "2024-03-05",
    "2024/3/5",
    "2024. 3. 5.",
    "2024년 3월 5일",
    "2024년3월5일 화요일",
    "2024-3-5 (화)",
    "２０２４-3-5",
  ]) {
    assert.deepEqual(read(text), TUESDAY, text);
    assert.deepEqual(completed(text), TUESDAY, text);
    assert.ok(isInNumbers(text), text);
  }
  assert.equal(read("1999-12-31")[0], "Friday");
  assert.equal(read("2000-02-29")[0], "Tuesday");
  assert.equal(read("2024년 3월 5일 일요일")[0], "Sunday", "as given");
});

test("days that there are not", () => {
  for (const text of ["2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-10", "2024-01-00"]) {
    assert.throws(() => read(text), fails("noSuchDay", text));
  }
  assert.deepEqual(read("2024-02-29").slice(2, 5), ["February", "2", "9"]);
});

test("words are those of the model, whole or shortened, and numbers come digit by digit", () => {
  assert.deepEqual(read("Tuesday, March 5, 2024"), TUESDAY);
  assert.deepEqual(read("tue, MAR. 5th, 2024."), TUESDAY);
  assert.deepEqual(read("May 12"), ["May", "1", "2"]);
  assert.throws(() => read("  "), fails("empty", ""));
  assert.throws(() => read("March fünf"), fails("unknown", "fünf"));
  assert.equal(read("1".repeat(24)).length, 24);
  assert.throws(() => read("1".repeat(25)), fails("tooLong", "25"));
});

test("a date without its day of the week is completed, and one with it stays", () => {
  assert.deepEqual(completed("March 5, 2024"), TUESDAY);
  assert.deepEqual(completed("5 March 2024"), TUESDAY);
  assert.equal(completed("Tuesday, March 5, 2024"), null);
  assert.equal(completed("March"), null);
});

test("what may be meant has the form that the model knows", () => {
  assert.deepEqual(meant("3/5/2024"), ["Tuesday, March 5, 2024", "Friday, May 3, 2024"]);
  assert.deepEqual(meant("5.3.2024"), ["Tuesday, March 5, 2024"], "with full stops, the day is first");
  assert.deepEqual(meant("25/12/2024"), ["Wednesday, December 25, 2024"], "there is no month 25");
  assert.deepEqual(meant("the 5th of March 2024".replace("the ", "")), ["Tuesday, March 5, 2024"]);
  assert.deepEqual(meant("Monday, March 5, 2024"), ["Tuesday, March 5, 2024"]);
  assert.deepEqual(meant("Tuesday, March 5, 2024"), [], "what is typed already");
  assert.deepEqual(meant("hello"), []);
});

test("tokens as people write them, and which of them are usual", () => {
  assert.equal(shown(TUESDAY), "Tuesday, March 5, 2024");
  assert.equal(shown("2 0 2 4 년 1 2 월 5 일 화요일".split(" ")), "2024년 12월 5일 화요일");
  assert.ok(isUsual(TUESDAY));
  assert.ok(!isUsual(TUESDAY.slice(2)));
  assert.ok(!isUsual([...TUESDAY, "4"]));
});
