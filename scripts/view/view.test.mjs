// The page in a real browser over a small memory with hostile names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { binary, fill, hostile } from "./memory.mjs";
import { accessible as accessibleAs, enter, folder, go, inLooks, launch, open, serve, settled, shown, unfold } from "./page.mjs";
import { target, vendored } from "./vendor.mjs";

let place, db, browser, server, page, faults;

before(async () => {
  place = folder();
  db = path.join(place.dir, "toolkit.db");
  await fill(db);
  uploadInvoice();
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

// A document of a file, with markup in it.
function uploadInvoice() {
  const invoices = path.join(place.dir, "invoices");
  mkdirSync(invoices);
  writeFileSync(path.join(invoices, "mill.txt"), "INVOICE\n\nInvoice number: T-17\nInvoice date: 2025-03-02\nVendor: Northwind Mill GmbH\n\nRemark: <script>alert(1)</script>\nTotal: 119.00 EUR\n");
  execFileSync(binary, ["import", invoices, "--db", db], { stdio: "ignore" });
}

const visit = (hash) => go(page, server, hash);
const heading = () => page.locator("h1").innerText();

test("the layout library is the pinned one", () => {
  assert.equal(readFileSync(target, "utf8"), vendored(), "run npm run vendor");
});

test("the address leads to the overview, once", async () => {
  assert.equal(page.url(), `${server.origin}/`, "the token is gone from the address");
  assert.equal(await heading(), "What is remembered");
  assert.deepEqual(await page.locator("#sections a").evaluateAll((links) => links.map((a) => a.firstChild.textContent)), ["Overview", "Search", "Timeline", "Sessions", "Memory", "Knowledge graph", "Charts", "Documents", "Tool calls"]);
  assert.equal(await page.evaluate(() => document.cookie), "", "scripts cannot read the cookie");
  const other = await open(browser, server);
  await other.page.goto(server.address);
  assert.match(await other.page.locator("main").innerText(), /no longer works/);
  await other.context.close();
});

test("nothing but the address is printed, and on standard error", () => {
  const { out, err } = server.printed();
  assert.equal(out, "");
  assert.match(err, /^toolkit view: open http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\nThe address works once\. Ctrl-C ends the view\.\n$/);
});

test("charts show outcome, steps, due dates, reality and what is inside a step", async () => {
  await visit("#/charts");
  const organ = page.locator("article", { hasText: "The chapel organ sounds" });
  assert.match(await organ.locator("header").innerText(), /25%, 1 of 4 steps[\s\S]*due .*in \d+ months/);
  assert.deepEqual(await organ.locator(".between > .steps > li > .step-line .step-title").allInnerTexts(),
    ["All twelve stops voiced", "Organ set up in the chapel", "Concert programme agreed with Ada"], "open ones by what is due first");
  await organ.locator(".between > details > summary").click();
  assert.match(await organ.locator(".between > details").innerText(), /Wind chest tight and tested[\s\S]*completed /);
  assert.match(await page.locator("section[aria-labelledby=next]").innerText(), /Reed stops voiced[\s\S]*for The chapel organ sounds/);
  assert.match(await organ.locator(".inside").first().innerText(), /Reed stops voiced[\s\S]*Gedackt 8′ are voiced/);
  await organ.locator("summary", { hasText: "Story so far" }).click();
  await organ.getByText("The first pipe speaks").waitFor();
  await organ.getByRole("link", { name: "The chapel organ sounds" }).click();
  await page.getByRole("heading", { level: 1, name: "Chart", exact: true }).waitFor();
  await shown(page);
  assert.match(page.url(), /#\/charts\/chart_/);
  assert.equal(await page.locator("article").count(), 1);
});

test("the graph is searched, selected, expanded and listed in words", async () => {
  await visit("#/graph");
  await settled(page);
  const all = Number(await page.locator("canvas").getAttribute("data-nodes"));
  assert.ok(all > 30, `${all} entities are drawn`);
  const counted = Number(await page.locator("#section-graph .count").innerText());
  assert.match(await page.locator("#graph-summary").innerText(), new RegExp(`^All ${counted} entities and 26 relations, and ${all - counted} charts, steps and beats\\.$`), "as the menu and the first page count");
  await page.getByLabel("Search the graph").fill("tea");
  await page.keyboard.press("Enter");
  await page.locator(".chips button", { hasText: "Anna" }).click();
  await page.locator(".details h2", { hasText: "Anna" }).waitFor();
  assert.match(await page.locator(".details").innerText(), /Likes Earl Grey tea[\s\S]*is friend of[\s\S]*Ada[\s\S]*reads[\s\S]*Novel/);
  assert.match(page.url(), /#\/graph\/Anna$/);
  await page.getByRole("button", { name: "Show only these" }).click();
  await page.waitForFunction(() => document.querySelector("canvas").dataset.nodes === "3");
  await page.locator(".details").getByRole("button", { name: "Ada" }).click();
  await page.locator(".details h2", { hasText: "Ada" }).waitFor();
  await page.getByRole("button", { name: "Show its neighbours" }).click();
  await page.waitForFunction(() => Number(document.querySelector("canvas").dataset.nodes) === 5);
  await unfold(page.locator("summary", { hasText: "as a list" }));
  assert.deepEqual((await page.locator(".drawn tbody button").allInnerTexts()).sort(), ["Ada", "Anna", "Chapel organ", "Jonas", "Novel"]);
});

test("a click on the canvas selects what is drawn there", async () => {
  await visit("#/graph/Novel");
  await settled(page);
  const box = await page.locator("canvas").boundingBox();
  await page.locator(".details h2", { hasText: "Novel" }).waitFor();
  // The pointer changes over an entity; each place where it does is one to try.
  const places = await page.locator("canvas").evaluate((canvas, { x, y, width, height }) => {
    const over = [];
    for (let dy = 9; dy < height; dy += 18) {
      for (let dx = 9; dx < width; dx += 18) {
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x + dx, clientY: y + dy, pointerId: 7 }));
        if (canvas.classList.contains("over-node")) over.push([x + dx, y + dy]);
      }
    }
    return over;
  }, box);
  const selected = new Set();
  for (const [x, y] of places) {
    await page.keyboard.press("Escape"); // a second click on one that is selected would bring in others
    await page.mouse.click(x, y);
    await page.waitForFunction(() => !document.querySelector(".details[aria-busy]"));
    selected.add(await page.locator(".details h2").innerText());
  }
  assert.deepEqual([...selected].sort(), ["<img src=x onerror=\"window.broken=1\">", "Anna", "Novel"]);
});

test("everything can be done with the keyboard", async () => {
  await page.goto("about:blank");
  await visit("#/");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.locator("#section-graph").focus();
  await page.keyboard.press("Enter");
  await settled(page);
  await page.waitForFunction(() => document.activeElement.tagName === "H1");
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.locator(".details h2:not(:text('Nothing selected'))").waitFor();
  const first = await page.locator(".details h2").innerText();
  assert.match(await page.locator("#announcer").innerText(), /relation/);
  for (const key of ["ArrowLeft", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
  await page.waitForFunction((name) => document.querySelector(".details h2").innerText !== name && !document.querySelector(".details[aria-busy]"), first);
  for (const key of ["Enter", "+", "-", "0"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.id), "picture", "the focus stays in the picture");
});

test("the search is recall: each group holds what an assistant is told, in its order, with the place of each hit", async () => {
  await visit("#/");
  await page.getByLabel("Search everything remembered").fill("when is the concert in August?");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
  await shown(page);
  assert.match(await page.locator("#announcer").innerText(), /\d+ results?, best first/);
  assert.ok((await page.locator(".hit mark").allInnerTexts()).some((m) => /concert/i.test(m)));
  const told = JSON.parse(execFileSync(binary, ["recall", "when is the concert in August?", "--max-tokens", "20000", "--json", "--db", db], { encoding: "utf8", cwd: "/" }));
  const isNear = (f) => f.note?.startsWith("near in meaning"), matches = told.found.filter((f) => !isNear(f));
  const groups = { "What was said": /dialogue/, "Insights and lessons": /insight|episode|working/, "Knowledge graph": /^entity/, Charts: /chart|step|beat/, Documents: /truth|document|record/ };
  const names = await page.locator(".view section section").evaluateAll((list) => list.map((one) => one.getAttribute("aria-label")).filter((name) => name !== "Near in meaning"));
  assert.equal(await page.locator(".near .hit").count(), told.found.filter(isNear).length, "what is only near in meaning stands apart");
  assert.deepEqual(names, [...new Set(matches.map((f) => Object.keys(groups).find((g) => groups[g].test(f.kind))))], "the group with the best result is first");
  for (const name of names) {
    const of = matches.filter((f) => groups[name].test(f.kind)), group = page.locator(`.view section section[aria-label="${name}"]`);
    const scores = await group.locator(".score span").allInnerTexts();
    assert.deepEqual(scores.map((line) => line.split(":")[0]), of.map((f) => `${Math.round(f.relevance * 100)}% of the question`), "as in the terminal");
    for (const [i, line] of scores.entries()) {
      const text = (await group.locator(".hit").nth(i).innerText()).replace(line, "").toLowerCase();
      for (const word of line.split(": ")[1]?.split(", ") ?? []) assert.ok(text.includes(word.slice(0, 5)), `${word} is told and stands not in ${text}`);
    }
    assert.equal(await group.locator("code").count(), 0, "what an assistant calls next is no business of a reader's");
  }
  await page.getByRole("link", { name: "Knowledge graph" }).and(page.locator(".tabs a")).click();
  await page.waitForFunction(() => location.hash.endsWith("kinds=entity"));
  await shown(page);
  const sources = await page.locator(".hit .quiet").allInnerTexts();
  assert.ok(sources.length > 0 && sources.every((l) => /^Knowledge graph of /.test(l)), sources.join());
  assert.equal(await page.locator(".hit a.open").count(), sources.length, "each has a title that opens it");
  await page.locator(".hit a.open").first().click();
  await page.locator(".details h2").waitFor();
  assert.match(page.url(), /#\/graph\/./);
});

test("that nothing fits is said, and what stands beside it is only near in meaning", async () => {
  await visit("#/search?q=the+harbour+of+Zanzibar");
  assert.match(await page.locator(".poor").innerText(), /Nothing that is remembered fits/);
  assert.match(await page.locator("#announcer").innerText(), /^Nothing fits well; \d only near in meaning$/);
  assert.ok(await page.locator(".near .hit").count() > 0);
  assert.equal(await page.locator(".hit").count(), await page.locator(".near .hit").count(), "none stands among results");
  assert.equal(await page.locator(".near .score, .near progress, .near mark").count(), 0, "how much of the question it has says nothing of it");
  assert.doesNotMatch(await page.locator(".near").innerText(), /%/);
});

test("the box shows a whole question, and the arrow keys lead from it into the results and back", async () => {
  await visit("#/");
  const box = page.getByLabel("Search everything remembered"), question = "when is the concert in the chapel, and who of the workshop comes along in August?";
  await box.fill(question);
  assert.ok(await box.evaluate((e) => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth), "all of it can be read");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
  await shown(page);
  assert.equal(await box.inputValue(), question);
  assert.ok(await box.evaluate((e) => e.scrollHeight <= e.clientHeight + 1), "still");
  const focused = () => page.evaluate(() => [...document.querySelectorAll("a.open")].indexOf(document.activeElement));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1", "who asked from another section begins at the heading");
  for (const [key, place] of [["ArrowDown", 0], ["ArrowDown", 1], ["ArrowUp", 0], ["ArrowUp", -1], ["ArrowDown", 0], ["/", -1], ["ArrowDown", 0]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), place, `${key} after typing and Enter`);
  }
  await page.locator(".tabs a").first().focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), 0, "from the links above, too");
  await box.focus();
  await page.keyboard.press("End");
  for (const [key, place] of [["Control+End", -1], ["ArrowDown", 0], ["ArrowDown", 1], ["ArrowUp", 0], ["ArrowUp", -1]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), place, key);
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), "search-query");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !location.hash.startsWith("#/search"));
  await shown(page);
  assert.equal(await box.inputValue(), "");
});

