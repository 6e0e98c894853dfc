// The search of the book: sections of pages, found by words that sound alike, are written alike or mean the same.
//
// Nothing is prepared but the text. The words of the book are counted when it arrives, which takes a few
// hundredths of a second, and a question is compared with each different word of the book.

import { analyse, bare, compact, pieces, retyped, sound, stem, tokens } from "./words.js";

// Words that most questions have. They count little.
const COMMON = new Set(
  [
    "왜 뭐 무엇 뭔 뭔가 무슨 어떻게 어떤 어느 언제 어디 얼마 몇 이유 차이 차이점 뜻 의미 방법 필요 하 되 있 없 않 안 개수 갯수 몇개 못 쓰 사용 것 거 게 걸 수 때 그냥 보 나오 나와 주 대해 대한 위한 위해 이게 이거 그 이 저 좀 잘 더 꼭 설명 알려줘 알려 정의 개념 예 예시 원리 구현 코드 직접 문제 오류 에러 경우 같 같은 다르 다른 다를 볼 본 봐 보면 보여 보이 만들 만드 만든 넣 넣어 들어가 들어 쓰이 쓴 쓸 써 해야 하면 한 할 돼 될 된 되면 모르 모르겠 알 아는 궁금 궁금해 건가 건지 건 혹시 그럼 그러면 제일 가장 많이 많 크 작 좋 나은 나 바꾸 바꾼 여러 모두 각각 이란 하나 둘 짜 짜기 작성 만들기 쓰기 하기 빼 빼면 빼고 뺀 제거 없이 시키 시켜 시킬 어떨 언제 쓰임 역할 이해 쉽 쉽게 간단 간단히 자세히 정리 요약 비교 관계 종류 특징 장점 단점 효과",
    "a an the of in on at to for from with by and or not no is are be do does did i my me we it its this that what why how when where which who should can could would will have has need needs use used using get mean means meaning between vs versus difference explain explanation example work works there than as if about into one all any so much many if don doesn isn we us our you your they them he let happen without remove simple simply detail detailed type types kind role purpose reason advantage effect compare comparison understand understanding learn about number count implementation implement code",
  ]
    .join(" ")
    .split(" ")
    .map((word) => stem(word)),
);

// Words that most pages of this book have. They say a little more.
const USUAL = new Set(
  "트랜스포머 모델 논문 파이토치 transformer model paper pytorch torch deep learn 딥러닝"
    .split(" ")
    .map((word) => stem(word)),
);

// ---- all numbers that decide what is found, and what comes first. They were tuned on tests/machinery/queries.yml.

/** How often a word counts, by where it stands: whole numbers, which take half the room and time of others. */
const TEXT = 10,
  HEADING = 40,
  ABOUT = 20,
  CODE = 4,
  KEY = 20; // of the text, a heading, the description, code, a key

/** How much one word of a question, or one name, says of what is asked for; the others 1, or √n for a name of n words. */
const SAYS = { common: 0.12, commonName: 0.3, usual: 0.35 };

/** How well something stands for what was asked for, from 0 to 1, the word itself. */
const STANDS = {
  name: 0.95, // what a term is called in each language
  otherName: 0.5, // another name of it
  shortened: 0.6, // tokenizer: without its ending a name of other things, token
  wordOfName: 0.25, // each word of a name by itself
  begunName: 0.7, // scaled dot product: the beginning of a name
  inName: 0.7, // 포지셔널: a word that is hardly in the book, but in a name
  apart: 0.9, // 하이퍼 파라미터: words apart that the book writes as one
  sound: 0.7, // 시누소이드: a word that sounds like this one
  part: 0.3, // a part of a name in code
  begun: 0.7, // a longer word that begins like this; so much less, the longer it is
  within: 0.5, // a longer word in Hangul that has it inside
  slip: 0.6,
  slips: 0.35, // a word that is one letter away, or two
  nameSlip: 0.7,
  nameSlips: 0.5, // the same of a name
};
const ORDINARY = 8; // a name that is no term's first counts half if its words stand together in so many sections
const WEAK = 0.5; // where nothing stands for a word so well, it may have a slip
const STRONG = 0.5; // what stands for a word at least so well tells how rare it is
const SHOWN = 0.4; // what stands for a word at least so well is marked
const WAYS = 12; // so many words, the best ones, stand for one
const RARE = 3; // in so many sections a word is said only by the way
const BEGUN = 0.55; // of the letters of a name, so that it is taken for meant
const WIDEST = 5,
  WIDEST_SLIP = 4; // words of a name at most, and of one that has a slip
