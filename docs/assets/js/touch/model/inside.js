import { decoded, explained, translated } from "../maths/translator/trace.js";
import {
  aspectOf, attends, blocks as blocksOf, headsAsText, headsIn, kindOf, PAGES, readFrom, scoresAsText, scoresIn, stations, written,
} from "../maths/translator/stations.js";
import { greedy, nextLogP } from "../maths/translator/decoding.js";
import { best } from "../maths/translator/layers.js";
import { BOS } from "../maths/translator/model.js";
import { fixed, html } from "../touchable.js";
import { share } from "../mapping.js";
import { MOST, Translating } from "../translating.js";

const LAYERS = 2;
const HEADS = [0, 1, 2, 3];
/** Milliseconds from one station to the next while they are played. */
const PACE = 1800;
/** The root of this language's site, below which the pages are. */
const ROOT = new URL("../../../../", import.meta.url);
/** Where one begins: where the last layer looks when it generates the month. */
const FIRST = { at: "d1.cross.weights", date: "", step: 6, head: 1, panel: -1, row: -1, column: -1, off: "", scores: "" };
/** Colours of panels, as in all figures of the book. */
const COLOURS = {
  queries: "query", keys: "key", values: "value", scores: "weight", weights: "weight", head: "output", concatenated: "output",
  output: "output", hidden: "query", logits: "weight", probabilities: "weight",
};
/** Panels of one head, as trace.js calls them; those whose columns are keys, and tokens. */
const OF_HEAD = { queries: "queries", keys: "keys", values: "values", scores: "scores", weights: "weights", head: "output" };
const OVER_KEYS = new Set(["scores", "weights"]), OVER_TOKENS = new Set(["logits", "probabilities"]);
/** Pixels: how wide a cell is at most, from when on its number stands in it, and its column has a
 *  name, and how wide it is at least where matrices stand side by side. */
const [WIDEST, ROOMY, NAMED, TIGHT] = [40, 30, 10, 9];
/** Pixels: what is narrower has the map above the matrices; where it stands beside them, it takes so much. */
const [NARROW, MAP] = [640, 258];

export default class extends Translating {
  static style = `${Translating.style}
    :host { max-width: none; }
    :host(:fullscreen) { background: var(--md-default-bg-color); overflow: auto; padding: 1rem; }
    .controls { align-items: start; gap: 0.3rem 1.2rem; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); }
    .controls > .field, .controls > .meant { grid-column: 1; }
    .controls > .meant { min-height: 0; }
    .controls > .above { grid-column: 2; grid-row: 1 / span 2; margin: 0; }
    .inside { display: grid; gap: 0.6rem 24px; grid-template: "tokens tokens" auto "map stage" auto "next stage" 1fr / 234px minmax(0, 1fr); }
    .inside > * { min-width: 0; }
    .tokens { display: flex; flex-wrap: wrap; gap: 0.2rem; grid-area: tokens; margin: 0; padding: 0; }
    .tokens p { flex: 1 0 100%; margin: 0; }
    .tokens button { display: grid; line-height: 1.25; min-width: 2.1rem; padding: 0.1rem 0.35rem; text-align: center; }
    .tokens small, .cell small, .next small { color: var(--figure-faint); font-size: 11px; }
    .tokens [aria-current] small { color: inherit; } /* on the colour of the current one, faint is too faint */
    .tokens .later { border-style: dashed; }
    [aria-current], [aria-pressed=true] { background: var(--md-accent-fg-color--transparent); border-color: var(--figure-ink); box-shadow: inset 0 0 0 1px var(--figure-ink); }
    .map { align-content: start; display: grid; gap: 0.15rem 0.5rem; grid-area: map; grid-template-columns: 1fr 1fr; grid-template-rows: auto 1fr; }
    .map p { font-weight: 700; margin: 0; }
    .map .key { color: var(--figure-key); }
    .map .query { color: var(--figure-query); }
    .map p { grid-row: 1; }
    .map div { color: var(--figure-ink); align-self: end; display: flex; flex-direction: column-reverse; gap: 0.2rem; }
    .map button { line-height: 1.25; padding: 0.12rem 0.3rem 0.2rem; text-align: left; width: 100%; }
    .map canvas { display: block; height: 10px; image-rendering: pixelated; width: 100%; }
    .map .short { display: none; }
    .stage { align-content: start; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.45rem; grid-area: stage; }
    .sentence { margin: 0; min-height: 4.6em; }
    .sentence b { display: block; font-size: 0.85rem; }
    .sentence a { color: var(--md-typeset-a-color); white-space: nowrap; }
    .tabs, .heads { display: flex; flex-wrap: wrap; gap: 0.25rem; }
    .tabs button { padding-inline: 0.45rem; }
    .heads button { display: grid; gap: 1px; justify-items: start; line-height: 1.3; padding: 0.1rem 0.4rem 0.25rem; }
    .heads .off { border-style: dashed; color: var(--figure-faint); text-decoration: line-through; }
    .heads canvas { image-rendering: pixelated; }
    .changed { align-items: center; border-left: 3px solid var(--figure-output); display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; padding-left: 0.5rem; }
    .panels { align-items: start; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; }
    .panels > div { width: min-content; }
    .panels p { margin: 0 0 0.1rem; }
    .panels p b { margin-right: 0.4rem; }
    .grid { display: grid; gap: 0 6px; grid-template-columns: auto max-content; justify-content: start; }
    .grid ol { font-size: 12px; list-style: none; margin: 0; padding: 0; text-align: right; white-space: nowrap; }
    .grid .across { align-items: end; display: flex; grid-column: 2; }
    .grid .across li { font-size: 11px; line-height: 1; padding-bottom: 3px; writing-mode: vertical-rl; }
    .grid .across span { transform: rotate(180deg); }
    .grid li.lit { font-weight: 700; text-decoration: underline; }
    .grid canvas { cursor: crosshair; display: block; grid-column: 2; touch-action: pan-y; }
    .cell { border-left: 3px solid var(--figure-weight); min-height: 7.6rem; padding-left: 0.6rem; }
    .cell p { margin: 0 0 0.15rem; }
    .cell .terms { font-size: 12px; font-variant-numeric: tabular-nums; line-height: 1.5; max-height: 5.6rem; overflow: auto; }
    .cell .terms span { white-space: nowrap; }
    .next { align-content: start; align-items: center; display: grid; gap: 0.1rem 0.5rem; grid-area: next; grid-template-columns: auto minmax(2rem, 1fr) auto; }
    .next p { font-weight: 700; grid-column: 1 / -1; margin: 0; }
    .next i { background: var(--figure-weight); display: block; height: 0.7rem; min-width: 1px; opacity: 0.75; }
    .next span { font-variant-numeric: tabular-nums; }
    .dock { background: var(--md-default-bg-color); display: grid; gap: 0.3rem 1.2rem; margin-top: 0.3rem; }
    .moves { align-items: center; grid-template-columns: minmax(0, 1fr) auto; }
    .moves .wide { grid-column: auto; }
    .changes { align-items: center; grid-template-columns: minmax(0, 1fr) auto auto auto; }
    .changes a { color: var(--md-typeset-a-color); }
    dl:not(.above) { display: none; } /* it is all in the picture; only read out */
    .scrolls { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
    .scrolls > * { flex: none; }
    summary { cursor: pointer; min-height: 1.6rem; padding-block: 0.15rem; }
    summary b { font-size: 0.8rem; }
    :host([narrow]) .controls { grid-template-columns: minmax(0, 1fr); }
    :host([narrow]) .controls > .above { grid-column: 1; grid-row: auto; }
    :host([narrow]) .changes { grid-template-columns: minmax(0, 1fr) auto; }
    :host([narrow]) .changes .range { grid-column: 1 / -1; }
    :host([narrow]) .inside { gap: 0.3rem; grid-template: "tokens" auto "stage" 1fr "next" auto / minmax(0, 1fr); min-height: 31rem; }
    :host([narrow]) .tokens p { display: none; } /* its name, still */
    :host([narrow]) .map { gap: 0.1rem; grid-template: none / minmax(0, 1fr); }
    :host([narrow]) .map p { grid-row: auto; }
    :host([narrow]) .map div { display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); }
    :host([narrow]) .map button { font-size: 11px; min-height: 40px; min-width: 0; padding: 0; text-align: center; }
    :host([narrow]) .map .short { display: block; }
    :host([narrow]) .map .long, :host([narrow]) .map canvas { display: none; }
    :host([narrow]) .stage { gap: 0.3rem; }
    :host([narrow]) .sentence { font-size: 13px; line-height: 1.4; min-height: 5.6em; }
    :host([narrow]) .sentence b { display: none; } /* it is above the map */
    :host([narrow]) .cell { min-height: 0; }
    :host([narrow]) :is(summary, summary b) { font-size: 13px; line-height: 1.3; }
    :host([narrow]) .heads button { line-height: 1.1; padding-block: 0; }
    :host([narrow]) .heads canvas { height: 24px !important; }
    :host([narrow]) .moves { bottom: 0; display: flex; gap: 0.3rem; padding-block: 0.3rem; position: sticky; z-index: 1; }
    :host([narrow]) .moves .actions { display: contents; }
    :host([narrow]) .moves button { flex: none; padding-inline: 0.35rem; }
    :host([narrow]) .moves .range { flex: auto; grid-template-columns: minmax(0, 1fr); min-width: 0; }
    :host([narrow]) .moves :is(label, output) { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
    @media (pointer: coarse) { summary { align-content: center; min-height: 40px; } }`;

