// What a type of entity looks like: a colour and a shape, the same on every visit and
// whatever way one came. A type keeps the colour and shape that its name decides, unless an
// earlier type has them: so each has its own as long as there are any left. The shape tells
// types apart for those who do not see the colours.
import { svg } from "./dom.js";

/** How many colours there are: --hue-0 and on, in graph.css. */
export const hues = 12;

const polygon = (corners, size, turn = -Math.PI / 2, waist = 1) => Array.from({ length: corners }, (_, i) => {
  const angle = turn + (2 * Math.PI * i) / corners, r = i % 2 ? size * waist : size;
  return [r * Math.cos(angle), r * Math.sin(angle)];
});
const plus = [[-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1], [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1]].map(([x, y]) => [x * 0.4, y * 0.4]);
const turned = ([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2];

// The corners of the shapes, so that all look equally large; a circle has none.
const shapes = [
  [], polygon(4, 1.25, Math.PI / 4), polygon(4, 1.3), polygon(3, 1.4), polygon(6, 1.12), polygon(3, 1.4, Math.PI / 2), polygon(10, 1.4, -Math.PI / 2, 0.5),
  plus, polygon(5, 1.2), polygon(8, 1.45, -Math.PI / 2, 0.42), plus.map(turned), polygon(3, 1.4, 0),
];

// With this beginning the types that most graphs have (person, project, place and
// so on) get colours of their own.
const beginning = 80891;

// The name of a type, whatever its case and the spaces in it.
const plain = (type) => type.toLowerCase().replace(/[\s_-]+/g, "_");

/** A number that a type's name decides. */
export function hash(type) {
  let sum = beginning;
  for (const c of plain(type)) sum = Math.imul(sum ^ c.codePointAt(0), 16777619) >>> 0;
  return (sum ^ (sum >>> 15)) >>> 0;
}

const looks = new Map(); // by plain name
const ownLook = (type) => ({ hue: hash(type) % hues, shape: Math.floor(hash(type) / hues) % shapes.length });

/** Gives the types of the graph their looks, in the order in which they came into it. */
export function meetTypes(types) {
  looks.clear();
  const taken = { hue: new Map(), shape: new Map() };
  const take = (part, wanted, all) => {
    const uses = (i) => taken[part].get(i) ?? 0;
    let best = wanted;
    for (let i = 1; i < all; i++) if (uses((wanted + i) % all) < uses(best)) best = (wanted + i) % all;
    taken[part].set(best, uses(best) + 1);
    return best;
  };
  for (const { type } of [...types].sort((a, b) => a.first - b.first)) {
    if (looks.has(plain(type))) continue;
    const { hue, shape } = ownLook(type);
    looks.set(plain(type), { hue: take("hue", hue, hues), shape: take("shape", shape, shapes.length) });
  }
}

/** The number of a type's colour, and that of its shape. */
export const lookOf = (type) => looks.get(plain(type)) ?? ownLook(type);

const cornersOf = (shape, x, y, radius) => shapes[shape].map(([cx, cy]) => [x + radius * cx, y + radius * cy]);

/** Begins a path around a node. */
export function trace(c, type, x, y, radius) {
  const { shape } = lookOf(type);
  c.beginPath();
  if (shape === 0) c.arc(x, y, radius, 0, 7);
  for (const [cx, cy] of cornersOf(shape, x, y, radius)) c.lineTo(cx, cy);
  c.closePath();
}

/** The same beside the type's name. */
export function icon(type) {
  const { hue, shape } = lookOf(type);
  const drawn = shape === 0 ? svg("circle", { cx: 8, cy: 8, r: 5.5 }) : svg("polygon", { points: cornersOf(shape, 8, 8, 5.5).map((p) => p.map((v) => v.toFixed(2)).join()).join(" ") });
  drawn.style.fill = drawn.style.stroke = `var(--hue-${hue})`;
  return svg("svg", { class: "type-icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, drawn);
}
