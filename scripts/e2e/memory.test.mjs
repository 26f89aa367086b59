import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { binary, call, connect, folder, refused } from "./connect.mjs";

async function read(client, uri) {
  const { contents } = await client.readResource({ uri });
  return JSON.parse(contents[0].text);
}

test("all memory tools are called and all five resources are read", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), ["--families", "memory"]);
  const { tools } = await client.listTools();
  const called = new Set();
  const run = (name, args) => { called.add(name); return call(client, name, args); };

  assert.equal((await run("ping")).response, "pong");
  const first = await run("store_raw_dialogue", { session_id: "s1", speaker: "Zoë", content: "Where is the key to the boathouse?", metadata: { date: "2025-01-15", mood: null } });
  const second = await run("store_raw_dialogue", { session_id: "s1", speaker: "assistant", content: "Grandmother keeps it behind the blue jug in the kitchen." });
  const insight = await run("compress_to_l2_insight", { content: "The boathouse key hangs behind the blue jug in grandmother's kitchen", source_ids: [first.id, second.id] });
  assert.equal(insight.embedding_status, "pending"); // vectors are made after the write
  const umlaut = await run("compress_to_l2_insight", { content: "Käthe hört am liebsten Schubert, \"Die schöne Müllerin\"", source_ids: [] });

  const found = await run("hybrid_search", { query_text: "Where does the boathouse key hang?" });
  assert.equal(found.results[0].id, insight.id);
  assert.ok(found.results[0].score <= 1 / 61);
  assert.deepEqual(found.weights, { semantic: 0.7, keyword: 0.3 });
  assert.ok(found.semantic_results_count > 0 && found.keyword_results_count > 0);
  assert.match((await refused(client, "hybrid_search", { query_text: "x", weights: { semantic: 0.9, keyword: 0.3 } })).details, /Weights must sum to 1\.0, got 1\.2/);

  let evicted;
  for (let i = 0; i < 11; i++) evicted = await run("update_working_memory", { content: `item ${i}`, importance: i === 0 ? 0.9 : 0.5 });
  assert.ok(evicted.evicted_id > 0 && evicted.archived_id > 0);
  const working = await read(client, "memory://working-memory");
  assert.equal(working.contents.length, 10);
  await run("touch_working_memory", { id: working.contents.at(-1).id });
  await run("archive_working_memory", { id: working.contents[0].id });

  const episode = await run("store_episode", { query: "How do I open the boathouse?", reward: 0.8, reflection: "Problem: the key was missing. Lesson: ask grandmother first." });
  assert.equal(episode.reward, 0.8);

  const truth = await run("add_ground_truth_query", { query: "Where is the boathouse key?" });
  const judged = await run("store_dual_judge_scores", { query_id: truth.id, query: "Where is the boathouse key?", docs: [{ id: insight.id, content: "The boathouse key hangs behind the blue jug" }, { id: umlaut.id, content: "Käthe hört Schubert" }] });
  assert.equal(judged.judge_mode, "offline-heuristic");
  assert.equal(judged.ground_truth_eligible, false);
  await run("add_golden_query", { query: "boathouse key", expected_docs: [insight.id] });
  const golden = await run("get_golden_test_results");
  assert.equal(golden.queries_tested, 1);
  assert.equal(golden.drift_detected, false);

  const better = await run("update_insight", { id: insight.id, content: "The boathouse key hangs behind the blue jug; Zoë has a copy", reason: "a copy was made" });
  await run("get_insight_history", { id: better.id ?? insight.id });
  await run("delete_insight", { id: umlaut.id, reason: "a test" });
  await run("remember", { text: "The boat is called Seagull" });
  const answer = await run("recall", { query: "what is the boat called?" });
  assert.match(answer.found[0].text, /Seagull/);
  const preview = await run("forget", { text: "Seagull" });
  assert.ok(preview.confirm, "the first call only shows what would go");
  assert.deepEqual(called, new Set(tools.map((x) => x.name)));

  const again = await call(client, "compress_to_l2_insight", { content: "Käthe hört am liebsten Schubert: \"Die schöne Müllerin\"", source_ids: [] });
  const uris = {
    [`memory://l2-insights?query=${encodeURIComponent("schöne Müllerin")}&top_k=3`]: (c) => assert.equal(c[0].id, again.id),
    "memory://l2-insights?top_k=3&query=Schubert+hört": (c) => assert.equal(c[0].id, again.id),
    'memory://l2-insights?query="Die schöne Müllerin"': (c) => assert.equal(c[0].id, again.id),
    "memory://l2-insights?fidelity_min=0.1&created_after=2020-01-01": (c) => assert.ok(c.length >= 2),
    "memory://l0-raw?session_id=s1&limit=50&order=asc": (c) => assert.deepEqual(c.map((x) => x.id), [first.id, second.id]),
    "memory://l0-raw?date_range=2025-01-10,2025-01-15": (c) => assert.deepEqual(c.map((x) => x.id), [first.id]),
    "memory://l0-raw?speaker=Zo%C3%AB": (c) => assert.equal(c[0].metadata.mood, null),
    "memory://stale-memory?reason=LRU_EVICTION": (c) => assert.equal(c.length, 1),
    "memory://stale-memory?reason=MANUAL_ARCHIVE&days_back=7": (c) => assert.equal(c.length, 1),
    "memory://working-memory": (c) => assert.equal(c.length, 9),
    "memory://episode-memory?query=open+the+boathouse&min_similarity=0.1": (c) => assert.equal(c[0].id, episode.id),
  };
  for (const [uri, check] of Object.entries(uris)) {
    const body = await read(client, uri);
    assert.equal(body.mimeType, "application/json");
    check(body.contents);
  }
  await assert.rejects(read(client, "memory://l2-insights?top_k=many"), /Invalid top_k parameter/);
  await assert.rejects(read(client, "memory://stale-memory?reason=NONE"), /reason/);
});

test("what one process stores, another finds at once, by both channels", async (t) => {
  const db = path.join(folder(t), "toolkit.db");
  const writer = await connect(t, db);
  const reader = await connect(t, db);
  await call(reader, "hybrid_search", { query_text: "anything at all" });
  const stored = await call(writer, "compress_to_l2_insight", { content: "The lighthouse keeper paints walruses every Sunday", source_ids: [] });
  for (const weights of [{ semantic: 1, keyword: 0 }, { semantic: 0, keyword: 1 }]) {
    const found = await call(reader, "hybrid_search", { query_text: "Who paints walruses?", weights });
    assert.equal(found.results[0]?.id, stored.id, JSON.stringify(weights));
  }
});

test("the shipped golden set is imported and measured", async (t) => {
  const db = path.join(folder(t), "toolkit.db");
  const set = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "fixtures", "golden.jsonl");
  const imported = spawnSync(binary, ["golden", "import", set, "--db", db], { encoding: "utf8" });
  assert.equal(imported.status, 0, imported.stderr);
  const client = await connect(t, db);
  const golden = await call(client, "get_golden_test_results");
  assert.equal(golden.queries_tested, 40);
  assert.ok(golden.precision_at_5 > 0 && golden["recall_at_5"] > 0.8, JSON.stringify(golden));
});
