/* A figure that cuts a Korean and an English text into tokens, with as many merges as the reader likes. */

import { characters, readable } from "./maths/tokens.js";
import { Touchable, html } from "./touchable.js";

export const TEXT = {
  ko: {
    ko: "한국어 문장",
    en: "영어 문장",
    merges: "병합 횟수",
    cut: { ko: "한국어", en: "영어" },
    vocabulary: "어휘의 크기",
    counts: (tokens, letters, bytes) => `토큰 ${tokens} / 글자 ${letters} / 바이트 ${bytes}`,
    pieces: "색이 다른 토큰: 글자의 조각인 바이트",
    last: "마지막으로 배운 토큰",
    none: "없음",
  },
  en: {
    ko: "Korean sentence",
    en: "English sentence",
    merges: "Merges",
    cut: { ko: "Korean", en: "English" },
    vocabulary: "Size of the vocabulary",
    counts: (...numbers) =>
      ["token", "character", "byte"]
        .map((one, place) => `${numbers[place]} ${one}${numbers[place] === 1 ? "" : "s"}`)
        .join(" / "),
    pieces: "Tokens of the other color: pieces of a character",
    last: "Token learned last",
    none: "none",
  },
};

export class Cutting extends Touchable {
  static numbers = true;

  static above = 2;

  static style = `
    .cut + .cut { margin-top: 0.5rem; }
    ol { display: flex; flex-wrap: wrap; gap: 0.15rem; list-style: none; margin: 0.15rem 0 0; min-height: 2.4rem; padding: 0; }
    li { background: color-mix(in srgb, var(--figure-value) 22%, transparent); border-radius: 0.15rem; max-width: 100%;
      overflow-wrap: anywhere; padding: 0 0.25rem; text-align: center; }
    li.bytes { background: color-mix(in srgb, var(--figure-weight) 22%, transparent); }
    li span { display: block; font-size: 0.6rem; font-variant-numeric: tabular-nums; line-height: 1.3; }`;

  static text = TEXT;

  /** Both languages, that of the page first. */
  get languages() {
    return this.language === "en" ? ["en", "ko"] : ["ko", "en"];
  }

  /** What one types, below what is chosen first. */
  fields(sentences) {
    for (const language of this.languages) this.field(language, { value: sentences[language] });
  }

  /**
   * cuts: by language, the ids of what was typed; tokens: the bytes of a token by its id; vocabulary: how many tokens
   * there are; last: the id of the one that was learned last, if any was.
   */
  drawn(state, { cuts, tokens, vocabulary, last }) {
    const { text, languages } = this;
    const broken = (id) => characters(tokens[id]) === undefined;
    const token = (id) =>
      html("li", { class: broken(id) && "bytes" }, readable(tokens[id]), html("span", {}, String(id)));
    const picture = html(
      "div",
      {},
      languages.map((language) =>
        html(
          "div",
          { class: "cut", lang: this.language },
          text.cut[language],
          html("ol", { lang: language }, cuts[language].map(token)),
        ),
      ),
    );
    return {
      picture,
      numbers: [
        ...languages.map((language) => {
          const letters = [...state[language]].length,
            bytes = new TextEncoder().encode(state[language]).length;
          return [text.cut[language], text.counts(cuts[language].length, letters, bytes)];
        }),
        [text.pieces, String(Object.values(cuts).flat().filter(broken).length)],
        [text.vocabulary, vocabulary.toLocaleString("en")],
        [text.last, last === undefined ? text.none : `${readable(tokens[last])} (${last})`],
      ],
    };
  }
}
