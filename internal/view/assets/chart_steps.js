// The steps of a chart: open ones by what is due first, completed ones folded away.
import { bar, folded, h } from "./dom.js";
import { counted, dueOn, legible, onDay, shorten } from "./format.js";
import { changeButton, dayField, textField } from "./write.js";

/** When a chart or step is due, or was. */
export function due(date, done) {
  if (done) return h("p", { class: "due done" }, "completed");
  if (!date) return h("p", { class: "due" }, "no due date");
  const { state, words } = dueOn(date);
  return h("p", { class: `due ${state}` }, state === "over" ? `overdue: was due ${words}` : `due ${words}`);
}

/** The steps of a chart; inside(below) draws what the chart of a step holds. */
export function drawSteps(c, tree, inside) {
  if (c.steps.length === 0) return h("p", { class: "quiet" }, "There is no step yet. Ask your assistant which results lie between.");
  const open = c.steps.filter((s) => !s.completed).sort((a, b) => soonness(a).localeCompare(soonness(b))), done = c.steps.filter((s) => s.completed);
  const draw = (s) => drawStep(s, tree.ofStep.get(s.id), inside);
  return [
    open.length > 0 && h("ol", { class: "steps" }, open.map(draw)),
    done.length > 0 && h("details", { id: `done-${c.id}`, open: open.length === 0 }, h("summary", {}, `${counted(done.length, "step")} completed`), h("ol", { class: "steps" }, done.map(draw))),
  ];
}

const soonness = (s) => s.due_date || "9999"; // what has no date comes last

function drawStep(s, below, inside) {
  const holds = below && (below.steps.length > 0 || below.reality.length > 0 || below.beats > 0);
  const line = h("div", { class: "step-line" },
    h("span", { class: s.completed ? "tick done" : "tick", role: "img", "aria-label": s.completed ? "done" : "open" }, s.completed ? "✓" : ""),
    h("div", { class: "step-title", dir: "auto" }, folded(s.title, h("span", {}, legible(s.title)))),
    holds && below.steps.length > 0 && h("span", { class: "small-meter" }, bar(below.progress, `Progress of ${shorten(s.title, 80)}`), h("span", {}, `${below.completed}/${below.steps.length}`)),
    s.completed ? s.completed_at && h("p", { class: "due done" }, `completed ${onDay(s.completed_at)}`) : due(s.due_date, false),
    stepActions(s, "step"));
  const notes = s.notes?.length > 0 && h("ul", { class: "plain quiet", "aria-label": "So far" }, s.notes.map((note) => h("li", {}, `so far: ${legible(note)}`)));
  if (!holds) return h("li", {}, line, notes);
  return h("li", {}, line, notes, h("details", { id: `inside-${below.id}`, open: !s.completed && below.level < 2 },
    h("summary", {}, below.steps.length > 0 ? `${counted(below.steps.length, "step")} inside` : "What is known of it"), h("div", { class: "inside" }, inside(below))));
}

/** What can be done with a step; place tells apart where it is shown twice. */
export function stepActions(s, place) {
  const target = { id: s.id }, about = shorten(s.title, 60);
  return h("div", { class: "actions", "data-step": s.id },
    s.completed
      ? changeButton({ id: `${place}-reopen-${s.id}`, action: "step.reopen", target, label: "Reopen", about })
      : changeButton({ id: `${place}-complete-${s.id}`, action: "step.complete", target, label: "Complete", about }),
    changeButton({ id: `${place}-edit-${s.id}`, action: "step.edit", target, label: "Edit", about,
      fields: (now) => [textField("text", "The result it brings about", now.title, { most: 200 }), dayField("due", "Due", now.due, { required: false })] }));
}
