import { beamSearch, lengthPenalty, rivals } from "../maths/translator/decoding.js";
import { greedy } from "../maths/translator/greedy.js";
import { best } from "../maths/translator/layers.js";
import { fixed, svg } from "../touchable.js";
import { share } from "../glosses.js";
import { MOST } from "../translating.js";
import { mean, placed } from "../aligning.js";
import { Replaying } from "../replaying.js";

const [SIZE, ALPHA] = [4, 0.6]; // of the beam, as in section 6.1 of the paper

/** Of a weight that has a line; pixels of a letter, at least. As in snippets/figures/translated.py. */
const LEAST = 0.1,
  LETTER = 6.8;

/** The same below a token, where there is little room. */
const shortly = (number) => number.toFixed(2).replace(/^0/, "").replace("1.00", "1.0"); // as wide as .99

export default class extends Replaying {
  /** Values stand below their labels, so that no line is added or lost while tokens are generated. */
  static style = `${Replaying.style}
    dl:not(.above) > div { display: block; }
    dl:not(.above) dd { text-align: left; }
    .row { cursor: pointer; }
    .row:hover .label, .lit { font-weight: 700; text-decoration: underline; }
    .row line { stroke-linecap: round; }
    .row:not(.now, :hover) line { opacity: 0.3; } /* one token at a time */
    .current { fill: none; stroke: var(--figure-ink); stroke-width: 1.5; }
    .picture { overflow-x: auto; }`;

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
      says: (text, count) =>
        `토큰 ${count}개까지 생성한 번역 ${text}. 생성한 토큰마다 원문의 어느 토큰을 보았는지 선으로 이었다`,
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
      says: (text, count) =>
        `The translation after ${count} tokens, ${text}. Lines lead from each of them to the source tokens it attended to`,
    },
  };

  controls() {
    this.asked();
    this.choice("decoding", { options: this.text.decodings, value: "greedy" });
    this.switches();
    this.range("step", { wide: true, min: 1, max: MOST, value: MOST });
    this.action("play", () => this.again());
  }

  /** From the first token on. */
  again() {
    this.replay("step", () => this.last(this.result));
  }

  /** How many of the steps can be shown. */
  last(steps) {
    return steps.length;
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
    const end = this.last(steps);
    if (this.isNew) this.state.step = end;
    const done = steps.slice(0, this.upTo("step", end));
    const last = done.at(-1);
    const rows = this.named(done.map((step) => step.id));
    const columns = [...this.tokens, "</s>"];
    const weights = done.map(({ weights: { cross } }) => mean(cross.at(-1)));
    const [most] = best(weights.at(-1), 1),
      attended = placed(columns, most, text.place);
    const translation = this.written(done.map((step) => step.id));
    const logP = done.reduce((sum, step) => sum + step.logP, 0);
    const greedily = state.decoding === "greedy";
    const together = greedily ? Math.exp(logP) : logP / lengthPenalty(done.length, ALPHA);
    return {
      picture: this.lines({
        rows,
        columns,
        weights,
        width,
        all: this.named(steps.map((step) => step.id)),
        below: [this.glosses(rows), done.map((step) => shortly(Math.exp(step.logP)))],
        titles: [text.target, text.source],
        current: done.length - 1,
        pick: (row) => this.set({ step: row + 1 }),
      }),
      says: text.says(translation, done.length),
      numbers: [
        [text.translation, translation],
        [text.token, `${rows.at(-1)} ${share(Math.exp(last.logP))}`],
        [
          text.rivals,
          rivals(last.logits, last.id)
            .map(({ id, logP }) => `${this.model.tokens[id]} ${share(Math.exp(logP))}`)
            .join(" · "),
        ],
        [text.attended, `${attended} ${share(weights.at(-1)[most])}`],
        [text.together[state.decoding], fixed(together, 3)],
      ],
    };
  }

  /** What some tokens mean, for whoever does not read them. */
  glosses(tokens) {
    return this.text.glosses && tokens.map((token) => this.text.glosses[token]);
  }

  /**
   * The source in a row, and below it what has been generated, a token each of `rows`, with lines to what it attended to
   * and what stands `below` it, line by line; the row `current` has a frame. `all`: as of a map.
   */
  lines({ rows, columns, weights, below, titles, current, width, pick, all = rows }) {
    const letters = (token) =>
      Math.max(
        2,
        [...token].reduce((sum, letter) => sum + (/[ㄱ-힣]/.test(letter) ? 2 : 1), 0),
      ) + 1;
    const sum = (tokens) => tokens.reduce((sum, token) => sum + letters(token), 0);
    const whole = Math.max(width, LETTER * Math.max(sum(columns), sum(all)));
    const places = (tokens) => {
      const unit = whole / sum(tokens);
      let end = 0;
      return tokens.map((token) => {
        const size = letters(token) * unit;
        end += size;
        return { x: end - size / 2, size };
      });
    };
    const [above, under] = [places(columns), places(all)];
    const sources = columns.map((token, column) =>
      svg("text", { class: "small key strong middle", x: above[column].x, y: 36 }, token),
    );
    const light = (row) => {
      const most = Math.max(...weights[row]);
      sources.forEach((source, column) => source.classList.toggle("lit", weights[row][column] > most / 2));
    };
    light(current);
    const said = below.filter(Boolean);
    const depth = 140 + 15 * said.length;
    return svg(
      "svg",
      { height: depth + 20, width: whole },
      svg("text", { class: "small", x: 0, y: 13 }, titles[1]),
      sources,
      rows.map((token, row) => {
        const { x, size } = under[row];
        const group = svg(
          "g",
          { class: row === current ? "row now" : "row" },
          svg("rect", { x: x - size / 2, y: 44, width: size, height: depth - 44, "fill-opacity": 0 }),
          weights[row].map(
            (weight, column) =>
              weight >= LEAST &&
              svg("line", {
                class: "weight",
                x1: above[column].x,
                y1: 43,
                x2: x,
                y2: 116,
                style: `stroke-width: ${(4 * weight).toFixed(2)}`,
              }),
          ),
          svg("text", { class: "label small query strong middle", x, y: 132 }, token),
          said.map((line, n) => line[row] && svg("text", { class: "small middle", x, y: 148 + 15 * n }, line[row])),
        );
        group.addEventListener("pointerenter", () => light(row));
        group.addEventListener("pointerleave", () => light(current));
        group.addEventListener("click", () => pick(row));
        return group;
      }),
      svg("rect", {
        class: "current",
        x: under[current].x - under[current].size / 2 + 1,
        y: 119,
        width: under[current].size - 2,
        height: depth - 119,
        rx: 3,
      }),
      svg("text", { class: "small", x: 0, y: depth + 16 }, titles[0]),
    );
  }
}
