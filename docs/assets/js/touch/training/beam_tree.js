import { beamSearch, lengthPenalty } from "../maths/translator/decoding.js";
import { EOS } from "../maths/translator/model.js";
import { fixed, svg } from "../touchable.js";
import { wide } from "../glosses.js";
import { MOST } from "../translating.js";
import { Replaying } from "../replaying.js";

const three = (number) => fixed(number, 3);

/**
 * Pixels: left of the tree, of a column at least, of a node that is no longer the last, between the last row and what is
 * below, and of all rows before the last at most: the whole tree stays in sight while it is moved.
 */
const [LEFT, COLUMN, NODE, BELOW, ROWS] = [24, 57, 18, 26, 286];

export default class extends Replaying {
  static style = `${Replaying.style}
    .node { cursor: pointer; }
    .node .box { fill: var(--figure-weight); fill-opacity: 0.14; }
    .node.ended .box { stroke: var(--figure-weight); stroke-width: 2; }
    .node.gone .box { fill: var(--figure-faint); fill-opacity: 0.1; }
    .node.pruned .box { fill: var(--md-default-bg-color); fill-opacity: 1; stroke: var(--figure-faint); stroke-dasharray: 3 2; }
    .node.chosen .box { stroke: var(--figure-ink); stroke-dasharray: none; stroke-width: 2; }
    .node:is(.gone, .pruned) text { fill: var(--figure-faint); }
    .node .gloss { font-size: 11px; }
    svg line.living { stroke: var(--figure-weight); stroke-opacity: 1; stroke-width: 2; }
    svg line.best { stroke: var(--figure-weight); stroke-width: 4; }
    svg line.pruned { stroke-dasharray: 3 2; }
    svg line.faint.past { stroke-opacity: 0.3; }
    .slot { fill: none; stroke: var(--figure-faint); stroke-opacity: 0.35; }
    svg line.greedy { stroke: var(--figure-ink); stroke-dasharray: 0 4.5; stroke-linecap: round; stroke-width: 2.6; }
    svg .now { font-weight: 700; }
    @media (prefers-reduced-motion: no-preference) { .born { animation: born 0.3s; } }
    @keyframes born { from { opacity: 0; } }`;

  static above = 4;

  static text = {
    ko: {
      length: "길이",
      play: "처음부터 키우기",
      size: "빔 크기 k",
      alpha: "길이 페널티의 α",
      place: "그 길이에서의 순위",
      first: "이 길이에서 로그 확률이 가장 높은 후보",
      greedy: "이 길이까지의 탐욕적 디코딩",
      looked: "고른 후보, 로그 확률, 결과",
      fates: {
        kept: () => "남아서 이어짐",
        gone: (length) => `남았다가, 길이 ${length}에서 이어진 것이 모두 버려짐`,
        ended: (score) => `끝난 문장, 점수 ${score}`,
        cut: (score) => `${MOST}토큰에서 잘림, 점수 ${score}`,
        pruned: () => "버려짐",
      },
      best: "찾은 문장",
      score: "로그 확률 / 점수 (페널티로 나눈 값)",
      hidden: "그림에 없는 버려진 후보",
      others: "여기까지 끝난 문장 (점수 순)",
      none: "아직 없음",
      more: (count) => `외 ${count}개`,
      legend: { living: "남은 후보", pruned: "버려진 후보", greedy: "탐욕적 디코딩" },
      says: (length, kept, pruned) => `길이 ${length}까지 자란 후보의 트리. 남은 후보: ${kept}. 버려진 후보: ${pruned}`,
    },
    en: {
      length: "Length",
      play: "Grow it from the start",
      size: "Beam size k",
      alpha: "α of the length penalty",
      place: "Rank at this length",
      first: "Most probable hypothesis at this length",
      greedy: "Greedy decoding up to this length",
      looked: "Chosen hypothesis, its log-probability, its fate",
      fates: {
        kept: () => "kept and continued",
        gone: (length) => `kept, but all that continued it is pruned at length ${length}`,
        ended: (score) => `a whole sentence, score ${score}`,
        cut: (score) => `cut off at ${MOST} tokens, score ${score}`,
        pruned: () => "pruned",
      },
      best: "Sentence found",
      score: "Log-probability / score (divided by the penalty)",
      hidden: "Pruned hypotheses that are not drawn",
      others: "Whole sentences so far, by score",
      none: "none yet",
      more: (count) => `and ${count} more`,
      legend: { living: "kept", pruned: "pruned", greedy: "greedy decoding" },
      says: (length, kept, pruned) =>
        `A tree of hypotheses, grown to length ${length}. Kept: ${kept}. Pruned: ${pruned}`,
    },
  };

