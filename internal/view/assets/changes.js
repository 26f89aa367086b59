// What was changed from this page since toolkit view began, and the way back.
import { ask, loadInto } from "./api.js";
import { empty, h, said } from "./dom.js";
import { ago } from "./format.js";
import { takeBack } from "./undo.js";

export async function show(frame, { signal }) {
  frame.append(h("h1", { tabindex: -1 }, "Changes made here"));
  const place = h("div", {});
  frame.append(place);
  await loadInto(place, async () => {
    const { changes } = await ask("changes", {}, signal);
    if (changes.length === 0) return empty("Nothing was changed here yet", "What you correct, complete or add on this page is listed here, until toolkit view ends, and can be taken back.");
    return [h("p", { class: "quiet" }, "Newest first. What was changed again since is not taken back."), h("ul", { class: "plain rows" }, changes.map((c, i) => h("li", {}, said(c.said),
      h("span", { class: "quiet" }, ago(c.at), c.taken_back && ", taken back"),
      c.undo && button(c, i))))];
  });
}

function button(change, i) {
  const b = h("button", { type: "button", class: "small", id: `undo-${i}`, onclick: () => takeBack(change.undo, b) }, "Undo", h("span", { class: "unseen" }, `: ${change.said}`));
  return b;
}
