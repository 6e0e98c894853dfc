// A figure that answers when it is touched: book/markdown/touch.py says how to write one.

const NAMESPACE = "http://www.w3.org/2000/svg";

const TEXT = {
  ko: { reset: "초기화", less: (name) => `${name} 줄이기`, more: (name) => `${name} 늘리기` },
  en: { reset: "Reset", less: (name) => `${name}: less`, more: (name) => `${name}: more` },
};

/** So long after the last change, in milliseconds, it is read out: whoever types or drags is not done yet. */
const PAUSE = 700;

/** A picture that takes no more of the screen stays in sight. */
const STAYS = 0.5;

const STYLE = `
:host { color: var(--figure-ink); display: block; font-size: 0.75rem; line-height: 1.5; margin: 0.6rem auto 0;
  max-width: 30rem; min-height: var(--touch-room); position: relative; text-align: left; }
* { box-sizing: border-box; }
.controls { display: grid; gap: 0.4rem 0.9rem; grid-template-columns: repeat(auto-fit, minmax(7.4rem, 1fr)); }
.wide { grid-column: 1 / -1; }
.range { align-content: start; column-gap: 0.5rem; display: grid; grid-template-columns: 1fr auto; }
.range input { accent-color: var(--figure-weight); grid-column: 1 / -1; height: 1.4rem; margin: 0; width: 100%; }
@media (max-width: 45em) { .fine { grid-column: 1 / -1; } }
.range span { align-items: center; display: flex; gap: 0.3rem; }
.range button { line-height: 1; min-height: 1.4rem; min-width: 1.4rem; padding: 0; }
output, dd { font-variant-numeric: tabular-nums; font-weight: 600; }
.above dd { font-size: 0.9rem; line-height: 1.4; }
output { min-width: 2.2em; text-align: right; }
fieldset { border: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 0.9rem; margin: 0; min-width: 0; padding: 0; }
legend { padding: 0; }
.check { align-items: center; cursor: pointer; display: flex; gap: 0.35rem; min-height: 1.4rem; }
.check input { accent-color: var(--figure-weight); flex: none; height: 1rem; margin: 0; width: 1rem; }
.field { display: grid; gap: 0.15rem; }
.field input { background: var(--md-default-bg-color); border: 0.05rem solid var(--figure-faint); border-radius: 0.2rem;
  color: inherit; font: inherit; font-size: 0.8rem; min-width: 0; padding: 0.25rem 0.4rem; width: 100%; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button { background: none; border: 0.05rem solid var(--figure-faint); border-radius: 0.3rem; color: inherit; cursor: pointer;
  font: inherit; min-height: 1.5rem; padding: 0.1rem 0.7rem; }
button:hover { background: var(--md-accent-fg-color--transparent); }
:focus-visible { outline: 0.1rem solid var(--md-accent-fg-color); outline-offset: 0.1rem; }
.picture { overflow: hidden; padding-bottom: 0.4rem; }
.picture.stays { background: var(--md-default-bg-color); position: sticky; top: 2.4rem; z-index: 1; } /* below the header */
.stays ~ * :is(input, button, a) { scroll-margin-top: calc(var(--picture) + 3rem); } /* what has the focus is not below it */
svg { display: block; overflow: visible; }
svg text { fill: var(--figure-ink); font: 13px var(--md-text-font-family); font-variant-numeric: tabular-nums; }
svg .small { font-size: 12px; }
svg .strong { font-weight: 700; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg line, svg path { fill: none; stroke: var(--figure-ink); stroke-width: 1.5; }
svg :is(line, path).faint { stroke: var(--figure-faint); stroke-width: 1; }
svg rect.faint { fill: var(--figure-faint); }
svg .query { --colour: var(--figure-query); }
svg .key { --colour: var(--figure-key); }
svg .value { --colour: var(--figure-value); }
svg .weight { --colour: var(--figure-weight); }
svg .output { --colour: var(--figure-output); }
svg :is(rect, circle, text):is(.query, .key, .value, .weight, .output) { fill: var(--colour); }
svg :is(line, path):is(.query, .key, .value, .weight, .output) { stroke: var(--colour); }
dl { display: grid; gap: 0 1.2rem; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); margin: 0.5rem 0 0; }
dl > div { align-items: baseline; border-top: 0.05rem solid var(--rule); display: flex; flex-wrap: wrap; gap: 0 0.6rem;
  justify-content: space-between; padding: 0.15rem 0; }
dd { margin: 0; max-width: 100%; overflow-wrap: break-word; } /* below its label where there is no room beside it */
.old { opacity: 0.4; } /* what was drawn before something that cannot be */
dl:empty, [hidden] { display: none !important; }
.status { bottom: 0; clip-path: inset(50%); height: 1px; left: 0; margin: 0; overflow: hidden; position: absolute; width: 1px; }
sub { font-size: 75%; line-height: 0; vertical-align: -0.25em; }
@media (pointer: coarse) { .range input, .range button, .check, button, .field input { min-height: 40px; min-width: 40px; } }
@media print { :host { display: none; } }
`;