  static text = {
    ko: {
      station: "지금 보는 곳",
      on: "이 헤드 켜기",
      score: "고른 칸의 점수",
      back: "이전", next: "다음", play: "따라가기", stop: "멈추기",
      change: "점수를 바꾸거나 헤드 끄기",
      full: "전체 화면", here: "이 화면의 주소",
      encoder: "인코더", decoder: "디코더",
      blocks: { input: "임베딩", self: "셀프 어텐션", cross: "크로스 어텐션", ffn: "피드포워드", output: "출력" },
      short: { input: "임베딩", self: "셀프", cross: "크로스", ffn: "FFN", output: "출력" },
      layer: (number) => `${number}층`,
      steps: {
        input: "임베딩과 위치", project: "Q, K, V", scores: "점수", weights: "가중치", mix: "가중 평균", concat: "헤드 합치기",
        add: "더하고 정규화", hidden: "넓히기", shrink: "줄이기", logits: "로짓", next: "다음 토큰",
      },
      panels: {
        embedded: "임베딩 × √d_{model}", positions: "위치 인코딩", normed: "출력", queries: "쿼리 Q", keys: "키 K", values: "밸류 V",
        scores: "점수 QKᵀ/√d_{k}", weights: "가중치", head: "이 헤드의 출력", concatenated: "네 헤드를 이은 것", output: "F(x)",
        rows: "입력 x", hidden: "ReLU(xW_{1} + b_{1})", logits: "로짓", probabilities: "확률",
      },
      says: {
        input: ({ n, d }) => `토큰 ${n}개가 각각 ${d}차원 벡터가 됩니다. 토큰의 임베딩에 √d_{model}을 곱하고, 그 위치의 사인과 코사인을 더합니다.`,
        project: ({ d }) => `들어온 벡터마다 쿼리, 키, 밸류를 하나씩 만듭니다. 같은 벡터에 서로 다른 행렬을 곱하며, 헤드 하나의 쿼리는 ${d}차원입니다.`,
        projectCross: () => "쿼리는 디코더의 벡터로, 키와 밸류는 인코더의 출력으로 만듭니다. 번역문과 원문은 여기서만 만납니다.",
        scores: () => "쿼리와 키의 내적을 √d_{k}로 나눈 것이 점수입니다. 행은 쿼리, 열은 키입니다.",
        masked: () => "쿼리와 키의 내적을 √d_{k}로 나눈 것이 점수입니다. 뒤에 오는 토큰의 점수는 −∞로 바꾸어 볼 수 없게 합니다.",
        scoresCross: () => "번역문의 토큰(행)마다 원문의 토큰(열) 하나하나에 점수를 매깁니다. 점수는 쿼리와 키의 내적을 √d_{k}로 나눈 것입니다.",
        weights: ({ row, token, p }) => `행마다 소프트맥스를 적용하면 합이 1인 가중치가 됩니다. ${row} 행에서는 ${token}의 가중치가 ${p}로 가장 큽니다.`,
        mix: () => "가중치로 밸류의 가중 평균을 구합니다. 이 헤드가 토큰 하나에 전해 주는 것은 이 벡터 하나입니다.",
        concat: () => "네 헤드의 출력을 옆으로 잇고 W_{O}를 곱합니다. 헤드들이 가져온 것은 여기서 처음 섞입니다.",
        add: () => "들어온 x에 F(x)를 더하고, 토큰마다 평균이 0, 분산이 1이 되게 정규화한 다음 γ를 곱하고 β를 더합니다.",
        hidden: ({ d }) => `토큰마다 따로 ${d}차원으로 넓히고 음수를 0으로 바꿉니다. 빈칸이 0입니다.`,
        shrink: () => "다시 원래 차원으로 줄입니다. 피드포워드에서는 토큰끼리 정보를 주고받지 않습니다.",
        logits: ({ d }) => `마지막 벡터와 임베딩 행렬의 행 ${d}개를 하나씩 내적한 것이 로짓입니다. 입력에 쓴 행렬을 출력에도 씁니다.`,
        next: ({ row, token, p }) => `로짓에 소프트맥스를 적용하면 확률이 됩니다. ${row} 다음에 올 토큰으로 확률이 가장 높은 것은 ${token}, ${p}입니다.`,
      },
      page: "설명하는 페이지 보기",
      cell: (row, column) => `${row}, ${column}번째 성분`,
      over: (row, column) => `쿼리 ${row}, 키 ${column}`,
      of: (row, column) => `${row} 다음에 ${column}`,
      from: (head, column) => `헤드 ${head}의 ${column}번째 성분을 옮겨 온 것`,
      head: (number) => `헤드 ${number}`,
      headOff: (number) => `헤드 ${number} (꺼짐)`,
      isOff: "이 헤드는 꺼져 있어서 출력이 0입니다.",
      changedScore: (value) => `직접 바꾼 점수: ${value}`,
      masked: "마스크가 가린 칸이라 점수가 −∞, 가중치가 0입니다.",
      zero: "음수라서 ReLU를 거치면 0입니다.",
      changes: (list) => `바꾼 것: ${list}`,
      undo: "되돌리기",
      was: (value) => `전에는 ${value}`,
      probability: (token) => `${token} 다음에 올 토큰`,
      timeline: "번역문: 토큰을 누르면 그 토큰을 생성하는 순간을 봅니다",
      generates: (token, number, p) => `${number}번째 토큰 ${token}, 확률 ${p}`,
      matrix: (name, rows, columns) => `${name}, ${rows}행 ${columns}열. 화살표 키로 칸을 고릅니다.`,
      next_token: "다음 토큰", unchanged: "바꾸기 전의 번역", selected: "고른 칸",
    },
    en: {
      station: "Where you are",
      on: "this head is on",
      score: "Score of the selected cell",
      back: "Back", next: "Next", play: "Play", stop: "Stop",
      change: "Change a score, turn a head off",
      full: "Full screen", here: "Link to this view",
      encoder: "Encoder", decoder: "Decoder",
      blocks: { input: "Embedding", self: "Self-attention", cross: "Cross-attention", ffn: "Feed-forward", output: "Output" },
      short: { input: "Emb", self: "Self", cross: "Cross", ffn: "FFN", output: "Out" },
      layer: (number) => `Layer ${number}`,
      steps: {
        input: "Embedding, position", project: "Q, K, V", scores: "Scores", weights: "Weights", mix: "Weighted mean", concat: "All heads",
        add: "Add & norm", hidden: "Widen", shrink: "Narrow", logits: "Logits", next: "Next token",
      },
      panels: {
        embedded: "Embedding × √d_{model}", positions: "Positional encoding", normed: "Output", queries: "Queries Q", keys: "Keys K", values: "Values V",
        scores: "Scores QKᵀ/√d_{k}", weights: "Weights", head: "Output of this head", concatenated: "All four heads", output: "F(x)",
        rows: "Input x", hidden: "ReLU(xW_{1} + b_{1})", logits: "Logits", probabilities: "Probabilities",
      },
      says: {
        input: ({ n, d }) => `Each of the ${n} tokens becomes a vector of dimension ${d}: its embedding times √d_{model}, plus the sines and cosines of its position.`,
        project: ({ d }) => `Each incoming vector is multiplied by three different matrices, which gives a query, a key and a value. A query of one head has dimension ${d}.`,
        projectCross: () => "Queries come from the decoder, keys and values from the encoder’s output. Only here do the translation and the source meet.",
        scores: () => "A score is the dot product of a query and a key, divided by √d_{k}. Rows are queries, columns are keys.",
        masked: () => "A score is the dot product of a query and a key, divided by √d_{k}. Scores of later tokens are set to −∞, so that they cannot be seen.",
        scoresCross: () => "Each token of the translation (row) scores each token of the source (column): the dot product of query and key, divided by √d_{k}.",
        weights: ({ row, token, p }) => `A softmax over each row turns scores into weights that sum to 1. In the row of ${row}, ${token} has the largest weight, ${p}.`,
        mix: () => "The weights give a weighted mean of the values. This one vector is all that the head passes on to a token.",
        concat: () => "The outputs of the four heads are concatenated and multiplied by W_{O}. Only here is what the heads have found mixed.",
        add: () => "F(x) is added to the input x. Each token is then normalized to mean 0 and variance 1, multiplied by γ and shifted by β.",
        hidden: ({ d }) => `Each token by itself is mapped to ${d} dimensions, and negative numbers become 0. Empty cells are zeros.`,
        shrink: () => "Back to the model’s dimension. In the feed-forward network, tokens exchange nothing.",
        logits: ({ d }) => `The logits are the dot products of the last vector with the ${d} rows of the embedding matrix, the same one as at the input.`,
        next: ({ row, token, p }) => `A softmax turns logits into probabilities. The most probable token after ${row} is ${token}, with ${p}.`,
      },
      page: "Read the page on this",
      cell: (row, column) => `${row}, component ${column}`,
      over: (row, column) => `query ${row}, key ${column}`,
      of: (row, column) => `${column} after ${row}`,
      from: (head, column) => `component ${column} of head ${head}, moved here`,
      head: (number) => `Head ${number}`,
      headOff: (number) => `Head ${number} (off)`,
      isOff: "This head is off, so its output is 0.",
      changedScore: (value) => `score set by you: ${value}`,
      masked: "The mask hides this key: its score is −∞, its weight 0.",
      zero: "The sum is negative: ReLU makes it 0.",
      changes: (list) => `Changed: ${list}`,
      undo: "Undo",
      was: (value) => `was ${value}`,
      probability: (token) => `What follows ${token}`,
      timeline: "Translation: choose a token to see how it is generated",
      generates: (token, number, p) => `token ${number}, ${token}, probability ${p}`,
      matrix: (name, rows, columns) => `${name}, ${rows} rows, ${columns} columns. Arrow keys select a cell.`,
      next_token: "Next token", unchanged: "Translation before the change", selected: "Selected cell",
    },
  };