const SLIPS = [5, 9]; // letters of a word from which on one of them may be wrong, or two
const SHORT = 3; // what is put together, or heard, and has no more letters may be anything
/** Letters of a piece of a word, at least, and of the word, at most; what a shorter piece costs, each other one 1. */
const PIECES = { hangul: 2, other: 3, most: 24, short: 0.5 };

/** What a section and a page have of a word that stands there n times: `most` · n / (n + `half` · length), where `length`
 *  is the share that the length in means has in that. */
const OF_SECTION = { most: 2.2, half: 1.2, length: 0.6 },
  OF_PAGE = { most: 1.6, half: 4, length: 0.5 };
/** What a key gives to the section that it leads to, and to the page and its title, if it leads to the page, or into it. */
const KEYED = { section: 1.5, page: 1.2, pageOf: 0.8, title: 1, titleOf: 0.5 };
const PARTLY = 0.4; // of the best piece of a word, where another one is missing
const HEADED = 1.2,
  TITLED = 2; // what a word in the heading, or title, adds to that
const IN_PAGE = 1.5; // times what a page has of a word, up to 1, is how far it has what was asked for
const SMOOTH = 0.5; // sections more: nothing is in none of them, or in all
/** What is left of the score of a section, or page, that has none of what was asked for; and how fast it is lost. */
const LACKING = { section: 0.4, page: 0.3, power: 2 };
const MISSING = 0.5; // what says more than this is named if a page lacks it
const FAR = 0.1; // of the best page's score: pages below are left out

const HANGUL = /^[가-힣]/;
const KINDS = ["sections", "heads", "pages", "titles"];
const NONE = new Set(); // most words stand in no heading
const jamo = (word) => (HANGUL.test(word) ? word.normalize("NFD") : word);

/** Is `a` at most `most` letters away from `b`? Then how many, else Infinity. Neighbours may be swapped. */
export function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return Infinity;
    [before, row] = [row, next];
  }
  return row[b.length] <= most ? row[b.length] : Infinity;
}

/** What a section or page has of a word that stands there so often. length: in means. */
const has = ({ most, half, length: share }, count, length) =>
  (most * count) / (count + half * (1 - share + share * length));

/** What is left of a score where a share of what was asked for is there. */
const left = (least, share) => least + (1 - least) * share;

/** How many letters of a word may be wrong. */
const slips = (letters) => SLIPS.filter((least) => letters.length >= least).length;

/** A word of the book: where it stands, and how often. */
class Entry {
  constructor(word) {
    this.word = word;
    this.counts = []; // a section, how often there, the next section …
    this.forms = []; // as it is written; none in Hangul
    this.heads = this.titles = NONE;
    this.known = null; // what is computed of it once a question needs it: letters, and how often in each section
  }

  /** Its letters: those of Hangul one by one. */
  get letters() {
    return ((this.known ??= {}).letters ??= jamo(this.word));
  }

  /** In how many sections. */
  get size() {
    return this.counts.length / 2;
  }

  /** How often in each section. */
  get at() {
    const known = (this.known ??= {});
    if (!known.at) {
      known.at = new Map();
      for (let i = 0; i < this.counts.length; i += 2) known.at.set(this.counts[i], this.counts[i + 1] / TEXT);
    }
    return known.at;
  }
}

function mark(entry, kind, id) {
  if (entry[kind] === NONE) entry[kind] = new Set();
  entry[kind].add(id);
}

export class Search {
  #seen = new Map(); // piece of text → what is known of its words

