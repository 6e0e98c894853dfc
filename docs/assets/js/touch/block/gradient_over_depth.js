import { BESIDE } from "../beside.js";
import { whileHeld } from "../dragging.js";
import { ticks } from "../drawing.js";
import { Touchable, svg } from "../touchable.js";

/** The least and the most power of ten on the axis; pixels. */
const [LEAST, MOST] = [-16, 8];
const [LEFT, TOP, BOTTOM] = [46, 46, 240];

/** With residual connections or without: as in snippets/figures/block/gradient_over_depth.py. */
const KINDS = { with: "query", without: "key" };

/** Two digits of a number, as Python prints them where there are many zeros. */
const two = (number) => {
  if (number < 1e-4 || number >= 1e6)
    return number
      .toExponential(1)
      .replace(/e([-+])(\d)$/, "e$10$2")
      .replace(".0e", "e");
  return Number(number.toPrecision(2)).toLocaleString("en", { maximumSignificantDigits: 2 });
};

export default class extends Touchable {
  static numbers = true;

  static above = 2;

  static style = `.check { grid-column: 1 / -1; }${BESIDE}`;

  static text = {
    ko: {
      depth: "층의 수",
      gain: "가중치의 크기 (Xavier의 몇 배)",
      gains: { None: "0.58 (PyTorch)", 1: "1 (Xavier)" },
      residual: "잔차 연결",
      layer: "살펴볼 층",
      kinds: { with: "잔차 연결 있음", without: "없음" },
      title: "층마다 입력에서의 기울기의 노름 (출력에서 1)",
      first: { with: "첫 층, 잔차 연결 있음", without: "첫 층, 잔차 연결 없음" },
      here: "살펴보는 층",
      at: (layer, value) => `층 ${layer}: ${value}`,
      factor: "층 하나마다 곱해진 값 (기하 평균)",
      spread: (mean, least, most) => `${mean} (${least}–${most})`,
      ends: ["층 1 (입력)", (depth) => `층 ${depth}`],
      back: "← 역전파",
      says: (depth, kind, first, last) =>
        `${depth}층의 기울기를 로그 눈금의 막대로 그린 그림, ${kind}. 출력에서 1인 기울기가 마지막 층에서 ${last}, 첫 층에서 ${first}`,
    },
    en: {
      depth: "Number of layers",
      gain: "Scale of the weights (times Xavier’s)",
      gains: { None: "0.58 (PyTorch)", 1: "1 (Xavier)" },
      residual: "residual connections",
      layer: "Layer to look at",
      kinds: { with: "with residual connections", without: "without" },
      title: "gradient at each layer’s input (1 at the output)",
      first: { with: "First layer, with residual connections", without: "First layer, without" },
      here: "Layer looked at",
      at: (layer, value) => `layer ${layer}: ${value}`,
      factor: "Multiplied at each layer by (geometric mean)",
      spread: (mean, least, most) => `${mean} (${least} to ${most})`,
      ends: ["layer 1 (input)", (depth) => `layer ${depth}`],
      back: "← backward",
      says: (depth, kind, first, last) =>
        `The gradients of ${depth} layers as bars on a logarithmic axis, ${kind}. It is 1 at the output, ${last} at the last layer and ${first} at the first`,
    },
  };

  controls() {
    const { without } = this.numbers,
      { gains } = this.text;
    this.gains = Object.keys(without).sort((a, b) => this.gain(a) - this.gain(b));
    this.depths = Object.keys(without[this.gains[0]]);
    this.check("residual");
    this.range("depth", {
      wide: true,
      min: 0,
      max: this.depths.length - 1,
      value: 3,
      show: (place) => this.depths[place],
    });
    const show = (place) =>
      gains[this.gains[place]] ?? gains[Number(this.gains[place])] ?? String(Number(this.gains[place]));
    this.range("gain", { wide: true, min: 0, max: this.gains.length - 1, value: this.gains.indexOf("None"), show });
    this.range("layer", { wide: true, min: 1, max: Number(this.depths.at(-1)), value: 1, fine: true });
  }

  /** PyTorch's default is a uniform distribution; its deviation is that of Xavier's, divided by √3. */
  gain(name) {
    return name === "None" ? 1 / Math.sqrt(3) : Number(name);
  }

