// What the picture shows, as tables: its entities, and its relations by name. They
// can be filtered and sorted, and hold all that the picture holds.
import { announce, fill, h, said } from "./dom.js";
import { count, counted, legible, words } from "./format.js";
import { icon } from "./graph_types.js";

const rowsAtOnce = 60;
const order = new Intl.Collator(undefined, { numeric: true });
const nameOf = (n) => legible(n.title || n.name);

/** The columns of each table; what a cell says decides the order, and is searched. */
const tables = {
  entities: [
    { name: "Entity", key: (n) => nameOf(n), cell: (n, choose) => choose(n) },
    { name: "Type", key: (n) => words(n.type), cell: (n) => h("span", { class: "typed" }, icon(n.type), said(words(n.type))) },
    { name: "Relations", key: (n) => n.degree, cell: (n) => degree(n), number: true },
  ],
  relations: [
    { name: "From", key: (r) => nameOf(r.a), cell: (r, choose) => choose(r.a) },
    { name: "Relation", key: (r) => words(r.type), cell: (r) => said(words(r.type)) },
    { name: "To", key: (r) => nameOf(r.b), cell: (r, choose) => choose(r.b) },
  ],
};

export class PictureList {
  /** choose makes a button of an entity; chosen is what was filtered and sorted before. */
  constructor(choose, chosen) {
    this.choose = choose;
    this.chosen = chosen ?? { table: "entities", filter: "", column: 2, down: true };
    this.rows = { entities: [], relations: [] };
    this.filter = h("input", { id: "graph-filter", type: "search", autocomplete: "off", value: this.chosen.filter, oninput: () => {
      this.chosen.filter = this.filter.value;
      this.draw();
      announce(this.told.textContent);
    } });
    this.select = h("select", { id: "graph-table", onchange: () => {
      Object.assign(this.chosen, { table: this.select.value, column: 0, down: false });
      this.draw();
    } }, [["entities", "Entities"], ["relations", "Relations"]].map(([value, name]) => h("option", { value, selected: value === this.chosen.table }, name)));
    this.told = h("p", { class: "quiet" });
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.table = h("table", {}, h("thead", {}, this.head), this.body);
    this.element = h("details", { class: "drawn", id: "graph-list", ontoggle: () => this.draw() }, h("summary", {}, "Everything in the picture, as a list"),
      h("div", { class: "stack" },
        h("div", { class: "row filters" }, h("div", {}, h("label", { for: "graph-table" }, "List"), this.select), h("div", { class: "grow" }, h("label", { for: "graph-filter" }, "Only with"), this.filter)),
        this.told,
        h("div", { class: "scroll", id: "graph-rows", tabindex: 0, role: "region", "aria-label": "What is in the picture" }, this.table)));
  }

  set(nodes, edges) {
    const byID = new Map(nodes.map((n) => [n.id, n]));
    this.rows = { entities: nodes, relations: edges.filter((e) => byID.has(e.from) && byID.has(e.to)).map((e) => ({ ...e, a: byID.get(e.from), b: byID.get(e.to) })) };
    this.draw();
  }

  draw() {
    if (!this.element.open) return;
    const { table, filter, column, down } = this.chosen, columns = tables[table], text = filter.trim().toLowerCase();
    const all = this.rows[table], key = columns[column].key;
    const rows = all.filter((row) => text === "" || columns.some((c) => !c.number && c.key(row).toLowerCase().includes(text)))
      .sort((a, b) => (columns[column].number ? key(a) - key(b) : order.compare(key(a), key(b))) * (down ? -1 : 1)
        || columns.reduce((found, c) => found || (c.number ? 0 : order.compare(c.key(a), c.key(b))), 0));
    this.told.textContent = rows.length === all.length ? `${tally(table, all)}.` : `${count(rows.length)} of ${tally(table, all)}.`;
    this.table.className = `even ${table}`;
    this.drawHead(columns);
    this.drawRows(rows, columns);
  }

  drawHead(columns) {
    const held = document.activeElement?.id, { column, down } = this.chosen;
    fill(this.head, columns.map((c, i) => h("th", { scope: "col", class: c.number && "number", "aria-sort": i === column ? (down ? "descending" : "ascending") : undefined },
      h("button", { type: "button", class: "link", id: `graph-sort-${i}`, onclick: () => this.sort(i) }, c.name, i === column && h("span", { "aria-hidden": "true" }, down ? " ↓" : " ↑")))));
    if (held?.startsWith("graph-sort-")) document.getElementById(held)?.focus();
  }

  sort(i) {
    const again = this.chosen.column === i;
    Object.assign(this.chosen, { column: i, down: again ? !this.chosen.down : Boolean(tables[this.chosen.table][i].number) });
    this.draw();
  }

  // A piece in each frame, so that the page answers meanwhile.
  drawRows(rows, columns) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.body.replaceChildren();
    const fillFrom = (start) => {
      if (turn !== this.turn) return; // another list has taken its place
      this.body.append(...rows.slice(start, start + rowsAtOnce).map((row) => h("tr", {}, columns.map((c) => h("td", { class: c.number && "number" }, c.cell(row, this.choose))))));
      if (start + rowsAtOnce < rows.length) requestAnimationFrame(() => fillFrom(start + rowsAtOnce));
    };
    fillFrom(0);
  }
}

/** How many nodes of the graph belong to charts. */
export const countedCharts = (n) => counted(n, "chart, step or beat", "charts, steps and beats");

function tally(table, rows) {
  if (table !== "entities") return counted(rows.length, "relation");
  const charts = rows.filter((n) => n.kind !== "plain").length;
  return counted(rows.length - charts, "entity", "entities") + (charts > 0 ? `, and ${countedCharts(charts)}` : "");
}

function degree(n) {
  return n.degree >= 1000 ? `${count(1000)} or more` : count(n.degree);
}
