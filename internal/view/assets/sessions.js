// Captured sessions, day by day; what was said in one, and which insights came
// from it. What was said is quoted: it is data, whatever it says.
import { ask, feed, loadInto } from "./api.js";
import { announce, command, empty, excerpt, folded, h, pages, passage, said } from "./dom.js";
import { ago, atTime, count, counted, legible, onDay, shorten, timeOf } from "./format.js";
import { forgetButton } from "./forget.js";
import { insightActions } from "./insight_actions.js";

const pageSize = 50, noProject = -1;

export async function show(frame, { parts, query, signal }) {
  const id = parts[0];
  frame.append(h("h1", { tabindex: -1 }, id ? "Session" : "Sessions"),
    id ? h("p", {}, h("a", { href: "#/sessions" }, "All sessions")) : h("p", { class: "lead" }, "What you and your assistants said, and what it brought, by the day it was last spoken in."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, () => (id ? oneSession(id, query, signal) : list(query, signal)));
  if (id) place.querySelector(".turn[aria-current]")?.focus();
}

async function list(query, signal) {
  const project = query.get("project") ?? "", client = query.get("client") ?? "", offset = Math.max(0, Number(query.get("from")) || 0);
  const { sessions, groups, total } = await ask("sessions", { project, client, offset, limit: pageSize }, signal);
  if (groups.length === 0) {
    return empty("No session was captured yet", "What you and your assistants say to each other is captured from the files that they write. To see what there is, and how much:",
      command("toolkit capture --all --dry-run"));
  }
  announce(counted(total, "session"));
  const days = Map.groupBy(sessions, (s) => onDay(s.ended));
  return [
    filters(groups, project, client),
    sessions.length === 0 && empty("No session is here", "Choose another project or assistant."),
    [...days].map(([day, those], i) => h("section", { class: "day", "aria-labelledby": `day-${i}` }, h("h2", { id: `day-${i}` }, day), h("ul", { class: "plain lines" }, those.map((s) => row(s))))),
    pages("Pages of sessions", { total, offset, shown: sessions.length, size: pageSize }, (from) => `#/sessions?${new URLSearchParams({ project, client, from })}`),
  ];
}

function filters(groups, project, client) {
  const option = (value, name, chosen, n) => h("option", { value, selected: String(value) === chosen }, `${shorten(legible(name), 60)} (${count(n)})`);
  const summed = (key) => [...Map.groupBy(groups, key)].map(([value, of]) => [value, of, of.reduce((n, g) => n + g.sessions, 0)]);
  const projects = h("select", { id: "sessions-project" }, h("option", { value: "" }, "Every project"),
    summed((g) => g.project).map(([value, of, n]) => option(value, value === noProject ? "No project" : of[0].project_name, project, n)));
  const clients = h("select", { id: "sessions-client" }, h("option", { value: "" }, "Every assistant"),
    summed((g) => g.client).filter(([value]) => value !== "").map(([value, , n]) => option(value, value, client, n)));
  return h("form", { class: "search", "aria-label": "Which sessions", onsubmit: (event) => {
    event.preventDefault();
    location.hash = `#/sessions?${new URLSearchParams({ project: projects.value, client: clients.value })}`;
  } }, h("div", { class: "row filters" },
    h("div", {}, h("label", { for: "sessions-project" }, "Project"), projects),
    h("div", {}, h("label", { for: "sessions-client" }, "Assistant"), clients),
    h("button", { type: "submit", id: "sessions-show" }, "Show")));
}

/** What a session is called: its title, else how it begins. */
export const titleOf = (s) => shorten(legible(s.title || s.begins || s.id).replaceAll(/\s+/g, " "), 120);

export const sideChain = (s) => s.side_chain && h("span", { class: "badge" }, "side chain");

/** A session in a list, with what it brought; with when it ended where no heading says the day. */
export function row(s, withDay) {
  return h("li", {},
    h("div", {}, h("a", { href: sessionAddress(s.id) }, said(titleOf(s))), sideChain(s)),
    h("p", { class: "quiet" }, ...whose(s), `, ${withDay ? ago(s.ended) : spanOf(s)}, ${counted(s.turns, "turn")}`, s.insights > 0 && `, ${counted(s.insights, "insight")}`),
    s.brought.length > 0 && h("ul", { class: "plain brought", "aria-label": "What it brought" }, s.brought.map((i) => h("li", {}, h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content)), earlierMark(i)))),
    s.insights > s.brought.length && s.brought.length > 0 && h("p", {}, h("a", { href: sessionAddress(s.id) }, counted(s.insights - s.brought.length, "more insight"))));
}

const sessionAddress = (id) => `#/sessions/${encodeURIComponent(id)}`;

const whose = (s) => (s.client ? [said(s.project || "no project"), ", ", said(s.client)] : ["stored by an assistant as ", said(shorten(legible(s.id), 60))]);

const hands = { "toolkit-cli": "typed in a terminal", "toolkit-view": "written on this page" };

