// What happened, day by day in the reader's own time zone, the last day first. A day is
// told by kinds; a long one shows the first of each and leads to the rest.
import { ask, loadInto } from "./api.js";
import { announce, empty, excerpt, folded, h, pages, said } from "./dom.js";
import { count, counted, legible, locale, shorten, timeOf, words } from "./format.js";
import { insight, sideChain, sourceOf, titleOf } from "./sessions.js";

const pageSize = 50, noProject = -1;

/** What happens, in the order of telling: the name of one, what they are called in a day, when one was and how it is drawn. */
const kinds = {
  sessions: { one: "session", title: "Said", time: (s) => s.first, draw: spoken },
  insights: { one: "insight", title: "Learned", time: (i) => i.created, draw: learned },
  steps: { one: "step", title: "Done", time: (item) => item.at, draw: done },
  documents: { one: "document", title: "Came in", time: (item) => item.at, draw: arrived },
  corrections: { one: "correction", title: "Set right", time: (item) => item.at, draw: corrected },
};

export async function show(frame, { query, signal }) {
  frame.append(h("h1", { tabindex: -1 }, "Timeline"), h("p", { class: "lead" }, "What was said and learned, done, brought in and set right, by day."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, async () => {
    const chosen = Object.fromEntries(["kind", "project", "person", "until", "day"].map((name) => [name, query.get(name) ?? ""]));
    const offset = Math.max(0, Number(query.get("from")) || 0);
    const page = await ask("timeline", { ...chosen, offset, zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" }, signal);
    return [filters(chosen, page), about(chosen, page.left_out), chosen.day ? oneDay(chosen, page.days[0], offset) : days(chosen, page)];
  });
}

/** The address of a choice; what is changed of it takes the place of what it says. */
const address = (chosen, change = {}) => `#/timeline?${new URLSearchParams(Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== ""))}`;

function filters(chosen, { projects, speakers }) {
  const kind = h("select", { id: "timeline-kind" }, h("option", { value: "" }, "Everything"),
    Object.entries(kinds).map(([value, k]) => h("option", { value, selected: value === chosen.kind }, named(k))));
  const project = h("select", { id: "timeline-project" }, h("option", { value: "" }, "Every project"),
    projects.map((p) => h("option", { value: p.id, selected: String(p.id) === chosen.project }, p.id === noProject ? "No project" : shorten(legible(p.name), 60))));
  const person = h("input", { id: "timeline-person", type: "search", list: "timeline-speakers", autocomplete: "off", maxlength: 200, value: chosen.person });
  const until = h("input", { id: "timeline-until", type: "date", value: chosen.day || chosen.until });
  return h("form", { class: "search", "aria-label": "What of the timeline", onsubmit: (event) => {
    event.preventDefault();
    location.hash = address({ kind: kind.value, project: project.value, person: person.value.trim(), until: until.value });
  } }, h("div", { class: "row filters" },
    h("div", {}, h("label", { for: "timeline-kind" }, "Kind"), kind),
    h("div", {}, h("label", { for: "timeline-project" }, "Project"), project),
    h("div", {}, h("label", { for: "timeline-person" }, "Person"), person, h("datalist", { id: "timeline-speakers" }, speakers.map((value) => h("option", { value })))),
    h("div", {}, h("label", { for: "timeline-until" }, "From this day back"), until),
    h("button", { type: "submit", id: "timeline-show" }, "Show")));
}

const named = (k) => k.one[0].toUpperCase() + k.one.slice(1) + "s";

/** What a choice shows, and which kinds it cannot tell apart. */
function about({ person, project }, leftOut) {
  const list = new Intl.ListFormat(locale).format(leftOut);
  return [
    person && h("p", { class: "quiet" }, "Shown is what ", said(person), " said, the insights that came from it", !project && ", and documents and corrections of an entity of this name", "."),
    leftOut.length > 0 && h("p", { class: "note" }, `Left out: ${list}, which ${project ? "belong to no project" : "are nobody's"}.`),
  ];
}

function days(chosen, page) {
  const anything = chosen.kind || chosen.project || chosen.person || chosen.until;
  announce(counted(page.days.length, "day"));
  if (page.days.length === 0 && !page.next && !anything) {
    return empty("Nothing has happened yet", "What you say to assistants, what they learn from it, steps that you complete and documents that come in are told here, by day.");
  }
  return [
    page.days.length === 0 && !page.next ? empty(chosen.until ? "Nothing of this happened on that day or before it" : "Nothing of this happened", "Choose another kind, project, person or day.")
      : chosen.until && page.days[0]?.day !== chosen.until && h("p", { class: "quiet" }, `Nothing of this happened on ${dayName(chosen.until)}.`),
    page.days.length === 0 && page.next && h("p", { class: "quiet" }, `It was looked for back to ${dayName(page.next)}.`),
    page.days.map((d) => aDay(d, (kind) => address(chosen, { day: d.day, kind, until: "" }))),
    h("nav", { class: "pages", "aria-label": "Days" },
      chosen.until && h("a", { id: "timeline-newest", href: address(chosen, { until: "" }) }, "Newest days"),
      page.next && h("a", { id: "timeline-earlier", href: address(chosen, { until: page.next }) }, "Earlier days")),
  ];
}

function oneDay(chosen, shown, offset) {
  const part = shown.parts.find((p) => p.kind === chosen.kind);
  announce(dayName(shown.day));
  return [
    shown.parts.length === 0 && h("p", { class: "quiet" }, `Nothing of this happened on ${dayName(shown.day)}.`),
    aDay(shown, (kind) => (kind === chosen.kind ? null : address(chosen, { kind }))),
    part && pages("Pages of the day", { total: part.total, offset, shown: part.items.length, size: pageSize }, (from) => address(chosen, { from }), "Later", "Earlier"),
    h("nav", { class: "pages", "aria-label": "Days" }, h("a", { id: "timeline-around", href: address(chosen, { day: "", kind: "", until: shown.day }) }, "This day and those before")),
  ];
}

const long = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });

/** The name of a day such as 2026-01-31, which is one in every zone. */
function dayName(day) {
  const date = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : long.format(date);
}

/** A day; rest(kind) is where all of a kind are, null when they are here. */
function aDay({ day, parts }, rest) {
  return h("section", { class: "day", "aria-labelledby": `day-${day}` },
    h("h2", { id: `day-${day}` }, h("time", { datetime: day }, dayName(day))),
    parts.map((p) => aPart(p, day, rest(p.kind))));
}

function aPart({ kind, items, total, cut }, day, rest) {
  const { one, title, time, draw } = kinds[kind], more = total - items.length, id = `${kind}-${day}`;
  return h("div", { class: "day-part" },
    h("h3", { class: "label", id }, title, h("span", { class: "unseen" }, `: ${one}s`)),
    h("div", { class: "day-items" },
      h("ul", { class: "plain", "aria-labelledby": id }, items.map((item) => h("li", {}, h("time", { class: "quiet", datetime: time(item) }, timeOf(time(item))), h("div", {}, draw(item))))),
      rest && more > 0 && h("p", {}, h("a", { id: `more-${id}`, href: rest }, counted(more, `more ${one}`))),
      cut && h("p", { class: "quiet" }, "More happened on this day than is looked at here.")));
}

/** A quiet line of what there is to say. */
function note(...parts) {
  return h("p", { class: "quiet" }, parts.filter(Boolean).map((part, i) => [i > 0 && ", ", part]));
}

function spoken(s) {
  return [h("div", {}, h("a", { href: `#/sessions/${encodeURIComponent(s.id)}` }, said(titleOf(s))), sideChain(s)),
    note(s.client ? said(s.project || "no project") : "stored by an assistant", s.client && said(s.client), timeOf(s.last) !== timeOf(s.first) && `until ${timeOf(s.last)}`, counted(s.turns, "turn"))];
}

function learned(i) {
  return [insight(i), note(sourceOf(i), i.version > 1 && `version ${count(i.version)}`)];
}

function done(s) {
  return [excerpt(s.title), h("span", { class: "actions", "data-step": s.id }), note(["of ", h("a", { href: `#/charts/${encodeURIComponent(s.chart)}` }, said(shorten(legible(s.outcome), 120)))])];
}

const entityLink = (id, name) => h("a", { href: `#/documents/${encodeURIComponent(id)}` }, said(shorten(legible(name || id), 120)));

function arrived(d) {
  const name = d.file || d.name || words(d.type);
  return [d.entity ? entityLink(d.entity, name) : said(shorten(legible(name), 120)),
    h("span", { class: "quiet" }, ", ", said(words(d.type)), d.file && d.name && [", ", said(shorten(legible(d.name), 120))])];
}

function corrected(c) {
  const value = typeof c.value === "string" ? c.value : JSON.stringify(c.value);
  return [h("div", {}, c.entity ? entityLink(c.entity, c.name) : "An entity that is gone", ": ", said(words(c.field)), c.withdrawn ? " – the correction was taken back" : [" is ", folded(value, h("strong", {}, said(value)))]),
    c.reason && note(["because ", said(c.reason)])];
}
