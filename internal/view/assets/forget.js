// Forgets for good: shows what would go, asks, and gives some seconds to think again.
import { Failure, send } from "./api.js";
import { announce, fill, h, said } from "./dom.js";
import { counted, words } from "./format.js";
import { buttons, dialog, mayChange, notice, permitted, redrawn } from "./write.js";

const grace = 10; // seconds between the confirmation and forgetting

/** A button that forgets things for good: items such as "insight:2". leave is where to
 *  go when they are gone. */
export function forgetButton(id, items, about, leave) {
  if (!mayChange()) return null;
  const button = h("button", { type: "button", id, class: "small danger", onclick: async () => {
    try {
      if (await permitted()) await forget(items, leave);
    } catch (failure) {
      notice(h("p", {}, failure instanceof Failure ? failure.message : "This could not be shown."), "alert");
    }
  } }, "Forget…", about && h("span", { class: "unseen" }, ` ${about}`));
  return button;
}

async function forget(items, leave) {
  const wish = await dialog("Forget for good", (close) => {
    const place = h("div", { class: "stack" });
    const derived = h("input", { type: "checkbox", id: "forget-derived" });
    let confirm = "";
    const yes = h("button", { type: "button", class: "danger", disabled: true, onclick: () => close({ items, derived: derived.checked, confirm }) }, "Forget for good");
    const preview = async () => {
      yes.disabled = true;
      try {
        const shown = await run({ items, derived: derived.checked });
        confirm = shown.confirm ?? "";
        fill(place, h("p", {}, shown.message.replace(/ Show them to the user .* with confirm\.( [^.]* not shown here: [^.]*\.)?/, "")), group("This would go", shown.going), !derived.checked && group("Made from it; stays", shown.derived), group("Mentions it; stays", shown.mentions));
        yes.disabled = confirm === "";
      } catch (failure) {
        fill(place, h("p", { role: "alert" }, failure instanceof Failure ? failure.message : "This could not be shown."));
      }
    };
    derived.addEventListener("change", preview);
    preview();
    return h("div", { class: "stack" }, place, h("div", { class: "choice" }, derived, h("label", { for: derived.id }, "Also what was made from it, such as insights")),
      h("p", { class: "quiet" }, "It is removed from the database and from search. Backups made earlier keep what they hold."),
      buttons(yes, h("button", { type: "button", onclick: () => close(null) }, "Keep it")));
  });
  if (wish) await soon(wish, leave);
}

const run = async (wish) => {
  const { token } = await send("form", { action: "forget", id: "" });
  return (await send("change", { token, ...wish })).result;
};

function group(title, groups = []) {
  if (groups.length === 0) return null;
  return [h("h3", {}, title), groups.map((g) => [h("p", { class: "label" }, `${counted(g.count, words(g.kind), `${words(g.kind)}s`)}`),
    h("ul", { class: "facts" }, g.items.map((item) => h("li", {}, said(item.line))), g.count > g.items.length && h("li", { class: "quiet" }, `and ${counted(g.count - g.items.length, "more", "more")}`))])];
}

// Nothing is removed before the time is over; closing the page keeps it. What is about to
// go has a place of its own, which nothing else that is said takes from it.
function soon(wish, leave) {
  return new Promise((resolve) => {
    let left = grace;
    const says = h("p", {}), from = location.hash;
    const tell = () => fill(says, `Forgetting in ${counted(left, "second")}.`);
    const end = async (go) => {
      clearInterval(timer);
      box.remove();
      if (go) {
        try {
          const done = await run(wish);
          if (leave && location.hash === from) location.hash = leave;
          else await redrawn();
          notice(h("p", {}, said(done.message)));
          announce(done.message);
        } catch (failure) {
          notice(h("p", {}, failure instanceof Failure ? failure.message : "It could not be forgotten."), "alert");
        }
      } else {
        notice(h("p", {}, "It is kept."));
        announce("It is kept.");
      }
      resolve();
    };
    const timer = setInterval(() => {
      if (box.matches(":hover, :focus-within")) return; // time to think
      left -= 1;
      if (left <= 0) end(true);
      else tell();
    }, 1000);
    tell();
    const box = h("div", { class: "notice" }, says, h("button", { type: "button", class: "small keep", onclick: () => end(false) }, "Keep it"), h("button", { type: "button", class: "small danger", onclick: () => end(true) }, "Now"));
    document.getElementById("going").append(box);
    announce(`Forgetting in ${grace} seconds. The button Keep it stops that; so does Control Z.`);
  });
}
