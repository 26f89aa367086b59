// Takes changes back: by a button, or by Control Z.
import { Failure, send } from "./api.js";
import { announce, h, said } from "./dom.js";
import { goOn, notice } from "./write.js";

/** Takes a change back. */
export async function takeBack(undo, button, onward) {
  if (button) button.disabled = true;
  try {
    const { said: text, result } = await send("undo", { undo });
    await goOn(result, onward);
    notice(h("p", {}, said(text)), "status");
    announce(text);
  } catch (failure) {
    notice(h("p", {}, failure instanceof Failure ? failure.message : "This could not be taken back."), "alert");
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
  const undo = document.querySelector("#going .keep") ?? document.getElementById("undo");
  if (!undo || document.querySelector("dialog[open]")) return; // what lies behind a dialog stays
  event.preventDefault();
  undo.click();
});
