// Dates and sums as people read them, for a reader west of Greenwich.
import assert from "node:assert/strict";
import { test } from "node:test";

process.env.TZ = "America/Los_Angeles";
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB"] }, configurable: true });
const { ago, dueOn, onDay } = await import("../../internal/view/assets/format.js");
const { currencyOf, isMoney } = await import("../../internal/view/assets/money.js");

test("what is not written in ISO 8601 stays as it is, and a day is the same day everywhere", () => {
  for (const text of ["03.02.2026", "1.2.26", "12/05/2026", "KW 12", "Rechnung 7", "2026", "2026-02", "2026-02-31x", ""]) assert.equal(onDay(text), text);
  assert.equal(onDay("2026-02-03"), "3 Feb 2026");
  assert.equal(onDay("2026-02-03T01:00:00Z"), "2 Feb 2026", "a moment is told in the reader's zone");
  assert.equal(ago("KW 12"), "KW 12");
});

test("a due date stands for its day, which is over when the reader's day is", () => {
  const noon = Date.parse("2026-12-10T12:00:00-08:00");
  for (const [date, state, words] of [
    ["2026-12-10", "soon", "10 Dec 2026, today"], ["2026-12-10T00:00:00Z", "soon", "10 Dec 2026, today"], ["2026-12-09", "over", "9 Dec 2026, yesterday"],
    ["2026-12-11T00:00:00.000Z", "soon", "11 Dec 2026, tomorrow"], ["2026-12-10T11:00:00-08:00", "over", "10 Dec 2026, 1 hour ago"], ["2027-06-30", "later", "30 Jun 2027, in 7 months"],
    ["2026-12-16T09:00:00-08:00", "soon", "16 Dec 2026, in 6 days"], ["2026-12-22T09:00:00-08:00", "soon", "22 Dec 2026, in 12 days"], ["2026-12-09T22:00:00-08:00", "over", "9 Dec 2026, yesterday"],
    ["2027-04-10T09:00:00-08:00", "later", "10 Apr 2027, in 4 months"], ["soon", "unknown", "soon"],
  ]) assert.deepEqual(dueOn(date, noon), { state, words }, date);
});

test("a sum has the currency of the source that gave it, and what is no sum has none", () => {
  const snapshot = { amount: 1200, tax: 200, currency: "EUR" };
  assert.equal(currencyOf("amount", { snapshot, provenance: { amount: "b", tax: "a", currency: "b" } }), "EUR");
  assert.equal(currencyOf("tax", { snapshot, provenance: { amount: "b", tax: "a", currency: "b" } }), undefined);
  assert.equal(currencyOf("amount", { snapshot: { amount: 1 }, provenance: { amount: "a" } }), undefined);
  for (const field of ["amount", "amount_due", "tax", "subtotal", "unit_price", "closing_balance", "net_pay", "total_amount"]) assert.ok(isMoney(field), field);
  for (const field of ["pages_total", "total_items", "price_list", "invoice_number", "taxpayer"]) assert.ok(!isMoney(field), field);
});
