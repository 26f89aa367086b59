// What each source said of an entity over time.
import { ask, loadInto } from "./api.js";
import { announce, disclosure, h, moreButton, said } from "./dom.js";
import { shown, sourceOf } from "./entity_fields.js";
import { atTime, counted, words } from "./format.js";

/** What each source said, newest first, and what was true then. */
export function describeHistory(id, first, winning, signal) {
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
    h("button", { type: "button", class: "link", onclick: () => loadInto(past, async () => {
      const then = await ask("entity/at", { id, at: o.observed_at }, signal);
      return h("div", { class: "then" }, h("p", { class: "label" }, `Held to be true on ${atTime(o.observed_at)}`),
        h("dl", { class: "fields" }, Object.entries(then.snapshot).sort(([a], [b]) => a.localeCompare(b)).map(([field, value]) => h("div", {}, h("dt", {}, said(words(field))), h("dd", {}, shown(value))))));
    }) }, "What was true then?"), past,
    disclosure("How it came here", () => h("p", { class: "quiet small" }, said(o.id), ` from ${o.source_payload_id ? "payload" : "record"} `, said(o.source_record_id)), { id: `came-${o.id}` }));
}
