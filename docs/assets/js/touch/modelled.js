/* A figure that runs a trained model: its weights come from docs/assets/weights, once for all figures of a page. */

import { load } from "./maths/translator/weights.js";
import { Touchable, html } from "./touchable.js";

const TEXT = {
  ko: {
    loading: "모델을 불러오는 중입니다.",
    failed: "모델을 불러오지 못했습니다. 인터넷 연결을 확인하고 다시 시도하세요.",
    again: "다시 시도",
  },
  en: {
    loading: "Loading the model.",
    failed: "The model could not be loaded. Check the connection, and try again.",
    again: "Try again",
  },
};

const loading = {}; // by name

const loaded = (name) => {
  loading[name] ??= load(name).catch((error) => {
    delete loading[name]; // the next time, anew
    throw error;
  });
  return loading[name];
};

export class Modelled extends Touchable {
  static model = ""; // its name; then it is this.model

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    this.failed = false;
    this.refresh();
    try {
      this.model = await loaded(this.constructor.model);
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
    this.message.replaceChildren(html("p", { role: this.failed ? "alert" : "status" }, this.failed ? words.failed : words.loading));
    if (!this.failed) return;
    const button = html("button", { type: "button" }, words.again);
    button.addEventListener("click", () => this.load());
    this.message.append(button);
  }
}