  controls() {
    this.range("length", { wide: true, min: 1, max: MOST, value: 2, fine: true });
    this.asked("March 5, 2024");
    this.range("size", { min: 1, max: 6, value: 2 });
    this.range("place", { min: 1, max: 6, value: 1 });
    this.range("alpha", { wide: true, min: 0, max: 2, step: 0.1, value: 0.6, show: (alpha) => alpha.toFixed(1) });
    this.action("play", () => this.replay("length", () => this.result.tree.levels.length - 1));
  }

  translated(state, width) {
    const { text } = this;
    const room = Math.floor((width - LEFT) / COLUMN);
    const size = this.upTo("size", Math.min(6, room - 1)); // there is a column for what is pruned
    const { tree, alone } = this.run([size, state.alpha], (model, ids) => ({
      tree: beamSearch(model, ids, size, MOST, state.alpha),
      alone: beamSearch(model, ids, 1, MOST, 0),
    }));
    const whole = tree.levels.slice(1),
      levels = whole.map((level) => level.slice(0, room));
    const length = this.upTo("length", levels.length),
      place = this.upTo("place", levels[length - 1].length);
    const front = levels[length - 1],
      chosen = front[place - 1],
      isLast = length === levels.length;
    const found = tree.found.filter((one) => one.ids.length <= length);
    const living = this.lines([...front.filter((one) => one.kept), ...found]);
    const ahead = isLast ? tree.winner : front[0],
      best = this.lines([ahead]);
    const greedy = [...this.lines([alone.winner])].reverse().slice(1),
      now = greedy[Math.min(length, greedy.length) - 1];
    const isWhole = (one) => one.ids.at(-1) === EOS;
    const named = (one) => this.written(one.ids) + (isWhole(one) ? " </s>" : "");
    const valued = (one) => `${named(one)} ${three(one.total)}`;
    const score = (one) => (one.score === null ? "" : three(one.score));
    // of what was kept, the first length at which nothing that continues it is left; it may be later than what is drawn
    const end = whole.findIndex(
      (level, i) => i >= length && !level.some((one) => one.kept && this.lines([one]).has(chosen)),
    );
    const isGone = end >= 0 && !this.lines(tree.found).has(chosen);
    const fate =
      chosen.score !== null ? (isWhole(chosen) ? "ended" : "cut") : !chosen.kept ? "pruned" : isGone ? "gone" : "kept";
    const ended = found.filter(isWhole).sort((a, b) => b.score - a.score);
    const few = ended.slice(0, 4).map((one) => `${this.written(one.ids)} ${score(one)}`);
    if (ended.length > few.length) few.push(text.more(ended.length - few.length));
    const grown = whole.slice(0, length).flat().length - levels.slice(0, length).flat().length;
    const list = (some) => some.map(valued).join("; ") || "–";
    return {
      picture: this.tree({ levels, size, length, living, best, greedy, chosen, width }),
      says: text.says(length, list(front.filter((one) => one.kept)), list(front.filter((one) => !one.kept))),
      numbers: [
        [text.first, valued(front[0])],
        [text.greedy, valued(now)],
        [
          text.looked,
          [named(chosen), three(chosen.total), text.fates[fate](fate === "gone" ? end + 1 : score(chosen))].join(" · "),
        ],
        [text.score, `${three(ahead.total)} / ${three(ahead.total / lengthPenalty(ahead.ids.length, state.alpha))}`],
        [text.others, few.join(" · ") || text.none],
        [text.best, isLast ? this.written(tree.ids) : text.none],
        [text.hidden, String(grown)],
      ],
    };
  }

  /** Some hypotheses and all that they continue. */
  lines(some) {
    const all = new Set();
    for (let one of some) for (; one && !all.has(one); one = one.parent) all.add(one);
    return all;
  }

