import { BESIDE } from "../beside.js";
import { softLookup } from "../maths/attention.js";
import { onlineSoftmax } from "../maths/online.js";
import { whileHeld } from "../dragging.js";
import { curve, ticks } from "../drawing.js";
import { Touchable, fixed, svg } from "../touchable.js";

/** The keys of the example on the page. */
const SCORES = [1, 3, 2, 5, 4, 0],
  VALUES = [6, 2, 8, 4, 1, 9];
const [LEAST, MOST] = [-2, 8];
/** Pixels: from the top of each drawing to its axis, how high it is, and what stands left of it. */
const [ROOM, GAP, LEFT] = [84, 34, 30];

export default class extends Touchable {
  static style = BESIDE;

  static above = 1;

  static text = {
    ko: {
      read: "읽은 키",
      block: "한 번에 읽는 키",
      blocks: { 1: "1개", 2: "2개", 3: "3개" },
      score: (key) => `키 ${key}의 점수`,
      scores: "점수와 지금까지의 최댓값",
      sum: "합: 리스케일한 것 + 새로 더한 것",
      outputs: "지금까지의 출력과 정확한 출력 (파선)",
      output: "지금까지의 출력 / 정확한 출력",
      shrink: "앞의 합에 곱한 수",
      kept: "기억하는 세 수: 최댓값, 합, 가중합",
      key: (key, value) => `키 ${key}, 밸류 ${value}`,
      says: (end, outputs) => `여섯 키의 점수, 합, 출력을 그린 그림. 키 ${end}까지 읽었고, 블록마다 출력은 ${outputs}`,
    },
    en: {
      read: "Keys read",
      block: "Keys at a time",
      blocks: { 1: "1", 2: "2", 3: "3" },
      score: (key) => `Score of key ${key}`,
      scores: "scores, maximum so far",
      sum: "sum: rescaled + added",
      outputs: "output so far, exact dashed",
      output: "Output so far / exact",
      shrink: "What the earlier sum was multiplied by",
      kept: "The three numbers kept: maximum, sum, weighted sum",
      key: (key, value) => `key ${key}, value ${value}`,
      says: (end, outputs) =>
        `Scores, sum and output of six keys. Keys up to ${end} have been read; the output after each block: ${outputs}`,
    },
  };

  controls() {
    const { text } = this;
    this.range("read", { wide: true, min: 1, max: SCORES.length, value: 1 });
    this.choice("block", { options: text.blocks, value: "1" });
    SCORES.forEach((value, key) => {
      this.range(`score-${key}`, {
        min: LEAST,
        max: MOST,
        step: 0.5,
        value,
        show: (score) => fixed(score, 1),
        label: text.score(key + 1),
      });
    });
  }

  /** Keys are read by whole blocks. */
  set(values) {
    const block = Number(values.block ?? this.state.block),
      read = values.read ?? this.state.read;
    super.set({ ...values, read: Math.min(SCORES.length, Math.ceil(read / block) * block) });
  }

  draw(state, width) {
    const { text } = this;
    const block = Number(state.block),
      scores = SCORES.map((_, key) => state[`score-${key}`]);
    const states = onlineSoftmax(scores, VALUES, block).filter(({ end }) => end <= state.read),
      last = states.at(-1);
    const { answer } = softLookup(scores, VALUES);
    const column = (width - LEFT - 4) / SCORES.length,
      middle = (key) => LEFT + (key + 0.5) * column;
    /** The height of a value in one of the three drawings, between its least and its most. */
    const at = (place, least, most) => (value) =>
      22 + place * (ROOM + GAP) + ROOM * (1 - (value - least) / (most - least));
    const tall = states.some((one) => one.sum > 3) ? SCORES.length : 3; // of the same sum, the bar is half as high
    const [score, sum, output] = [at(0, LEAST, MOST), at(1, 0, tall), at(2, 0, 10)];
    const bar = (x, from, to, kind, opacity) =>
      svg("rect", {
        x: x - 12,
        width: 24,
        y: Math.min(from, to),
        height: Math.max(1, Math.abs(from - to)),
        class: kind,
        "fill-opacity": opacity,
      });
    const title = (place, said) => svg("text", { x: LEFT, y: 13 + place * (ROOM + GAP), class: "strong" }, said);
    const line = (x1, x2, y, more) => svg("line", { x1, x2, y1: y, y2: y, ...more });
    const ends = states.map(({ end }) => end - 1);
    const picture = svg(
      "svg",
      { height: 22 + 2 * (ROOM + GAP) + ROOM + 24 },
      title(0, text.scores),
      title(1, text.sum),
      title(2, text.outputs),
      ticks({ y: score, values: [0, 4, 8], left: LEFT, right: width - 4 }),
      scores.map((one, key) => bar(middle(key), score(0), score(one), "query", key < state.read ? 0.6 : 0.2)),
      states.map(({ maximum, end }, n) =>
        line(LEFT + (n ? ends[n - 1] + 1 : 0) * column, LEFT + end * column, score(maximum), {}),
      ),
      ticks({ y: sum, values: [0, tall / 3, (2 * tall) / 3, tall], left: LEFT, right: width - 4 }),
      states.map(({ before, sum: whole, shrink, end }, n) => [
        bar(middle(end - 1), sum(0), sum(before), "faint", 0.6),
        bar(middle(end - 1), sum(before), sum(whole), "weight", 0.75),
        n > 0 &&
          shrink < 1 &&
          svg("text", { x: middle(end - 1), y: sum(whole) - 5, class: "small middle" }, `× ${shrink.toFixed(2)}`),
      ]),
      ticks({ y: output, values: [0, 5, 10], left: LEFT, right: width - 4 }),
      line(LEFT, width - 4, output(answer), { "stroke-dasharray": "4 3" }),
      curve(
        states.map((one) => [middle(one.end - 1), output(one.output)]),
        { kind: "output" },
      ),
      scores.map((_, key) => this.grip(key, middle(key), score)),
      VALUES.map((value, key) =>
        svg("text", { x: middle(key), y: output(0) + 16, class: "small middle" }, `v = ${value}`),
      ),
    );
    return {
      picture,
      says: text.says(last.end, states.map((one) => fixed(one.output, 2)).join(", ")),
      numbers: [
        [text.output, `${fixed(last.output, 4)} / ${fixed(answer, 4)}`],
        [text.shrink, states.length > 1 ? last.shrink.toFixed(4) : "–"],
        [text.kept, [last.maximum, last.sum, last.weighted].map((one) => fixed(one, 4)).join(", ")],
      ],
    };
  }

  /** Where the bar of a key is taken, by mouse or finger; it follows. y: from a score to a height in the picture. */
  grip(key, x, y) {
    const grip = svg("rect", {
      x: x - 20,
      width: 40,
      y: y(MOST),
      height: y(LEAST) - y(MOST),
      "fill-opacity": 0,
      style: "cursor: ns-resize; touch-action: none",
    });
    const move = ({ clientY }) => {
      const height = clientY - this.picture.firstChild.getBoundingClientRect().top;
      const score = LEAST + ((MOST - LEAST) * (y(LEAST) - height)) / (y(LEAST) - y(MOST));
      this.set({ [`score-${key}`]: Math.max(LEAST, Math.min(MOST, Math.round(2 * score) / 2)) });
    };
    whileHeld(grip, move, move);
    return grip;
  }
}