test("results of documents are sentences", async () => {
  await visit("#/search?q=Northwind+Mill+invoice&kinds=document,record,truth_entity");
  const hit = page.locator(".hit", { hasText: "T-17" }).first();
  assert.match((await hit.innerText()).replaceAll("\u00a0", " "), /Invoice from Northwind Mill GmbH of 2 Mar 2025 over 119\.00 EUR, in mill\.txt\./);
  assert.doesNotMatch(await page.locator("main").innerText(), /line items|[0-9a-f]{8}-[0-9a-f]{4}/);
});

test("the first page tells the newest facts by time, of one project where one is chosen", async () => {
  await visit("#/");
  const facts = page.locator("section[aria-labelledby=newest]"), times = await facts.locator(".lines a + .quiet").allInnerTexts();
  assert.ok(times.length > 2 && times.every((t) => /, (project .+|no project), /.test(t)), times.join("\n"));
  assert.deepEqual(await page.locator(".view h2").allInnerTexts(), ["Newest facts", "What is next", "Last sessions", "In all projects", "What the graph holds"]);
  assert.match(await page.locator(".tiles li").evaluateAll((tiles) => tiles.map((t) => t.innerText.split("\n")[1]).join()), /^insights,sessions,episodes,documents,entities,charts$/, "memory comes first, charts later");
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "organ-shop" });
  await page.waitForFunction(() => /project=\d+/.test(location.hash));
  await shown(page);
  assert.match(await facts.locator(".lines").innerText(), /testify[\s\S]*project organ-shop, by claude-code, session The cart forgets/);
  assert.deepEqual(await page.locator(".columns h2").allInnerTexts(), ["Newest facts in organ-shop", "What is next in organ-shop", "Last sessions in organ-shop"]);
  assert.match(await page.locator("section[aria-labelledby=due]").innerText(), /In other charts[\s\S]*\nfor /, "charts of no project stand apart");
  assert.match(await page.locator("section[aria-labelledby=talks]").innerText(), /The cart forgets[\s\S]*organ-shop, claude-code, yesterday|hours ago/);
  await page.getByRole("link", { name: "What each session brought" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#/sessions?project="));
  await shown(page);
  assert.match(await page.locator(".day li", { hasText: "The cart forgets" }).locator(".brought").innerText(), /uses testify for assertions/);
});

