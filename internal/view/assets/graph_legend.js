// The types in the picture: what each looks like, how many there are, and whether
// they are shown.
import { announce, fill, h, said } from "./dom.js";
import { count, counted, shorten, words } from "./format.js";
import { hash, icon } from "./graph_types.js";

const most = 10; // types that are named at once

export class Legend {
  constructor(hidden, onchange) {
    this.hidden = hidden;
    this.onchange = onchange;
    this.first = h("ul", { class: "legend", "aria-label": "Types; press one to hide or show it" });
    this.others = h("ul", { class: "legend", "aria-label": "More types" });
    this.summary = h("summary", {});
    this.rest = h("details", { id: "graph-types", hidden: true }, this.summary, this.others);
    this.element = h("div", { class: "types-shown" }, this.first, this.rest);
  }

  draw(nodes) {
    const held = document.activeElement?.id, types = new Map();
    for (const n of nodes) types.set(n.type, (types.get(n.type) ?? 0) + 1);
    const all = [...types].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
    fill(this.first, all.slice(0, most).map((one) => this.toggle(...one)));
    fill(this.others, all.slice(most).map((one) => this.toggle(...one)));
    this.rest.hidden = all.length <= most;
    this.summary.textContent = counted(all.length - most, "more type");
    if (held?.startsWith("type-")) document.getElementById(held)?.focus();
  }

  toggle(type, n) {
    return h("li", {}, h("button", { type: "button", id: `type-${hash(type)}-${type.length}`, "aria-pressed": String(!this.hidden.has(type)), onclick: () => {
      if (!this.hidden.delete(type)) this.hidden.add(type);
      this.onchange();
      announce(`${words(shorten(type, 60))}: ${this.hidden.has(type) ? "hidden" : "shown"}`);
    } }, icon(type), said(words(shorten(type, 30))), h("span", { class: "number" }, count(n))));
  }
}
