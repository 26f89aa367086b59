// Neighbours in a graph of 50 000 entities with two hubs of 20 000 relations
// each, or a tenth of them: what is drawn and told stays bounded, and the page answers. Times are reported,
// not judged: machines differ.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { binary } from "./memory.mjs";
import { enter, folder, full, go, launch, open, serve, settled } from "./page.mjs";

const size = full ? 50_000 : 5000, ofHub = size * 2 / 5;
let place, browser, server, page, faults;

before(async () => {
  place = folder();
  const db = path.join(place.dir, "toolkit.db"), file = path.join(place.dir, "graph.jsonl");
  const relation = (from, to, relationType) => JSON.stringify({ type: "relation", from: `Entity ${from}`, to: `Entity ${to}`, relationType });
  const lines = Array.from({ length: size }, (_, i) => JSON.stringify({ type: "entity", name: `Entity ${i}`, entityType: `kind ${i % 12}`, observations: [`Fact ${i}`] }));
  for (let i = 2; i < ofHub + 2; i++) lines.push(relation(i, 0, "belongs_to"), relation(2 * i, 1, "knows")); // half of them know both
  writeFileSync(file, lines.join("\n") + "\n");
  execFileSync(binary, ["import", file, "--db", db], { stdio: "ignore" });
  server = await serve(db);
  browser = await launch();
  ({ page, faults } = await open(browser, server, { reducedMotion: "reduce" }));
  await page.addInitScript(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
    }).observe({ type: "longtask", buffered: true });
  });
  await enter(page, server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  place?.remove();
});

const drawn = async () => Number(await page.locator("canvas").getAttribute("data-nodes"));

async function timed(t, what, act) {
  await page.evaluate(() => (window.longest = 0));
  const begin = performance.now();
  await act();
  t.diagnostic(`${what}: ${Math.round(performance.now() - begin)} ms, the longest task on the main thread ${Math.round(await page.evaluate(() => window.longest))} ms`);
}

test("a hub shows some of its neighbours, and the list has each relation of the picture", async (t) => {
  await timed(t, "a hub", () => go(page, server, "#/graph/Entity%200"));
  await settled(page);
  assert.match(await page.locator("#graph-drawn").innerText(), new RegExp(`^50 of its ${ofHub.toLocaleString("en-GB")} relations`));
  await timed(t, "its next neighbours", async () => {
    for (const wanted of [101, 151]) {
      await page.locator("#graph-expand").click();
      await page.waitForFunction((n) => Number(document.querySelector("canvas").dataset.nodes) === n, wanted);
      await settled(page);
    }
  });
  await timed(t, "the list", async () => {
    await page.locator("#graph-list summary").click();
    await page.getByLabel("List").selectOption("relations");
    await page.waitForFunction(() => document.querySelectorAll(".drawn tbody tr").length === Number(document.querySelector("canvas").dataset.edges));
  });
});

test("the page made no error and asked nobody else", () => {
  assert.deepEqual(faults, []);
});