test("sessions are listed day by day, by project and by assistant", async () => {
  await visit("#/sessions");
  const days = await page.locator(".day").evaluateAll((all) => all.map((d) => [d.querySelector("h2").textContent, d.querySelectorAll(".lines > li").length]));
  assert.deepEqual(days.map(([, n]) => n).slice(1), [3, 1]);
  assert.ok(new Date(days[1][0]) > new Date(days[2][0]), "the last day comes first");
  assert.match(await page.locator(".day").first().innerText(), /stored by an assistant/, "today an assistant stored some itself");
  assert.equal(await page.locator("#section-sessions .count").innerText(), String(days.reduce((sum, [, n]) => sum + n, 0)), "all that are counted are listed");
  assert.match(await page.locator(".day li", { hasText: "Looked for other places" }).innerText(), /side chain/);
  assert.match(await page.locator(".day li", { hasText: "The cart forgets" }).innerText(), /organ-shop, claude-code, 09:00 to 09:05, 4 turns, \d insight/);
  await page.getByLabel("Project").selectOption({ label: "organ-shop (3)" });
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForFunction(() => /project=\d+/.test(location.hash));
  await shown(page);
  assert.equal(await page.locator(".day .lines > li").count(), 3);
  await visit("#/sessions?client=codex");
  assert.match(await page.locator(".empty").innerText(), /No session is here/);
});

