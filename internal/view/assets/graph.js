// The knowledge graph: search, a bounded picture of a part of it, and what is
// known of the entity that is selected. Everything in the picture is in lists too.
import { ask, loadInto, problem } from "./api.js";
import { Canvas } from "./canvas.js";
import { announce, empty, example, fill, h, said } from "./dom.js";
import { count, counted, legible, shorten, words } from "./format.js";
import { Legend } from "./graph_legend.js";
import { countedCharts, PictureList } from "./graph_list.js";
import { describe } from "./graph_panel.js";
import { icon, meetTypes } from "./graph_types.js";

// mostNodes is how large a picture may grow by expanding.
const mostNodes = 450;

// The view that is open. When the frame draws the section again because something was
// changed, the new one takes the picture over from it.
let current = null;

export async function show(frame, { parts, query, signal, overview, again }) {
  frame.append(h("h1", { tabindex: -1 }, "Knowledge graph"));
  if (overview.totals.nodes === 0) {
    frame.append(empty("The graph is empty", "Tell your assistant about people, projects and facts, and ask it to remember them:", example("Anna reads everything I write. Remember her.")));
    return;
  }
  meetTypes(overview.types);
  const old = current, view = new GraphView(frame, signal, query, again ? old?.state() : undefined);
  await view.begin(parts[0], query);
  old?.canvas.close();
  current = view;
}

class GraphView {
  constructor(frame, signal, query, before) {
    this.signal = signal;
    this.turn = 0; // counts selections
    this.nodes = new Map();
    this.edges = new Map();
    this.center = before?.center; // what the picture is around: {around: name} or {id}
    this.expanded = before?.expanded ?? new Map(); // by id, how many relations were followed
    this.before = before;
    this.quiet = before !== undefined; // who saw all this already is not told again
    this.legend = new Legend(new Set(query.getAll("hide")), () => this.hid());
    this.list = new PictureList((n) => this.chooser(n), before?.list);
    this.build(frame);
    this.canvas = new Canvas(this.picture, { onselect: (n) => this.select(n), onexpand: (n) => this.expand(n) });
    signal.addEventListener("abort", () => this.canvas.close());
  }

