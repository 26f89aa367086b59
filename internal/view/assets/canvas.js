// Draws the graph on a canvas. What is drawn is bounded by whoever fills it; the
// layout comes from a worker. Lists beside the canvas say the same in text.
import { legible, shorten } from "./format.js";

const hues = [178, 28, 262, 346, 210, 92, 305, 52, 150, 8, 232, 70]; // of the types
const mostLabels = 70;
const leastScale = 0.15, mostScale = 4;

export class Canvas {
  constructor(element, { onselect, onexpand }) {
    this.element = element;
    this.onselect = onselect;
    this.onexpand = onexpand;
    this.context = element.getContext("2d");
    this.nodes = [];
    this.edges = [];
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

  /** Replaces the picture. Nodes that were there keep their place. */
  set(nodes, edges) {
    const before = this.byID;
    this.nodes = nodes.map((n) => {
      const old = before.get(n.id);
      return { ...n, radius: radiusOf(n), x: old?.x ?? n.x ?? NaN, y: old?.y ?? n.y ?? NaN };
    });
    this.byID = new Map(this.nodes.map((n) => [n.id, n]));
    this.edges = edges.filter((e) => this.byID.has(e.from) && this.byID.has(e.to)).map((e) => ({ ...e, a: this.byID.get(e.from), b: this.byID.get(e.to) }));
    this.near = this.ranked = null;
    const index = new Map(this.nodes.map((n, i) => [n.id, i]));
    this.element.dataset.nodes = this.nodes.length;
    this.element.dataset.edges = this.edges.length;
    this.element.dataset.settled = "false";
    this.worker.postMessage({
      type: "set", places: this.nodes.flatMap((n) => [n.x, n.y]), radii: this.nodes.map((n) => n.radius),
      links: this.edges.map((e) => [index.get(e.from), index.get(e.to)]),
      still: matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  placed({ places, ended }) {
    if (places.length !== this.nodes.length * 2) return; // of a picture that was replaced
    this.nodes.forEach((n, i) => {
      n.x = places[2 * i];
      n.y = places[2 * i + 1];
    });
    if (this.followed) this.fit();
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
    const xs = placed.map((n) => n.x), ys = placed.map((n) => n.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const width = this.width || 1, height = this.height || 1;
    this.scale = clamp(Math.min((width - Math.min(150, 0.24 * width)) / (right - left + 1), (height - 70) / (bottom - top + 1), 2));
    this.shift = { x: width / 2 - this.scale * (left + right) / 2, y: height / 2 - this.scale * (top + bottom) / 2 };
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
    if (!n || Number.isNaN(n.x)) return;
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
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    c.save();
    c.translate(this.shift.x, this.shift.y);
    c.scale(this.scale, this.scale);
    this.paintEdges(c);
    this.paintNodes(c);
    c.restore();
    this.paintLabels(c);
  }

  neighbourhood() {
    if (this.selected === null) return null;
    const near = new Set([this.selected]);
    for (const e of this.edges) {
      if (e.from === this.selected) near.add(e.to);
      if (e.to === this.selected) near.add(e.from);
    }
    return near;
  }

  paintEdges(c) {
    for (const bright of [false, true]) {
      c.beginPath();
      for (const e of this.edges) {
        if ((e.from === this.selected || e.to === this.selected) !== bright || Number.isNaN(e.a.x)) continue;
        c.moveTo(e.a.x, e.a.y);
        c.lineTo(e.b.x, e.b.y);
      }
      c.strokeStyle = bright ? this.colors.accent : this.colors.line;
      c.lineWidth = (bright ? 1.8 : 1) / Math.sqrt(this.scale);
      c.stroke();
    }
  }

  paintNodes(c) {
    for (const n of this.nodes) {
      if (Number.isNaN(n.x)) continue;
      c.globalAlpha = this.near && !this.near.has(n.id) ? 0.32 : 1;
      c.beginPath();
      c.arc(n.x, n.y, n.radius, 0, 7);
      c.fillStyle = this.colors.of(n.type);
      c.fill();
      c.lineWidth = (n.id === this.selected ? 3.5 : 1.5) / Math.max(1, this.scale);
      c.strokeStyle = n.id === this.selected ? this.colors.ink : this.colors.paper;
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  // The most important labels that do not cover each other.
  paintLabels(c) {
    c.font = `12px ${this.colors.font}`;
    c.textAlign = "center";
    c.textBaseline = "top";
    const taken = this.nodes.filter((n) => !Number.isNaN(n.x)).map((n) => {
      const p = this.toScreen(n), r = n.radius * this.scale;
      return [p.x - r, p.y - r, p.x + r, p.y + r];
    });
    const most = taken.length + mostLabels;
    const weight = (n) => (n.id === this.selected ? 1e6 : 0) + (this.near?.has(n.id) ? 1e4 : 0) + n.degree;
    this.ranked ??= [...this.nodes].sort((a, b) => weight(b) - weight(a)); // the same in every frame of a movement
    for (const n of this.ranked) {
      if (taken.length >= most) break;
      if (Number.isNaN(n.x) || (this.near && !this.near.has(n.id))) continue;
      const text = (n.label ??= shorten(legible(n.title || n.name), 26));
      const place = this.room(n, (n.labelWidth ??= c.measureText(text).width + 8), taken);
      if (!place) continue;
      taken.push([place.x, place.y, place.x + place.width, place.y + 16]);
      const x = place.x + place.width / 2;
      c.lineWidth = 4.5;
      c.lineJoin = "round";
      c.strokeStyle = this.colors.paper;
      c.strokeText(text, x, place.y);
      c.fillStyle = n.id === this.selected ? this.colors.ink : this.colors.muted;
      c.fillText(text, x, place.y);
    }
  }

  // Where the label of a node covers nothing: below, above or beside it. The
  // selected one is labelled in any case.
  room(n, width, taken) {
    const p = this.toScreen(n), gap = n.radius * this.scale + 3;
    if (p.x < 0 || p.y < 0 || p.x > this.width || p.y > this.height) return null;
    const places = [[p.x - width / 2, p.y + gap], [p.x - width / 2, p.y - gap - 15], [p.x + gap, p.y - 8], [p.x - gap - width, p.y - 8]];
    const inside = ([x, y]) => x > 2 && y > 2 && x + width < this.width - 2 && y + 18 < this.height;
    const free = places.find(([x, y]) => inside([x, y]) && !taken.some((t) => x < t[2] && x + width > t[0] && y < t[3] && y + 16 > t[1]));
    const chosen = free ?? (n.id === this.selected ? places[0] : null);
    return chosen && { x: chosen[0], y: chosen[1], width };
  }

  at(x, y) {
    let best = null, least = Infinity;
    for (const n of this.nodes) {
      const p = this.toScreen(n), distance = Math.hypot(p.x - x, p.y - y);
      if (distance < Math.max(12, n.radius * this.scale + 4) && distance < least) [best, least] = [n, distance];
    }
    return best;
  }

  /** The colour of a type, for the legend. */
  colorOf(type) {
    this.colors ??= readColors(this.element);
    return this.colors.of(type);
  }

  listen() {
    const e = this.element;
    this.themed = () => {
      this.colors = null;
      this.draw();
      this.onthemed?.();
    };
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.themed);
    document.addEventListener("themechange", this.themed);
    e.addEventListener("pointerdown", (event) => this.pressed(event));
    e.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel"]) e.addEventListener(end, (event) => this.released(event));
    e.addEventListener("dblclick", (event) => {
      const n = this.at(event.offsetX, event.offsetY);
      if (n) this.onexpand(n);
    });
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
      this.element.classList.toggle("over-node", Boolean(this.at(event.offsetX, event.offsetY)));
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
    else if (this.held && event.type === "pointerup") this.onselect(this.held);
    this.held = null;
  }
}

const clamp = (scale) => Math.max(leastScale, Math.min(mostScale, scale));

const radiusOf = (n) => 5 + Math.min(13, 2.2 * Math.sqrt(n.degree));

// A type begins with the colour that its name decides, and takes the next one
// that is free while there is any. It keeps it as long as the page is open.
const chosen = new Map();

function hueOf(type) {
  if (!chosen.has(type)) {
    let place = 0;
    for (let i = 0; i < type.length; i++) place = (place * 31 + type.charCodeAt(i)) >>> 0;
    const taken = new Set(chosen.values());
    for (let i = 0; i < hues.length && taken.size < hues.length && taken.has(hues[place % hues.length]); i++) place++;
    chosen.set(type, hues[place % hues.length]);
  }
  return chosen.get(type);
}

function readColors(element) {
  const style = getComputedStyle(element);
  const read = (name) => {
    element.style.color = `var(${name})`;
    const color = getComputedStyle(element).color;
    element.style.color = "";
    return color;
  };
  const paper = read("--raised");
  const dark = paper.match(/\d+(\.\d+)?/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) < 384;
  return {
    paper, ink: read("--ink"), muted: read("--muted"), line: read("--edge"), accent: read("--accent"), font: style.fontFamily,
    of: (type) => `hsl(${hueOf(type)} ${dark ? "42% 62%" : "45% 44%"})`,
  };
}
