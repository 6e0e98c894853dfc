import { BESIDE } from "../beside.js";
import { ORDERS, called, curve, ticks } from "../drawing.js";
import { Touchable, svg } from "../touchable.js";

export default class extends Touchable {
  static style = BESIDE;

  static numbers = true;

  static text = {
    ko: {
      depth: "층의 수",
      seed: "시드",
      norm: "기울기의 노름",
      layer: "층",
      first: (order) => `${order}, 첫 층`,
      last: (order) => `${order}, 마지막 층`,
      scaled: (order) => `${order}, 마지막 층 × √L`,
      says: (depth) => `${depth}층을 쌓았을 때 post-LN과 pre-LN의 층별 기울기의 노름`,
    },
    en: {
      depth: "Number of layers",
      seed: "Seed",
      norm: "norm of the gradient",
      layer: "layer",
      first: (order) => `${order}, first layer`,
      last: (order) => `${order}, last layer`,
      scaled: (order) => `${order}, last layer × √L`,
      says: (depth) => `Norm of the gradient for each of ${depth} layers, with post-LN and with pre-LN`,
    },
  };

  controls() {
    const depths = Object.keys(this.numbers["post-LN"]);
    this.range("depth", { min: 0, max: depths.length - 1, value: 0, show: (place) => depths[place] });
    this.range("seed", { min: 0, max: this.numbers["post-LN"][depths[0]].length - 1, value: 0 });
    this.depths = depths;
  }

  draw(state, width) {
    const { text } = this;
    const depth = this.depths[state.depth],
      layers = Number(depth);
    const runs = Object.keys(ORDERS).map((order) => [order, this.numbers[order][depth][state.seed]]);
    const most = Math.max(...Object.keys(ORDERS).flatMap((order) => Object.values(this.numbers[order]).flat(2)));
    const left = 34,
      right = width - 66,
      top = 28,
      bottom = 182;
    const x = (layer) => left + ((right - left) * (layer - 1)) / (layers - 1);
    const y = (norm) => bottom - ((bottom - top) * norm) / most;
    const picture = svg(
      "svg",
      { height: bottom + 40 },
      ticks({ y, values: [0, 0.5, 1, 1.5, 2].filter((value) => value <= most), left, right }),
      svg("text", { x: left, y: 13, class: "strong" }, text.norm),
      called(
        right + 10,
        runs.map(([name, norms]) => ({ name, kind: ORDERS[name].kind, y: y(norms.at(-1)) })),
      ),
      [1, layers / 2, layers].map((layer) =>
        svg("text", { x: x(layer), y: bottom + 16, class: "middle small" }, String(layer)),
      ),
      svg("text", { x: (left + right) / 2, y: bottom + 34, class: "middle small" }, text.layer),
      runs.map(([order, norms]) =>
        curve(
          norms.map((norm, i) => [x(i + 1), y(norm)]),
          ORDERS[order],
        ),
      ),
    );
    return {
      picture,
      says: text.says(depth),
      numbers: [
        ...runs.map(([order, norms]) => [text.first(order), norms[0].toFixed(3)]),
        ...runs.map(([order, norms]) => [text.last(order), norms.at(-1).toFixed(3)]),
        ...runs.map(([order, norms]) => [text.scaled(order), (norms.at(-1) * Math.sqrt(layers)).toFixed(3)]),
      ],
    };
  }
}
