import { GLOSSES } from "../glosses.js";
import { html } from "../touchable.js";
import { completed, isUsual, shown } from "../maths/translator/dates.js";
import Translation from "../training/translation.js";
import { MOST } from "../translating.js";

/** Days of the week in English, from Monday on, and what each is called in Korean. */
const DAYS = Object.values(GLOSSES).filter((word) => /.day$/.test(word));
const KOREAN = Object.fromEntries(Object.entries(GLOSSES).map(([korean, english]) => [english, korean]));

/** The tokens of a date with the right day of the week; nothing of what is no date. */
const corrected = (tokens) => {
  if (!isUsual(tokens)) return null;
  try {
    return completed(shown(tokens.slice(2)));
  } catch {
    return null; // the calendar has no such day
  }
};

/** The translation of a date as on the page about the translator, with nothing to set but the date, and a lie about it. */
export default class extends Translation {
  static style = `${Translation.style}
    .above > div:nth-child(2) dd { font-size: 1rem; }
    a { color: var(--md-typeset-a-color); justify-self: start; padding: 0.3rem 0; }
    .above > div:nth-child(3) { font-weight: 700; grid-column: 1 / -1; min-height: 3.3em; }`;

  static above = 3;

  static text = {
    ko: {
      ...Translation.text.ko,
      source: "원문",
      target: "번역문과 확률",
      inside: "이 날짜로 모델 속 들여다보기",
      lie: (date) => `틀린 요일로 속이기: ${date}`,
      truth: (date) => `맞는 요일로: ${date}`,
      none: "모델의 답에는 요일이 없습니다.",
      right: (day) => `모델은 ${day}이라고 답했습니다. 원문과도 달력과도 맞습니다.`,
      misled: (day, said, calendar) => `달력으로는 ${calendar}인데, 모델은 원문에 적힌 대로 ${day}이라고 옮겼습니다.`,
      corrected: (day, said) => `모델은 ${day}이라고 답했습니다. 원문에는 ${said}인데, 달력과 맞습니다.`,
      other: (day, said, calendar) => `모델은 ${day}이라고 답했습니다. 원문에는 ${said}, 달력으로는 ${calendar}입니다.`,
    },
    en: {
      ...Translation.text.en,
      source: "source",
      target: "translation, with probabilities",
      inside: "Look inside the model at this date",
      lie: (date) => `Tell a lie: ${date}`,
      truth: (date) => `Tell the truth: ${date}`,
      none: "The model’s answer has no day of the week.",
      right: (day) => `The model answers ${day}, as the text and the calendar say.`,
      misled: (day, said, calendar) =>
        `The model answers ${day}: it goes by the text. By the calendar, it is a ${calendar}.`,
      corrected: (day, said) => `The model answers ${day}, which is right by the calendar. The text says ${said}.`,
      other: (day, said, calendar) => `The model answers ${day}. The text says ${said}, and the calendar ${calendar}.`,
    },
  };

  controls() {
    this.lie = html("button", { type: "button", id: "lie" });
    this.lie.addEventListener("click", () => this.tellIt());
    this.asked();
    this.inside = html("a", { class: "wide" }, this.text.inside);
    this.box.append(this.inside);
    this.state.decoding = "greedy";
    this.range("step", { wide: true, min: 1, max: MOST, value: MOST });
    this.action("play", () => this.again());
  }

  /** Up to the day of the week, which the question is about, and not to the end of the sequence. */
  last(steps) {
    return this.model.tokens[steps.at(-1).id] === "</s>" ? steps.length - 1 : steps.length;
  }

  /** The same date with another day of the week, or the right one again, and what the model makes of it. */
  tellIt() {
    this.set({ date: this.another });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.again();
  }

  /** What may have been meant, and the lie beside it. */
  offer(date) {
    super.offer(date);
    this.meant.append(this.lie);
  }

  translated(state, width) {
    const drawn = super.translated(state, width),
      right = corrected(this.tokens);
    this.lie.hidden = !right;
    if (right) {
      const isTrue = right[0] === this.tokens[0];
      const day = isTrue ? DAYS[(DAYS.indexOf(right[0]) + 6) % 7] : right[0];
      this.another = shown([day, ...right.slice(1)]);
      this.lie.textContent = this.text[isTrue ? "lie" : "truth"](this.another);
    }
    this.leadInside(right);
    return { ...drawn, numbers: [drawn.numbers[0], [right ? this.verdict(right[0]) : "", ""]] };
  }

  /** To the walk through the model, with this date, where the day of the week looks at the source. */
  leadInside(isDate) {
    const day = this.named(this.result.map(({ id }) => id)).findIndex((token) => /.일$/.test(token));
    const at = new URLSearchParams({ at: "d1.cross.weights", head: "0", step: `${day + 1}`, date: shown(this.tokens) });
    this.inside.href = `inside/#${at}`;
    this.inside.style.visibility = isDate && day >= 0 ? "visible" : "hidden";
  }

  /** In a sentence, which day of the week has come out, beside the one in the text and that of the calendar. */
  verdict(calendar) {
    const made = this.named(this.result.slice(0, this.state.step).map(({ id }) => id));
    const answer = made.find((token) => /.일$/.test(token));
    const said = this.tokens[0],
      day = GLOSSES[answer];
    if (!answer) return made.length < this.last(this.result) ? "" : this.text.none;
    let kind = "other";
    if (day === said) kind = said === calendar ? "right" : "misled";
    else if (day === calendar) kind = "corrected";
    if (this.language === "ko") return this.text[kind](answer, KOREAN[said], KOREAN[calendar]);
    return this.text[kind](`${answer} (${day})`, said, calendar);
  }
}
