// The fields of an entity: the value that counts, where it was said, and what else was said.
import { ask, loadInto } from "./api.js";
import { announce, disclosure, folded, h, said, sheet } from "./dom.js";
import { currencyOf, isMoney } from "./money.js";
import { placeAddress, whereabouts } from "./place.js";
import { atTime, counted, decimals, locale, words } from "./format.js";
import { changeButton, textField } from "./write.js";

const figures = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const exact = 1e12; // beyond it a number may have been rounded, and is shown as it came

/** An amount with the currency that the same document states; none is guessed. */
export function money(amount, currency) {
  const text = typeof amount === "number" && Math.abs(amount) < exact ? figures.format(amount) : amount;
  return h("span", { class: "money" }, said(text), currency && ["\u00a0", said(currency)]);
}

/** The table of what is held to be true. observations are the newest of what was said. */
export function fieldTable(id, { snapshot, sources }, { observations, total }, signal) {
  const fields = Object.keys(snapshot.snapshot).sort();
  if (fields.length === 0) return h("p", { class: "quiet" }, "No field is known.");
  const differing = fields.filter((field) => saidOf(field, snapshot, observations).length > 1);
  return [
    differing.length > 0 && h("p", { class: "note" }, `Sources do not agree on ${counted(differing.length, "field")}; each is marked below${total > observations.length ? `, as far as the newest ${observations.length} of ${total} sources tell` : ""}.`),
    h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Fields" }, sheet(["Field", "Value", "Source"], fields.map((field) => [
      h("th", { scope: "row" }, said(words(field))),
      h("td", {}, h("div", { class: "value" }, valueOf(field, snapshot), differing.includes(field) && others(field, saidOf(field, snapshot, observations)), fieldActions(id, field, snapshot.snapshot[field], sources[field]))),
      h("td", {}, h("div", { class: "value" }, whence(id, field, sources[field]), disclosure(["How it came here", h("span", { class: "unseen" }, `: the field ${words(field)}`)], () => traced(id, field, signal), { id: `how-${field}` }))),
    ]), { class: "truth" })),
  ];
}

function valueOf(field, snapshot) {
  const value = snapshot.snapshot[field];
  return isMoney(field) && typeof value === "number" ? money(value, currencyOf(field, snapshot)) : shown(value);
}

// What can be done with a field. The form shows the value as it is when it is opened.
function fieldActions(id, field, value, source) {
  const target = { id, field }, about = words(field);
  return h("div", { class: "actions" },
    changeButton({ id: `correct-${field}`, action: "field.correct", target, label: "Correct", about, explain: "What you say stands over every document, also later ones, until you take it back.",
      fields: async () => {
        const { snapshot } = await ask("entity", { id });
        return [textField("text", `The right ${about}`, asText(snapshot.snapshot[field]), { lines: 2, most: 20000 }), textField("reason", "Why", "", { required: false, most: 1000 })];
      } }),
    source?.kind === "correction" && changeButton({ id: `withdraw-${field}`, action: "field.withdraw", target, label: "Take the correction back", about, values: { text: asText(value) } }));
}

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

// Where the value was said, as people would say it.
function whence(id, field, source) {
  switch (source?.kind) {
    case "file": return h("a", { href: placeAddress(id, field) }, whereabouts(source.file, source));
    case "payload": return source.file ? h("span", {}, said(source.file), h("span", { class: "quiet" }, ", as an assistant read it")) : h("span", {}, "an assistant told it");
    case "correction": return h("span", {}, "corrected by the user");
    case "update": return h("span", {}, "an update");
    default: return h("span", {}, "a record");
  }
}

// What sources said of a field: each value once, by the newest that says it; the one that counts first.
function saidOf(field, snapshot, observations) {
  const winners = (snapshot.provenance[field] ?? "").split(",").map((one) => one.trim());
  if (winners.length > 1) return []; // put together from several
  const now = JSON.stringify(snapshot.snapshot[field]), byValue = new Map();
  for (const o of observations) {
    const value = o.fields[field];
    if (value === undefined || value === null) continue;
    const key = JSON.stringify(value);
    if (!byValue.has(key) || o.id === winners[0]) byValue.set(key, { value, by: o, counts: key === now });
  }
  const list = [...byValue.values()];
  return list.some((one) => one.counts) ? list.sort((a, b) => b.counts - a.counts) : [];
}

function others(field, list) {
  return disclosure([h("span", { class: "differs" }, `${list.length} values were said`), h("span", { class: "unseen" }, ` of ${words(field)}`)], () => h("ul", { class: "plain said" }, list.map(({ value, by, counts }) =>
    h("li", {}, isMoney(field) && typeof value === "number" ? money(value, by.fields.currency) : shown(value), h("span", { class: "quiet" }, `${sourceOf(by)} of ${atTime(by.observed_at)}`), counts && h("strong", { class: "quiet" }, `counts: ${why(by, list)}`)))), { id: `said-${field}` });
}

function why(by, list) {
  if (by.source_priority >= 1000) return "the user's correction stands above documents";
  if (by.source_priority > 0) return "an update stands above documents";
  if (list.some((one) => one.by !== by && one.by.observed_at === by.observed_at)) return "of those of one moment it was stored last, or goes by the rule for this field";
  return list.every((one) => one.by.observed_at <= by.observed_at) ? "it was said last" : "by the rule for this field";
}

/** What kind of source an observation is from. */
export function sourceOf(o) {
  if (o.source_payload_id) return "document";
  if (o.source_priority >= 1000) return "correction";
  return o.source_priority > 0 ? "update" : "record";
}

function traced(id, field, signal) {
  const place = h("div", {});
  loadInto(place, async () => {
    const { provenance, payload } = await ask("entity/provenance", { id, field }, signal);
    announce(`${words(field)} traced`);
    return steppedBack(provenance, payload);
  });
  return place;
}

// The way back from a field: the observation, the record or payload and the files by
// their names in the store.
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

/** A value of a field: short ones as text, lists and objects to unfold. */
export function shown(value) {
  if (value === null) return h("span", { class: "quiet" }, "none");
  if (typeof value !== "object") return folded(value, said(value));
  if (Array.isArray(value) && value.length <= 12 && value.every((v) => typeof v !== "object")) {
    return h("ul", { class: "values" }, value.map((v) => h("li", {}, folded(v, said(v)))));
  }
  const text = JSON.stringify(value, null, 2);
  return disclosure(Array.isArray(value) ? counted(value.length, "item") : counted(Object.keys(value).length, "part"), () => h("pre", { tabindex: 0 }, text));
}
