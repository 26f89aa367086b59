// Reads from the server that served this page, and sends it what write.js changes.
// Nothing is ever sent anywhere else.
import { announce, h, fill, moreButton } from "./dom.js";

/** A failure in words fit to be shown. */
export class Failure extends Error {
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Asks an endpoint: ask("graph", {limit: 10}, signal). */
export async function ask(path, parameters = {}, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  return answer(`/api/${path}?${query}`, { signal, headers: { Accept: "application/json" } });
}

/** Sends something that may change things: send("undo", {undo}). */
export function send(path, body) {
  return answer(`/api/${path}`, { method: "POST", body: JSON.stringify(body), headers: { Accept: "application/json", "Content-Type": "application/json" } });
}

async function answer(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Failure("The view is no longer running; whether a change that was being sent was kept shows when it runs again. Start it with toolkit view, and open the address it prints.", 0);
  }
  let body;
  try {
    body = await response.json();
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Failure("The answer could not be read. Try again.", response.status);
  }
  if (!response.ok) throw new Failure(body?.error?.message ?? "This could not be read.", response.status, body?.error?.code);
  return body;
}

/** Loads into an element: shows that it is busy, then the result or what went wrong. */
export async function loadInto(element, load) {
  element.setAttribute("aria-busy", "true");
  try {
    const content = await load();
    if (content !== undefined) fill(element, content);
  } catch (failure) {
    if (failure.name === "AbortError") return;
    fill(element, problem(failure, () => loadInto(element, load)));
  } finally {
    element.removeAttribute("aria-busy");
  }
}

/** A list that goes back in time, and a button that asks for more of it. Its name
 *  is the end of the path. */
export function feed(path, rows, goesOn, parameters, signal, draw, properties = { class: "plain stack" }) {
  const list = h("ul", properties, rows.map(draw)), name = path.split("/").at(-1);
  let last = rows.at(-1)?.id;
  const more = moreButton("Show more", async () => {
    const page = await ask(path, { ...parameters, before: last }, signal);
    list.append(...page[name].map(draw));
    list.dataset.grown = "";
    last = page[name].at(-1)?.id ?? last;
    announce(`${list.children.length} shown`);
    if (!page.more) more.remove();
  });
  return [list, goesOn && more];
}

/** Says what went wrong, with a way to try again. */
export function problem(failure, again) {
  const known = failure instanceof Failure;
  if (!known) console.error(failure);
  return h("div", { class: "problem", role: "alert" },
    h("p", {}, known ? failure.message : "This could not be shown."),
    again && (!known || failure.status >= 500 || failure.status === 0) && h("button", { type: "button", onclick: again }, "Try again"));
}
