// Writes the names of entities and of relations into the picture. The layout leaves room for
// the name of each entity below it, in letters that shrink with the picture as far as they can
// be read. Where the picture is smaller than that, no name covers another or an entity: one
// that has no room beside its entity stands further off, with a line to it, and one that has
// none at all is told where the pointer is, and closer by.
import { legible, shorten, words } from "./format.js";

const mostNames = 60, mostTried = 200;
const along = [0.5, 0.4, 0.6, 0.3, 0.7]; // where on a relation its name may stand
const size = 12, leastSize = 8.5; // of letters, in pixels
const leading = 1.15; // height of a line to that of its letters
const space = 3; // between an entity and its name
const lineLength = 18, mostLines = 3; // of the name of an entity, in letters
const distances = [0, 14, 30, 48, 70, 96]; // from an entity to its name
const directions = Array.from({ length: 16 }, (_, i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)]);

/** The name of an entity in lines, and the room that it takes in a picture of full size. One
 *  that is too long keeps its beginning and its end, by which it differs from others. */
export function measureName(context, font, n) {
  const lines = wrap(keepEnds(legible(n.title || n.name).replaceAll(/\s+/g, " "), lineLength * mostLines - 8));
  context.font = `${size}px ${font}`;
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  return { lines, width: width + 4, height: space + lines.length * size * leading };
}

function keepEnds(text, most) {
  const letters = Array.from(text), end = Math.floor(most / 3);
  return letters.length <= most ? text : `${letters.slice(0, most - end - 1).join("").trimEnd()}…${letters.slice(-end).join("").trimStart()}`;
}

// Words in lines; one that is longer than a line is divided.
function wrap(text) {
  const lines = [""];
  for (const word of text.split(" ").flatMap((one) => one.match(new RegExp(`.{1,${lineLength}}`, "gu")) ?? [])) {
    const joined = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (joined.length <= lineLength) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

/** Writes the names; the canvas says how many entities have theirs. */
export function paintLabels(c, picture) {
  const taken = picture.nodes.filter(placed).map((n) => {
    const p = picture.toScreen(n), r = reach(picture, n);
    return [p.x - r, p.y - r, p.x + r, p.y + r];
  });
  const near = (n) => !picture.near || picture.near.has(n.id);
  c.textAlign = "center";
  c.textBaseline = "top";
  c.lineJoin = "round";
  let named = paintEntities(c, picture, taken, near);
  paintRelations(c, picture, taken);
  named += paintEntities(c, picture, taken, (n) => !near(n));
  picture.element.dataset.named = named;
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
  const { colors } = picture, letters = letterSize(picture);
  let named = 0;
  c.font = `${letters}px ${colors.font}`;
  for (const n of picture.ranked) {
    if (!placed(n) || !chosen(n) || !inSight(picture, n)) continue;
    const found = room(picture, n, taken);
    if (!found) continue;
    const { box, off } = found;
    if (off) paintLeader(c, picture, n, box);
    taken.push(box);
    named++;
    for (const [i, line] of n.label.lines.entries()) {
      write(c, line, (box[0] + box[2]) / 2, box[1] + i * letters * leading, n.id === picture.selected ? colors.ink : colors.muted, colors.paper);
    }
  }
  return named;
}

const letterSize = ({ scale }) => Math.max(leastSize, Math.min(size, size * scale));

function inSight(picture, n) {
  const p = picture.toScreen(n);
  return p.x >= 0 && p.y >= 0 && p.x <= picture.width && p.y <= picture.height;
}

// Where the name of an entity covers nothing. The selected one is named in any case. While
// the picture moves only the places close by are tried.
function room(picture, n, taken) {
  for (const off of picture.moving ? distances.slice(0, 1) : distances) {
    const box = places(picture, n, off).find((one) => inside(picture, one) && free(one, taken));
    if (box) return { box, off };
  }
  return n.id === picture.selected ? { box: places(picture, n, 0)[0], off: 0 } : null;
}

// The places for a name around an entity: below, where the layout left room, above and beside it;
// further off, in every direction.
function places(picture, n, off) {
  const p = picture.toScreen(n), letters = letterSize(picture), width = (n.label.width * letters) / size, height = n.label.lines.length * letters * leading;
  const near = n.radius * picture.scale + Math.min(space, space * picture.scale), gap = reach(picture, n) + 2 + off;
  const corners = off > 0
    ? directions.map(([dx, dy]) => [p.x + gap * dx + ((dx - 1) * width) / 2, p.y + gap * dy + ((dy - 1) * height) / 2])
    : [[p.x - width / 2, p.y + near], [p.x - width / 2, p.y - gap - height], [p.x + gap, p.y - height / 2], [p.x - gap - width, p.y - height / 2]];
  return corners.map(([x, y]) => [x, y, x + width, y + height]);
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
