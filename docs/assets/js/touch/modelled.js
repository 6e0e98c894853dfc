/* A figure that runs a trained model: its weights come from docs/assets/weights, once for all figures of a page. */

import { load } from "./maths/translator/weights.js";
import { Touchable, html } from "./touchable.js";

const TEXT = {
  ko: {
    loading: "모델을 불러오는 중입니다.",
    come: (now, all) => `${all}KB 가운데 ${now}KB`,
    failed: "모델을 불러오지 못했습니다. 인터넷 연결을 확인하고 다시 시도하세요.",
    again: "다시 시도",
  },
  en: {
    loading: "Loading the model.",
    come: (now, all) => `${now} of ${all} KB`,
    failed: "The model could not be loaded. Check the connection, and try again.",
    again: "Try again",
  },
};

const loading = {}; // by name: the promise of a model, and which figures want to hear how much of it has come
const kilobytes = (bytes) => Math.round(bytes / 1000);

const loaded = (name, come) => {
  if (!loading[name]) {
    const listeners = [];
    const all = (...sums) => listeners.forEach((listener) => listener(...sums));
    const model = load(name, all).catch((error) => {
      delete loading[name]; // the next time, anew
      throw error;
    });
    loading[name] = { model, listeners };
  }
  loading[name].listeners.push(come);
  return loading[name].model;
};

export class Modelled extends Touchable {
  /** Its name, or one for each language; then it is this.model.
   * @type {string | Record<string, string>} */
  static model = "";

  /** @type {HTMLElement} */
  message;

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    this.failed = false;
    this.refresh();
    try {
      const { model } = /** @type {typeof Modelled} */ (this.constructor);
      this.model = await loaded(model[this.language] ?? model, (...sums) => {
        if (this.come) this.come.textContent = TEXT[this.language].come(...sums.map(kilobytes));
      });
    } catch {
      this.failed = true;
    }
    this.refresh();
  }

  /** While there is no model yet, there is nothing to draw. */
  refresh() {
    if (this.model) {
      this.message?.remove();
      this.box.hidden = false;
      super.refresh();
      return;
    }
    const words = TEXT[this.language];
    this.message ??= html("div");
    this.box.before(this.message);
    this.box.hidden = true;
    this.message.replaceChildren(
      html("p", { role: this.failed ? "alert" : "status" }, this.failed ? words.failed : words.loading),
    );
    this.come = html("p"); // nobody wants to have every number read out
    if (!this.failed) this.message.append(this.come);
    if (!this.failed) return;
    const button = html("button", { type: "button" }, words.again);
    button.addEventListener("click", () => this.load());
    this.message.append(button);
  }
}
