import { beamSearch } from "../maths/translator/decoding.js";
import { EOS } from "../maths/translator/model.js";
import { fixed, svg } from "../touchable.js";
import { wide } from "../mapping.js";
import { MOST, Translating } from "../translating.js";

const two = (number) => fixed(number, 2), three = (number) => fixed(number, 3);

export default class extends Translating {
  static style = `${Translating.style}
    .node { cursor: pointer; }
    .node rect { fill: var(--figure-weight); fill-opacity: 0.12; }
    .node.best rect { fill-opacity: 0.38; }
    .node.pruned rect { fill: none; stroke: var(--figure-faint); stroke-dasharray: 3 2; }
    .node.chosen rect { stroke: var(--figure-ink); stroke-width: 2; }
    .node.pruned text { fill: var(--figure-faint); }
    svg line.best { stroke: var(--figure-weight); stroke-width: 3; }
    svg line.pruned { stroke-dasharray: 3 2; }`;

  static above = 4;

  static text = {
    ko: {
      size: "빔 크기 k",
      alpha: "길이 페널티의 α",
      length: "길이",
      place: "그 길이에서의 순위",
      best: "찾은 문장",
      score: "로그 확률 / 점수 (페널티로 나눈 값)",
      greedy: "탐욕적 디코딩의 문장과 로그 확률",
      looked: "고른 후보, 로그 확률, 결과",
      fates: {
        kept: () => "남아서 이어짐",
        ended: (score) => `끝난 문장, 점수 ${score}`,
        cut: (score) => `${MOST}토큰에서 잘림, 점수 ${score}`,
        pruned: () => "버려짐",
      },
      hidden: "그림에 없는 버려진 후보",
      others: "끝난 문장 (점수 순)",
      more: (count) => `외 ${count}개`,
      says: (count, best) => `후보 시퀀스의 트리. 끝난 문장은 ${count}개이고, 점수가 가장 높은 문장은 ${best}`,
    },
    en: {
      size: "Beam size k",
      alpha: "α of the length penalty",
      length: "Length",
      place: "Rank at this length",
      best: "Sentence found",
      score: "Log-probability / score (divided by the penalty)",
      greedy: "Greedy sentence and its log-probability",
      looked: "Chosen hypothesis, its log-probability, its fate",
      fates: {
        kept: () => "kept and continued",
        ended: (score) => `a whole sentence, score ${score}`,
        cut: (score) => `cut off at ${MOST} tokens, score ${score}`,
        pruned: () => "pruned",
      },
      hidden: "Pruned hypotheses that are not drawn",
      others: "Whole sentences, by score",
      more: (count) => `and ${count} more`,
      says: (count, best) => `A tree of hypotheses. Of ${count} whole sentences, the one with the highest score is ${best}`,
    },
  };

  controls() {
    this.asked("March 5, 2024");
    this.range("size", { min: 1, max: 6, value: 2 });
    this.range("alpha", { min: 0, max: 2, step: 0.1, value: 0.6, show: (alpha) => alpha.toFixed(1) });
    this.range("length", { min: 1, max: MOST, value: 1 });
    this.range("place", { min: 1, max: 6, value: 1 });
  }

  translated(state, width) {
    const { text } = this;
    const room = Math.floor(width / 62);
    const size = this.upTo("size", Math.min(6, room - 1)); // there is a column for what is pruned
    const { tree, alone } = this.run([size, state.alpha], (model, ids) => ({
      tree: beamSearch(model, ids, size, MOST, state.alpha),
      alone: beamSearch(model, ids, 1, MOST, 0),
    }));
    const whole = tree.levels.slice(1), levels = whole.map((level) => level.slice(0, room));
    const length = this.upTo("length", levels.length), place = this.upTo("place", levels[length - 1].length);
    const chosen = levels[length - 1][place - 1];
    const path = new Set();
    for (let one = tree.winner; one; one = one.parent) path.add(one);
    const winner = this.written(tree.ids);
    const isWhole = (one) => one.ids.at(-1) === EOS;
    const fate = chosen.score !== null ? (isWhole(chosen) ? "ended" : "cut") : chosen.kept ? "kept" : "pruned";
    const ended = tree.found.filter(isWhole).sort((a, b) => b.score - a.score);
    const few = ended.slice(0, 4).map((one) => `${this.written(one.ids)} ${three(one.score)}`);
    if (ended.length > few.length) few.push(text.more(ended.length - few.length));
    return {
      picture: this.tree(levels, path, chosen, width),
      says: text.says(ended.length, winner),
      numbers: [
        [text.best, winner],
        [text.score, `${three(tree.winner.total)} / ${three(tree.score)}`],
        [text.looked, [
          this.written(chosen.ids) + (isWhole(chosen) ? " </s>" : ""),
          two(chosen.total),
          text.fates[fate](chosen.score === null ? "" : three(chosen.score)),
        ].join(" · ")],
        [text.greedy, `${this.written(alone.ids)} ${three(alone.winner.total)}`],
        [text.others, few.join(" · ")],
        [text.hidden, String(whole.flat().length - levels.flat().length)],
      ],
    };
  }

  /** One row a length; the best hypothesis stands on the left. Below each token is its log-probability so far. */
  tree(levels, path, chosen, width) {
    const most = Math.max(...levels.map((level) => level.length));
    const column = Math.min(128, width / most);
    const box = Math.min(column - 8, 64);
    const [row, high] = [45, 33];
    const at = new Map(levels.flatMap((level, i) => level.map((one, j) => [one, [(j + 0.5) * column, i * row + 2]])));
    const kind = (one) => (path.has(one) ? "best" : one.kept ? "" : "pruned");
    const lines = [...at].flatMap(([one, [x, y]]) => {
      const above = at.get(one.parent);
      return above ? svg("line", { class: `faint ${kind(one)}`, x1: above[0], y1: above[1] + high, x2: x, y2: y }) : [];
    });
    const nodes = [...at].map(([one, [x, y]]) => {
      const [token] = this.named(one.ids.slice(-1));
      const name = wide(token) > box - 2 ? `${token.slice(0, 3)}…` : token;
      const group = svg("g", { class: `node ${kind(one)} ${one === chosen ? "chosen" : ""}` },
        svg("rect", { x: x - box / 2, y, width: box, height: high, rx: 4 }),
        svg("text", { class: "small middle strong", x, y: y + 14 }, name),
        svg("text", { class: "small middle", x, y: y + 29 }, two(one.total)),
      );
      const length = one.ids.length;
      group.addEventListener("click", () => this.set({ length, place: levels[length - 1].indexOf(one) + 1 }));
      return group;
    });
    return svg("svg", { height: levels.length * row - row + high + 6 }, lines, nodes);
  }
}