/** d_{k} with its index set low. */
const indexed = (text, low) =>
  text.split(/_\{([^}]*)\}/).flatMap((piece, place) => (place % 2 ? low(piece) : piece || []));

const fill = (node, attributes, children, low) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  const kept = children.flat(Infinity).filter((child) => child !== undefined && child !== false);
  node.append(...kept.flatMap((child) => (typeof child === "string" ? indexed(child, low) : child)));
  return node;
};

const lowInHtml = (index) => Object.assign(document.createElement("sub"), { textContent: index });

const lowInSvg = (index) => {
  const [down, up] = ["3", "-3"].map((dy) => {
    const span = document.createElementNS(NAMESPACE, "tspan");
    span.setAttribute("dy", dy);
    return span;
  });
  down.textContent = index;
  down.setAttribute("font-size", "75%");
  up.textContent = "\u2060"; // back to the line: a tspan without any text does not count
  return [down, up];
};

/** An element of HTML, with attributes; children are elements, strings and lists of them. */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children, lowInHtml);

/** The same of SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(NAMESPACE, tag), attributes, children, lowInSvg);

/** A minus sign that is one, and no sign before a zero. */
export const fixed = (number, digits) => {
  const text = number.toFixed(digits);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace("-", "−");
};

const sheet = (css) => {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
};
const style = sheet(STYLE);

export class Touchable extends HTMLElement {
  static style = "";
  static numbers = false;
  static above = 0;

  /** @type {Record<string, Record<string, any>>} words, or functions that return them */
  static text = {};

  /** @type {any} */
  numbers;

  connectedCallback() {
    if (this.shadowRoot) return;
    const { text, style: own } = /** @type {typeof Touchable} */ (this.constructor);
    const language = document.documentElement.lang;
    this.text = { ...TEXT[language], ...text[language] };
    this.language = language;
    this.state = {};
    this.setters = {}; // what shows a value, by the name of its control
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = own ? [style, sheet(own)] : [style];
    this.box = html("div", { class: "controls" });
    this.actions = html("div", { class: "actions wide" });
    this.picture = html("div", { class: "picture" });
    this.above = html("dl", { class: "above wide" });
    this.below = html("dl");
    this.status = html("p", { class: "status", role: "status" });
    this.said = new Map(); // what has changed since something was read out, by its label
    root.append(this.picture, this.above, this.box, this.below, this.status);
    this.controls();
    const first = { ...this.state };
    this.action("reset", () => this.set(first));
    this.box.append(this.actions);
    // what is drawn changes its height, which is no reason to draw it again
    new ResizeObserver(() => {
      this.pin();
      if (this.width !== Math.floor(this.picture.clientWidth)) this.refresh();
    }).observe(this.picture);
    this.refresh(); // at once: what is moved stands below the picture
  }

