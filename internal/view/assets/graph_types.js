// What a type of entity looks like: a colour and a shape that its name alone decides,
// so that they are the same on every visit, in every browser and in every picture. The
// shape tells types apart for those who do not see the colours, or where two share one.
import { svg } from "./dom.js";

/** How many colours there are: --hue-0 and on, in graph.css. */
export const hues = 12;

const corners = [0, 4, 4, 3, 6]; // a circle, a square, a diamond, a triangle, a hexagon
const turns = [0, Math.PI / 4, 0, -Math.PI / 2, 0];
const sizes = [1, 1.12, 1.2, 1.28, 1.08]; // so that all look equally large

// With this beginning the types that most graphs have (person, project, place and
// so on) get colours of their own.
const beginning = 80891;

/** A number that a type's name decides, whatever its case and the spaces in it. */
export function hash(type) {
  let sum = beginning;
  for (const c of type.toLowerCase().replace(/[\s_-]+/g, "_")) sum = Math.imul(sum ^ c.codePointAt(0), 16777619) >>> 0;
  return (sum ^ (sum >>> 15)) >>> 0;
}

const looks = new Map(); // by type, since a name may be long

/** The number of a type's colour, and that of its shape. */
export function lookOf(type) {
  if (!looks.has(type)) {
    // The name decides; where another type looks so already, it is the next look that none has.
    const all = hues * corners.length, taken = new Set([...looks.values()].map(({ hue, shape }) => hue + hues * shape));
    let place = hash(type) % all;
    for (let tried = 0; tried < all && taken.has(place); tried++) place = (place + 1) % all;
    looks.set(type, { hue: place % hues, shape: Math.floor(place / hues) });
  }
  return looks.get(type);
}

const cornersOf = (shape, x, y, radius) => Array.from({ length: corners[shape] }, (_, i) => {
  const angle = turns[shape] + (2 * Math.PI * i) / corners[shape];
  return [x + radius * sizes[shape] * Math.cos(angle), y + radius * sizes[shape] * Math.sin(angle)];
});

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
