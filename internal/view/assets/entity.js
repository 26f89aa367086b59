// One person, one place: what documents hold to be true of an entity, and what the graph,
// charts, insights and conversations say of it.
import { ask, loadInto } from "./api.js";
import { fill, h, said } from "./dom.js";
import { describeConnections, describeMentions } from "./entity_about.js";
import { fieldTable } from "./entity_fields.js";
import { describeHistory } from "./entity_history.js";
import { entityActions } from "./entity_actions.js";
import { atTime, counted, words } from "./format.js";

export async function showEntity(frame, id, signal) {
  const truth = h("section", { class: "card" }), history = h("section", { "aria-labelledby": "history" });
  const around = h("section", { "aria-labelledby": "connections" }), about = h("div", { class: "about" });
  frame.append(h("p", {}, h("a", { href: "#/documents" }, "All entities")), truth, around, about, history);
  const told = ask("entity/history", { id }, signal);
  told.catch(() => {}); // whoever waits for it tells
  await Promise.all([
    loadInto(truth, async () => {
      const [entity, first] = await Promise.all([ask("entity", { id }, signal), told]);
      fill(history, describeHistory(id, first, new Map(Object.entries(entity.snapshot.provenance)), signal));
      return describeTruth(id, entity, first, signal);
    }),
    loadInto(around, async () => describeConnections(await ask("entity/connections", { id }, signal))),
    loadInto(about, async () => describeMentions(await ask("entity/about", { id }, signal), id)),
  ]);
}

/** Whether an invoice is paid, as far as payments that were confirmed tell. */
const paymentOf = (payment) => payment && payment.status !== "unknown" && h("span", { class: "badge" }, payment.status === "paid" ? "paid" : [payment.status === "part" ? "paid in part" : payment.status, ", left to pay: ", said(payment.unpaid)]);

function describeTruth(id, entity, first, signal) {
  const { snapshot, name } = entity;
  return [
    h("p", { class: "label" }, said(words(snapshot.entity_type)), paymentOf(entity.payment)),
    h("h2", {}, said(name || id)),
    h("p", { class: "quiet" }, `Held to be true now, from ${counted(snapshot.observation_count, "observation")}; last observed ${atTime(snapshot.last_observation_at)}.`),
    fieldTable(id, entity, first, signal),
    entityActions(id, name || id, first),
  ];
}
