// The frame of an app: the result that is shown, the way back from what it leads to,
// and what was refused. A view is { tool, title, draw }: draw makes the elements of a
// result of the tool.
import { announce, empty, fill, folded, h } from "./dom.js";
import { legible } from "./format.js";
import { dress } from "./dress.js";
import { host, meet, on, Refused, request } from "./host.js";

const stack = []; // the views that are open, the last one shown: { view, input, data }
const frame = document.getElementById("view"), problem = document.getElementById("problem"), title = document.getElementById("title");

/** Shows the results of a view's tool that the host hands over. */
export function start(view) {
  let input = {};
  on("ui/notifications/tool-input", (params) => {
    input = params.arguments ?? {};
  });
  on("ui/notifications/tool-result", (result) => attempt(() => {
    stack.splice(0, stack.length, { view, input, data: dataOf(result) });
    draw();
  }));
  on("ui/notifications/tool-cancelled", () => fill(frame, empty("The call was cancelled", "Nothing came of it; ask your assistant again.")));
  meet(dress).catch(complain);
}

function draw() {
  const { view, input, data } = stack.at(-1), focused = document.activeElement?.id;
  title.textContent = view.title;
  fill(frame,
    stack.length > 1 && h("p", {}, button("back", "Back", () => {
      stack.pop();
      draw();
      title.focus();
    }, { class: "link" })),
    view.draw(data, input),
    actions(button("refresh", "Refresh", () => refresh("Up to date"))));
  if (focused) (document.getElementById(focused) ?? title).focus();
}

const said = (text) => h("p", { dir: "auto" }, legible(text));

/** Buttons in a row; none where the host calls no tools. */
export const actions = (...buttons) => host.can.serverTools && h("div", { class: "row actions" }, buttons);

/** A button that does something which may be refused; more is its unseen rest. */
export function button(id, label, act, properties = {}, more = "") {
  const made = h("button", { id, type: "button", ...properties, onclick: async () => {
    made.disabled = true;
    await attempt(act);
    made.disabled = false;
    if (document.activeElement === document.body) (document.getElementById(id) ?? title).focus();
  } }, label, more && h("span", { class: "unseen" }, " ", legible(more)));
  return made;
}

/** Calls a tool of toolkit through the host and resolves with its data. */
export async function call(tool, input) {
  return dataOf(await request("tools/call", { name: tool, arguments: input }));
}

/** Opens what a call gives, with a way back. */
export async function open(view, input) {
  const data = await call(view.tool, input);
  stack.push({ view, input, data });
  draw();
  title.focus();
}

/** Calls the tool of what is shown again, with another input where one is given. */
export async function refresh(told, input = stack.at(-1).input) {
  const shown = stack.at(-1);
  Object.assign(shown, { data: await call(shown.view.tool, input), input });
  draw();
  announce(told);
}

/** Changes something, lets the model know, and shows what came of it. */
export async function change(tool, input, told) {
  await call(tool, input);
  if (host.can.updateModelContext) await request("ui/update-model-context", { content: [{ type: "text", text: `In the view the user called ${tool} with ${JSON.stringify(input)}.` }] }).catch(() => {});
  await refresh(told);
}

async function attempt(act) {
  fill(problem);
  try {
    await act();
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  const refused = error instanceof Refused;
  if (!refused) console.error(error);
  const why = refused ? error.message : unshown;
  if (stack.length === 0) fill(frame); // nothing is waited for any more
  fill(problem, h("div", { class: "problem" }, h("h2", {}, "That did not work"), folded(why, said(why))));
  problem.scrollIntoView({ block: "nearest" });
}

const unshown = "The result cannot be shown here; your assistant has read it.";

// The structured result of a call, or why there is none.
function dataOf({ isError, structuredContent, content }) {
  const texts = (content ?? []).filter((block) => block.type === "text").map((block) => block.text), text = texts.join("\n");
  const parsed = structuredContent ?? texts.map(parse).find((value) => value !== null);
  if (isError) throw new Refused(parsed?.error?.message ?? parsed?.message ?? (text || "The tool gave no reason."));
  if (typeof parsed !== "object" || Object.keys(parsed).length === 0 && !Array.isArray(parsed)) throw new Refused(unshown);
  return parsed;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
