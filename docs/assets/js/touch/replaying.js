import { Translating } from "./translating.js";

/** Milliseconds from one token to the next while a figure runs. */
const PACE = 350;

/** A translation that can be watched as it comes, token by token. */
export class Replaying extends Translating {
  set(values) {
    clearInterval(this.replayed); // whoever touches anything wants to see that
    super.set(values);
  }

  /** Let a range run from 1 to last(), token by token; only the end is read out. */
  replay(name, last) {
    if (!this.result || this.unreadable) return;
    this.set({ [name]: 1 });
    this.replayed = setInterval(() => {
      if (!this.isConnected || this.state[name] >= last() - 1) clearInterval(this.replayed);
      super.set({ [name]: this.state[name] + 1 });
    }, PACE);
  }
}
