// Structural tension charts: the desired outcome above, current reality below,
// and between them the steps, each of which may hold a chart of its own.
import { ask, loadInto } from "./api.js";
import { announce, bar, disclosure, empty, example, facts, folded, h, pages, passage, said } from "./dom.js";
import { ago, counted, dueState, legible, onDay, percent, shorten } from "./format.js";

const pageSize = 20;

export async function show(frame, { parts, query, signal }) {
  const id = parts[0];
  const offset = Math.max(0, Number(query.get("from")) || 0);
  frame.append(h("h1", { tabindex: -1 }, id ? "Chart" : "Charts"),
    id ? h("p", {}, h("a", { href: "#/charts" }, "All charts")) : h("p", { class: "lead" }, "What you want to create, where you are, and the steps between."));
  const list = h("div", { class: "stack" });
  frame.append(list);
  await loadInto(list, async () => {
    const page = await ask("charts", { id, offset, limit: pageSize }, signal);
    if (page.roots.length === 0) return nothing(offset);
    if (!id) announce(counted(page.total, "master chart"));
    const tree = plant(page.charts);
    return [
      page.roots.map((root) => drawChart(tree.byID.get(root), tree, signal, Boolean(id))),
      page.more && h("p", { class: "note" }, "Charts deep down were left out. Open a chart by its title to see all that is below it."),
      !id && pages("Pages of charts", { total: page.total, offset, shown: page.roots.length, size: pageSize }, (from) => `#/charts?from=${from}`),
    ];
  });
}

function nothing(offset) {
  if (offset > 0) return empty("There are no more charts", h("p", {}, h("a", { href: "#/charts" }, "Back to the first")));
  return empty("There is no chart yet", "Tell your assistant what you want to create, and where you are now:",
    example("I want to write a novel this year. I have an outline and four free mornings a week."));
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
  const done = c.steps.length > 0 && c.completed === c.steps.length;
  return h("article", { class: "chart card", "aria-labelledby": title },
    h("header", {},
      h("p", { class: "label" }, "Desired outcome"),
      h("h2", { id: title }, alone ? said(c.outcome) : h("a", { href: `#/charts/${encodeURIComponent(c.id)}` }, said(c.outcome))),
      h("div", { class: "chart-facts" },
        h("div", { class: "meter" }, bar(c.progress, `Progress of ${shorten(c.outcome, 80)}`), h("span", {}, `${percent(c.progress)}, ${c.completed} of ${counted(c.steps.length, "step")}`)),
        due(c.due_date, done))),
    h("div", { class: "between" }, h("h3", { class: "label" }, "Steps"), drawSteps(c, tree)),
    h("div", { class: "reality" }, h("h3", { class: "label" }, "Current reality"), reality(c)),
    disclosure("Story so far", () => beatsOf(c, signal), { class: "beats" }));
}

/** When a chart or step is due, or was. */
export function due(date, done) {
  const state = done ? "done" : dueState(date);
  const words = state === "done" ? "completed" : state === "over" ? `was due ${onDay(date)}, ${ago(date)}` : `due ${onDay(date)}, ${ago(date)}`;
  return h("p", { class: `due ${state}` }, words);
}

function reality(c) {
  if (c.reality.length === 0) return h("p", { class: "quiet" }, "Nothing is said about it yet.");
  return [facts(c.reality),
    c.hidden_facts > 0 && h("p", { class: "quiet" }, `and ${counted(c.hidden_facts, "more fact")}`)];
}

function drawSteps(c, tree) {
  if (c.steps.length === 0) return h("p", { class: "quiet" }, "There is no step yet. Ask your assistant which results lie between.");
  return h("ol", { class: "steps" }, c.steps.map((s) => {
    const below = tree.ofStep.get(s.id);
    const inside = below && (below.steps.length > 0 || below.reality.length > 0);
    const line = h("div", { class: "step-line" },
      h("span", { class: s.completed ? "tick done" : "tick", role: "img", "aria-label": s.completed ? "done" : "open" }, s.completed ? "✓" : ""),
      h("div", { class: "step-title", dir: "auto" }, folded(s.title, h("span", {}, legible(s.title)))),
      inside && h("span", { class: "small-meter" }, bar(below.progress, `Progress of ${shorten(s.title, 80)}`), h("span", {}, `${below.completed}/${below.steps.length}`)),
      !s.completed && due(s.due_date, false));
    if (!inside) return h("li", {}, line);
    return h("li", {}, line, h("details", { open: !s.completed && below.level < 2 },
      h("summary", {}, `${counted(below.steps.length, "step")} inside`),
      h("div", { class: "inside" }, drawSteps(below, tree),
        below.reality.length > 0 && h("div", { class: "reality" }, h("h4", { class: "label" }, "Current reality"), reality(below)))));
  }));
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
