// What documents say: the entities they speak of, with what each comes to and when.
import { ask, loadInto } from "./api.js";
import { announce, empty, example, h, pages, said } from "./dom.js";
import { showEntity } from "./entity.js";
import { money } from "./entity_fields.js";
import { showPlace } from "./place.js";
import { ago, count, counted, shorten, onDay, words } from "./format.js";

const pageSize = 30;

export async function show(frame, { parts, query, signal, overview }) {
  frame.append(h("h1", { tabindex: -1 }, "Documents"));
  if (parts[1]) return showPlace(frame, parts[0], parts[1], query, signal);
  if (parts[0]) return showEntity(frame, parts[0], signal);
  frame.append(h("p", { class: "lead" }, "What invoices, contracts and notes say, and who says it."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, () => list(query, signal, overview.totals.documents));
}

async function list(query, signal, documents) {
  const q = query.get("q") ?? "", type = query.get("type") ?? "", offset = Math.max(0, Number(query.get("from")) || 0);
  const { found, types, figures } = await ask("entities", { q, type, offset, limit: pageSize }, signal);
  if (types.length === 0) {
    return empty("No document is known yet", "Give your assistant a document and ask it to keep what it says:", example("Here is an invoice. Keep it."));
  }
  announce(counted(found.total, "entity", "entities"));
  return [
    searchForm(q, type, types),
    found.entities.length === 0
      ? empty("Nothing was found", "Try fewer words, or another type.")
      : [h("p", { class: "quiet" }, `${counted(found.total, "thing")}${q || type ? "" : ` named in ${counted(documents, "document")}`}${q ? "" : ", the last observed first"}`), h("ul", { class: "plain rows entities" }, found.entities.map((e) => row(e, figures[e.entity_id])))],
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

function row(e, figure) {
  return h("li", {},
    h("span", { class: "named" }, h("a", { href: `#/documents/${encodeURIComponent(e.entity_id)}` }, said(e.canonical_name || e.entity_id)), h("span", { class: "label" }, said(words(e.entity_type))), figure?.from && h("span", {}, "from ", said(figure.from))),
    h("span", { class: "date" }, figure?.date && said(onDay(figure.date))),
    h("span", { class: "amount" }, figure?.amount !== undefined && money(figure.amount, figure.currency)),
    h("span", { class: "quiet" }, figure?.file ? ["in ", said(figure.file), e.observation_count > 1 && `, said ${count(e.observation_count)} times`] : counted(e.observation_count, "source"), `, ${ago(e.last_observation_at)}`));
}
