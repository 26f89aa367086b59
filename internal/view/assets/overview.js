// What is known, the newest first and of one project where one is chosen, how much there
// is, and what is due.
import { ask, loadInto } from "./api.js";
import { due } from "./chart_steps.js";
import { bar, command, empty, example, excerpt, h, said } from "./dom.js";
import { ago, count, counted, legible, shorten, words } from "./format.js";
import { sourceOf } from "./sessions.js";

const factsShown = 8;

export async function show(frame, { overview, query, signal }) {
  const t = overview.totals;
  frame.append(h("h1", { tabindex: -1 }, "What is remembered"));
  if (t.nodes + t.insights + t.episodes + t.dialogue + t.documented === 0) {
    frame.append(empty("Nothing is remembered yet",
      "Connect an assistant to toolkit and tell it what you want to create, or what to remember. For example:",
      example("I want to write a novel this year. I have an outline and four free mornings a week."),
      "or bring your memory from another server:", command("toolkit import memory.jsonl")));
    return;
  }
  frame.append(tiles(t));
  const next = h("section", { "aria-labelledby": "due" }), facts = h("section", { "aria-labelledby": "newest" });
  const project = Number(query.get("project") ?? overview.project);
  const types = h("section", { "aria-labelledby": "types" }, h("h2", { id: "types" }, "What the graph holds"), h("p", { class: "quiet" }, "Charts, steps and beats are nodes of it, too."), typeList(overview.types));
  frame.append(h("div", { class: "columns" }, h("div", {}, facts), h("div", {}, next, types)));
  await Promise.all([
    loadInto(next, async () => nextSteps(await ask("charts/next", { limit: 6 }, signal))),
    loadInto(facts, async () => newest(await ask("memory/insights", { limit: factsShown, project: project || undefined }, signal), overview.projects, project)),
  ]);
}

function tiles(t) {
  const tile = (n, label, href, more) => h("li", {}, h("a", { href, class: "tile" }, h("strong", {}, count(n)), h("span", {}, label), h("small", {}, more)));
  return h("ul", { class: "tiles", "aria-label": "Totals" },
    tile(t.charts, t.charts === 1 ? "chart" : "charts", "#/charts", `${count(t.completed_steps)} of ${counted(t.steps, "step")} done`),
    tile(t.entities, t.entities === 1 ? "entity" : "entities", "#/graph", counted(t.relations, "relation")),
    tile(t.insights, t.insights === 1 ? "insight" : "insights", "#/memory/insights", `from ${counted(t.dialogue, "turn")} of dialogue`),
    tile(t.sessions, t.sessions === 1 ? "session" : "sessions", "#/sessions", "with your assistants"),
    tile(t.episodes, t.episodes === 1 ? "episode" : "episodes", "#/memory/episodes", "lessons from experience"),
    tile(t.documents, t.documents === 1 ? "document" : "documents", "#/documents", `${counted(t.documented, "thing")} named in them`));
}

// The steps that can be worked on, over all charts.
function nextSteps({ steps, total }) {
  return [h("h2", { id: "due" }, "What is next"),
    steps.length ? h("ul", { class: "plain stack" }, steps.map((s) => h("li", { class: "card" },
      h("a", { class: "title", href: `#/charts/${encodeURIComponent(s.chart)}` }, said(shorten(s.title, 160))), h("p", { class: "quiet" }, "for ", said(shorten(s.outcome, 100))), due(s.due_date, false))))
      : h("p", { class: "quiet" }, "No step is open. Tell your assistant what you want to create."),
    total > steps.length && h("p", {}, h("a", { href: "#/charts" }, `${counted(total - steps.length, "more open step")}`))];
}

// The newest facts, each with when, in which project and by whom it was said.
function newest({ insights, more }, projects, project) {
  return [h("div", { class: "headed" }, h("h2", { id: "newest" }, "Newest facts"), projects.length > 0 && chooser(projects, project)),
    insights.length
      ? h("ul", { class: "plain lines" }, insights.map((i) => h("li", {}, h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content)),
        h("p", { class: "quiet" }, `${ago(i.created)}, `, sourceOf(i)))))
      : h("p", { class: "quiet" }, project ? "Nothing was learned in this project yet." : "Insights appear here when your assistant compresses dialogue into what it means."),
    h("p", { class: "quiet" }, more && [h("a", { href: `#/memory/insights${project ? `?project=${project}` : ""}` }, "All facts"), " · "],
      h("a", { href: `#/sessions${project ? `?project=${project}` : ""}` }, "What each session brought"))];
}

function chooser(projects, project) {
  const select = h("select", { id: "overview-project", "aria-label": "Project", onchange: () => (location.hash = `#/?project=${select.value}`) },
    h("option", { value: 0 }, "Every project"), projects.map((p) => h("option", { value: p.id, selected: p.id === project }, shorten(legible(p.name), 40))));
  return select;
}

function typeList(types) {
  if (types.length === 0) return h("p", { class: "quiet" }, "The knowledge graph is empty.");
  const most = types[0].count;
  return h("ul", { class: "plain types" }, types.slice(0, 8).map((t) => h("li", {},
    h("span", { class: "type-name" }, said(words(t.type))), bar(t.count / most, `Share of ${shorten(t.type, 80)}`), h("span", { class: "number" }, count(t.count)))));
}
