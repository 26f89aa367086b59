// One search over everything that is remembered: the tool recall, as an assistant
// asks it. Each hit is a title that leads to the place where it stands, what it says in
// sentences, and how much of the question it answers by which words. The box to ask in is
// in the frame of the page.
import { ask, loadInto } from "./api.js";
import { announce, bar, empty, folded, h, said } from "./dom.js";
import { money } from "./entity_fields.js";
import { atTime, counted, legible, onDay, percent, shorten, words } from "./format.js";

const most = 100, longestTitle = 110;

/** The groups that results stand in, by kinds that people know. */
const groups = [
  { name: "What was said", kinds: ["dialogue"] }, { name: "Insights and lessons", kinds: ["insight", "episode", "working"] },
  { name: "Knowledge graph", kinds: ["entity"] }, { name: "Charts", kinds: ["chart", "step", "beat"] },
  { name: "Documents", kinds: ["truth_entity", "document", "record"] },
];

export async function show(frame, { query, signal }) {
  const q = query.get("q");
  const field = document.getElementById("search-query");
  field.value = q ?? "";
  field.dispatchEvent(new Event("input")); // it grows with what it shows
  frame.append(h("h1", { tabindex: -1 }, "Search"));
  if (!q) {
    frame.append(h("p", { class: "quiet" }, "Ask a question or give some words in the box above the menu; / leads there from every page. What was said, insights, lessons, the graph, charts, records and documents are searched together."));
    return;
  }
  const place = h("section", { "aria-label": "Results" });
  frame.append(narrowed(q, query.get("kinds") ?? ""), place);
  frame.addEventListener("keydown", step);
  await loadInto(place, () => results(query, signal));
}

// Links that narrow the search to a group.
function narrowed(q, chosen) {
  const tab = (name, kinds) => h("li", {}, h("a", { id: `kinds-${kinds || "all"}`, href: address(q, kinds), "aria-current": kinds === chosen ? "page" : undefined }, name));
  return h("nav", { class: "tabs", "aria-label": "Where to search" }, h("ul", {}, tab("Everything", ""), groups.map((g) => tab(g.name, g.kinds.join(",")))));
}

