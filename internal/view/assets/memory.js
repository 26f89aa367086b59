// Insights, episodes and working memory, and where an insight comes from.
import { ask, feed, loadInto } from "./api.js";
import { empty, example, excerpt, h, passage, said } from "./dom.js";
import { ago, atTime, counted, decimals, percent, shorten } from "./format.js";
import { insightActions } from "./insight_actions.js";
import { turnAddress } from "./search.js";
import { insightMarks, sourceOf } from "./sessions.js";
import { show as nowhere } from "./unknown.js";
import { changeButton } from "./write.js";

const tabs = [["insights", "Insights"], ["episodes", "Episodes"], ["working", "Working memory"]];

export async function show(frame, { parts, query, signal }) {
  const tab = parts[0] || "insights", draw = { insights, insight: oneInsight, episodes, working }[tab];
  if (!draw) return nowhere(frame);
  frame.append(h("h1", { tabindex: -1 }, "Memory"));
  frame.append(h("nav", { class: "tabs", "aria-label": "Kinds of memory" }, h("ul", {}, tabs.map(([path, name]) =>
    h("li", {}, h("a", { id: `tab-${path}`, href: `#/memory/${path}`, "aria-current": path === tab || (tab === "insight" && path === "insights") ? "page" : undefined }, name))))));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, () => draw(parts[1], signal, query));
}

async function insights(_, signal, query) {
  const retired = query.get("all") === "1" ? "1" : undefined, project = query.get("project") || undefined;
  const first = await ask("memory/insights", { retired, project }, signal);
  if (first.insights.length === 0) {
    return empty("There is no insight yet", "Your assistant stores dialogue as it was said and compresses it into insights. Ask it to:",
      example("Remember what we decided today."));
  }
  return [project ? h("p", { class: "quiet" }, "Of one project. ", h("a", { href: "#/memory/insights" }, "Those of all")) : h("p", { class: "quiet" }, retired ? ["All versions are shown. ", h("a", { href: "#/memory/insights" }, "Only those that count")] : h("a", { href: "#/memory/insights?all=1" }, "Show superseded and deleted ones too")),
    feed("memory/insights", first.insights, first.more, { retired, project }, signal, (i) => h("li", { class: "card" },
      h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content, { class: "content twelve" })),
      h("p", { class: "quiet" }, `${ago(i.created)}, `, sourceOf(i)),
      h("p", { class: "quiet" }, i.extracted ? "in your own words" : `fidelity ${decimals(i.fidelity)}`, `, from ${i.source_ids.length === 0 ? "no dialogue" : counted(i.source_ids.length, "turn")}`,
        i.version > 1 && `, version ${i.version}`, insightMarks(i))))];
}

async function episodes(_, signal) {
  const first = await ask("memory/episodes", {}, signal);
  if (first.episodes.length === 0) {
    return empty("There is no episode yet", "After a task your assistant can store how well it went and what it learned. Ask it to:", example("Store what we learned from this."));
  }
  return feed("memory/episodes", first.episodes, first.more, {}, signal, (e) => h("li", { class: "card" },
    h("p", { class: "label" }, `${ago(e.created)}, reward `, h("span", { class: e.reward < 0 ? "bad" : "good" }, `${e.reward > 0 ? "+" : ""}${decimals(e.reward)}`)),
    passage(e.query, { class: "content strong" }), passage(e.reflection)));
}

async function working(_, signal) {
  const { items } = await ask("memory/working", {}, signal);
  if (items.length === 0) return empty("Working memory is empty", "It holds the ten things an assistant has at hand, the last used first.");
  return h("ul", { class: "plain stack" }, items.map((i) => h("li", { class: "card" }, passage(i.content, { class: "content" }),
    h("p", { class: "quiet" }, `importance ${percent(i.importance)}, used ${ago(i.accessed)}`),
    h("div", { class: "actions" }, changeButton({ id: `archive-${i.id}`, action: "working.archive", target: { id: String(i.id) }, label: "Put away", about: shorten(i.content, 60) })))));
}

async function oneInsight(id, signal) {
  const { insight: i, history, dialogue } = await ask("memory/insight", { id }, signal);
  const unknown = i.source_ids.length - dialogue.length;
  return [
    h("p", {}, h("a", { href: "#/memory/insights" }, "All insights")),
    h("article", { class: "card" }, h("h2", { class: "unseen" }, `Insight ${i.id}`), passage(i.content, { class: "content large" }),
      h("p", { class: "quiet" }, `${atTime(i.created)}, `, sourceOf(i)),
      h("p", { class: "quiet" }, i.extracted ? "in your own words" : `fidelity ${decimals(i.fidelity)}`, insightMarks(i)),
      i.extracted && h("p", { class: "quiet" }, "Noticed in what you said, in your own words. Your assistant can confirm, better or dismiss it."),
      i.state === "superseded" ? h("p", {}, h("a", { href: `#/memory/insight/${history.current_id}` }, "What counts now")) : insightActions(i, (id) => `#/memory/insight/${id}`, "#/memory/insights")),
    h("h2", {}, "Where it comes from"),
    dialogue.length === 0 ? h("p", { class: "quiet" }, "It names no dialogue that is stored.") : h("ol", { class: "plain dialogue" }, dialogue.map((d) => h("li", {},
      h("p", { class: "label" }, said(d.speaker), `, ${atTime(d.at)}`), h("blockquote", {}, passage(d.content, { class: "content" })),
      h("p", { class: "quiet" }, h("a", { href: turnAddress(d.session, d.id) }, "Open in its session", h("span", { class: "unseen" }, `: the turn of ${atTime(d.at)}`)))))),
    unknown > 0 && dialogue.length > 0 && h("p", { class: "quiet" }, `${counted(unknown, "more turn")} not shown.`),
    h("h2", {}, "What it said before"),
    history.versions.length === 1 ? h("p", { class: "quiet" }, "It was never changed.") : h("ol", { class: "timeline" }, [...history.versions].reverse().map((v) => h("li", { "aria-current": v.id === i.id ? "true" : undefined },
      h("p", { class: "when" }, atTime(v.created_at), v.state !== "current" && h("span", { class: "badge" }, v.state)),
      v.id === i.id ? passage(v.content, { class: "strong" }) : h("a", { class: "plainlink", href: `#/memory/insight/${v.id}` }, excerpt(v.content)),
      v.reason && h("p", { class: "quiet" }, "because ", said(v.reason))))),
  ];
}
