// A pocket over the day: calm, stress and the quality of the moment.
import { ask, loadInto } from "./api.js";
import { announce, command, disclosure, empty, fill, h, heads, said, svg } from "./dom.js";
import { ago, counted, decimals, locale } from "./format.js";

const series = [["calm", "Calm"], ["stress", "Stress"], ["mqs", "Moment quality (MQS)"]];
const bands = [[0.2, "silent"], [0.4, "weak"], [0.6, "forming"], [0.8, "high resonance"], [Infinity, "peak"]];
const left = 40, right = 8, bottom = 26, top = 10, dayLength = 86400000;

export async function show(frame, { parts, query, signal }) {
  frame.append(h("h1", { tabindex: -1 }, "Pockets"), h("p", { class: "lead" }, "How a place felt over a day."));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, async () => {
    const { pockets } = await ask("pockets", {}, signal);
    if (pockets.length === 0) return empty("There are no readings yet", "Import some, or look at the synthetic ones:", command("toolkit pockets demo --db demo.db"));
    const pocket = pockets.find((p) => p.id === parts[0]) ?? pockets[0];
    return draw(pockets, pocket, query.get("day"), signal);
  });
}

function draw(pockets, pocket, wanted, signal) {
  const newest = localDay(new Date(pocket.last_reading));
  const chosen = /^\d{4}-\d{2}-\d{2}$/.test(wanted ?? "") ? wanted : newest;
  const select = h("select", { id: "pocket" }, pockets.map((p) => h("option", { value: p.id, selected: p.id === pocket.id }, p.name)));
  const date = h("input", { id: "pocket-day", type: "date", value: chosen, max: newest });
  const go = () => {
    location.hash = `#/pockets/${encodeURIComponent(select.value)}?day=${date.value || newest}`;
  };
  select.addEventListener("change", () => {
    location.hash = `#/pockets/${encodeURIComponent(select.value)}`; // each has its own newest day
  });
  date.addEventListener("change", go);
  const chart = h("section", { class: "card day", "aria-label": "The day" });
  loadInto(chart, async () => {
    const start = new Date(`${chosen}T00:00:00+08:00`);
    const { readings } = await ask("pockets/day", { pocket: pocket.id, from: start.toISOString() }, signal);
    announce(counted(readings.length, "reading"));
    if (readings.length === 0) return h("p", { class: "quiet" }, `There are no readings on this day; the newest are from ${ago(pocket.last_reading)}.`);
    return [plot(pocket, readings, start, signal), key(), meaning(readings), table(readings)];
  });
  return [h("div", { class: "row filters" }, h("div", {}, h("label", { for: "pocket" }, "Pocket"), select), h("div", {}, h("label", { for: "pocket-day" }, "Day"), date)),
    chart, h("p", { class: "quiet" }, "Singapore time.", pocket.source && [" Readings from ", said(pocket.source), "."])];
}

// A pocket's day is a day in Singapore, as everywhere in the toolkit.
const zone = "Asia/Singapore";
const localDay = (date) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(date);

// The plot is drawn as wide as its place is, so that lines and letters keep
// their size on a telephone.
function plot(pocket, readings, start, signal) {
  const place = h("div", { class: "plot-place" });
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0 && place.dataset.width !== String(width)) {
      place.dataset.width = width;
      fill(place, drawn(pocket, readings, start, width));
    }
  });
  observer.observe(place);
  signal.addEventListener("abort", () => observer.disconnect());
  return place;
}

