/* A walk through every number of a model: what is the same for the translator and for GPT. A figure that extends
   walking(Base) says what one types (`static typed`, asked()), where one begins (beginning()), which way it is (this.way),
   what is computed (traced()), and how tokens are named (named(), this.vocabulary, this.sourceNames); its draw() returns
   what walked() does. */

import { best } from "./maths/translator/layers.js";
import { explained } from "./maths/translator/blocks.js";
import { BOS } from "./maths/translator/model.js";
import {
  aspectOf,
  attends,
  headsAsText,
  headsIn,
  kindOf,
  PAGES,
  readFrom,
  scoresAsText,
  scoresIn,
  written,
} from "./maths/translator/stations.js";
import { share } from "./glosses.js";
import { equation, number, paint } from "./matrices.js";
import { fixed, html } from "./touchable.js";
import { STYLE } from "./walking_style.js";
import { WORDS } from "./walking_words.js";

const HEADS = 4;
/** Milliseconds from one station to the next while they are played. */
const PACE = 1800;
/** The root of this language's site, below which the pages are. */
const ROOT = new URL("../../../", import.meta.url);
/** No cell is selected, and nothing is changed. */
const NOTHING = { panel: -1, row: -1, column: -1, off: "", scores: "" };
/** Colours of panels, as in all figures of the book; vectors that are none of these are of ink. */
const COLOURS = {
  queries: "query",
  keys: "key",
  values: "value",
  scores: "weight",
  weights: "weight",
  head: "output",
  concatenated: "output",
  output: "output",
  logits: "weight",
  probabilities: "weight",
};
/** Panels of one head, as blocks.js calls them; those whose columns are keys, and tokens. */
const OF_HEAD = {
  queries: "queries",
  keys: "keys",
  values: "values",
  scores: "scores",
  weights: "weights",
  head: "output",
};
const OVER_KEYS = new Set(["scores", "weights"]),
  OVER_TOKENS = new Set(["logits", "probabilities"]);
/** Pixels: how wide a cell is at most, from when on its column has a name, and its row, and how wide it is at least where
 *  matrices stand side by side; how low it is at least. */
const [WIDEST, NAMED, TIGHT, LOWEST] = [40, 10, 9, 6];
/** Columns of matrices that stand side by side, at most. */
const ABREAST = 26;
/** Pixels that the weights of a head are wide in small, on a phone and elsewhere. */
const [SMALLER, SMALL] = [56, 76];
/** Pixels: how high a matrix is at most, on a phone and elsewhere; how high a row is at most under a finger. */
const [LOW, HIGH, FINGER] = [150, 460, 28];
/** Pixels: what is narrower has the map above the matrices; where it stands beside them, it takes so much. */
const [NARROW, MAP] = [640, 258];

/** A box of some kind. */
const div = (kind, ...children) => html("div", { class: kind }, ...children);

/** Elements that belong together, with a name that is read out. */
const group = (kind, label, ...children) =>
  html("div", { class: kind, role: "group", "aria-label": label }, ...children);

/** The words of a figure, with those that all walks have in common. */
export const withWords = (own) => {
  const all = ([language, words]) => {
    const common = WORDS[language],
      both = (part) => ({ ...common[part], ...words[part] });
    return [language, { ...common, ...words, steps: both("steps"), panels: both("panels"), says: both("says") }];
  };
  return Object.fromEntries(Object.entries(own).map(all));
};

