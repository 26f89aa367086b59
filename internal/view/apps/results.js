// What a search over everything found; each result opens where it stands.
import { announce, bar, empty, folded, h, said } from "./dom.js";
import { atTime, counted, legible, onDay, percent, shorten, words } from "./format.js";
import { actions, button, open, refresh, start } from "./app.js";
import { host } from "./host.js";
import { chart } from "./steps.js";
import { entity } from "./fields.js";
import { dialogue, history, nodes } from "./places.js";

// What a result may open: tools that only read, whatever a result names.
const places = new Map([chart, entity, nodes, dialogue, history].map((view) => [view.tool, view]));

start({ tool: "recall", title: "What is remembered", draw });

function draw(answer, input) {
  const found = answer.found ?? [], lines = answer.lines ?? [], told = counted(found.length + lines.length, "result");
  announce(answer.nothing_fits ? "Nothing fits well" : `${told}, best first`);
  return [
    form(input),
    found.length === 0 && lines.length === 0 ? empty("Nothing fits", "Nothing that is remembered answers enough of this question. Ask in other words.") : h("p", { class: "quiet" }, answer.nothing_fits ? `Nothing fits well; ${told}.` : `${told}, best first.`),
    h("ol", { class: "plain stack hits" }, found.map(hit)),
    lines.length > 0 && [h("h2", {}, "In a line each"), h("ul", { class: "plain lines" }, lines.map((line) => h("li", { dir: "auto" }, folded(line, h("span", {}, legible(line))))))],
  ];
}

// No form: a sandbox may forbid to submit one.
function form(input) {
  const search = () => field.value.trim() !== "" && refresh("Searched again", { ...input, query: field.value.trim() });
  const go = button("search", "Search", search);
  const field = h("input", { id: "query", type: "search", autocomplete: "off", maxlength: 500, value: input.query ?? "", onkeydown: (event) => event.key === "Enter" && go.click() });
  return host.can.serverTools && h("div", { role: "search", class: "search row" }, h("div", { class: "grow" }, h("label", { for: "query" }, "Search again"), field), go);
}

function hit(found, i) {
  const place = places.get(found.next?.tool);
  return h("li", { class: "card hit" },
    h("p", { class: "label" }, `${i + 1}. ${found.kind === "truth_entity" ? "in documents" : words(found.kind)}, `, h("time", { datetime: found.at, title: atTime(found.at) }, onDay(found.at)), found.note && h("span", { class: "badge" }, said(found.note))),
    h("blockquote", {}, folded(found.text, h("p", { dir: "auto", class: "content" }, legible(found.text)))),
    h("div", { class: "score" }, bar(found.relevance, `Result ${i + 1} answers`), h("span", {}, `has ${percent(found.relevance)} of the words asked for`)),
    where(found.where),
    place && actions(button(`open-${i}`, "Open", () => open(place, found.next.arguments ?? {}), {}, `result ${i + 1}`)));
}

function where({ session, turn, document, page, line } = {}) {
  const parts = [session && said(shorten(session, 80)), turn > 0 && `turn ${turn}`, document && said(shorten(document, 80)), page > 0 && `page ${page}`, line > 0 && `line ${line}`].filter(Boolean);
  return parts.length > 0 && h("p", { class: "quiet" }, "It stands in ", parts.map((part, i) => [i > 0 && ", ", part]), ".");
}
