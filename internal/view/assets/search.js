// One search over everything that is remembered: the tool recall, as an assistant
// asks it. Each hit says how much of the question it answers and by which words, and
// leads to the place where it stands. The box to ask in is in the frame of the page.
import { ask, loadInto } from "./api.js";
import { announce, bar, empty, folded, h, said } from "./dom.js";
import { atTime, counted, legible, onDay, percent, words } from "./format.js";

const most = 100;

/** The groups that results stand in, by kinds that people know. */
const groups = [
  { name: "What was said", kinds: ["dialogue"] }, { name: "Insights and lessons", kinds: ["insight", "episode", "working"] },
  { name: "Knowledge graph", kinds: ["entity"] }, { name: "Charts", kinds: ["chart", "step", "beat"] },
  { name: "Documents", kinds: ["truth_entity", "document", "record"] },
];

export async function show(frame, { query, signal }) {
  const q = query.get("q");
  document.getElementById("search-query").value = q ?? "";
  frame.append(h("h1", { tabindex: -1 }, "Search"));
  if (!q) {
    frame.append(h("p", { class: "quiet" }, "Ask a question or give some words in the box above the menu; / leads there from every page. What was said, insights, lessons, the graph, charts, records and documents are searched together."));
    return;
  }
  const place = h("section", { "aria-label": "Results" });
  frame.append(narrowed(q, query.get("kinds") ?? ""), place);
  place.addEventListener("keydown", step);
  await loadInto(place, () => results(query, signal));
}

// Links that narrow the search to a group.
function narrowed(q, chosen) {
  const tab = (name, kinds) => h("li", {}, h("a", { id: `kinds-${kinds || "all"}`, href: address(q, kinds), "aria-current": kinds === chosen ? "page" : undefined }, name));
  return h("nav", { class: "tabs", "aria-label": "Where to search" }, h("ul", {}, tab("Everything", ""), groups.map((g) => tab(g.name, g.kinds.join(",")))));
}

// The arrow keys lead from result to result; Enter opens.
function step(event) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!way) return;
  const links = [...event.currentTarget.querySelectorAll("a.open")], next = links[links.indexOf(document.activeElement) + way];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const address = (q, chosen, limit) => `#/search?${new URLSearchParams({ q, ...(chosen && { kinds: chosen }), ...(limit && { limit }) })}`;

async function results(query, signal) {
  const q = query.get("q"), chosen = query.get("kinds") ?? "";
  const answer = await ask("recall", { q, kinds: chosen, limit: query.get("limit") }, signal);
  const poor = answer.nothing_fits;
  if (poor && answer.found.length === 0) {
    announce("Nothing fits");
    return empty("Nothing fits", "Nothing that is remembered answers enough of this question; what has little to do with it is not shown.", chosen ? "Ask in other words, or search everything." : "Ask in other words.");
  }
  const lines = answer.lines ?? [], more = Object.entries(answer.more ?? {}), told = counted(answer.found.length + lines.length, "result");
  announce(poor ? `Nothing fits well; ${told}` : `${told}, best first`);
  return [
    poor ? h("p", { class: "poor" }, said(answer.message ?? "Nothing that is remembered fits this question well.")) : h("p", { class: "quiet" }, `${told}; the group with the best one first.`),
    grouped(answer.found),
    lines.length > 0 && [h("h2", {}, "In a line each"), h("ul", { class: "plain lines" }, lines.map((line) => h("li", {}, said(line))))],
    more.length > 0 && h("p", { class: "quiet" }, "There are more: ", more.map(([kind, n], i) => [i > 0 && ", ", `${n} ${nameOf(kind)}`]), ". ",
      query.get("limit") ? "Ask more closely to see them." : h("a", { href: address(q, chosen, most) }, "Show more")),
  ];
}

// The results by group; they come best first, and so do the groups.
function grouped(found) {
  const groupOf = (one) => groups.find((g) => g.kinds.includes(one.kind))?.name ?? nameOf(one.kind);
  let n = 0;
  return [...Map.groupBy(found, groupOf)].map(([name, those]) => h("section", { class: "day", "aria-label": name },
    h("h2", {}, name, h("span", { class: "badge" }, String(those.length))),
    h("ol", { class: "plain stack hits" }, those.map((one) => hit(one, n++)))));
}

function hit(found, i) {
  const onward = onwardTo(found), where = whereOf(found.where), matched = found.matched ?? [];
  return h("li", { class: "card hit" },
    h("p", { class: "label" }, `${i + 1}. ${nameOf(found.kind)}, `, h("time", { datetime: found.at, title: atTime(found.at) }, onDay(found.at)), found.note && h("span", { class: "badge" }, said(found.note))),
    h("blockquote", {}, folded(found.text, h("p", { dir: "auto", class: "content" }, marked(legible(found.text), matched)))),
    h("div", { class: "score" }, bar(found.relevance, `Result ${i + 1} answers`), h("span", {}, matched.length > 0 ? [`has ${percent(found.relevance)} of the words asked for: `, list(matched.map(wordOf))] : "has none of the words asked for")),
    where.length + (found.also ?? []).length > 0 && h("p", { class: "quiet" }, where.length > 0 && ["It stands in ", list(where), ". "],
      found.also?.length > 0 && `Left out beside it: ${counted(found.also.length, "result")} that led to it or say the same.`),
    h("p", { class: "onward" }, onward && h("a", { class: "open", href: onward }, "Open", h("span", { class: "unseen" }, ` result ${i + 1}`))));
}

const nameOf = (kind) => ({ truth_entity: "in documents", all: "others" })[kind] ?? words(kind);

const list = (parts) => parts.map((part, i) => [i > 0 && ", ", part]);

/** ~word was found in nearly this form. */
const wordOf = (word) => (word.startsWith("~") ? ["nearly ", said(word.slice(1))] : said(word));

// Marks the words that were found, as text.
function marked(text, matched) {
  const wanted = matched.map((word) => word.replace(/^~/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter((word) => word.trim() !== "");
  if (wanted.length === 0) return text;
  const inside = "[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]"; // of a word; other scripts write without spaces
  const pieces = text.split(new RegExp(`(?<!${inside})(${wanted.join("|")})`, "giu"));
  return pieces.map((piece, i) => (i % 2 === 1 ? h("mark", {}, piece) : piece));
}

function whereOf(place = {}) {
  const { project, session, turn, document, page, line, chart, step } = place;
  return [
    project && ["the project ", said(project)],
    session && h("a", { href: `#/sessions/${encodeURIComponent(session)}` }, said(session)), turn > 0 && `turn ${turn}`, step && said(step), chart && !step && said(chart), document && said(document),
    page > 0 && `page ${page}`, line > 0 && `line ${line}`,
  ].filter(Boolean);
}

/** Where on this page a hit stands; null when it has no place here. */
function onwardTo({ kind, id, where = {}, next }) {
  const part = encodeURIComponent;
  switch (kind) {
    case "dialogue": return turnAddress(where.session, id);
    case "insight": return `#/memory/insight/${part(id)}`;
    case "episode": return "#/memory/episodes";
    case "working": return "#/memory/working";
    case "entity": return `#/graph/${part(id)}`;
    case "chart": case "step": case "beat": return where.chart ? `#/charts/${part(where.chart)}` : null;
    case "truth_entity": return `#/documents/${part(id)}`;
    default: return next?.arguments?.entity_id ? `#/documents/${part(next.arguments.entity_id)}` : null;
  }
}

/** The address of a turn in its session. */
export const turnAddress = (session, id) => `#/sessions/${encodeURIComponent(session)}?turn=${id}`;
