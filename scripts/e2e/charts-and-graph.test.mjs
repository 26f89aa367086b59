import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { connect, connectModern, folder } from "./connect.mjs";

const hintKeys = [
  "suggestedNextActions", "relatedResources", "confidence", "sourceQuality", "validityPeriod", "contextNeeded",
  "assumptions", "riskFactors", "dependencies", "estimatedImpact", "preferenceAlignment",
];

// These tests are about two families; the others have files of their own.
const families = ["--families", "charts,graph"];

const documented = [
  "create_structural_tension_chart", "list_active_charts", "add_action_step", "telescope_action_step", "mark_action_complete",
  "update_action_progress", "update_current_reality", "update_desired_outcome", "get_chart_progress", "update_action_step", "update_chart", "create_narrative_beat",
  "telescope_narrative_beat", "list_narrative_beats", "creator_moment_of_truth", "init_llm_guidance",
  "create_entities", "create_relations", "add_observations", "search_nodes", "open_nodes", "delete_entities", "delete_relations",
  "delete_observations", "read_graph",
];

// call runs a tool and checks what holds for every success. The client has
// validated structuredContent against the output schema already.
async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.notEqual(result.isError, true, `${name} failed: ${result.content?.[0]?.text}`);
  const { agentHints, ...data } = result.structuredContent;
  for (const key of hintKeys) assert.ok(key in agentHints, `${name}: agentHints.${key} is missing`);
  assert.ok(agentHints.confidence >= 0 && agentHints.confidence <= 1);
  const metadata = result._meta.metadata;
  for (const key of ["toolVersion", "serviceVersion", "timestamp", "executionTime", "traceId", "correlationId"]) {
    assert.ok(key in metadata, `${name}: metadata.${key} is missing`);
  }
  const text = JSON.parse(result.content[0].text);
  if (Array.isArray(text)) assert.deepEqual(text, Object.values(data)[0], `${name}: text and structuredContent differ`);
  else assert.deepEqual(text, data, `${name}: text and structuredContent differ`);
  return data;
}

// everyTool is a small life of a chart and a graph that calls all 25 tools.
async function everyTool(client) {
  const called = new Set();
  const run = (name, args) => { called.add(name); return call(client, name, args); };

  await run("init_llm_guidance", { format: "quick" });
  const chart = await run("create_structural_tension_chart", {
    desiredOutcome: "Create an engaging storytelling podcast", currentReality: "Have a microphone, no experience",
    dueDate: "2031-06-30T00:00:00Z", actionSteps: ["Learn recording", "Publish 5 episodes"],
  });
  assert.match(chart.chartId, /^chart_\d+$/);
  assert.equal(chart.totalActions, 2);
  const step = await run("add_action_step", { parentChartId: chart.chartId, actionStepTitle: "Audience of 100 listeners", currentReality: "Three friends listen" });
  assert.equal(step.chartId, `${chart.chartId}_action_3`);
  const sub = await run("telescope_action_step", { actionStepName: "Learn recording", newCurrentReality: "No DAW experience", initialActionSteps: ["Choose DAW", "Record test episode"] });
  assert.equal(sub.chartId, `${chart.chartId}_action_1_sub`);
  await run("update_action_progress", { actionStepName: "Choose DAW", progressObservation: "Compared three programs", updateCurrentReality: true });
  const done = await run("mark_action_complete", { actionStepName: "Choose DAW" });
  assert.equal(done.status, "completed");
  await run("update_current_reality", { chartId: chart.chartId, newObservations: ["Room is treated with blankets"] });
  await run("update_desired_outcome", { chartId: chart.chartId, newDesiredOutcome: "Create a weekly storytelling podcast" });
  const progress = await run("get_chart_progress", { chartId: sub.chartId });
  assert.equal(progress.progress, 0.5);
  const { charts } = await run("list_active_charts");
  assert.deepEqual(charts.map((c) => c.level), [0, 1, 1]);
  const beat = await run("create_narrative_beat", {
    parentChartId: chart.chartId, title: "The first recording", act: 1, type_dramatic: "Discovery", universes: ["Engineer World"],
    description: "The first take was recorded in the kitchen.", prose: "She pressed record and the room held its breath.",
    lessons: ["A quiet room matters more than an expensive microphone"], assessRelationalAlignment: true,
  });
  await run("telescope_narrative_beat", {
    parentBeatName: beat.name, newCurrentReality: "One take exists",
    initialSubBeats: [{ title: "The fridge hums", type_dramatic: "Crisis", description: "The fridge was audible.", prose: "Hum.", lessons: ["Unplug the fridge before recording"] }],
  });
  const { beats } = await run("list_narrative_beats", { parentChartId: chart.chartId });
  assert.equal(beats.length, 2);
  await run("creator_moment_of_truth", { chartId: chart.chartId, step: "full_review" });
  const moved = await run("update_action_step", { actionStepName: "Choose DAW", reopen: true, dueDate: "2031-02-01" });
  assert.deepEqual([moved.step.status, moved.step.dueDate], ["open", "2031-02-01"]);
  const closed = await run("update_chart", { chartId: chart.chartId, status: "completed" });
  assert.equal(closed.status, "completed");

  await run("create_entities", { entities: [
    { name: "Anna", entityType: "person", observations: ["likes green tea", "lives in Zürich"] },
    { name: "Tea house", entityType: "place", observations: [] },
  ] });
  await run("create_relations", { relations: [{ from: "Anna", to: "Tea house", relationType: "visits" }] });
  await run("add_observations", { observations: [{ entityName: "Anna", contents: ["plays the cello"] }] });
  const found = await run("search_nodes", { query: "zürich" });
  assert.deepEqual(found.entities.map((e) => e.name), ["Anna"]);
  assert.equal(found.relations.length, 1);
  await run("open_nodes", { names: ["Anna"] });
  await run("delete_observations", { deletions: [{ entityName: "Anna", observations: ["likes green tea"] }] });
  await run("delete_relations", { relations: [{ from: "Anna", to: "Tea house", relationType: "visits" }] });
  await run("delete_entities", { entityNames: ["Tea house"] });
  const graph = await run("read_graph");
  assert.ok(graph.entities.some((e) => e.name === "Anna"));
  assert.ok(graph.entities.some((e) => e.name === chart.chartId));
  return called;
}

