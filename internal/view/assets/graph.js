// The knowledge graph: search, a bounded picture of a part of it, and what is
// known of the entity that is selected. Everything in the picture is in lists too.
import { ask, loadInto, problem } from "./api.js";
import { Canvas } from "./canvas.js";
import { announce, disclosure, empty, example, facts, fill, folded, h, heads, moreButton, said } from "./dom.js";
import { documented } from "./entity_about.js";
import { count, counted, legible, shorten, words } from "./format.js";

// mostNodes is how large a picture may grow by expanding.
const mostNodes = 450;
const rowsAtOnce = 60;

export async function show(frame, { parts, query, signal, overview }) {
  frame.append(h("h1", { tabindex: -1 }, "Knowledge graph"));
  if (overview.totals.nodes === 0) {
    frame.append(empty("The graph is empty", "Tell your assistant about people, projects and facts, and ask it to remember them:", example("Anna reads everything I write. Remember her.")));
    return;
  }
  await new GraphView(frame, signal).begin(parts[0], query.get("id") ?? undefined, query.get("q") ?? "");
}

class GraphView {
  constructor(frame, signal) {
    this.signal = signal;
    this.turn = 0; // counts selections
    this.nodes = new Map();
    this.edges = new Map();
    this.build(frame);
    this.canvas = new Canvas(this.picture, { onselect: (n) => this.select(n), onexpand: (n) => this.expand(n) });
    this.canvas.onthemed = () => this.drawLegend();
    signal.addEventListener("abort", () => this.canvas.close());
  }

  build(frame) {
    this.input = h("input", { id: "graph-query", type: "search", name: "q", autocomplete: "off", maxlength: 500 });
    const form = h("form", { role: "search", class: "search", onsubmit: (event) => this.search(event) },
      h("label", { for: "graph-query" }, "Search the graph"),
      h("div", { class: "row" }, this.input, h("button", { type: "submit", class: "primary" }, "Search")));
    this.results = h("div", { id: "graph-results" });
    this.summary = h("p", { class: "quiet", id: "graph-summary" });
    this.notice = h("p", { class: "note", hidden: true });
    this.picture = h("canvas", {
      id: "picture", tabindex: 0, role: "application", "aria-roledescription": "graph", "aria-label": "Picture of the graph",
      "aria-describedby": "graph-summary graph-keys", onkeydown: (event) => this.key(event),
    });
    this.legend = h("ul", { class: "legend", "aria-label": "Colours of the types" });
    this.details = h("section", { class: "details card", "aria-label": "Selected entity" });
    this.drawn = h("details", { class: "drawn" }, h("summary", {}, "Everything in the picture, as a list"));
    this.drawn.addEventListener("toggle", () => this.drawList());
    const button = (label, text, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    frame.append(form, this.results, h("div", { class: "graph" },
      h("div", { class: "graph-picture" },
        h("div", { class: "canvas-frame" }, this.picture,
          h("div", { class: "canvas-tools", role: "group", "aria-label": "Picture" },
            button("Zoom in", "+", () => this.canvas.zoom(1.3)), button("Zoom out", "−", () => this.canvas.zoom(1 / 1.3)), button("Show all", "⤢", () => this.canvas.fit()))),
        this.legend, this.summary, this.notice,
        h("p", { class: "quiet keys", id: "graph-keys" }, "Arrow keys go from entity to entity, Enter shows what one is related to, Escape selects nothing, + and − zoom, 0 shows all."),
        this.drawn),
      this.details));
  }

  async begin(name, id, text) {
    this.invite();
    const sample = this.sample(name, id);
    if (text !== "") {
      this.input.value = text;
      await this.find(text);
    }
    await sample;
  }

  // The first picture: around an entity, or of what is new.
  async sample(name, id) {
    try {
      const picture = await ask("graph", { around: id === undefined ? name : undefined, id }, this.signal);
      this.nodes = new Map(picture.nodes.map((n) => [n.id, n]));
      this.edges.clear();
      this.addEdges(picture.edges);
      this.totals = picture;
      this.redraw();
      if (name !== undefined || id !== undefined) {
        const n = picture.nodes.find((one) => (id === undefined ? one.name === name : one.id === Number(id)));
        if (n) await this.select(n, false);
      }
    } catch (failure) {
      if (failure.name !== "AbortError") fill(this.details, problem(failure, () => this.sample(name, id)));
    }
  }

  addEdges(edges) {
    for (const e of edges) this.edges.set(`${e.from} ${e.to} ${e.type}`, e);
  }

  redraw() {
    this.canvas.set([...this.nodes.values()], [...this.edges.values()]);
    const { entities, relations } = this.totals;
    const all = this.nodes.size >= entities;
    this.summary.textContent = all
      ? `All ${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}.`
      : `${count(this.nodes.size)} of ${counted(entities, "entity", "entities")}, with ${count(this.edges.size)} of ${counted(relations, "relation")}. Search to reach the others.`;
    this.picture.setAttribute("aria-label", `Picture of the graph with ${counted(this.nodes.size, "entity", "entities")}`);
    this.drawLegend();
    this.drawList();
  }

  drawLegend() {
    const types = new Map();
    for (const n of this.nodes.values()) types.set(n.type, (types.get(n.type) ?? 0) + 1);
    const most = [...types].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 8);
    fill(this.legend, most.map(([type, n]) => {
      const dot = h("span", { class: "dot" });
      dot.style.backgroundColor = this.canvas.colorOf(type);
      return h("li", {}, dot, said(words(shorten(type, 30))), h("span", { class: "number" }, count(n)));
    }));
  }

