// What the types of the graph look like.
import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB"] }, configurable: true });
const { hues, lookOf, meetTypes } = await import("../../internal/view/assets/graph_types.js");

const names = ["person", "project", "place", "product", "component", "company", "event", "device", "action_step", "note", "tool", "structural_tension_chart", "stop", "pipe", "town", "idea"];
const types = names.map((type, i) => ({ type, first: 3 * i + 1 }));
const looks = (list) => {
  meetTypes(list);
  return Object.fromEntries(names.map((name) => [name, lookOf(name)]));
};

test("each type has a colour and a shape of its own as long as there are any left", () => {
  const all = Object.values(looks(types)), first = all.slice(0, hues);
  for (const part of ["hue", "shape"]) assert.equal(new Set(first.map((look) => look[part])).size, hues, part);
  assert.equal(new Set(all.map(({ hue, shape }) => `${hue} ${shape}`)).size, names.length);
});

test("a type looks the same in whatever order types are told, and when others come or are met before", () => {
  const want = looks(types);
  assert.deepEqual(looks([...types].reverse()), want);
  assert.deepEqual(looks([...types, { type: "late", first: 1000 }]), want);
  lookOf("unheard of");
  assert.deepEqual(looks(types), want);
});

test("names that differ in case and spaces alone are one type", () => {
  meetTypes([...types, { type: "Action Step", first: 100 }]);
  assert.deepEqual(lookOf("Action Step"), lookOf("action_step"));
});
