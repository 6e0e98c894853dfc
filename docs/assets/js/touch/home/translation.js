import Translation from "../training/translation.js";
import { MOST } from "../translating.js";

/** The translation of a date as on the page about the translator, with nothing to set but the date. */
export default class extends Translation {
  controls() {
    this.asked();
    this.state.decoding = "greedy";
    this.range("step", { wide: true, min: 1, max: MOST, value: MOST });
    this.action("play", () => this.again());
  }

  translated(state, width) {
    const drawn = super.translated(state, width);
    return { ...drawn, numbers: drawn.numbers.slice(0, 2) };
  }
}
