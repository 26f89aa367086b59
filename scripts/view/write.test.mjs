// Changing things on the page, by keyboard alone, and pages that hear of changes.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { connect, fill } from "./memory.mjs";
import { accessible, enter, folder, go, launch, open, serve, shown } from "./page.mjs";
import { story } from "./story.mjs";

let place, db, browser, server, page, context, faults, assistant;

before(async () => {
  place = folder();
  db = path.join(place.dir, "toolkit.db");
  await fill(db);
  assistant = await connect(db);
  server = await serve(db, "--write");
  browser = await launch();
  ({ page, context, faults } = await open(browser, server));
  await enter(page, server);
});

after(async () => {
  await browser?.close();
  await assistant?.close();
  await server?.stop();
  place?.remove();
});

const visit = (hash, on = page) => go(on, server, hash);
const notice = () => page.locator("#notice");
// What was taken back repeats what was done: a sentence is looked for by its beginning.
const said = (text) => notice().getByText(/^[A-Z]/.test(text) ? new RegExp(`^${text.replaceAll(".", "\\.")}`) : text).waitFor();

// Waits until something is about to be forgotten. The seconds stand still while the mouse is over
// them: what is done meanwhile may take as long as a loaded machine needs.
async function forgetting() {
  await page.locator("#going").getByText(/^Forgetting in/).hover();
}

// Goes to a control as somebody without a mouse does.
async function reach(wanted) {
  const locator = wanted.first(); // while the page is drawn again there are two for a moment
  await locator.waitFor();
  for (let i = 0; i < 200; i++) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${locator} cannot be reached with Tab`);
}

async function press(locator) {
  await reach(locator);
  await page.keyboard.press("Enter");
}

async function anInsight(content) {
  const { id } = await assistant.call("compress_to_l2_insight", { content, source_ids: [] });
  return id;
}

test("a page that may change things asks once, by keyboard, and can be told not to", async () => {
  const id = await anInsight("The reeds come from Leipzig.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-pin-${id}`));
  await page.getByRole("dialog", { name: "Allow changes from this page?" }).waitFor();
  await accessible(page, "the question");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await page.locator("#section-changes").count(), 0, "nothing was allowed");
  await press(page.locator(`#insight-pin-${id}`));
  await press(page.getByRole("button", { name: "Allow changes" }));
  await said("Pinned to working memory");
  await visit("#/memory/working");
  await page.getByText("The reeds come from Leipzig.", { exact: true }).waitFor();
  await press(page.getByRole("button", { name: /^Put away.*Leipzig/ }));
  await said("Put away from working memory");
  await press(page.locator("#undo"));
  await said("Taken back");
  await page.getByText("The reeds come from Leipzig.", { exact: true }).waitFor();
});

