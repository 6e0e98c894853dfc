import { BESIDE } from "../beside.js";
import { dot } from "../maths/attention.js";
import { rotate } from "../maths/positions.js";
import { ticks } from "../drawing.js";
import { Touchable, fixed, svg } from "../touchable.js";
import { grip } from "../turning.js";

/** The pair of the drawing, and how far one moves. */
const QUERY = [0.95, 0.31],
  KEY = [0.74, -0.67],
  MOST = 30;

export default class extends Touchable {
  static style = BESIDE;

  static above = 1;

  static text = {
    ko: {
      query: "쿼리의 위치",
      key: "키의 위치",
      frequency: "각주파수 ω (한 칸에 도는 라디안)",
      together: "간격을 유지하며 함께 옮기기",
      product: "q · k",
      distance: "쿼리와 키의 간격",
      angles: "돌린 각도: q, k",
      curve: "간격에 따른 q · k",
      fixed: (apart) => `간격 ${apart} 고정`,
      says: (apart, product) =>
        `원 안에 돌린 쿼리와 키의 화살표가 있고, 그 옆에 간격에 따른 내적의 곡선이 있는 그림. 간격 ${apart}에서 ${product}`,
    },
    en: {
      query: "Position of the query",
      key: "Position of the key",
      frequency: "Frequency ω (radians per position)",
      together: "move both, at the same distance",
      product: "q · k",
      distance: "Distance from key to query",
      angles: "Rotated by: q, k",
      curve: "q · k by distance",
      fixed: (apart) => `distance stays ${apart}`,
      says: (apart, product) =>
        `The rotated query and key as arrows in a circle, beside a curve of their dot product by distance. At distance ${apart} it is ${product}`,
    },
  };

  controls() {
    this.range("query", { wide: true, min: 0, max: MOST, value: 5 });
    this.range("key", { wide: true, min: 0, max: MOST, value: 2 });
    this.check("together");
    this.range("frequency", {
      wide: true,
      min: 0.05,
      max: 1,
      step: 0.05,
      value: 0.35,
      show: (number) => number.toFixed(2),
    });
  }

  /** Whoever moves one of them together with the other moves both, as far as there is room. */
  set(values) {
    const { query, key, together } = this.state,
      changes = { ...values };
    if (together && !("together" in values)) {
      const by = "query" in values ? values.query - query : "key" in values ? values.key - key : 0;
      const least = -Math.min(query, key),
        most = MOST - Math.max(query, key);
      const moved = Math.max(least, Math.min(most, by));
      Object.assign(changes, { query: query + moved, key: key + moved });
    }
    super.set(changes);
  }

  /** Whoever turns the picture moves both on, at the same distance. */
  turns(circle) {
    let begun;
    return grip(this, circle, {
      begin: () => {
        begun = { ...this.state };
      },
      turn: (angle) => {
        const { query, key, frequency } = begun;
        const by = Math.max(
          -Math.min(query, key),
          Math.min(MOST - Math.max(query, key), Math.round(angle / frequency)),
        );
        super.set({ query: query + by, key: key + by });
      },
    });
  }

  draw({ query, key, together, frequency }, width) {
    const { text } = this;
    const [q, k] = [rotate(QUERY, query * frequency), rotate(KEY, key * frequency)];
    const product = dot(q, k),
      apart = query - key;
    const at = (distance) => dot(rotate(QUERY, distance * frequency), KEY);
    const radius = Math.min(76, width * 0.2),
      middle = radius + 22,
      top = 22;
    const arrow = (vector, kind, name, faint) => {
      const x = middle + radius * vector[0],
        y = top + radius - radius * vector[1];
      return [
        svg("line", {
          x1: middle,
          y1: top + radius,
          x2: x,
          y2: y,
          class: kind,
          "stroke-opacity": faint ? 0.35 : 1,
          style: faint ? "stroke-dasharray: 3 3" : "stroke-width: 3; stroke-linecap: round",
        }),
        !faint &&
          svg(
            "text",
            {
              x: middle + 1.16 * radius * vector[0],
              y: top + radius - 1.16 * radius * vector[1] + 4,
              class: `${kind} strong middle`,
            },
            name,
          ),
      ];
    };
    const left = 2 * radius + 84,
      right = width - 8,
      x = (distance) => left + ((distance + MOST) / (2 * MOST)) * (right - left);
    const y = (value) => top + radius * (1 - value);
    const points = Array.from({ length: 241 }, (_, i) => -MOST + (i * MOST) / 120).map(
      (distance) => `${x(distance).toFixed(1)} ${y(at(distance)).toFixed(1)}`,
    );
    const picture = svg(
      "svg",
      { height: top + 2 * radius + 40 },
      svg("circle", { cx: middle, cy: top + radius, r: radius, style: "fill: none; stroke: var(--figure-faint)" }),
      this.turns({ x: middle, y: top + radius, radius: radius + 20 }),
      arrow(QUERY, "query", "q", true),
      arrow(KEY, "key", "k", true),
      arrow(q, "query", "q"),
      arrow(k, "key", "k"),
      svg("text", { x: right, y: 13, class: "strong end" }, text.curve),
      ticks({ y, values: [-1, 0, 1], left, right, show: (value) => fixed(value, 0) }),
      svg("path", { class: "weight", d: `M${points.join("L")}` }),
      [-MOST, 0, MOST].map((distance) =>
        svg(
          "text",
          { x: x(distance), y: top + 2 * radius + 18, class: distance === MOST ? "small end" : "small middle" },
          fixed(distance, 0),
        ),
      ),
      svg("line", { x1: x(apart), x2: x(apart), y1: y(-1), y2: y(1), class: "faint" }),
      svg("circle", { cx: x(apart), cy: y(product), r: 6, class: "output" }),
      svg("text", { x: middle, y: top + 2 * radius + 34, class: "middle" }, `q · k = ${fixed(product, 2)}`),
    );
    return {
      picture,
      says: text.says(fixed(apart, 0), fixed(product, 2)),
      numbers: [
        [text.product, fixed(product, 6)],
        [text.distance, together ? text.fixed(fixed(apart, 0)) : fixed(apart, 0)],
        [text.angles, `${fixed(query * frequency, 2)}, ${fixed(key * frequency, 2)}`],
      ],
    };
  }
}
