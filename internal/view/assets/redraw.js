// Draws a section again without disturbing who reads it: where one was, what was
// unfolded and what had the focus stay.

/** Draws by draw(frame) into a new frame and puts it in the place of the old one, unless
 *  that was left meanwhile. */
export async function redraw(main, left, make, draw) {
  const frame = make();
  frame.hidden = true;
  main.append(frame); // what measures itself needs a place in the page
  try {
    await draw(frame);
  } catch (failure) {
    frame.remove();
    throw failure;
  }
  if (left.aborted) return frame.remove();
  const kept = remember(main.firstElementChild);
  for (const old of [...main.children]) if (old !== frame) old.remove();
  frame.hidden = false;
  restore(frame, kept);
}

function remember(frame) {
  return {
    scroll: window.scrollY,
    focus: frame.contains(document.activeElement) ? document.activeElement.id : "",
    open: new Map([...frame.querySelectorAll("details[id]")].map((d) => [d.id, d.open])),
  };
}

function restore(frame, { scroll, focus, open }) {
  for (const [id, was] of open) {
    const details = frame.querySelector(`details[id="${CSS.escape(id)}"]`);
    if (details) details.open = was;
  }
  window.scrollTo(0, scroll);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}

/** Whether drawing again would take away what somebody is in the middle of. */
export function busy(main) {
  const selected = getSelection(); // to be copied, perhaps
  if (selected.type === "Range" && main.contains(selected.anchorNode)) return true;
  return Boolean(document.querySelector("dialog[open]") || main.querySelector("[data-grown], .folded.open") || main.contains(document.activeElement) && edited(document.activeElement));
}

// A field in which something was typed that the address does not have yet.
const edited = (element) => /^(INPUT|TEXTAREA)$/.test(element.tagName) && element.value !== element.defaultValue;
