import { BESIDE } from "../beside.js";
import { GLOSSES, share } from "../glosses.js";
import { MAP, map } from "../mapping.js";
import { Touchable } from "../touchable.js";

/** The step that is shown first. */
const BEGIN = 100;

export default class extends Touchable {
  static numbers = true;
  static above = 1;
  static style = `${MAP}${BESIDE}`;

  static text = {
    ko: {
      step: "스텝",
      date: "원문",
      written: "번역",
      right: "정답과 같은 자리의 같은 토큰",
      seen: "고른 행에서 가장 많이 본 토큰",
      count: (right, all) => `${all}개 가운데 ${right}개`,
      rows: "생성한 토큰",
      keys: "원문 (키)",
      says: (step, written) =>
        `${step}스텝을 학습한 모델의 번역 ${written}과, 생성한 토큰마다 원문의 어느 토큰을 보았는지`,
    },
    en: {
      step: "Step",
      date: "Source",
      written: "Translation",
      right: "Tokens that are right, each in its place",
      seen: "Attended to most in the chosen row",
      count: (right, all) => `${right} of ${all}`,
      rows: "generated",
      keys: "source (keys)",
      says: (step, written) =>
        `After ${step} steps the model writes ${written}, and for each token, which source tokens it attended to`,
    },
  };

  controls() {
    const { dates, looks } = this.numbers;
    this.range("step", {
      wide: true,
      min: 0,
      max: looks.length - 1,
      value: looks.findIndex(({ step }) => Number(step) === BEGIN),
      show: (place) => looks[place].step,
    });
    this.choice("date", { options: Object.fromEntries(dates.map((date, place) => [place, date.english])), value: "0" });
    this.row = 0;
  }

  draw(state, width) {
    const { text } = this;
    const { source, target, most } = this.numbers.dates[state.date];
    const { step, shown } = this.numbers.looks[state.step];
    const { tokens, weights: thousandths } = shown[state.date];
    const weights = thousandths.map((row) => row.map((one) => one / 1000));
    const row = Math.min(this.row, tokens.length - 1);
    const right = target.filter((token, place) => token === tokens[place]).length;
    const seen = weights[row].indexOf(Math.max(...weights[row]));
    const written = tokens.join(" ");
    return {
      picture: map({
        rows: tokens,
        columns: source,
        weights,
        width,
        current: row,
        beside: this.language !== "ko" && tokens.map((token) => GLOSSES[token] ?? ""),
        titles: [text.rows, text.keys],
        all: Array(most).fill("월요일"), // room for the longest, whatever the step
        pick: (chosen) => {
          this.row = chosen;
          this.refresh();
        },
      }),
      says: text.says(step, written),
      numbers: [
        [text.written, written],
        [text.right, text.count(right, target.length)],
        [text.seen, `${source[seen]} ${share(weights[row][seen])}`],
      ],
    };
  }
}
