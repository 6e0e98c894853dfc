/* What the figures have in common in which the reader's own date is translated: the date and what is wrong with it, what
   can be switched off. */

import { completed, isInNumbers, isUsual, meant, read, shown, UnreadableDate } from "./maths/translator/dates.js";
import { EOS, Transformer } from "./maths/translator/model.js";
import { GLOSSES } from "./glosses.js";
import { Modelled } from "./modelled.js";
import { html } from "./touchable.js";

/** Tokens of a translation at most: a date has 14 with </s>. */
export const MOST = 16;
/** So long after a key, in milliseconds, nobody is told that the date cannot be read: it may not be whole yet. */
const PATIENCE = 800;

const TEXT = {
  ko: {
    date: "날짜 (예: Tuesday, March 5, 2024 / 2024년 3월 5일)",
    example: "Tuesday, March 5, 2024",
    switches: "켜고 끌 부분 (학습할 때는 모두 켜져 있었습니다)",
    positions: "위치 인코딩",
    mask: "인과 마스크",
    scaling: "√d_{k}로 나누기",
    problems: {
      empty: () => "날짜를 입력하세요.",
      unknown: (what) =>
        /[ㄱ-힣]/.test(what)
          ? `‘${what}’: 읽을 수 없습니다. 2024년 3월 5일처럼, 연도를 네 자리로 쓰세요.`
          : `‘${what}’: 읽을 수 없습니다. Tuesday, March 5, 2024처럼 쓰세요.`,
      noSuchDay: (what) => `${what}: 달력에 없는 날입니다.`,
      tooLong: (what) => `토큰이 ${what}개입니다. 24개까지만 읽습니다.`,
    },
    read: "모델이 읽은 원문",
    converted: "모델이 읽은 원문 (요일을 채워 영어로 바꿈)",
    unusual: "모델이 읽은 토큰 (학습하지 않은 형식이라 틀리기 쉬움)",
    meant: "이 날짜인가요?",
    asTyped: "요일 없이 그대로 넣기",
    translation: "번역",
    source: "원문 (키)",
    target: "번역문",
    place: (token, place) => `${token} (${place}번째 토큰)`,
  },
  en: {
    date: "Date (such as Tuesday, March 5, 2024 or 2024-03-05)",
    example: "Tuesday, March 5, 2024",
    switches: "What is left on (all of it was, in training)",
    positions: "positional encoding",
    mask: "causal mask",
    scaling: "division by √d_{k}",
    problems: {
      empty: () => "No date yet: type one.",
      unknown: (what) => `“${what}” cannot be read. Write a date like Tuesday, March 5, 2024.`,
      noSuchDay: (what) => `The calendar has no ${what}.`,
      tooLong: (what) => `These are ${what} tokens, and it reads up to 24.`,
    },
    read: "What the model reads",
    converted: "What the model reads (put into words, with the day of the week)",
    unusual: "Tokens the model reads (not the form it was trained on: expect mistakes)",
    meant: "Did you mean",
    asTyped: "Leave out the day of the week",
    translation: "Translation",
    source: "source (keys)",
    target: "target",
    place: (token, place) => `${token} (token ${place})`,
    glosses: GLOSSES,
  },
};

const STYLE = `
.above.unread > div:not(:first-child), dl.unread:not(.above) { opacity: 0.4; }
dd { word-break: keep-all; }
.above > :first-child dd { font-size: inherit; }
.meant { align-items: center; display: flex; flex-wrap: wrap; gap: 0.3rem; min-height: 1.6rem; } /* always, for what may come */
.above > div:first-child { align-content: start; min-height: 3.2em; } /* it may take two lines */
`;

export class Translating extends Modelled {
  static style = STYLE;

  static model = "dates";

  static above = 2;

