// What documents say: entities with their present truth, how it came about over
// time, and where each field comes from, down to the file.
import { ask, loadInto } from "./api.js";
import { announce, disclosure, empty, example, folded, h, moreButton, pages, said, sheet } from "./dom.js";
import { placeAddress, showPlace, whereabouts } from "./place.js";
import { ago, atTime, count, counted, decimals, shorten, words } from "./format.js";

const pageSize = 30;

export async function show(frame, { parts, query, signal }) {
  frame.append(h("h1", { tabindex: -1 }, "Documents"));
  if (parts[1]) return showPlace(frame, parts[0], parts[1], query, signal);
  if (parts[0]) return oneEntity(frame, parts[0], signal);
  frame.append(h("p", { class: "lead" }, "What invoices, contracts and notes say, and who says it."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, () => list(query, signal));
}

async function list(query, signal) {
  const q = query.get("q") ?? "", type = query.get("type") ?? "", offset = Math.max(0, Number(query.get("from")) || 0);
  const { found, types } = await ask("entities", { q, type, offset, limit: pageSize }, signal);
  if (types.length === 0) {
    return empty("No document is known yet", "Give your assistant a document and ask it to keep what it says:", example("Here is an invoice. Keep it."));
  }
  announce(counted(found.total, "entity", "entities"));
  return [
    searchForm(q, type, types),
    found.entities.length === 0
      ? empty("Nothing was found", "Try fewer words, or another type.")
      : [h("p", { class: "quiet" }, counted(found.total, "entity", "entities")), h("ul", { class: "plain rows" }, found.entities.map((e) => h("li", {},
        h("a", { href: `#/documents/${encodeURIComponent(e.entity_id)}` }, said(e.canonical_name || e.entity_id)), h("span", { class: "label" }, said(words(e.entity_type))),
        h("span", { class: "quiet" }, `${counted(e.observation_count, "source")}, last observed ${ago(e.last_observation_at)}`))))],
    pages("Pages of entities", { total: found.total, offset, shown: found.entities.length, size: pageSize }, (from) => `#/documents?${new URLSearchParams({ q, type, from })}`, "Before", "After"),
  ];
}

function searchForm(q, type, types) {
  const input = h("input", { id: "documents-query", type: "search", autocomplete: "off", maxlength: 500, value: q });
  const select = h("select", { id: "documents-type" }, h("option", { value: "" }, "Every type"),
    types.map((t) => h("option", { value: t.type, selected: t.type === type }, `${words(shorten(t.type, 60))} (${count(t.count)})`)));
  return h("form", { role: "search", class: "search", onsubmit: (event) => {
    event.preventDefault();
    location.hash = `#/documents?${new URLSearchParams({ q: input.value.trim(), type: select.value })}`;
  } },
  h("div", { class: "row" },
    h("div", { class: "grow" }, h("label", { for: "documents-query" }, "Words in it"), input),
    h("div", {}, h("label", { for: "documents-type" }, "Type"), select),
    h("button", { type: "submit", class: "primary" }, "Search")));
}

async function oneEntity(frame, id, signal) {
  const truth = h("section", { class: "card" }), history = h("section", { "aria-labelledby": "history" }), around = h("section", { "aria-labelledby": "connections" });
  frame.append(h("p", {}, h("a", { href: "#/documents" }, "All entities")), truth, history, around);
  let winning = new Map();
  await loadInto(truth, async () => {
    const { snapshot, name } = await ask("entity", { id }, signal);
    winning = new Map(Object.entries(snapshot.provenance));
    return describeTruth(id, snapshot, name, signal);
  });
  await Promise.all([
    loadInto(history, () => describeHistory(id, winning, signal)),
    loadInto(around, () => describeConnections(id, signal)),
  ]);
}

function describeTruth(id, snapshot, name, signal) {
  const fields = Object.keys(snapshot.snapshot).sort();
  return [
    h("p", { class: "label" }, said(words(snapshot.entity_type))),
    h("h2", {}, said(name || id)),
    h("p", { class: "quiet" }, `Held to be true now, from ${counted(snapshot.observation_count, "observation")}; last observed ${atTime(snapshot.last_observation_at)}.`),
    fields.length === 0 ? h("p", { class: "quiet" }, "No field is known.") : h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Fields" }, sheet(["Field", "Value", "Source"], fields.map((field) => fieldRow(id, field, snapshot.snapshot[field], signal)), { class: "truth" })),
  ];
}

function fieldRow(id, field, value, signal) {
  const place = h("td", {});
  const button = h("button", { type: "button", class: "link", onclick: () => loadInto(place, async () => {
    const traced = await ask("entity/provenance", { id, field }, signal);
    announce(`${words(field)} traced`);
    return trail(id, field, traced);
  }) }, "Where from?", h("span", { class: "unseen" }, ` The field ${words(field)}`));
  place.append(button);
  return [h("th", { scope: "row" }, said(words(field))), h("td", {}, shown(value)), place];
}

// The way back from a field: the document and the place in it; behind that the
// observation, the record or payload and the files by their names in the store.
function trail(id, field, { provenance: p, payload, file }) {
  const where = file && h("p", { class: "whereabouts" }, h("a", { href: placeAddress(id, field) }, whereabouts(file, p.source_location)));
  const steps = steppedBack(p, payload);
  return [where, where ? disclosure("How it came here", () => steps) : steps];
}

function steppedBack(p, payload) {
  const o = p.source_observation, r = p.source_record;
  const steps = [
    ["Observation", [said(o.id), `, observed ${atTime(o.observed_at)}`], `specificity ${decimals(o.specificity_score)}, priority ${o.source_priority}`],
    payload
      ? ["Payload", [said(payload.submission_id)], [said(payload.capability), `, extracted ${atTime(payload.extracted_at)} by `, said(payload.extractor), payload.agent_id && [" for ", said(payload.agent_id)]]]
      : ["Record", [said(r.id)], [said(words(r.type)), `, stored ${atTime(r.created_at)}`]],
  ];
  for (const file of payload?.source_refs ?? []) steps.push(["Source", [folded(file, said(file))], null]);
  for (const file of r.file_urls) steps.push(["File", [folded(file, said(file))], null]);
  return h("div", {}, h("ol", { class: "trail" }, steps.map(([what, name, more]) => h("li", {}, h("span", { class: "label" }, what), h("div", { class: "trail-name" }, name), more && h("span", { class: "quiet" }, more)))),
    p.observation_ids.length > 1 && h("p", { class: "quiet" }, `put together from ${counted(p.observation_ids.length, "observation")}`));
}

async function describeHistory(id, winning, signal) {
  const first = await ask("entity/history", { id }, signal);
  const list = h("ol", { class: "timeline" });
  const add = (page) => list.append(...page.observations.map((o) => observation(id, o, winning, signal)));
  add(first);
  let shown = first.observations.length;
  const more = moreButton("Show older", async () => {
    const page = await ask("entity/history", { id, offset: shown }, signal);
    add(page);
    shown += page.observations.length;
    announce(`${shown} of ${page.total} shown`);
    if (shown >= page.total || page.observations.length === 0) more.remove();
  });
  return [h("h2", { id: "history" }, "History"), h("p", { class: "quiet" }, `${counted(first.total, "observation")}, newest first. Values that count today are marked.`), list, shown < first.total && more];
}

function observation(id, o, winning, signal) {
  const past = h("div", {});
  const counts = (field) => (winning.get(field) ?? "").split(",").some((one) => one.trim() === o.id);
  return h("li", {},
    h("p", { class: "when" }, h("time", { datetime: o.observed_at }, atTime(o.observed_at)), h("span", { class: "badge soft" }, sourceOf(o))),
    h("dl", { class: "fields" }, Object.entries(o.fields).sort(([a], [b]) => a.localeCompare(b)).map(([field, value]) => h("div", { class: counts(field) ? "counts" : undefined },
      h("dt", {}, said(words(field)), counts(field) && h("span", { class: "unseen" }, " (counts today)")), h("dd", {}, shown(value))))),
    h("p", { class: "quiet small" }, said(o.id), ` from ${o.source_payload_id ? "payload" : "record"} `, said(o.source_record_id)),
    h("button", { type: "button", class: "link", onclick: () => loadInto(past, async () => {
      const then = await ask("entity/at", { id, at: o.observed_at }, signal);
      return h("div", { class: "then" }, h("p", { class: "label" }, `Held to be true on ${atTime(o.observed_at)}`),
        h("dl", { class: "fields" }, Object.entries(then.snapshot).sort(([a], [b]) => a.localeCompare(b)).map(([field, value]) => h("div", {}, h("dt", {}, said(words(field))), h("dd", {}, shown(value))))));
    }) }, "What was true then?"), past);
}

function sourceOf(o) {
  if (o.source_payload_id) return "document";
  if (o.source_priority >= 1000) return "correction";
  return o.source_priority > 0 ? "update" : "record";
}

async function describeConnections(id, signal) {
  const { connections, total } = await ask("entity/connections", { id }, signal);
  return [h("h2", { id: "connections" }, "Connections"),
    connections.length === 0 ? h("p", { class: "quiet" }, "It is connected to nothing yet.") : h("ul", { class: "plain rows" }, connections.map((c) => h("li", {},
      h("span", { class: "relation" }, c.outward ? "" : "← ", said(words(c.relationship.toLowerCase())), c.outward ? " →" : ""),
      h("a", { href: `#/documents/${encodeURIComponent(c.entity_id)}` }, said(c.name || c.entity_id)), h("span", { class: "label" }, said(words(c.type)))))),
    total > connections.length && h("p", { class: "quiet" }, `${counted(total - connections.length, "older one")} not shown.`)];
}

// A value of a field: short ones as text, lists and objects to unfold.
function shown(value) {
  if (value === null) return h("span", { class: "quiet" }, "none");
  if (typeof value !== "object") return folded(value, said(value));
  if (Array.isArray(value) && value.length <= 12 && value.every((v) => typeof v !== "object")) {
    return h("ul", { class: "values" }, value.map((v) => h("li", {}, folded(v, said(v)))));
  }
  const text = JSON.stringify(value, null, 2);
  return disclosure(Array.isArray(value) ? counted(value.length, "item") : counted(Object.keys(value).length, "part"), () => h("pre", { tabindex: 0 }, text));
}
