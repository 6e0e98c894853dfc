import { beamSearch, greedy, lengthPenalty, rivals } from "../maths/translator/decoding.js";
import { best } from "../maths/translator/layers.js";
import { fixed } from "../touchable.js";
import { MOST, Translating, mean, placed, share } from "../translating.js";

/** Milliseconds from one token to the next while they are generated. */
const PACE = 350;
const [SIZE, ALPHA] = [4, 0.6]; // of the beam, as in section 6.1 of the paper

export default class extends Translating {
  /** Values stand below their labels, so that no line is added or lost while tokens are generated. */
  static style = `${Translating.style}
    dl:not(.above) > div { display: block; }
    dl:not(.above) dd { text-align: left; }`;

  static text = {
    ko: {
      decoding: "디코딩",
      decodings: { greedy: "탐욕적 디코딩", beam: "빔 탐색 (크기 4, α = 0.6)" },
      step: "생성한 토큰 수",
      play: "한 토큰씩 생성하기",
      token: "마지막 토큰과 그 확률",
      rivals: "다음으로 확률이 높았던 토큰",
      attended: "마지막 층에서 가장 많이 본 원문 토큰",
      together: { greedy: "여기까지의 확률", beam: "여기까지의 로그 확률을 길이 페널티로 나눈 값" },
      says: (text, count) => `토큰 ${count}개까지 생성한 번역 ${text}. 생성한 토큰마다 원문의 어느 토큰을 보았는지 그린 어텐션 맵`,
    },
    en: {
      decoding: "Decoding",
      decodings: { greedy: "greedy", beam: "beam search (size 4, α = 0.6)" },
      step: "Tokens generated",
      play: "Generate token by token",
      token: "Last token and its probability",
      rivals: "The next most probable tokens",
      attended: "Source token attended to most in the last layer",
      together: { greedy: "Probability up to here", beam: "Log-probability up to here, divided by the length penalty" },
      says: (text, count) => `The translation after ${count} tokens, ${text}. A map of the source tokens that each of them attended to`,
    },
  };

  controls() {
    this.asked();
    this.choice("decoding", { options: this.text.decodings, value: "greedy" });
    this.switches();
    this.range("step", { wide: true, min: 1, max: MOST, value: MOST });
    this.action("play", () => this.play());
  }

  set(values) {
    this.stop(); // whoever touches anything wants to see that
    super.set(values);
  }

  /** From the first token on; only the last one is read out. */
  play() {
    if (!this.result || this.unreadable) return;
    this.set({ step: 1 });
    this.playing = setInterval(() => {
      if (!this.isConnected || this.state.step >= this.result.length - 1) this.stop();
      super.set({ step: this.state.step + 1 });
    }, PACE);
  }

  stop() {
    clearInterval(this.playing);
  }

  /** All steps of a translation: {id, logP, logits, weights}. */
  generated(model, ids) {
    if (this.state.decoding === "greedy") return [...greedy(model, ids, MOST)];
    const steps = [];
    for (let one = beamSearch(model, ids, SIZE, MOST, ALPHA).winner; one.parent; one = one.parent) steps.unshift(one);
    return steps.map(({ ids: so_far, logP, parent }) => ({ ...parent, id: so_far.at(-1), logP }));
  }

  translated(state, width) {
    const { text } = this;
    const steps = this.run(state.decoding, (model, ids) => this.generated(model, ids));
    if (this.isNew) this.state.step = steps.length;
    const done = steps.slice(0, this.upTo("step", steps.length));
    const last = done.at(-1);
    const rows = this.named(done.map((step) => step.id));
    const columns = [...this.tokens, "</s>"];
    const weights = done.map(({ weights: { cross } }) => mean(cross.at(-1)));
    const [most] = best(weights.at(-1), 1), attended = placed(columns, most, text.place);
    const translation = this.written(done.map((step) => step.id));
    const logP = done.reduce((sum, step) => sum + step.logP, 0);
    const greedily = state.decoding === "greedy";
    const together = greedily ? Math.exp(logP) : logP / lengthPenalty(done.length, ALPHA);
    return {
      picture: this.map({
        rows, columns, weights, width,
        all: this.named(steps.map((step) => step.id)),
        beside: done.map((step) => share(Math.exp(step.logP))),
        titles: [text.target, text.source],
        current: done.length - 1,
        pick: (row) => this.set({ step: row + 1 }),
      }),
      says: text.says(translation, done.length),
      numbers: [
        [text.translation, translation],
        [text.token, `${rows.at(-1)} ${share(Math.exp(last.logP))}`],
        [text.rivals, rivals(last.logits, last.id).map(({ id, logP }) => `${this.model.tokens[id]} ${share(Math.exp(logP))}`).join(" · ")],
        [text.attended, `${attended} ${share(weights.at(-1)[most])}`],
        [text.together[state.decoding], fixed(together, 3)],
      ],
    };
  }
}
