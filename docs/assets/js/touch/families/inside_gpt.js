import { continued, passed } from "../maths/translator/gpt_trace.js";
import { GPT } from "../maths/translator/gpt.js";
import { BOS, EOS } from "../maths/translator/model.js";
import {
  decoderBlocks,
  GPT_PAGES,
  headsAsText,
  headsIn,
  PAGES,
  scoresIn,
  stations,
} from "../maths/translator/stations.js";
import { Prompted } from "../prompted.js";
import { html } from "../touchable.js";
import { walking, withWords } from "../walking.js";

/** Characters of a prompt. */
const LONGEST = 14;
/** How a blank is shown. */
const BLANK = "␣";
/** Whether any head of a block is on. */
const attends = (block, off) => [...headsIn(block)].some((name) => !off.has(name));

export default class extends walking(Prompted) {
  static style = `${super.style}.meant { display: flex; flex-wrap: wrap; gap: 0.3rem; }`;

  static typed = "prompt";

  static text = withWords({
    ko: {
      prompt: `프롬프트 (${LONGEST}자까지)`,
      example: "모든 국민은 ",
      prompts: ["대통령은 ", "국회는 "],
      strongest: 0,
      follows: 8, // so many characters
      layers: "어텐션을 켤 층",
      blocks: { input: "임베딩", self: "셀프 어텐션", ffn: "피드포워드", output: "출력" },
      short: { input: "임베딩", self: "셀프", ffn: "FFN", output: "출력" },
      steps: { norm: "정규화", add: "더하기" },
      panels: { embedded: "임베딩", positions: "학습한 위치", inner: "LayerNorm(x)", hidden: "GELU(xW_{1} + b_{1})" },
      says: {
        input: ({ n, d }) =>
          `글자 ${n}개(<s> 포함)가 각각 ${d}차원 벡터가 됩니다. 글자의 임베딩과 그 위치의 벡터를 더한 것으로, 둘 다 학습한 값입니다.`,
        norm: () =>
          "어텐션이나 피드포워드에 넣기 전에 정규화합니다(pre-LN). 정규화한 벡터는 여기에만 쓰고, 나중에 F(x)를 더하는 것은 원래의 x입니다.",
        final: () =>
          "마지막 층 다음에 층 정규화가 한 번 더 있습니다. 층을 지나며 커진 벡터를 로짓을 구하기 전에 정규화합니다.",
        add: () =>
          "들어온 x에 F(x)를 더해 넘깁니다. 여기에서는 정규화하지 않으므로 x가 그대로 남아 다음 층으로 이어집니다.",
        hidden: ({ d }) => `토큰마다 따로 ${d}차원으로 넓히고 GELU를 적용합니다. 음수는 0에 가까운 수가 됩니다.`,
      },
      timeline: "글: 글자를 누르면 그 글자를 예측하는 순간을 봅니다",
      made: "프롬프트와 생성한 글",
      unchanged: "바꾸기 전의 글",
      space: "공백",
    },
    en: {
      prompt: `Prompt (up to ${LONGEST} characters)`,
      example: "The President ",
      prompts: ["No person ", "The Congress "],
      strongest: 3,
      follows: 14,
      layers: "Attention in layer",
      blocks: { input: "Embedding", self: "Self-attention", ffn: "Feed-forward", output: "Output" },
      short: { input: "Emb", self: "Self", ffn: "FFN", output: "Out" },
      steps: { norm: "Norm", add: "Add" },
      panels: {
        embedded: "Embedding",
        positions: "Learned positions",
        inner: "LayerNorm(x)",
        hidden: "GELU(xW_{1} + b_{1})",
      },
      says: {
        input: ({ n, d }) =>
          `Each of the ${n} tokens, <s> and the characters, becomes a vector of dimension ${d}: the embedding of the character plus a vector for its position, both of them learned.`,
        norm: () =>
          "Vectors are normalized before they enter attention or the feed-forward network (pre-LN). Only the sublayer gets these: F(x) will be added to x itself.",
        final: () =>
          "One more layer norm follows the last layer: vectors have grown on the way, and are normalized before the logits.",
        add: () =>
          "F(x) is added to the input x, and the sum is passed on. Nothing is normalized here, so x itself goes on to the next layer.",
        hidden: ({ d }) =>
          `Each token by itself is mapped to ${d} dimensions, then GELU is applied, which brings negative numbers close to 0.`,
      },
      timeline: "Text: choose a character to see how it is predicted",
      made: "Prompt and continuation",
      unchanged: "Text before the change",
      space: "space",
    },
  });

