// Where a result stands: in the graph, in what was said, or among the versions of an
// insight.
import { empty, facts, h, passage, said } from "./dom.js";
import { atTime, words } from "./format.js";

export const nodes = { tool: "open_nodes", title: "In the graph", draw: ({ entities = [], relations = [] }) => [
  entities.length === 0 && empty("It is not in the graph any more", "It may have been renamed or forgotten."),
  entities.map((e) => h("section", { class: "card" }, h("p", { class: "label" }, said(words(e.entityType))), h("h2", {}, said(e.name)),
    e.observations.length > 0 ? facts(e.observations) : h("p", { class: "quiet" }, "Nothing is said about it yet."))),
  relations.length > 0 && h("section", {}, h("h2", {}, "Connected to"), h("ul", { class: "plain neighbours" }, relations.map((r) =>
    h("li", {}, said(r.from), " ", h("span", { class: "relation" }, said(words(r.relationType))), " ", said(r.to))))),
] };

export const dialogue = { tool: "hybrid_search", title: "Said around it", draw: ({ results = [] }) => (results.length === 0 ? empty("Nothing was found", "It may have been forgotten.") : h("ol", { class: "plain dialogue" }, results.map((r) =>
  h("li", {}, h("p", { class: "label" }, r.speaker && [said(r.speaker), ", "], atTime(r.created_at)), h("blockquote", {}, passage(r.content, { class: "content" })))))) };

export const history = { tool: "get-insight-history", title: "An insight over time", draw: ({ versions = [] }) => h("ol", { class: "timeline" }, [...versions].reverse().map((v) =>
  h("li", {}, h("p", { class: "when" }, atTime(v.created_at), v.state !== "current" && h("span", { class: "badge" }, said(v.state))), passage(v.content, { class: "content" }),
    v.reason && h("p", { class: "quiet" }, "because ", said(v.reason))))) };