test("a session tells what was said and done, and what came of it", async () => {
  await visit("#/sessions/claude-code%2Fcart");
  const turns = page.locator(".turn");
  assert.deepEqual((await turns.locator("> .label").allInnerTexts()).map((t) => t.toLowerCase().split(",")[0]), ["user", "assistant", "user", "assistant"]);
  for (const closed of await turns.nth(1).locator("summary").all()) await unfold(closed);
  assert.match(await turns.nth(1).innerText(), /1 file changed\s*\/srv\/organ-shop\/cart\/store\.go\s*1 command run\s*go test \.\/cart -run Reload/);
  assert.equal(await turns.nth(1).locator("blockquote").count(), 1, "what was said is a quotation");
  await unfold(page.locator("summary", { hasText: "came from this session" }));
  await page.locator("details li a", { hasText: "uses testify for assertions" }).first().waitFor();
  await turns.nth(2).locator(".learned a", { hasText: "of the workshop uses testify" }).click();
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  await page.getByRole("link", { name: /Open in its session/ }).click();
  await page.locator(".turn[aria-current]").waitFor();
  await shown(page);
  assert.match(await page.locator(".turn[aria-current]").innerText(), /We decided: the shop uses testify/);
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("turn")), true, "reading goes on at the turn");
});

test("an extracted insight is marked wherever it is shown, and a compaction where it was", async () => {
  for (const path of ["session", "memory/insight", "memory/insights"]) {
    await page.route(`**/api/${path}?*`, async (route) => {
      const response = await route.fetch(), answer = await response.json();
      for (const i of [...(answer.insights ?? []), answer.insight].filter(Boolean)) i.extracted = true;
      if (answer.turns) answer.turns[0].compacted = true;
      await route.fulfill({ response, json: answer });
    });
  }
  await visit("#/sessions/claude-code%2Fcart");
  assert.match(await page.locator(".learned").first().innerText(), /extracted/);
  assert.match(await page.locator(".turn").first().innerText(), /Compacted/);
  await accessible("a session with marks");
  await visit("#/memory/insights");
  assert.match(await page.locator(".card").first().innerText(), /extracted/);
  await page.locator(".card a").first().click();
  await page.getByText("Noticed in what you said").waitFor();
  await page.unrouteAll();
});