// The arrow keys lead from wherever one is to the next result and back, and from the first back to
// the box to ask in; Enter opens.
function step(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const here = document.activeElement, links = [...event.currentTarget.querySelectorAll("a.open")];
  const stands = (link, where) => here.compareDocumentPosition(link) & where;
  let next;
  if (event.key === "ArrowDown") next = links.find((link) => stands(link, Node.DOCUMENT_POSITION_FOLLOWING));
  if (event.key === "ArrowUp") next = links.findLast((link) => stands(link, Node.DOCUMENT_POSITION_PRECEDING)) ?? document.getElementById("search-query");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const address = (q, chosen, limit) => `#/search?${new URLSearchParams({ q, ...(chosen && { kinds: chosen }), ...(limit && { limit }) })}`;

async function results(query, signal) {
  const q = query.get("q"), chosen = query.get("kinds") ?? "";
  const { answer, things, marks } = await ask("recall", { q, kinds: chosen, limit: query.get("limit") }, signal);
  const poor = answer.nothing_fits, list = answer.found.map((one) => ({ ...one, mark: marks[refOf(one)] ?? {}, thing: things[refOf(one)] }));
  const near = list.filter((one) => one.mark.near), matches = list.filter((one) => !one.mark.near);
  if (poor && answer.found.length === 0) {
    announce("Nothing fits");
    return empty("Nothing fits", "Nothing that is remembered answers enough of this question; what has little to do with it is not shown.", chosen ? "Ask in other words, or search everything." : "Ask in other words.");
  }
  const lines = answer.lines ?? [], more = Object.entries(answer.more ?? {}), told = toldCount(matches.length + lines.length, near.length, poor ? "" : ", best first");
  announce(poor ? `Nothing fits well; ${told}` : told);
  return [
    poor ? h("p", { class: "poor" }, said(answer.message ?? "Nothing that is remembered fits this question well.")) : h("p", { class: "quiet" }, `${told}.`),
    grouped(matches, list),
    near.length > 0 && nearOnes(near, list),
    lines.length > 0 && [h("h2", {}, "In a line each"), h("ul", { class: "plain lines" }, lines.map((line) => h("li", {}, said(line))))],
    more.length > 0 && h("p", { class: "quiet" }, "There are more: ", more.map(([kind, n], i) => [i > 0 && ", ", `${n} ${nameOf(kind)}`]), ". ",
      query.get("limit") ? "Ask more closely to see them." : h("a", { href: address(q, chosen, most) }, "Show more")),
  ];
}

const refOf = ({ kind, id }) => `${kind}:${id}`;

function toldCount(matches, near, order) {
  const results = counted(matches, "result") + order;
  if (near === 0) return results;
  return matches === 0 ? `${near} only near in meaning` : `${results}; ${near} only near in meaning`;
}

// What has no word of the question that fits, apart from what has.
function nearOnes(near, all) {
  return h("section", { class: "day near", "aria-label": "Near in meaning" }, h("h2", {}, "Near in meaning", h("span", { class: "badge" }, String(near.length))),
    h("p", { class: "quiet" }, "These do not say what was asked for; of all that is remembered they come nearest."),
    h("ol", { class: "plain stack hits" }, near.map((one) => hit(one, all))));
}

// The results by group; they come best first, and so do the groups.
function grouped(found, all) {
  const groupOf = (one) => groups.find((g) => g.kinds.includes(one.kind))?.name ?? nameOf(one.kind);
  return [...Map.groupBy(found, groupOf)].map(([name, those]) => h("section", { class: "day", "aria-label": name },
    h("h2", {}, name, h("span", { class: "badge" }, String(those.length))),
    h("ol", { class: "plain stack hits" }, those.map((one) => hit(one, all)))));
}

function hit(found, all) {
  const { mark, thing } = found;
  const { title, text } = thing ? aboutThing(found, thing) : inSentences(found), onward = onwardTo(found, thing), told = toldWords(found);
  const shown = marked(shorten(legible(title), longestTitle), told), name = h("h3", { dir: "auto" }, onward ? h("a", { class: "open", href: onward }, shown) : shown);
  return h("li", { class: "card hit" },
    name, thing && h("p", {}, thingSentence(thing)),
    text && folded(text, h("p", { dir: "auto", class: "content" }, marked(legible(text), told))),
    h("p", { class: "quiet" }, whereOf(found), found.also?.length > 0 && ` ${counted(found.also.length, "other result")} led to it or ${found.also.length === 1 ? "says" : "say"} the same.`, mark.note && h("span", { class: "badge" }, said(mark.note))),
    mark.later && earlier(mark, all),
    !mark.near && h("div", { class: "score" }, bar(found.relevance, `Result ${all.indexOf(found) + 1} answers`), h("span", {}, `${percent(found.relevance)} of the question`, told.length > 0 && [": ", list(told.map((word) => said(word)))])));
}

// That a later statement, which may be among the results, may have replaced this one.
function earlier({ later, later_day: day }, all) {
  const [kind, id] = later.split(":"), found = all.find((one) => refOf(one) === later), address = kind === "insight" || found ? onwardTo(found ?? { kind, id }) : null;
  const name = `what was said on ${onDay(day)}`;
  return h("p", { class: "quiet" }, h("span", { class: "badge first" }, "earlier"), " ", address ? h("a", { href: address }, name) : name, " may replace it.");
}

// The words of the question that the text has, by their beginning: its own may end in another
// way. One that is part of another word, or misspelt, is told only where all of it is there.
function toldWords({ matched = [], text }) {
  const has = plain(text);
  return matched.map((word) => word.replace(/^~/, "")).filter((word, i) => has.includes(matched[i].startsWith("~") ? plain(word) : plain(word).slice(0, stem)));
}

const stem = 5; // letters by which a word is told from another
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// The title of a result and what it says beyond that.
function inSentences({ kind, id, text }) {
  switch (kind) {
    case "entity": { // the name, its type and what is noted of it
      const rest = text.startsWith(id) ? text.slice(id.length).replace(/^ \([^)]*\)(: )?/, "") : text;
      return { title: id, text: sentences(rest) };
    }
    case "chart": case "step": case "beat": {
      const [title, ...rest] = text.split("; ").filter((part) => !part.startsWith("Completed: 2"));
      return { title, text: rest.join("; ") };
    }
    default: { // the first line, without who said it, and the others
      const [first, ...rest] = text.split("\n"), title = kind === "dialogue" ? first.replace(/^[^:]{1,60}: /, "") : first;
      return { title, text: title.length > longestTitle ? text : rest.join("\n") };
    }
  }
}

