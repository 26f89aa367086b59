// What documents say of one thing: each field, and where it comes from.
import { announce, disclosure, fill, folded, h, heads, said } from "./dom.js";
import { atTime, counted, legible, words } from "./format.js";
import { actions, button, call } from "./app.js";
import { host, Refused, request } from "./host.js";
import { currencyOf, isMoney } from "./money.js";
import { speak } from "./speak.js";

export const entity = { tool: "get_entity_snapshot", title: "What documents say", draw };

function draw(e) {
  const fields = Object.keys(e.snapshot).sort();
  return h("section", { class: "card" },
    h("p", { class: "label" }, said(words(e.entity_type))),
    h("h2", {}, said(nameOf(e))),
    h("p", { class: "quiet" }, `Held to be true ${e.as_of ? `on ${atTime(e.as_of)}` : "now"}, from ${counted(e.observation_count, "observation")}; last observed ${atTime(e.last_observation_at)}.`),
    fields.length === 0 ? h("p", { class: "quiet" }, "No field is known.") : h("table", { class: "known" },
      h("thead", {}, h("tr", {}, heads("Field", "Value"))), h("tbody", {}, fields.map((field, i) => row(e, field, i)))),
    speak("ask", "Ask about it", `What else is known about the entity ${e.entity_id}, and what speaks against it?`, e.entity_id));
}

// The field that names a thing of any type is called after what it is.
function nameOf({ snapshot, entity_type: type }) {
  return snapshot.name ?? snapshot.title ?? snapshot[`${type}_number`] ?? snapshot[`${type}_id`] ?? snapshot.vendor_name ?? snapshot.employee_name ?? snapshot.merchant ?? words(type);
}

// A field with its value; where it comes from is told below it.
function row(e, field, i) {
  const unit = isMoney(field) && typeof e.snapshot[field] === "number" ? currencyOf(field, e) : undefined;
  // What stood at another moment may have had another source than what stands now.
  const place = h("div", {}), source = !e.as_of && actions(button(`source-${i}`, "Where from?", async () => {
    const traced = await call("get_field_provenance", { entity_id: e.entity_id, field });
    fill(place, trail(traced, i));
    source.remove();
    place.tabIndex = -1;
    place.focus();
    announce(`${legible(words(field))} traced`);
  }, { class: "link" }, `The field ${words(field)}`));
  return h("tr", {}, h("th", { scope: "row" }, said(words(field))),
    h("td", {}, h("div", { class: "value" }, h("div", {}, shown(e.snapshot[field], i), unit && [" ", said(unit)]), source), place));
}

// A value: an address on the web can be opened, where the host opens links and asks.
function shown(value, i) {
  if (value === null) return h("span", { class: "quiet" }, "none");
  if (typeof value === "object") return disclosure(Array.isArray(value) ? counted(value.length, "item") : counted(Object.keys(value).length, "part"), () => h("pre", { tabindex: 0 }, JSON.stringify(value, null, 2)), { id: `value-${i}` });
  const web = host.can.openLinks && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
  return [folded(value, said(value)), web && [" ", button(`link-${i}`, "Open link", () => visit(value), { class: "link" }, new URL(value).host)]];
}

// Where a field comes from: the document with the lines around the value, or who said it.
function trail({ source_record: record, source_observation: observation, source_location: at, observed_at: observed }, i) {
  const spot = [at?.page && `page ${at.page}`, at?.line && `line ${at.line}`, at?.element && ["element ", said(at.element)]].filter(Boolean);
  const [file] = record.file_urls;
  return h("div", { class: "stack trail-of" },
    h("p", { class: "whereabouts" }, file ? "The document" : said(words(record.type)), spot.map((part) => [", ", part])),
    at?.text && h("blockquote", {}, folded(at.text, h("p", { dir: "auto", class: "content" }, legible(at.text)))),
    at?.ocr && h("p", { class: "quiet" }, "Read from a picture: it may be misread."),
    file && host.can.openLinks && h("p", {}, button(`file-${i}`, "Open the document", async () => visit((await call("get_file_url", { file_path: file })).signed_url), { class: "link" })),
    h("p", { class: "quiet small" }, observation.source_priority >= 1000 ? "Corrected by hand, " : "Observed ", atTime(observed)));
}

// The host asks the reader before it opens an address.
async function visit(url) {
  const { isError } = await request("ui/open-link", { url });
  if (isError) throw new Refused("The link was not opened.");
}