test("a long session comes page by page, and a turn is found on its own", async () => {
  await visit("#/sessions/claude-code%2Flong");
  assert.equal(await page.locator(".turn").count(), 50);
  await page.getByRole("link", { name: "Later" }).first().click();
  await page.waitForFunction(() => location.hash.endsWith("from=50"));
  await shown(page);
  assert.match(await page.locator(".turn").first().innerText(), /Pipe number 51/);
  await visit("#/search?q=pipe+number+117+mixture&kinds=dialogue");
  await page.locator(".hit", { hasText: "Pipe number 117" }).locator("a.open").click();
  await page.locator(".turn[aria-current]", { hasText: "Pipe number 117" }).waitFor();
});

test("an insight leads to its sources and to what it said before", async () => {
  await visit("#/memory/insights");
  await page.locator(".card a", { hasText: "The concert moved" }).click();
  await page.getByRole("heading", { name: "Where it comes from" }).waitFor();
  const text = await page.locator("main").innerText();
  assert.match(text, /Can we move the concert\?[\s\S]*The concert takes place in June\.[\s\S]*because Mira offered August/);
  await page.getByRole("link", { name: "Episodes" }).click();
  await page.getByText("Call in the morning").waitFor();
  await page.getByRole("link", { name: "Working memory" }).click();
  await page.getByText("Tongues for the trumpet").waitFor();
});