  /** `pages`: `{url, title, about, weight, sections: [[anchor, title, text, code], …]}`; `terms`: lists of names;
   *  `keys`: `[page, anchor, [name, …]]`, what else leads to a page or section. */
  constructor({ pages, terms, keys }) {
    this.pages = pages;
    this.sections = [];
    this.words = new Map();
    const more = new Map(keys.map(([url, anchor, names]) => [`${url}#${anchor}`, names.join(" ")]));
    pages.forEach((page, number) => {
      page.first = this.sections.length;
      for (const entry of this.#entries(page.title)) mark(entry, "titles", number);
      for (const [place, [anchor, title, text, code]] of page.sections.entries()) {
        const id = this.sections.push({ page: number, anchor, title, text, code, length: 0 }) - 1;
        for (const entry of this.#entries(title)) mark(entry, "heads", id);
        this.#count(id, title, HEADING);
        this.#count(id, text, TEXT);
        this.#count(id, code, CODE);
        if (place === 0) this.#count(id, page.about, ABOUT);
        const key = more.get(`${page.url}#${anchor}`);
        if (key) this.#count(id, key, KEY);
      }
      page.length = this.sections.slice(page.first).reduce((sum, { length }) => sum + length, 0);
    });
    this.meanLength = this.sections.reduce((sum, section) => sum + section.length, 0) / this.sections.length || 1;
    this.meanPage = pages.reduce((sum, page) => sum + page.length, 0) / pages.length || 1;
    this.names = new Map(); // compact name → [{phrases} of a term or {page, section} of a key, …]
    const short = new Map(); // the names of terms, which many keys lead to
    const shortened = (text) => short.get(text) ?? short.set(text, new Set(compact(tokens(text)))).get(text);
    const name = (text, means) => {
      for (const key of shortened(text)) {
        const all = this.names.get(key);
        if (!all) this.names.set(key, [means]);
        else if (!all.includes(means)) all.push(means);
      }
    };
    for (const names of terms) {
      const term = {
        names,
        keys: names.slice(0, 2).flatMap((each) => [...shortened(each)]),
        phrases: names.map((each) => tokens(each).map((token) => token.stem)),
      };
      names.forEach((each) => name(each, term));
    }
    for (const [url, anchor, names] of keys) {
      const page = pages.findIndex((each) => each.url === url);
      const place = pages[page].sections.findIndex((section) => section[0] === anchor);
      const target = { phrases: [], page, section: pages[page].first + Math.max(0, place), whole: !anchor };
      for (const each of names) {
        // A key that is a name of a term leads there from all names of that term.
        const same = [...shortened(each)].flatMap((key) => this.names.get(key) ?? []).filter((means) => means.names);
        [each, ...same.flatMap((term) => term.names)].forEach((other) => name(other, target));
      }
    }
    this.parts = new Map(); // word of a name of a term → that name
    for (const names of terms)
      for (const each of names) {
        const all = tokens(each);
        if (all.length > 1)
          for (const { stem } of all) if (!this.parts.has(stem)) this.parts.set(stem, compact(all)[0]);
      }
    this.vocabulary = [...this.words.values()];
  }

  /** What is known of the words of a piece. */
  #known(piece) {
    let entries = this.#seen.get(piece);
    if (!entries) {
      entries = [];
      for (const token of analyse(piece)) {
        entries.push(this.#entry(token));
        for (const part of token.parts) entries.push(this.#entry(part));
      }
      this.#seen.set(piece, entries);
    }
    return entries;
  }

  #entries(text) {
    return pieces(text).flatMap((piece) => this.#known(piece));
  }

  /** Adds the words of a text to a section. All of a section come before those of the next. */
  #count(id, text, weight) {
    let number = 0;
    for (const piece of pieces(text))
      for (const entry of this.#known(piece)) {
        const { counts } = entry;
        const last = counts.length - 1;
        if (last > 0 && counts[last - 1] === id) counts[last] += weight;
        else counts.push(id, weight);
        number++;
      }
    this.sections[id].length += (weight * number) / TEXT;
  }

  #entry({ stem, surface }) {
    let entry = this.words.get(stem);
    if (!entry) this.words.set(stem, (entry = new Entry(stem)));
    if (!HANGUL.test(stem) && !entry.forms.includes(surface)) entry.forms.push(surface);
    return entry;
  }

  /** How a word is written in the book, in small letters; in Hangul without what follows it. */
  forms(word) {
    return HANGUL.test(word)
      ? [word]
      : new Set([...(this.words.get(word)?.forms ?? [])].map((form) => form.toLowerCase()));
  }

  /** The most usual word of a title or heading that starts like this, in a list. */
  complete(start) {
    let best = null;
    for (const entry of this.vocabulary) {
      if (!entry.heads.size && !entry.titles.size) continue;
      const form = [...this.forms(entry.word)]
        .filter((each) => each.startsWith(start))
        .sort((a, b) => a.length - b.length)[0];
      if (form && entry.size > (best?.size ?? 0)) best = { form, size: entry.size };
    }
    return best ? [best.form] : [];
  }

  // ---- what a question asks for

  /** The units of a question: each is one word or name, with what stands for it in the book. */
  units(question) {
    const asked = tokens(question);
    const units = [];
    for (let place = 0; place < asked.length;) {
      const span = this.#span(asked, place);
      units.push(span.unit);
      place += span.width;
    }
    return units;
  }

  #span(asked, place) {
    const widest = Math.min(WIDEST, asked.length - place);
    const joined = (width) =>
      asked
        .slice(place, place + width)
        .map(({ word }) => word)
        .join("");
    for (let width = widest; width > 1; width--) {
      const key = this.#name(asked, place, width);
      if (key) return { width, unit: this.#named(asked.slice(place, place + width), key) };
      // 하이퍼 파라미터, soft max: written apart, one word in the book
      const whole = stem(joined(width));
      if (whole.length > SHORT && this.words.has(whole)) {
        const unit = this.#joined(asked.slice(place, place + width), whole);
        return { width, unit };
      }
    }
    // 스킵 커낵션, positional encodng: nearly a name of several words, one of which the book does not know
    for (let width = Math.min(WIDEST_SLIP, widest); width > 1; width--) {
      const words = asked.slice(place, place + width);
      if (words.every((token) => this.words.has(token.stem) || this.names.has(token.word))) continue;
      const close = this.#closest(
        words.map((token, index) => (index === width - 1 ? token.stem : token.word)).join(""),
      );
      if (close) return { width, unit: this.#named(words, close.name, close.weight) };
    }
    const key = this.#name(asked, place, 1);
    if (key) return { width: 1, unit: this.#named(asked.slice(place, place + 1), key) };
    // scaled dot product: the beginning of a name
    for (let width = widest; width > 1; width--) {
      const words = asked.slice(place, place + width);
      const start = words.map(({ word }) => word).join("");
      const name = [...this.names.keys()].find((key) => key.startsWith(start) && start.length > BEGUN * key.length);
      if (name) return { width, unit: this.#named(words, name, STANDS.begunName) };
    }
    return { width: 1, unit: this.#single(asked[place]) };
  }

  /** The name that these words are, perhaps with a particle. */
  #name(asked, place, width) {
    return compact(asked.slice(place, place + width)).find((key) => this.names.has(key));
  }

  #named(asked, key, closeness = 1) {
    const terms = this.names.get(key) ?? [];
    const own = asked.map((token) => token.stem);
    // tokenizer: without its ending a name of other things, token
    const stemmed = asked.length === 1 && key === asked[0].word && key !== own[0] ? this.names.get(own[0]) : null;
    const shared = stemmed?.some((term) => !terms.includes(term)) ? STANDS.shortened : 1;
    const ways = [{ words: own, weight: closeness * shared }];
    const ordinary = this.#sections(own);
    for (const term of terms) {
      const canonical = term.keys?.includes(key);
      // A name that the book uses in passing, too, says less about what is asked for.
      const weight = closeness * shared * (canonical ? 1 : 1 / (1 + ordinary / ORDINARY));
      term.phrases.slice(0, 2).forEach((words) => ways.push({ words, weight: weight * STANDS.name }));
      term.phrases.slice(2).forEach((words) => ways.push({ words, weight: weight * STANDS.otherName }));
    }
    const targets = terms.filter((term) => term.page !== undefined);
    if (own.length > 1)
      own.forEach((word) =>
        ways.push(...this.#ways(word).map((way) => ({ ...way, weight: way.weight * STANDS.wordOfName }))),
      );
    return {
      text: asked.map(({ surface }) => surface).join(" "),
      weight: own.every((word) => COMMON.has(word))
        ? SAYS.commonName
        : own.every((word) => USUAL.has(word))
          ? SAYS.usual
          : Math.sqrt(own.length),
      ways,
      targets,
      closeness,
    };
  }

  #joined(asked, word) {
    const apart = { words: asked.map((token) => token.stem), weight: STANDS.apart };
    return {
      text: asked.map(({ surface }) => surface).join(" "),
      weight: asked.length,
      ways: [...this.#ways(word), apart],
    };
  }

  #single(token) {
    const word = token.stem;
    const common = COMMON.has(word) || COMMON.has(token.word);
    const weight = common ? SAYS.common : USUAL.has(word) ? SAYS.usual : 1;
    let ways = this.#ways(word, token.word);
    if (!this.words.has(word)) {
      const pieces = this.#pieces(token.word);
      if (pieces) {
        const named = pieces.map((piece) => this.#named([{ stem: stem(piece), surface: piece }], piece));
        return { text: token.surface, weight: 1, all: named };
      }
      const close = this.#closest(word) ?? this.#closest(token.word);
      if (close) return { ...this.#named([token], close.name, close.weight), text: token.surface };
    }
    if (!ways.length && HANGUL.test(word)) {
      // 기을기를: what looks like an ending belongs to the word that is meant
      const longer = bare(token.word).reverse().slice(1);
      ways = longer.map((each) => this.#ways(each)).find((found) => found.length) ?? [];
    }
    if (!ways.length && HANGUL.test(word)) {
      const heard = this.#heard(token.word);
      if (heard)
        return { ...this.#named([{ stem: heard, surface: token.surface }], heard, STANDS.sound), text: token.surface };
    }
    // 포지셔널: hardly in the book, but in a name of something that is
    const name = this.parts.get(word);
    if (name && !common && (this.words.get(word)?.size ?? 0) <= RARE)
      return { ...this.#named([token], name, STANDS.inName), text: token.surface };
    for (const part of token.parts)
      ways = ways.concat(this.#ways(part.stem).map((way) => ({ ...way, weight: way.weight * STANDS.part })));
    return { text: token.surface, weight, ways, common };
  }

  /** Words of the book that a word may stand for; `written`: with its grammar, if there may be a slip in that. */
  #ways(word, written = word) {
    const ways = [];
    if (this.words.has(word)) ways.push({ words: [word], weight: 1 });
    const hangul = HANGUL.test(word);
    const letters = hangul ? jamo(word) : word;
    if (letters.length > 2) {
      for (const entry of this.vocabulary) {
        const other = entry.word;
        if (other === word || other.length < Math.max(2, word.length)) continue;
        const spelled = entry.letters;
        if (spelled.startsWith(letters))
          ways.push({ words: [other], weight: (STANDS.begun * letters.length) / spelled.length });
        else if (hangul && word.length > 1 && other.includes(word))
          ways.push({ words: [other], weight: STANDS.within });
      }
    }
    if (!ways.length || (!this.words.has(word) && ways.every(({ weight }) => weight < WEAK)))
      ways.push(...this.#slips(hangul ? letters : written, hangul));
    return ways.sort((a, b) => b.weight - a.weight).slice(0, WAYS);
  }

  #slips(letters, hangul) {
    const most = slips(letters);
    if (!most) return [];
    const ways = [];
    for (const entry of this.vocabulary) {
      const other = entry.word;
      if (HANGUL.test(other) !== hangul) continue;
      // encodng, cahce: the stemmer knows no ending of a slip, or takes one off that is none
      const spelled = hangul ? [entry.letters] : new Set([other, ...this.forms(other)]);
      let away = Infinity;
      for (const each of spelled)
        if (Math.abs(each.length - letters.length) <= most) away = Math.min(away, distance(letters, each, most));
      if (away < Infinity) ways.push({ words: [other], weight: away === 1 ? STANDS.slip : STANDS.slips });
    }
    return ways;
  }

  /** The name that is nearly this. */
  #closest(words) {
    const letters = jamo(words);
    const most = slips(letters);
    let best = null;
    if (most)
      for (const name of this.names.keys()) {
        const away = distance(letters, jamo(name), most);
        if (away < (best?.away ?? Infinity))
          best = { away, name, weight: away === 1 ? STANDS.nameSlip : STANDS.nameSlips };
      }
    return best;
  }

  /** 시누소이드: the English word or name that sounds like this one. */
  #heard(word) {
    if (!this.sounds) {
      this.sounds = new Map();
      const note = (text, means) => text.length > SHORT && /^[a-z]+$/.test(text) && this.sounds.set(sound(text), means);
      for (const entry of this.vocabulary) entry.forms.forEach((form) => note(form, entry.word));
      for (const name of this.names.keys()) note(name, name);
    }
    const heard = sound(word);
    return heard.length > SHORT ? this.sounds.get(heard) : undefined;
  }

  /** 파라미터개수: the known words that one unknown is put together from, the fewest and longest. */
  #pieces(word) {
    const hangul = HANGUL.test(word);
    const shortest = hangul ? PIECES.hangul : PIECES.other;
    const end = word.length;
    if (end < 2 * shortest - 1 || end > PIECES.most) return null;
    const best = [{ cost: 0, pieces: [] }];
    for (let to = 1; to <= end; to++)
      for (let from = 0; from < to; from++) {
        if (!best[from]) continue;
        const piece = word.slice(from, to);
        const bare = to === end ? stem(piece) : piece;
        const name = this.names.has(piece) ? piece : this.names.has(bare) ? bare : null;
        const found = name ?? (this.words.has(bare) ? bare : null);
        if (!found || (piece.length < shortest && !(hangul && name))) continue;
        const cost = best[from].cost + 1 + (piece.length < shortest ? PIECES.short : 0);
        if (!best[to] || cost < best[to].cost) best[to] = { cost, pieces: [...best[from].pieces, found] };
      }
    return best[end] && best[end].pieces.length > 1 ? best[end].pieces : null;
  }

  // ---- what answers it

  /** In how many sections all of these words stand. */
  #sections(words) {
    const entries = words.map((word) => this.words.get(word));
    if (!entries.length || entries.some((entry) => !entry)) return 0;
    let number = 0;
    for (const id of entries[0].at.keys()) if (entries.every(({ at }) => at.has(id))) number++;
    return number;
  }

  /** How much of a unit each section, its heading, each page and its title have: from 0 to 1, or a little more. */
  #found({ ways, all, targets = [], closeness = 1, common }) {
    const result = {
      sections: new Map(),
      heads: new Map(),
      pages: new Map(),
      titles: new Map(),
      shown: new Set(),
      strong: new Set(),
    };
    const raise = (kind, id, value) => value > (result[kind].get(id) ?? 0) && result[kind].set(id, value);
    if (all) {
      const each = all.map((unit) => this.#found(unit));
      each.forEach(({ shown }) => shown.forEach((word) => result.shown.add(word)));
      const [smallest] = each.map(({ strong }) => strong).sort((a, b) => a.size - b.size);
      result.strong = smallest;
      for (const kind of KINDS)
        for (const part of each)
          for (const id of part[kind].keys()) {
            const values = each.map((other) => other[kind].get(id) ?? 0);
            const together = Math.min(...values);
            raise(kind, id, together || (PARTLY * Math.max(...values)) / each.length);
          }
      return result;
    }
    for (const { words, weight } of ways) {
      const entries = words.map((word) => this.words.get(word));
      if (!entries.length || entries.some((entry) => !entry)) continue;
      if (weight >= SHOWN && !common) words.forEach((word) => result.shown.add(word));
      const perPage = new Map();
      const [rarest] = [...entries].sort((a, b) => a.at.size - b.at.size);
      for (const id of rarest.at.keys()) {
        const count = Math.min(...entries.map(({ at }) => at.get(id) ?? 0));
        if (!count) continue;
        const section = this.sections[id];
        if (weight >= STRONG) result.strong.add(id);
        raise("sections", id, weight * has(OF_SECTION, count, section.length / this.meanLength));
        perPage.set(section.page, (perPage.get(section.page) ?? 0) + count);
      }
      for (const [number, count] of perPage) {
        raise("pages", number, weight * has(OF_PAGE, count, this.pages[number].length / this.meanPage));
      }
      for (const kind of ["heads", "titles"])
        for (const id of entries[0][kind]) if (entries.every((entry) => entry[kind].has(id))) raise(kind, id, weight);
    }
    for (const { page, section, whole } of targets) {
      result.strong.add(section);
      raise("sections", section, KEYED.section * closeness);
      raise("heads", section, closeness);
      raise("pages", page, (whole ? KEYED.page : KEYED.pageOf) * closeness);
      raise("titles", page, (whole ? KEYED.title : KEYED.titleOf) * closeness);
    }
    return result;
  }

  /** Pages with their sections, the best first: `[{page, score, sections: [{section, score}], words, missing}]`. */
  find(question) {
    const units = this.units(question);
    if (!units.length) return [];
    const every = this.sections.length;
    const pages = new Map();
    let total = 0;
    const found = units.map((unit) => {
      const parts = this.#found(unit);
      const many = parts.strong.size || parts.sections.size;
      const rarity = Math.log(1 + (every - many + SMOOTH) / (many + SMOOTH)) * unit.weight;
      if (many) total += rarity; // what is nowhere tells no page from another
      return { unit, rarity, ...parts };
    });
    const rows = new Map();
    const row = (map, id, empty) => map.get(id) ?? (map.set(id, empty), empty);
    for (const [index, { rarity, sections, heads, pages: inPages, titles }] of found.entries()) {
      for (const [id, value] of sections) {
        const entry = row(rows, id, { score: 0, has: 0 });
        entry.score += rarity * (value + HEADED * (heads.get(id) ?? 0));
        entry.has += rarity * Math.min(1, value);
      }
      for (const number of new Set([...inPages.keys(), ...titles.keys()])) {
        const entry = row(pages, number, { page: this.pages[number], score: 0, has: 0, units: new Set() });
        const value = inPages.get(number) ?? 0;
        const title = titles.get(number) ?? 0;
        entry.score += rarity * (value + TITLED * title);
        entry.has += rarity * Math.min(1, Math.max(IN_PAGE * value, title));
        entry.units.add(index);
      }
    }
    const results = [];
    for (const [number, entry] of pages) {
      const sections = [];
      for (let id = entry.page.first; id < entry.page.first + entry.page.sections.length; id++) {
        const row = rows.get(id);
        if (row)
          sections.push({ section: this.sections[id], score: row.score * left(LACKING.section, row.has / total) });
      }
      sections.sort((a, b) => b.score - a.score);
      const coverage = entry.has / total;
      const score =
        (entry.score + (sections[0]?.score ?? 0)) *
        left(LACKING.page, coverage ** LACKING.power) *
        (entry.page.weight ?? 1);
      const words = new Set([...entry.units].flatMap((index) => [...found[index].shown]));
      const missing = found
        .filter(({ unit }, index) => unit.weight > MISSING && !entry.units.has(index))
        .map(({ unit }) => unit.text);
      results.push({ number, page: entry.page, score, sections, words, missing });
    }
    if (!results.length) {
      // Nothing? Then perhaps the keyboard was left on Latin letters.
      const korean = retyped(question);
      return /^[가-힣\s]+$/.test(korean) && korean !== question ? this.find(korean) : [];
    }
    results.sort((a, b) => b.score - a.score);
    return results.filter(({ score }) => score >= FAR * results[0].score);
  }
}