  build(frame) {
    this.input = h("input", { id: "graph-query", type: "search", name: "q", autocomplete: "off", maxlength: 500 });
    const form = h("form", { role: "search", class: "search", onsubmit: (event) => this.search(event) },
      h("div", { class: "row" }, h("div", { class: "grow" }, h("label", { for: "graph-query" }, "Search the graph"), this.input), h("button", { type: "submit", class: "primary" }, "Search")));
    this.results = h("div", { id: "graph-results" });
    this.summary = h("p", { class: "quiet", id: "graph-summary" });
    this.notice = h("p", { class: "note", hidden: true });
    this.picture = h("canvas", {
      id: "picture", tabindex: 0, role: "application", "aria-roledescription": "graph", "aria-label": "Picture of the graph",
      "aria-describedby": "graph-summary graph-keys", onkeydown: (event) => this.key(event),
    });
    this.details = h("section", { class: "details card", "aria-label": "Selected entity" });
    const button = (label, text, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    frame.append(form, this.results, h("div", { class: "graph" },
      h("div", { class: "graph-picture" },
        h("div", { class: "canvas-frame" }, this.picture,
          h("div", { class: "canvas-tools", role: "group", "aria-label": "Picture" },
            button("Zoom in", "+", () => this.canvas.zoom(1.3)), button("Zoom out", "−", () => this.canvas.zoom(1 / 1.3)), button("Show all", "⤢", () => this.canvas.fit()))),
        this.legend.element, this.summary, this.notice,
        h("p", { class: "quiet keys", id: "graph-keys" }, "A click selects, a second one shows what an entity is related to; a + in it means that there is more. Arrow keys go from entity to entity, Enter shows what one is related to, Escape selects nothing, + and − zoom, 0 shows all.")),
      this.details), this.list.element);
  }

  async begin(name, query) {
    this.invite();
    const id = query.get("id") ?? undefined, selected = name === undefined && id === undefined ? null : { name, id };
    const drawn = this.sample(this.before?.center ?? { around: name, id }, selected);
    this.asked = query.get("q") ?? this.before?.asked ?? "";
    if (this.asked !== "") {
      this.input.defaultValue = this.asked;
      await this.find(this.asked);
    }
    await drawn;
    this.quiet = false;
  }

  say(text) {
    if (!this.quiet) announce(text);
  }

  /** What a view that takes the place of this one goes on with. */
  state() {
    this.keepPlaces();
    const { scale, shift, followed } = this.canvas, { center, expanded, asked, nodes } = this;
    return { center, expanded, asked, nodes, list: this.list.chosen, sight: { scale, shift, followed } };
  }

  // The first picture: around an entity, or of what is new, with what was there before.
  async sample(center, selected) {
    try {
      const picture = await ask("graph", { ...center, with: this.keeping() }, this.signal);
      this.center = center;
      if (picture.near > 0) this.expanded.set(picture.nodes[0].id, Math.max(picture.near, this.followed(picture.nodes[0].id)));
      await this.take(picture, selected);
    } catch (failure) {
      if (failure.name !== "AbortError") fill(this.details, problem(failure, () => this.sample(center, selected)));
    }
  }

  // What was drawn before and stays, by number.
  keeping() {
    return this.before && [...this.before.nodes.keys()].join();
  }

  // Draws a picture that was asked for, with what was there before in its place.
  async take(picture, selected) {
    const before = this.before;
    this.before = undefined;
    this.nodes = new Map(picture.nodes.map((n) => [n.id, { ...n, x: before?.nodes.get(n.id)?.x, y: before?.nodes.get(n.id)?.y }]));
    this.edges.clear();
    this.addEdges(picture.edges);
    this.totals = { entities: picture.entities, relations: picture.relations, nodes: picture.total };
    if (before) Object.assign(this.canvas, before.sight);
    this.redraw(before ? 0.05 : 1);
    const n = selected && picture.nodes.find((one) => (selected.id === undefined ? one.name === selected.name : one.id === Number(selected.id)));
    if (n) await this.select(n, false);
  }

  addEdges(edges) {
    for (const e of edges) this.edges.set(`${e.from} ${e.to} ${e.type}`, e);
  }

  keepPlaces() {
    for (const { id, x, y } of this.canvas.nodes) if (this.nodes.has(id)) Object.assign(this.nodes.get(id), { x, y });
  }

  redraw(effort = 1) {
    const all = [...this.nodes.values()], nodes = all.filter((n) => !this.legend.hidden.has(n.type)), edges = [...this.edges.values()];
    this.canvas.set(nodes, edges, effort);
    // Charts and what holds them together are drawn, but not what somebody put into the graph.
    const { entities, relations, nodes: everything } = this.totals, hidden = all.length - nodes.length;
    const inCharts = (id) => this.nodes.get(id)?.kind !== "plain", charts = all.filter((n) => n.kind !== "plain").length, stated = edges.filter((e) => !inCharts(e.from)).length;
    const beside = charts > 0 ? `, and ${countedCharts(charts)}` : "";
    this.summary.textContent = (all.length >= everything
      ? `All ${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}${beside}.`
      : `${count(all.length - charts)} of ${counted(entities, "entity", "entities")}, with ${count(stated)} of ${counted(relations, "relation")}${beside}. Search to reach the others.`)
      + (hidden > 0 ? ` ${count(hidden)} of them ${hidden === 1 ? "is" : "are"} hidden.` : "");
    this.picture.setAttribute("aria-label", `Picture of the graph with ${counted(nodes.length, "entity", "entities")}`);
    this.legend.draw(all);
    this.list.set(nodes, edges);
  }

  chooser(n) {
    return h("button", { type: "button", class: "link", onclick: () => this.select(n) }, said(n.title || n.name));
  }

  search(event) {
    event.preventDefault();
    this.asked = this.input.value.trim();
    this.write();
    this.find(this.asked);
  }

  async find(text) {
    if (text === "") {
      fill(this.results);
      return;
    }
    await loadInto(this.results, async () => {
      const { nodes, more } = await ask("graph/search", { q: text }, this.signal);
      const told = nodes.length === 0 ? "Nothing was found" : `${counted(nodes.length, "entity", "entities")} found${more ? ", the best of more" : ""}`;
      this.say(told);
      return [h("p", { class: "quiet" }, told + "."), h("ul", { class: "chips" }, nodes.map((n) => h("li", {},
        h("button", { type: "button", onclick: () => this.select(n) }, icon(n.type), said(n.title || n.name), h("small", {}, said(words(n.type)))))))];
    });
  }

  /** Puts into the address what is shown. Names that are too long for it are replaced
   *  by their number. */
  write(n = this.nodes.get(this.canvas.selected)) {
    const query = new URLSearchParams(), name = n && encodeURIComponent(n.name);
    if (n && name.length > 2000) query.set("id", n.id);
    if (!n && this.asked) query.set("q", this.asked);
    for (const type of this.legend.hidden) query.append("hide", type);
    history.replaceState(null, "", `#/graph${n && !query.has("id") ? `/${name}` : ""}${query.size > 0 ? `?${query}` : ""}`);
  }

  async select(n, moveTo = true) {
    const shown = this.legend.hidden.delete(n.type);
    if (!this.nodes.has(n.id)) this.add([n], []);
    else if (shown) this.redraw();
    this.canvas.select(n.id);
    this.canvas.reveal(n.id);
    if (moveTo) this.write(n);
    this.say(`${shorten(legible(n.title || n.name), 120)}, ${words(shorten(n.type, 60))}, ${counted(n.degree, "relation")}`);
    const turn = ++this.turn; // who goes on before the answer is here sees the later choice
    await loadInto(this.details, async () => {
      const [entity, near] = await Promise.all([ask("graph/entity", { id: n.id }, this.signal), ask("graph/neighbours", { id: n.id }, this.signal)]);
      return turn === this.turn ? describe(entity, near, this) : undefined;
    });
  }

  /** Selects nothing. */
  clear() {
    this.turn++;
    this.canvas.select(null);
    this.invite();
    this.write();
    announce("Nothing selected");
  }

  invite() {
    fill(this.details, h("h2", {}, "Nothing selected"), h("p", { class: "quiet" }, "Choose an entity in the picture, in the list or by search to see what is known of it."));
  }

  // A type was hidden or is shown again.
  hid() {
    this.keepPlaces();
    this.redraw(0.3);
    this.write();
  }

  /** How many relations of an entity are in the picture; one to itself has two ends. */
  relationsDrawn(id) {
    let ends = 0;
    for (const e of this.edges.values()) ends += (e.from === id) + (e.to === id);
    return ends;
  }

  /** How many relations of an entity were followed by now. */
  followed(id) {
    return this.expanded.get(id) ?? 0;
  }

  /** Brings the next neighbours of an entity into the picture. */
  async expand(n) {
    if (this.expanding) return;
    this.expanding = true;
    try {
      const page = await ask("graph/neighbours", { id: n.id, offset: this.followed(n.id) }, this.signal);
      const followed = this.followed(n.id) + page.neighbours.length, rest = page.total - followed;
      const { added, refused } = this.add(page.neighbours, page.edges);
      if (refused === 0) {
        this.expanded.set(n.id, followed);
        announce((added > 0 ? `${counted(added, "entity", "entities")} added` : page.total === 0 ? "It is related to nothing yet" : "All of these are in the picture already") + (rest > 0 ? `; ${counted(rest, "more relation")}` : ""));
      }
      if (this.canvas.selected !== n.id) await this.select(n);
    } catch (failure) {
      if (failure.name !== "AbortError") this.tell(failure.message);
    } finally {
      this.expanding = false;
    }
  }

  /** Adds nodes as long as there is room, and counts those that were new. */
  add(nodes, edges) {
    let added = 0, refused = 0;
    this.keepPlaces();
    const anchor = this.canvas.byID.get(this.canvas.selected);
    for (const n of nodes) {
      if (this.nodes.has(n.id)) continue;
      if (this.nodes.size >= mostNodes) {
        refused++;
        continue;
      }
      const angle = added * 2.4;
      this.nodes.set(n.id, anchor ? { ...n, x: anchor.x + 40 * Math.cos(angle), y: anchor.y + 40 * Math.sin(angle) } : n);
      added++;
    }
    this.addEdges(edges.filter((e) => this.nodes.has(e.from) && this.nodes.has(e.to)));
    this.tell(refused > 0 ? `The picture is full with ${mostNodes} entities. “Show only these” starts afresh around the selected one.` : "");
    this.redraw();
    return { added, refused };
  }

  async only(n) {
    this.expanded = new Map();
    await this.sample({ id: n.id }, { id: n.id });
  }

  tell(text) {
    this.notice.hidden = text === "";
    this.notice.textContent = text;
    if (text !== "") announce(text);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const selected = this.nodes.get(this.canvas.selected);
    if (ways[event.key]) {
      const next = this.canvas.toward(...ways[event.key]);
      if (next) this.select(this.nodes.get(next.id));
    } else if (event.key === "Enter" && selected) this.expand(selected);
    else if (event.key === "+" || event.key === "=") this.canvas.zoom(1.3);
    else if (event.key === "-") this.canvas.zoom(1 / 1.3);
    else if (event.key === "0") this.canvas.fit();
    else if (event.key === "Escape" && selected) this.clear();
    else return;
    event.preventDefault();
  }
}