/** The project of an insight, and which assistant wrote it in which session. */
export function sourceOf({ project, client, session, session_title: title }) {
  return [project ? ["project ", said(project)] : "no project", ", ", hands[client] ?? ["by ", client ? said(client) : "an assistant that gave no name"],
    session && [", session ", h("a", { href: sessionAddress(session) }, said(title ? shorten(legible(title).replaceAll(/\s+/g, " "), 60) : shorten(legible(session.replace(/^[^/]*\/(?=.)/, "")), 13)))]];
}

/** When a session was, told beside the day of its end. */
function spanOf(s) {
  if (onDay(s.started) !== onDay(s.ended)) return `since ${onDay(s.started)}`;
  return timeOf(s.started) === timeOf(s.ended) ? timeOf(s.ended) : `${timeOf(s.started)} to ${timeOf(s.ended)}`;
}

async function oneSession(id, query, signal) {
  const wanted = query.get("turn");
  const { session: s, turns, insights, offset, total } = await ask("session", { id, turn: wanted, offset: query.get("from"), limit: pageSize }, signal);
  const onward = (label) => pages(label, { total, offset, shown: turns.length, size: pageSize }, (from) => `#/sessions/${encodeURIComponent(id)}?from=${from}`, "Earlier", "Later");
  return [
    h("h2", {}, said(titleOf(s)), sideChain(s)),
    h("p", { class: "quiet" }, whose(s), s.branch && [", branch ", said(s.branch)], `, ${onDay(s.ended)}, ${spanOf(s)}, ${counted(s.turns, "turn")}`),
    h("div", { class: "actions" }, forgetButton("session-forget", [`session:${id}`], "this session", "#/sessions")),
    s.insights > 0 && learned(id, s.insights, signal),
    turns.length === 0 ? h("p", { class: "quiet" }, "Nothing that was said in it is remembered any more.") : [
      h("h2", {}, "What was said"),
      onward("Pages of the session, above"),
      h("ol", { class: "plain dialogue", start: offset + 1 }, turns.map((t, i) => turn(t, turns[i - 1], insights.filter((one) => one.source_ids.includes(t.id)), String(t.id) === wanted))),
      onward("Pages of the session"),
    ],
  ];
}

// The insights of the whole session, whatever page of it is shown.
function learned(id, n, signal) {
  const place = h("div", { class: "stack" }), details = h("details", { id: "learned" }, h("summary", {}, `${counted(n, "insight")} came from this session`), place);
  details.addEventListener("toggle", () => details.open && loadInto(place, async () => {
    const { insights, more } = await ask("session/insights", { id }, signal);
    return feed("session/insights", insights, more, { id }, signal, (i) => h("li", {}, insight(i, "all-")), { class: "plain lines" });
  }), { once: true });
  return details;
}

// A turn, and beside it what was remembered from it. The day is told where it changes.
function turn(t, before, insights, current) {
  const when = before && onDay(before.at) === onDay(t.at) ? timeOf(t.at) : atTime(t.at);
  return h("li", { class: "turn", tabindex: current ? -1 : undefined, "aria-current": current ? "true" : undefined },
    h("p", { class: "label" }, said(t.speaker), ", ", h("time", { datetime: t.at }, when)),
    h("blockquote", {}, passage(t.content, { class: "content" })),
    did(t, "changed", "file", t.files), did(t, "run", "command", t.commands),
    t.compacted && h("p", { class: "note" }, "Compacted: the assistant went on with a summary of what was said up to here."),
    insights.length > 0 && h("div", { class: "beside" }, h("p", { class: "label" }, "Remembered"),
      h("ul", { class: "plain learned", "aria-label": "Insights from this turn" }, insights.map((i) => h("li", {}, insight(i, `${t.id}-`))))));
}

// What an assistant did before it spoke.
function did(t, what, name, things) {
  if (!things?.length) return null;
  return h("details", { id: `turn-${t.id}-${name}` }, h("summary", {}, `${counted(things.length, name)} ${what}`), h("ul", { class: "facts" }, things.map((thing) => h("li", {}, folded(thing, h("code", { dir: "auto" }, legible(thing)))))));
}

/** An insight as a link to where it stands. */
export function insight(i, place) {
  return [h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content)), insightMarks(i), insightActions(i, null, null, place)];
}

/** Says of an insight that it was found without a model, no longer counts, or may be replaced. */
export function insightMarks(i) {
  return [i.extracted && h("span", { class: "badge soft" }, "extracted"), i.state !== "current" && h("span", { class: "badge" }, i.state), earlierMark(i)];
}

/** Says of an insight that a later one may replace it. */
export function earlierMark({ later }) {
  return later && h("p", { class: "quiet" }, h("span", { class: "badge first" }, "earlier"), " ", h("a", { href: `#/memory/insight/${later.id}` }, `what was learned on ${onDay(later.at)}`), " may replace it");
}
