// Draws the graph on a canvas. What is drawn is bounded by whoever fills it; the
// layout comes from a worker. Lists beside the canvas say the same in text.
import { legible, shorten } from "./format.js";
import { bend, measureName, paintLabels } from "./graph_labels.js";
import { hues, lookOf, trace } from "./graph_types.js";

const leastScale = 0.15, mostScale = 4;
const edge = 14, edgeBelow = 56; // left free around the picture, and for the buttons below

export class Canvas {
  constructor(element, { onselect, onexpand }) {
    this.element = element;
    this.onselect = onselect;
    this.onexpand = onexpand;
    this.context = element.getContext("2d");
    this.font = getComputedStyle(element).fontFamily;
    this.nodes = [];
    this.links = [];
    this.byID = new Map();
    this.scale = 1;
    this.shift = { x: 0, y: 0 };
    this.followed = true; // the picture is fitted until somebody moves it
    this.selected = null;
    this.pointers = new Map();
    this.worker = new Worker("/assets/layout-worker.js");
    this.worker.onmessage = ({ data }) => this.placed(data);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.listen();
  }

  close() {
    this.worker.terminate();
    this.observer.disconnect();
    document.removeEventListener("themechange", this.themed);
    this.scheme.removeEventListener("change", this.themed);
  }

  /** Replaces the picture. Nodes that were there keep their place; effort from 0 to 1
   *  is how far all may move to make room. */
  set(nodes, edges, effort = 1) {
    const before = this.byID;
    this.nodes = nodes.map((n) => {
      const place = [before.get(n.id), n].find((p) => p?.x !== undefined);
      return { ...n, radius: radiusOf(n), label: measureName(this.context, this.font, n), x: place?.x ?? NaN, y: place?.y ?? NaN };
    });
    this.byID = new Map(this.nodes.map((n) => [n.id, n]));
    const drawn = edges.filter((e) => this.byID.has(e.from) && this.byID.has(e.to));
    this.links = this.linked(drawn);
    const ends = new Map(); // of relations that are drawn
    for (const id of drawn.flatMap((e) => [e.from, e.to])) ends.set(id, (ends.get(id) ?? 0) + 1);
    for (const n of this.nodes) n.more = n.degree > (ends.get(n.id) ?? 0);
    this.near = this.ranked = null;
    const index = new Map(this.nodes.map((n, i) => [n.id, i]));
    this.element.dataset.nodes = this.nodes.length;
    this.element.dataset.edges = drawn.length;
    this.element.dataset.settled = "false";
    this.moving = true;
    this.worker.postMessage({
      type: "set", places: this.nodes.flatMap((n) => [n.x, n.y]), radii: this.nodes.map((n) => n.radius), effort,
      names: this.nodes.map((n) => [n.label.width, n.label.height]), aspect: this.width > 0 && this.height > 0 ? this.width / this.height : 1,
      links: this.links.map((l) => [index.get(l.from), index.get(l.to)]),
      still: matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  // One line for all relations that lead the same way; two bend apart where some lead back.
  linked(edges) {
    const links = new Map();
    for (const { from, to, type } of edges) {
      const link = links.get(`${from} ${to}`) ?? { from, to, a: this.byID.get(from), b: this.byID.get(to), names: [], bow: 0 };
      link.names.push(type);
      links.set(`${from} ${to}`, link);
    }
    for (const link of links.values()) if (link.from !== link.to && links.has(`${link.to} ${link.from}`)) link.bow = 0.14;
    return [...links.values()];
  }

  placed({ places, ended }) {
    if (places.length !== this.nodes.length * 2) return; // of a picture that was replaced
    this.nodes.forEach((n, i) => {
      n.x = places[2 * i];
      n.y = places[2 * i + 1];
    });
    if (this.followed) this.fit();
    this.moving = !ended;
    if (ended) this.element.dataset.settled = "true";
    this.draw();
  }

  select(id) {
    this.selected = id;
    this.near = this.ranked = null;
    this.draw();
  }

  /** Shows everything. */
  fit() {
    const placed = this.nodes.filter((n) => !Number.isNaN(n.x));
    if (placed.length === 0) return;
    const half = (n) => Math.max(n.radius, n.label.width / 2);
    const left = Math.min(...placed.map((n) => n.x - half(n))), right = Math.max(...placed.map((n) => n.x + half(n)));
    const top = Math.min(...placed.map((n) => n.y - n.radius)), bottom = Math.max(...placed.map((n) => n.y + n.radius + n.label.height));
    const width = this.width || 1, height = this.height || 1;
    this.scale = clamp(Math.min((width - 2 * edge) / (right - left), (height - edge - edgeBelow) / (bottom - top), 2));
    this.shift = { x: width / 2 - this.scale * (left + right) / 2, y: (height + edge - edgeBelow) / 2 - this.scale * (top + bottom) / 2 };
    this.followed = true;
    this.draw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = clamp(this.scale * factor);
    this.shift = { x: x - (x - this.shift.x) * scale / this.scale, y: y - (y - this.shift.y) * scale / this.scale };
    this.scale = scale;
    this.followed = false;
    this.draw();
  }

  pan(x, y) {
    this.shift = { x: this.shift.x + x, y: this.shift.y + y };
    this.followed = false;
    this.draw();
  }

  /** The nearest node in a direction from the selected one, for the arrow keys. */
  toward(dx, dy) {
    const from = this.byID.get(this.selected);
    if (!from) return this.nodes.reduce((best, n) => (!best || n.degree > best.degree ? n : best), null);
    let best = null, least = Infinity;
    for (const n of this.nodes) {
      const x = n.x - from.x, y = n.y - from.y, along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (n === from || along <= 0) continue;
      const cost = along + 2 * across;
      if (cost < least) [best, least] = [n, cost];
    }
    return best;
  }

  /** Moves the picture so that a node is in sight. */
  reveal(id) {
    const n = this.byID.get(id);
    if (!n || Number.isNaN(n.x) || !this.width) return;
    const p = this.toScreen(n);
    if (p.x < 40 || p.y < 40 || p.x > this.width - 40 || p.y > this.height - 40) this.pan(this.width / 2 - p.x, this.height / 2 - p.y);
  }

  toScreen(n) {
    return { x: n.x * this.scale + this.shift.x, y: n.y * this.scale + this.shift.y };
  }

  resize() {
    const { width, height } = this.element.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [this.width, this.height] = [width, height];
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(height * ratio);
    this.ratio = ratio;
    if (this.followed) this.fit();
    else this.draw();
  }

  draw() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.paint();
    });
  }