  drawList() {
    const details = this.drawn;
    details.querySelector("div")?.remove();
    if (!details.open) return;
    const list = [...this.nodes.values()].sort((a, b) => b.degree - a.degree || (a.name < b.name ? -1 : 1));
    const body = h("tbody", {});
    details.append(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Entities in the picture" },
      h("table", { class: "even" }, h("thead", {}, h("tr", {}, heads("Entity", "Type", "#Relations"))), body)));
    // A piece in each frame, so that the page answers meanwhile.
    const fillFrom = (start) => {
      if (start > 0 && !body.isConnected) return; // another list has taken its place
      body.append(...list.slice(start, start + rowsAtOnce).map((n) => h("tr", {}, h("td", {}, this.chooser(n)), h("td", {}, said(words(n.type))), h("td", { class: "number" }, degree(n)))));
      if (start + rowsAtOnce < list.length) requestAnimationFrame(() => fillFrom(start + rowsAtOnce));
    };
    fillFrom(0);
  }

  chooser(n) {
    return h("button", { type: "button", class: "link", onclick: () => this.select(n) }, said(n.title || n.name));
  }

  search(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    history.replaceState(null, "", text === "" ? "#/graph" : `#/graph?q=${encodeURIComponent(text)}`);
    this.find(text);
  }

  async find(text) {
    if (text === "") {
      fill(this.results);
      return;
    }
    await loadInto(this.results, async () => {
      const { nodes, more } = await ask("graph/search", { q: text }, this.signal);
      const told = nodes.length === 0 ? "Nothing was found" : `${counted(nodes.length, "entity", "entities")} found${more ? ", the best of more" : ""}`;
      announce(told);
      return [h("p", { class: "quiet" }, told + "."), h("ul", { class: "chips" }, nodes.map((n) => h("li", {},
        h("button", { type: "button", onclick: () => this.select(n) }, said(n.title || n.name), h("small", {}, said(words(n.type)))))))];
    });
  }

  async select(n, moveTo = true) {
    if (!this.nodes.has(n.id)) this.add([n], []);
    this.canvas.select(n.id);
    this.canvas.reveal(n.id);
    if (moveTo) history.replaceState(null, "", addressOf(n));
    announce(`${shorten(legible(n.title || n.name), 120)}, ${words(shorten(n.type, 60))}, ${counted(n.degree, "relation")}`);
    const turn = ++this.turn; // who goes on before the answer is here sees the later choice
    await loadInto(this.details, async () => {
      const [entity, near] = await Promise.all([ask("graph/entity", { id: n.id }, this.signal), ask("graph/neighbours", { id: n.id }, this.signal)]);
      return turn === this.turn ? this.describe(entity, near) : undefined;
    });
  }

  describe(e, near) {
    const chart = e.kind === "chart" ? e.name : e.metadata?.chartId;
    return [
      h("p", { class: "label" }, said(words(e.type))),
      folded(e.title || e.name, h("h2", {}, said(e.title || e.name))),
      e.title && h("p", { class: "quiet" }, said(e.name)),
      h("div", { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => this.expand(e) }, "Show its neighbours"),
        h("button", { type: "button", onclick: () => this.only(e) }, "Show only these")),
      chart && h("p", {}, h("a", { href: `#/charts/${encodeURIComponent(chart)}` }, "Open its chart")),
      e.kind === "plain" && documented(e.name, this.signal),
      h("h3", {}, "What is known"),
      e.observations.length === 0 ? h("p", { class: "quiet" }, "Nothing is noted yet.") : facts(e.observations),
      e.hidden_observations > 0 && h("p", { class: "quiet" }, `The newest are shown; ${counted(e.hidden_observations, "older one")} not.`),
      h("h3", {}, `Related to (${count(near.total)})`),
      this.neighbourList(e, near),
      e.metadata && disclosure("Metadata", () => h("pre", { tabindex: 0 }, JSON.stringify(e.metadata, null, 2))),
    ];
  }

  neighbourList(e, near) {
    if (near.total === 0) return h("p", { class: "quiet" }, "Nothing yet.");
    const list = h("ul", { class: "neighbours" });
    const add = (page) => list.append(...page.neighbours.map((n) => h("li", {},
      h("span", { class: "relation" }, n.outward ? "" : "← ", said(words(n.relation)), n.outward ? " →" : ""), this.chooser(n))));
    add(near);
    let shown = near.neighbours.length;
    const more = moreButton("Show more", async () => {
      const page = await ask("graph/neighbours", { id: e.id, offset: shown }, this.signal);
      add(page);
      shown += page.neighbours.length;
      announce(`${shown} of ${page.total} shown`);
      if (shown >= page.total || page.neighbours.length === 0) more.remove();
    });
    return [list, shown < near.total && more];
  }

  /** Selects nothing. */
  clear() {
    this.turn++;
    this.canvas.select(null);
    this.invite();
    history.replaceState(null, "", "#/graph");
    announce("Nothing selected");
  }

  invite() {
    fill(this.details, h("h2", {}, "Nothing selected"), h("p", { class: "quiet" }, "Choose an entity in the picture, in the list or by search to see what is known of it."));
  }

  // Brings the next neighbours of an entity into the picture.
  async expand(n) {
    try {
      this.expanded ??= new Map();
      const offset = this.expanded.get(n.id) ?? 0;
      const page = await ask("graph/neighbours", { id: n.id, offset }, this.signal);
      const { added, refused } = this.add(page.neighbours, page.edges);
      this.expanded.set(n.id, offset + page.neighbours.length >= page.total ? 0 : offset + page.neighbours.length);
      if (refused === 0) announce(added > 0 ? `${counted(added, "entity", "entities")} added` : page.total === 0 ? "It is related to nothing yet" : "All of these are in the picture already");
      if (this.canvas.selected !== n.id) await this.select(n);
    } catch (failure) {
      if (failure.name !== "AbortError") this.tell(failure.message);
    }
  }

  /** Adds nodes as long as there is room, and counts those that were new. */
  add(nodes, edges) {
    let added = 0, refused = 0;
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
    await this.sample(undefined, n.id);
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

// Names go into the address, so that it can be read and kept; those that are too
// long for that are replaced by their number.
function addressOf(n) {
  const name = encodeURIComponent(n.name);
  return name.length <= 2000 ? `#/graph/${name}` : `#/graph?id=${n.id}`;
}

function degree(n) {
  return n.degree >= 1000 ? `${count(1000)} or more` : count(n.degree);
}
