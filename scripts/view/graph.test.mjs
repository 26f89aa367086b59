// The graph of the page: names of relations, colours of types, neighbours, and
// the list for those who do not see the picture.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { connect, hostile } from "./memory.mjs";
import { accessible, enter, everyLook, folder, go, inLooks, launch, open, serve, settled, shown, unfold } from "./page.mjs";

const desk = { width: 1280, height: 860 };
const long = "Voices reed pipes in the warm months. ".repeat(80).trim();
let place, db, browser, server, page, faults;

before(async () => {
  place = folder();
  db = path.join(place.dir, "toolkit.db");
  await remember(db);
  server = await serve(db);
  browser = await launch();
  ({ page, faults } = await visitor(server));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  place?.remove();
});

async function remember(db) {
  const toolkit = await connect(db);
  const entity = (name, entityType, ...observations) => ({ name, entityType, observations });
  const relation = (from, relationType, to) => ({ from, to, relationType });
  const parts = Array.from({ length: 130 }, (_, i) => `Pipe ${i + 1}`);
  await toolkit.call("create_entities", { entities: [
    entity("Anna", "person", "Reads every draft", long, ...Array.from({ length: 60 }, (_, i) => `Draft ${i + 1} was read`)), entity("Jonas", "person"), entity("Mira", "person"),
    entity("Pipe works", "company"), entity("Berlin", "place"), entity("Alone", "note", "Related to nothing"), entity("Organ", "project", "Has many pipes"),
    ...parts.map((name) => entity(name, "pipe")), ...hostile.map((name, i) => entity(name, i % 2 ? "note" : "<b>type</b>")),
  ] });
  await toolkit.call("create_relations", { relations: [
    relation("Anna", "works_at", "Pipe works"), relation("Pipe works", "located_in", "Berlin"), relation("Mira", "lives_in", "Berlin"), relation("Jonas", "works_at", "Pipe works"),
    relation("Anna", "knows", "Jonas"), relation("Jonas", "is_taught_by", "Anna"), relation("Anna", "praises", "Anna"), relation("Jonas", "voices", "Organ"),
    ...parts.map((name) => relation("Organ", "has_pipe", name)),
    relation("Mira", "wrote", hostile[0]), ...hostile.slice(1).map((name, i) => relation(name, "<i>comes after</i>", hostile[i])),
  ] });
  await toolkit.close();
}

// A visitor whose pictures tell which texts they show: those written since the
// picture was last wiped, with the room that they take.
async function visitor(server) {
  const one = await open(browser, server, { reducedMotion: "reduce", viewport: desk });
  await one.page.addInitScript(() => {
    window.written = [];
    const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      window.written = [];
      clearRect.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const width = this.measureText(text).width;
      window.written.push({ text, relation: this.font.startsWith("italic"), color: this.fillStyle, left: x - width / 2, right: x + width / 2, top: y, bottom: y + parseFloat(this.font.replace("italic ", "")) });
      fillText.call(this, text, x, y);
    };
  });
  await enter(one.page, server);
  return one;
}

const visit = async (hash, on = page, at = server) => {
  await go(on, at, hash);
  await settled(on);
  await painted(on);
};

// What is drawn next is drawn.
const painted = (on = page) => on.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const drawn = async (on = page) => Number(await on.locator("canvas").getAttribute("data-nodes"));
const written = () => page.evaluate(() => window.written);
const luminance = (color) => color.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
const rgb = (color) => (color.startsWith("#") ? `rgb(${[1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)).join()})` : color);