export const walking = (Base) =>
  class extends Base {
    static style = `${Base.style}${STYLE}`;

    pages = PAGES;

    sourceNames = [];

    /**
     * The step at which one stands with another text.
     * @type {(text: string) => number}
     */
    firstStep() {
      return this.state.step;
    }

    // ---- what one moves

    controls() {
      this.asked();
      const { at, ...begun } = this.beginning();
      const begin = this.way.findIndex((station) => station.at === at);
      this.first = { at, ...begun, ...NOTHING };
      this.paints = [];
      const moves = div("dock moves"),
        changes = div("dock changes");
      const top = this.box;
      this.box = changes; // where controls go from now on
      this.range("score", { min: -15, max: 15, step: 0.1, value: 0, fine: true, show: (number) => fixed(number, 1) });
      this.check("on", { value: true });
      this.box = moves;
      const show = (number) => this.called(this.way[number]);
      this.range("station", { wide: true, min: 0, max: this.way.length - 1, value: begin, show });
      this.box = top;
      this.action("back", () => this.go(this.state.station - 1));
      this.action("next", () => this.go(this.state.station + 1));
      this.action("play", () => this.play());
      this.folds = {}; // on a phone: what is folded away, and whether the reader has opened it
      this.docks = [moves, changes, html("details", { class: "dock" }, html("summary", {}, this.text.change))];
      this.arrange();
      Object.assign(this.state, this.first, { station: begin });
      queueMicrotask(() => {
        // once there is a button for reset, too
        this.link = html("a", { href: "#", role: "button" }, this.text.here);
        this.link.addEventListener("click", (event) => this.copy(event));
        moves.append(this.actions);
        changes.append(this.link);
        if (document.fullscreenEnabled) {
          const full = html("button", { type: "button", class: "full" }, this.text.full);
          full.addEventListener("click", () =>
            document.fullscreenElement ? document.exitFullscreen() : this.requestFullscreen(),
          );
          this.link.before(full);
        }
        this.enter();
      });
      addEventListener("hashchange", () => this.enter());
      new MutationObserver(() => this.refresh()).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    }

    /** What is typed and the moves stand above the matrices, or below them, the moves under the thumb; then the changes. */
    arrange() {
      const narrow = this.picture.clientWidth < NARROW,
        [moves, changes, fold] = this.docks;
      if (moves.parentNode && narrow === this.narrow) return;
      this.narrow = narrow;
      this.toggleAttribute("narrow", narrow);
      this.style.minHeight = "";
      if (narrow) {
        fold.append(changes);
        this.picture.after(this.box, moves, fold);
      } else {
        fold.remove();
        this.picture.before(this.box, moves);
        this.picture.after(changes);
      }
    }

    /** Show what the address says, if it says anything. */
    enter() {
      const found = readFrom(location.hash, this.first);
      if (!found) return;
      if (!this.way.some(({ at }) => at === found.at)) found.at = this.first.at;
      if (found.head < 0 || found.head >= HEADS) found.head = this.first.head;
      found.step = Math.max(1, Math.min(this.most, found.step));
      this.set(found);
    }

    /** The address of what is shown, into the clipboard, if a page may write to it. */
    async copy(event) {
      if (!navigator.clipboard) return;
      event.preventDefault();
      await navigator.clipboard.writeText(this.link.href);
      this.link.textContent = this.text.copied;
      clearTimeout(this.copied);
      this.copied = setTimeout(() => {
        this.link.textContent = this.text.here;
      }, 2000);
    }

    /** To another station. */
    go(station) {
      this.set({ station: Math.max(0, Math.min(this.way.length - 1, station)) });
      this.bring();
    }

    /** On a phone, up with what lies behind the buttons. */
    bring() {
      if (!this.narrow) return;
      const [picture, dock, header] = [this.picture, this.docks[0], document.querySelector(".md-header")].map((one) =>
        one.getBoundingClientRect(),
      );
      const by = Math.floor(Math.min(picture.bottom - dock.top, picture.top - header.bottom));
      if (by > 0) scrollBy({ top: by, behavior: "instant" });
    }

    placed() {
      return `${this.called(this.station)} (${this.state.station + 1}/${this.way.length})`;
    }

    /** How a station is called: where it is, and what is to be seen. */
    called({ block, step }) {
      return `${this.blockCalled(block)}: ${this.text.steps[step]}`;
    }

    /** How a block is called: of which stack, if there are two, in which layer. */
    blockCalled(block) {
      const { blocks, layer, stacks } = this.text;
      if (block === "output") return blocks.output;
      const parts = [stacks?.[block[0]], block[1] !== "." && layer(Number(block[1]) + 1), blocks[kindOf(block)]];
      return parts.filter(Boolean).join(", ");
    }

    set(values) {
      const { typed } = /** @type {typeof Base & { typed: string }} */ (this.constructor),
        changes = { ...values };
      if (changes[typed] === this.state[typed]) delete changes[typed]; // the same one is no news
      if ("at" in changes) changes.station = this.way.findIndex(({ at }) => at === changes.at);
      else if ("station" in changes) changes.at = this.way[changes.station].at;
      if (("at" in changes && changes.at !== this.state.at) || typed in changes) {
        for (const name of ["panel", "row", "column"]) changes[name] ??= -1;
      }
      if (typed in changes) changes.step ??= this.firstStep(changes[typed]);
      if ("step" in changes && changes.step !== this.state.step) changes.row ??= -1;
      if (typed in changes) changes.scores ??= ""; // they were those of other tokens
      // the two controls are about the head and the cell that are shown now
      if ("on" in changes && !("off" in changes)) {
        const off = headsIn(this.state.off);
        off[changes.on ? "delete" : "add"](this.headName());
        changes.off = headsAsText(off);
      }
      if ("score" in changes && !("scores" in changes) && this.cellName) {
        changes.scores = scoresAsText(scoresIn(this.state.scores).set(this.cellName, changes.score));
      }
      if (!this.walking) this.stop(); // whoever touches anything wants to see that
      super.set(changes);
      if (!this.link) return;
      const address = `#${written(this.state, this.first)}`;
      this.link.href = address;
      if (this.model && this.begun && location.hash !== address) history.replaceState(history.state, "", address);
    }

    headName() {
      return `${this.station.block}.${this.state.head}`;
    }

    get station() {
      return this.way[this.state.station];
    }

    /** On from here, or from the beginning, until the reader touches anything. */
    play() {
      if (this.playing) {
        this.stop();
        this.refresh();
        return;
      }
      this.go(this.state.station === this.way.length - 1 ? 0 : this.state.station + 1);
      this.playing = setInterval(() => {
        if (!this.isConnected || this.state.station === this.way.length - 1) return this.stop();
        this.walking = true;
        this.set({ station: this.state.station + 1 });
        this.walking = false;
      }, PACE);
      this.byId("play").textContent = this.text.stop;
    }

    stop() {
      clearInterval(this.playing);
      this.playing = null;
      const button = this.byId("play");
      if (button) button.textContent = this.text.play;
    }

    /** The keyboard stays where it was. */
    refresh() {
      for (const dock of this.docks ?? []) dock.hidden = !this.model;
      if (this.picture.clientWidth) this.arrange();
      const key = this.shadowRoot.activeElement?.dataset?.key;
      super.refresh();
      if (key) this.shadowRoot.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
      for (const paint of this.paints.splice(0)) paint();
      // what stands below stays
      if (this.model && !this.narrow && !document.fullscreenElement) this.style.minHeight = `${this.offsetHeight}px`;
    }

    /**
     * What belongs to the token that is generated now. own: what comes out with the changes, {made, passes}, and plain: without
     * any; pass(one, tokens): the blocks of one of them after these tokens, each computed once.
     */
    moment(own, plain, pass) {
      const length = Math.min(this.state.step, own.made.length);
      const passed = (one, tokens) => {
        const key = tokens.join();
        if (!one.passes.has(key)) one.passes.set(key, pass(one, tokens));
        return one.passes.get(key);
      };
      const tokens = own.made.slice(0, length - 1);
      const whole = passed(own, own.made.slice(0, -1)).output.probabilities;
      return {
        length,
        made: own.made,
        blocks: passed(own, tokens),
        shares: own.made.map((id, i) => whole[i][id]),
        before: own !== plain && { made: plain.made, probabilities: passed(plain, tokens).output.probabilities.at(-1) },
      };
    }

    // ---- what is shown

    /** A token as it is read out, and for whoever does not read Korean what it means. */
    plainly(name) {
      const gloss = this.text.glosses?.[name];
      return gloss ? `${name} (${gloss})` : name;
    }

    token(name) {
      const gloss = this.text.glosses?.[name];
      return gloss ? [html("span", { lang: "ko" }, name), " ", html("small", {}, gloss)] : [name];
    }

    /** The station at which one is. written: how the tokens that were generated are put into a line. */
    walked(state, width, written) {
      const { text } = this;
      const found = this.traced();
      const { blocks, made, length } = found;
      const { block: name, panels } = this.station;
      const block = blocks[name];
      const target = this.named([BOS, ...made]).slice(0, length);
      const inEncoder = name[0] === "e";
      const own = inEncoder ? this.sourceNames : target,
        others = inEncoder || kindOf(name) === "cross" ? this.sourceNames : target;
      const { head } = state;
      const shown = panels.map((panel) => ({
        panel,
        values: attends(name) && panel in OF_HEAD ? block.heads[head][OF_HEAD[panel]] : block[panel],
        rows: panel === "keys" || panel === "values" ? others : own,
        columns: OVER_KEYS.has(panel) ? others : OVER_TOKENS.has(panel) ? this.vocabulary : null,
        colour: COLOURS[panel] ?? "ink",
      }));
      const current = state.panel in shown ? state.panel : shown.length - 1;
      const { panel, values, rows, columns } = shown[current];
      const i = state.row in values ? state.row : inEncoder ? 0 : rows.length - 1;
      const j = state.column in values[i] ? state.column : best(values[i], 1)[0];
      const cell = explained(block, panel, head, i, j);
      const isOff = attends(name) && headsIn(state.off).has(this.headName());
      // what the two controls are about
      const score = OVER_KEYS.has(panel) ? block.heads[head].scores[i][j] : NaN;
      this.cellName = Number.isFinite(score) ? `${name}.${head}.${i}.${j}` : null;
      this.setters.score(this.cellName ? score : 0);
      this.setters.on(!isOff);
      const { parentElement: range } = this.byId("score");
      for (const one of range.querySelectorAll("input, button")) one.disabled = !this.cellName;
      this.byId("on").disabled = !attends(name);
      const probabilities = blocks.output.probabilities.at(-1),
        [next] = best(probabilities, 1);
      const row = this.plainly(rows[i]);
      const column = columns && this.plainly(columns[j]);
      const ofToken = OVER_TOKENS.has(panel) ? text.of(row, column) : text.cell(row, j + 1);
      const where = OVER_KEYS.has(panel) ? text.over(row, column) : ofToken;
      const room = width < NARROW ? width : width - MAP;
      const sentence = this.sentence(block, rows === own ? i : own.length - 1, own, others),
        map = this.map(blocks, name);
      const selected = [html("b", {}, `${text.panels[panel]}: `), where];
      const changed = this.cellName && scoresIn(state.scores).get(this.cellName);
      const computed = equation(text, cell, { isOff: isOff && panel === "head", changed });
      const { narrow } = this;
      const isNew = this.seen !== state.at; // it appears
      this.seen = state.at;
      const told = narrow
        ? this.fold("cell", [...selected, ` = ${number(cell.shown ?? cell.result)}`], computed)
        : [html("p", {}, selected), computed];
      const chosen = [this.tabs(name), attends(name) && this.heads(block, name), this.changed()],
        moments = this.timeline(found, inEncoder);
      const stage = div(
        "stage",
        narrow && this.fold("map", html("b", {}, this.placed()), map),
        sentence,
        !narrow && chosen,
        div(isNew ? "panels new" : "panels", this.panels(shown, current, [i, j], room)),
        narrow && shown.length > 1 && this.choose(shown, current),
        div("cell", told),
        narrow && chosen,
      );
      const bars = this.bars(found, target.at(-1));
      const [nextToken, nextShare] = [this.plainly(this.vocabulary[next]), share(probabilities[next])];
      const said = [`${text.probability(this.plainly(target.at(-1)))}: `, html("b", {}, nextToken), ` ${nextShare}`];
      if (narrow) requestAnimationFrame(() => this.centre());
      return {
        picture: div(
          "inside",
          !narrow && [moments, map],
          stage,
          !inEncoder && (narrow ? this.fold("next", said, bars) : bars),
          narrow && moments,
        ),
        numbers: [
          [text.made, written(made)],
          [text.station, this.called(this.station)],
          [text.selected, `${where}: ${number(cell.shown ?? cell.result)}`],
          [text.next_token, `${nextToken} ${nextShare}`],
          [text.unchanged, written((found.before || found).made)],
        ],
      };
    }

    /** What is chosen in a row, into its middle. */
    centre() {
      for (const row of this.shadowRoot.querySelectorAll(".scrolls")) {
        const one = row.querySelector("[aria-current], [aria-pressed=true]");
        if (one) row.scrollLeft = one.offsetLeft - row.offsetLeft - (row.clientWidth - one.offsetWidth) / 2;
      }
    }

    /** What a phone shows once it is asked for; it stays as the reader has left it. */
    fold(key, summary, ...children) {
      const title = html("summary", { "data-key": key }, summary);
      const details = html("details", { open: this.folds[key] }, title, ...children);
      details.addEventListener("toggle", () => {
        this.folds[key] = details.open;
      });
      return details;
    }

    /** On a phone, one of the matrices at a time. */
    choose(shown, current) {
      const button = ({ panel }, place) => {
        const pressed = { "aria-pressed": String(place === current) };
        return this.button(`choose-${place}`, { panel: place, row: -1, column: -1 }, pressed, this.text.panels[panel]);
      };
      return group("tabs scrolls", this.called(this.station), shown.map(button));
    }

    /** A button of the picture that leads to another state. key: how it is found again. */
    button(key, values, attributes, ...children) {
      const button = html("button", { type: "button", "data-key": key, ...attributes }, ...children);
      button.addEventListener("click", () => this.set(values));
      return button;
    }

    /** The tokens that are generated, each the way to the moment in which it is. given: how many of them were not. */
    timeline({ made, length, shares, given = 0 }, inEncoder) {
      const { text } = this;
      const button = (name, i) => {
        const look = {
          class: i < given ? "given" : i >= length && "later",
          "aria-current": !inEncoder && i === length - 1 && "step",
          "aria-label": text.generates(this.plainly(name), i + 1, share(shares[i])),
        };
        const token = html("span", { lang: this.language !== "ko" && /[ㄱ-힣]/.test(name) && "ko" }, name);
        const gloss = text.glosses && html("small", {}, text.glosses[name] || "\xa0");
        return this.button(`token-${i}`, { step: i + 1 }, look, token, gloss, html("small", {}, shares[i].toFixed(2)));
      };
      const title = html("p", {}, text.timeline);
      return group(this.narrow ? "tokens scrolls" : "tokens", text.timeline, title, this.named(made).map(button));
    }

    /** The blocks in the order of the way, each a button with what goes on from it as a strip. */
    map(blocks, current) {
      const { text } = this;
      const names = [...new Set(this.way.map(({ block }) => block))];
      const button = (name) => {
        const colour = name === "output" ? "weight" : "ink";
        const strip = html("canvas", { "aria-hidden": "true" });
        const rows = name === "output" ? blocks.output.probabilities : blocks[name].passed;
        this.paints.push(() => paint(this, strip, rows, colour, rows[0].length, rows.length));
        const number = /\d/.test(name[1]) ? `${Number(name[1]) + 1} ` : "";
        return this.button(
          `map-${name}`,
          { at: this.way.find(({ block }) => block === name).at },
          { "aria-current": name === current && "true", "aria-label": this.blockCalled(name) },
          html("span", { class: "long" }, `${number}${text.blocks[kindOf(name)]}`),
          html("span", { class: "short" }, text.short[kindOf(name)], html("br"), number || "·"),
          strip,
        );
      };
      const stack = (letter) => names.filter((name) => (name === "output" ? "d" : name[0]) === letter).map(button);
      if (!text.stacks) return div("map alone", html("div", {}, stack("d")));
      return div(
        "map",
        Object.entries(text.stacks).map(([letter, called]) => [html("p", {}, called), html("div", {}, stack(letter))]),
      );
    }

    sentence(block, i, own, others) {
      const { text } = this;
      const aspect = aspectOf(this.station);
      const { weights } = block.heads?.[this.state.head] ?? {};
      const shares = this.station.step === "next" ? block.probabilities[i] : weights?.[i];
      const [most] = shares ? best(shares, 1) : [];
      const values = {
        n: own.length,
        row: this.plainly(own[i]),
        p: shares && share(shares[most]),
        token: shares && this.plainly((weights ? others : this.vocabulary)[most]),
        d: (block.heads?.[0].queries ?? block.hidden ?? block.logits ?? block.passed)[0].length,
      };
      const root = this.language === "ko" ? ROOT : new URL(`${this.language}/`, ROOT);
      return html(
        "p",
        { class: "sentence" },
        html("b", {}, this.placed()),
        text.says[aspect](values),
        " ",
        html("a", { href: new URL(this.pages[aspect], root).href }, text.page),
      );
    }

    tabs(name) {
      const own = this.way.filter(({ block }) => block === name);
      if (own.length < 2) return [];
      const tab = ({ at, step }) =>
        this.button(`tab-${step}`, { at }, { "aria-current": at === this.state.at && "step" }, this.text.steps[step]);
      return group(this.narrow ? "tabs scrolls" : "tabs", this.blockCalled(name), own.map(tab));
    }

    /** The heads of a block, each with its weights in small. */
    heads(block, name) {
      const { text } = this,
        off = headsIn(this.state.off);
      const button = ({ weights }, head) => {
        const isOff = off.has(`${name}.${head}`);
        const canvas = html("canvas", { "aria-hidden": "true" });
        const side = Math.min(4, (this.narrow ? SMALLER : SMALL) / weights[0].length); // of a cell
        const size = [side * weights[0].length, 0.75 * side * weights.length].map(Math.round);
        this.paints.push(() => paint(this, canvas, weights, isOff ? "faint" : "weight", ...size));
        const look = { "aria-pressed": String(head === this.state.head), class: isOff && "off" };
        return this.button(`head-${head}`, { head }, look, (isOff ? text.headOff : text.head)(head + 1), canvas);
      };
      return group("heads", text.steps.weights, block.heads.map(button));
    }

    /** What the reader has changed, and the way back. */
    changed() {
      const { text } = this;
      const where = (name) => {
        const [block, kind, head, ...cell] = name.split(".");
        return [`${this.blockCalled(`${block}.${kind}`)}, ${text.head(Number(head) + 1)}`, cell];
      };
      const off = [...headsIn(this.state.off)],
        of = (block) => off.filter((name) => name.startsWith(`${block}.`));
      const list = [
        ...[...new Set(off.map((name) => name.slice(0, -2)))].flatMap((block) =>
          of(block).length === HEADS
            ? [text.blockOff(this.blockCalled(block))]
            : of(block).map((name) => `${text.headOff(Number(name.at(-1)) + 1)}, ${this.blockCalled(block)}`),
        ),
        ...[...scoresIn(this.state.scores)].map(([name, value]) => {
          const [head, [i, j]] = where(name);
          return `${head}, (${Number(i) + 1}, ${Number(j) + 1}) = ${fixed(value, 1)}`;
        }),
      ];
      if (!list.length) return [];
      const undo = this.button("undo", { off: "", scores: "" }, {}, text.undo);
      return div("changed", html("span", {}, text.changes(list.join("; "))), undo);
    }

    /** The matrices of a station, side by side where there is room; the selected cell, and what it was computed of. */
    panels(shown, current, [i, j], room) {
      const across = shown.every(({ values }) => values[0].length <= ABREAST);
      const left = (rows) =>
        10 + 7 * Math.max(...rows.map((name) => [...name].length * (/[ㄱ-힣]/.test(name) ? 1.7 : 1)));
      const need = shown.reduce((sum, { rows }) => sum + left(rows) + 16, 0);
      const wide = (place, more) => (place === shown.length - 1 ? more : 1); // to be read
      const columns = (more) => shown.reduce((sum, { values }, place) => sum + wide(place, more) * values[0].length, 0);
      const more = [3, 2].find((more) => room - need >= TIGHT * columns(more)) ?? 1;
      const side = (room - need) / columns(more);
      const together = across && side >= TIGHT;
      const most = Math.max(...shown.map(({ values }) => values.length));
      const fits = Math.floor((this.narrow ? LOW : HIGH) / most);
      const highest = this.narrow ? FINGER : together || shown.length < 3 ? 17 : 13;
      const height = Math.max(LOWEST, Math.min(fits, highest));
      return shown.map((one, place) => {
        if (this.narrow && place !== current) return [];
        const width = Math.min(
          WIDEST,
          together && !this.narrow ? side * wide(place, more) : (room - left(one.rows) - 8) / one.values[0].length,
        );
        const selected =
          place === current ? [i, j] : place < current && this.partner(one.panel, shown[current].panel, i, j);
        return this.matrix({
          ...one,
          place,
          width: Math.round(width * one.values[0].length),
          height,
          selected,
        });
      });
    }

    /** Of what was multiplied, the row or column that a cell comes from: [row, column], null being all of them. */
    partner(panel, result, i, j) {
      if (result === "scores") return [panel === "keys" ? j : i, null];
      if (result === "head") return panel === "weights" ? [i, null] : [null, j];
      if (result === "passed" || result === "probabilities") return [i, result === "passed" ? j : null];
      return [i, null];
    }

    /** A matrix of which one touches the cells. */
    matrix({ panel, values, rows, columns, colour, place, width, height, selected }) {
      const { text } = this;
      const [m, n] = [values.length, values[0].length];
      const canvas = html("canvas", {
        tabindex: 0,
        role: "application",
        "data-key": `panel-${place}`,
        "aria-label": text.matrix(text.panels[panel].replace(/[_{}]/g, ""), m, n),
      });
      this.paints.push(() => paint(this, canvas, values, colour, width, height * m, selected));
      const choose = (row, column) =>
        this.set({
          panel: place,
          row: Math.min(m - 1, Math.max(0, row)),
          column: Math.min(n - 1, Math.max(0, column)),
        });
      const pointed = (event) => {
        const box = canvas.getBoundingClientRect();
        choose(Math.floor((event.clientY - box.top) / height), Math.floor(((event.clientX - box.left) / width) * n));
      };
      canvas.addEventListener("click", (event) => {
        if (event.detail) pointed(event);
      });
      canvas.addEventListener("pointermove", (event) => {
        if (event.buttons) pointed(event);
      });
      canvas.addEventListener("keydown", (event) => {
        const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (!by) return;
        event.preventDefault();
        const [row, column] = selected || [m - 1, 0];
        choose((row ?? 0) + by[0], (column ?? 0) + by[1]);
      });
      const across = (name, j) => {
        const kinds = [[...name].length > 2 && "turned", selected && selected[1] === j && "lit"];
        const look = { style: `width: ${width / n}px`, class: kinds.filter(Boolean).join(" ") };
        return html("li", look, html("span", {}, name));
      };
      const isRoomy = columns && width / n >= NAMED;
      const above = isRoomy && html("ol", { class: "across", "aria-hidden": "true" }, columns.map(across));
      const isNamed = (i) => height >= NAMED || (m - 1 - i) % 2 === 0; // where there is no room, every second one
      const style = `height: ${height}px; line-height: ${height}px`,
        lit = (i) => selected && selected[0] === i && "lit";
      const down = rows.map((name, i) => html("li", { style, class: lit(i) }, isNamed(i) ? name : ""));
      const low = values.some((row) => row.some((x) => x < 0)) && text.low;
      return html(
        "div",
        {},
        html("p", {}, html("b", {}, text.panels[panel]), html("small", {}, `${m}\u00a0×\u00a0${n}`, low)),
        div("grid", above || [], html("ol", { "aria-hidden": "true" }, down), canvas),
      );
    }

    /** The most probable next tokens, and how probable they were before the reader changed anything. */
    bars({ blocks, before }, last) {
      const { text } = this,
        probabilities = blocks.output.probabilities.at(-1);
      return div(
        "next",
        html("p", {}, text.probability(this.plainly(last))),
        best(probabilities, 4).map((id) => [
          html("span", {}, this.token(this.vocabulary[id])),
          html("i", { style: `width: ${(100 * probabilities[id]).toFixed(1)}%` }),
          html(
            "span",
            {},
            share(probabilities[id]),
            before && html("small", {}, ` ${text.was(share(before.probabilities[id]))}`),
          ),
        ]),
      );
    }
  };
