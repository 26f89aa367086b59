// The frame of the page: sections, addresses (#/section/…) and theme. A section
// is a module with a function show(main, route) that draws itself.
import { ask, problem } from "./api.js";
import { announce, empty, fill, h } from "./dom.js";
import { count } from "./format.js";
import { listen } from "./live.js";
import { busy, redraw } from "./redraw.js";
import { notice, prepare } from "./write.js";

const sections = [
  { path: "", name: "Overview", module: "./overview.js" },
  { path: "search", name: "Search", module: "./search.js" },
  { path: "timeline", name: "Timeline", module: "./timeline.js" },
  { path: "sessions", name: "Sessions", module: "./sessions.js", total: (t) => t.sessions },
  { path: "memory", name: "Memory", module: "./memory.js", total: (t) => t.insights + t.episodes },
  { path: "graph", name: "Knowledge graph", module: "./graph.js", total: (t) => t.entities },
  { path: "charts", name: "Charts", module: "./charts.js", total: (t) => t.charts },
  { path: "documents", name: "Documents", module: "./documents.js", total: (t) => t.documents },
  { path: "pockets", name: "Pockets", module: "./pockets.js", optional: true },
  { path: "calls", name: "Tool calls", module: "./calls.js", optional: true },
  { path: "changes", name: "Changes made here", module: "./changes.js", optional: true },
];
const unknown = { path: null, name: "Not found", module: "./unknown.js" };

const main = document.getElementById("main"), announcer = document.getElementById("announcer");
let current = null; // what is shown: { section, leave: AbortController }
let overview = null;

