// Changes things. A button opens a form for one thing; the server gives the form a
// token of its own and refuses it when the thing is no longer what it shows.
import { Failure, send } from "./api.js";
import { announce, fill, h, said } from "./dom.js";
import { dayOf } from "./format.js";
import { takeBack } from "./undo.js";

let mode = "no"; // whether things can be changed: no, ask, or yes
let afterwards = () => {}; // draws the page again

/** Draws the page again after a change. */
export const redrawn = () => afterwards();

/** Tells this module what may be done and what to do after a change. */
export function prepare(write, draw) {
  mode = write;
  afterwards = draw;
}

/** Whether buttons that change things are shown. */
export const mayChange = () => mode !== "no";

/**
 * A button that changes a thing; null where nothing can be changed.
 *   id       of the button, which keeps the focus when the page is drawn again
 *   action   what is done, such as "step.complete"
 *   target   { id, field }
 *   label    of the button; about says of what, for those who do not see where it stands
 *   fields   what to fill in, as functions of the thing's state; none: it is done at once
 *   values   what is sent where there is nothing to fill in
 *   explain  what will happen
 *   onward   the address to show then, from the tool's result; else the page is drawn again
 */
export function changeButton({ id, action, target, label, about, fields, values, explain, primary, onward }) {
  if (!mayChange()) return null;
  const button = h("button", { type: "button", id, class: primary ? "small primary" : "small", onclick: () => begin(button, { action, target, label, fields, values, explain, onward }) },
    label, about && h("span", { class: "unseen" }, `: ${about}`));
  return button;
}

async function begin(button, change) {
  button.disabled = true;
  try {
    if (!(await permitted())) return;
    const form = await send("form", { action: change.action, ...change.target });
    if (change.fields) await fillIn(change, form);
    else await made(await send("change", { token: form.token, ...change.values }), change.onward);
  } catch (failure) {
    if (failure.name !== "AbortError") notice(h("p", {}, failure instanceof Failure ? failure.message : "This could not be changed."), "alert");
    if (failure.code === "STALE") afterwards();
  } finally {
    button.disabled = false;
    if (document.activeElement === document.body) document.getElementById(button.id)?.focus();
  }
}

/** Asks once whether this page may change things. */
export async function permitted() {
  if (mode === "yes") return true;
  const answer = await dialog("Allow changes from this page?", (close) => [
    h("p", {}, "What you correct, complete or forget here is changed for your assistants too. Changes can be taken back here until toolkit view ends, but for what is forgotten."),
    buttons(h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Allow changes"), h("button", { type: "button", onclick: () => close(false) }, "Only look")),
  ]);
  if (!answer) return false;
  await send("allow", {});
  mode = "yes";
  return true;
}

async function fillIn(change, form) {
  const fields = await change.fields(form.state);
  const done = await dialog(change.label, (close) => {
    const wrong = h("div", { class: "wrong", role: "alert" });
    const submit = h("button", { type: "submit", class: "primary" }, "Save");
    return h("form", { novalidate: true, class: "stack", onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      fill(wrong);
      const refuse = (failure) => fill(wrong, h("p", {}, failure instanceof Failure ? failure.message : "This could not be changed."));
      try {
        const values = Object.assign({}, ...fields.map((f) => f.read()));
        await sendOnce(change, form, values).then(close, async (failure) => {
          if (failure.code === "STALE") submit.remove();
          refuse(failure);
        });
      } catch (failure) {
        refuse(failure); // of what was filled in: nothing was sent
      } finally {
        submit.disabled = false;
      }
    } },
    h("p", { class: "quiet" }, said(form.name)), change.explain && h("p", { class: "quiet" }, change.explain),
    fields.map((f) => f.element), wrong, buttons(submit, h("button", { type: "button", onclick: () => close(null) }, "Cancel")));
  });
  if (done) await made(done, change.onward);
}

// Sends a form. Its token works once: after a refusal it gets another, as long as the
// thing is still as the form shows it.
async function sendOnce(change, form, values) {
  try {
    return await send("change", { token: form.token, ...values });
  } catch (failure) {
    if (failure.code === "STALE") throw failure;
    const again = await send("form", { action: change.action, ...change.target }).catch(() => null);
    if (again && JSON.stringify(again.state) !== JSON.stringify(form.state)) throw Object.assign(new Failure(`${failure.message} This was changed meanwhile, too: look at it as it is now.`, 409), { code: "STALE" });
    if (again) form.token = again.token;
    throw failure;
  }
}

