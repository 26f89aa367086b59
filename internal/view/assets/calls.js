// Tool calls of the last days: how many, how long they took, what failed.
import { ask, loadInto } from "./api.js";
import { announce, bar, empty, h, said, sheet } from "./dom.js";
import { ago, atTime, count, counted, decimals } from "./format.js";

export async function show(frame, { signal }) {
  frame.append(h("h1", { tabindex: -1 }, "Tool calls"), h("p", { class: "lead" }, "What assistants called in the last seven days, and how long it took."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, async () => {
    const report = await ask("calls", {}, signal);
    announce(counted(report.tools.length, "tool"));
    if (report.tools.length === 0) return empty("No tool was called yet", "Calls appear here once an assistant that is connected to toolkit uses it.");
    return [tools(report.tools), h("h2", { id: "recent" }, "Newest calls"), recent(report.recent)];
  });
}

function tools(list) {
  const slowest = Math.max(...list.map((t) => t.p95_ms), 1);
  return h("div", { class: "scroll-x card", tabindex: 0, role: "region", "aria-label": "Tools" },
    sheet(["Tool", "#Calls", "#Errors", "#Cached", "#Half are done in", "#95% are done in", "Last"], list.map((t) => [
      h("th", { scope: "row" }, said(t.tool)), number(count(t.calls)), h("td", { class: t.errors > 0 ? "number bad" : "number" }, count(t.errors)), number(count(t.cached)),
      number(milliseconds(t.p50_ms)), h("td", { class: "number" }, h("span", { class: "small-meter" }, bar(t.p95_ms / slowest, `95% of ${t.tool}`), h("span", { class: "time" }, milliseconds(t.p95_ms)))), h("td", {}, ago(t.last))]), { class: "many" }));
}

// A column that would be empty stays away.
function recent(list) {
  const columns = [
    ["Tool", (c) => h("th", { scope: "row" }, said(c.tool))],
    ["When", (c) => h("td", {}, h("time", { datetime: c.at }, atTime(c.at)))],
    list.some((c) => (c.agent ?? "unknown") !== "unknown") && ["Assistant", (c) => h("td", { class: "agent" }, said(c.agent ?? "unknown"))],
    ["Outcome", (c) => h("td", { class: c.outcome === "success" ? "good" : "bad" }, outcomes[c.outcome] ?? said(c.outcome))],
  ].filter(Boolean);
  return h("div", { class: "scroll-x card", tabindex: 0, role: "region", "aria-labelledby": "recent" },
    sheet(columns.map(([name]) => name), list.map((c) => columns.map(([, cell]) => cell(c)))));
}

const outcomes = { success: "success", validation: "input refused", business: "refused by a rule", system: "failed" };

const number = (text) => h("td", { class: "number" }, text);

const milliseconds = (n) => (n >= 1000 ? `${decimals(n / 1000, 1)} s` : `${decimals(n, n < 10 ? 1 : 0)} ms`);
