// The page on a telephone, a tablet and a desk, in light and dark, magnified,
// by keyboard alone, and with texts and names of unusual shape.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { binary, connect, fill } from "./memory.mjs";
import { accessible, enter, folder, go, inBothThemes, inLooks, launch, open, serve, settled, unfold } from "./page.mjs";

const desk = { width: 1280, height: 800 }, tablet = { width: 768, height: 1024 }, phone = { width: 375, height: 812 };
const magnified = { width: 640, height: 400 }; // the desk at 200 %
const narrowest = { width: 320, height: 640 };
const long = "The reeds need the warm months. ".repeat(150).trim();
const unseen = "\u200b\u2060", endless = "W".repeat(5000), hebrew = "שלום ".repeat(500).trim();
let place, db, browser, server, page, faults;

before(async () => {
  place = folder();
  db = path.join(place.dir, "toolkit.db");
  await fill(db);
  execFileSync(binary, ["pockets", "demo", "--db", db], { stdio: ["ignore", "ignore", "inherit"] });
  await strangeShapes();
  server = await serve(db, "--write"); // everything that can be done is shown too
  browser = await launch();
  ({ page, faults } = await open(browser, server, { reducedMotion: "reduce", viewport: desk }));
  await enter(page, server);
  await page.evaluate(() => fetch("/api/allow", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  place?.remove();
});

// A name without a visible letter is refused by the tools; a file may bring one.
async function strangeShapes() {
  const file = path.join(place.dir, "strange.jsonl");
  writeFileSync(file, [
    ...[unseen, endless, hebrew].map((name) => ({ type: "entity", name, entityType: "note", observations: [long] })),
    ...[[unseen, endless], [endless, hebrew]].map(([from, to]) => ({ type: "relation", from, to, relationType: "follows" })),
  ].map((line) => JSON.stringify(line)).join("\n"));
  execFileSync(binary, ["import", file, "--db", db], { stdio: "ignore" });
  const toolkit = await connect(db);
  await toolkit.call("compress_to_l2_insight", { content: long, source_ids: [] });
  await toolkit.call("store_episode", { query: "Voice the reeds", reward: 0.5, reflection: long });
  await toolkit.call("submit_payload", {
    capability_id: "neotoma:store_note:v1", body: { title: unseen, content: long },
    provenance: { source_refs: ["notes/blank.md"], extracted_at: "2026-03-14T08:00:00Z", extractor_version: "reader:v1.2", agent_id: "note-reader" },
  });
  await toolkit.close();
}

const visit = async (hash) => {
  await go(page, server, hash);
  if (hash.startsWith("#/graph")) await settled(page);
  if (hash.startsWith("#/pockets")) await page.locator(".plot").waitFor();
};

const sections = [
  "#/", "#/charts", "#/charts?show=done", "#/changes", "#/nowhere", "#/graph", "#/graph/Chapel%20organ", "#/memory/insights", "#/memory/insight/2", "#/memory/episodes", "#/memory/working",
  "#/search", "#/search?q=reeds+concert", "#/search?q=zanzibar", "#/timeline", "#/timeline?person=user", "#/sessions", "#/sessions?project=-1", "#/sessions/claude-code%2Fcart", "#/sessions/claude-code%2Fodd", "#/sessions/claude-code%2Flong?from=50", "#/documents", "#/documents?q=nothing+of+this", "#/pockets", "#/calls",
];

test("every section fits at every size, and magnified, without scrolling sideways", async () => {
  const document = await aDocument(), chart = await aChart();
  for (const [size, addresses] of inLooks([desk, tablet, phone, magnified, narrowest], [...sections, document, chart])) {
    await page.setViewportSize(size);
    for (const hash of addresses) {
      await visit(hash);
      await unfoldAll();
      const cut = await page.evaluate(() => [...document.querySelectorAll("main :is(h1, h2, p, li, td, th, a, button, input, select, summary, svg)")].filter((e) => {
        const box = e.getBoundingClientRect();
        return box.width > 1 && !e.closest(".unseen, thead, .scroll") && (box.left < -1 || box.right > innerWidth + 1);
      }).map((e) => e.outerHTML.slice(0, 100)).slice(0, 3));
      assert.deepEqual(cut, [], `${hash} at ${size.width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} at ${size.width} scrolls sideways`);
    }
  }
  await page.setViewportSize(desk);
});

test("axe finds nothing in any section, in light and in dark, on a desk and on a telephone", async () => {
  const document = await aDocument(), chart = await aChart();
  for (const [{ size, colorScheme }, addresses] of inLooks(inBothThemes([desk, phone]), [...sections, document, chart])) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const hash of addresses) {
      await visit(hash);
      if (size === desk && colorScheme === "light" || size === phone && colorScheme === "dark") await unfoldAll();
      await accessible(page, `${hash} ${colorScheme} ${size.width}`);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
  await page.setViewportSize(desk);
});

// A chart alone.
async function aChart() {
  await visit("#/charts");
  return new URL(await page.locator("article.chart h2 a").first().getAttribute("href"), page.url()).hash;
}

// Opens what is folded and waits until it is filled.
async function unfoldAll() {
  await page.evaluate(() => document.querySelectorAll("main details").forEach((d) => (d.open = true)));
  await page.waitForFunction(() => !document.querySelector("[aria-busy]") && [...document.querySelectorAll("main details")].every((d) => d.children.length > 1));
}

async function aDocument() {
  await visit("#/documents?q=L-2041&type=invoice");
  return page.locator(".rows a").first().getAttribute("href");
}

test("the day of a pocket is as large as a telephone allows, with letters of full size", async () => {
  await page.setViewportSize(phone);
  await visit("#/pockets");
  const measured = () => page.locator(".plot").evaluate((plot) => ({ width: plot.getBoundingClientRect().width, height: plot.getBoundingClientRect().height, drawn: plot.viewBox.baseVal.width, letters: parseFloat(getComputedStyle(plot.querySelector("text")).fontSize) }));
  const small = await measured();
  assert.ok(small.width >= 290 && small.height >= 220, `${small.width} by ${small.height}`);
  assert.ok(small.drawn === small.width && small.letters >= 12, "nothing is scaled down");
  assert.equal(await page.locator(".plot text").evaluateAll((all) => {
    const hours = all.filter((t) => t.textContent.endsWith(":00")).map((t) => t.getBoundingClientRect());
    return hours.some((box, i) => i > 0 && box.left < hours[i - 1].right + 2);
  }), false, "hours do not run into each other");
  await page.setViewportSize(desk);
  await page.waitForFunction((width) => document.querySelector(".plot").getBoundingClientRect().width > 2 * width, small.width);
  const wide = await measured();
  assert.equal(wide.drawn, wide.width);
});

test("moment quality is explained: its range, its bands, its factors and where it comes from", async () => {
  await visit("#/pockets/cluny");
  const toolkit = await connect(db), told = await toolkit.call("get_pocket_moment_quality", { pocket_id: "cluny" });
  await toolkit.close();
  const text = await page.locator(".meaning-of-lines").innerText();
  const newest = /Moment quality at .* is (\d\.\d+), in the range of ([a-z ]+)\./.exec(text);
  assert.ok(newest, text);
  assert.ok(Math.abs(Number(newest[1]) - told.mqs) < 0.006, `${newest[1]} is ${told.mqs}`);
  if (told.band !== "decaying") assert.equal(newest[2].replace(" ", "_"), told.band);
  assert.match(text, /from 0 \(none\) to 1 \(most\)[\s\S]*Moment Quality Score says from 0 to 1/);
  assert.match(text, /silent below 0\.20[\s\S]*weak 0\.20 to 0\.40[\s\S]*forming 0\.40 to 0\.60[\s\S]*high resonance 0\.60 to 0\.80[\s\S]*peak from 0\.80/);
  await unfold(page.locator("summary", { hasText: "Where moment quality comes from" }));
  assert.match(await page.locator(".meaning-of-lines").innerText(), /usefulness, urgency, calmness, merchant fit and user need[\s\S]*Real Signal[\s\S]*no formula/);
});

test("no figure of the tool calls is cut on a telephone, and it stays a table to listeners", async () => {
  for (const size of [phone, tablet, narrowest]) {
    await page.setViewportSize(size);
    await visit("#/calls");
    const cut = await page.locator("td, tbody th").evaluateAll((cells) => cells.filter((c) => {
      const card = c.closest(".card").getBoundingClientRect(), box = c.getBoundingClientRect();
      return c.scrollWidth > c.clientWidth + 1 || box.left < card.left || box.right > card.right;
    }).map((c) => c.textContent));
    assert.deepEqual(cut, [], `at ${size.width}`);
    assert.ok(await page.getByRole("rowheader", { name: "submit_payload" }).first().isVisible());
    assert.equal(await page.getByRole("table").count(), 2);
    assert.ok(await page.getByRole("columnheader", { name: "95% are done in" }).count() > 0);
  }
  await page.setViewportSize(phone);
  assert.match(await page.locator("td[data-label='95% are done in']").first().evaluate((td) => getComputedStyle(td, "::before").content), /95% are done in/);
  await page.setViewportSize(desk);
});

test("a long text shows its beginning, and all of it on request", async () => {
  for (const hash of ["#/memory/episodes", "#/search?q=reeds+warm+months", `#/graph/${encodeURIComponent(unseen)}`]) {
    await visit(hash);
    const box = page.locator(".folded").first(), button = page.locator(".long > button").first();
    assert.ok((await box.boundingBox()).height < 260, hash);
    assert.equal(await button.getAttribute("aria-expanded"), "false");
    await button.click();
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    assert.ok((await box.boundingBox()).height > 300, `${hash} unfolds`);
    assert.ok((await box.textContent()).includes(long));
    await button.click();
    assert.ok((await box.boundingBox()).height < 260);
  }
});

test("names without a visible letter, or without an end, can be seen and opened", async () => {
  await visit("#/documents?q=reeds");
  await page.locator(".rows a", { hasText: "(blank)" }).click();
  await page.getByRole("heading", { level: 2, name: "(blank)" }).waitFor();
  await visit("#/graph");
  await unfold(page.locator("summary", { hasText: "as a list" }));
  await page.locator(".drawn tbody button", { hasText: "(blank)" }).first().click();
  await page.locator(".details h2", { hasText: "(blank)" }).waitFor();
  for (const name of [endless, hebrew]) {
    const choose = page.locator(".drawn tbody button", { hasText: name });
    assert.ok((await choose.boundingBox()).height < 110, "it takes three lines at most");
    await choose.click();
    await page.waitForFunction((wanted) => document.querySelector(".details h2").textContent === wanted, name);
    assert.match(page.url(), /#\/graph\?id=\d+$/);
    await page.reload();
    await page.waitForFunction((wanted) => document.querySelector(".details h2")?.textContent === wanted, name);
    await settled(page);
    await unfold(page.locator("summary", { hasText: "as a list" }));
  }
});

test("the keyboard alone reaches every control, in order, and shows where it is", async () => {
  for (const hash of ["#/charts", "#/graph/Chapel%20organ", "#/search?q=concert", "#/timeline", "#/sessions", "#/sessions/claude-code%2Fcart", await aDocument(), "#/pockets", "#/calls"]) {
    await page.goto("about:blank"); // the focus begins at the top
    await visit(hash);
    const wanted = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, summary, canvas, [tabindex='0']")].filter((e) => e.checkVisibility() && !e.closest("details:not([open]) > :not(summary)")).length);
    const reached = [];
    for (let i = 0; reached.length < wanted && i < 3 * wanted; i++) {
      await page.keyboard.press("Tab"); // a date has a stop for each of its parts
      const stop = await page.evaluate(() => {
        const e = document.activeElement, frame = e.closest(".canvas-frame:has(canvas:focus-visible)") ?? e, box = e.getBoundingClientRect();
        const order = [...document.querySelectorAll("*")].indexOf(e);
        return { what: e.outerHTML.slice(0, 80), order, ring: getComputedStyle(frame).outlineStyle !== "none" && parseFloat(getComputedStyle(frame).outlineWidth) >= 2, seen: box.bottom > 0 && box.top < innerHeight };
      });
      if (stop.order !== reached.at(-1)?.order) reached.push(stop);
    }
    assert.deepEqual(reached.filter((r) => !r.ring || !r.seen).map((r) => `${hash}: ${r.what}`), []);
    assert.deepEqual(reached.map((r) => r.order), reached.map((r) => r.order).toSorted((a, b) => a - b), `${hash}: in the order of reading`);
    assert.equal(new Set(reached.map((r) => r.order)).size, wanted, `${hash}: each once`);
  }
});

test("Escape selects nothing in the picture and empties a search", async () => {
  await visit("#/graph/Chapel%20organ");
  await page.locator(".details h2", { hasText: "Chapel organ" }).waitFor();
  await page.locator("canvas").focus();
  await page.keyboard.press("Escape");
  await page.locator(".details h2", { hasText: "Nothing selected" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/graph");
  assert.equal(await page.evaluate(() => document.activeElement.id), "picture");
  await page.getByLabel("Search the graph").fill("tea");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByLabel("Search the graph").inputValue(), "");
});

test("the edge of every field and button stands out from what is around it", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const hash of ["#/documents", "#/graph/Chapel%20organ"]) {
      await visit(hash);
      const weak = await page.evaluate(() => {
        const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const paper = getComputedStyle(document.body).backgroundColor;
        return [...document.querySelectorAll("input[type=search], select, button:not(.link)")].filter((e) => contrast(getComputedStyle(e).borderTopColor, paper) < 3).map((e) => e.outerHTML.slice(0, 80));
      });
      assert.deepEqual(weak, [], `${hash} ${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
});

test("the page made no error and asked nobody else", () => {
  assert.deepEqual(faults, []);
});
