// What the reader may say in the chat by a button. The words are ours: a text from
// memory would speak to the assistant in the reader's name.
import { announce, h } from "./dom.js";
import { button } from "./app.js";
import { host, Refused, request } from "./host.js";

const plain = /^[\w:-]{1,100}$/; // the form of ids that toolkit makes

/** A button that says a sentence about the thing with an id; none where it cannot. */
export function speak(id, label, text, about) {
  if (!host.can.message || !plain.test(about)) return null;
  return h("p", { class: "speak" }, button(id, label, async () => {
    const { isError } = await request("ui/message", { role: "user", content: [{ type: "text", text }] });
    if (isError) throw new Refused("The message was not sent.");
    announce("Sent to the chat");
  }, { class: "link" }));
}
