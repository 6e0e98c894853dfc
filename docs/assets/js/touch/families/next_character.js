import { BESIDE } from "../beside.js";
import { entropy } from "../maths/softmax.js";
import { uniform } from "../maths/random.js";
import { GPT } from "../maths/translator/gpt.js";
import { best } from "../maths/translator/layers.js";
import { BOS, EOS } from "../maths/translator/model.js";
import { distribution, drawn } from "../maths/translator/sampling.js";
import { Prompted } from "../prompted.js";
import { html, svg } from "../touchable.js";

const [MOST, SHOWN] = [60, 10]; // characters that are generated, and bars
const LONGEST = 67; // characters of a prompt: with <s> and what is generated, they fill the 128 positions

export default class extends Prompted {
  static style = `${BESIDE}
    .above dd { min-height: 4.5em; }
    svg .before { fill: none; stroke: var(--figure-faint); stroke-width: 1.5; }`;

  static text = {
    ko: {
      prompt: "프롬프트 (헌법에 나오는 글자만 읽습니다)",
      example: "모든 국민은 ",
      temperature: "온도 T",
      p: "top-p의 p",
      seed: "시드",
      place: "분포를 볼 글자 (몇 번째)",
      text: "프롬프트와 생성한 글 ([ ]는 분포를 볼 글자)",
      legend: { weight: "확률", before: "top-p로 자르기 전" },
      prompts: ["대통령은 ", "국회는 "],
      chosen: "뽑은 글자와 그 확률",
      kept: "남은 글자 / 어휘 전체",
      tail: "잘라 낸 글자들의 확률",
      entropy: "남은 분포의 엔트로피 (비트)",
      rest: (count) => `나머지 ${count}가지`,
      space: "공백",
      says: (place, bars) => `${place}번째 글자의 확률 막대. 확률이 높은 글자부터 ${bars}`,
    },
    en: {
      prompt: "Prompt (it reads only characters of the US constitution)",
      example: "The ",
      temperature: "Temperature T",
      p: "p of top-p",
      seed: "Seed",
      place: "Look at character number",
      text: "Prompt and continuation ([ ]: the character looked at)",
      legend: { weight: "probability", before: "before top-p" },
      prompts: ["The Congress ", "No person "],
      chosen: "Character drawn, and its probability",
      kept: "Characters kept / vocabulary",
      tail: "Probability that was cut off",
      entropy: "Entropy of what is left (bits)",
      rest: (count) => `${count} others`,
      space: "space",
      says: (place, bars) => `Bars for the probabilities of character ${place}, the most probable first: ${bars}`,
    },
  };

  /** @type {GPT} */
  gpt;

  controls() {
    this.field("prompt", { value: this.text.example, most: LONGEST, lang: this.language });
    const digits = (count) => (number) => number.toFixed(count);
    this.range("temperature", { min: 0.1, max: 2, step: 0.1, value: 1, show: digits(1) });
    this.range("p", { min: 0.05, max: 1, step: 0.05, value: 1, show: digits(2) });
    this.range("seed", { min: 1, max: 20, value: 1 });
    this.range("place", { min: 1, max: MOST, value: 1 });
    this.text.prompts.forEach((prompt, n) => this.action(`prompt-${n}`, () => this.set({ prompt }), prompt.trim()));
  }

  /** What is drawn after the prompt: {id, logits, cut}, and what it was drawn from. */
  generated({ prompt, temperature, p, seed }) {
    const key = JSON.stringify([prompt, temperature, p, seed]);
    if (this.key === key) return this.steps;
    this.key = key;
    this.gpt ??= new GPT(this.model);
    if (this.prompted?.prompt !== prompt) {
      let step = { state: this.gpt.start() };
      for (const id of [BOS, ...this.ids]) step = this.gpt.next(step.state, id);
      this.prompted = { prompt, step };
    }
    const next = uniform(seed);
    let { step } = this.prompted;
    this.steps = [];
    while (this.steps.length < MOST) {
      const cut = distribution(step.logits, temperature, p);
      const id = drawn(cut, next());
      this.steps.push({ id, logits: step.logits, cut });
      if (id === EOS) break;
      step = this.gpt.next(step.state, id);
    }
    return this.steps;
  }

  draw(state, width) {
    const { text } = this;
    const { tokens } = this.model;
    const { prompt, ids, problem } = this.read(state.prompt);
    if (problem) {
      const picture = this.picture.firstChild ?? html("p"); // that of the last text which it could read
      picture.classList.add("old");
      return { picture, numbers: [problem] };
    }
    this.ids = ids;
    const steps = this.generated({ ...state, prompt });
    const place = this.upTo("place", steps.length);
    const { id, logits, cut } = steps[place - 1];
    const plain = distribution(logits, state.temperature, 1); // without top-p
    const written =
      steps
        .map(({ id }, n) => {
          const one = id === EOS ? "</s>" : tokens[id];
          return n === place - 1 ? `[${one}]` : one;
        })
        .join("") + (steps.at(-1).id === EOS ? "" : "…");
    const kept = cut.filter((one) => one > 0);
    const bits = entropy(kept) / Math.LN2;
    const tail = plain.reduce((sum, one, i) => (cut[i] ? sum : sum + one), 0);
    const name = (i) => (tokens[i] === " " ? text.space : tokens[i]);
    return {
      picture: this.bars(plain, cut, id, name, width),
      says: text.says(
        place,
        best(plain, SHOWN)
          .map((i) => `${name(i)} ${cut[i].toFixed(3)}`)
          .join(", "),
      ),
      numbers: [
        [text.text, `${prompt}${written}`],
        [text.chosen, `${name(id)} ${cut[id].toFixed(3)}`],
        [text.kept, `${kept.length} / ${tokens.length}`],
        [text.tail, tail.toFixed(3)],
        [text.entropy, bits.toFixed(2)],
      ],
    };
  }

  /** The most probable characters, and all others together. What top-p has cut off is faint. */
  bars(plain, cut, chosen, name, width) {
    const order = best(plain, SHOWN);
    const rows = order.map((i) => [name(i), cut[i], plain[i], i === chosen]);
    const others = (all) => all.reduce((sum, one, i) => (order.includes(i) ? sum : sum + one), 0);
    rows.push([this.text.rest(plain.length - SHOWN), others(cut), others(plain), !order.includes(chosen)]);
    const [left, row] = [104, 22];
    const room = width - left - 66;
    const bar = (kind, x, y, width) =>
      svg("rect", { class: kind, x, y, width, height: row - 6, "fill-opacity": kind === "weight" && 0.6 });
    return svg(
      "svg",
      { height: row * (rows.length + 1) + 4 },
      Object.entries(this.text.legend).map(([kind, said], n) => [
        bar(kind, left + 100 * n, 3, 14),
        svg("text", { x: left + 100 * n + 20, y: 15, class: "small" }, said),
      ]),
      rows.map(([label, left_over, before, is_chosen], place) => {
        const y = (place + 1) * row;
        return [
          svg("text", { x: left - 6, y: y + 15, class: is_chosen ? "end strong" : "end" }, label),
          bar("weight", left, y + 3, room * left_over),
          bar("before", left, y + 3, room * before),
          svg(
            "text",
            { x: left + room * Math.max(before, left_over) + 5, y: y + 15, class: "small" },
            left_over || !before ? left_over.toFixed(3) : `${before.toFixed(3)} → 0`,
          ),
        ];
      }),
    );
  }
}