  /**
   * A number between min and max. show: from number to text; wide: in a row of its own; fine: with buttons for one step,
   * where there are more steps than a finger can tell apart; label: if it is not in text.
   * @param {string} name
   * @param {{ min: number, max: number, step?: number, value: number, show?: (value: number) => string,
   *   wide?: boolean, fine?: boolean, label?: string }} options
   */
  range(name, { min, max, step = 1, value, show = String, wide, fine, label = this.text[name] }) {
    const input = html("input", { type: "range", id: name, min, max, step, value });
    const output = html("output", { for: name });
    this.setters[name] = (number) => {
      input.value = number;
      output.value = show(number);
      input.setAttribute("aria-valuetext", output.value);
    };
    input.addEventListener("input", () => this.set({ [name]: input.valueAsNumber }));
    // a finger that scrolls the page begins like one that moves this
    let before;
    input.addEventListener("pointerdown", () => {
      before = this.state[name];
    });
    input.addEventListener("pointercancel", () => this.set({ [name]: before }));
    const by = (sign, shown, words) => {
      const button = html("button", { type: "button", tabindex: -1, "aria-label": words(label) }, shown); // keys do it, too
      button.addEventListener("click", () => {
        if (sign < 0) input.stepDown();
        else input.stepUp();
        this.set({ [name]: input.valueAsNumber });
      });
      return button;
    };
    const moved = fine ? html("span", {}, by(-1, "−", this.text.less), output, by(1, "+", this.text.more)) : output;
    const kind = `range ${wide ? "wide" : ""} ${fine ? "fine" : ""}`;
    this.box.append(html("div", { class: kind }, html("label", { for: name }, label), moved, input));
    this.begin(name, value);
  }

  /** One of several. options: what each is called, by its value. */
  choice(name, { options, value, label = this.text[name] }) {
    const inputs = Object.entries(options).map(([key, word]) => {
      const input = html("input", { type: "radio", name, id: `${name}-${key}`, value: key });
      input.addEventListener("change", () => this.set({ [name]: key }));
      return [input, html("label", { class: "check", for: input.id }, input, html("span", {}, word))];
    });
    this.setters[name] = (key) =>
      inputs.forEach(([input]) => {
        input.checked = input.value === key;
      });
    this.group(label).append(...inputs.map(([, shown]) => shown));
    this.begin(name, value);
  }

  /** Yes or no. into: a fieldset that several stand in. */
  check(name, { value = false, into = this.box, label = this.text[name] } = {}) {
    const input = html("input", { type: "checkbox", id: name });
    this.setters[name] = (on) => {
      input.checked = on;
    };
    input.addEventListener("change", () => this.set({ [name]: input.checked }));
    into.append(html("label", { class: "check", for: name }, input, html("span", {}, label)));
    this.begin(name, value);
  }

