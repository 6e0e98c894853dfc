import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { pattern, tells } from "../../docs/assets/js/search/marks.js";
import { distance, Search } from "../../docs/assets/js/search/search.js";
import { answer } from "../../docs/assets/js/search/shown.js";
import { analyse, bare, compact, pieces, retyped, sound, stem, tokens } from "../../docs/assets/js/search/words.js";

// ---- words

test("grammar is taken off, and nothing else", () => {
  for (const word of ["어텐션", "어텐션은", "어텐션에서", "어텐션을", "어텐션에서는"])
    assert.equal(stem(word), "어텐션", word);
  assert.equal(stem("초기화해야"), "초기화");
  assert.equal(stem("층을"), "층");
  for (const word of ["차이", "정도", "기울기", "키"]) assert.equal(stem(word), word);
  assert.deepEqual(bare("어텐션에서는"), ["어텐션에서는", "어텐션에서", "어텐션"]);
  assert.equal(stem("embeddings"), stem("embedding"));
  assert.equal(stem("normalisation"), stem("normalization"));
  assert.equal(stem("d_k"), "d_k");
});

test("letters are compatible and small, and names in code have parts", () => {
  const words = (text) => tokens(text).map(({ word }) => word);
  assert.deepEqual(words("dₖ d_k DK"), ["dk", "dk", "dk"]);
  assert.deepEqual(words("what's attention"), ["what", "attention"]);
  assert.deepEqual(words("3.14 √x"), ["3.14", "√", "x"]);
  assert.deepEqual(
    analyse("scaled_dotProduct")[0].parts.map(({ surface }) => surface),
    ["scaled", "dot", "Product"],
  );
  assert.deepEqual(pieces("softmax를 (QK)"), ["softmax를", "QK"]);
  assert.deepEqual(
    analyse("softmax를").map(({ surface }) => surface),
    ["softmax"],
    "a particle",
  );
  assert.deepEqual(
    analyse("GPT모델").map(({ surface }) => surface),
    ["GPT", "모델"],
    "another word",
  );
  assert.deepEqual(compact(tokens("soft-max layers")), ["softmaxlayers", "softmaxlayer", "softmaxlayer"]);
});

test("words that sound alike have the same consonants", () => {
  for (const [korean, english] of [
    ["소프트맥스", "softmax"],
    ["토큰", "token"],
    ["빔", "beam"],
  ])
    assert.equal(sound(korean), sound(english), korean);
  assert.notEqual(sound("토큰"), sound("빔"));
});

test("what was typed with the other keyboard", () => {
  assert.equal(retyped("djxpstus"), "어텐션");
  assert.equal(retyped("rkqt"), "값");
});

test("a slip is a letter more, less, another one, or two that are swapped", () => {
  assert.equal(distance("cache", "cache", 2), 0);
  for (const wrong of ["cahce", "cach", "cachee", "cashe"]) assert.equal(distance(wrong, "cache", 2), 1, wrong);
  assert.equal(distance("kitten", "sitting", 3), 3);
  assert.equal(distance("kitten", "sitting", 2), Infinity);
  assert.equal(distance("a", "abcd", 2), Infinity);
});

// ---- a book

const page = (url, title, about, ...sections) => ({
  url,
  title,
  about,
  sections: [
    ["", title, sections[0], ""],
    ...sections.slice(1).map(([anchor, heading, text, code = ""]) => [anchor, heading, text, code]),
  ],
});
const filler = [
  "The weather of that year was mild.",
  "Nobody knows who wrote the letter.",
  "A river runs through the town.",
  "Bread is made from flour.",
];
const BOOK = {
  pages: [
    page("softmax/", "Softmax", "From scores to weights.", "Scores become weights that sum to one.", [
      "temperature",
      "Temperature",
      "A temperature makes weights sharper. Weights of a hot softmax are flat.",
      "weights = softmax(scores / temperature)",
    ]),
    page("attention/", "Attention", "A query looks at keys.", "Attention is a weighted mean of values.", [
      "masks",
      "Masks",
      "A mask hides the future, and softmax gives zero there.",
      "scores.masked_fill(mask, -inf)",
    ]),
    page("beam/", "Beam search", "Several sentences at once.", "A beam keeps the best hypotheses.", [
      "length",
      "Length penalty",
      "Long sentences are not punished.",
    ]),
    page(
      "embedding/",
      "임베딩",
      "토큰을 벡터로 바꿉니다.",
      "임베딩은 토큰마다 벡터 하나를 줍니다. 임베딩을 학습합니다.",
    ),
    ...filler.map((text, i) => page(`other-${i}/`, `Chapter ${i}`, "", text)),
  ],
  terms: [
    ["embedding", "임베딩"],
    ["beam search", "빔 탐색"],
    ["attention mask", "어텐션 마스크", "masking"],
  ],
  keys: [
    ["beam/", "length", ["why short sentences win"]],
    ["attention/", "masks", ["attention mask"]],
  ],
};
const book = new Search(structuredClone(BOOK));
const found = (question) => book.find(question).map(({ page }) => page.url);

