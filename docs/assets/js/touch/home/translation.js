import Translation from "../training/translation.js";
import { MOST } from "../translating.js";

const CALENDAR = { ko: "달력으로는", en: "by the calendar, a" };

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

  /** Beside what the model reads, the day of the week that it was, if the text says another one. */
  asIsRead() {
    const [label, read] = super.asIsRead(),
      date = new Date(read.replace(/^\w+, /, ""));
    const day = (language) => date.toLocaleDateString(language, { weekday: "long" });
    const isFalse = /day, /.test(read) && !read.startsWith(day("en"));
    return [isFalse ? `${label} (${CALENDAR[this.language]} ${day(this.language)})` : label, read];
  }
}