  // ---- what one moves

  controls() {
    this.picture.before(this.box);
    this.asked();
    this.way = stations(LAYERS);
    this.first = { ...FIRST, date: this.text.example };
    const begin = this.way.findIndex(({ at }) => at === FIRST.at);
    this.paints = [];
    const moves = html("div", { class: "dock moves" }), changes = html("div", { class: "dock changes" });
    const top = this.box;
    this.box = changes; // where controls go from now on
    this.range("score", { min: -15, max: 15, step: 0.1, value: 0, fine: true, show: (number) => fixed(number, 1) });
    this.check("on", { value: true });
    this.box = moves;
    this.range("station", { wide: true, min: 0, max: this.way.length - 1, value: begin, show: (number) => this.called(this.way[number]) });
    this.box = top;
    this.action("back", () => this.set({ station: Math.max(0, this.state.station - 1) }));
    this.action("next", () => this.set({ station: Math.min(this.way.length - 1, this.state.station + 1) }));
    this.action("play", () => this.play());
    this.folds = {}; // on a phone: what is folded away, and whether the reader has opened it
    this.docks = [moves, changes, html("details", { class: "dock" }, html("summary", {}, this.text.change))];
    this.arrange();
    Object.assign(this.state, this.first, { station: begin });
    queueMicrotask(() => { // once there is a button for reset, too
      this.link = html("a", { href: "#" }, this.text.here);
      moves.append(this.actions);
      changes.append(this.link);
      if (document.fullscreenEnabled) {
        const full = html("button", { type: "button", class: "full" }, this.text.full);
        full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : this.requestFullscreen()));
        this.link.before(full);
      }
      this.enter();
    });
    addEventListener("hashchange", () => this.enter());
    new MutationObserver(() => this.refresh()).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  }

  /** What moves stays where it is while matrices come and go: above them, or under the thumb. */
  arrange() {
    const narrow = this.picture.clientWidth < NARROW, [moves, changes, fold] = this.docks;
    if (moves.parentNode && narrow === this.narrow) return;
    this.narrow = narrow;
    this.toggleAttribute("narrow", narrow);
    this.style.minHeight = "";
    if (narrow) {
      fold.append(changes);
      this.picture.after(moves, fold);
    } else {
      fold.remove();
      this.picture.before(moves, changes);
    }
  }

  /** Show what the address says, if it says anything. */
  enter() {
    const found = readFrom(location.hash, this.first);
    if (!found) return;
    if (!this.way.some(({ at }) => at === found.at)) found.at = FIRST.at;
    if (!HEADS.includes(found.head)) found.head = FIRST.head;
    found.step = Math.max(1, Math.min(MOST, found.step));
    this.set(found);
  }

  /** How a station is called: where it is, and what is to be seen. */
  called({ block, step }) {
    return `${this.blockCalled(block)}: ${this.text.steps[step]}`;
  }

  blockCalled(block) {
    const { blocks, layer, encoder, decoder } = this.text;
    if (block === "output") return blocks.output;
    const number = block[1] === "." ? "" : `, ${layer(Number(block[1]) + 1)}`;
    return `${block[0] === "e" ? encoder : decoder}${number}, ${blocks[kindOf(block)]}`;
  }

  set(values) {
    const changes = { ...values };
    if (!("date" in changes) || changes.date === this.state.date) delete changes.date; // the same one is no news
    if ("at" in changes) changes.station = this.way.findIndex(({ at }) => at === changes.at);
    else if ("station" in changes) changes.at = this.way[changes.station].at;
    if (("at" in changes && changes.at !== this.state.at) || "date" in changes) {
      for (const name of ["panel", "row", "column"]) changes[name] ??= -1;
    }
    if ("step" in changes && changes.step !== this.state.step) changes.row ??= -1;
    if ("date" in changes) changes.scores ??= ""; // they were those of other tokens
    // the two controls are about the head and the cell that are shown now
    if ("on" in changes && !("off" in changes)) {
      const off = headsIn(this.state.off);
      off[changes.on ? "delete" : "add"](this.headName());
      changes.off = headsAsText(off);
    }
    if ("score" in changes && !("scores" in changes) && this.cellName) {
      changes.scores = scoresAsText(scoresIn(this.state.scores).set(this.cellName, changes.score));
    }
    if (!this.walking) this.stop(); // whoever touches anything wants to see that
    super.set(changes);
    if (!this.link) return;
    const address = `#${written(this.state, this.first)}`;
    this.link.href = address;
    if (this.model && this.begun && location.hash !== address) history.replaceState(history.state, "", address);
  }

  headName() {
    return `${this.station.block}.${this.state.head}`;
  }

  get station() {
    return this.way[this.state.station];
  }

  /** From the first station to the last, until the reader touches anything. */
  play() {
    if (this.playing) {
      this.stop();
      this.refresh();
      return;
    }
    this.set({ station: 0 });
    this.playing = setInterval(() => {
      if (!this.isConnected || this.state.station === this.way.length - 1) return this.stop();
      this.walking = true;
      this.set({ station: this.state.station + 1 });
      this.walking = false;
    }, PACE);
    this.shadowRoot.getElementById("play").textContent = this.text.stop;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    const button = this.shadowRoot.getElementById("play");
    if (button) button.textContent = this.text.play;
  }

  /** The keyboard stays where it was. */
  refresh() {
    for (const dock of this.docks ?? []) dock.hidden = !this.model;
    if (this.picture.clientWidth) this.arrange();
    const key = this.shadowRoot.activeElement?.dataset?.key;
    super.refresh();
    if (key) this.shadowRoot.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
    for (const paint of this.paints.splice(0)) paint();
    // what stands below is to stay where it is while one walks
    if (this.model && !this.narrow && !document.fullscreenElement) this.style.minHeight = `${this.offsetHeight}px`;
  }

  // ---- what is computed

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
      return isChanged ? { model, changes, passes: new Map(), ...translated(model, ids, MOST, changes, this.plain.made) } : this.plain;
    });
    const length = Math.min(this.state.step, own.made.length);
    const passed = (one, tokens) => {
      const key = tokens.join();
      if (!one.passes.has(key)) one.passes.set(key, decoded(one.model, [BOS, ...tokens], one.memory, one.changes));
      return one.passes.get(key);
    };
    const tokens = own.made.slice(0, length - 1);
    const whole = passed(own, own.made.slice(0, -1)).output.logits;
    return {
      length, made: own.made,
      blocks: { ...own.memory, ...passed(own, tokens) },
      shares: own.made.map((id, i) => Math.exp(nextLogP(whole[i])[id])),
      before: isChanged && { made: this.plain.made, probabilities: passed(this.plain, tokens).output.probabilities.at(-1) },
    };
  }

  // ---- what is shown

  /** A token, and for whoever does not read Korean what it means. */
  plainly(name) {
    const gloss = this.text.glosses?.[name];
    return gloss ? `${name} (${gloss})` : name;
  }

  token(name) {
    const gloss = this.text.glosses?.[name];
    return gloss ? [html("span", { lang: "ko" }, name), " ", html("small", {}, gloss)] : [name];
  }

  translated(state, width) {
    const { text } = this;
    const found = this.traced();
    const { blocks, made, length } = found;
    const { block: name, step, panels } = this.station;
    const block = blocks[name];
    const source = [...this.tokens, "</s>"], target = this.named([BOS, ...made]).slice(0, length);
    const inEncoder = name[0] === "e";
    const own = inEncoder ? source : target, others = inEncoder || kindOf(name) === "cross" ? source : target;
    const { head } = state;
    const shown = panels.map((panel) => ({
      panel,
      values: attends(name) && panel in OF_HEAD ? block.heads[head][OF_HEAD[panel]] : block[panel],
      rows: panel === "keys" || panel === "values" ? others : own,
      columns: OVER_KEYS.has(panel) ? others : OVER_TOKENS.has(panel) ? this.model.tokens : null,
      colour: COLOURS[panel] ?? (inEncoder ? "key" : "query"),
    }));
    const current = state.panel in shown ? state.panel : shown.length - 1;
    const { panel, values, rows, columns } = shown[current];
    const i = state.row in values ? state.row : rows.length - 1;
    const j = state.column in values[i] ? state.column : best(values[i], 1)[0];
    const cell = explained(block, panel, head, i, j);
    const isOff = attends(name) && headsIn(state.off).has(this.headName());
    // what the two controls are about
    const score = OVER_KEYS.has(panel) ? block.heads[head].scores[i][j] : NaN;
    this.cellName = Number.isFinite(score) ? `${name}.${head}.${i}.${j}` : null;
    this.setters.score(this.cellName ? score : 0);
    this.setters.on(!isOff);
    this.shadowRoot.getElementById("score").disabled = !this.cellName;
    this.shadowRoot.getElementById("score").parentElement.querySelectorAll("button").forEach((one) => { one.disabled = !this.cellName; });
    this.shadowRoot.getElementById("on").disabled = !attends(name);
    const probabilities = blocks.output.probabilities.at(-1), [next] = best(probabilities, 1);
    const row = this.plainly(rows[i]);
    const where = OVER_KEYS.has(panel) ? text.over(row, this.plainly(columns[j]))
      : OVER_TOKENS.has(panel) ? text.of(row, this.plainly(columns[j])) : text.cell(row, j + 1);
    const room = width < NARROW ? width : width - MAP;
    const sentence = this.sentence(block, rows === own ? i : own.length - 1, own, others), map = this.map13(blocks, name);
    const selected = [html("b", {}, `${text.panels[panel]}: `), where];
    const computed = this.equation(cell, { isOff: isOff && panel === "head", changed: this.cellName && scoresIn(state.scores).get(this.cellName), relu: panel === "hidden" });
    const { narrow } = this;
    const stage = html("div", { class: "stage" },
      narrow ? this.fold("map", html("b", {}, this.called(this.station)), map) : sentence,
      this.tabs(name),
      attends(name) && this.heads(block, name),
      narrow && sentence,
      this.changed(),
      narrow && shown.length > 1 && this.choose(shown, current),
      html("div", { class: "panels" }, this.panels(shown, current, [i, j], room)),
      html("div", { class: "cell" }, narrow
        ? this.fold("cell", [...selected, ` = ${this.number(cell.shown ?? cell.result)}`], computed)
        : [html("p", {}, selected), computed]),
    );
    const bars = this.bars(found, target.at(-1));
    if (narrow) requestAnimationFrame(() => this.shadowRoot.querySelectorAll(".scrolls").forEach((row) => {
      const one = row.querySelector("[aria-current], [aria-pressed=true]");
      if (one) row.scrollLeft = one.offsetLeft - row.offsetLeft - (row.clientWidth - one.offsetWidth) / 2;
    }));
    return {
      picture: html("div", { class: "inside" }, this.timeline(found), !narrow && map, stage,
        narrow ? this.fold("next", [`${text.probability(this.plainly(target.at(-1)))}: `, html("b", {}, this.plainly(this.model.tokens[next])), ` ${share(probabilities[next])}`], bars) : bars),
      numbers: [
        [text.translation, this.written(made)],
        [text.station, this.called(this.station)],
        [text.selected, `${where}: ${this.number(cell.shown ?? cell.result)}`],
        [text.next_token, `${this.plainly(this.model.tokens[next])} ${share(probabilities[next])}`],
        [text.unchanged, this.written((found.before || found).made)],
      ],
    };
  }

  number(value) {
    return value === -Infinity ? "−∞" : fixed(value, 3);
  }

  /** What a phone shows once it is asked for; it stays as the reader has left it. */
  fold(key, summary, ...children) {
    const details = html("details", { open: this.folds[key] }, html("summary", { "data-key": key }, ...[summary].flat()), ...children);
    details.addEventListener("toggle", () => { this.folds[key] = details.open; });
    return details;
  }

  /** On a phone, one of the matrices at a time. */
  choose(shown, current) {
    return html("div", { class: "tabs scrolls", role: "group", "aria-label": this.called(this.station) }, shown.map(({ panel, values }, place) =>
      this.button(`choose-${place}`, { panel: place, row: -1, column: -1 }, { "aria-pressed": String(place === current) },
        this.text.panels[panel], html("small", {}, ` ${values.length} × ${values[0].length}`))));
  }

  /** A button of the picture that leads to another state. key: how it is found again. */
  button(key, values, attributes, ...children) {
    const button = html("button", { type: "button", "data-key": key, ...attributes }, ...children);
    button.addEventListener("click", () => this.set(values));
    return button;
  }

  /** The tokens of the translation, each the way to the moment in which it is generated. */
  timeline({ made, length, shares }) {
    const { text } = this;
    return html("div", { class: this.narrow ? "tokens scrolls" : "tokens", role: "group", "aria-label": text.timeline },
      html("p", {}, text.timeline),
      this.named(made).map((name, i) => this.button(`token-${i}`, { step: i + 1 },
        { class: i >= length && "later", "aria-current": i === length - 1 && "step", "aria-label": text.generates(this.plainly(name), i + 1, share(shares[i])) },
        html("span", { lang: /[ㄱ-힣]/.test(name) && "ko" }, name), html("small", {}, shares[i].toFixed(2)))));
  }

  /** The thirteen blocks, each a button with what goes on from it as a strip. */
  map13(blocks, current) {
    const { text } = this;
    const button = (name) => {
      const colour = name === "output" ? "weight" : name[0] === "e" ? "key" : "query";
      const strip = html("canvas", { "aria-hidden": "true" });
      const rows = name === "output" ? blocks.output.probabilities : blocks[name].normed;
      this.paints.push(() => this.paint(strip, rows, colour, rows[0].length, rows.length));
      const number = /\d/.test(name[1]) ? `${Number(name[1]) + 1} ` : "";
      return this.button(`map-${name}`, { at: this.way.find(({ block }) => block === name).at },
        { "aria-current": name === current && "true", "aria-label": this.blockCalled(name) },
        html("span", { class: "long" }, `${number}${text.blocks[kindOf(name)]}`),
        html("span", { class: "short" }, text.short[kindOf(name)], html("br"), number || "·"),
        strip);
    };
    const [encoder, decoder] = ["e", "d"].map((stack) =>
      blocksOf(LAYERS).filter((name) => name[0] === stack || (stack === "d" && name === "output")).map(button));
    return html("div", { class: "map" },
      html("p", { class: "key" }, text.encoder), html("div", {}, encoder), html("p", { class: "query" }, text.decoder), html("div", {}, decoder));
  }

  sentence(block, i, own, others) {
    const { text } = this, aspect = aspectOf(this.station);
    const { weights } = block.heads?.[this.state.head] ?? {};
    const shares = this.station.step === "next" ? block.probabilities[i] : weights?.[i];
    const [most] = shares ? best(shares, 1) : [];
    const values = {
      n: own.length, row: this.plainly(own[i]), p: shares && share(shares[most]),
      token: shares && this.plainly((weights ? others : this.model.tokens)[most]),
      d: (block.heads?.[0].queries ?? block.hidden ?? block.logits ?? block.normed)[0].length,
    };
    const root = this.language === "ko" ? ROOT : new URL(`${this.language}/`, ROOT);
    return html("p", { class: "sentence" },
      html("b", {}, this.called(this.station)), text.says[aspect](values), " ", html("a", { href: new URL(PAGES[aspect], root).href }, text.page));
  }

  tabs(name) {
    const own = this.way.filter(({ block }) => block === name);
    return own.length > 1 && html("div", { class: this.narrow ? "tabs scrolls" : "tabs", role: "group", "aria-label": this.blockCalled(name) }, own.map(({ at, step }) =>
      this.button(`tab-${step}`, { at }, { "aria-current": at === this.state.at && "step" }, this.text.steps[step])));
  }

  /** The heads of a block, each with its weights in small. */
  heads(block, name) {
    const off = headsIn(this.state.off);
    return html("div", { class: "heads", role: "group", "aria-label": this.text.steps.weights }, HEADS.map((head) => {
      const isOff = off.has(`${name}.${head}`);
      const canvas = html("canvas", { "aria-hidden": "true" }), { weights } = block.heads[head];
      this.paints.push(() => this.paint(canvas, weights, isOff ? "faint" : "weight", 4 * weights[0].length, 3 * weights.length));
      return this.button(`head-${head}`, { head }, { "aria-pressed": String(head === this.state.head), class: isOff && "off" },
        isOff ? this.text.headOff(head + 1) : this.text.head(head + 1), canvas);
    }));
  }

  /** What the reader has changed, and the way back. */
  changed() {
    const { text } = this;
    const where = (name) => {
      const [block, kind, head, ...cell] = name.split(".");
      return [`${this.blockCalled(`${block}.${kind}`)}, ${text.head(Number(head) + 1)}`, cell];
    };
    const list = [
      ...[...headsIn(this.state.off)].map((name) => text.headOff(Number(name.at(-1)) + 1) + `, ${this.blockCalled(name.slice(0, -2))}`),
      ...[...scoresIn(this.state.scores)].map(([name, value]) => {
        const [head, [i, j]] = where(name);
        return `${head}, (${Number(i) + 1}, ${Number(j) + 1}) = ${fixed(value, 1)}`;
      }),
    ];
    return list.length > 0 && html("div", { class: "changed" }, html("span", {}, text.changes(list.join("; "))),
      this.button("undo", { off: "", scores: "" }, {}, text.undo));
  }

  /** The matrices of a station, side by side where there is room; the selected cell, and what it was computed of. */
  panels(shown, current, [i, j], room) {
    const across = shown.every(({ values }) => values[0].length <= 24);
    const left = (rows) => 10 + 7 * Math.max(...rows.map((name) => [...name].length * (/[ㄱ-힣]/.test(name) ? 1.7 : 1)));
    const need = shown.reduce((sum, { rows }) => sum + left(rows) + 16, 0);
    const columns = shown.reduce((sum, { values }) => sum + values[0].length, 0);
    const side = Math.min(WIDEST, (room - need) / columns);
    const together = across && side >= TIGHT;
    const height = this.narrow ? 15 : together || shown.length < 3 ? 17 : 13;
    return shown.map((one, place) => {
      if (this.narrow && place !== current) return [];
      const width = together && !this.narrow ? side : Math.min(WIDEST, (room - left(one.rows) - 8) / one.values[0].length);
      const selected = place === current ? [i, j] : place < current && this.partner(one.panel, shown[current].panel, i, j);
      return this.matrix({ ...one, place, named: !this.narrow || shown.length === 1, width: Math.round(width * one.values[0].length), height, selected });
    });
  }

  /** Of what was multiplied, the row or column that a cell comes from: [row, column], null being all of them. */
  partner(panel, result, i, j) {
    if (result === "scores") return [panel === "keys" ? j : i, null];
    if (result === "head") return panel === "weights" ? [i, null] : [null, j];
    if (result === "normed" || result === "probabilities") return [i, result === "normed" ? j : null];
    return [i, null];
  }

  /** A matrix of which one touches the cells. */
  matrix({ panel, values, rows, columns, colour, place, named, width, height, selected }) {
    const { text } = this;
    const [m, n] = [values.length, values[0].length];
    const canvas = html("canvas", {
      tabindex: 0, role: "application", "data-key": `panel-${place}`,
      "aria-label": text.matrix(text.panels[panel].replace(/[_{}]/g, ""), m, n),
    });
    this.paints.push(() => this.paint(canvas, values, colour, width, height * m, selected));
    const choose = (row, column) => this.set({ panel: place, row: Math.min(m - 1, Math.max(0, row)), column: Math.min(n - 1, Math.max(0, column)) });
    const pointed = (event) => {
      const box = canvas.getBoundingClientRect();
      choose(Math.floor((event.clientY - box.top) / height), Math.floor((event.clientX - box.left) / width * n));
    };
    canvas.addEventListener("click", (event) => { if (event.detail) pointed(event); });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons) pointed(event); });
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [row, column] = selected || [m - 1, 0];
      choose((row ?? 0) + by[0], (column ?? 0) + by[1]);
    });
    const above = columns && width / n >= NAMED && html("ol", { class: "across", "aria-hidden": "true" }, columns.map((name, j) =>
      html("li", { style: `width: ${width / n}px`, class: selected && selected[1] === j && "lit" }, html("span", {}, name))));
    const down = rows.map((name, i) => html("li", { style: `height: ${height}px; line-height: ${height}px`, class: selected && selected[0] === i && "lit" }, name));
    return html("div", {},
      named && html("p", {}, html("b", {}, text.panels[panel]), html("small", {}, `${m} × ${n}`)),
      html("div", { class: "grid" }, above || [], html("ol", { "aria-hidden": "true" }, down), canvas));
  }

  /** Cells on a canvas: the larger a number, the more colour; negative ones are grey. Numbers where there is room. */
  paint(canvas, values, kind, width, height, selected) {
    const [m, n] = [values.length, values[0].length];
    const scale = width > n ? Math.min(2, devicePixelRatio || 1) : 1;
    Object.assign(canvas, { width: width * scale, height: height * scale });
    if (selected !== undefined || width > n) Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const style = getComputedStyle(this);
    const colour = (name) => style.getPropertyValue(`--figure-${name}`).trim();
    const [positive, negative, ink] = [kind, "faint", "ink"].map(colour);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const numbered = width / n >= ROOMY && height / m >= 15;
    pen.font = `11px ${style.getPropertyValue("--md-text-font-family") || "sans-serif"}`;
    [pen.textAlign, pen.textBaseline] = ["center", "middle"];
    let most = 0;
    for (const row of values) for (const value of row) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
    const x = (j) => Math.round(j * width / n), y = (i) => Math.round(i * height / m);
    const gap = width / n > 5 ? 1 : 0, below = height / m > 5 ? 1 : 0;
    values.forEach((row, i) => row.forEach((value, j) => {
      const masked = value === -Infinity;
      pen.globalAlpha = masked ? 0 : 0.05 + (numbered ? 0.45 : 0.95) * Math.abs(value) / (most || 1);
      pen.fillStyle = value < 0 ? negative : positive;
      pen.fillRect(x(j), y(i), x(j + 1) - x(j) - gap, y(i + 1) - y(i) - below);
      if (!masked && !numbered) return;
      pen.globalAlpha = 1;
      pen.fillStyle = ink;
      if (x(j + 1) - x(j) > 10) pen.fillText(masked ? "−∞" : fixed(value, 2), (x(j) + x(j + 1) - gap) / 2, (y(i) + y(i + 1)) / 2);
    }));
    if (!selected) return;
    pen.globalAlpha = 1;
    pen.strokeStyle = ink;
    pen.lineWidth = 1.5;
    const [i, j] = selected;
    const [left, right] = j === null ? [0, width] : [x(j), Math.max(x(j + 1), x(j) + 3)];
    const [up, down] = i === null ? [0, height] : [y(i), y(i + 1)];
    pen.strokeRect(left + 0.75, up + 0.75, right - left - 1.5, down - up - 1.5);
  }

  /** How the selected number comes about, with the numbers in it. */
  equation(cell, { isOff, changed, relu }) {
    const { text } = this, show = (value) => this.number(value);
    const signed = (value) => `${value < 0 ? "−" : "+"} ${show(Math.abs(value))}`;
    const lines = [];
    if (isOff) lines.push(text.isOff);
    if (cell.shown === -Infinity) lines.push(text.masked);
    if (changed !== undefined && changed !== null) lines.push(text.changedScore(fixed(changed, 1)));
    if (cell.pairs) {
      const bias = cell.bias ? ` ${signed(cell.bias)}` : "", by = cell.divisor === 1 ? "" : ` / ${show(cell.divisor)}`;
      const whole = (sum) => (by && bias ? `(${sum}${bias})${by}` : `${sum}${bias}${by}`);
      const reached = show((cell.sum + cell.bias) / cell.divisor);
      lines.push(`${whole("Σ")} = ${whole(show(cell.sum))}${bias || by ? ` = ${reached}` : ""}`);
      if (relu && cell.sum + cell.bias < 0) lines.push(text.zero);
      const factor = (value) => (value < 0 ? `(${show(value)})` : show(value));
      const terms = cell.pairs.flatMap(([a, b], n) => [" ", html("span", {}, `${n ? "+ " : ""}${factor(a)} × ${factor(b)}`)]);
      return [lines.map((line) => html("p", {}, line)), html("div", { class: "terms", tabindex: 0, role: "group", "aria-label": "Σ" }, "Σ =", terms)];
    }
    if (cell.scores) {
      if (cell.result === 0 && !cell.scores.every(Number.isFinite)) lines.push("e^{−∞} / Σ e^{…} = 0");
      const most = Math.max(...cell.scores), own = cell.scores[cell.column ?? 0];
      const sum = cell.scores.reduce((total, score) => total + Math.exp(score - most), 0);
      if (Number.isFinite(own)) lines.push(`e^{${show(own)}} / Σ e^{…} = e^{${show(own)} − ${show(most)}} / Σ e^{… − ${show(most)}} = ${show(Math.exp(own - most))} / ${show(sum)} = ${show(cell.result)}`);
    } else if (cell.gamma !== undefined) {
      const x = cell.x + cell.f, z = (x - cell.mean) / cell.deviation;
      lines.push(`x + F(x) = ${show(cell.x)} ${signed(cell.f)} = ${show(x)}`, `(${show(x)} ${signed(-cell.mean)}) / ${show(cell.deviation)} = ${show(z)}`,
        `γ · ${show(z)} + β = ${show(cell.gamma)} · ${show(z)} ${signed(cell.beta)} = ${show(cell.result)}`);
    } else if (cell.table !== undefined) lines.push(`${show(cell.table)} × ${show(cell.factor)} = ${show(cell.result)}`);
    else if (cell.position !== undefined) lines.push(`${cell.cosine ? "cos" : "sin"}(${cell.position} / 10000^{${cell.pair}/${cell.size}}) = ${show(cell.result)}`);
    else if (cell.f !== undefined) lines.push(`${show(cell.x)} ${signed(cell.f)} = ${show(cell.result)}`);
    else if (cell.head !== undefined) lines.push(`${text.from(cell.head + 1, cell.column + 1)}: ${show(cell.result)}`);
    else lines.push(show(cell.result));
    return lines.map((line) => html("p", {}, ...line.split(/\^\{([^}]*)\}/).map((piece, n) => (n % 2 ? html("sup", {}, piece) : piece))));
  }

  /** The most probable next tokens, and how probable they were before the reader changed anything. */
  bars({ blocks, before }, last) {
    const { text } = this, probabilities = blocks.output.probabilities.at(-1);
    return html("div", { class: "next" }, html("p", {}, text.probability(this.plainly(last))),
      best(probabilities, 4).map((id) => [
        html("span", {}, this.token(this.model.tokens[id])),
        html("i", { style: `width: ${(100 * probabilities[id]).toFixed(1)}%` }),
        html("span", {}, share(probabilities[id]), before && html("small", {}, ` ${text.was(share(before.probabilities[id]))}`)),
      ]));
  }
}
