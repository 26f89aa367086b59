// Insights, episodes and working memory; search over them with its scores
// explained.
import { ask, loadInto } from "./api.js";
import { announce, empty, example, excerpt, folded, h, moreButton, passage, said } from "./dom.js";
import { ago, atTime, count, counted, decimals, legible, percent } from "./format.js";
import { explain } from "./explain.js";

const sources = [["l2", "Insights"], ["episode", "Episodes"], ["l0", "Dialogue"]];
const kinds = { l2: "insight", episode: "episode", l0: "dialogue" };
const tabs = [["insights", "Insights"], ["episodes", "Episodes"], ["working", "Working memory"]];

export async function show(frame, { parts, query, signal }) {
  const tab = parts[0] || "insights";
  frame.append(h("h1", { tabindex: -1 }, "Memory"), searchForm(query));
  if (tab === "search") return results(frame, query, signal);
  frame.append(h("nav", { class: "tabs", "aria-label": "Kinds of memory" }, h("ul", {}, tabs.map(([path, name]) =>
    h("li", {}, h("a", { id: `tab-${path}`, href: `#/memory/${path}`, "aria-current": path === tab || (tab === "insight" && path === "insights") ? "page" : undefined }, name))))));
  const place = h("div", {});
  frame.append(place);
  const draw = { insights, insight: oneInsight, episodes, working }[tab] ?? insights;
  await loadInto(place, () => draw(parts[1], signal, query));
}

function searchForm(query) {
  const chosen = (query.get("sources") || "l2,episode,l0").split(",");
  const input = h("input", { id: "memory-query", type: "search", autocomplete: "off", maxlength: 500, value: query.get("q") ?? "" });
  const boxes = sources.map(([id, name]) => h("label", { class: "check" }, h("input", { type: "checkbox", name: "source", value: id, checked: chosen.includes(id) }), name));
  return h("form", { role: "search", class: "search", onsubmit: (event) => {
    event.preventDefault();
    const wanted = [...event.target.querySelectorAll("input[name=source]:checked")].map((box) => box.value);
    if (input.value.trim() === "") location.hash = "#/memory/insights";
    else location.hash = `#/memory/search?${new URLSearchParams({ q: input.value.trim(), sources: wanted.join(",") })}`;
  } },
  h("label", { for: "memory-query" }, "Search memory"),
  h("div", { class: "row" }, input, h("button", { type: "submit", class: "primary" }, "Search")),
  h("fieldset", { class: "checks" }, h("legend", { class: "unseen" }, "Where to search"), boxes));
}

async function results(frame, query, signal) {
  const place = h("section", { "aria-label": "Results" });
  frame.append(place);
  await loadInto(place, async () => {
    const found = await ask("memory/search", { q: query.get("q"), sources: query.get("sources") }, signal);
    const told = found.results.length === 0 ? "Nothing was found" : `${counted(found.results.length, "result")}, best first`;
    announce(told);
    if (found.results.length === 0) return empty("Nothing was found", "Try other words, or search dialogue and episodes too.");
    const dropped = found.explanation?.dropped ?? [];
    return [
      h("p", { class: "quiet" }, `${told}. Words found ${counted(found.keyword_results_count, "candidate")}, meaning ${count(found.semantic_results_count)}.`,
        found.results.some((r) => r.source_type !== found.results[0].source_type) && " Insights, episodes and dialogue are each ranked in a list of their own.",
        dropped.length > 0 && [" Too common to search for: ", dropped.map((w, i) => [i > 0 && ", ", said(w)]), "."]),
      found.note && h("p", { class: "note" }, found.note),
      h("ol", { class: "plain stack hits" }, found.results.map((hit, i) => drawHit(hit, found, i))),
    ];
  });
}

function drawHit(hit, found, place) {
  const link = hit.source_type === "l2" ? `#/memory/insight/${hit.id}` : null;
  return h("li", { class: "card hit" },
    h("p", { class: "label" }, `${place + 1}. ${kinds[hit.source_type] ?? hit.source_type}`, hit.speaker && [" by ", said(hit.speaker)], `, ${ago(hit.created_at)}`,
      hit.superseded && h("span", { class: "badge" }, "no longer counts")),
    folded(hit.content, h("p", { dir: "auto", class: "content" }, marked(legible(hit.content), hit.matched_terms))),
    link && h("p", {}, h("a", { href: link }, "History and sources")),
    explain(hit, place + 1, found));
}