function drawn(pocket, readings, start, width) {
  const height = Math.round(Math.min(300, Math.max(220, width * 0.36))), step = width < 380 ? 6 : 3;
  const x = (at) => left + (width - left - right) * (new Date(at) - start) / dayLength;
  const y = (value) => top + (height - top - bottom) * (1 - value);
  const lines = [0, 0.25, 0.5, 0.75, 1].map((v) => [svg("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }), svg("text", { x: left - 8, y: y(v) + 4, "text-anchor": "end" }, decimals(v))]);
  const hours = Array.from({ length: 24 / step + 1 }, (_, i) => i * step).map((hour) => svg("text", { x: left + (width - left - right) * hour / 24, y: height - 6, "text-anchor": hour === 24 ? "end" : "middle" }, `${hour}:00`));
  return svg("svg", { class: "plot", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Calm, stress and moment quality of ${pocket.name}; the table below has the numbers` },
    lines, hours, series.map(([name]) => svg("path", { class: `series ${name}`, d: pathOf(readings, name, x, y) })));
}

// What was not measured leaves a gap; a reading alone is a dot.
function pathOf(readings, name, x, y) {
  let path = "", open = false;
  for (const r of readings) {
    if (r[name] === null) {
      open = false;
      continue;
    }
    path += `${open ? "L" : "M"}${x(r.at).toFixed(1)} ${y(r[name]).toFixed(1)}${open ? "" : "h0"}`;
    open = true;
  }
  return path;
}

function key() {
  return h("ul", { class: "legend", "aria-label": "Lines" }, series.map(([name, label]) => h("li", {}, svg("svg", { class: "sample", viewBox: "0 0 28 8", "aria-hidden": "true" }, svg("path", { class: `series ${name}`, d: "M1 4h26" })), label)));
}

// What the lines mean, where they come from, and the newest score in words.
function meaning(readings) {
  const scored = readings.filter((r) => r.mqs !== null).at(-1);
  const range = ([below, name], i) => h("li", {}, h("strong", {}, name), i === 0 ? ` below ${decimals(below)}` : below === Infinity ? ` from ${decimals(bands[i - 1][0])}` : ` ${decimals(bands[i - 1][0])} to ${decimals(below)}`);
  return h("div", { class: "meaning-of-lines" },
    scored ? h("p", {}, "Moment quality at ", clock(scored.at), " is ", h("strong", {}, decimals(scored.mqs, bands.some(([to]) => Math.abs(to - scored.mqs) < 0.005) ? 3 : 2)), ", in the range of ", bandOf(scored.mqs), ".") : h("p", {}, "No moment quality was scored on this day."),
    h("p", { class: "quiet" }, "Calm and stress are readings, each from 0 (none) to 1 (most). The Moment Quality Score says from 0 to 1 whether a moment is worth breaking the silence for:"),
    h("ul", { class: "bands", "aria-label": "Bands of moment quality" }, bands.map(range)),
    disclosure("Where moment quality comes from", () => h("div", { class: "quiet stack" },
      h("p", {}, "It multiplies five factors from 0 to 1 (usefulness, urgency, calmness, merchant fit and user need) and raises the product to the power of 0.30. A factor without evidence counts as a neutral 0.50."),
      h("p", {}, "Real Signal names the score, its factors and bands, and publishes no formula. This composition is the toolkit's own, calibrated to the published examples. Factors that were imported are used as they are, the others are derived from readings by the pocket loop."),
      h("p", {}, "A score below 0.60 that fell by 0.10 or more from at least 0.40 is decaying: get_pocket_moment_quality says so."))));
}

const bandOf = (mqs) => bands.find(([below]) => mqs < below)[1];

const clock = (at) => new Date(at).toLocaleTimeString(locale, { timeStyle: "short", timeZone: zone });

function table(readings) {
  const number = (v) => h("td", { class: "number" }, v === null ? "not measured" : decimals(v));
  const details = h("details", {}, h("summary", {}, "The same as a table"));
  details.addEventListener("toggle", () => {
    if (details.children.length > 1) return;
    details.append(fill(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Readings" }), h("table", {}, h("thead", {}, h("tr", {}, heads("Time", ...series.map(([, label]) => `#${label}`)))),
      h("tbody", {}, readings.map((r) => h("tr", {}, h("th", { scope: "row" }, clock(r.at)), series.map(([name]) => number(r[name]))))))));
  });
  return details;
}
