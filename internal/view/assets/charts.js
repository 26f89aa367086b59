// Structural tension charts as work: what is next over all of them, and each with
// its desired outcome above, current reality below and the steps between, of which
// each may hold a chart of its own.
import { ask, loadInto } from "./api.js";
import { progressOver } from "./chart_progress.js";
import { drawSteps, due, stepActions } from "./chart_steps.js";
import { announce, bar, disclosure, empty, example, facts, folded, h, pages, passage, said } from "./dom.js";
import { forgetButton } from "./forget.js";
import { count, counted, legible, onDay, percent, shorten } from "./format.js";
import { changeButton, choiceField, dayField, textField } from "./write.js";

const pageSize = 20, nextShown = 10;

/** The charts that can be looked at; the words stand in the address. */
const filters = [["active", "Active"], ["done", "Done"], ["archived", "Archived"]];

export async function show(frame, { parts, query, signal }) {
  const id = parts[0], chosen = filters.find(([name]) => name === query.get("show"))?.[0] ?? "active";
  const offset = Math.max(0, Number(query.get("from")) || 0);
  frame.append(h("h1", { tabindex: -1 }, id ? "Chart" : "Charts"),
    id ? h("p", {}, h("a", { href: "#/charts" }, "All charts")) : h("p", { class: "lead" }, "What you want to create, where you are, and the steps between."));
  const list = h("div", { class: "stack" });
  frame.append(list);
  await loadInto(list, async () => {
    const [page, next] = await Promise.all([ask("charts", { id, show: id ? undefined : chosen, offset, limit: pageSize }, signal),
      !id && chosen === "active" && offset === 0 ? ask("charts/next", { limit: nextShown }, signal) : { steps: [] }]);
    const tree = plant(page.charts), drawn = page.roots.map((root) => drawChart(tree.byID.get(root), tree, signal, Boolean(id)));
    if (id) return [drawn, page.more && deeper()];
    announce(`${counted(page.total, "chart")}, ${chosen}`);
    return [
      tabs(page.counts, chosen),
      whatIsNext(next),
      drawn.length > 0 ? [chosen === "active" && h("h2", {}, "Active charts, by what is next"), drawn] : nothing(offset, chosen, page.counts),
      page.more && deeper(),
      pages("Pages of charts", { total: page.total, offset, shown: page.roots.length, size: pageSize }, (from) => `#/charts?${new URLSearchParams({ show: chosen, from })}`, "Before", "After"),
    ];
  });
}

const deeper = () => h("p", { class: "note" }, "Charts deep down were left out. Open a chart by its title to see all that is below it.");

function tabs(counts, chosen) {
  return h("nav", { class: "tabs", "aria-label": "Which charts" }, h("ul", {}, filters.map(([name, label]) => h("li", {},
    h("a", { id: `charts-${name}`, href: `#/charts?show=${name}`, "aria-current": name === chosen ? "page" : undefined }, `${label} `, h("span", { class: "count" }, count(counts[name])))))));
}

function nothing(offset, chosen, counts) {
  if (offset > 0) return empty("There are no more charts", h("p", {}, h("a", { href: `#/charts?show=${chosen}` }, "Back to the first")));
  if (chosen !== "active") return empty(`No chart is ${chosen}`, chosen === "done" ? "A chart is done when you close it because its outcome exists." : "A chart that is given up is archived.");
  if (counts.done + counts.archived > 0) return empty("No chart is active", "Tell your assistant what you want to create next, or open one that was closed again.");
  return empty("There is no chart yet", "Tell your assistant what you want to create, and where you are now:",
    example("I want to write a novel this year. I have an outline and four free mornings a week."));
}

// The open steps over all charts that can be worked on, the one due first first.
function whatIsNext({ steps, total }) {
  if (steps.length === 0) return null;
  return h("section", { class: "card", "aria-labelledby": "next" }, h("h2", { id: "next" }, "What is next"),
    h("ol", { class: "steps" }, steps.map((s) => h("li", {}, h("div", { class: "step-line" },
      h("div", { class: "step-title" }, h("a", { class: "plainlink strong", href: `#/charts/${encodeURIComponent(s.chart)}` }, said(shorten(s.title, 160))),
        h("p", { class: "quiet" }, "for ", said(shorten(s.outcome, 100)))),
      due(s.due_date, false), stepActions(s, "next"))))),
    total > steps.length && h("p", { class: "quiet" }, `${counted(total - steps.length, "more open step")} below.`));
}

// A chart hangs on the step it details, or is that step itself.
function plant(charts) {
  const byID = new Map(charts.map((c) => [c.id, c]));
  const ofStep = new Map();
  for (const c of charts) if (c.parent_step) ofStep.set(c.parent_step, c);
  return { byID, ofStep };
}

