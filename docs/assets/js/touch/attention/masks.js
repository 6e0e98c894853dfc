import { BESIDE } from "../beside.js";
import { cells } from "../drawing.js";
import {
  attentionWeights,
  both,
  causalMask,
  maskedSoftmax,
  not,
  paddingMask,
  scaledScores,
} from "../maths/attention.js";
import { Touchable, svg } from "../touchable.js";

/** The tokens of snippets/figures/attention/masks.py: each is query, key and value. */
export const TOKENS = [
  [-0.0766, 0.3599, -0.782, 0.0715],
  [1.046, 0.5222, -0.1668, 0.053],
  [0.4046, 0.6113, 0.7604, -0.0336],
  [0.9979, 0.4592, 2.4364, -0.1468],
  [0.4851, 0.2052, 0.3384, 1.3528],
];
const SCORES = scaledScores(TOKENS, TOKENS);

export default class extends Touchable {
  static style = BESIDE;

  static text = {
    ko: {
      padding: "패딩으로 바꿀 토큰",
      tokens: ["가", "나", "다", "라", "마"],
      pad: "패딩",
      padded: (token) => `${token}(패딩)`,
      count: (count, tokens) => `${count}개: ${tokens.join(", ")}`,
      causal: "인과 마스크",
      polarity: "마스크를 받는 함수에서 True의 뜻",
      polarities: { allowed: "허용 (이 책, F.scaled_dot_product_attention)", masked: "차단 (nn.MultiheadAttention)" },
      passed: "볼 수 있는 칸",
      weights: "가중치 (−∞ 뒤 소프트맥스)",
      query: "쿼리",
      key: "키",
      pairs: "볼 수 있는 쌍",
      future: "그중 미래를 보는 쌍",
      empty: "완전히 마스킹된 쿼리",
      none: "없음",
      row: "그 행의 가중치: −∞ 뒤 소프트맥스 / 이 책의 함수",
      says: (pairs) => `쿼리와 키 다섯 개씩의 표 두 개. 볼 수 있는 쌍은 ${pairs}이고, 그 가중치가 함께 적혀 있다.`,
    },
    en: {
      padding: "Tokens that are padding",
      tokens: ["A", "B", "C", "D", "E"],
      pad: "pad",
      padded: (token) => `${token} (padding)`,
      count: (count, tokens) => `${count}: ${tokens.join(", ")}`,
      causal: "Causal mask",
      polarity: "What True means to the function that gets the mask",
      polarities: {
        allowed: "allowed (this book, F.scaled_dot_product_attention)",
        masked: "masked (nn.MultiheadAttention)",
      },
      passed: "allowed",
      weights: "weights (−∞, then softmax)",
      query: "query",
      key: "key",
      pairs: "Allowed pairs",
      future: "Of these, pairs that look into the future",
      empty: "Fully masked queries",
      none: "none",
      row: "Their weights: −∞, then softmax / this book's function",
      says: (pairs) =>
        `Two tables of five queries and five keys: which pairs are allowed, ${pairs}, and their weights.`,
    },
  };

  controls() {
    const { text } = this;
    const group = this.group(text.padding);
    text.tokens.forEach((token, place) =>
      this.check(`pad-${place}`, { value: place === 4, into: group, label: token }),
    );
    this.check("causal", { value: true });
    this.choice("polarity", { options: text.polarities, value: "allowed" });
  }

  draw(state, width) {
    const { text } = this;
    const n = TOKENS.length,
      padding = TOKENS.map((_, place) => state[`pad-${place}`]);
    const mask = state.causal ? both(causalMask(n), paddingMask(padding)) : paddingMask(padding);
    const allowed = state.polarity === "allowed" ? mask : not(mask);
    const weights = maskedSoftmax(SCORES, allowed),
      ours = attentionWeights(SCORES, allowed);
    const names = text.tokens.map((token, place) => (padding[place] ? text.pad : token));
    const pairs = allowed.flat().filter(Boolean).length;
    const future = allowed.flatMap((row, i) => row.filter((may, j) => may && j > i)).length;
    const empty = [...names.keys()].filter((i) => !allowed[i].some(Boolean));

    const left = 54,
      side = width < 460,
      cell = Math.min(40, (side ? width - left : width / 2 - left - 4) / n),
      height = 22;
    const panel = (title, kind, values, show, x, y) => [
      svg("text", { x, y: y - 26, class: kind ? `${kind} strong` : "strong" }, title),
      svg("text", { x: x - 5, y: y - 8, class: "query small end" }, text.query),
      cells(values, { x, y, width: cell, height, kind: kind || "faint", show, rows: names, columns: names }),
      svg("text", { x: x - 5, y: y + n * height + 14, class: "key small end" }, text.key),
    ];
    const two = (weight) => (Number.isNaN(weight) ? "nan" : weight === 0 ? "0" : weight.toFixed(2));
    const of = (rows) => [...new Set(empty.flatMap((i) => rows[i].map(two)))].join(", ");
    const top = 40,
      x = side ? left : width / 2 + left,
      y = side ? top + n * height + 68 : top;
    // a key is all of its column: whoever taps that has it padded, or not
    const columns = (x, y) =>
      TOKENS.map((_, place) => {
        const one = svg("rect", {
          x: x + place * cell,
          y,
          width: cell,
          height: n * height + 20,
          "fill-opacity": 0,
          style: "cursor: pointer",
        });
        one.addEventListener("click", () => this.set({ [`pad-${place}`]: !padding[place] }));
        return one;
      });
    const picture = svg(
      "svg",
      { height: y + n * height + 20 },
      panel(
        text.passed,
        "",
        allowed.map((row) => row.map(Number)),
        String,
        left,
        top,
      ),
      panel(text.weights, "weight", weights, two, x, y),
      columns(left, top),
      columns(x, y),
    );
    return {
      picture,
      says: text.says(`${pairs}/${n * n}`),
      numbers: [
        [
          text.empty,
          empty.length
            ? text.count(
                empty.length,
                empty.map((i) => (padding[i] ? text.padded : String)(text.tokens[i])),
              )
            : text.none,
        ],
        [text.row, empty.length ? [weights, ours].map(of).join(" / ") : "—"],
        [text.pairs, `${pairs} / ${n * n}`],
        [text.future, String(future)],
      ],
    };
  }
}