test("a field is followed to its observation, payload and file, and back in time", async () => {
  await visit("#/documents");
  await page.getByLabel("Type").selectOption("invoice");
  await page.getByLabel("Words in it").fill("L-2041");
  await page.keyboard.press("Enter");
  await page.locator(".rows a", { hasText: "L-2041" }).first().click();
  await unfold(page.locator("[id='how-status'] > summary"));
  await page.locator(".trail").waitFor();
  assert.match(await page.locator(".trail").innerText(), /OBSERVATION[\s\S]*PAYLOAD[\s\S]*store_invoice[\s\S]*SOURCE[\s\S]*invoices\/L-2041\.pdf/i);
  assert.equal(await page.locator("#history ~ .timeline > li").count(), 3);
  const oldest = page.locator("#history ~ .timeline > li").last();
  await oldest.getByRole("button", { name: "What was true then?" }).click();
  assert.match(await oldest.locator(".then").innerText(), /status\s*open/);
  assert.match(await page.locator("#connections ~ ul").innerText(), /settles[\s\S]*T-90/);
});

test("a field of an uploaded file leads to its line, in which markup is text", async () => {
  await visit("#/documents");
  await page.getByLabel("Type").selectOption("invoice");
  await page.getByLabel("Words in it").fill("T-17");
  await page.keyboard.press("Enter");
  await page.locator(".rows a", { hasText: "T-17" }).first().click();
  await page.getByRole("row", { name: /^amount/ }).getByRole("link", { name: "mill.txt, page 1, line 8" }).click();
  await page.locator(".numbered .spotted", { hasText: "Total: 119.00 EUR" }).waitFor();
  assert.match(await page.locator(".numbered").innerText(), /<script>alert\(1\)<\/script>/);
  assert.equal(await page.locator(".numbered script").count(), 0);
});

test("hostile names are text and nothing else, and have addresses of their own", async () => {
  for (const name of hostile) {
    await visit(`#/graph/${encodeURIComponent(name)}`);
    await page.locator(".details .facts").waitFor();
    assert.equal(await page.locator(".details h2").evaluate((e) => e.textContent), name);
    assert.equal(await page.locator(".details h2 bdi").count(), 1, "its direction is its own");
  }
  await visit("#/graph");
  await unfold(page.locator("summary", { hasText: "as a list" }));
  const listed = await page.locator(".drawn tbody button").evaluateAll((all) => all.map((b) => b.textContent));
  for (const name of hostile) assert.ok(listed.includes(name), name);
  await visit("#/documents?q=img");
  await page.locator(".rows a", { hasText: "<img" }).click();
  await page.getByRole("heading", { name: "History" }).waitFor();
  for (const hash of ["#/memory/insights", "#/search?q=%3Cimg%20onerror%3E", "#/sessions", "#/sessions/claude-code%2Fodd", "#/sessions/%3Cb%3E", "#/%3Cscript%3E", "#/graph/%E0%A4%A", "#/charts/%3Cb%3E", "#/memory/insight/x"]) await visit(hash);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  faults.splice(0, faults.length, ...faults.filter((f) => !/Failed to load resource.*40[04]/.test(f))); // addresses of nothing
});

test("what goes wrong is told kindly, and can be tried again", async () => {
  await visit("#/graph/Nobody");
  assert.match(await page.locator("[role=alert]").innerText(), /no entity of this name/);
  await page.route("**/api/charts?*", (route) => route.abort());
  await visit("#/charts");
  assert.match(await page.locator("[role=alert]").innerText(), /no longer running/);
  await page.unroute("**/api/charts?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("article").first().waitFor();
  faults.splice(0, faults.length, ...faults.filter((f) => !/Failed to load resource/.test(f)));
});

test("sections of pockets and calls appear with their data", async () => {
  const at = (hour) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString();
  const json = (body) => (route) => route.fulfill({ json: body });
  await page.route("**/api/overview?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), sections: ["pockets", "calls"] } });
  });
  await page.route("**/api/pockets?*", json({ pockets: [{ id: "chip-bee", name: "Chip Bee", last_reading: at(12), source: "local-demo" }] }));
  await page.route("**/api/pockets/day?*", json({ readings: [8, 9, 10, 12].map((h) => ({ at: at(h), calm: h / 20, stress: h === 9 ? null : 0.3, mqs: 0.62 })) }));
  await page.route("**/api/calls?*", json({ tools: [{ tool: "search_nodes", calls: 12, errors: 1, cached: 3, p50_ms: 2.5, p95_ms: 1200, last: at(12) }], recent: [{ at: at(12), tool: "search_nodes", agent: "desk", outcome: "success" }] }));
  await visit("#/pockets");
  await page.locator(".plot").waitFor();
  assert.equal(await page.locator(".plot path.series").count(), 3);
  assert.equal((await page.locator(".plot path.stress").getAttribute("d")).match(/M/g).length, 2, "a missing value leaves a gap");
  await unfold(page.locator("summary", { hasText: "as a table" }));
  assert.match(await page.locator("tbody").innerText(), /not measured/);
  await accessible("pockets");
  await visit("#/calls");
  assert.match(await page.locator("main").innerText(), /search_nodes[\s\S]*1\.2 s[\s\S]*desk/);
  await accessible("calls");
  await page.unrouteAll();
});

