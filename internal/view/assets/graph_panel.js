// What is known of the entity that is selected, beside the picture.
import { ask } from "./api.js";
import { announce, disclosure, fill, folded, h, moreButton, said } from "./dom.js";
import { documented } from "./entity_about.js";
import { forgetButton } from "./forget.js";
import { count, counted, legible, shorten, words } from "./format.js";
import { icon } from "./graph_types.js";
import { changeButton, textField } from "./write.js";

const factsAtOnce = 30;

/** Describes an entity; view is what holds the picture. */
export function describe(e, near, view) {
  const [expand, drawn] = expander(e, near.total, view);
  const chart = e.kind === "chart" ? e.name : e.metadata?.chartId;
  return [
    h("p", { class: "label typed" }, icon(e.type), said(words(e.type))),
    folded(e.title || e.name, h("h2", {}, said(e.title || e.name))),
    e.title && h("p", { class: "quiet" }, said(e.name)),
    h("div", { class: "row" },
      expand,
      h("button", { type: "button", id: "graph-only", onclick: () => view.only(e) }, "Show only these")),
    near.total > 0 && drawn,
    e.kind === "plain" && h("div", { class: "actions", id: "entity-actions" },
      changeButton({ id: "node-note", action: "fact.add", target: { id: e.name }, label: "Add a note", fields: () => [textField("text", "What is known of it", "", { lines: 3, most: 2000 })] }),
      forgetButton("node-forget", [`entity:${e.name}`], shorten(e.name, 60), "#/graph")),
    e.kind === "plain" && documented(e.name, view.signal),
    chart && h("p", {}, h("a", { href: `#/charts/${encodeURIComponent(chart)}` }, "Open its chart")),
    h("h3", {}, "What is known"),
    observations(e),
    e.hidden_observations > 0 && h("p", { class: "quiet" }, `The newest are shown; ${counted(e.hidden_observations, "older one")} not.`),
    h("h3", {}, `Related to (${count(near.total + e.dangling.length)})`),
    neighbourList(e, near, view),
    e.dangling.length > 0 && danglingList(e),
    e.metadata && disclosure("Metadata", () => h("pre", { tabindex: 0 }, JSON.stringify(e.metadata, null, 2)), { id: "entity-metadata" }),
  ];
}

// Brings neighbours in, and says how many of the relations are drawn.
function expander(e, total, view) {
  const told = h("p", { class: "quiet", id: "graph-drawn" });
  const tell = () => {
    const drawn = Math.min(view.relationsDrawn(e.id), total);
    fill(told, drawn === total ? "All its relations are in the picture." : `${count(drawn)} of its ${counted(total, "relation")} are in the picture.`);
    return drawn < total;
  };
  const button = h("button", { type: "button", class: "primary", id: "graph-expand", onclick: async () => {
    await view.expand(e);
    tell();
  } }, "Show its neighbours");
  return [tell() && button, told];
}

function observations({ name, kind, observations: list }) {
  if (list.length === 0) return h("p", { class: "quiet" }, "Nothing is noted yet.");
  const facts = h("ul", { class: "facts" });
  const remove = (fact, i) => kind === "plain" && changeButton({ id: `node-fact-${i}`, action: "fact.delete", target: { id: name, field: fact }, label: "Remove", about: shorten(fact, 60) });
  const add = () => facts.append(...list.slice(facts.children.length, facts.children.length + factsAtOnce).map((fact, i) =>
    h("li", { dir: "auto" }, folded(fact, h("div", {}, legible(fact))), h("div", { class: "actions" }, remove(fact, facts.children.length + i)))));
  add();
  const more = facts.children.length < list.length && moreButton("Show more of what is known", () => {
    add();
    facts.dataset.grown = ""; // not to be taken away by a change elsewhere
    announce(`${facts.children.length} of ${list.length} shown`);
    if (facts.children.length === list.length) more.remove();
  });
  return [facts, more];
}

function neighbourList(e, near, view) {
  if (near.total === 0) return e.dangling.length === 0 && h("p", { class: "quiet" }, "Nothing yet.");
  const list = h("ul", { class: "neighbours" });
  const add = (page) => list.append(...page.neighbours.map((n) => h("li", {}, relation(n), view.chooser(n))));
  add(near);
  let shown = near.neighbours.length;
  const more = moreButton("Show more", async () => {
    const page = await ask("graph/neighbours", { id: e.id, offset: shown }, view.signal);
    add(page);
    list.dataset.grown = "";
    shown += page.neighbours.length;
    announce(`${shown} of ${page.total} shown`);
    if (shown >= page.total || page.neighbours.length === 0) more.remove();
  });
  return [list, shown < near.total && more];
}

function relation({ relation: type, outward }) {
  return h("span", { class: "relation" }, outward ? "" : "← ", said(words(type)), outward ? " →" : "");
}

// Lists what an entity is related to by name alone.
function danglingList(e) {
  return h("ul", { class: "neighbours", id: "graph-dangling" }, e.dangling.map((n) => h("li", {}, relation(n), said(n.name), h("span", { class: "quiet" }, " (no entity yet)"))));
}
