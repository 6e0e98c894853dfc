import { BESIDE } from "../beside.js";
import { entropy, norm, softmax, softmaxJacobian } from "../maths/attention.js";
import { deviation, dotProducts, histogram, median } from "../maths/random.js";
import { Touchable, svg } from "../touchable.js";

const QUERIES = 64,
  KEYS = 16;
/** Edges of the histogram for narrow and for wide scores; what lies beyond is counted in the outermost bins. */
const EDGES = [4, 60],
  BINS = 120;
const DIVISORS = { one: () => 1, root: Math.sqrt, full: (d) => d };

export default class extends Touchable {
  static style = BESIDE;

  static above = 1;

  static text = {
    ko: {
      power: "헤드 차원 d_{k}",
      divisor: "q·k를 나누는 수",
      divisors: { one: "1 (나누지 않음)", root: "√d_{k}", full: "d_{k}" },
      sample: "새로 뽑기",
      scores: `점수 ${QUERIES * KEYS}개의 분포`,
      weights: `쿼리 하나의 가중치 (가로축은 키 ${KEYS}개)`,
      deviation: "점수의 표준편차",
      largest: "가장 큰 가중치",
      median: `쿼리 ${QUERIES}개에서 그 중앙값`,
      entropy: `엔트로피 (최대 ${Math.log(KEYS).toFixed(2)})`,
      norm: "야코비 행렬의 노름",
      gradient: "q·k에 대한 기울기 (노름 ÷ 나누는 수)",
      pair: (one, all) => `${one} (쿼리 ${QUERIES}개: 중앙값 ${all})`,
      says: (deviation, largest) =>
        `표준편차가 ${deviation}인 점수의 히스토그램과, 가장 큰 것이 ${largest}인 가중치의 막대`,
    },
    en: {
      power: "Head size d_{k}",
      divisor: "q·k is divided by",
      divisors: { one: "1 (unscaled)", root: "√d_{k}", full: "d_{k}" },
      sample: "New sample",
      scores: `Distribution of ${QUERIES * KEYS} scores`,
      weights: `Weights of one query, by key`,
      deviation: "Std. deviation of the scores",
      largest: "Largest weight",
      median: `Its median over ${QUERIES} queries`,
      entropy: `Entropy (at most ${Math.log(KEYS).toFixed(2)})`,
      norm: "Norm of the Jacobian",
      gradient: "Gradient for q·k (norm ÷ divisor)",
      pair: (one, all) => `${one} (median of ${QUERIES}: ${all})`,
      says: (deviation, largest) =>
        `Histogram of scores with standard deviation ${deviation}, and weights as bars, the largest ${largest}`,
    },
  };

  controls() {
    this.range("power", { wide: true, min: 0, max: 9, value: 9, show: (power) => String(2 ** power) });
    this.choice("divisor", { options: this.text.divisors, value: "one" });
    this.state.seed = 1;
    this.action("sample", () => this.set({ seed: this.state.seed + 1 }));
  }

  /** Random numbers take longest, and stay while only the divisor changes. */
  products(d, seed) {
    if (this.drawn?.d !== d || this.drawn.seed !== seed)
      this.drawn = { d, seed, rows: dotProducts(QUERIES, KEYS, d, seed) };
    return this.drawn.rows;
  }

  draw({ power, divisor, seed }, width) {
    const { text } = this;
    const d = 2 ** power,
      by = DIVISORS[divisor](d);
    const rows = this.products(d, seed).map((row) => row.map((product) => product / by));
    const weights = rows.map(softmax);
    const entropies = weights.map(entropy),
      norms = weights.map((row) => norm(softmaxJacobian(row)));
    const scores = rows.flat(),
      spread = deviation(scores).toFixed(3),
      edge = EDGES[Number(spread) < 1.5 ? 0 : 1],
      largest = Math.max(...weights[0]).toFixed(4);

    const side = width < 480,
      half = side ? width : (width - 30) / 2,
      high = 76;
    const counts = histogram(scores, -edge, edge, BINS),
      most = Math.max(...counts);
    const bars = (numbers, top, kind, x, y) =>
      numbers.map((number, n) =>
        svg("rect", {
          x: x + (n * half) / numbers.length,
          width: half / numbers.length,
          class: kind,
          y: y + high - (number / top) * high,
          height: (number / top) * high,
        }),
      );
    const panel = (title, kind, x, y, content, labels) => [
      svg("text", { x, y: y - 8, class: `${kind} strong` }, title),
      content,
      svg("line", { x1: x, x2: x + half, y1: y + high, y2: y + high, class: "faint" }),
      labels.map(([share, label, place]) =>
        svg("text", { x: x + share * half, y: y + high + 15, class: `small ${place}` }, label),
      ),
    ];
    const x = side ? 0 : half + 30,
      y = side ? high + 72 : 22;
    const edges = [
      [0, `≤ −${edge}`, ""],
      [0.5, "0", "middle"],
      [1, `≥ ${edge}`, "end"],
    ];
    const picture = svg(
      "svg",
      { height: y + high + 22 },
      panel(text.scores, "weight", 0, 22, bars(counts, most, "weight", 0, 22), edges),
      panel(
        text.weights,
        "weight",
        x,
        y,
        bars(weights[0], 1, "weight", x, y),
        weights[0].map((_, n) => [(n + 0.5) / KEYS, String(n), "middle"]).filter((_, n) => n % 5 === 0),
      ),
      svg("text", { x: x + half, y: y + 10, class: "small end" }, "1"),
    );
    return {
      picture,
      says: text.says(spread, largest),
      numbers: [
        [text.largest, largest],
        [text.median, median(weights.map((row) => Math.max(...row))).toFixed(4)],
        [text.deviation, spread],
        [text.entropy, text.pair(entropies[0].toFixed(3), median(entropies).toFixed(3))],
        [text.norm, text.pair(norms[0].toFixed(4), median(norms).toFixed(4))],
        [text.gradient, text.pair((norms[0] / by).toFixed(4), (median(norms) / by).toFixed(4))],
      ],
    };
  }
}
