// What can be done with an insight, wherever it is shown.
import { h } from "./dom.js";
import { forgetButton } from "./forget.js";
import { shorten } from "./format.js";
import { changeButton, textField } from "./write.js";

/** The buttons of an insight. A better text makes a new version, shown at addressOf(its
 *  id); leave is where to go when it is forgotten. Without them the page stays. place
 *  tells the buttons apart where an insight is shown twice. */
export function insightActions(i, addressOf, leave, place = "") {
  const target = { id: String(i.id) }, about = shorten(i.content, 60), counts = i.state === "current";
  return h("div", { class: "actions" },
    counts && changeButton({ id: `insight-edit-${place}${i.id}`, action: "insight.edit", target, label: "Edit", about, explain: "The text before stays in its history.",
      fields: (now) => [textField("text", "What is so", now.content, { lines: 5, most: 20000 }), textField("reason", "Why it changes", "", { required: false })],
      onward: addressOf && ((result) => addressOf(result.id)) }),
    counts && changeButton({ id: `insight-pin-${place}${i.id}`, action: "insight.pin", target, label: "Pin", about: `to working memory, which assistants see first: ${about}` }),
    forgetButton(`insight-forget-${place}${i.id}`, [`insight:${i.id}`], about, leave));
}
