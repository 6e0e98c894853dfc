import Translation from "../training/translation.js";
import { MOST } from "../translating.js";

const CALENDAR = {
  ko: (day) => `모델이 읽은 원문 (달력으로는 ${day})`,
  en: (day) => `What the model reads (by the calendar, a ${day})`,
};

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

  /** What the model reads, and the day of the week if it is another one: what it writes then shows what it looks at. */
  asIsRead() {
    const [label, read] = super.asIsRead();
    const date = new Date(read.replace(/^\w+, /, "")), on = (language) => date.toLocaleDateString(language, { weekday: "long" });
    const isFalse = /^\w+day, /.test(read) && !read.startsWith(on("en"));
    return [isFalse ? CALENDAR[this.language](on(this.language)) : label, read];
  }
}
