import { BESIDE } from "../beside.js";
import { entropy } from "../maths/softmax.js";
import { greedy } from "../maths/translator/greedy.js";
import { best } from "../maths/translator/layers.js";
import { BOS } from "../maths/translator/model.js";
import { share } from "../glosses.js";
import { svg } from "../touchable.js";
import { MAP, map } from "../mapping.js";
import { MOST, Translating } from "../translating.js";
import { mean, placed } from "../aligning.js";

/** Pixels: how high a row of a map in small is. */
const SMALL = 4;

export default class extends Translating {
  static style = `${Translating.style}${MAP}${BESIDE}
    .other { fill: none; stroke: var(--figure-faint); stroke-width: 0.5; }`;

  static text = {
    ko: {
      kind: "어텐션",
      kinds: { cross: "크로스 어텐션", encoder: "인코더의 셀프 어텐션", own: "디코더의 셀프 어텐션" },
      layer: "층",
      layers: ["첫째 층", "둘째 층"],
      head: "헤드",
      all: "평균",
      row: "쿼리의 위치",
      query: "쿼리의 토큰",
      predicts: "이 위치에서 예측하는 토큰",
      seen: "가장 많이 본 토큰",
      entropy: "가중치의 엔트로피 (비트)",
      queries: "예측할 토큰",
      own: "쿼리",
      keys: "키",
      says: (kind, row, seen) => `${kind} 맵. ${row} 행에서 가장 많이 본 토큰은 ${seen}`,
    },
    en: {
      kind: "Attention",
      kinds: {
        cross: "cross-attention",
        encoder: "self-attention of the encoder",
        own: "self-attention of the decoder",
      },
      layer: "Layer",
      layers: ["first", "second"],
      head: "Head",
      all: "mean",
      row: "Position of the query",
      query: "Token of the query",
      predicts: "Token predicted there",
      seen: "Attended to most",
      entropy: "Entropy of the weights (bits)",
      queries: "predicted",
      own: "queries",
      keys: "keys",
      says: (kind, row, seen) => `A map of ${kind}. In the row ${row}, the tokens attended to most are ${seen}`,
    },
  };

  controls() {
    this.asked();
    this.choice("kind", { options: this.text.kinds, value: "cross" });
    const options = Object.fromEntries(this.text.layers.map((name, layer) => [layer, name]));
    this.choice("layer", { options, value: "1" });
    this.choice("head", { options: { all: this.text.all, ...[1, 2, 3, 4] }, value: "all" });
    this.range("row", { wide: true, min: 1, max: MOST, value: 5 });
  }

  translated(state, width) {
    const { text } = this;
    const found = this.run("", (model, ids) => {
      const memory = model.encode(ids);
      return { steps: [...greedy(model, ids, MOST, memory)], encoder: memory.weights };
    });
    const source = [...this.tokens, "</s>"];
    const made = this.named(found.steps.map((step) => step.id));
    const before = [this.model.tokens[BOS], ...made.slice(0, -1)];
    const byRow = // of each query, the weights of all heads
      state.kind === "encoder"
        ? found.encoder[state.layer]
        : found.steps.map((step) => step.weights[state.kind][state.layer]);
    const columns = state.kind === "own" ? before : source;
    const seenBy = (head) =>
      byRow.map((heads) => {
        const seen = head === "all" ? mean(heads) : heads[head];
        return columns.map((_, key) => seen[key] ?? 0); // the mask hides the rest
      });
    const weights = seenBy(state.head);
    const rows = { encoder: source, cross: made, own: before }[state.kind];
    const place = this.upTo("row", rows.length) - 1;
    const most = best(weights[place], 3);
    const seen = most.map((key) => `${placed(columns, key, text.place)} ${share(weights[place][key])}`).join(" · ");
    const bits = entropy(weights[place]) / Math.LN2;
    return {
      picture: this.withHeads(seenBy, width, {
        rows,
        columns,
        weights,
        titles: [state.kind === "cross" ? text.queries : text.own, text.keys],
        current: place,
        pick: (row) => this.set({ row: row + 1 }),
      }),
      says: text.says(text.kinds[state.kind], rows[place], seen),
      numbers: [
        [text.translation, this.written(found.steps.map((step) => step.id))],
        [text.query, state.kind === "encoder" ? source[place] : before[place]],
        [text.predicts, state.kind === "encoder" ? "–" : made[place]],
        [text.seen, seen],
        [text.entropy, bits.toFixed(2)],
      ],
    };
  }

  /** The map of what is chosen, and below it, in small, those of all heads and of their mean: a tap chooses one. */
  withHeads(seenBy, width, chosen) {
    const picture = map({ ...chosen, width });
    const top = Number(picture.getAttribute("height")) + 22,
      pitch = width / 5;
    const heads = ["all", "0", "1", "2", "3"].map((head, place) => {
      const weights = seenBy(head),
        x = 1 + place * pitch,
        size = (pitch - 10) / weights[0].length;
      const name = head === "all" ? this.text.all : `${this.text.head} ${place}`;
      const group = svg(
        "g",
        { class: "row" },
        svg("text", { class: "small label", x, y: top - 6 }, name),
        svg("rect", { x, y: top, width: pitch - 10, height: SMALL * weights.length, "fill-opacity": 0 }),
        weights.map((row, i) =>
          row.map(
            (weight, j) =>
              weight > 0.02 &&
              svg("rect", {
                class: "weight",
                x: x + j * size,
                y: top + i * SMALL,
                width: size,
                height: SMALL,
                "fill-opacity": weight.toFixed(2),
              }),
          ),
        ),
        svg("rect", {
          class: head === this.state.head ? "current" : "other",
          x: x - 1,
          y: top - 1,
          width: pitch - 8,
          height: SMALL * weights.length + 2,
        }),
      );
      group.addEventListener("click", () => this.set({ head }));
      return group;
    });
    picture.setAttribute("height", String(top + SMALL * chosen.rows.length + 4));
    picture.append(...heads);
    return picture;
  }
}
