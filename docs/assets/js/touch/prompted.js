/* What the figures have in common in which the small GPT continues a text of the reader's. */

import { Modelled } from "./modelled.js";

const TEXT = {
  ko: {
    problem: "읽을 수 없는 글",
    unknown: (letter) => `‘${letter}’: 어휘에 없는 글자입니다. 모델은 헌법에 나오는 글자만 읽습니다.`,
  },
  en: {
    problem: "Cannot be read",
    unknown: (letter) =>
      `“${letter}” is not in the vocabulary: the model reads only characters of the US constitution.`,
  },
};

export class Prompted extends Modelled {
  static model = { ko: "constitution-ko", en: "constitution-en" };

  static above = 1;

  /** Of what is typed, the prompt and its ids; where the model does not know a letter of it, `problem`, a row that says so. */
  read(typed) {
    const prompt = typed.normalize("NFC").replace(/[ㄱ-ㅣ]$/, ""); // a syllable that is being typed
    const letters = [...prompt],
      ids = letters.map((letter) => this.model.tokens.indexOf(letter));
    const unknown = letters[ids.indexOf(-1)],
      { problem, unknown: said } = TEXT[this.language];
    return { prompt, ids, problem: unknown && [problem, said(unknown)] };
  }
}
