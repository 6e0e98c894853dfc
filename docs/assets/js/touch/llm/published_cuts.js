import { Cutting } from "../cutting.js";
import { published } from "../maths/tokens.js";

/** 0, 1, 2, 5, 10, 20, 50, … and all of them: what a slider can stop at. */
const stops = (all) => {
  const round = Array.from({ length: 15 }, (_, n) => [1, 2, 5][n % 3] * 10 ** Math.floor(n / 3));
  return [0, ...round.filter((number) => number < all), all];
};

export default class extends Cutting {
  controls() {
    this.tokenizer = published(this.numbers);
    this.stops = stops(this.tokenizer.merges);
    const last = this.stops.length - 1;
    this.range("merges", {
      wide: true,
      min: 0,
      max: last,
      value: last,
      show: (stop) => this.stops[stop].toLocaleString("en"),
    });
    this.fields(this.numbers.sentences);
  }

  draw(state) {
    const { tokens, merges, encode } = this.tokenizer;
    const most = this.stops[state.merges];
    const first = tokens.length - merges;
    return this.drawn(state, {
      cuts: { en: encode(state.en, most), ko: encode(state.ko, most) },
      tokens,
      vocabulary: first + most,
      last: most ? first + most - 1 : undefined,
    });
  }
}