function drawChart(c, tree, signal, alone) {
  const title = `chart-${c.id}`;
  const done = c.status === "completed" || c.steps.length > 0 && c.completed === c.steps.length;
  return h("article", { class: "chart card", "aria-labelledby": title, "data-chart": c.id },
    h("header", {},
      h("p", { class: "label" }, "Desired outcome", c.status !== "active" && h("span", { class: "badge" }, `${c.status === "completed" ? "done" : "archived"}${c.closed_at ? ` ${onDay(c.closed_at)}` : ""}`)),
      h("h2", { id: title }, alone ? said(c.outcome) : h("a", { href: `#/charts/${encodeURIComponent(c.id)}` }, said(c.outcome))),
      h("div", { class: "chart-facts" },
        h("div", { class: "meter" }, bar(c.progress, `Progress of ${shorten(c.outcome, 80)}`), h("span", {}, `${percent(c.progress)}, ${c.completed} of ${counted(c.steps.length, "step")}`)),
        c.status === "active" && c.steps.length > 0 && c.completed === c.steps.length && h("p", { class: "quiet" }, "Every step is done. Is the outcome there? Then the chart is done, too: its status says so when you change it."),
        due(c.due_date, done || c.status !== "active")),
      chartActions(c)),
    h("div", { class: "between" }, h("h3", { class: "label" }, "Steps"), drawSteps(c, tree, (below) => inside(below, tree, signal))),
    h("div", { class: "reality" }, h("h3", { class: "label" }, "Current reality"), reality(c, alone)),
    alone && progressOver(c),
    story(c, signal));
}

/** What a step holds: its own steps, its reality and the beats that belong to it. */
function inside(below, tree, signal) {
  return [below.steps.length > 0 && drawSteps(below, tree, (deep) => inside(deep, tree, signal)),
    below.reality.length > 0 && h("div", { class: "reality" }, h("h4", { class: "label" }, "Current reality"), reality(below)),
    below.beats > 0 && story(below, signal)];
}

function chartActions(c) {
  const target = { id: c.id }, about = shorten(c.outcome, 60), open = c.status === "active";
  return h("div", { class: "actions", "data-chart": c.id },
    open && changeButton({ id: `add-${c.id}`, action: "step.add", target, label: "Add a step", about,
      fields: () => [textField("name", "The result that the step brings about", "", { most: 200 }), textField("text", "What is so today with regard to it", "", { lines: 2 }), dayField("due", "Due (halfway to the chart's if left out)", "", { required: false })] }),
    changeButton({ id: `note-${c.id}`, action: "fact.add", target, label: "Add a note", about, explain: "It becomes part of the current reality.",
      fields: () => [textField("text", "What is so now", "", { lines: 3, most: 2000 })] }),
    changeButton({ id: `reword-${c.id}`, action: "chart.reword", target, label: "Re-word", about, fields: (now) => [textField("text", "Desired outcome", now.outcome, { lines: 2 })] }),
    changeButton({ id: `date-${c.id}`, action: "chart.date", target, label: "Re-date", about, fields: (now) => [dayField("due", "Due", now.due)] }),
    changeButton({ id: `close-${c.id}`, action: "chart.close", target, label: open ? "Close" : "Open again", about,
      fields: (now) => [choiceField("status", "The chart is", [["active", "active"], ["completed", "done: its outcome exists"], ["abandoned", "archived: given up"]].map(([value, text]) => ({ value, text, checked: value === (open ? "completed" : "active") && value !== now.status })))] }),
    forgetButton(`forget-${c.id}`, [`entity:${c.id}`], about, "#/charts"));
}

function reality(c, alone) {
  if (c.reality.length === 0) return h("p", { class: "quiet" }, "Nothing is said about it yet.");
  return [alone ? h("ul", { class: "facts" }, c.reality.map((fact, i) => h("li", { dir: "auto" }, folded(fact, h("div", {}, legible(fact))),
    h("div", { class: "actions" }, changeButton({ id: `fact-${c.id}-${i}`, action: "fact.delete", target: { id: c.id, field: fact }, label: "Remove", about: shorten(fact, 60) }))))) : facts(c.reality),
    c.hidden_facts > 0 && h("p", { class: "quiet" }, `and ${counted(c.hidden_facts, "more fact")}`)];
}

function story(c, signal) {
  return disclosure(c.beats > 0 ? `Story so far, ${counted(c.beats, "beat")}` : "Story so far", () => beatsOf(c, signal), { class: "beats", id: `story-${c.id}` });
}

function beatsOf(c, signal) {
  const place = h("div", {}, h("p", { class: "quiet" }, "Reading…"));
  loadInto(place, async () => {
    const { beats } = await ask("charts/beats", { id: c.id }, signal);
    if (beats.length === 0) return h("p", { class: "quiet" }, "No beat is told yet. Ask your assistant to create a narrative beat when something turns.");
    return h("ol", { class: "timeline" }, beats.map((b) => h("li", {},
      h("p", { class: "when" }, `Act ${b.metadata.act}, ${onDay(b.metadata.timestamp)}`),
      h("h4", {}, said(b.metadata.title)),
      passage(b.metadata.narrative?.prose || b.metadata.narrative?.description || ""),
      b.metadata.narrative?.lessons?.length > 0 && facts(b.metadata.narrative.lessons))));
  });
  return place;
}
