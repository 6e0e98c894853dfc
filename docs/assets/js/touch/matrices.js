// Matrices as cells, and how the number in a cell comes about.

import { gelu, relu } from "./maths/translator/layers.js";
import { fixed, html } from "./touchable.js";

/** Pixels: how wide a cell is at least if its number stands in it. */
const ROOMY = 30;

/** Cells on a canvas of a figure: the larger a number, the more colour; negative ones are half as high, but for strips of
 *  pixels. Numbers where there is room. */
export function paint(figure, canvas, values, kind, width, height, selected) {
  const [m, n] = [values.length, values[0].length];
  const scale = width > n ? Math.min(2, devicePixelRatio || 1) : 1;
  Object.assign(canvas, { width: width * scale, height: height * scale });
  if (selected !== undefined || width > n) Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const style = getComputedStyle(figure);
  const colour = (name) => style.getPropertyValue(`--figure-${name}`).trim();
  const [full, ink] = [kind, "ink"].map(colour);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const numbered = width / n >= ROOMY && height / m >= 15;
  pen.font = `11px ${style.getPropertyValue("--md-text-font-family") || "sans-serif"}`;
  [pen.textAlign, pen.textBaseline] = ["center", "middle"];
  let most = 0;
  for (const row of values) for (const value of row) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  const whole = width / n < 2 ? (number) => number : Math.round; // cells of a pixel or less are mixed, and not left out
  const x = (j) => whole((j * width) / n),
    y = (i) => Math.round((i * height) / m);
  const gap = width / n > 5 ? 1 : 0,
    below = height / m > 5 ? 1 : 0;
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      const masked = value === -Infinity;
      pen.globalAlpha = masked ? 0 : 0.05 + ((numbered ? 0.45 : 0.95) * Math.abs(value)) / (most || 1);
      const high = y(i + 1) - y(i) - below,
        low = value < 0 && below ? Math.ceil(high / 2) : 0; // of a negative one, its upper half stays empty
      pen.fillStyle = full;
      pen.fillRect(x(j), y(i) + low, x(j + 1) - x(j) - gap, high - low);
      if (!masked && !numbered) return;
      pen.globalAlpha = 1;
      pen.fillStyle = ink;
      if (x(j + 1) - x(j) > 10)
        pen.fillText(masked ? "−∞" : fixed(value, 2), (x(j) + x(j + 1) - gap) / 2, (y(i) + y(i + 1)) / 2);
    }),
  );
  if (!selected) return;
  pen.globalAlpha = 1;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.5;
  const [i, j] = selected;
  const [left, right] = j === null ? [0, width] : [x(j), Math.max(x(j + 1), x(j) + 3)];
  const [up, down] = i === null ? [0, height] : [y(i), y(i + 1)];
  pen.strokeRect(left + 0.75, up + 0.75, right - left - 1.5, down - up - 1.5);
}

export const number = (value) => (value === -Infinity ? "−∞" : fixed(value, 3));

/** How the selected number comes about, with the numbers in it: paragraphs. cell: what `explained` returns. */
export function equation(text, cell, { isOff, changed }) {
  const show = number;
  const signed = (value) => `${value < 0 ? "−" : "+"} ${show(Math.abs(value))}`;
  const lines = [];
  if (isOff) lines.push(text.isOff);
  if (cell.shown === -Infinity) lines.push(text.masked);
  if (changed !== undefined && changed !== null) lines.push(text.changedScore(fixed(changed, 1)));
  if (cell.pairs) {
    const bias = cell.bias ? ` ${signed(cell.bias)}` : "",
      by = cell.divisor === 1 ? "" : ` / ${show(cell.divisor)}`;
    const whole = (sum) => (by && bias ? `(${sum}${bias})${by}` : `${sum}${bias}${by}`);
    const reached = show((cell.sum + cell.bias) / cell.divisor);
    lines.push(`${whole("Σ")} = ${whole(show(cell.sum))}${bias || by ? ` = ${reached}` : ""}`);
    if (cell.activation === gelu) lines.push(`GELU(${reached}) = ${show(cell.result)}`);
    if (cell.activation === relu && cell.sum + cell.bias < 0) lines.push(text.zero);
    const factor = (value) => (value < 0 ? `(${show(value)})` : show(value));
    const term = ([a, b], n) => [" ", html("span", {}, `${n ? "+ " : ""}${factor(a)} × ${factor(b)}`)];
    const look = { class: "terms", tabindex: 0, role: "group", "aria-label": "Σ" };
    return [...lines.map((line) => html("p", {}, line)), html("div", look, "Σ =", cell.pairs.map(term))];
  }
  if (cell.scores) {
    if (cell.result === 0 && !cell.scores.every(Number.isFinite)) lines.push("e^{−∞} / Σ e^{…} = 0");
    const most = Math.max(...cell.scores),
      own = cell.scores[cell.column ?? 0];
    const sum = cell.scores.reduce((total, score) => total + Math.exp(score - most), 0);
    const over = `e^{${show(own)} − ${show(most)}} / Σ e^{… − ${show(most)}} = ${show(Math.exp(own - most))}`;
    if (Number.isFinite(own)) lines.push(`e^{${show(own)}} / Σ e^{…} = ${over} / ${show(sum)} = ${show(cell.result)}`);
  } else if (cell.gamma !== undefined) {
    const x = cell.x + (cell.f ?? 0),
      z = (x - cell.mean) / cell.deviation;
    if (cell.f !== undefined) lines.push(`x + F(x) = ${show(cell.x)} ${signed(cell.f)} = ${show(x)}`);
    lines.push(
      `(${show(x)} ${signed(-cell.mean)}) / ${show(cell.deviation)} = ${show(z)}`,
      `γ · ${show(z)} + β = ${show(cell.gamma)} · ${show(z)} ${signed(cell.beta)} = ${show(cell.result)}`,
    );
  } else if (cell.learned || cell.factor === 1) lines.push(text.learned(show(cell.result)));
  else if (cell.table !== undefined) lines.push(`${show(cell.table)} × ${show(cell.factor)} = ${show(cell.result)}`);
  else if (cell.position !== undefined)
    lines.push(
      `${cell.cosine ? "cos" : "sin"}(${cell.position} / 10000^{${cell.pair}/${cell.size}}) = ${show(cell.result)}`,
    );
  else if (cell.f !== undefined) lines.push(`${show(cell.x)} ${signed(cell.f)} = ${show(cell.result)}`);
  else if (cell.head !== undefined) lines.push(`${text.from(cell.head + 1, cell.column + 1)}: ${show(cell.result)}`);
  else lines.push(show(cell.result));
  const raised = (piece, n) => (n % 2 ? html("sup", {}, piece) : piece);
  return lines.map((line) => html("p", {}, line.split(/\^\{([^}]*)\}/).map(raised)));
}
