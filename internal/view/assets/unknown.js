// What is shown where an address leads nowhere.
import { empty, h } from "./dom.js";

export async function show(frame) {
  frame.append(h("h1", { tabindex: -1 }, "Not found"),
    empty("There is nothing at this address", "It may have been typed wrongly, or led to something that is no longer here.", h("p", {}, h("a", { href: "#/" }, "To the overview"))));
}
