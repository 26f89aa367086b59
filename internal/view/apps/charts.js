// The charts at work; each opens.
import { announce, empty, example, folded, h, said } from "./dom.js";
import { counted, legible, shorten } from "./format.js";
import { actions, button, open, start } from "./app.js";
import { chart, due, meter } from "./steps.js";

start({ tool: "list_active_charts", title: "Charts", draw });

function draw({ charts = [] }) {
  if (charts.length === 0) return empty("There is no active chart", "Tell your assistant what you want to create, and where you are now:", example("I want to write a novel this year. I have an outline and four free mornings a week."));
  announce(counted(charts.length, "chart"));
  return h("ul", { class: "plain stack" }, charts.map(one));
}

function one(c, i) {
  return h("li", { class: "card" },
    c.level > 0 && h("p", { class: "label" }, `Inside another chart, ${counted(c.level, "level")} down`),
    h("h2", {}, folded(c.desiredOutcome, said(c.desiredOutcome))),
    h("div", { class: "chart-facts" }, meter(c), due(c.dueDate, c.totalActions > 0 && c.completedActions === c.totalActions)),
    actions(button(`open-${i}`, "Open", () => open(chart, { chartId: c.chartId }), {}, shorten(legible(c.desiredOutcome), 80))));
}
