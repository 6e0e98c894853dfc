// Text into words, the same for the book and for what a reader asks.
//
// A word has lost what grammar adds to it: 어텐션은, 어텐션에서 and 어텐션을 are 어텐션, and embeddings is embed
// (by Porter's stemmer). Letters are compatible and small, so that dₖ and d_k are both dk.

import { stemmer } from "./stemmer/stemmer.js";

// Hangul, numbers, and runs of other letters (Latin, Greek, small and raised ones), perhaps with a particle.
const TOKEN = /√|[가-힣]+|\d+(?:[.,]\d+)+[가-힣]*|[\w^\u00c0-\u024f\u0370-\u03ff\u1d62-\u1d6a\u2070-\u209c]+[가-힣]*/g;
const SHORTENED = /['’](?<=[a-z].)(?:s|t|re|ve|ll|d|m)\b/g; // what's, don't
const IDENTIFIER = /[_^]|[a-z][A-Z]|[A-Z]{3}[a-z]/;
const PARTS = /[_^]+|(?<=[a-z])(?=[A-Z][a-z]*)|(?<=[A-Z]{2})(?=[A-Z][a-z])/;
const HANGUL = /^[가-힣]/;
const NONE = [];

// Nouns of one syllable that a particle may follow. Others keep what looks like one: 차이, 정도, 결과.
const SHORT = new Set(
  "층 키 값 빔 행 열 축 합 곱 식 표 점 칸 글 수 순 답 뜻 것 왜 뭐 걸 게 많 좋 같 작 없 있 짧".split(" "),
);

// Longer nouns that end like a verb.
const WHOLE = new Set("기울기 나머지 이미지 메시지 메세지 패키지 디자인 불필요".split(" "));

// Particles, the copula, and endings of verbs; each is taken off as often as it comes.
const ENDINGS = [
  "은|는|이|가|을|를|의|와|과|에|도|만|로|으로|랑|이랑|나|이나|란|이란|들|서|에서|에게|부터|까지|처럼|보다|마다|밖에|라|이라|요|야",
  "인가|인지|인데|이고|이며|이다|입니다|입니까|이에요|예요|이야|이라는|라는|이라고|라고|이라서|라서|일까|이면|인",
  "는가|는지|는데|는다|나요|습니다|습니까|니까|네요|어요|아요|으면|면|면서|거나|지만|도록|려면|으려면|려고|고|기|지|던|해서|하여",
  "게|어야|아야|어서|아서|을까|을까요|은가|던가|었다|았다|었을|았을|세요|자|만큼|끼리|대로|조차|마저|뿐|씩|으로써|로써|으로서|로서|이라도|라도|든지|이든|보다는|에서부터|짜리|일수록|을수록|수록|다가|더니|네|군요|거든요|잖아요|죠|지요",
]
  .join("|")
  .split("|")
  .sort((a, b) => b.length - a.length);
const PARTICLE = new Set(ENDINGS);
const BY_LAST = new Map(); // last syllable → endings
for (const ending of ENDINGS) BY_LAST.set(ending.at(-1), [...(BY_LAST.get(ending.at(-1)) ?? []), ending]);

// What 하다 and 되다 add to a noun: 공유하는, 초기화해야, 정규화됩니다. It begins with one of these syllables.
const PERHAPS = /[하한할함합해했되된될됨됩돼됐시]/;
const VERB =
  /^(.{2,}?)(?:하|한|할|함|합|해|했|되|된|될|됨|됩|돼|됐|시키|시킨|시켜)(?:는|다|니다|니까|까|까요|가|가요|나|나요|는가|는가요|는지|는데|고|기|면|려면|려고|도록|여|야|서|요|지|며|던|나|을|를|은|이)*$/;

const known = new Map();

/** A word of Hangul without one ending, or the word itself. */
function shorter(word) {
  const { length } = word;
  if (length < 2 || WHOLE.has(word)) return word;
  const verb = length > 2 && PERHAPS.test(word) && VERB.exec(word);
  if (verb) return verb[1];
  for (const each of BY_LAST.get(word[length - 1]) ?? []) {
    const left = length - each.length;
    if ((left > 1 || (left === 1 && SHORT.has(word[0]))) && word.endsWith(each)) return word.slice(0, left);
  }
  return word;
}

/** A word of Hangul, and what is left of it each time that an ending is taken off. */
export function bare(word) {
  const all = [word];
  for (let less; (less = shorter(word)) !== word; word = less) all.push(less);
  return all;
}

/** A word of Hangul without any ending. */
function root(word) {
  for (let less; (less = shorter(word)) !== word; word = less);
  return word;
}

// British spellings as American ones, which the stemmer knows.
const english = (word) =>
  stemmer(word.replace(/is(ations?|e[drs]?|ing)$/, (all, end) => (word.length > all.length + 3 ? `iz${end}` : all)));

/** One word without its grammar. */
export function stem(word) {
  if (HANGUL.test(word)) return root(word);
  let found = known.get(word);
  if (found === undefined) known.set(word, (found = /^[a-z]{4,}$/.test(word) ? english(word) : word));
  return found;
}

const small = (text) => (/^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFKC")).toLowerCase();

function token(surface) {
  if (HANGUL.test(surface)) return { surface, word: surface, stem: root(surface), parts: NONE };
  const word = small(surface).replace(/[_^]/g, "");
  let parts = [];
  if (IDENTIFIER.test(surface)) {
    parts = surface.split(PARTS).filter((part) => part.length > 1 && part.length < surface.length);
    parts = parts.map((part) => ({ surface: part, stem: stem(small(part)) }));
  }
  return { surface, word, stem: stem(word), parts };
}

/** The pieces of a text that hold words. */
export const pieces = (text) => text.normalize("NFC").replace(SHORTENED, "").match(TOKEN) ?? [];

/** The tokens of a piece, `{surface, word, stem, parts}`: two if Hangul follows other letters and is no particle. */
export function analyse(piece) {
  if (HANGUL.test(piece)) return [token(piece)];
  const tail = /[가-힣]*$/.exec(piece)[0];
  const head = tail ? piece.slice(0, -tail.length) : piece;
  return tail && !PARTICLE.has(tail) ? [token(head), token(tail)] : [token(head)];
}

/** The tokens of a text. */
export const tokens = (text) => pieces(text).flatMap(analyse);

/** A name as it is compared, without blanks and hyphens: its last word, or each, without its grammar as well. */
export function compact(all) {
  const last = all.length - 1;
  return [
    all.map(({ word }) => word).join(""),
    all.map(({ word, stem }, place) => (place === last ? stem : word)).join(""),
    all.map(({ stem }) => stem).join(""),
  ];
}

// The consonants of syllables, as those of English words that are written like them: ㄱ, ㄲ and ㅋ are k …
const FIRST = "kkntt" + "lmpps" + "s sss" + "ktph"; // ㄱㄲㄴㄷㄸ ㄹㅁㅂㅃㅅ ㅆㅇㅈㅉㅊ ㅋㅌㅍㅎ
const LAST = " kkk" + "nnnt" + "llllllll" + "mppttn" + "ttktph"; // none, ㄱㄲㄳ ㄴㄵㄶㄷ ㄹ… ㅁㅂㅄㅅㅆㅇ ㅈㅊㅋㅌㅍㅎ
const SPELLED = [
  [/ph|[bfv]/g, "p"],
  [/[ts]ion|[sc]h?ion/g, "sn"],
  [/t?ch|dg|sh|[jz]|c(?=[eiy])/g, "s"],
  [/th/g, "t"],
  [/x/g, "ks"],
  [/ng/g, "n"],
  [/[cgq]/g, "k"],
  [/d/g, "t"],
  [/r(?![aeiouy])/g, ""],
  [/r/g, "l"],
  [/[aeiouwy]/g, " "],
];

/** How a word sounds: its consonants, the same for 소프트맥스 and softmax. */
export function sound(word) {
  let consonants = "";
  if (HANGUL.test(word))
    for (const syllable of word) {
      const place = syllable.codePointAt(0) - 0xac00;
      if (place >= 0 && place < 11172) consonants += FIRST[Math.floor(place / 588)] + " " + LAST[place % 28];
    }
  else consonants = SPELLED.reduce((text, [from, to]) => text.replace(from, to), word.toLowerCase());
  return consonants
    .replace(/(.)\1+/g, "$1")
    .replace(/[^a-z]/g, "")
    .replace(/(.)\1+/g, "$1");
}

// The keys of a Korean keyboard, in the order of Unicode: first consonants, vowels, last consonants.
const KEYS = [
  [..."rRseEfaqQtTdwWczxvg"],
  "k o i O j p u P h hk ho hl y n nj np nl b m ml l".split(" "),
  " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g".split(" "),
];
const [FIRSTS, VOWELS, LASTS] = KEYS.map((keys) =>
  [...keys]
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .join("|"),
);
const SYLLABLE = new RegExp(`(${FIRSTS})(${VOWELS})((?:${LASTS})(?!${VOWELS}))?`, "g");

/** djxpstus: what these Latin letters are on a Korean keyboard. */
export const retyped = (text) =>
  text.replace(SYLLABLE, (all, ...typed) => {
    const [first, vowel, last] = KEYS.map((keys, place) => keys.indexOf(typed[place] ?? ""));
    return String.fromCodePoint(0xac00 + (first * 21 + vowel) * 28 + last);
  });
