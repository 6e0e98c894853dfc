// The way through a model: its blocks in the order in which they run, what is to be seen at each of them, which page explains
// it, and all of that as an address.

/** What is shown at a station: names of panels, as `explained` in blocks.js knows them; the last one is what comes out. */
const PANELS = {
  input: ["embedded", "positions", "passed"],
  norm: ["rows", "inner"],
  project: ["queries", "keys", "values"],
  scores: ["queries", "keys", "scores"],
  weights: ["scores", "weights"],
  mix: ["weights", "values", "head"],
  concat: ["head", "concatenated", "output"],
  add: ["rows", "output", "passed"],
  hidden: ["inner", "hidden"],
  shrink: ["hidden", "output"],
  logits: ["inner", "logits"],
  next: ["logits", "probabilities"],
};

const ATTENTION = ["project", "scores", "weights", "mix", "concat", "add"];

/** Steps of a block, by its kind, where the norm follows the sum. */
const POST_LN = {
  input: ["input"],
  self: ATTENTION,
  cross: ATTENTION,
  ffn: ["hidden", "shrink", "add"],
  output: ["logits", "next"],
};

/** Those where it stands before the sublayer, and behind the last layer. */
const PRE_LN = Object.fromEntries(
  Object.entries(POST_LN).map(([kind, steps]) => [kind, kind === "input" ? steps : ["norm", ...steps]]),
);

/** Of a block by its name, d1.cross: what it is, "cross". */
export const kindOf = (block) => block.split(".").at(-1);

/** Of a block: is there attention in it? */
export const attends = (block) => ["self", "cross"].includes(kindOf(block));

const layers = (count, kinds) =>
  Array.from({ length: count }, (_, i) => kinds.map((kind) => `${kind[0]}${i}${kind.slice(1)}`)).flat();

/** Names of all blocks of a translator with so many layers in encoder and decoder, and its stations. */
export const translatorBlocks = (count) => [
  "e.input",
  ...layers(count, ["e.self", "e.ffn"]),
  "d.input",
  ...layers(count, ["d.self", "d.cross", "d.ffn"]),
  "output",
];
/** The same of a decoder without an encoder. */
export const decoderBlocks = (count) => ["d.input", ...layers(count, ["d.self", "d.ffn"]), "output"];

/** All stations of some blocks, {at, block, step, panels}, `at` being block and step: d1.cross.weights. */
export const stations = (blocks, normFirst = false) =>
  blocks.flatMap((block) =>
    (normFirst ? PRE_LN : POST_LN)[kindOf(block)].map((step) => ({
      at: `${block}.${step}`,
      block,
      step,
      panels: PANELS[step],
    })),
  );

/** The page and heading that explains a step; of attention with a mask, and to the encoder, another one. */
export const PAGES = {
  input: "positions/sinusoidal/#formula",
  project: "attention/multi-head/#fused",
  scores: "attention/scaled-dot-product/#three-roles",
  masked: "attention/masks/#causal",
  projectCross: "model/decoder-layer/#sublayers",
  scoresCross: "attention/three-uses/#one-module",
  weights: "attention/weights/#index-order",
  mix: "attention/scaled-dot-product/#by-hand",
  concat: "attention/multi-head/#why-heads",
  add: "block/post-pre-ln/#two-orders",
  hidden: "block/feed-forward/#idea",
  shrink: "block/feed-forward/#position-wise",
  logits: "model/transformer/#output",
  next: "training/decoding/#greedy",
};

/** Those of GPT, where it does something else. */
export const GPT_PAGES = {
  input: "families/gpt/#decoder-only",
  norm: "block/post-pre-ln/#two-orders",
  final: "block/post-pre-ln/#final-norm",
  add: "block/residual/#stream",
  hidden: "block/feed-forward/#gelu",
  logits: "families/gpt/#head",
};

const CROSS = { project: "projectCross", scores: "scoresCross" };

/** What is to be said of a station, a key of PAGES. */
export const aspectOf = ({ block, step }) => {
  if (kindOf(block) === "cross" && step in CROSS) return CROSS[step];
  if (step === "norm" && block === "output") return "final";
  return step === "scores" && block[0] === "d" ? "masked" : step;
};

/** What differs from `first` in a state, of the names of `first`, behind the # of an address; the station always. */
export const written = (state, first) =>
  Object.keys(first)
    .filter((name) => name === "at" || state[name] !== first[name])
    .map(
      (name) =>
        `${name}=${encodeURIComponent(state[name]).replace(/%20/g, "+").replace(/%2C/g, ",").replace(/%3A/g, ":")}`,
    )
    .join("&");

/** The same back: values of the kinds that they have in `first`; what is missing is as there. null if it is no such address. */
export const readFrom = (hash, first) => {
  if (!hash.startsWith("#at=")) return null;
  const found = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const text = found.get(name) ?? "";
      if (typeof value === "number") return [name, /^-?\d+$/.test(text) ? Number(text) : value];
      return [name, text || value];
    }),
  );
};

/** Scores that a reader has set, by name: "d1.cross.2.4.7:-3.5,…". What is no such thing is left out. */
export const scoresIn = (text) =>
  new Map(
    [...text.matchAll(/([ed]\d\.(?:self|cross)(?:\.\d+){3}):(-?\d+(?:\.\d+)?)(?=,|$)/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
export const scoresAsText = (scores) => [...scores].map(([name, value]) => `${name}:${value}`).join(",");

/** Names of heads that are off: "d1.cross.2,…"; "d1.cross" are all four of them. */
export const headsIn = (text) =>
  new Set(
    (text.match(/[ed]\d\.(?:self|cross)(?:\.\d)?(?![.\d])/g) ?? []).flatMap((name) =>
      attends(name) ? [0, 1, 2, 3].map((head) => `${name}.${head}`) : [name],
    ),
  );
export const headsAsText = (heads) => [...heads].join(",");
