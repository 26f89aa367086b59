// Writes the names of entities and of relations into the picture. No name covers another
// or an entity: one that has no room beside its entity stands further off, with a line
// to it, and one that has room nowhere in full is cut short. In a crowd some have none:
// they are told where the pointer is, and closer by.
import { legible, shorten, words } from "./format.js";

const mostNames = 60, mostTried = 200;
const along = [0.5, 0.4, 0.6, 0.3, 0.7]; // where on a relation its name may stand
const lengths = [26, 12]; // of the name of an entity
const distances = [0, 14, 30, 48, 70]; // from an entity to its name
const directions = Array.from({ length: 16 }, (_, i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)]);

export function paintLabels(c, picture) {
  const taken = picture.nodes.filter(placed).map((n) => {
    const p = picture.toScreen(n), r = reach(picture, n);
    return [p.x - r, p.y - r, p.x + r, p.y + r];
  });
  const near = (n) => !picture.near || picture.near.has(n.id);
  c.textAlign = "center";
  c.textBaseline = "top";
  c.lineJoin = "round";
  paintEntities(c, picture, taken, near);
  paintRelations(c, picture, taken);
  paintEntities(c, picture, taken, (n) => !near(n));
}

// How far a shape reaches from its middle, some a little further than others.
const reach = (picture, n) => 1.15 * n.radius * picture.scale;

const placed = (n) => !Number.isNaN(n.x);

function write(c, text, x, y, color, paper) {
  c.lineWidth = 4.5;
  c.strokeStyle = paper;
  c.strokeText(text, x, y);
  c.fillStyle = color;
  c.fillText(text, x, y);
}

// The names of entities, the most important first.
function paintEntities(c, picture, taken, chosen) {
  const { colors } = picture;
  c.font = `12px ${colors.font}`;
  for (const n of picture.ranked) {
    if (!placed(n) || !chosen(n) || !inSight(picture, n)) continue;
    n.labels ??= lengths.map((length) => shorten(legible(n.title || n.name), length));
    n.labelWidths ??= n.labels.map((label) => c.measureText(label).width + 8);
    const found = room(picture, n, taken);
    if (!found) continue;
    const { box, label, off } = found;
    if (off) paintLeader(c, picture, n, box);
    taken.push(box);
    write(c, label, (box[0] + box[2]) / 2, box[1], n.id === picture.selected ? colors.ink : colors.muted, colors.paper);
  }
}

function inSight(picture, n) {
  const p = picture.toScreen(n);
  return p.x >= 0 && p.y >= 0 && p.x <= picture.width && p.y <= picture.height;
}

// Where the name of an entity covers nothing. The selected one is named in any case. While
// the picture moves only the places close by are tried.
function room(picture, n, taken) {
  for (const [i, label] of n.labels.entries()) {
    if (i > 0 && label === n.labels[0]) break;
    for (const off of picture.moving ? distances.slice(0, 1) : distances) {
      const box = places(picture, n, n.labelWidths[i], off).find((one) => inside(picture, one) && free(one, taken));
      if (box) return { box, label, off };
    }
  }
  return n.id === picture.selected ? { box: places(picture, n, n.labelWidths[0], 0)[0], label: n.labels[0], off: 0 } : null;
}

// The places for a name around an entity: below, above and beside it, beginning where the
// fewest lines are; further off, in every direction.
function places(picture, n, width, off) {
  const p = picture.toScreen(n), gap = reach(picture, n) + 2 + off;
  if (off > 0) return directions.map(([dx, dy]) => [p.x + gap * dx + ((dx - 1) * width) / 2, p.y + gap * dy + (dy - 1) * 8]).map(([x, y]) => [x, y, x + width, y + 16]);
  const list = [[p.x - width / 2, p.y + gap], [p.x - width / 2, p.y - gap - 15], [p.x + gap, p.y - 8], [p.x - gap - width, p.y - 8]], hub = picture.byID.get(picture.selected);
  if (hub && picture.toScreen(hub).y > p.y + 1) list.unshift(...list.splice(1, 1));
  return list.map(([x, y]) => [x, y, x + width, y + 16]);
}

// A line from an entity to its name that stands further off.
function paintLeader(c, picture, n, [left, top, right, bottom]) {
  const p = picture.toScreen(n), r = n.radius * picture.scale;
  const x = Math.max(left, Math.min(p.x, right)), y = Math.max(top, Math.min(p.y, bottom)), length = Math.hypot(x - p.x, y - p.y) || 1;
  c.beginPath();
  c.moveTo(p.x + ((x - p.x) * r) / length, p.y + ((y - p.y) * r) / length);
  c.lineTo(x, y);
  c.lineWidth = 1;
  c.setLineDash([2, 2]);
  c.strokeStyle = picture.colors.line;
  c.stroke();
  c.setLineDash([]);
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
    write(c, link.label, (place[0] + place[2]) / 2, place[1] + 1, some ? picture.colors.accent : picture.colors.muted, picture.colors.paper);
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