  way = stations(decoderBlocks(3), true);

  get most() {
    return LONGEST + this.text.follows;
  }

  pages = { ...PAGES, ...GPT_PAGES };

  asked() {
    this.field("prompt", { value: this.text.example, most: LONGEST, lang: this.language });
    this.examples = html(
      "div",
      { class: "meant wide" },
      [this.text.example, ...this.text.prompts].map((prompt) => {
        const button = html("button", { type: "button" }, prompt.trim());
        button.addEventListener("click", () => this.set({ prompt }));
        return button;
      }),
    );
    // one tap turns off the four heads of a layer; when the picture is drawn, each shows whether they are on
    this.layers = this.way
      .filter(({ at }) => at.endsWith("self.weights"))
      .map(({ block }, layer) => {
        const button = html("button", { type: "button" }, String(layer + 1));
        button.addEventListener("click", () => {
          const off = headsIn(this.state.off),
            change = attends(block, off) ? "add" : "delete";
          for (const name of headsIn(block)) off[change](name);
          this.set({ off: headsAsText(off) });
        });
        return { block, button };
      });
    const layers = html(
      "div",
      { class: "meant wide", role: "group", "aria-label": this.text.layers },
      html("span", {}, this.text.layers),
      this.layers.map(({ button }) => button),
    );
    this.box.append(this.examples, layers, this.above);
  }

  /** The first station; the head is the one of the first layer that is worth most. */
  beginning() {
    return {
      at: this.way[0].at,
      prompt: this.text.example,
      step: this.firstStep(this.text.example),
      head: this.text.strongest,
    };
  }

  /** The first character after a prompt. */
  firstStep(prompt) {
    return Math.max(1, [...prompt].length + 1);
  }

  named(ids) {
    return ids.map((id) => this.vocabulary[id]);
  }

  plainly(name) {
    return name === BLANK ? `${BLANK} (${this.text.space})` : name;
  }

  get vocabulary() {
    this.names ??= this.model.tokens.map((token) => (token === " " ? BLANK : token));
    return this.names;
  }

  /** The blocks for the characters before the one that is predicted now, with what the reader has changed and without it. */
  traced() {
    const changes = { off: headsIn(this.state.off), scores: scoresIn(this.state.scores) };
    const key = JSON.stringify([this.ids, this.state.off, this.state.scores]);
    this.gpt ??= new GPT(this.model);
    if (this.plain?.ids !== this.ids)
      this.plain = { ids: this.ids, passes: new Map(), made: continued(this.gpt, this.ids, this.text.follows) };
    /** @type {{ key?: string, ids?: number[], changes?: typeof changes, passes: Map<string, any>, made?: number[] }} */
    let own = this.plain;
    if (changes.off.size + changes.scores.size > 0) {
      own = this.own?.key === key ? this.own : { key, changes, passes: new Map() };
      own.made ??= continued(this.gpt, this.ids, this.text.follows, changes, this.plain.made.slice(this.ids.length));
      this.own = own;
    }
    return {
      ...this.moment(own, this.plain, (one, tokens) => passed(this.gpt, [BOS, ...tokens], one.changes)),
      given: this.ids.length,
    };
  }

  written(made) {
    return made
      .filter((id) => id !== EOS)
      .map((id) => this.model.tokens[id])
      .join("");
  }

  draw(state, width) {
    const { ids, problem } = this.read(state.prompt),
      off = headsIn(state.off);
    for (const { block, button } of this.layers) button.setAttribute("aria-pressed", String(attends(block, off)));
    if (!problem && String(ids) !== String(this.ids)) this.ids = ids;
    const drawn = this.ids
      ? this.walked(state, width, (made) => this.written(made))
      : { picture: html("p"), numbers: [] }; // of what could be read last
    drawn.picture.classList.toggle("old", Boolean(problem));
    return problem ? { ...drawn, numbers: [problem, ...drawn.numbers.slice(1)] } : drawn;
  }
}