// Marks the words that were found, as text.
function marked(content, terms) {
  const wanted = terms.filter((t) => t.trim() !== "").map((t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (wanted.length === 0) return content;
  const pieces = content.split(new RegExp(`(${wanted.join("|")})`, "giu"));
  return pieces.map((piece, i) => (i % 2 === 1 ? h("mark", {}, piece) : piece));
}

async function insights(_, signal, query) {
  const retired = query.get("all") === "1" ? "1" : undefined;
  const first = await ask("memory/insights", { retired }, signal);
  if (first.insights.length === 0) {
    return empty("There is no insight yet", "Your assistant stores dialogue as it was said and compresses it into insights. Ask it to:",
      example("Remember what we decided today."));
  }
  return [h("p", { class: "quiet" }, retired ? ["All versions are shown. ", h("a", { href: "#/memory/insights" }, "Only those that count")] : h("a", { href: "#/memory/insights?all=1" }, "Show superseded and deleted ones too")),
    feed(first, "insights", { retired }, signal, (i) => h("li", { class: "card" },
      h("a", { class: "plainlink", href: `#/memory/insight/${i.id}` }, excerpt(i.content, { class: "content twelve" })),
      h("p", { class: "quiet" }, `${ago(i.created)}, fidelity ${decimals(i.fidelity)}, from ${i.source_ids.length === 0 ? "no dialogue" : counted(i.source_ids.length, "turn")}`,
        i.version > 1 && `, version ${i.version}`, i.state !== "current" && h("span", { class: "badge" }, i.state))))];
}

async function episodes(_, signal) {
  const first = await ask("memory/episodes", {}, signal);
  if (first.episodes.length === 0) {
    return empty("There is no episode yet", "After a task your assistant can store how well it went and what it learned. Ask it to:", example("Store what we learned from this."));
  }
  return feed(first, "episodes", {}, signal, (e) => h("li", { class: "card" },
    h("p", { class: "label" }, `${ago(e.created)}, reward `, h("span", { class: e.reward < 0 ? "bad" : "good" }, `${e.reward > 0 ? "+" : ""}${decimals(e.reward)}`)),
    passage(e.query, { class: "content strong" }), passage(e.reflection)));
}

function feed(first, key, parameters, signal, draw) {
  const list = h("ul", { class: "plain stack" }, first[key].map(draw));
  let last = first[key].at(-1)?.id;
  const more = moreButton("Show more", async () => {
    const page = await ask(`memory/${key}`, { ...parameters, before: last }, signal);
    list.append(...page[key].map(draw));
    last = page[key].at(-1)?.id ?? last;
    announce(`${list.children.length} shown`);
    if (!page.more) more.remove();
  });
  return [list, first.more && more];
}

async function working(_, signal) {
  const { items } = await ask("memory/working", {}, signal);
  if (items.length === 0) return empty("Working memory is empty", "It holds the ten things an assistant has at hand, the last used first.");
  return h("ul", { class: "plain stack" }, items.map((i) => h("li", { class: "card" }, passage(i.content, { class: "content" }),
    h("p", { class: "quiet" }, `importance ${percent(i.importance)}, used ${ago(i.accessed)}`))));
}

async function oneInsight(id, signal) {
  const { insight: i, history, dialogue } = await ask("memory/insight", { id }, signal);
  const unknown = i.source_ids.length - dialogue.length;
  return [
    h("p", {}, h("a", { href: "#/memory/insights" }, "All insights")),
    h("article", { class: "card" }, h("h2", { class: "unseen" }, `Insight ${i.id}`), passage(i.content, { class: "content large" }),
      h("p", { class: "quiet" }, `${atTime(i.created)}, fidelity ${decimals(i.fidelity)}`, i.state !== "current" && h("span", { class: "badge" }, i.state))),
    h("h2", {}, "Where it comes from"),
    dialogue.length === 0 ? h("p", { class: "quiet" }, "It names no dialogue that is stored.") : h("ol", { class: "plain dialogue" }, dialogue.map((d) => h("li", {},
      h("p", { class: "label" }, said(d.speaker), `, ${atTime(d.at)}`), passage(d.content)))),
    unknown > 0 && dialogue.length > 0 && h("p", { class: "quiet" }, `${counted(unknown, "more turn")} not shown.`),
    h("h2", {}, "What it said before"),
    history.versions.length === 1 ? h("p", { class: "quiet" }, "It was never changed.") : h("ol", { class: "timeline" }, [...history.versions].reverse().map((v) => h("li", { "aria-current": v.id === i.id ? "true" : undefined },
      h("p", { class: "when" }, atTime(v.created_at), v.state !== "current" && h("span", { class: "badge" }, v.state)),
      v.id === i.id ? passage(v.content, { class: "strong" }) : h("a", { class: "plainlink", href: `#/memory/insight/${v.id}` }, excerpt(v.content)),
      v.reason && h("p", { class: "quiet" }, "because ", said(v.reason))))),
  ];
}
