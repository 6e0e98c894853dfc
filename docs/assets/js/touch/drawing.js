// What several figures draw. Sizes are pixels.

import { svg } from "./touchable.js";

/** How much of its colour a cell has at least and at most: the ink on it is readable in both themes. */
const PALEST = 0.06,
  DEEPEST = 0.47;

/**
 * A matrix as cells with its numbers in them, from the upper left corner (x, y).
 * show: from number to text; depth: from number to how deep its colour is, from 0 to 1; kind: what it is, a class;
 * rows, columns: labels on the left and below; marked: (row, column) => whether the cell has a frame.
 */
export const cells = (
  values,
  { x, y, width, height, kind, show, depth = (value) => value, rows = [], columns = [], marked = undefined },
) => {
  const baseline = height / 2 + 4.5;
  return [
    values.map((row, i) =>
      row.map((value, j) => [
        svg("rect", {
          x: x + j * width + 0.5,
          y: y + i * height + 0.5,
          width: width - 1,
          height: height - 1,
          class: kind,
          "fill-opacity": PALEST + (DEEPEST - PALEST) * (Math.min(1, Math.max(0, depth(value))) || 0),
          style: marked?.(i, j) && "stroke: var(--figure-ink); stroke-width: 1.5",
        }),
        svg("text", { x: x + (j + 0.5) * width, y: y + i * height + baseline, class: "middle small" }, show(value)),
      ]),
    ),
    rows.map((label, i) => svg("text", { x: x - 5, y: y + i * height + baseline, class: "end small" }, label)),
    columns.map((label, j) =>
      svg("text", { x: x + (j + 0.5) * width, y: y + values.length * height + 14, class: "middle small" }, label),
    ),
  ];
};

/**
 * Faint lines across, from left to right, at the height y(value), with the values beside them.
 * @param {{ y: (value: number) => number, values: number[], left: number, right: number, show?: (value: number) => string }} _
 */
export const ticks = ({ y, values, left, right, show = String }) =>
  values.map((value) => [
    svg("line", { x1: left, x2: right, y1: y(value), y2: y(value), class: "faint", "stroke-opacity": 0.4 }),
    svg("text", { x: left - 5, y: y(value) + 4, class: "end small" }, show(value)),
  ]);

/** A line through points, [x, y] each, with a mark at each of them: a circle or a square, and a colour. */
export const curve = (points, { kind, square = false }) => [
  svg("path", { class: kind, d: `M${points.map((point) => point.join(" ")).join("L")}` }),
  points.map(([x, y]) => mark(x, y, { kind, square })),
];

const mark = (x, y, { kind, square = false }) =>
  square
    ? svg("rect", { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6, class: kind })
    : svg("circle", { cx: x, cy: y, r: 3.2, class: kind });

/** What two lines are called, {name, kind, y} each, from x on at their right ends; where these are near, one below the other. */
export const called = (x, lines) => {
  const [upper, lower] = [...lines].sort((one, other) => one.y - other.y);
  const apart = Math.max(0, 14 - (lower.y - upper.y)) / 2;
  return [
    [upper, -apart],
    [lower, apart],
  ].map(([{ name, kind, y }, by]) => svg("text", { x, y: y + by + 4.5, class: `${kind} strong` }, name));
};

/** The two orders of norm and sublayer, as in snippets/figures/style.py. */
export const ORDERS = { "post-LN": { kind: "key" }, "pre-LN": { kind: "query", square: true } };