  /** The date, and what can be switched off: the beginning of controls(). */
  asked(example) {
    this.text = { ...TEXT[this.language], ...this.text };
    this.bare = example; // as it is typed
    this.field("date", { value: example ?? this.text.example, most: 80 });
    this.meant = html("div", { class: "meant wide" });
    this.box.append(this.meant, this.above); // the keyboard of a phone leaves no room for more between what is typed and the answer
  }

  switches() {
    const group = this.group(this.text.switches);
    for (const name of ["positions", "mask", "scaling"]) this.check(name, { value: true, into: group });
  }

  /** What compute(model, ids) returns for the model as it is set, computed once as long as `settings` stay. */
  run(settings, compute) {
    const { positions = true, mask = true, scaling = true } = this.state;
    const key = JSON.stringify([this.tokens, positions, mask, scaling, settings]);
    if (this.key !== key) {
      this.key = key;
      this.isNew = true;
      const ids = [...this.tokens.map((token) => this.model.tokens.indexOf(token)), EOS];
      this.result = compute(new Transformer(this.model, { positions, mask, scaling }), ids);
    } else this.isNew = false;
    return this.result;
  }

  /** The names of some tokens. */
  named(ids) {
    return ids.map((id) => this.model.tokens[id]);
  }

  /** A translation as people write it, without </s>. */
  written(ids) {
    return shown(this.named(ids.filter((id) => id !== EOS)));
  }

  /** In one tap, the date that a reader may have meant; what was typed remains to be tried. */
  offer(date) {
    const button = (text, lang, chosen) => {
      const button = html("button", { type: "button", lang }, text);
      button.addEventListener("click", chosen);
      return button;
    };
    const isCompleted = this.isCompleted && !this.unreadable;
    const buttons = (isUsual(this.tokens ?? []) && !this.unreadable ? [] : meant(date)).map((each) =>
      button(each, "en", () => this.set({ date: each })),
    );
    if (buttons.length) buttons.unshift(html("span", {}, this.text.meant));
    if (isCompleted && !isInNumbers(date))
      buttons.push(
        button(this.text.asTyped, null, () => {
          this.bare = date;
          this.asks = null;
          this.set({ date });
        }),
      );
    this.meant.replaceChildren(...buttons);
  }

  draw(state, width) {
    const typed = state.date !== this.asks;
    if (typed) {
      this.asks = state.date;
      this.typed = performance.now();
    }
    let problem;
    try {
      const completion = state.date === this.bare ? null : completed(state.date);
      this.isCompleted = Boolean(completion);
      this.tokens = completion ?? read(state.date);
    } catch (error) {
      if (!(error instanceof UnreadableDate)) throw error;
      problem = this.text.problems[error.reason](error.what);
    }
    this.unreadable = Boolean(problem);
    if (typed) this.offer(state.date);
    if (!this.tokens) return { picture: html("p", { style: "margin: 1rem 0" }), numbers: [[problem, ""]] };
    const drawn = this.translated(state, width); // of what could be read last
    if (!problem) this.source = this.asIsRead();
    const left = this.told ? 0 : this.typed + PATIENCE - performance.now(); // once told, told of each further key
    clearTimeout(this.waiting);
    if (problem && left > 0) this.waiting = setTimeout(() => this.refresh(), left + 1);
    const told = (this.told = problem && left <= 0);
    drawn.picture.classList.toggle("old", this.unreadable);
    for (const list of [this.above, this.below]) list.classList.toggle("unread", Boolean(told));
    return { ...drawn, numbers: [told ? [problem, ""] : this.source, ...drawn.numbers] };
  }

  /**
   * What draw() returns, but for what the model reads.
   * @abstract
   * @type {Translating["draw"]}
   */
  translated() {
    throw new Error("nothing is translated");
  }

  /** What the model reads; where it has not been trained on the like, token by token. */
  asIsRead() {
    if (!isUsual(this.tokens)) return [this.text.unusual, this.tokens.join(" ")];
    return [this.isCompleted ? this.text.converted : this.text.read, shown(this.tokens)];
  }
}