test("the client of the 2025 revisions lists and calls all 25 tools with output validation on", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), families);
  const { tools } = await client.listTools();
  assert.deepEqual(new Set(tools.map((x) => x.name)), new Set(documented));
  for (const tool of tools) {
    assert.ok(tool.outputSchema, `${tool.name} has no output schema`);
    for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
      assert.equal(typeof tool.annotations[hint], "boolean", `${tool.name}: ${hint}`);
    }
  }
  assert.deepEqual(await everyTool(client), new Set(documented));
});

test("the client of revision 2026-07-28 calls all 25 tools without a handshake", async (t) => {
  const client = await connectModern(t, path.join(folder(t), "toolkit.db"), families);
  assert.deepEqual(await everyTool(client), new Set(documented));
});

test("with hints in _meta the structured content is the documented object alone", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), ["--hints", "meta"]);
  await client.listTools();
  const result = await client.callTool({ name: "read_graph", arguments: {} });
  assert.deepEqual(Object.keys(result.structuredContent).sort(), ["entities", "relations"]);
  for (const key of hintKeys) assert.ok(key in result._meta.agentHints);
});

test("errors are results the model can read, with hints inside the text", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"));
  const refused = await client.callTool({ name: "get_chart_progress", arguments: { chartId: "chart_1" } });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent, undefined);
  const body = JSON.parse(refused.content[0].text);
  assert.equal(body.code, "NOT_FOUND");
  for (const key of hintKeys) assert.ok(key in body.agentHints);
  assert.equal(refused._meta.errorKind, "business");
  await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /unknown tool: no_such_tool/);
});

test("kebab-case names are callable and not listed", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"));
  const { charts } = await call(client, "list-active-charts");
  assert.deepEqual(charts, []);
  const { tools } = await client.listTools();
  assert.ok(!tools.some((x) => x.name === "list-active-charts"));
});

test("a subscriber hears of writes, also of another process", async (t) => {
  const db = path.join(folder(t), "toolkit.db");
  const watcher = await connect(t, db);
  const writer = await connect(t, db);
  const updates = [];
  let heard;
  watcher.fallbackNotificationHandler = async (n) => { updates.push(n); heard?.(); };
  await watcher.subscribeResource({ uri: "memory://knowledge-graph" });
  const next = new Promise((resolve) => { heard = resolve; });
  await call(writer, "create_entities", { entities: [{ name: "Bo", entityType: "person", observations: [] }] });
  await next;
  assert.equal(updates[0].method, "notifications/resources/updated");
  assert.equal(updates[0].params.uri, "memory://knowledge-graph");
  const { contents } = await watcher.readResource({ uri: "memory://knowledge-graph" });
  assert.ok(JSON.parse(contents[0].text).entities.some((e) => e.name === "Bo"));
});

test("resources and the prompt are served", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), families);
  const { resources } = await client.listResources();
  assert.ok(resources.some((r) => r.uri === "memory://knowledge-graph"));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map((r) => r.uriTemplate), ["toolkit://tools/{name}"]);
  const definition = await client.readResource({ uri: "toolkit://tools/create_entities" });
  assert.ok(JSON.parse(definition.contents[0].text).examples.length > 0);
  await assert.rejects(client.readResource({ uri: "toolkit://tools/none" }), /unknown resource/);
  const everything = await connect(t, path.join(folder(t), "toolkit.db"), []);
  const { prompts } = await everything.listPrompts();
  assert.deepEqual(prompts.map((p) => p.name), ["recall"]);
  await everything.callTool({ name: "create_entities", arguments: { entities: [{ name: "Treehouse", entityType: "thing", observations: ["stands in the oak"] }] } });
  const answer = await everything.getPrompt({ name: "recall", arguments: { topic: "treehouse" } });
  assert.match(answer.messages[0].content.text, /stands in the oak/);
});

test("filters and read-only mode are enforced at the call", async (t) => {
  const dir = folder(t);
  const charts = await connect(t, path.join(dir, "a.db"), ["--families", "charts", "--exclude-tools", "init_llm_guidance"]);
  const { tools } = await charts.listTools();
  assert.equal(tools.length, 15);
  await assert.rejects(charts.callTool({ name: "read_graph", arguments: {} }), /unknown tool/);
  const reader = await connect(t, path.join(dir, "b.db"), ["--read-only"]);
  assert.ok((await reader.listTools()).tools.every((x) => x.annotations.readOnlyHint));
  const denied = await reader.callTool({ name: "create_entities", arguments: { entities: [] } });
  assert.equal(denied.isError, true);
  assert.match(denied.content[0].text, /graph:create/);
});
