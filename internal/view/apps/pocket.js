// How a pocket feels now, where the hours before lead, and whether the moment is worth
// breaking the silence for.
import { bar, h, said } from "./dom.js";
import { ago, atTime, counted, decimals, words } from "./format.js";
import { actions, button, open, refresh, start } from "./app.js";

const feelings = [["calm", "Calm"], ["stress", "Stress"], ["social_energy", "Social energy"], ["productive", "Productive"]];
const factors = [["usefulness", "Usefulness"], ["urgency", "Urgency"], ["calmness", "Calmness"], ["merchant_fit", "Merchant fit"], ["user_need", "User need"]];
const directions = { rising_calm: "Calm is rising", rising_stress: "Stress is rising", stable: "It is stable", mixed: "It is mixed" };

start({ tool: "get_pocket_atmosphere", title: "Pocket", draw });

function draw(p, input) {
  const look = (hours) => button(`hours-${hours}`, `Last ${hours} hours`, () => refresh(`The last ${hours} hours`, { ...input, pocket_id: p.pocket_id, hours }), { "aria-pressed": String(p.window_hours === hours) });
  const quality = { tool: "get_pocket_moment_quality", title: "Is this moment worth a word?", draw: worth };
  return [
    h("section", { class: "card" },
      h("h2", {}, said(p.pocket_id)),
      p.latest ? now(p) : h("p", {}, said(p.message ?? "There is no reading yet."))),
    actions(look(4), look(24), button("quality", "Moment quality", () => open(quality, { pocket_id: p.pocket_id }))),
  ];
}

function now({ latest, trend, window_hours: hours, reading_count: readings }) {
  return [
    h("p", {}, h("strong", {}, said(words(latest.primary_state))), latest.anomaly_flag && h("span", { class: "badge" }, "unusual")),
    h("p", { class: "quiet" }, h("time", { datetime: latest.captured_at }, `${atTime(latest.captured_at)}, ${ago(latest.captured_at)}`)),
    measures(feelings, latest),
    trend && h("p", {}, `${directions[trend.direction] ?? "It changes"} over ${counted(hours, "hour")}`, trend.magnitude > 0 && `, by ${decimals(trend.magnitude)}`, `, from ${counted(readings, "reading")}.`),
    h("p", { class: "quiet small" }, "Each from 0 (none) to 1 (most)."),
  ];
}

const measures = (names, values) => h("ul", { class: "plain measures" }, names.map(([key, label]) =>
  h("li", {}, h("span", {}, label), bar(values[key], label), h("span", { class: "number" }, decimals(values[key])))));

const worth = (q) => h("section", { class: "card" },
  h("h2", {}, said(q.pocket_id)),
  q.mqs === undefined ? h("p", {}, said(q.message ?? "It is not known yet.")) : [
    h("p", {}, h("strong", {}, decimals(q.mqs)), ", ", said(words(q.band)), typeof q.previous_mqs === "number" && `; it was ${decimals(q.previous_mqs)} before`, "."),
    measures(factors, q.factors),
    h("ul", { class: "facts" }, (q.reasons ?? []).map((reason) => h("li", {}, said(words(reason))))),
  ]);