/** Reads an address: #/graph/Anna?q=tea is section graph, part Anna, query q. */
function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").map(decode);
  return { section: parts[0], parts: parts.slice(1), query: new URLSearchParams(search) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function show() {
  if (location.hash !== "" && !location.hash.startsWith("#/")) return; // the link that skips to the content
  const address = location.hash, route = parse(address);
  const section = sections.find((s) => s.path === route.section) ?? unknown;
  const moved = current?.section !== section;
  const focused = document.activeElement?.id;
  current?.leave.abort();
  const leave = new AbortController();
  current = { section, leave };
  mark(section);
  document.title = `${section.name} · toolkit`;
  main.setAttribute("aria-busy", "true");
  if (moved) announcer.textContent = ""; // what the new section says comes before its name
  try {
    const [module, known] = await Promise.all([import(section.module), ask("overview", {}, leave.signal)]);
    if (leave.signal.aborted) return;
    meet(known, section);
    const frame = frameOf(section);
    fill(main, frame);
    if (moved) window.scrollTo(0, 0);
    await module.show(frame, { ...route, signal: leave.signal, overview });
    if (!leave.signal.aborted) settleFocus(moved, focused);
  } catch (failure) {
    if (failure.name === "AbortError" || leave.signal.aborted) return;
    fill(main, h("h1", { tabindex: -1 }, section.name), problem(failure, show));
  } finally {
    if (!leave.signal.aborted) {
      main.removeAttribute("aria-busy");
      main.dataset.shown = address;
      catchUp();
    }
  }
}

const frameOf = (section) => h("div", { class: `view view-${section.path || "overview"}` });

// Takes up what is known of everything.
function meet(known, section) {
  overview = known;
  prepare(known.write, again);
  fill(document.getElementById("news"));
  drawSections(section);
  if (section.path !== "search" && document.activeElement !== sought) {
    sought.value = "";
    growSearch();
  }
  document.body.classList.remove("menu-open");
  menu.setAttribute("aria-expanded", "false");
}

let drawing = Promise.resolve(), wanted = null;

/** Draws the section that is open again, with what is so now: once at a time, and once
 *  for all who ask while it is at work. */
function again() {
  wanted ??= drawing = drawing.then(() => {
    wanted = null;
    return drawAgain();
  });
  return wanted;
}

async function drawAgain() {
  if (!current || main.hasAttribute("aria-busy")) return; // it is being drawn with what is so now
  const { section, leave } = current, route = parse(location.hash);
  try {
    const [module, known] = await Promise.all([import(section.module), ask("overview", {}, leave.signal)]);
    meet(known, section);
    if (leave.signal.aborted) return;
    await redraw(main, leave.signal, () => frameOf(section), (frame) => module.show(frame, { ...route, signal: leave.signal, overview, again: true }));
  } catch (failure) {
    if (failure.name !== "AbortError" && !leave.signal.aborted) console.warn(failure.message);
  }
}

// Something changed. What somebody is in the middle of is not taken away, and a page
// that nobody looks at can wait.
async function heard({ sequence }) {
  latest = sequence;
  if (!overview || latest === overview.sequence || document.hidden || main.hasAttribute("aria-busy")) return;
  if (busy(main)) return notice([h("p", {}, "Something changed meanwhile."), h("button", { type: "button", class: "small", onclick: () => { fill(document.getElementById("news")); again(); } }, "Show it")], undefined, "news");
  await again();
}

let latest = 0; // state of all that was heard of last
const catchUp = () => latest && !document.hidden && heard({ sequence: latest });
document.addEventListener("visibilitychange", catchUp);

let first = true;

// In a new section reading begins at its heading; within a section the focus
// stays with the control that was used. A section may have set it itself.
function settleFocus(moved, id) {
  if (moved && !first && !main.querySelector(":focus")) main.querySelector("h1")?.focus({ preventScroll: true });
  else if (id && document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
  if (moved && !first && announcer.textContent === "") announce(document.title);
  first = false;
}

function drawSections(section) {
  const shown = sections.filter((s) => !s.optional || overview.sections.includes(s.path) || (s.path === "changes" && overview.write === "yes"));
  fill(document.getElementById("sections"), shown.map((s) => h("li", {},
    h("a", { href: `#/${s.path}`, id: `section-${s.path || "overview"}`, "aria-current": s === section ? "page" : undefined },
      s.name, s.total && h("span", { class: "count" }, count(s.total(overview.totals)))))));
  document.querySelector("#sections [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  fill(document.getElementById("database"), h("bdi", {}, overview.database), ` · version ${overview.version}`);
}

function mark(section) {
  for (const link of document.querySelectorAll("#sections a")) {
    if (link.getAttribute("href") === `#/${section.path}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

const theme = document.getElementById("theme");
theme.value = document.documentElement.dataset.theme ?? "auto";
theme.addEventListener("change", () => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  try {
    localStorage.setItem("theme", theme.value);
  } catch {
    // storage is switched off: the choice lasts as long as the page
  }
  document.dispatchEvent(new Event("themechange"));
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
// The menu, where there is no room for all sections.
const menu = document.getElementById("menu");
menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(document.body.classList.toggle("menu-open"))));

// One search box on every page; a stroke of / leads to it.
const search = document.getElementById("search"), sought = document.getElementById("search-query");
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const q = sought.value.trim().replaceAll(/\s+/g, " "), kinds = parse(location.hash).query.get("kinds");
  if (q !== "") location.hash = `#/search?${new URLSearchParams({ q, ...(kinds && { kinds }) })}`;
});
// The box is as high as the question needs. Enter asks; the arrow down leads from the end
// of the question to the first result.
function growSearch() {
  sought.style.height = "auto";
  sought.style.height = `${sought.scrollHeight + sought.offsetHeight - sought.clientHeight}px`;
}
sought.addEventListener("input", growSearch);
sought.addEventListener("keydown", (event) => {
  const first = main.querySelector("a.open");
  if (event.key === "Enter" && !event.isComposing) search.requestSubmit();
  else if (event.key === "ArrowDown" && first && sought.selectionEnd === sought.value.length) first.focus();
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  sought.focus();
  sought.select();
});

window.addEventListener("hashchange", show);
show().then(() => listen(heard));