  paint() {
    const c = this.context;
    this.colors ??= readColors(this.element);
    this.near ??= this.neighbourhood();
    const weight = (n) => (n.id === this.selected ? 1e6 : 0) + (this.near?.has(n.id) ? 1e4 : 0) + n.degree;
    this.ranked ??= [...this.nodes].sort((a, b) => weight(b) - weight(a)); // the same in every frame of a movement
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    c.save();
    c.translate(this.shift.x, this.shift.y);
    c.scale(this.scale, this.scale);
    for (const bright of [false, true]) this.paintLinks(c, bright);
    this.paintNodes(c);
    c.restore();
    paintLabels(c, this);
  }

  /** Whether a relation stands out: it is one of the selected entity. */
  bright(link) {
    return this.selected !== null && this.byID.has(this.selected) && (link.from === this.selected || link.to === this.selected);
  }

  // The entities that stand out with what is bright; null when all are equal.
  neighbourhood() {
    const near = new Set(this.byID.has(this.selected) ? [this.selected] : []);
    for (const l of this.links) if (this.bright(l)) near.add(l.from).add(l.to);
    return near.size > 0 ? near : null;
  }

  paintLinks(c, bright) {
    const few = this.near?.size < 80; // of a hub not even what stands out is thick
    const width = (bright && few ? 1.8 : 1) / Math.sqrt(this.scale), size = 5 * width;
    const heads = new Path2D();
    c.beginPath();
    for (const l of this.links) {
      if (Number.isNaN(l.a.x) || this.bright(l) !== bright) continue;
      if (l.a === l.b) {
        c.moveTo(l.a.x + 8, l.a.y - l.a.radius - 6);
        c.arc(l.a.x, l.a.y - l.a.radius - 6, 8, 0, 7);
        continue;
      }
      const middle = bend(l), length = Math.hypot(l.b.x - middle.x, l.b.y - middle.y) || 1;
      const x = (l.b.x - middle.x) / length, y = (l.b.y - middle.y) / length; // where it points
      const tip = { x: l.b.x - x * (l.b.radius + 2), y: l.b.y - y * (l.b.radius + 2) };
      c.moveTo(l.a.x, l.a.y);
      c.quadraticCurveTo(middle.x, middle.y, tip.x - x * size / 2, tip.y - y * size / 2);
      heads.moveTo(tip.x, tip.y);
      heads.lineTo(tip.x - size * (x + y * 0.45), tip.y - size * (y - x * 0.45));
      heads.lineTo(tip.x - size * (x - y * 0.45), tip.y - size * (y + x * 0.45));
      heads.closePath();
    }
    c.strokeStyle = c.fillStyle = bright ? this.colors.accent : this.near ? this.colors.faint : this.colors.line;
    c.lineWidth = width;
    c.stroke();
    c.fill(heads);
  }

