// What is said of an entity outside its own documents: what is sure, and apart from it what
// may be meant, each with the reason.
import { ask, loadInto } from "./api.js";
import { excerpt, h, said } from "./dom.js";
import { money } from "./entity_fields.js";
import { turnAddress } from "./search.js";
import { counted, onDay, shorten, words } from "./format.js";
import { changeButton } from "./write.js";

const part = encodeURIComponent;
const entityAddress = (id) => `#/documents/${part(id)}`;

/** The documents and entities that it is related to. */
export function describeConnections({ connections, total }) {
  return [h("h2", { id: "connections" }, "Connections"),
    connections.length === 0 ? h("p", { class: "quiet" }, "It is connected to nothing yet.") : h("ul", { class: "plain rows entities" }, connections.map((c) => h("li", {},
      h("span", { class: "named" }, h("span", { class: "relation" }, c.outward ? "" : "← ", said(words(c.relationship.toLowerCase())), c.role && [" as ", said(words(c.role))], c.outward ? " →" : ""),
        h("a", { href: entityAddress(c.entity_id) }, said(c.name || c.entity_id)), h("span", { class: "label" }, said(words(c.type)))),
      h("span", { class: "date" }, c.date && said(onDay(c.date))), h("span", { class: "amount" }, c.amount !== undefined && money(c.amount, c.currency))))),
    total > connections.length && h("p", { class: "quiet" }, `${counted(total - connections.length, "older one")} not shown.`)];
}

const groups = [
  { id: "in-graph", name: "In the knowledge graph", kinds: ["node"] }, { id: "in-charts", name: "In charts", kinds: ["chart", "step", "beat"] },
  { id: "in-insights", name: "In insights", kinds: ["insight"] }, { id: "in-dialogue", name: "In conversations, newest first", kinds: ["dialogue"] },
];

/** What the rest of memory says of it. */
export function describeMentions({ sure, likely, more }, id) {
  return [
    sure.length + likely.length === 0 && h("p", { class: "quiet" }, "The graph, charts, insights and conversations do not name it."),
    groups.map(({ id, name, kinds }) => {
      const those = sure.filter((m) => kinds.includes(m.kind));
      return those.length > 0 && h("section", { "aria-labelledby": id }, h("h2", { id }, name), h("ul", { class: "plain lines" }, those.map((m) => mention(m, id))));
    }),
    likely.length > 0 && h("section", { class: "may", "aria-labelledby": "may-be" }, h("h2", { id: "may-be" }, "May also be about it"),
      h("p", { class: "quiet" }, "It is not sure that these mean the same. Nothing above rests on them."), h("ul", { class: "plain lines" }, likely.map((m) => mention(m, id)))),
    more && h("p", { class: "quiet" }, "There is more than is shown here; the search above finds the rest."),
  ];
}

function mention(m, id) {
  const kind = { node: m.why && "knowledge graph", insight: m.why && "insight", dialogue: m.why && "conversation", entity: "documents", chart: "chart", step: "step", beat: "beat" }[m.kind];
  const label = [kind, m.type && said(words(m.type)), m.speaker && said(m.speaker), m.at && onDay(m.at)].filter(Boolean).map((one, i) => [i > 0 && ", ", one]);
  return h("li", {},
    h("p", { class: "label" }, label, m.why && h("span", { class: "badge" }, m.why)),
    address(m) ? h("a", { href: address(m) }, excerpt(m.text)) : excerpt(m.text),
    m.facts?.length > 0 && h("ul", { class: "facts" }, m.facts.map((fact) => h("li", {}, excerpt(fact)))),
    m.hidden_facts > 0 && h("p", { class: "quiet" }, `${counted(m.hidden_facts, "older fact")} not shown.`),
    m.related?.length > 0 && h("ul", { class: "neighbours" }, m.related.map((r) => h("li", {}, h("span", { class: "relation" }, r.outward ? "" : "← ", said(words(r.relation)), r.outward ? " →" : ""), said(r.name)))),
    m.kind === "entity" && h("div", { class: "actions" },
      changeButton({ id: `merge-${m.id}`, action: "entity.merge", target: { id: m.id }, label: "It is the same: merge it into this one", about: shorten(m.text, 60), values: { other: id } })));
}

function address(m) {
  switch (m.kind) {
    case "node": return m.id.length <= 500 ? `#/graph/${part(m.id)}` : `#/graph?id=${m.node}`;
    case "insight": return `#/memory/insight/${m.row}`;
    case "dialogue": return turnAddress(m.session, m.row);
    case "entity": return entityAddress(m.id);
    default: return m.chart ? `#/charts/${part(m.chart)}` : null;
  }
}

/** For the graph: links to what documents say of the entity of this name; empty where they say nothing. */
export function documented(name, signal) {
  const place = h("div", {});
  if (name.length <= 500) loadInto(place, async () => {
    const { entities } = await ask("entity/named", { name }, signal);
    return entities.map((e) => h("p", {}, h("a", { href: entityAddress(e.id) }, "What documents say of it"), entities.length > 1 && [" (", said(words(e.type)), ")"]));
  });
  return place;
}