// Facts that stand behind each other as sentences, with the names of relations as words.
const sentences = (facts) => facts.split("; ").filter(Boolean).map((fact) => fact.replace(/ [a-z]+(?:_[a-z]+)+ /g, (name) => words(name)).replace(/(?<![.!?…])$/, ".")).join(" ");

// A thing of documents, with those of its fields that have words of the question and that
// are not told of it anyway.
function aboutThing(found, thing) {
  const told = toldWords(found), known = [thing.name, thing.type, thing.from, thing.file, thing.date];
  const fields = found.text.split("\n").slice(1).map((line) => line.split(": ", 2)).filter(([, value]) => value && !known.includes(value) && told.some((word) => value.toLowerCase().includes(word)));
  return { title: thing.name, text: fields.slice(0, 3).map(([name, value]) => `${name}: ${value}`).join("; ") };
}

// "Invoice from Mill Keller AG of 20 Nov 2026 over 143.64 CHF, in invoice.txt."
function thingSentence({ type, from, date, amount, currency, file }) {
  const kind = words(type);
  return [said(kind.charAt(0).toUpperCase() + kind.slice(1)), from && [" from ", said(from)], date && [" of ", said(onDay(date))], amount !== undefined && [" over ", money(amount, currency)], file && [", in ", said(file)], "."];
}

const nameOf = (kind) => ({ truth_entity: "in documents", all: "others" })[kind] ?? words(kind);

const list = (parts) => parts.map((part, i) => [i > 0 && ", ", part]);

// Marks the words that were found, as text.
function marked(text, matched) {
  const wanted = matched.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter((word) => word.trim() !== "");
  if (wanted.length === 0) return text;
  const inside = "[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]"; // of a word; other scripts write without spaces
  const pieces = text.split(new RegExp(`(?<!${inside})(${wanted.join("|")})`, "giu"));
  return pieces.map((piece, i) => (i % 2 === 1 ? h("mark", {}, piece) : piece));
}

// What a result is, of when, and where it stands: one sentence.
function whereOf({ kind, at, where = {} }) {
  const { project, session, turn, document, page, line } = where;
  const places = [
    project && ["project ", said(project)], session && ["session ", h("a", { href: `#/sessions/${encodeURIComponent(session)}` }, said(shorten(legible(session), 40)))], turn > 0 && `turn ${turn}`,
    document && !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(document) && said(document), page > 0 && `page ${page}`, line > 0 && `line ${line}`,
  ].filter(Boolean);
  return [kindOf(kind), " of ", h("time", { datetime: at, title: atTime(at) }, onDay(at)), places.length > 0 && [": ", list(places)], "."];
}

const kindOf = (kind) => ({ dialogue: "Said in a conversation", insight: "Insight", entity: "Knowledge graph", truth_entity: "Named in documents" })[kind] ?? words(kind).replace(/^./, (c) => c.toUpperCase());

/** Where on this page a hit stands; null when it has no place here. */
function onwardTo({ kind, id, where = {}, next }, thing) {
  const part = encodeURIComponent;
  switch (kind) {
    case "dialogue": return turnAddress(where.session, id);
    case "insight": return `#/memory/insight/${part(id)}`;
    case "episode": return "#/memory/episodes";
    case "working": return "#/memory/working";
    case "entity": return `#/graph/${part(id)}`;
    case "chart": case "step": case "beat": return where.chart ? `#/charts/${part(where.chart)}` : null;
    case "truth_entity": return `#/documents/${part(id)}`;
    default: return thing || next?.arguments?.entity_id ? `#/documents/${part(thing?.entity ?? next.arguments.entity_id)}` : null;
  }
}

/** The address of a turn in its session. */
export const turnAddress = (session, id) => `#/sessions/${encodeURIComponent(session)}?turn=${id}`;
