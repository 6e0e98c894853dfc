import { decoded, translated } from "../maths/translator/trace.js";
import { headsIn, scoresIn, stations, translatorBlocks } from "../maths/translator/stations.js";
import { greedy } from "../maths/translator/greedy.js";
import { BOS } from "../maths/translator/model.js";
import { MOST, Translating } from "../translating.js";
import { walking, withWords } from "../walking.js";

export default class extends walking(Translating) {
  static typed = "date";

  static text = withWords({
    ko: {
      date: "날짜",
      stacks: { e: "인코더", d: "디코더" },
      blocks: { input: "임베딩", self: "셀프 어텐션", cross: "크로스 어텐션", ffn: "피드포워드", output: "출력" },
      short: { input: "임베딩", self: "셀프", cross: "크로스", ffn: "FFN", output: "출력" },
      steps: { add: "더하고 정규화" },
      panels: {
        embedded: "임베딩 × √d_{model}",
        positions: "위치 인코딩",
        inner: "입력 x",
        hidden: "ReLU(xW_{1} + b_{1})",
      },
      says: {
        input: ({ n, d }) =>
          `토큰 ${n}개가 각각 ${d}차원 벡터가 됩니다. 토큰의 임베딩에 √d_{model}을 곱하고, 그 위치의 사인과 코사인을 더합니다.`,
        projectCross: () =>
          "쿼리는 디코더의 벡터로, 키와 밸류는 인코더의 출력으로 만듭니다. 번역문과 원문은 여기서만 만납니다.",
        scores: () => "쿼리와 키의 내적을 √d_{k}로 나눈 것이 점수입니다. 행은 쿼리, 열은 키입니다.",
        scoresCross: () =>
          "번역문의 토큰(행)마다 원문의 토큰(열) 하나하나에 점수를 매깁니다. 점수는 쿼리와 키의 내적을 √d_{k}로 나눈 것입니다.",
        add: () =>
          "들어온 x에 F(x)를 더하고, 토큰마다 평균이 0, 분산이 1이 되게 정규화한 다음 γ를 곱하고 β를 더합니다.",
        hidden: ({ d }) => `토큰마다 따로 ${d}차원으로 넓히고 음수를 0으로 바꿉니다. 빈칸이 0입니다.`,
      },
      timeline: "번역문: 토큰을 누르면 그 토큰을 생성하는 순간을 보여 줍니다",
      made: "번역",
      unchanged: "바꾸기 전의 번역",
    },
    en: {
      date: "Date",
      stacks: { e: "Encoder", d: "Decoder" },
      blocks: {
        input: "Embedding",
        self: "Self-attention",
        cross: "Cross-attention",
        ffn: "Feed-forward",
        output: "Output",
      },
      short: { input: "Emb", self: "Self", cross: "Cross", ffn: "FFN", output: "Out" },
      steps: { add: "Add & norm" },
      panels: {
        embedded: "Embedding × √d_{model}",
        positions: "Positional encoding",
        inner: "Input x",
        hidden: "ReLU(xW_{1} + b_{1})",
      },
      says: {
        input: ({ n, d }) =>
          `Each of the ${n} tokens becomes a vector of dimension ${d}: its embedding times √d_{model}, plus the sines and cosines of its position.`,
        projectCross: () =>
          "Queries come from the decoder, keys and values from the encoder’s output. Only here do the translation and the source meet.",
        scores: () =>
          "A score is the dot product of a query and a key, divided by √d_{k}. Rows are queries, columns are keys.",
        scoresCross: () =>
          "Each token of the translation (row) scores each token of the source (column): the dot product of query and key, divided by √d_{k}.",
        add: () =>
          "F(x) is added to the input x. Each token is then normalized to mean 0 and variance 1, multiplied by γ and shifted by β.",
        hidden: ({ d }) =>
          `Each token by itself is mapped to ${d} dimensions, and negative numbers become 0. Empty cells are zeros.`,
      },
      timeline: "Translation: choose a token to see how it is generated",
      made: "Translation",
      unchanged: "Translation before the change",
    },
  });

  way = stations(translatorBlocks(2));

  most = MOST;

  /** The first station, at the month. */
  beginning() {
    return { at: this.way[0].at, date: this.text.example, step: 6, head: 1 };
  }

  get vocabulary() {
    return this.model.tokens;
  }

  /** The blocks for the tokens up to the one that is generated now, with what the reader has changed and without it. */
  traced() {
    const changes = { off: headsIn(this.state.off), scores: scoresIn(this.state.scores) };
    const isChanged = changes.off.size + changes.scores.size > 0;
    const own = this.run([this.state.off, this.state.scores], (model, ids) => {
      const source = ids.join();
      if (this.plain?.source !== source) {
        const guess = Array.from(greedy(model, ids, MOST), ({ id }) => id);
        this.plain = { source, model, passes: new Map(), ...translated(model, ids, MOST, undefined, guess) };
      }
      return isChanged
        ? { model, changes, passes: new Map(), ...translated(model, ids, MOST, changes, this.plain.made) }
        : this.plain;
    });
    const pass = (one, tokens) => decoded(one.model, [BOS, ...tokens], one.memory, one.changes);
    const found = this.moment(own, this.plain, pass);
    return { ...found, blocks: { ...own.memory, ...found.blocks } };
  }

  translated(state, width) {
    this.sourceNames = [...this.tokens, "</s>"];
    return this.walked(state, width, (made) => this.written(made));
  }
}
