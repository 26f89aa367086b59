// What can be done with an entity: joined with another, parted, forgotten.
import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { sourceOf } from "./entity_fields.js";
import { forgetButton } from "./forget.js";
import { atTime, legible, shorten, words } from "./format.js";
import { changeButton, choiceField, textField } from "./write.js";

const addressOf = (id) => `#/documents/${encodeURIComponent(id)}`;

/** The buttons of an entity; observations are the newest of what was said of it. */
export function entityActions(id, name, { observations }) {
  const target = { id };
  return h("div", { class: "actions" },
    changeButton({ id: "entity-merge", action: "entity.merge", target, label: "Merge…", about: name, explain: "What is known of it counts for the other from then on, and its address leads there.",
      fields: () => [otherField(id)], onward: (result) => addressOf(result.target_entity_id ?? result.entity_id ?? id) }),
    observations.length > 1 && changeButton({ id: "entity-split", action: "entity.split", target, label: "Split…", about: name, explain: "Choose what is of another. It goes there, with its connections.",
      fields: () => [choiceField("sources", "What is of the other", observations.map((o) => ({ value: o.id, text: summary(o) })), { several: true }), textField("name", "Name of the other")] }),
    forgetButton("entity-forget", [`truth_entity:${id}`], name, "#/documents"));
}

function summary(o) {
  const fields = Object.entries(o.fields).slice(0, 3).map(([field, value]) => `${words(field)} ${shorten(legible(typeof value === "string" ? value : JSON.stringify(value)), 40)}`);
  return `${sourceOf(o)} of ${atTime(o.observed_at)}: ${fields.join(", ")}`;
}

// Finds the other entity by words of its name.
function otherField(self) {
  const place = h("div", { class: "stack" }), input = h("input", { id: "fill-other", type: "search", autocomplete: "off", maxlength: 200, dir: "auto" });
  let choice = null, turn = 0;
  input.addEventListener("input", async () => {
    const mine = ++turn, q = input.value.trim();
    if (q === "") return;
    const { found } = await ask("entities", { q, limit: 8 }).catch(() => ({ found: { entities: [] } }));
    if (mine !== turn) return; // more was typed meanwhile
    const others = found.entities.filter((e) => e.entity_id !== self);
    choice = others.length > 0 && choiceField("other", "Which one", others.map((e) => ({ value: e.entity_id, text: `${shorten(legible(e.canonical_name || e.entity_id), 80)}, ${words(e.entity_type)}` })));
    fill(place, choice ? choice.element : h("p", { class: "quiet", role: "status" }, "Nothing was found."));
  });
  return {
    element: h("div", { class: "fill" }, h("label", { for: "fill-other" }, "Find the other by its name"), input, place),
    read: () => (choice || choiceField("other", "Which one", [])).read(),
  };
}
