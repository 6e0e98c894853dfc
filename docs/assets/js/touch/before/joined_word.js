import { joins, pieces } from "../maths/tokens.js";
import { Touchable, svg } from "../touchable.js";

/** Characters that can be typed; pixels: left of the tokens, of a character at most, from row to row, of a token. */
const MOST = 15;
const [LEFT, CELL, ROW, HIGH, ROWS] = [38, 48, 29, 22, 300];

export default class extends Touchable {
  static numbers = true;

  static above = 2;

  static style = `
    svg .step { cursor: pointer; }
    svg rect.token { fill: var(--colour); fill-opacity: 0.14; }
    svg rect.token.new { fill-opacity: 0.42; }
    .check { grid-column: 1 / -1; }
    .slot { fill: none; stroke: var(--figure-faint); stroke-opacity: 0.35; }
    svg rect.pair { fill: none; stroke: var(--figure-ink); stroke-width: 2; }
    svg text.rank { font-size: 12px; }
    @media (prefers-reduced-motion: no-preference) { .born { animation: born 0.3s; } }
    @keyframes born { from { opacity: 0; } }`;

  static text = {
    ko: {
      word: "단어",
      space: "앞에 공백이 있음 (문장 가운데의 단어)",
      step: "병합한 횟수",
      next: "다음 병합",
      pair: (left, right, rank, times) => `${left} + ${right}: ${rank}번째 병합, ${times}번`,
      none: "배운 병합 200개 가운데 남은 것이 없음",
      tokens: "지금의 토큰",
      cut: (tokens, count) => `${tokens} (${count}개)`,
      fitting: "지금 할 수 있는 다른 병합 (순위)",
      nothing: "없음",
      rank: "순위",
      empty: "단어를 입력하세요.",
      says: (steps, next) => `글자에서 시작해 병합할 때마다 한 줄씩: ${steps}. 다음 병합: ${next}`,
    },
    en: {
      word: "Word",
      space: "with the space before it, as within a sentence",
      step: "Merges made",
      next: "Next merge",
      pair: (left, right, rank, times) => `${left} + ${right}: merge ${rank}, ${times} times`,
      none: "none of the 200 merges is left to make",
      tokens: "Tokens now",
      cut: (tokens, count) => `${tokens} (${count})`,
      fitting: "Other merges possible now, by rank",
      nothing: "none",
      rank: "rank",
      empty: "Type a word.",
      says: (steps, next) => `A row for each merge, from characters on: ${steps}. Next merge: ${next}`,
    },
  };

  controls() {
    const { word, merges } = this.numbers[this.language];
    this.merges = merges;
    this.range("step", { wide: true, min: 0, max: MOST, value: 1, fine: true });
    this.field("word", { value: word, most: MOST });
    this.check("space", { value: true });
  }

  draw(state, width) {
    const { text, merges } = this;
    const typed = state.word.normalize("NFC").trim();
    const steps = joins(pieces((state.space ? " " : "") + typed), merges);
    const step = this.upTo("step", steps.length - 1),
      now = steps[step];
    const seen = (token) => token.replaceAll(" ", "␣");
    const pair = (rank) => {
      const [left, right, times] = merges[rank];
      return text.pair(seen(left), seen(right), rank + 1, times.toLocaleString("en"));
    };
    const cut = (words) => words.flat().map(seen).join("·");
    const others = [...new Set(now.ranks.flat())]
      .filter((rank) => rank !== null && rank !== now.next)
      .sort((a, b) => a - b);
    const next = now.next === null ? text.none : pair(now.next);
    return {
      picture: this.rows(steps, step, width),
      says: text.says(
        steps
          .slice(0, step + 1)
          .map(({ words }) => cut(words))
          .join(", "),
        next,
      ),
      numbers: [
        [text.next, typed ? next : text.empty],
        [text.tokens, text.cut(cut(now.words), now.words.flat().length)],
        [
          text.fitting,
          others.map((rank) => `${merges[rank].slice(0, 2).map(seen).join(" + ")} (${rank + 1})`).join(" · ") ||
            text.nothing,
        ],
      ],
    };
  }

  /** A row a step. A token is as wide as its characters; below the last row, ranks of the pairs that can be joined. */
  rows(steps, step, width) {
    const length = steps[0].words.flat().length;
    const cell = Math.min(CELL, (width - LEFT) / Math.max(1, length));
    const row = Math.min(ROW, ROWS / steps.length),
      high = Math.min(HIGH, row - 3);
    const isNew = this.shown !== undefined && this.shown < step;
    this.shown = step;
    const boxes = ({ words, made, ranks, next }, n) => {
      const y = n * row + 2,
        last = n === step,
        joined = made !== null && this.merges[made].slice(0, 2).join("");
      let x = LEFT;
      return words.flatMap((word, w) =>
        word.flatMap((token, i) => {
          const size = cell * [...token].length,
            start = x;
          x += size;
          const rank = last && i < word.length - 1 ? ranks[w][i] : null;
          return [
            svg("rect", {
              class: `token ${[...token].length > 1 ? "value" : "query"} ${token === joined ? "new" : ""}`,
              x: start + 1,
              y,
              width: size - 2,
              height: high,
              rx: 3,
            }),
            svg(
              "text",
              { class: token === joined ? "middle strong" : "middle", x: start + size / 2, y: y + high / 2 + 4.5 },
              token.replaceAll(" ", "␣"),
            ),
            rank !== null &&
              svg(
                "text",
                { class: rank === next ? "rank middle strong" : "rank middle", x, y: y + high + 15 },
                String(rank + 1),
              ),
            rank !== null &&
              rank === next &&
              svg("rect", {
                class: "pair",
                x: start,
                y: y - 1,
                width: size + cell * [...word[i + 1]].length,
                height: high + 2,
                rx: 4,
              }),
          ];
        }),
      );
    };
    return svg(
      "svg",
      { height: steps.length * row + 22 },
      steps.slice(step + 1).map((_, n) =>
        svg(
          "rect", // merges to come; the ranks stand above them
          {
            class: "slot",
            x: LEFT + 1,
            y: (step + 1 + n) * row + 20,
            width: Math.max(0, length * cell - 2),
            height: high - 2,
            rx: 3,
          },
        ),
      ),
      steps.slice(0, step + 1).map((one, n) => {
        const y = n * row + 2,
          last = n === step;
        const group = svg(
          "g",
          { class: `step ${last && isNew ? "born" : ""}` },
          svg("rect", { x: 0, y, width, height: row, "fill-opacity": 0 }),
          one.made !== null &&
            svg("text", { class: "small end", x: LEFT - 8, y: y + high / 2 + 4.5 }, String(one.made + 1)),
          boxes(one, n),
        );
        group.addEventListener("click", () => this.set({ step: last ? Math.min(step + 1, steps.length - 1) : n }));
        return group;
      }),
      steps[step].next !== null &&
        svg("text", { class: "small end", x: LEFT - 8, y: step * row + high + 17 }, this.text.rank),
    );
  }
}