const accessible = (what) => accessibleAs(page, what);

test("every section is accessible in light and in dark, wide and narrow", async () => {
  const everywhere = ["#/", "#/charts", "#/graph/Chapel%20organ", "#/memory/insights", "#/memory/insight/2", "#/memory/episodes", "#/search?q=concert", "#/sessions", "#/sessions/claude-code%2Fcart", "#/documents", await document()];
  for (const [[colorScheme, width], addresses] of inLooks([["light", 1280], ["dark", 1280], ["light", 390]], everywhere)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    for (const hash of addresses) {
      await visit(hash);
      if (hash.startsWith("#/graph")) await unfold(page.locator("summary", { hasText: "as a list" }));
      for (const closed of await page.locator(".turn summary").all()) await unfold(closed);
      if (width > 400 || ["#/", "#/graph/Chapel%20organ"].includes(hash)) await accessible(`${hash} ${colorScheme} ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} at ${width} scrolls sideways`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 860 });
});

let found = null;

// The address of an entity from a document.
async function document() {
  if (found) return found;
  await visit("#/documents?q=L-2041&type=invoice");
  return (found = await page.locator(".rows a").first().getAttribute("href"));
}

test("the theme is chosen by the reader and kept", async () => {
  await visit("#/");
  const paper = () => page.evaluate(() => getComputedStyle(window.document.body).backgroundColor);
  const light = await paper();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await shown(page);
  assert.equal(await paper(), dark);
  await page.getByLabel("Theme").selectOption("auto");
  assert.equal(await paper(), light);
});

test("whoever wants less motion sees none", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(() => {
    window.moves = 0;
    const Original = Worker;
    window.Worker = class extends Original {
      constructor(...args) {
        super(...args);
        this.addEventListener("message", () => window.moves++);
      }
    };
  });
  await page.goto("about:blank");
  await visit("#/graph");
  await settled(page);
  assert.equal(await page.evaluate(() => window.moves), 1);
  await page.emulateMedia({ reducedMotion: null });
});

test("an empty memory says what to do", async () => {
  const bare = folder(), db = path.join(bare.dir, "toolkit.db");
  execFileSync(binary, ["serve", "--stdio", "--db", db], { input: "", stdio: ["pipe", "ignore", "ignore"] }); // makes the database
  const other = await serve(db), visitor = await open(browser, other);
  await enter(visitor.page, other);
  for (const [hash, advice] of [["#/", /Nothing is remembered yet[\s\S]*toolkit import/], ["#/sessions", /No session was captured yet[\s\S]*toolkit capture --all/], ["#/charts", /no chart yet[\s\S]*Tell your assistant/], ["#/graph", /graph is empty/], ["#/memory", /no insight yet/], ["#/memory/episodes", /no episode yet/], ["#/memory/working", /empty/], ["#/documents", /No document/]]) {
    await go(visitor.page, other, hash);
    assert.match(await visitor.page.locator(".empty").innerText(), advice);
  }
  assert.deepEqual(visitor.faults, []);
  await visitor.context.close();
  assert.equal(await other.stop(), 0, "Ctrl-C ends it well");
  bare.remove();
});

test("the page made no error and asked nobody else", () => {
  assert.deepEqual(faults, []);
});
