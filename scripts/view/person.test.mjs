// One person, one place: what documents, graph, charts, insights and conversations say of
// somebody, where each field was said, and documents with what they come to.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { connect, hostile } from "./memory.mjs";
import { accessible, enter, folder, go, inLooks, launch, open, serve, shown } from "./page.mjs";

const company = "Müller Pfeifen GmbH";
let place, browser, server, page, faults, vendor, bill;

before(async () => {
  place = folder();
  const db = path.join(place.dir, "toolkit.db"), toolkit = await connect(db);
  await fill(toolkit.call);
  await toolkit.close();
  server = await serve(db);
  browser = await launch();
  ({ page, faults } = await open(browser, server));
  await enter(page, server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  place?.remove();
});

const visit = (hash) => go(page, server, hash);
const entity = (id) => `#/documents/${id}`;

async function invoice(call, number, name, more = {}, when = "2026-02-03T09:00:00Z") {
  return (await call("submit_payload", {
    capability_id: "neotoma:store_invoice:v1", body: { invoice_number: number, amount: 1480.5, vendor_name: name, date: "2026-02-03", ...more },
    provenance: { source_refs: [`invoices/${number}.pdf`], extracted_at: when, extractor_version: "reader:v1", agent_id: "invoice-reader" },
  })).entities;
}

async function fill(call) {
  const of = (list, type) => list.find((e) => e.entity_type === type).entity_id;
  const first = await invoice(call, "L-2041", company, { currency: "EUR", status: "open" });
  [vendor, bill] = [of(first, "company"), of(first, "invoice")];
  await invoice(call, "L-2041", company, { currency: "EUR", status: "paid" }, "2026-03-10T09:00:00Z");
  await call("correct_field", { entity_id: bill, field: "due_date", value: "2026-03-15", reason: "printed on page two" });
  await invoice(call, "M-77", "Leather & Sons", { amount: 212 });
  for (const [i, name] of hostile.entries()) await invoice(call, `H-${i}`, name, { currency: i === 0 ? name : "EUR" });
  await call("create_entities", { entities: [
    { name: company, entityType: "company", observations: ["Delivers tongues in three weeks"] }, { name: "Mueller Pfeifen", entityType: "company", observations: ["Seen at a fair"] },
    { name: "Jonas", entityType: "person", observations: ["Voices reeds"] }, ...hostile.map((name) => ({ name, entityType: "note", observations: [`About ${name}`] })),
  ] });
  await call("create_relations", { relations: [{ from: company, to: "Jonas", relationType: "is_visited_by" }] });
  await call("create_structural_tension_chart", { desiredOutcome: "The organ sounds", dueDate: "2031-05-01", currentReality: "Nothing is ordered", actionSteps: [`Reeds of ${company} ordered`, "Müller Pfeifen visited"] });
  await call("compress_to_l2_insight", { content: `${company} delivers late in spring.`, source_ids: [] });
  await call("store_raw_dialogue", { session_id: "spring", speaker: "Ada", content: `I called ${company.toUpperCase()} today.` });
}

test("documents are listed with amount, currency, date and file", async () => {
  await visit("#/documents?type=invoice");
  const row = (number) => page.locator(".entities > li", { has: page.getByRole("link", { name: number, exact: true }) });
  assert.match((await row("L-2041").innerText()).replaceAll("\u00a0", " "), /3 Feb 2026\s+1,480\.50 EUR/);
  assert.match(await row("M-77").locator(".quiet").innerText(), /^in M-77\.pdf, /);
  assert.equal(await row("M-77").locator(".amount").innerText(), "212.00", "a currency that no document states is not guessed");
});

test("what all of memory says of a company stands on its page, and what may be about it apart", async () => {
  await visit(entity(vendor));
  const group = (name) => page.getByRole("region", { name });
  assert.match(await group("Connections").innerText(), /as vendor[\s\S]*L-2041[\s\S]*3 Feb 2026\s+1,480\.50\sEUR/);
  assert.match(await group("In the knowledge graph").innerText(), /Müller Pfeifen GmbH[\s\S]*Delivers tongues[\s\S]*is visited by[\s\S]*Jonas/);
  assert.deepEqual(await group("In charts").locator(".lines > li .clamp").allInnerTexts(), [`Reeds of ${company} ordered`]);
  assert.equal(await group("In insights").locator(".lines > li").count(), 1);
  assert.match(await group("In conversations").innerText(), /ADA[\s\S]*I called MÜLLER PFEIFEN GMBH today/i);
  const may = group("May also be about it");
  assert.deepEqual((await may.locator(".lines > li").allInnerTexts()).map((t) => /Mueller|visited/.exec(t)?.[0]).sort(), ["Mueller", "visited"]);
  for (const one of await may.locator(".lines > li").all()) assert.match(await one.locator(".badge").innerText(), /legal form|spelling/);
  await group("In insights").getByRole("link").click();
  await page.waitForFunction(() => location.hash.startsWith("#/memory/insight/"));
  await visit(entity(vendor));
  await group("In conversations").getByRole("link").click();
  await page.locator(".turn[aria-current]", { hasText: "I called" }).waitFor();
});

test("from the graph one comes to the page of the entity of that name, and back", async () => {
  await visit(`#/graph/${encodeURIComponent(company)}`);
  await page.getByRole("link", { name: "What documents say of it" }).click();
  await page.waitForFunction((id) => location.hash.endsWith(id), vendor);
  await shown(page);
  await page.getByRole("region", { name: "In the knowledge graph" }).getByRole("link").click();
  await page.locator(".details h2", { hasText: company }).waitFor();
  await visit("#/graph/Jonas");
  await page.locator(".details h2", { hasText: "Jonas" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "What documents say of it" }).count(), 0);
});

test("each field says where it comes from, and what else was said, by keyboard alone", async () => {
  await visit(entity(bill));
  const row = (field) => page.getByRole("row", { name: new RegExp(`^${field}`) });
  assert.match(await row("amount").innerText(), /1,480\.50\sEUR[\s\S]*L-2041\.pdf/);
  assert.match(await row("due date").innerText(), /corrected by the user/);
  assert.match(await page.locator(".truth").locator("xpath=ancestor::section").locator(".note").innerText(), /do not agree on 1 field/);
  await page.locator("[id='said-status'] > summary").focus();
  await page.keyboard.press("Enter");
  assert.match(await page.locator("[id='said-status'] .said").innerText(), /paid[\s\S]*counts: it was said last[\s\S]*open/);
  assert.doesNotMatch(await page.locator("main").innerText(), /obs_[0-9a-f]{8}/, "hashes stand behind How it came here");
  await page.locator("[id='how-status'] > summary").focus();
  await page.keyboard.press("Enter");
  await page.locator("[id='how-status'] .trail").waitFor();
  assert.match(await page.locator("[id='how-status']").innerText(), /obs_/);
});

test("hostile names are text, and nothing scrolls sideways or is hard to read", async () => {
  await visit("#/documents?type=company");
  const links = await page.locator(".entities a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  assert.ok(links.length >= hostile.length, `${links.length} companies`);
  for (const [[colorScheme, width], addresses] of inLooks([["light", 1280], ["dark", 1280], ["light", 360], ["dark", 768]], ["#/documents", ...links, entity(bill)])) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    for (const hash of addresses) {
      await visit(hash);
      assert.deepEqual(await page.evaluate(() => (document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML.slice(0, 120)))), [], `${hash} at ${width} scrolls sideways`);
      if (hash === "#/documents" || [vendor, bill].some((id) => hash.endsWith(id))) await accessible(page, `${hash} ${colorScheme} ${width}`);
    }
  }
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(faults, []);
});
