// What snippets/before/byte_pair_encoding.py computes, for the figures that can be touched.

const range = (start, end) => Array.from({ length: end - start }, (_, i) => start + i);

/** The bytes in the order of their ids, that of GPT-2: first those that Latin-1 shows as a visible character. */
const visible = [...range(33, 127), ...range(161, 173), ...range(174, 256)];
const BYTES = [...visible, ...range(0, 256).filter((byte) => !visible.includes(byte))];
const ID_OF_BYTE = new Map(BYTES.map((byte, id) => [byte, id]));

/** Each pair of neighbours that is [left, right] as one token, from left to right. */
const merge = (word, [left, right, token]) => {
  const merged = [];
  for (const one of word) {
    if (merged.at(-1) === left && one === right) merged[merged.length - 1] = token;
    else merged.push(one);
  }
  return merged;
};

/** The ids of a piece, merged as long as two neighbours have a rank; merges: by rank, [left, right, new]. */
const segment = (word, rankOf, merges) => {
  for (;;) {
    const found = word.slice(1).map((id, i) => rankOf(word[i], id) ?? Infinity);
    const first = Math.min(...found);
    if (first === Infinity) return word;
    word = merge(word, merges(first));
  }
};

/** A text as words, each with the space before it: nothing is merged across. */
export const pieces = (text) => text.match(/ ?[^ ]+| +/g) ?? [];

/**
 * How the letters of some words are joined, step by step; merges: [left, right] as text, by rank. Each step has the words as
 * lists of tokens; `made`, the rank of the merge that made them; `ranks`, those of all pairs of neighbours, null where
 * there is no merge; and `next`, the lowest of these, if there is one.
 */
export const joins = (words, merges) => {
  const rankOf = new Map(merges.map(([left, right], rank) => [`${left}\n${right}`, rank]));
  const steps = [];
  for (let now = words.map((word) => [...word]), made = null; ;) {
    const ranks = now.map((word) => word.slice(1).map((one, i) => rankOf.get(`${word[i]}\n${one}`) ?? null));
    const found = ranks.flat().filter((rank) => rank !== null);
    const next = found.length ? Math.min(...found) : null;
    steps.push({ words: now, made, ranks, next });
    if (next === null) return steps;
    const [left, right] = merges[next];
    now = now.map((word) => merge(word, [left, right, left + right]));
    made = next;
  }
};

/** The ids of a text, with the merges [left, right, new] in the order in which they were learned. */
export const encode = (text, merges) => {
  const ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
  const rankOf = (left, right) => ranks.get(`${left} ${right}`);
  return pieces(text).flatMap((piece) =>
    segment(
      [...new TextEncoder().encode(piece)].map((byte) => ID_OF_BYTE.get(byte)),
      rankOf,
      (rank) => merges[rank],
    ),
  );
};

/** What a published model cuts into pieces first: PIECES in snippets/llm/tokens.py. */
const PIECES = new RegExp(
  String.raw`\p{N}|'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[^\p{White_Space}\p{L}\p{N}]+` +
    String.raw`|\p{White_Space}+(?=\p{N})|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+`,
  "gu",
);

/**
 * A published tokenizer, from numbers() in snippets/figures/llm/published_cuts.py. Returns the bytes of its tokens by
 * id, how many merges there are, and encode(text, most): the ids with the first `most` merges.
 */
export const published = ({ merges, bytes, control }) => {
  const halves = Uint8Array.from(atob(merges), (character) => character.charCodeAt(0));
  const pairs = new DataView(halves.buffer);
  const first = control + bytes.length;
  const idOf = new Map(bytes.map((byte, place) => [byte, control + place]));
  const tokens = [];
  idOf.forEach((id, byte) => {
    tokens[id] = [byte];
  });
  const made = Array.from({ length: halves.length / 4 }, (_, rank) => [
    pairs.getUint16(4 * rank, true),
    pairs.getUint16(4 * rank + 2, true),
    first + rank,
  ]);
  made.forEach(([left, right, id]) => {
    tokens[id] = [...tokens[left], ...tokens[right]];
  });
  const ranks = new Map(made.map(([left, right], rank) => [65536 * left + right, rank]));
  const cut = (piece, most) => {
    const known = [...new TextEncoder().encode(piece)].filter((byte) => idOf.has(byte)); // the others are left out
    const rankOf = (left, right) => {
      const rank = ranks.get(65536 * left + right);
      return rank < most ? rank : undefined;
    };
    return segment(
      known.map((byte) => idOf.get(byte)),
      rankOf,
      (rank) => made[rank],
    );
  };
  return {
    tokens,
    merges: made.length,
    encode: (text, most = made.length) => (text.match(PIECES) ?? []).flatMap((piece) => cut(piece, most)),
  };
};

/** The ids of a text, as numbers() has the tokenizer: for tests, which pass nothing but data. */
export const encodePublished = (numbers, texts, most) => {
  const { encode: cut } = published(numbers);
  return texts.map((text) => cut(text, most));
};

/** The bytes of every token, in the order of the ids. */
export const bytesOf = (merges) => {
  const tokens = BYTES.map((byte) => [byte]);
  merges.forEach(([left, right, token]) => {
    tokens[token] = [...tokens[left], ...tokens[right]];
  });
  return tokens;
};

/** The characters of a token; undefined if its bytes are no whole ones. */
export const characters = (bytes) => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
};

/** A token as text, its spaces as ␣; what is no character, as bytes: snippets/figures/style.py. */
export const readable = (bytes) =>
  characters(bytes)?.replaceAll(" ", "␣") ??
  bytes.map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
