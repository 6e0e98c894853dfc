import { cells } from "../drawing.js";
import { dot } from "../maths/attention.js";
import { frequencies, offsetMap, positionalEncoding, times } from "../maths/positions.js";
import { Touchable, fixed, svg } from "../touchable.js";
import { grip } from "../turning.js";

const D_MODEL = 8,
  LAST = 200;
const PAIRS = frequencies(D_MODEL);
/** Milliseconds from one position to the next while they are played. */
const PACE = 150;

export default class extends Touchable {
  static text = {
    ko: {
      position: "위치 pos",
      offset: "오프셋 k",
      pair: "쌍 i",
      play: "위치 움직이기",
      stop: "멈추기",
      from: "p_{pos}",
      to: "p_{pos+k}",
      angle: "각도 kω_{i} (라디안)",
      before: "p_{pos}의 쌍 i",
      turned: "여기에 B_{i}를 곱하면",
      after: "p_{pos+k}의 쌍 i",
      difference: "p_{pos} M_{k}와의 최대 차이",
      product: "내적 p_{pos} · p_{pos+k}",
      says: (offset) =>
        `시계 네 개의 바늘이 위치와, 거기서 ${offset}만큼 떨어진 위치를 가리키고, 그 아래에 행렬 M이 있다.`,
    },
    en: {
      position: "Position pos",
      offset: "Offset k",
      pair: "Pair i",
      play: "Run the position",
      stop: "Stop",
      from: "p_{pos}",
      to: "p_{pos+k}",
      angle: "Angle kω_{i} (radians)",
      before: "Pair i of p_{pos}",
      turned: "Multiplied by B_{i}",
      after: "Pair i of p_{pos+k}",
      difference: "Largest difference to p_{pos} M_{k}",
      product: "Dot product p_{pos} · p_{pos+k}",
      says: (offset) =>
        `The hands of four clocks show a position and the position ${offset} further on; below, the matrix M.`,
    },
  };

  controls() {
    this.range("position", { min: 0, max: LAST, value: 10, fine: true });
    this.range("offset", {
      min: -20,
      max: 20,
      step: 0.5,
      value: 3,
      fine: true,
      show: (offset) => fixed(offset, offset % 1 ? 1 : 0),
    });
    this.range("pair", { min: 0, max: PAIRS.length - 1, value: 0 });
    this.action("play", () => (this.playing ? this.stop() : this.play()));
  }

  /** One position after another: all hands turn, and the angle between two of them stays. */
  play() {
    const next = () => {
      if (!this.isConnected) return this.stop();
      super.set({ position: (this.state.position + 1) % (LAST + 1) });
    };
    next();
    this.playing = setInterval(next, PACE);
    this.shadowRoot.getElementById("play").textContent = this.text.stop;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.shadowRoot.getElementById("play").textContent = this.text.play;
  }

  /** Whoever moves anything wants to see that. */
  set(values) {
    if (this.playing) this.stop();
    super.set(values);
  }

  /** Whoever turns a hand moves the position by as much as that hand needs for it: clockwise, forward. */
  dial(i, circle) {
    let begun;
    return grip(this, circle, {
      begin: () => {
        begun = this.state.position;
        this.set({ pair: i });
      },
      turn: (angle) => this.set({ position: Math.max(0, Math.min(LAST, Math.round(begun - angle / PAIRS[i]))) }),
    });
  }

  draw({ position, offset, pair }, width) {
    const { text } = this;
    const here = positionalEncoding(position, D_MODEL),
      there = positionalEncoding(position + offset, D_MODEL);
    const map = offsetMap(offset, D_MODEL),
      shifted = times(here, map);
    const of = (vector) =>
      `(${vector
        .slice(2 * pair, 2 * pair + 2)
        .map((x) => fixed(x, 4))
        .join(", ")})`;
    const difference = Math.max(...shifted.map((x, i) => Math.abs(x - there[i])));

    const room = width / PAIRS.length,
      radius = Math.min(44, room / 2 - 6),
      middle = radius + 26;
    const hand = (vector, i, kind, x, length) =>
      svg("line", {
        x1: x,
        y1: middle,
        class: kind,
        style: `stroke-width: ${kind === "query" ? 4 : 2}; stroke-linecap: round`,
        x2: x + length * vector[2 * i],
        y2: middle - length * vector[2 * i + 1], // at 0 it points upwards, as on a clock
      });
    const clocks = PAIRS.map((_, i) => {
      const x = (i + 0.5) * room;
      return [
        svg("circle", {
          cx: x,
          cy: middle,
          r: radius,
          style: `fill: none; stroke: var(${i === pair ? "--figure-ink" : "--figure-faint"}); stroke-width: ${i === pair ? 2 : 1}`,
        }),
        hand(here, i, "query", x, radius - 8),
        hand(there, i, "key", x, radius - 3),
        this.dial(i, { x, y: middle, radius }),
        svg(
          "text",
          { x, y: middle + radius + 16, class: i === pair ? "middle small strong" : "middle small" },
          `i = ${i}`,
        ),
      ];
    });
    const top = middle + radius + 46,
      cell = Math.min(62, width / D_MODEL),
      height = 19;
    const left = (width - D_MODEL * cell) / 2;
    const picture = svg(
      "svg",
      { height: top + D_MODEL * height + 4 },
      svg("text", { x: 0, y: 14, class: "query strong" }, `— ${text.from}`),
      svg("text", { x: 90, y: 14, class: "key strong" }, `— ${text.to}`),
      clocks,
      svg("text", { x: left, y: top - 7, class: "strong" }, `M_{k}, k = ${fixed(offset, offset % 1 ? 1 : 0)}`),
      cells(map, {
        x: left,
        y: top,
        width: cell,
        height,
        kind: "weight",
        depth: Math.abs,
        show: (value) => (value === 0 ? "0" : cell < 46 ? fixed(value, 3).replace("0.", ".") : fixed(value, 3)),
        marked: (i, j) => i >> 1 === pair && j >> 1 === pair,
      }),
    );
    return {
      picture,
      says: text.says(fixed(offset, 1)),
      numbers: [
        [text.angle, fixed(offset * PAIRS[pair], 4)],
        [text.before, of(here)],
        [text.turned, of(shifted)],
        [text.after, of(there)],
        [text.difference, difference < 1e-12 ? "<\u00a010⁻¹²" : difference.toExponential(1)],
        [text.product, fixed(dot(here, there), 6)],
      ],
    };
  }
}
