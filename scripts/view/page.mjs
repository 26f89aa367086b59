// Runs toolkit view on a database and a real browser on its page, and watches
// that the page keeps to itself: no error, no request to anywhere else.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { binary } from "./memory.mjs";

const browsers = [
  process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
export const findBrowser = () => browsers.find((b) => b && existsSync(b));
export const executable = findBrowser();

/** Whether the checks run at their full size; make test-full sets it. */
export const full = process.env.TOOLKIT_TEST_FULL === "1";

/**
 * Pairs addresses with the looks of the page, grouped by look: every address in every look
 * at the full size; else each address once and each look at least once.
 */
export function inLooks(looks, addresses) {
  if (full) return looks.map((look) => [look, addresses]);
  const rounds = Math.max(looks.length, addresses.length);
  const turns = Array.from({ length: rounds }, (_, i) => [i % looks.length, addresses[i % addresses.length]]);
  return looks.map((look, i) => [look, turns.filter(([of]) => of === i).map(([, address]) => address)]);
}

/** Sizes of the window, each in light and in dark. */
export const inBothThemes = (sizes) => ["light", "dark"].flatMap((colorScheme) => sizes.map((size) => ({ size, colorScheme })));

/** A telephone, a tablet and three desks, each in light and in dark. */
export const everyLook = inBothThemes([360, 768, 1024, 1280, 1920].map((width) => ({ width, height: 900 })));

export function folder() {
  const dir = mkdtempSync(path.join(tmpdir(), "toolkit-view-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export function launch() {
  return chromium.launch({
    executablePath: executable,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Starts toolkit view and resolves with its address. */
export async function serve(db, ...flags) {
  const child = spawn(binary, ["view", "--db", db, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "", output = "";
  child.stdout.on("data", (text) => (output += text));
  const address = await new Promise((resolve, reject) => {
    child.stderr.on("data", (text) => {
      printed += text;
      const found = /open (http:\S+)/.exec(printed);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(`toolkit view ended: ${printed}`)));
  });
  return {
    address, origin: new URL(address).origin,
    printed: () => ({ out: output, err: printed }),
    /** Interrupts it as Ctrl-C does and resolves with the exit code. */
    stop: () => new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.on("exit", (code) => resolve(code));
      child.kill("SIGINT");
    }),
  };
}

/** How long a check waits for what it expects, in milliseconds: a quiet machine needs a second, a loaded one minutes. */
const patience = 180_000;

/** A page in a browser context of its own; faults collects what must not happen. */
export async function open(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", timezoneId: "UTC", ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== server.origin) faults.push(`request to ${request.url()}`);
  });
  return { page, context, faults };
}

/** Uses the one-time address and waits until the page behind it is shown. */
export async function enter(page, server) {
  await page.goto(server.address);
  await page.waitForURL(`${server.origin}/`); // the first page hands the token over and leads on
  await shown(page);
}

/** Goes to an address within the page and waits until it is shown. */
export async function go(page, server, hash) {
  const address = new URL(`${server.origin}/${hash}`);
  await page.goto(address.href);
  await page.waitForFunction((wanted) => document.getElementById("main")?.dataset.shown === wanted && !document.querySelector("[aria-busy]"), address.hash === "#" ? "" : address.hash);
}

/** Waits until what the address bar says is shown. */
export async function shown(page) {
  await page.waitForFunction(() => document.getElementById("main")?.dataset.shown === location.hash && !document.querySelector("[aria-busy]"));
}

/** Unfolds a summary and waits for what is inside. */
export async function unfold(summary) {
  await summary.click();
  await summary.locator("xpath=following-sibling::*").first().waitFor();
}

/** Waits until the picture of the graph has found its form. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector("canvas")?.dataset.settled === "true");
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe finds nothing wrong with what is shown. */
export async function accessible(page, what) {
  // The policy forbids scripts from elsewhere, so this one comes through the debugger.
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.ok(passes.length > 10, `${what}: axe looked at too little`);
  assert.deepEqual(violations.map((v) => `${what}: ${v.id} ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`), []);
}
