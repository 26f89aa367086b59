// Records the session of docs/view.md: node recording.mjs [file.gif]; needs ImageMagick.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fill } from "./memory.mjs";
import { enter, folder, launch, open, serve } from "./page.mjs";
import { story } from "./story.mjs";

const target = path.resolve(process.argv[2] ?? fileURLToPath(new URL("../../docs/images/view-session-of-changes.gif", import.meta.url)));
const place = folder(), db = path.join(place.dir, "toolkit.db");
await fill(db, []);
const server = await serve(db, "--write"), browser = await launch();
const { page } = await open(browser, server, { reducedMotion: "reduce", viewport: { width: 1000, height: 680 } });
await enter(page, server);
const frames = [];
await story(page, async (words) => {
  // What is to be seen, said at the top of the picture alone.
  await page.evaluate((text) => {
    const box = document.createElement("div");
    box.id = "words";
    box.textContent = text;
    box.style.cssText = "position:fixed;inset:0 0 auto auto;z-index:9;padding:.5rem 1rem;background:#0b6560;color:#fff;font:600 1rem sans-serif;border-radius:0 0 0 10px";
    (document.querySelector("dialog[open]") ?? document.body).append(box);
  }, words);
  frames.push(path.join(place.dir, `${frames.length}.png`));
  await page.screenshot({ path: frames.at(-1) });
  await page.evaluate(() => document.getElementById("words").remove());
});
execFileSync("convert", ["-delay", "260", "-loop", "0", ...frames, "+dither", "-colors", "128", "-layers", "Optimize", target]);
await browser.close();
await server.stop();
place.remove();