  /**
   * The first `length` rows, one a length; the best hypothesis stands on the left. The last row has log-probabilities. A bar
   * in a node is its probability, as a share of the highest at its length. What `living` holds is still there at this
   * length, the rest is gone.
   */
  tree({ levels, size, length, living, best, greedy, chosen, width }) {
    const { glosses, legend } = this.text;
    const most = Math.max(...levels.map((level) => level.length));
    const column = Math.min(120, (width - LEFT) / most),
      box = Math.min(column - 4, 76);
    const row = Math.min(28, ROWS / (levels.length - 1 || 1));
    const last = length - 1,
      glossOf = (one) => glosses?.[this.named(one.ids.slice(-1))[0]];
    const [high, highest] = [levels[last].some(glossOf) ? 47 : 34, glosses ? 47 : 34]; // of a node in the last row
    const bottom = (levels.length - 1) * row + highest + 2;
    const after = (i) => (i > last ? high - NODE : 0); // the last row is higher than the others
    const shown = levels.slice(0, length);
    const at = new Map(
      shown.flatMap((level, i) => level.map((one, j) => [one, [LEFT + (j + 0.5) * column, i * row + 2]])),
    );
    const isGreedy = new Set(greedy.map((one) => one.ids.join()));
    const kind = (one) => (best.has(one) ? "living best" : living.has(one) ? "living" : one.kept ? "gone" : "pruned");
    const isNew = this.grown < length;
    this.grown = length;
    const born = (i) => (isNew && i === last ? "born" : "");
    const order = (one) => Number(living.has(one)) + Number(best.has(one)); // what lives is drawn above what is gone
    const lines = [...at]
      .sort(([a], [b]) => order(a) - order(b))
      .flatMap(([one, [x, y]]) => {
        const above = at.get(one.parent);
        if (!above) return [];
        const ends = { x1: above[0], y1: above[1] + NODE, x2: x, y2: y };
        const past = living.has(one) || one.ids.length === length ? "" : "past";
        const path =
          isGreedy.has(one.ids.join()) && svg("line", { class: `greedy ${born(one.ids.length - 1)}`, ...ends });
        return [svg("line", { class: `faint ${kind(one)} ${past} ${born(one.ids.length - 1)}`, ...ends }), path];
      });
    const nodes = [...at].map(([one, [x, y]]) => {
      const i = one.ids.length - 1,
        isFront = i === last,
        height = isFront ? high : NODE;
      const [token] = this.named(one.ids.slice(-1));
      const name = wide(token) > box - 2 ? `${token.slice(0, 3)}…` : token;
      const share = Math.exp(one.total - levels[i][0].total);
      const group = svg(
        "g",
        {
          class: `node ${kind(one)} ${one.ids.at(-1) === EOS && one.kept ? "ended" : ""} ${one === chosen ? "chosen" : ""} ${born(i)}`,
        },
        svg("rect", { class: "box", x: x - box / 2, y, width: box, height, rx: 4 }),
        svg("rect", {
          class: living.has(one) ? "weight" : "faint",
          x: x - box / 2 + 3,
          y: y + height - 3,
          width: share * (box - 6),
          height: 2.5,
        }),
        svg("text", { class: "small middle strong", x, y: y + 12.5 }, name),
        isFront && svg("text", { class: "small middle", x, y: y + 27 }, three(one.total)),
        isFront && glossOf(one) && svg("text", { class: "gloss middle", x, y: y + 40 }, glossOf(one)),
      );
      group.addEventListener("click", () => this.set({ length: i + 1, place: levels[i].indexOf(one) + 1 }));
      return group;
    });
    // where what will be kept later has its place
    const slots = levels.slice(length).flatMap((level, i) =>
      level.slice(0, size).map((_, j) =>
        svg("rect", {
          class: "slot",
          x: LEFT + (j + 0.5) * column - box / 2,
          y: (length + i) * row + 2 + after(length + i),
          width: box,
          height: NODE,
          rx: 4,
        }),
      ),
    );
    let x = LEFT;
    const keys = Object.entries(legend).map(([name, said]) => {
      const key = [
        svg("line", {
          class: name === "greedy" ? name : `faint ${name}`,
          x1: x,
          x2: x + 18,
          y1: bottom + 16,
          y2: bottom + 16,
        }),
        svg("text", { class: "small", x: x + 23, y: bottom + 20 }, said),
      ];
      x += 23 + [...said].reduce((sum, letter) => sum + (/[ㄱ-힣]/.test(letter) ? 12 : 6.3), 0) + 14;
      return key;
    });
    return svg(
      "svg",
      { height: bottom + BELOW },
      levels.map((_, i) =>
        svg(
          "text",
          {
            class: i === last ? "small now" : "small",
            x: 0,
            y: i * row + 14.5 + after(i),
            "fill-opacity": i > last ? 0.6 : 1,
          },
          String(i + 1),
        ),
      ),
      slots,
      lines,
      nodes,
      keys,
    );
  }
}