  draw(state, width) {
    const { text } = this;
    const depth = Number(this.depths[state.depth]),
      layer = this.upTo("layer", depth);
    const of = (kind) => this.numbers[kind][this.gains[state.gain]][depth];
    const [shown, other] = state.residual ? ["with", "without"] : ["without", "with"];
    const [mean, least, most] = of(shown);
    const right = width - 4,
      step = (right - LEFT) / depth,
      wide = Math.min(36, Math.max(2.5, 0.72 * step));
    const x = (n) => LEFT + (n + 0.5) * step;
    const y = (value) => BOTTOM - ((Math.log10(value) - LEAST) / (MOST - LEAST)) * (BOTTOM - TOP);
    const said = (kind, n) => text.spread(...of(kind).map((row) => two(row[n])));
    let place = 0;
    const legend = Object.entries(KINDS).map(([kind, colour]) => {
      const [at, name] = [place, text.kinds[kind]];
      place += 30 + [...name].reduce((sum, letter) => sum + (/[ㄱ-힣]/.test(letter) ? 13 : 7.6), 0);
      return [
        this.mark(at + 4, 9.5, kind),
        svg("text", { x: at + 13, y: 14, class: kind === shown ? `${colour} strong` : colour }, name),
      ];
    });
    const picture = svg(
      "svg",
      { height: BOTTOM + 24 },
      legend,
      svg("text", { x: 0, y: 35, class: "small" }, text.title),
      ticks({
        y,
        values: [8, 4, 0, -4, -8, -12, -16].map((power) => 10 ** power),
        left: LEFT,
        right,
        show: (value) => (value === 1 ? "1" : value.toExponential(0).replace(/([-+])(\d)$/, "$10$2")),
      }),
      svg("line", { x1: LEFT, x2: right, y1: y(1), y2: y(1) }),
      mean.map((value, n) => [
        svg("rect", {
          class: KINDS[shown],
          x: x(n) - wide / 2,
          width: wide,
          y: Math.min(y(1), y(value)),
          height: Math.max(1, Math.abs(y(value) - y(1))),
          "fill-opacity": 0.7,
          style: n === layer - 1 && "stroke: var(--figure-ink); stroke-width: 2",
        }),
        svg("line", { x1: x(n), x2: x(n), y1: y(least[n]), y2: y(most[n]), style: "stroke-width: 2" }),
      ]),
      of(other)[0].map((value, n) => (step > 5 || n % 2 === 0) && this.mark(x(n), y(value), other)),
      this.grip(depth, right),
      svg("text", { x: LEFT, y: BOTTOM + 18, class: "small" }, text.ends[0]),
      depth > 1 && svg("text", { x: (LEFT + 60 + right) / 2, y: BOTTOM + 18, class: "small middle" }, text.back),
      depth > 1 && svg("text", { x: right, y: BOTTOM + 18, class: "small end" }, text.ends[1](depth)),
    );
    return {
      picture,
      says: text.says(depth, text.kinds[shown], two(mean[0]), two(mean.at(-1))),
      numbers: [
        ...Object.keys(KINDS).map((kind) => [text.first[kind], said(kind, 0)]),
        [text.here, text.at(layer, said(shown, layer - 1))],
        [text.factor, two(mean[0] ** (1 / depth))],
      ],
    };
  }

  /** A square where there are residual connections, or else a circle. */
  mark(x, y, kind) {
    const look = { class: KINDS[kind] };
    return kind === "with"
      ? svg("rect", { x: x - 2.5, y: y - 2.5, width: 5, height: 5, ...look })
      : svg("circle", { cx: x, cy: y, r: 2.8, ...look });
  }

  /** Whoever moves over the bars looks at one layer after the other. */
  grip(depth, right) {
    const grip = svg("rect", {
      x: LEFT,
      width: right - LEFT,
      y: TOP,
      height: BOTTOM - TOP,
      "fill-opacity": 0,
      style: "cursor: ew-resize; touch-action: pan-y",
    });
    const move = ({ clientX }) => {
      const share = (clientX - this.picture.firstChild.getBoundingClientRect().left - LEFT) / (right - LEFT);
      this.set({ layer: Math.max(1, Math.min(depth, Math.ceil(share * depth))) });
    };
    whileHeld(grip, move, move);
    return grip;
  }
}