/** A line or a block of text to fill in, of which only what was changed is sent. name is that of the value that is sent. */
export function textField(name, label, value = "", { lines = 1, type = "text", most = 500, required = true } = {}) {
  const id = `fill-${name}`;
  const input = lines > 1 ? h("textarea", { id, rows: lines, maxlength: most, required, dir: "auto" }) : h("input", { id, type, maxlength: type === "date" ? undefined : most, required, dir: type === "date" ? undefined : "auto" });
  input.value = value.replaceAll(/\s*[\r\n]+\s*/g, lines > 1 ? "\n" : " ");
  const shown = input.value; // as it stands there: a line has no breaks, a day no hours
  return {
    element: h("div", { class: "fill" }, h("label", { for: id }, label), input),
    read: () => {
      if (input.validity.badInput || (type === "date" && input.value !== "" && input.value < "1900")) {
        input.focus();
        throw new Failure(`${label}: this is no whole date.`, 400);
      }
      if (type === "date" && input.value === "" && shown !== "") throw new Failure(`${label}: a date can be moved, not taken away.`, 400);
      if (required && input.value.trim() === "") {
        input.focus();
        throw new Failure(`${label}: say something here.`, 400);
      }
      return input.value === shown || input.value.trim() === "" ? {} : { [name]: input.value };
    },
  };
}

/** A day to fill in; an ISO date, whatever was written before: the day that the page shows. */
export const dayField = (name, label, value = "", options = {}) => textField(name, label, dayOf(value), { ...options, type: "date" });

/** A choice of one or several; each is { value, text, checked }. */
export function choiceField(name, label, choices, { several = false } = {}) {
  const inputs = choices.map((c, i) => h("input", { type: several ? "checkbox" : "radio", name: `fill-${name}`, id: `fill-${name}-${i}`, value: c.value, checked: c.checked }));
  return {
    element: h("fieldset", { class: "fill" }, h("legend", {}, label), inputs.map((input, i) => h("div", { class: "choice" }, input, h("label", { for: input.id }, choices[i].text)))),
    read: () => {
      const chosen = inputs.filter((input) => input.checked).map((input) => input.value);
      if (chosen.length === 0) throw new Failure(`${label}: choose something.`, 400);
      return { [name]: several ? chosen : chosen[0] };
    },
  };
}

export const buttons = (...list) => h("div", { class: "buttons" }, list);

/** Shows a dialog and returns what it was closed with; null: it was given up. */
export function dialog(title, build) {
  return new Promise((resolve) => {
    let result = null;
    const box = h("dialog", { "aria-labelledby": "dialog-title" });
    const close = (value) => {
      result = value;
      box.close();
    };
    fill(box, h("h2", { id: "dialog-title" }, title), build(close));
    const left = () => close(null); // the way back of the browser closes what stands over a page
    window.addEventListener("hashchange", left);
    box.addEventListener("close", () => {
      window.removeEventListener("hashchange", left);
      box.remove();
      resolve(result);
    });
    document.body.append(box);
    box.showModal();
  });
}

// What was changed, with the way back.
async function made({ said: text, undo, result }, onward) {
  await goOn(result, onward);
  const back = undo && h("button", { type: "button", id: "undo", class: "small", onclick: () => takeBack(undo, back, onward) }, "Undo");
  notice([h("p", {}, said(text)), back], "status");
  announce(undo ? `${text}. The button Undo takes it back; so does Control Z.` : text);
}

/** Shows the address that a change leads to, or the page again. */
export async function goOn(result, onward) {
  const address = onward?.(result);
  if (address && address !== location.hash) location.hash = address;
  else await afterwards();
}

/** Says something at the foot of the page until it is closed or something else is said:
 *  what was done, or the news, which do not push away the way back. */
export function notice(content, role, where = "done") {
  const place = document.getElementById(where);
  fill(place, h("div", { class: role === "alert" ? "notice bad-notice" : "notice", role: role === "alert" ? "alert" : undefined }, content,
    h("button", { type: "button", class: "small", onclick: () => fill(place) }, "Close", h("span", { class: "unseen" }, " this message"))));
}
