// Builds elements. Text is only ever set as text: what is in memory may hold
// markup, scripts or control characters and is shown as it is.

import { count, legible } from "./format.js";

/** Makes an element: h("a", {href: "#/"}, "Home"). Handlers are on… functions. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Text from memory: isolated, so that its direction disturbs nothing around it. */
export function said(text, properties = {}) {
  return h("bdi", properties, legible(text));
}

/** A block of text from memory, which finds its own direction. Long ones are folded. */
export function passage(text, properties = {}) {
  return folded(text, h("p", { dir: "auto", ...properties }, legible(text)));
}

/** The beginning of a block of text, as what a link says. */
export function excerpt(text, properties = {}) {
  return h("p", { dir: "auto", ...properties, class: `clamp ${properties.class ?? ""}` }, legible(text));
}

/** Facts from memory, as a list. */
export function facts(list) {
  return h("ul", { class: "facts" }, list.map((fact) => h("li", { dir: "auto" }, folded(fact, h("div", {}, legible(fact))))));
}

// How much text is shown at once, so that one long text does not push away all others.
const longest = 1200, mostLines = 14;

/** An element that shows a text; when that is long, its beginning and a button for the rest. */
export function folded(text, element) {
  const length = String(text ?? "");
  if (length.length <= longest && length.split("\n", mostLines + 1).length <= mostLines) return element;
  const box = h("div", { class: "folded" }, element);
  const button = h("button", { type: "button", class: "link", "aria-expanded": "false", onclick: () => {
    const open = box.classList.toggle("open");
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "Show less" : "Show all of it";
  } }, "Show all of it");
  return h("div", { class: "long" }, box, button);
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Says something to people who listen to the page. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = announcer.textContent === text ? text + "\u00a0" : text;
}

/** A bar that shows a share from 0 to 1. */
export function bar(share, label) {
  return h("progress", { max: 1, value: Math.max(0, Math.min(1, share)), "aria-label": label });
}

/** What to show where there is nothing yet, and what to do about it. */
export function empty(title, ...advice) {
  return h("div", { class: "empty" }, h("h2", {}, title), ...advice.map((a) => (a instanceof Node ? a : h("p", {}, a))));
}

/** A piece of what one could say to an assistant, or type. */
export function example(text) {
  return h("p", { class: "example" }, text);
}

/** A command to type into a terminal. */
export function command(text) {
  return h("p", { class: "example" }, h("code", {}, text));
}

/** A button that loads more and goes away when there is none. */
export function moreButton(label, load) {
  const button = h("button", { type: "button", class: "more", onclick: async () => {
    button.disabled = true;
    try {
      await load(button);
    } finally {
      button.disabled = false;
    }
  } }, label);
  return button;
}

/** Links to the pages of a list; none where one holds it all. address(from) is that
 *  of the page that begins there. */
export function pages(label, { total, offset, shown, size }, address, before = "Newer", after = "Older") {
  if (total <= size) return null;
  return h("nav", { class: "pages", "aria-label": label },
    offset > 0 && h("a", { href: address(Math.max(0, offset - size)) }, before),
    h("span", {}, `${offset + 1} to ${offset + shown} of ${count(total)}`),
    offset + shown < total && h("a", { href: address(offset + size) }, after));
}

/** The heads of a table's columns; # begins those of numbers. */
export function heads(...names) {
  return names.map((name) => (name.startsWith("#") ? h("th", { scope: "col", class: "number" }, name.slice(1)) : h("th", { scope: "col" }, name)));
}

/** A table; where there is no room for columns, each row is a block that names its
 *  values. The roles say that it is a table also then. */
export function sheet(names, rows, properties = {}) {
  const head = h("tr", { role: "row" }, heads(...names));
  for (const cell of head.children) cell.setAttribute("role", "columnheader");
  return h("table", { role: "table", ...properties, class: `sheet ${properties.class ?? ""}` },
    h("thead", { role: "rowgroup" }, head),
    h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map((cell, i) => {
      cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
      cell.dataset.label = names[i].replace(/^#/, "");
      return cell;
    })))));
}

/** Opens or closes what a button controls. */
export function disclosure(label, build, properties = {}) {
  let built = false;
  const details = h("details", properties, h("summary", {}, label));
  details.addEventListener("toggle", () => {
    if (details.open && !built) {
      built = true;
      details.append(build());
    }
  });
  return details;
}
