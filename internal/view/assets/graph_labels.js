// Writes the names of entities and of relations into the picture. Entities come
// first; what would cover another name or an entity is left out, and stands in the
// lists beside the picture.
import { legible, shorten, words } from "./format.js";

const mostLabels = 70, mostNames = 60, mostTried = 200;
const along = [0.5, 0.4, 0.6, 0.3, 0.7]; // where on a relation its name may stand

export function paintLabels(c, picture) {
  const taken = picture.nodes.filter(placed).map((n) => {
    const p = picture.toScreen(n), r = n.radius * picture.scale;
    return [p.x - r, p.y - r, p.x + r, p.y + r];
  });
  c.textAlign = "center";
  c.textBaseline = "top";
  c.lineWidth = 4.5;
  c.lineJoin = "round";
  c.strokeStyle = picture.colors.paper;
  paintEntities(c, picture, taken);
  paintRelations(c, picture, taken);
}

const placed = (n) => !Number.isNaN(n.x);

function write(c, text, x, y, color) {
  c.strokeText(text, x, y);
  c.fillStyle = color;
  c.fillText(text, x, y);
}

// The most important labels that do not cover each other.
function paintEntities(c, picture, taken) {
  const { near, selected } = picture, most = taken.length + mostLabels;
  c.font = `12px ${picture.colors.font}`;
  for (const n of picture.ranked) {
    if (taken.length >= most) break;
    if (!placed(n) || (near && !near.has(n.id))) continue;
    n.label ??= shorten(legible(n.title || n.name), 26);
    n.labelWidth ??= c.measureText(n.label).width + 8;
    const place = room(picture, n, taken);
    if (!place) continue;
    taken.push(place);
    write(c, n.label, (place[0] + place[2]) / 2, place[1], n.id === selected ? picture.colors.ink : picture.colors.muted);
  }
}

// Where the label of a node covers nothing: below, above or beside it, beginning where
// the fewest lines are. The selected one is labelled in any case.
function room(picture, n, taken) {
  const p = picture.toScreen(n), gap = n.radius * picture.scale + 3, width = n.labelWidth;
  if (p.x < 0 || p.y < 0 || p.x > picture.width || p.y > picture.height) return null;
  const hub = picture.byID.get(picture.selected);
  const places = [[p.x - width / 2, p.y + gap], [p.x - width / 2, p.y - gap - 15], [p.x + gap, p.y - 8], [p.x - gap - width, p.y - 8]].map(([x, y]) => [x, y, x + width, y + 16]);
  const best = hub ? Number(picture.toScreen(hub).y > p.y + 1) : 0;
  places.unshift(...places.splice(best, 1));
  return places.find((box) => inside(picture, box) && free(box, taken)) ?? (n.id === picture.selected ? places[0] : null);
}

const inside = (picture, [left, top, right, bottom]) => left > 2 && top > 2 && right < picture.width - 2 && bottom < picture.height - 2;

const free = (box, taken) => !taken.some((t) => box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1]);

// The names of those relations that stand out; of all when none does and the picture rests.
function paintRelations(c, picture, taken) {
  const some = picture.links.some((l) => picture.bright(l));
  if (!some && picture.moving) return;
  c.font = `italic 11.5px ${picture.colors.font}`;
  let tried = 0, written = 0;
  for (const link of picture.links) {
    if ((some && !picture.bright(link)) || !placed(link.a)) continue;
    if (++tried > mostTried || written >= mostNames) return;
    link.label ??= shorten(legible(link.names.map(words).join(", ")), 28);
    link.labelWidth ??= c.measureText(link.label).width + 6;
    const place = nameRoom(picture, link, taken);
    if (!place) continue;
    written++;
    taken.push(place);
    write(c, link.label, (place[0] + place[2]) / 2, place[1] + 1, some ? picture.colors.accent : picture.colors.muted);
  }
}

function nameRoom(picture, link, taken) {
  for (const t of along) {
    const { x, y } = picture.toScreen(pointOn(link, t)), half = link.labelWidth / 2;
    const box = [x - half, y - 8, x + half, y + 7];
    if (inside(picture, box) && free(box, taken)) return box;
  }
  return null;
}

/** A point on a relation, from 0 at its beginning to 1 at its end. */
export function pointOn({ a, b, names, bow }, t) {
  if (a === b) return { x: a.x, y: a.y - a.radius - 18 };
  const middle = bend({ a, b, names, bow }), s = 1 - t;
  return { x: s * s * a.x + 2 * s * t * middle.x + t * t * b.x, y: s * s * a.y + 2 * s * t * middle.y + t * t * b.y };
}

/** What a relation is bent towards: its middle, or beside it where another leads back. */
export function bend({ a, b, bow }) {
  return { x: (a.x + b.x) / 2 - bow * (b.y - a.y), y: (a.y + b.y) / 2 + bow * (b.x - a.x) };
}
