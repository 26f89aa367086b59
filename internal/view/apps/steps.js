// A chart: the desired outcome, the steps, current reality. Its steps are completed
// and reopened here.
import { bar, folded, h, passage, said } from "./dom.js";
import { counted, dueOn, legible, percent, shorten } from "./format.js";
import { actions, button, change } from "./app.js";
import { speak } from "./speak.js";

export const chart = { tool: "get_chart_progress", title: "Chart", draw };

function draw(c) {
  return h("article", { class: "chart card", "aria-labelledby": "outcome" },
    h("header", {},
      h("p", { class: "label" }, "Desired outcome"),
      h("div", {}, folded(c.desiredOutcome, h("h2", { id: "outcome" }, said(c.desiredOutcome)))),
      h("div", { class: "chart-facts" }, meter(c), due(c.dueDate, c.status === "completed"))),
    h("div", { class: "between" }, h("h3", { class: "label" }, "Steps"),
      c.steps.length === 0 ? h("p", { class: "quiet" }, "There is no step yet.") : h("ol", { class: "steps" }, c.steps.map(step))),
    h("div", { class: "reality" }, h("h3", { class: "label" }, "Current reality"), passage(c.currentReality)),
    speak("plan", "Talk about what is next", `Let us look at the chart ${c.chartId}: what is the next step, and what does it need?`, c.chartId));
}

/** How far a chart is. */
export function meter(c) {
  return h("div", { class: "meter" }, bar(c.progress, `Progress of ${shorten(legible(c.desiredOutcome), 80)}`),
    h("span", {}, `${percent(c.progress)}, ${c.completedActions} of ${counted(c.totalActions, "step")}`));
}

/** When something is due, or was. */
export function due(date, done) {
  if (!date) return null;
  if (done) return h("p", { class: "due done" }, "completed");
  const { state, words } = dueOn(date);
  return h("p", { class: `due ${state}` }, `${state === "over" ? "overdue: was due" : "due"} ${words}`);
}

function step(s, i) {
  const done = s.status === "completed", name = shorten(legible(s.title), 80);
  return h("li", {}, h("div", { class: "step-line" },
    h("span", { class: done ? "tick done" : "tick", role: "img", "aria-label": done ? "done" : "open" }, done ? "✓" : ""),
    h("div", { class: "step-title" }, h("div", { dir: "auto" }, folded(s.title, h("span", {}, legible(s.title)))), !done && due(s.dueDate, false)),
    actions(done
      ? button(`step-${i}`, "Reopen", () => change("update-action-step", { actionStepName: s.id, reopen: true }, "Step reopened"), {}, name)
      : button(`step-${i}`, "Complete", () => change("mark_action_complete", { actionStepName: s.id }, "Step completed"), {}, name))));
}
