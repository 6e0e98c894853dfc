import { Cutting } from "../cutting.js";
import { bytesOf, encode } from "../maths/tokens.js";

export default class extends Cutting {
  controls() {
    const { merges, sentences } = this.numbers;
    this.range("merges", { wide: true, min: 0, max: merges.length, value: merges.length, fine: true });
    this.fields(sentences);
    this.tokens = bytesOf(merges);
  }

  draw(state) {
    const merges = this.numbers.merges.slice(0, state.merges);
    return this.drawn(state, {
      cuts: { ko: encode(state.ko, merges), en: encode(state.en, merges) },
      tokens: this.tokens,
      vocabulary: new Set([...Array(this.numbers.bytes).keys(), ...merges.map((merge) => merge[2])]).size,
      last: merges.at(-1)?.[2],
    });
  }
}