test("a title answers before a heading, and that before the text", () => {
  const said = page("text/", "One", "", "Norms are here."),
    headed = page("heading/", "Two", "", "Nothing.", ["a", "Norms", "Nothing."]);
  const pages = [said, headed, page("title/", "Norms", "", "Nothing.")];
  const first = (count) =>
    new Search({ pages: structuredClone(pages.slice(0, count)), terms: [], keys: [] }).find("norms")[0].page.url;
  assert.deepEqual([1, 2, 3].map(first), ["text/", "heading/", "title/"]);
  assert.equal(found("softmax")[0], "softmax/");
  assert.equal(found("temperature")[0], "softmax/");
  assert.equal(book.find("temperature")[0].sections[0].section.anchor, "temperature");
  assert.deepEqual(found("weather"), ["other-0/"]);
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("xyzzy"), []);
});

test("a page that has all words comes before one that has more of one", () => {
  assert.equal(found("softmax mask")[0], "attention/");
  const [best] = book.find("softmax zebra");
  assert.equal(best.page.url, "softmax/");
  assert.deepEqual(best.missing, ["zebra"]);
});

test("words that every question has change nothing", () => {
  assert.deepEqual(found("what is the softmax")[0], found("softmax")[0]);
  assert.deepEqual(book.find("what is the softmax")[0].missing, []);
});

test("a term is found by each of its names, and with a slip", () => {
  for (const name of ["embedding", "embeddings", "임베딩", "임베딩이란", "embeding"])
    assert.equal(found(name)[0], "embedding/", name);
  for (const name of ["beam search", "beamsearch", "빔 탐색", "빔탐색", "beam serach"])
    assert.equal(found(name)[0], "beam/", name);
  assert.equal(found("temprature")[0], "softmax/");
});

test("a key leads to its section, from all names of a term that it is", () => {
  const [first] = book.find("why short sentences win");
  assert.deepEqual([first.page.url, first.sections[0].section.anchor], ["beam/", "length"]);
  for (const name of ["attention mask", "어텐션 마스크"])
    assert.equal(book.find(name)[0].sections[0].section.anchor, "masks", name);
});

test("Latin letters of a Korean keyboard are read as Hangul where nothing else is found", () => {
  assert.equal(retyped("dlaqpeld"), "임베딩");
  assert.equal(found("dlaqpeld")[0], "embedding/");
});

test("a word is completed by the most usual title that begins like it", () => {
  assert.deepEqual(book.complete("soft"), ["softmax"]);
  assert.deepEqual(book.complete("zz"), []);
});

test("a page that says less about its own weight comes later", () => {
  const pages = ["a/", "b/"].map((url) => page(url, "Norms", "", "Norms of vectors."));
  const first = (weights) =>
    new Search({
      pages: pages.map((one, i) => ({ ...structuredClone(one), weight: weights[i] })),
      terms: [],
      keys: [],
    }).find("norms")[0].page.url;
  assert.deepEqual([first([1, 0.5]), first([0.5, 1])], ["a/", "b/"]);
});

test("numbers that decide what comes first have names, all of them in one place", () => {
  const text = readFileSync(new URL("../../docs/assets/js/search/search.js", import.meta.url), "utf8");
  const code = text.slice(text.indexOf("const HANGUL")).replace(/\/\/.*|\/\*[^]*?\*\//g, "");
  assert.ok(code.length > 10_000);
  assert.deepEqual(code.match(/\b\d+\.\d+|\b(?:[3-9]|\d{2,})\b/g), null);
});

// ---- what is shown

test("what is found is marked, and the link says what to mark", () => {
  const { pages, completion } = answer(book, "temperature");
  assert.equal(pages[0].best.address, "softmax/?h=temperature#temperature");
  assert.equal(pages[0].best.title, "<mark>Temperature</mark>");
  assert.match(pages[0].best.text, /A <mark>temperature<\/mark> makes/);
  assert.equal(completion, "");
  assert.equal(answer(book, "temp").completion, "erature");
});

test("text is no HTML", () => {
  const odd = new Search({ pages: [page("a/", "Less <b>", "", "if a < b & c > d then less")], terms: [], keys: [] });
  assert.match(answer(odd, "less").pages[0].page.title, /^<mark>Less<\/mark> &lt;b&gt;$/);
});

test("a word is marked whole, and in Hangul with what follows", () => {
  const marked = (text, ...forms) => text.replace(pattern(forms), "[$&]");
  assert.equal(marked("A key, keys, monkey", "key"), "A [key], keys, monkey");
  assert.equal(marked("키를 쿼리와", "키"), "[키]를 쿼리와");
  assert.equal(marked("c++ (c)", "c++"), "[c++] (c)");
  assert.equal(marked("a", ...[]), "a");
  assert.deepEqual(["a", "ab", "abc", "키", "마스크"].map(tells), [false, false, true, false, true]);
});