  /** Text that the reader types. lang: its language, if that is not the page's. */
  field(name, { value = "", most = 200, lang = undefined, label = this.text[name] } = {}) {
    const look = { autocomplete: "off", spellcheck: "false", enterkeyhint: "done" };
    const input = html("input", { type: "text", id: name, maxlength: most, lang, ...look });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) input.blur();
    });
    this.setters[name] = (text) => {
      if (input.value !== text) input.value = text;
    };
    input.addEventListener("input", () => this.set({ [name]: input.value }));
    this.box.append(html("div", { class: "field wide" }, html("label", { for: name }, label), input));
    this.begin(name, value);
  }

  /** A button. */
  action(name, act, label = this.text[name]) {
    const button = html("button", { type: "button", id: name }, label);
    button.addEventListener("click", act);
    this.actions.append(button);
  }

  /** A box of checks, with a name. */
  group(label) {
    const box = html("fieldset", { class: "wide" }, html("legend", {}, label));
    this.box.append(box);
    return box;
  }

  /** What one moves, by its name. */
  byId(name) {
    return /** @type {HTMLInputElement} */ (this.shadowRoot.getElementById(name));
  }

  /** Set the most that a range can have. Returns its value: where that is less than what the reader has chosen, the most. */
  upTo(name, most) {
    this.byId(name).max = most;
    const value = Math.min(this.state[name], most);
    this.setters[name](value);
    return value;
  }

  /** What one moves scrolls below the picture, which stays in sight, if it leaves that half of the screen. */
  pin() {
    const height = this.picture.offsetHeight;
    this.picture.classList.toggle("stays", height < STAYS * innerHeight);
    this.style.setProperty("--picture", `${height}px`);
  }

  /** What one moves. */
  controls() {}

  /**
   * What is to be seen.
   * @abstract
   * @type {(state: Record<string, any>, width: number) => { picture: Element, says?: string | Element, numbers: any[][] }}
   */
  draw() {
    throw new Error("nothing is drawn");
  }

  begin(name, value) {
    this.state[name] = value;
    this.setters[name](value);
  }

  /** Set some of the values, show them, and draw. */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      this.state[name] = value;
      this.setters[name]?.(value);
    }
    this.refresh();
  }

  refresh() {
    const width = (this.width = Math.floor(this.picture.clientWidth));
    if (!width) return; // it is hidden
    const moved = this.shadowRoot.activeElement,
      top = moved?.getBoundingClientRect().top;
    const { picture, says, numbers } = this.draw(this.state, width);
    picture.setAttribute("width", String(Math.max(width, Number(picture.getAttribute("width"))))); // what is wider scrolls
    if (says) fill(picture, { role: "img", "aria-label": says }, []);
    this.picture.replaceChildren(picture);
    const { above } = /** @type {typeof Touchable} */ (this.constructor);
    const changed = [this.list(this.above, numbers.slice(0, above)), this.list(this.below, numbers.slice(above))];
    this.tell(changed[0].length ? changed[0] : changed[1]);
    // what is being moved stays under the finger, however high the picture above it is now
    const by = moved?.isConnected ? moved.getBoundingClientRect().top - top : 0;
    if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: "instant" });
  }

  /** Show rows in a list. Returns those that were different before. */
  list(list, rows) {
    const changed = rows.filter(([label, value], place) => {
      const row = list.children[place] ?? list.appendChild(html("div", {}, html("dt"), html("dd")));
      return [label, value]
        .map((text, n) => {
          if (row.children[n].dataset.text === text) return false;
          row.children[n].dataset.text = text;
          const korean = this.language !== "ko" && /[ㄱ-힣]/.test(text);
          row.children[n].replaceChildren(html("span", { lang: korean && "ko" }, text));
          return true;
        })
        .some(Boolean);
    });
    while (list.children.length > rows.length) list.lastChild.remove();
    return changed;
  }

  /** Have rows read out after a pause; not those that were there from the beginning. */
  tell(rows) {
    clearTimeout(this.pause);
    if (this.begun) rows.forEach(([label, value]) => this.said.set(label, value));
    this.begun = true;
    this.pause = setTimeout(() => {
      if (this.said.size)
        this.status.textContent = indexed(
          [...this.said].map((row) => row.filter(Boolean).join(": ")).join("; "),
          String,
        ).join("");
      this.said.clear();
    }, PAUSE);
  }
}

/** In the place of the drawing that belongs to the button. */
export const open = async (button) => {
  const figure = button.parentElement;
  const there = () => figure.querySelector(":scope > .touchable");
  if (there()) return;
  const name = button.dataset.touch;
  const tag = `touch-${name.replace(/\W|_/g, "-")}`;
  const module = new URL(`${name}.js`, import.meta.url);
  await fetch(module); // first: see book/figures.js
  const { default: Figure } = await import(module.href);
  const numbers = Figure.numbers && (await (await fetch(new URL(`${name}.json`, import.meta.url))).json());
  if (!customElements.get(tag)) customElements.define(tag, Figure);
  if (!there()) figure.append(Object.assign(document.createElement(tag), { className: "touchable", numbers }));
};
