import { BESIDE } from "../beside.js";
import { ORDERS, called, curve, ticks } from "../drawing.js";
import { Touchable, svg } from "../touchable.js";

const STEPS = 5; // each point is the mean of so many

export default class extends Touchable {
  static style = BESIDE;

  static numbers = true;

  static text = {
    ko: {
      warmup: "워밍업 스텝",
      seed: "시드",
      loss: "토큰당 손실",
      gradient: "인코더 첫 층의 기울기의 노름",
      step: "스텝",
      end: (order) => `${order}, 마지막 10스텝의 손실`,
      right: (order) => `${order}, 맞게 번역한 날짜의 비율`,
      dip: (order) => `${order}, 가장 작은 기울기`,
      percent: (share) => `${share}%`,
      says: (warmup, seed) => `워밍업 ${warmup}스텝, 시드 ${seed}일 때 post-LN과 pre-LN의 손실 곡선과 기울기의 곡선`,
    },
    en: {
      warmup: "Steps of warm-up",
      seed: "Seed",
      loss: "loss per token",
      gradient: "gradient of the encoder's first layer",
      step: "step",
      end: (order) => `${order}, loss of the last 10 steps`,
      right: (order) => `${order}, dates translated right`,
      dip: (order) => `${order}, smallest gradient`,
      percent: (share) => `${share}%`,
      says: (warmup, seed) =>
        `Curves of the loss and of the gradient, for post-LN and pre-LN, warm-up ${warmup}, seed ${seed}`,
    },
  };

  controls() {
    this.lengths = Object.keys(this.numbers["post-LN"])
      .map(Number)
      .sort((a, b) => a - b);
    this.range("warmup", {
      min: 0,
      max: this.lengths.length - 1,
      value: this.lengths.length - 1,
      show: (place) => String(this.lengths[place]),
    });
    this.range("seed", { min: 0, max: this.numbers["post-LN"][0].length - 1, value: 0 });
  }

  draw(state, width) {
    const { text } = this;
    const warmup = this.lengths[state.warmup];
    const runs = Object.keys(ORDERS).map((order) => [order, this.numbers[order][warmup][state.seed]]);
    const count = this.numbers["post-LN"][0][0].losses.length;
    const left = 60,
      right = width - 66;
    const x = (place) => left + ((right - left) * (place + 0.5)) / count;
    const panel = (title, top, height, y, values, show, key) => [
      svg("text", { x: left, y: top - 10, class: "strong" }, title),
      called(
        right + 10,
        runs.map(([name, run]) => ({ name, kind: ORDERS[name].kind, y: y(run[key].at(-1)) })),
      ),
      ticks({ y, values, left, right, show }),
      runs.map(([order]) =>
        this.numbers[order][warmup].map((other) =>
          svg("path", {
            class: ORDERS[order].kind,
            "stroke-opacity": 0.35,
            "stroke-width": 1,
            d: `M${other[key].map((value, place) => `${x(place)} ${y(value)}`).join("L")}`,
          }),
        ),
      ),
      runs.map(([order, run]) =>
        curve(
          run[key].map((value, place) => [x(place), y(value)]),
          ORDERS[order],
        ),
      ),
    ];
    const high = 110,
      first = 26,
      second = first + high + 34;
    const loss = (value) => first + high * (1 - Math.min(value, 5) / 5);
    const gradient = (value) => second + high * (1 - (Math.log10(value) + 5) / 6); // from 10^-5 to 10
    const picture = svg(
      "svg",
      { height: second + high + 22 },
      panel(text.loss, first, high, loss, [0, 1, 2, 3, 4, 5], String, "losses"),
      panel(
        text.gradient,
        second,
        high,
        gradient,
        [-5, -4, -3, -2, -1, 0, 1].map((power) => 10 ** power),
        (value) => value.toFixed(Math.max(0, -Math.log10(value))),
        "gradients",
      ),
      [0, 50, 100, 150].map((step) =>
        svg(
          "text",
          {
            x: left + ((right - left) * step) / (STEPS * count),
            y: second + high + 17,
            class: step === 150 ? "small end" : "small middle",
          },
          step === 150 ? `${step} ${text.step}` : String(step),
        ),
      ),
    );
    return {
      picture,
      says: text.says(warmup, state.seed),
      numbers: [
        ...runs.map(([order, run]) => [text.end(order), run.loss.toFixed(3)]),
        ...runs.map(([order, run]) => [text.right(order), text.percent((100 * run.right).toFixed(0))]),
        ...runs.map(([order, run]) => [text.dip(order), Math.min(...run.gradients).toFixed(5)]),
      ],
    };
  }
}