  // What does not stand out is drawn hollow, which can still be seen.
  paintNodes(c) {
    const fine = 1 / Math.max(1, this.scale);
    for (const n of this.nodes) {
      if (Number.isNaN(n.x)) continue;
      const chosen = n.id === this.selected, full = !this.near || this.near.has(n.id), hue = this.colors.hues[lookOf(n.type).hue];
      trace(c, n.type, n.x, n.y, n.radius);
      c.fillStyle = full ? hue : this.colors.paper;
      c.fill();
      c.lineWidth = (chosen ? 3.5 : 1.5) * fine;
      c.strokeStyle = chosen ? this.colors.ink : full ? this.colors.paper : hue;
      c.stroke();
      if (full && n.more && n.radius * this.scale >= 7) this.paintPlus(c, n, fine);
    }
  }

  // There is more to bring in around this one.
  paintPlus(c, { x, y }, fine) {
    c.beginPath();
    for (const [dx, dy] of [[3.5, 0], [0, 3.5]]) {
      c.moveTo(x - dx * fine, y - dy * fine);
      c.lineTo(x + dx * fine, y + dy * fine);
    }
    c.lineWidth = 1.6 * fine;
    c.strokeStyle = this.colors.paper;
    c.stroke();
  }

  at(x, y) {
    let best = null, least = Infinity;
    for (const n of this.nodes) {
      const p = this.toScreen(n), distance = Math.hypot(p.x - x, p.y - y);
      if (distance < Math.max(12, n.radius * this.scale + 4) && distance < least) [best, least] = [n, distance];
    }
    return best;
  }

  listen() {
    const e = this.element;
    this.themed = () => {
      this.colors = null;
      this.draw();
    };
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.themed);
    document.addEventListener("themechange", this.themed);
    e.addEventListener("pointerdown", (event) => this.pressed(event));
    e.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel"]) e.addEventListener(end, (event) => this.released(event));
    // Scrolling the page must not get caught in the picture: the wheel zooms it
    // once it has the focus, or with the gesture for zooming.
    e.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== e) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.offsetX, event.offsetY);
    }, { passive: false });
  }

  pressed(event) {
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.travelled = 0;
    this.held = this.pointers.size === 1 ? this.at(event.offsetX, event.offsetY) : null;
  }

  moved(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) {
      const over = this.at(event.offsetX, event.offsetY);
      this.element.classList.toggle("over-node", over !== null);
      this.element.title = over ? shorten(legible(over.title || over.name), 200) : "";
      return;
    }
    const dx = event.offsetX - last.x, dy = event.offsetY - last.y;
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 2) this.pinch(event, last);
    else if (this.held && this.travelled > 4) this.drag(event);
    else if (!this.held) this.pan(dx, dy);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  }

  drag(event) {
    this.followed = false;
    this.hold({ x: (event.offsetX - this.shift.x) / this.scale, y: (event.offsetY - this.shift.y) / this.scale });
  }

  hold(place) {
    this.worker.postMessage({ type: "hold", index: this.nodes.indexOf(this.held), ...place });
  }

  pinch(event, last) {
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
    const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
    if (before > 0) this.zoom(after / before, (other.x + event.offsetX) / 2, (other.y + event.offsetY) / 2);
  }

  released(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.held && this.travelled > 4) this.hold({ release: true });
    else if (this.held && event.type === "pointerup") this[this.held.id === this.selected ? "onexpand" : "onselect"](this.held);
    this.held = null;
  }
}

const clamp = (scale) => Math.max(leastScale, Math.min(mostScale, scale));

const radiusOf = (n) => 5 + Math.min(13, 2.2 * Math.sqrt(n.degree));

function readColors(element) {
  const read = (name) => {
    element.style.color = `var(${name})`;
    const color = getComputedStyle(element).color;
    element.style.color = "";
    return color;
  };
  return {
    paper: read("--raised"), ink: read("--ink"), muted: read("--muted"), line: read("--control"), faint: read("--edge"), accent: read("--accent"),
    hues: Array.from({ length: hues }, (_, i) => read(`--hue-${i}`)), font: getComputedStyle(element).fontFamily,
  };
}
