import { BESIDE } from "../beside.js";
import { softLookup } from "../maths/attention.js";
import { Touchable, svg } from "../touchable.js";

export default class extends Touchable {
  static style = BESIDE;

  static numbers = true;

  static above = 1;

  static text = {
    ko: {
      query: "쿼리",
      queries: { pen: "볼펜", refrigerator: "냉장고" },
      items: ["연필", "샤프", "공책", "가위", "자"],
      score: (item, price) => `점수: ${item} (${price}원)`,
      scale: "모든 점수에 곱하는 수 (온도의 역수)",
      weights: "가중치",
      shares: "몫 (원)",
      answer: "답",
      answered: (number) => `${number}원`,
      largest: "가장 큰 가중치",
      equal: "모두 같음",
      temperature: "온도",
      says: (answer, weights) =>
        `물건마다 가중치와, 답 ${answer}에서 차지하는 몫을 막대로 그린 그림. 가중치는 ${weights}`,
    },
    en: {
      query: "Query",
      queries: { pen: "ballpoint pen", refrigerator: "refrigerator" },
      items: ["pencil", "mech. pencil", "notebook", "scissors", "ruler"],
      score: (item, price) => `Score: ${item} (${price} cents)`,
      scale: "Factor of all scores (inverse temperature)",
      weights: "weight",
      shares: "share (cents)",
      answer: "Answer",
      answered: (number) => `${number} cents`,
      largest: "Largest weight",
      equal: "all equal",
      temperature: "Temperature",
      says: (answer, weights) =>
        `Bars for each item: its weight, and its share of the answer, ${answer}. The weights: ${weights}`,
    },
  };

  get prices() {
    return this.numbers.prices[this.language];
  }

  /** The scores that each query gives. */
  get queries() {
    return { pen: this.numbers.scores, refrigerator: this.prices.map(() => -9) };
  }

  controls() {
    const { text, prices } = this;
    this.choice("query", { options: text.queries, value: "pen" });
    text.items.forEach((item, place) => {
      const show = (score) => score.toFixed(1);
      const value = this.numbers.scores[place];
      this.range(`score-${place}`, { min: -9, max: 5, step: 0.1, value, show, label: text.score(item, prices[place]) });
    });
    this.range("scale", { wide: true, min: 0, max: 5, step: 0.1, value: 1, show: (scale) => scale.toFixed(1) });
  }

  /** A query sets all scores; a score that is moved is no longer that of a query. */
  set(values) {
    const scores = Object.fromEntries(
      (this.queries[values.query] ?? []).map((score, place) => [`score-${place}`, score]),
    );
    const query = Object.keys(values).some((name) => name.startsWith("score-")) && { query: "" };
    super.set({ ...scores, ...query, ...values });
  }

  draw(state, width) {
    const { text, prices } = this,
      lowest = Math.min(...prices),
      highest = Math.max(...prices);
    const scores = prices.map((_, place) => state.scale * state[`score-${place}`]);
    const { answer, weights } = softLookup(scores, prices);
    const largest = Math.max(...weights);
    const best =
      largest - Math.min(...weights) < 1e-9
        ? text.equal
        : text.items.filter((_, place) => largest - weights[place] < 1e-9).join(", ");
    const left = 90,
      gap = 16,
      room = (width - left - gap) / 2,
      row = 24;
    const bar = (x, y, share, kind, label) => [
      svg("rect", { x, y: y + 4, width: Math.max(1, share * (room - 46)), height: row - 8, class: kind }),
      svg("text", { x: x + share * (room - 46) + 4, y: y + 17, class: "small" }, label),
    ];
    // the answer on an axis of prices: a mean of them, so it never leaves their range
    const axis = 24 + row * prices.length + 26,
      at = (price) => left + ((width - left - 40) * price) / highest,
      marks = [...new Set(prices)].sort((a, b) => a - b);
    const picture = svg(
      "svg",
      { height: axis + 20 },
      svg("text", { x: left - 6, y: axis + 4, class: "output strong end" }, text.answer),
      svg("line", { x1: at(lowest), x2: at(highest), y1: axis, y2: axis, class: "faint" }),
      marks.map((price, i) => [
        svg("line", { x1: at(price), x2: at(price), y1: axis - 4, y2: axis + 4, class: "faint" }),
        // two that are near would touch on a phone; the price stands at its bar as well
        (i === 0 || at(price) - at(marks[i - 1]) >= 34) &&
          svg("text", { x: at(price), y: axis + 17, class: "small middle" }, String(price)),
      ]),
      svg("circle", { cx: at(answer), cy: axis, r: 6, class: "output" }),
      svg("text", { x: left, y: 14, class: "weight strong" }, text.weights),
      svg("text", { x: left + room + gap, y: 14, class: "output strong" }, text.shares),
      text.items.map((item, place) => {
        const y = 24 + place * row,
          share = weights[place] * prices[place];
        return [
          svg("text", { x: left - 6, y: y + 17, class: "end" }, item),
          bar(left, y, weights[place], "weight", weights[place].toFixed(4)),
          bar(left + room + gap, y, share / highest, "output", share.toFixed(1)),
        ];
      }),
    );
    const answered = text.answered(answer.toFixed(1));
    return {
      picture,
      says: text.says(answered, text.items.map((item, place) => `${item} ${weights[place].toFixed(4)}`).join(", ")),
      numbers: [
        [text.answer, answered],
        [text.largest, `${best} ${largest.toFixed(4)}`],
        [text.temperature, state.scale ? (1 / state.scale).toFixed(2) : "∞"],
      ],
    };
  }
}
