// A map of attention weights. Sizes are pixels.

import { share, wide } from "./glosses.js";
import { svg } from "./touchable.js";

/** What the map needs of a figure's style sheet. */
export const MAP = `
.row { cursor: pointer; }
.row:hover .label, .lit { font-weight: 700; text-decoration: underline; }
.column { cursor: default; }
.current { fill: none; stroke: var(--figure-ink); stroke-width: 1.5; }
`;

/**
 * A map of weights: one row a token of `rows`, with what stands `beside` it on the right, and one column a token of
 * `columns`. The row `current` has a frame; whoever touches a row makes it the current one. `all`: how many rows there
 * will be, and their names, if not all of them are there yet.
 */
export const map = ({ rows, columns, weights, beside = undefined, titles, current, width, pick, all = rows }) => {
  const left = Math.max(wide(titles[0]) + 4, ...all.map(wide)) + 8;
  const right = beside ? Math.max(...beside.map(wide)) + 8 : 2;
  const top = Math.max(...columns.map(wide)) + 30;
  const cell = Math.min(42, (width - left - right) / columns.length);
  const height = 22;
  const names = columns.map((name, column) => {
    const x = left + (column + 0.5) * cell + 4;
    const text = svg("text", { class: "small key column", transform: `translate(${x} ${top - 5}) rotate(-90)` }, name);
    text.addEventListener("pointerenter", () => lightRows(column));
    text.addEventListener("pointerleave", () => lightRows(-1));
    return text;
  });
  const lightRows = (column) => {
    const most = Math.max(...weights.map((row) => row[column] ?? 0));
    labels.forEach((label, row) => label.classList.toggle("lit", column >= 0 && weights[row][column] > most / 2));
  };
  const labels = rows.map((name, row) =>
    svg(
      "text",
      {
        x: left - 8,
        y: top + row * height + 16,
        class: row === current ? "label small end strong" : "label small end",
      },
      name,
    ),
  );
  const light = (row) => {
    const most = Math.max(...weights[row]);
    names.forEach((name, column) => name.classList.toggle("lit", weights[row][column] > most / 2));
  };
  light(current);
  const picture = svg(
    "svg",
    { height: top + all.length * height + 6 },
    svg("text", { x: left, y: 13, class: "small key strong" }, titles[1]),
    svg("text", { x: left - 8, y: top - 6, class: "small query strong end" }, titles[0]),
    names,
    rows.map((_, row) => {
      const y = top + row * height;
      const group = svg(
        "g",
        { class: "row" },
        svg("rect", { x: 0, y, width, height, "fill-opacity": 0 }),
        labels[row],
        weights[row].map((one, column) =>
          svg(
            "rect",
            {
              class: "weight",
              x: left + column * cell + 0.5,
              y: y + 0.5,
              width: cell - 1,
              height: height - 1,
              "fill-opacity": (0.06 + 0.9 * one).toFixed(3),
            },
            svg("title", {}, `${columns[column]}: ${share(one)}`),
          ),
        ),
        beside && svg("text", { x: left + columns.length * cell + 6, y: y + 16, class: "small" }, beside[row]),
      );
      group.addEventListener("pointerenter", () => light(row));
      group.addEventListener("pointerleave", () => light(current));
      group.addEventListener("click", () => pick(row));
      return group;
    }),
    svg("rect", { class: "current", x: left, y: top + current * height, width: columns.length * cell, height }),
  );
  return picture;
};