test("an insight is corrected and the correction taken back, by keyboard alone", async () => {
  const id = await anInsight("The concert is on the third of May.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  const text = page.getByLabel("What is so");
  assert.equal(await text.inputValue(), "The concert is on the third of May.");
  await reach(text);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("The concert is on the tenth of May.");
  await accessible(page, "the form");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Changed the insight: The concert is on the third of May. → The concert is on the tenth of May.");
  await shown(page);
  assert.match(await page.locator("article").innerText(), /tenth of May/);
  assert.match(await page.locator(".timeline").innerText(), /third of May[\s\S]*because corrected on the page/);
  await press(page.locator("#undo"));
  await said("Taken back");
  await shown(page);
  await page.locator("article", { hasText: "third of May" }).waitFor();
  const { versions } = await assistant.call("get_insight_history", { id });
  assert.deepEqual(versions.map((v) => v.state), ["superseded", "superseded", "current"]);
});

test("a wrong memory is found, its source opened, corrected and the correction taken back", async () => {
  await visit("#/");
  const { before, corrected, after } = await story(page, async () => {});
  assert.match(corrected, /third Saturday/);
  assert.equal(after, before);
});

test("a form that was refused once is still held to what it shows, and sends only what was changed in it", async () => {
  const { chartId } = await assistant.call("create_structural_tension_chart", { desiredOutcome: "The bellows hold their wind", currentReality: "They leak at two seams today", dueDate: "2027-06-30", actionSteps: ["The leather is glued"] });
  const step = `${chartId}_action_1`;
  await assistant.call("update_action_step", { actionStepName: step, dueDate: "2027-03-10T03:00:00Z" });
  await visit(`#/charts/${chartId}`);
  const edit = page.getByRole("button", { name: /^Edit.*leather is glued/ });
  await press(edit);
  await page.getByLabel("The result it brings about").fill("The leather is glued twice");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Changed the step");
  assert.match(JSON.stringify(await assistant.call("open_nodes", { names: [step] })), /2027-03-10T03:00/, "a title takes no hours from a date");
  await shown(page);
  await press(page.getByRole("button", { name: /^Edit.*glued twice/ }));
  const title = page.getByLabel("The result it brings about");
  await title.fill("");
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("alert").getByText("say something here").waitFor();
  await assistant.call("update_action_step", { actionStepName: step, title: "The leather is sewn" });
  await title.fill("The leather is nailed");
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("alert").getByText("This was changed meanwhile").waitFor();
  await page.keyboard.press("Escape");
  assert.match(JSON.stringify(await assistant.call("open_nodes", { names: [step] })), /sewn/);
});

test("the way back of the browser closes a form, which then writes nothing", async () => {
  const id = await anInsight("The wind chest is of oak.");
  await visit("#/memory");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  await page.getByLabel("What is so").fill("The wind chest is of pine.");
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { versions } = await assistant.call("get_insight_history", { id });
  assert.deepEqual(versions.map((v) => v.content), ["The wind chest is of oak."]);
});

test("a form whose thing was changed meanwhile is refused, and what the assistant wrote stays", async () => {
  const id = await anInsight("The bellows are of sheepskin.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  await page.getByLabel("What is so").fill("The bellows are of goatskin.");
  await assistant.call("update_insight", { id, content: "The bellows are of kangaroo skin.", reason: "measured" });
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("alert").getByText("This was changed meanwhile").waitFor();
  await page.keyboard.press("Escape");
  const { versions } = await assistant.call("get_insight_history", { id });
  assert.deepEqual(versions.map((v) => v.content), ["The bellows are of sheepskin.", "The bellows are of kangaroo skin."]);
});

test("forgetting shows what goes, can be stopped, and is for good", async () => {
  const id = await anInsight("The key of the chapel lies under the stone.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-forget-${id}`));
  const dialog = page.getByRole("dialog", { name: "Forget for good" });
  await dialog.getByText("The key of the chapel").waitFor();
  await accessible(page, "the preview");
  await press(dialog.getByRole("button", { name: "Forget for good" }));
  await forgetting();
  await page.keyboard.press("Control+z");
  await said("It is kept.");
  await press(page.locator(`#insight-forget-${id}`));
  await dialog.getByText("The key of the chapel").waitFor();
  await press(dialog.getByRole("button", { name: "Forget for good" }));
  await press(notice().getByRole("button", { name: "Now" }));
  await said("forgotten");
  const another = await connect(db); // an error ends it
  await assert.rejects(another.call("get_insight_history", { id }), /does not exist/);
});

test("what is about to be forgotten can be kept, whatever else is done meanwhile", async () => {
  const id = await anInsight("The spare key hangs in the organ loft."), other = await anInsight("The loft has nine steps.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-forget-${id}`));
  await press(page.getByRole("dialog", { name: "Forget for good" }).getByRole("button", { name: "Forget for good" }));
  await forgetting();
  await visit(`#/memory/insight/${other}`);
  await press(page.locator(`#insight-pin-${other}`));
  await said("Pinned to working memory");
  await said("Forgetting in");
  await page.keyboard.press("Control+z");
  await said("It is kept.");
  const { versions } = await assistant.call("get_insight_history", { id });
  assert.deepEqual(versions.map((v) => v.state), ["current"]);
});

test("other pages, and changes of other processes, are seen at once", async () => {
  const other = await context.newPage();
  await other.goto(`${server.origin}/`);
  await visit("#/memory/insights", other);
  await visit("#/memory/insights");
  await anInsight("The swell box shuts by itself.");
  for (const one of [page, other]) await one.getByText("The swell box shuts by itself.").waitFor();
  const id = await anInsight("Wax for the pallets is ordered.");
  await visit(`#/memory/insight/${id}`, other);
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  await page.getByLabel("What is so").fill("Wax for the pallets has come.");
  await page.keyboard.press("Tab");
  await press(page.getByRole("button", { name: "Save" }));
  await other.getByText("Wax for the pallets has come.").waitFor();
  await other.close();
});

test("a page in the middle of something is told and not disturbed", async () => {
  const id = await anInsight("The console is of cherry.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  await page.getByLabel("What is so").fill("The console is of pear.");
  await anInsight("Nobody asked for this.");
  await said("Something changed meanwhile.");
  assert.equal(await page.getByLabel("What is so").inputValue(), "The console is of pear.");
  await page.keyboard.press("Escape");
});

test("a chart is worked on by keyboard alone, and every change of it is taken back", async () => {
  const { chartId } = await assistant.call("create_structural_tension_chart", { desiredOutcome: "The choir sings in tune", currentReality: "Eleven voices meet on Tuesdays", dueDate: "2031-06-30", actionSteps: ["Warm-ups written", "Tenors found"] });
  const step = `${chartId}_action_1`, id = (text) => page.locator(`[id="${text}"]`), chart = page.locator(`article[data-chart="${chartId}"]`);
  await visit(`#/charts/${chartId}`);
  const asItWas = await chart.innerText();
  const taken = async () => {
    await press(id("undo"));
    await said("Taken back");
    assert.equal(await chart.innerText(), asItWas);
  };
  await press(id(`step-complete-${step}`));
  await said("Completed: Warm-ups written");
  assert.match(await chart.innerText(), /50%, 1 of 2 steps[\s\S]*1 step completed[\s\S]*Completed: Warm-ups written[\s\S]*Progress over time/i);
  await accessible(page, "a chart with progress");
  await taken();
  const form = async (button, fields, says, shows) => {
    await press(id(button));
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await press(page.getByRole("button", { name: "Save" }));
    await said(says);
    assert.match(await chart.innerText(), shows);
    await taken();
  };
  await form(`step-edit-${step}`, { "The result it brings about": "Warm-ups written and sung", Due: "2031-02-03" }, "Changed the step", /written and sung[\s\S]*3 Feb 2031/);
  await form(`add-${chartId}`, { "The result that the step": "Altos found", "What is so today": "Two came", Due: "2031-03-01" }, "Added a step", /Altos found[\s\S]*1 Mar 2031/);
  await form(`note-${chartId}`, { "What is so now": "A piano was given" }, "Added a note", /A piano was given/);
  await form(`reword-${chartId}`, { "Desired outcome": "The choir sings by heart" }, "Changed the outcome", /sings by heart/);
  await form(`date-${chartId}`, { Due: "2032-01-02" }, "Moved the due date", /2 Jan 2032/);
  await press(id(`fact-${chartId}-0`));
  await said("Removed");
  assert.doesNotMatch(await chart.innerText(), /Eleven voices/);
  await taken();
  await assistant.call("mark_action_complete", { actionStepName: step });
  await page.locator(`[id="done-${chartId}"] > summary`).waitFor();
  await press(page.locator(`[id="done-${chartId}"] > summary`));
  await press(id(`step-reopen-${step}`));
  await said("Reopened: Warm-ups written");
  assert.equal(await chart.innerText(), asItWas, "it is open again");
  await press(id("undo"));
  await said("Taken back");
  await page.locator(`[id="done-${chartId}"]`).waitFor();
  assert.equal(await id("undo").count(), 0, "a way back has none itself");
  await assistant.call("update_action_step", { actionStepName: step, reopen: true });
  await page.locator(`[id="done-${chartId}"]`).waitFor({ state: "detached" });

  await press(id(`close-${chartId}`));
  await press(page.getByRole("button", { name: "Save" }));
  await said("Closed");
  assert.match(await chart.innerText(), /done [\s\S]*Open again/i);
  await taken();
});

test("a field is corrected, entities are merged and split, and all of it is taken back", async () => {
  const invoice = (number, vendor) => assistant.call("submit_payload", { capability_id: "neotoma:store_invoice:v1", body: { invoice_number: number, amount: 12.5, currency: "EUR", vendor_name: vendor, date: "2025-01-15" },
    provenance: { source_refs: [`file:///srv/${number}.pdf`], extracted_at: "2025-01-15T10:30:00Z", extractor_version: "test:1" } });
  await invoice("W-1", "Weidmann Leather GmbH");
  await invoice("W-2", "Weidemann Hides AG");
  const id = async (text) => (await assistant.call("find_entities", { text, type: "company" })).entities[0].entity_id;
  const one = await id("Weidmann"), other = await id("Weidemann");
  await visit(`#/documents/${one}`);
  await press(page.locator("#correct-name"));
  assert.equal(await page.getByLabel("The right name").inputValue(), "Weidmann Leather GmbH");
  await page.getByLabel("The right name").fill("Weidmann Leather Ltd");
  await accessible(page, "the form of a field");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Corrected a field of");
  await page.locator(".truth").getByText("corrected by the user").first().waitFor();
  await press(page.locator("#withdraw-name"));
  await said("Took a correction back");
  assert.match(await page.locator(".truth").innerText(), /Weidmann Leather GmbH/);
  await press(page.locator("#undo"));
  await said("Taken back");
  assert.match(await page.locator(".truth").innerText(), /Weidmann Leather Ltd/);

  await visit(`#/documents/${other}`);
  await press(page.locator("#entity-merge"));
  await page.getByLabel("Find the other by its name").fill("Weidmann");
  await page.getByLabel(/Weidmann Leather/).check();
  await accessible(page, "the form of a merge");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Merged into another");
  await page.waitForFunction((wanted) => location.hash.endsWith(wanted), one);
  await shown(page);
  await press(page.locator("#undo"));
  await said("Taken back");
  await page.waitForFunction((wanted) => location.hash.endsWith(wanted), other);
  await visit(`#/documents/${other}`);
  await press(page.locator("#entity-merge"));
  await page.getByLabel("Find the other by its name").fill("Weidmann");
  await page.getByLabel(/Weidmann Leather/).check();
  await press(page.getByRole("button", { name: "Save" }));
  await said("Merged into another");
  await page.waitForFunction((wanted) => location.hash.endsWith(wanted), one);
  await shown(page);
  await press(page.locator("#entity-split"));
  await page.getByLabel(/Weidemann Hides/).check();
  await page.getByLabel("Name of the other").fill("Weidemann Furs");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Split");
  await press(page.locator("#undo"));
  await said("Taken back");
  const { observations } = await assistant.call("list_observations", { entity_id: one });
  assert.ok(observations.some((o) => JSON.stringify(o.fields).includes("Weidemann Hides")));
});

test("a fact of the graph is added and removed, and both are taken back", async () => {
  await assistant.call("create_entities", { entities: [{ name: "Renatus Horn", entityType: "person", observations: ["Makes reeds"] }] });
  await visit("#/graph/Renatus%20Horn");
  const facts = page.locator(".details .facts");
  await press(page.locator("#node-note"));
  await page.getByLabel("What is known of it").fill("Lives in Graz");
  await press(page.getByRole("button", { name: "Save" }));
  await said("Added a note");
  await facts.getByText("Lives in Graz", { exact: true }).waitFor();
  await press(page.locator("#undo"));
  await said("Taken back");
  await facts.getByText("Lives in Graz", { exact: true }).waitFor({ state: "detached" });
  await press(page.locator("#node-fact-0"));
  await said("Removed: Makes reeds");
  await facts.getByText("Makes reeds", { exact: true }).waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await said("Taken back");
  await facts.getByText("Makes reeds", { exact: true }).waitFor();
});

test("hostile texts do no harm where they can be changed", async () => {
  const text = `<img src=x onerror="window.broken=1">\u202Eevil\u202C שלום`;
  const id = await anInsight(text);
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  assert.equal(await page.getByLabel("What is so").inputValue(), text);
  await page.getByLabel("What is so").fill(`${text} <script>window.broken=1</script>`);
  await press(page.getByRole("button", { name: "Save" }));
  await said("Changed the insight");
  await visit("#/changes");
  await page.getByRole("button", { name: /Undo/ }).first().waitFor();
  await accessible(page, "the changes made here");
  assert.equal(await page.evaluate(() => window.broken), undefined);
});

test("one search box stands on every page, and the arrow keys lead through its results", async () => {
  await visit("#/charts");
  await page.keyboard.press("/");
  await page.keyboard.type("concert");
  await page.keyboard.press("Enter");
  await page.locator("a.open").first().waitFor();
  await reach(page.locator("a.open").first());
  await page.keyboard.press("ArrowDown");
  assert.ok(await page.locator("a.open").nth(1).evaluate((link) => link === document.activeElement));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !location.hash.startsWith("#/search"));
});

test("an unknown address says so", async () => {
  for (const hash of ["#/nowhere", "#/memory/nothing"]) {
    await visit(hash);
    await page.getByText("There is nothing at this address").waitFor();
  }
});

test("a closed server is said clearly and nothing is lost", async () => {
  const id = await anInsight("The tracker is of spruce.");
  await visit(`#/memory/insight/${id}`);
  await press(page.locator(`#insight-edit-${id}`));
  await page.getByLabel("What is so").fill("The tracker is of cedar.");
  const expected = faults.splice(0);
  await server.stop();
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByRole("alert").getByText("no longer running").waitFor();
  assert.equal(await page.getByLabel("What is so").inputValue(), "The tracker is of cedar.");
  assert.deepEqual(expected.filter((f) => !/40[349]/.test(f)), [], "nothing but refusals happened before, and the question for what was forgotten");
  const { versions } = await assistant.call("get_insight_history", { id });
  assert.equal(versions.length, 1);
});