test("relations carry their names, which cover no name of an entity and can be read in both themes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await visit("#/graph/Pipe%20works");
    await page.waitForFunction(() => window.written.some((w) => w.relation));
    const texts = await written(), relations = texts.filter((w) => w.relation), names = texts.filter((w) => !w.relation);
    assert.deepEqual(relations.map((w) => w.text).sort(), ["located in", "works at", "works at"]);
    assert.deepEqual(names.map((w) => w.text).sort(), ["Anna", "Berlin", "Jonas", "Pipe works"]);
    const paper = await page.locator("canvas").evaluate((e) => getComputedStyle(e).backgroundColor);
    for (const w of texts) assert.ok(contrast(rgb(w.color), paper) >= 4.5, `${w.text} in ${w.color} on ${paper}`);
  }
  for (const hash of ["#/graph", "#/graph/Organ", "#/graph/Anna", `#/graph/${encodeURIComponent(hostile[1])}`]) {
    await visit(hash);
    const texts = await written();
    for (const [i, one] of texts.entries()) {
      for (const other of texts.slice(0, i)) assert.ok(one.left >= other.right || one.right <= other.left || one.top >= other.bottom || one.bottom <= other.top, `${hash}: ${one.text} covers ${other.text}`);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
});

test("every entity carries its name, also where there are many around one and where one is selected", async () => {
  for (const hash of ["#/graph/Organ", "#/graph/Pipe%20works", "#/graph/Anna", "#/graph/Berlin"]) {
    await visit(hash);
    assert.equal((await written()).filter((w) => !w.relation).length, await drawn(), hash);
  }
  await visit("#/graph"); // in a crowd of 146 not all have room: the pointer tells the others
  const names = (await written()).filter((w) => !w.relation);
  assert.ok(names.length >= 70, `${names.length} have a name`);
  const told = await page.locator("canvas").evaluate((canvas) => {
    const box = canvas.getBoundingClientRect(), found = new Set();
    for (let x = 4; x < box.width; x += 8) for (let y = 4; y < box.height; y += 8) {
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + x, clientY: box.y + y, pointerId: 7 }));
      found.add(canvas.title);
    }
    return found.size;
  });
  assert.ok(told > 140, `${told} are told`);
});

test("of 90 entities nearly all have their whole names on a small desk, of 200 most on a large one", async () => {
  for (const [n, viewport, most] of [[90, { width: 1440, height: 900 }, 1], [200, { width: 1920, height: 1080 }, 40], [200, { width: 1280, height: 860 }, 100]]) {
    const crowd = path.join(place.dir, `crowd-${n}-${viewport.width}.db`), toolkit = await connect(crowd), name = (i) => (i % 3 ? `Person number ${i}` : `Keeper of the mills at number ${i}`);
    await toolkit.call("create_entities", { entities: Array.from({ length: n }, (_, i) => ({ name: name(i), entityType: `type ${i % 18}`, observations: [] })) });
    await toolkit.call("create_relations", { relations: Array.from({ length: n - 1 }, (_, i) => ({ from: name(i + 1), to: name(Math.floor(i / 4)), relationType: "works_with" })) });
    await toolkit.close();
    const shop = await serve(crowd), other = await visitor(shop), named = async () => Number(await other.page.locator("canvas").getAttribute("data-named"));
    await other.page.setViewportSize(viewport);
    await visit("#/graph", other.page, shop);
    assert.ok(n - (await named()) <= most, `${await named()} of ${n} have a name at ${viewport.width}`);
    const texts = (await other.page.evaluate(() => window.written)).filter((w) => !w.relation);
    assert.deepEqual(texts.filter((w) => w.text.includes("…")), [], "none is cut");
    for (const [i, one] of texts.entries()) for (const two of texts.slice(0, i)) assert.ok(one.left >= two.right || one.right <= two.left || one.top >= two.bottom || one.bottom <= two.top, `${one.text} covers ${two.text}`);
    for (let i = 0; i < 3; i++) await other.page.getByRole("button", { name: "Zoom in" }).click();
    await painted(other.page);
    assert.ok((await other.page.evaluate(() => window.written)).every((w) => w.relation || w.bottom - w.top > 9), "closer by letters are larger");
    assert.deepEqual(other.faults, []);
    await other.context.close();
    await shop.stop();
  }
});

