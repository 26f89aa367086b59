// How a chart came along: its steps by the time they were completed, as a line and in
// words. Without a completed step there is nothing to draw.
import { h, said, svg } from "./dom.js";
import { count, counted, onDay } from "./format.js";

const width = 600, height = 120, left = 8, bottom = 20;

export function progressOver(c) {
  const done = c.steps.filter((s) => s.completed_at).sort((a, b) => a.completed_at.localeCompare(b.completed_at));
  if (done.length === 0) return null;
  return h("section", { class: "progress-over", "aria-label": "Progress over time" },
    h("h3", { class: "label" }, "Progress over time"),
    line(c, done),
    h("details", { id: `over-${c.id}` }, h("summary", {}, "In words"), h("ol", { class: "facts" }, done.map((s, i) => h("li", {}, `${onDay(s.completed_at)}: `, said(s.title), ` (${count(i + 1)} of ${counted(c.steps.length, "step")})`)))));
}

// Steps of a stair: it rises where a step was completed.
function line(c, done) {
  const from = Math.min(Date.parse(c.created), Date.parse(done[0].completed_at)), to = Math.max(Date.now(), Date.parse(done.at(-1).completed_at));
  const x = (at) => left + (width - 2 * left) * (to > from ? (at - from) / (to - from) : 1);
  const y = (n) => height - bottom - (height - bottom - 10) * (n / c.steps.length);
  let path = `M${x(from)} ${y(0)}`;
  done.forEach((s, i) => (path += `H${x(Date.parse(s.completed_at))}V${y(i + 1)}`));
  path += `H${x(to)}`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "stair", "aria-label": `${done.length} of ${counted(c.steps.length, "step")} completed since ${onDay(c.created)}` },
    svg("path", { d: `M${left} ${y(c.steps.length)}H${width - left}`, class: "goal" }), svg("path", { d: `M${left} ${y(0)}H${width - left}`, class: "ground" }),
    svg("path", { d: path, class: "rise" }), done.map((s, i) => svg("circle", { cx: x(Date.parse(s.completed_at)), cy: y(i + 1), r: 3.5 })),
    svg("text", { x: left, y: height - 5 }, onDay(new Date(from).toISOString())), svg("text", { x: width - left, y: height - 5, "text-anchor": "end" }, onDay(new Date(to).toISOString())));
}
