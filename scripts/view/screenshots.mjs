// Takes the pictures of docs/view.md: node screenshots.mjs [folder]
// FONT names the typeface that stands for the system's own.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { binary, fill, hostile } from "./memory.mjs";
import { enter, folder, go, launch, open, serve, settled, shown, unfold } from "./page.mjs";

const target = path.resolve(process.argv[2] ?? fileURLToPath(new URL("../../docs/images", import.meta.url)));
mkdirSync(target, { recursive: true });
const place = folder(), db = path.join(place.dir, "toolkit.db");
await fill(db, process.argv[2] ? hostile : []);
execFileSync(binary, ["pockets", "demo", "--db", db], { stdio: "ignore" });
const server = await serve(db), browser = await launch();
const { page } = await open(browser, server, { reducedMotion: "reduce", viewport: { width: 1180, height: 780 } });
if (process.env.FONT) {
  await page.addInitScript((font) => document.addEventListener("DOMContentLoaded", () => document.documentElement.style.setProperty("--sans", font)), process.env.FONT);
}
await enter(page, server);
const take = async (name, options = {}) => page.screenshot({ path: path.join(target, `view-${name}.png`), ...options });

for (const scheme of process.argv[2] ? ["light", "dark"] : ["light"]) {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  const save = (name, options) => take(scheme === "light" ? name : `${name}-dark`, options);
  await go(page, server, "#/");
  await save("overview");
  await go(page, server, "#/charts");
  await save("charts");
  await go(page, server, "#/graph/Chapel%20organ");
  await settled(page);
  await save("graph");
  await go(page, server, "#/search?q=when+is+the+concert%3F");
  await save("search");
  await go(page, server, "#/timeline");
  await save("timeline");
  await go(page, server, "#/sessions");
  await save("sessions");
  await page.locator(".lines a", { hasText: "The cart forgets" }).click();
  await shown(page);
  for (const closed of await page.locator(".turn summary").all()) await unfold(closed);
  await save("session");
  await go(page, server, "#/documents?q=L-2041&type=invoice");
  await page.locator(".rows a").first().click();
  await page.locator("[id='how-status'] > summary").click();
  await page.locator(".trail").waitFor();
  await save("documents");
  await go(page, server, "#/pockets/cluny"); // late in the evening in Singapore it shows a whole day
  await page.locator(".plot").waitFor();
  await save("pockets");
}
if (process.argv[2]) await others();
else {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await go(page, server, "#/");
  await take("overview-dark");
}
await browser.close();
await server.stop();
place.remove();

async function others() {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await go(page, server, "#/graph");
  await settled(page);
  await take("sample");
  await go(page, server, "#/memory/insights");
  await take("insights");
  await go(page, server, "#/memory/insight/2");
  await take("insight");
  await go(page, server, "#/documents");
  await take("list");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, hash] of [["overview", "#/"], ["charts", "#/charts"], ["graph", "#/graph/Ada"], ["search", "#/search?q=when+is+the+concert%3F"], ["nothing", "#/search?q=zanzibar"], ["sessions", "#/sessions"], ["session", "#/sessions/claude-code%2Fcart"], ["odd", "#/sessions/claude-code%2Fodd"], ["documents", "#/documents"], ["pockets", "#/pockets"], ["calls", "#/calls"]]) {
    await go(page, server, hash);
    if (name === "graph") await settled(page);
    await take(`phone-${name}`);
  }
}
