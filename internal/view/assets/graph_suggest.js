// A field for an entity that suggests while one types, as search_nodes finds them.
import { ask } from "./api.js";
import { announce, fill, h, said } from "./dom.js";
import { counted, legible, words } from "./format.js";
import { icon } from "./graph_types.js";

const most = 8;
const pause = 120; // milliseconds after a letter, in which the next one may come

export class EntityField {
  constructor(id, label, signal, before) {
    this.signal = signal;
    this.suggested = [];
    this.active = -1;
    this.list = h("ul", { id: `${id}-list`, role: "listbox", class: "suggestions", "aria-label": `${label}: suggestions`, hidden: true });
    this.input = h("input", {
      id, type: "search", role: "combobox", autocomplete: "off", spellcheck: "false", maxlength: 500, "aria-autocomplete": "list", "aria-controls": this.list.id, "aria-expanded": "false",
      oninput: () => this.typed(), onkeydown: (event) => this.key(event), onblur: () => this.close(),
    });
    this.element = h("div", { class: "grow combobox" }, h("label", { for: id }, label), this.input, this.list);
    if (before) this.put(before.input.value, before.chosen);
  }

  /** Puts a text in, and the entity that it stands for. */
  put(text, n) {
    this.chosen = n;
    this.input.value = this.input.defaultValue = text; // as if the address had brought it
  }

  /** Puts an entity in. */
  set(n) {
    this.put(legible(n.title || n.name), n);
    this.close();
  }

  /** The entity that was chosen, or the one that is called as was typed; null when nothing was. */
  value() {
    const text = this.input.value.trim();
    if (text === "") return null;
    if (this.chosen) return this.chosen;
    const same = (name) => name !== undefined && name.toLowerCase() === text.toLowerCase();
    return this.suggested.find((n) => n.name === text) ?? this.suggested.find((n) => same(n.name) || same(n.title)) ?? { name: text };
  }

  typed() {
    this.chosen = null;
    clearTimeout(this.timer);
    this.asked?.abort();
    this.timer = setTimeout(() => this.suggest(this.input.value.trim()), pause);
  }

  async suggest(text) {
    if (text === "" || this.signal.aborted) return this.close();
    this.asked = new AbortController();
    const { signal } = this.asked;
    try {
      const { nodes } = await ask("graph/search", { q: text }, AbortSignal.any([signal, this.signal]));
      if (document.activeElement === this.input) this.open(nodes.slice(0, most));
      else this.suggested = nodes;
    } catch (failure) {
      if (failure.name !== "AbortError") this.open([], failure.message);
    }
  }

  // Shows suggestions, or says why there is none.
  open(nodes, why = "Nothing is found by this.") {
    this.suggested = nodes;
    this.active = -1;
    fill(this.list, nodes.map((n, i) => h("li", { id: `${this.list.id}-${i}`, role: "option", "aria-selected": "false",
      onpointerdown: (event) => event.preventDefault(), onclick: () => this.set(n) }, icon(n.type), said(n.title || n.name), h("small", {}, said(words(n.type))))));
    if (nodes.length === 0) fill(this.list, h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, why));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    announce(nodes.length === 0 ? why : counted(nodes.length, "suggestion"));
  }

  close() {
    this.list.hidden = true;
    this.active = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (this.list.hidden) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (steps[event.key] && this.suggested.length > 0) this.go(this.active + steps[event.key]);
    else if (event.key === "Enter" && this.active >= 0) this.set(this.suggested[this.active]);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  go(to) {
    const options = [...this.list.children];
    this.active = (to + options.length) % options.length;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
    options[this.active].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", options[this.active].id);
  }
}
