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

/** The ids of a text, with the merges [left, right, new] in the order in which they were learned. */
export const encode = (text, merges) => {
  const ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
  const segment = (piece) => {
    let word = [...new TextEncoder().encode(piece)].map((byte) => ID_OF_BYTE.get(byte));
    for (;;) {
      const found = word.slice(1).map((id, i) => ranks.get(`${word[i]} ${id}`) ?? Infinity);
      const first = Math.min(...found);
      if (first === Infinity) return word;
      word = merge(word, merges[first]);
    }
  };
  return (text.match(/ ?[^ ]+| +/g) ?? []).flatMap(segment);
};

/** The bytes of every token, in the order of the ids. */
export const bytesOf = (merges) => {
  const tokens = BYTES.map((byte) => [byte]);
  merges.forEach(([left, right, token]) => { tokens[token] = [...tokens[left], ...tokens[right]]; });
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
