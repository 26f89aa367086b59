// From one entity to another: the fields that ask for it, and the paths in words.
import { announce, h, said } from "./dom.js";
import { count, legible, shorten, words } from "./format.js";
import { EntityField } from "./graph_suggest.js";

const longestName = 1500; // of a name in an address, as it is written there

/** The form that leads to the paths; before is one that was filled in. */
export class PathForm {
  constructor(signal, before) {
    this.from = new EntityField("graph-from", "From", signal, before?.from);
    this.to = new EntityField("graph-to", "To", signal, before?.to);
    this.element = h("form", { class: "search", "aria-label": "Paths between two entities", onsubmit: (event) => this.submit(event) },
      h("div", { class: "row" }, this.from.element, this.to.element, h("button", { type: "submit", id: "graph-find-paths" }, "Find paths")));
  }

  submit(event) {
    event.preventDefault();
    const empty = [this.from, this.to].find((field) => field.value() === null);
    if (empty) {
      empty.input.focus();
      announce("Say both ends of the path");
      return;
    }
    location.hash = `#/graph?${pathQuery(this.from.value(), this.to.value())}`;
  }
}

/** What an address says of a path: names, or numbers where a name is too long for it. */
export function pathQuery(from, to) {
  const query = new URLSearchParams();
  for (const [end, n] of [["from", from], ["to", to]]) {
    if (n.id !== undefined && encodeURIComponent(n.name).length > longestName) query.set(`${end}_id`, n.id);
    else query.set(end, n.name);
  }
  return query;
}

/** The paths in words, and why there is none. choose makes a button of an entity. */
export function tellPaths(found, ends, choose) {
  const title = h("h2", {}, "From ", nameOf(ends[0]), " to ", nameOf(ends[1]));
  const nodes = new Map(found.nodes.map((n) => [n.id, n])), relations = relationsBetween(found.edges);
  const paths = found.paths.filter((path) => path.length > 1 && path.every((id) => nodes.has(id)));
  return [title, h("p", { class: "quiet" }, outcome(found)), paths.length > 0 && h("ol", { class: "paths" }, paths.map((path) => h("li", {}, h("p", {},
    path.map((id, i) => [i > 0 && step(relations, path[i - 1], id), choose(nodes.get(id))])))))];
}

const nameOf = (n) => said(shorten(legible(n.title || n.name), 80));

/** What came of a search for paths, in a sentence or two. */
export function outcome({ paths, more, end, met, longest }) {
  if (paths.length > 0) {
    const length = paths[0].length - 1;
    if (length === 0) return "Both ends are the same entity.";
    const far = length === 1 ? "They are directly related" : `They are ${length} relations apart`;
    return `${far}. ${paths.length === 1 && !more ? "There is one path as short as this." : `${more ? `${paths.length} of the` : `The ${paths.length}`} shortest paths:`}`;
  }
  switch (end) {
    case "unconnected": return "Nothing connects them: no path leads from one to the other.";
    case "far": return `No path of at most ${longest} relations connects them. A longer one was not looked for.`;
    case "many": return `No path was found among the ${count(met)} entities nearest to them. There the search ended, so there may be one.`;
    default: return "No path was found in the time there is for it, so there may be one.";
  }
}

// The names of relations from one entity to another, by "from to".
function relationsBetween(edges) {
  const names = new Map();
  for (const { from, to, type } of edges) names.set(`${from} ${to}`, [...(names.get(`${from} ${to}`) ?? []), type]);
  return names;
}

// A step of a path. Relations are told in the direction they have.
function step(relations, from, to) {
  const onward = relations.get(`${from} ${to}`), back = relations.get(`${to} ${from}`);
  const names = (list) => said(shorten(list.map(words).join(", "), 120));
  const hidden = (text) => h("span", { "aria-hidden": "true" }, text);
  return h("span", { class: "relation" },
    onward && [hidden("— "), h("span", { class: "unseen" }, " "), names(onward), hidden(" →"), h("span", { class: "unseen" }, " ")],
    onward && back && h("span", {}, "and "),
    back && [hidden("← "), h("span", { class: "unseen" }, " by the relation "), names(back), hidden(" —"), h("span", { class: "unseen" }, " from ")]);
}

