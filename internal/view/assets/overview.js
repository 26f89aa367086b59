// What is known of the project at hand, the newest first, what is next of it and its last
// sessions; below, how much there is in all.
import { ask, loadInto } from "./api.js";
import { due } from "./chart_steps.js";
import { bar, command, empty, example, excerpt, h, said } from "./dom.js";
import { ago, count, counted, legible, shorten, words } from "./format.js";
import { earlierMark, row, sourceOf } from "./sessions.js";

const factsShown = 10, nextShown = 5, othersShown = 3, sessionsShown = 4;

export async function show(frame, { overview, query, signal }) {
  const t = overview.totals, heading = h("h1", { tabindex: -1 }, "What is remembered");
  if (t.nodes + t.insights + t.episodes + t.dialogue + t.documented === 0) {
    frame.append(heading, empty("Nothing is remembered yet",
      "Connect an assistant to toolkit and tell it what you want to create, or what to remember. For example:",
      example("I want to write a novel this year. I have an outline and four free mornings a week."),
      "or bring your memory from another server:", command("toolkit import memory.jsonl")));
    return;
  }
  const project = Number(query.get("project") ?? overview.project), name = overview.projects.find((p) => p.id === project)?.name;
  const facts = h("section", { "aria-labelledby": "newest" }), next = h("section", { "aria-labelledby": "due" }), talks = h("section", { "aria-labelledby": "talks" });
  frame.append(h("div", { class: "headed" }, heading, overview.projects.length > 0 && chooser(overview.projects, project)),
    h("div", { class: "columns" }, h("div", {}, facts), h("div", {}, next, talks)),
    h("section", { class: "in-all", "aria-labelledby": "in-all" }, h("h2", { id: "in-all" }, "In all projects"), tiles(t)),
    h("section", { class: "in-all", "aria-labelledby": "types" }, h("h2", { id: "types" }, "What the graph holds"), h("p", { class: "quiet" }, "Charts, steps and beats are nodes of it, too."), typeList(overview.types)));
  const chosen = { project: project || undefined };
  await Promise.all([
    loadInto(facts, async () => newest(await ask("memory/insights", { ...chosen, limit: factsShown }, signal), project, name)),
    loadInto(next, async () => whatIsNext(await ask("next", { ...chosen, limit: nextShown }, signal), name)),
    loadInto(talks, async () => lastSessions(await ask("sessions", { ...chosen, limit: sessionsShown }, signal), project, name)),
  ]);
}

function chooser(projects, project) {
  const select = h("select", { id: "overview-project", "aria-label": "Project", onchange: () => (location.hash = `#/?project=${select.value}`) },
    h("option", { value: 0 }, "Every project"), projects.map((p) => h("option", { value: p.id, selected: p.id === project }, shorten(legible(p.name), 40))));
  return select;
}

const inProject = (name) => name !== undefined && [" in ", said(shorten(legible(name), 40))];

const ofProject = (project) => (project ? `?project=${project}` : "");

// The newest facts, each with when, in which project and by whom it was said.
function newest({ insights, more }, project, name) {
  return [h("h2", { id: "newest" }, "Newest facts", inProject(name)),
    insights.length
      ? h("ul", { class: "plain lines" }, insights.map((i) => h("li", {}, h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content)),
        h("p", { class: "quiet" }, `${ago(i.created)}, `, sourceOf(i)), earlierMark(i))))
      : h("p", { class: "quiet" }, project ? "Nothing was learned in this project yet." : "Insights appear here when your assistant compresses dialogue into what it means."),
    more && h("p", {}, h("a", { href: `#/memory/insights${ofProject(project)}` }, "All facts"))];
}

// What is due of the project: plans and open steps, and a few steps of other charts.
function whatIsNext({ here, here_total, others, others_total }, name) {
  const nothing = name === undefined ? "No step is open. Tell your assistant what you want to create." : "Nothing is planned in this project, and no open step is known to be of it.";
  return [h("h2", { id: "due" }, "What is next", inProject(name)),
    here.length ? h("ul", { class: "plain lines" }, here.map(thing)) : h("p", { class: "quiet" }, nothing),
    here_total > here.length && h("p", {}, h("a", { href: "#/charts" }, `${count(here_total - here.length)} more`)),
    others.length > 0 && [h("h3", {}, "In other charts"), h("ul", { class: "plain lines" }, others.slice(0, othersShown).map(thing)),
      others_total > othersShown && h("p", {}, h("a", { href: "#/charts" }, counted(others_total - othersShown, "more open step")))]];
}

function thing(one) {
  const isPlan = one.kind === "plan", from = isPlan ? one.project && ["planned in ", said(one.project)] : ["for ", said(shorten(one.outcome, 100))];
  return h("li", {}, h("a", { class: "plainlink", href: isPlan ? `#/memory/insight/${one.id}` : `#/charts/${encodeURIComponent(one.chart)}` }, excerpt(one.title)),
    from && h("p", { class: "quiet" }, from), due(one.due_date, false), earlierMark(one));
}

function lastSessions({ sessions, total }, project, name) {
  return [h("h2", { id: "talks" }, "Last sessions", inProject(name)),
    sessions.length ? h("ul", { class: "plain lines" }, sessions.map((s) => row({ ...s, brought: [] }, true))) : h("p", { class: "quiet" }, "No session was captured yet."),
    total > 0 && h("p", {}, h("a", { href: `#/sessions${ofProject(project)}` }, "What each session brought"))];
}

// How much there is in all, memory first.
function tiles(t) {
  const tile = (n, label, href, more) => h("li", {}, h("a", { href, class: "tile" }, h("strong", {}, count(n)), h("span", {}, label), h("small", {}, more)));
  return h("ul", { class: "tiles", "aria-label": "Totals" },
    tile(t.insights, t.insights === 1 ? "insight" : "insights", "#/memory/insights", `from ${counted(t.dialogue, "turn")} of dialogue`),
    tile(t.sessions, t.sessions === 1 ? "session" : "sessions", "#/sessions", "with your assistants"),
    tile(t.episodes, t.episodes === 1 ? "episode" : "episodes", "#/memory/episodes", "lessons from experience"),
    tile(t.documents, t.documents === 1 ? "document" : "documents", "#/documents", `${counted(t.documented, "thing")} named in them`),
    tile(t.entities, t.entities === 1 ? "entity" : "entities", "#/graph", counted(t.relations, "relation")),
    tile(t.charts, t.charts === 1 ? "chart" : "charts", "#/charts", `${count(t.completed_steps)} of ${counted(t.steps, "step")} done`));
}

function typeList(types) {
  if (types.length === 0) return h("p", { class: "quiet" }, "The knowledge graph is empty.");
  const most = types[0].count;
  return h("ul", { class: "plain types" }, types.slice(0, 8).map((t) => h("li", {},
    h("span", { class: "type-name" }, said(words(t.type))), bar(t.count / most, `Share of ${shorten(t.type, 80)}`), h("span", { class: "number" }, count(t.count)))));
}