test("a name that is too long keeps its beginning and its end", async () => {
  await visit(`#/graph/${encodeURIComponent(hostile[7])}`);
  const lines = (await written()).filter((w) => /^x+(…x+)?$/.test(w.text)).map((w) => w.text);
  assert.ok(lines.length <= 3 && lines.some((line) => line.includes("…")) && lines.at(-1).endsWith("x"), lines.join("\n"));
});

test("relations that lead back and forth have a name each, and one to itself is named too", async () => {
  await visit("#/graph/Anna");
  await page.waitForFunction(() => window.written.some((w) => w.relation));
  assert.deepEqual((await written()).filter((w) => w.relation).map((w) => w.text).sort(), ["is taught by", "knows", "praises", "works at"]);
});

test("a type looks the same on every visit, in every picture and whatever was met before", async () => {
  const looks = async (on, hash, at) => {
    await visit(hash, on, at);
    return on.locator(".types-shown button").evaluateAll((all) => Object.fromEntries(all.map((b) => [b.querySelector("bdi").textContent, b.querySelector("svg").firstChild.outerHTML])));
  };
  const here = { ...(await looks(page, "#/graph/Berlin")), ...(await looks(page, "#/graph/Alone")), ...(await looks(page, "#/graph/Organ")) };
  const again = await serve(db), other = await visitor(again);
  const there = {};
  for (const hash of ["#/graph/Organ", "#/graph/Alone", "#/graph/Berlin"]) Object.assign(there, await looks(other.page, hash, again));
  assert.deepEqual(there, here);
  assert.deepEqual(Object.keys(here).sort(), ["company", "note", "person", "pipe", "place", "project"]);
  for (const [what, part] of [["colour", /--hue-\d+/], ["shape", /points="[^"]*"|<circle/]]) assert.equal(new Set(Object.values(here).map((look) => part.exec(look)[0])).size, 6, `each has a ${what} of its own`);
  assert.deepEqual(other.faults, []);
  await other.context.close();
  await again.stop();
});

test("every colour of a type stands out from the picture and the page, in light and in dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await visit("#/graph");
    const { colors, papers } = await page.locator("canvas").evaluate((canvas) => {
      const colors = [];
      for (let i = 0; getComputedStyle(canvas).getPropertyValue(`--hue-${i}`) !== ""; i++) {
        canvas.style.color = `var(--hue-${i})`;
        colors.push(getComputedStyle(canvas).color);
      }
      canvas.style.color = "";
      return { colors, papers: [canvas, document.body].map((e) => getComputedStyle(e).backgroundColor) };
    });
    assert.equal(new Set(colors).size, 12);
    for (const color of colors) for (const paper of papers) assert.ok(contrast(color, paper) >= 3, `${color} on ${paper}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
});

test("the legend counts the types, and hides and shows them by keyboard, also after a reload", async () => {
  await visit("#/graph/Pipe%20works");
  assert.equal(await drawn(), 4);
  assert.deepEqual(await page.locator(".types-shown button").allInnerTexts(), ["person\n2", "company\n1", "place\n1"]);
  await page.getByRole("button", { name: "person 2" }).focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("canvas").dataset.nodes === "2");
  assert.equal(await page.locator("#announcer").innerText(), "person: hidden");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "false", "the focus stays on it");
  assert.match(page.url(), /#\/graph\/Pipe%20works\?hide=person$/);
  await page.reload();
  await shown(page);
  await settled(page);
  assert.equal(await drawn(), 2);
  assert.match(await page.locator("#graph-summary").innerText(), /2 of them are hidden/);
  await page.locator(".details").getByRole("button", { name: "Anna" }).click(); // who chooses one of the type sees it again
  await page.locator(".details h2", { hasText: "Anna" }).waitFor();
  await settled(page);
  assert.equal(await drawn(), 4);
  assert.match(page.url(), /#\/graph\/Anna$/);
});

test("a click on the selected entity brings in its neighbours, fifty at a time", async () => {
  await visit("#/graph/Organ");
  assert.equal(await drawn(), 51);
  assert.equal(await page.locator("#graph-drawn").innerText(), "50 of its 131 relations are in the picture.");
  await page.locator("canvas").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("canvas").dataset.nodes === "101");
  assert.match(await page.locator("#announcer").innerText(), /50 entities added; 31 more relations/);
  await page.getByRole("button", { name: "Show its neighbours" }).click();
  await page.waitForFunction(() => document.getElementById("graph-drawn").textContent === "All its relations are in the picture.");
  assert.equal(await drawn(), 132);

  await visit("#/graph/Berlin");
  const { x, y } = await page.evaluate(() => window.written.find((w) => w.text === "Pipe works")).then((w) => ({ x: (w.left + w.right) / 2, y: w.top }));
  const canvas = page.locator("canvas"), box = await canvas.boundingBox();
  const spots = [[0, -18], [0, 32], [-52, 8], [52, 8]]; // the entity is on one side of its name
  for (const [dx, dy] of spots) {
    await page.mouse.move(box.x + x + dx, box.y + y + dy);
    if (!(await canvas.evaluate((e) => e.classList.contains("over-node")))) continue;
    await page.mouse.click(box.x + x + dx, box.y + y + dy);
    await page.locator(".details h2", { hasText: "Pipe works" }).waitFor();
    await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
    assert.equal(await drawn(), 3);
    await page.mouse.click(box.x + x + dx, box.y + y + dy);
    break;
  }
  await page.waitForFunction(() => document.querySelector("canvas").dataset.nodes === "5");
});

test("the list tells all that is drawn: it is filtered, sorted, and names the relations", async () => {
  await visit("#/graph"); // from elsewhere
  await visit("#/graph/Pipe%20works");
  await unfold(page.locator("#graph-list summary"));
  assert.ok(await page.evaluate(() => document.querySelector(".drawn table").offsetWidth >= document.querySelector(".graph").offsetWidth - 24), "the table is as wide as the page");
  const column = (i) => page.locator(".drawn tbody tr").evaluateAll((rows, n) => rows.map((row) => row.children[n].textContent), i);
  assert.deepEqual((await column(0)).sort(), ["Anna", "Berlin", "Jonas", "Pipe works"]);
  await page.getByRole("button", { name: "Entity", exact: true }).click();
  assert.deepEqual(await column(0), ["Anna", "Berlin", "Jonas", "Pipe works"]);
  assert.equal(await page.locator(".drawn th").first().getAttribute("aria-sort"), "ascending");
  assert.equal(await page.evaluate(() => document.activeElement.id), "graph-sort-0", "the focus stays on the column");
  await page.keyboard.press("Enter");
  assert.deepEqual(await column(0), ["Pipe works", "Jonas", "Berlin", "Anna"]);
  await page.getByLabel("List").selectOption("relations");
  assert.deepEqual(await page.locator(".drawn tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((c) => c.textContent).join(" "))),
    ["Anna knows Jonas", "Anna praises Anna", "Anna works at Pipe works", "Jonas is taught by Anna", "Jonas works at Pipe works", "Pipe works located in Berlin"].toSorted((a, b) => a.split(" ")[0].localeCompare(b.split(" ")[0])));
  await page.getByLabel("Only with").fill("works AT");
  assert.deepEqual(await column(2), ["Pipe works", "Pipe works"]);
  assert.equal(await page.locator("#announcer").innerText(), "2 of 6 relations.");
  await page.locator(".drawn tbody").getByRole("button", { name: "Jonas" }).click();
  await page.locator(".details h2", { hasText: "Jonas" }).waitFor();
});

test("a change in another process appears in the picture, which stays as it is otherwise", async () => {
  await visit("#/graph/Organ");
  await page.getByRole("button", { name: "Show its neighbours" }).click();
  await page.waitForFunction(() => document.querySelector("canvas").dataset.nodes === "101");
  await page.getByRole("button", { name: "project 1" }).click();
  await page.locator(".details").getByRole("button", { name: "Pipe 7", exact: true }).click();
  await page.locator(".details h2", { hasText: "Pipe 7" }).waitFor();
  await settled(page);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await painted();
  const before = (await written()).find((w) => w.text === "Pipe 7"), address = page.url();
  await page.evaluate(() => {
    document.getElementById("announcer").textContent = "";
    document.querySelector("canvas").dataset.old = "yes";
  });
  const toolkit = await connect(db); // another process
  await toolkit.call("add_observations", { observations: [{ entityName: "Pipe 7", contents: ["Was voiced meanwhile"] }] });
  await toolkit.call("create_relations", { relations: [{ from: "Pipe 7", to: "Pipe 7", relationType: "echoes" }] });
  await toolkit.close();
  await page.waitForFunction(() => document.querySelectorAll("canvas").length === 1 && !document.querySelector("canvas").dataset.old && document.querySelector("canvas").dataset.settled === "true" && /echoes/.test(document.querySelector(".details").textContent));
  await painted();
  assert.equal(await drawn(), 100, "a type that is hidden stays so");
  assert.equal(page.url(), address);
  assert.match(await page.locator(".details").innerText(), /Pipe 7[\s\S]*Was voiced meanwhile[\s\S]*echoes/);
  assert.equal(await page.locator("canvas").getAttribute("data-edges"), "1", "the new relation is drawn, and those of what is hidden are not");
  assert.equal(await page.locator("#announcer").innerText(), "", "nothing is announced again");
  const after = (await written()).find((w) => w.text === "Pipe 7");
  assert.ok(Math.hypot(after.left - before.left, after.top - before.top) < 25, `it moved from ${before.left} ${before.top} to ${after.left} ${after.top}`);
  await go(page, server, "#/");
  await visit("#/graph/Berlin");
  assert.equal(await drawn(), 3, "another address begins afresh");
});

test("what is known is shown piece by piece, each with its place for what can be done", async () => {
  await visit("#/graph/Anna");
  const facts = page.locator(".details .facts > li");
  assert.equal(await facts.count(), 30);
  assert.equal(await facts.locator(".actions").count(), 30);
  assert.equal(await page.locator("#entity-actions.actions").count(), 1);
  await page.getByRole("button", { name: "Show more of what is known" }).click();
  await page.getByRole("button", { name: "Show more of what is known" }).click();
  assert.equal(await facts.count(), 62);
  assert.equal(await page.getByRole("button", { name: "Show more of what is known" }).count(), 0);
});

test("hostile names are text in the legend and in the list", async () => {
  await visit(`#/graph/${encodeURIComponent(hostile[3])}`);
  await unfold(page.locator("#graph-list summary"));
  await page.getByLabel("List").selectOption("relations");
  const listed = await page.locator(".drawn tbody tr").allTextContents();
  assert.ok(listed.some((text) => text.includes(hostile[3])), listed.join("\n"));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("main img, main script, main b, main i").count(), 0);
});

test("axe finds nothing and nothing is cut at five sizes, in light and in dark", async () => {
  const hashes = ["#/graph/Anna?hide=person", `#/graph/${encodeURIComponent(hostile[3])}`];
  for (const [{ size, colorScheme }, addresses] of inLooks(everyLook, hashes)) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const hash of addresses) {
      await visit(hash);
      await page.locator("#graph-list").evaluate((details) => (details.open = true));
      await page.locator(".drawn tbody tr").first().waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} at ${size.width} scrolls sideways`);
      await accessible(page, `${hash} ${colorScheme} ${size.width}`);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
  await page.setViewportSize(desk);
});

test("the page made no error and asked nobody else", () => {
  assert.deepEqual(faults, []);
});
