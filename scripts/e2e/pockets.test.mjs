import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { binary, connect, connectModern, folder } from "./connect.mjs";

function toolkit(...args) {
  const run = spawnSync(binary, args, { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

/** Calls every tool of the family; the clients validate structuredContent. */
async function callAll(client) {
  const called = new Set();
  const run = async (name, args = {}) => {
    called.add(name);
    const result = await client.callTool({ name, arguments: args });
    assert.notEqual(result.isError, true, `${name} failed: ${result.content?.[0]?.text}`);
    const { agentHints, ...data } = result.structuredContent;
    assert.ok(agentHints, `${name} gives no hints`);
    assert.ok(!result.content[0].text.startsWith("{"), `${name} speaks JSON: ${result.content[0].text}`);
    for (const key of ["source", "source_url", "license", "license_url", "attribution_required", "computed_at"]) assert.ok(key in result._meta, `${name} has no ${key} in _meta`);
    assert.equal(result._meta.tool, name);
    return { data, text: result.content[0].text, meta: result._meta };
  };

  const listed = await run("list_pockets");
  assert.equal(listed.data.pockets.length, 18);
  assert.equal(listed.meta.source, "local-demo");
  const { data: moment } = await run("get_pocket_moment", { pocket_id: "holland v" });
  assert.equal(moment.pocket_id, "holland-village");
  assert.ok(moment.calm_probability > 0 && moment.calm_probability < 1);
  const { data: quality } = await run("get_pocket_moment_quality", { pocket_id: "cluny" });
  assert.ok(quality.mqs > 0 && quality.reasons.length > 0);
  const { data: atmosphere } = await run("get_pocket_atmosphere", { pocket_id: "cluny", hours: 6 });
  assert.ok(atmosphere.reading_count >= 23);
  const { data: ledger } = await run("get_pocket_sustainability", { pocket_id: "cluny" });
  assert.ok(ledger.dollar_value_sgd > 0);
  const { data: found } = await run("lookup_pocket_by_name", { query: "Holland Village" });
  assert.deepEqual(found.matches.map((m) => [m.pocket_id, m.confidence]), [["holland-village", 1]]);
  const { data: silence } = await run("get_pocket_silence", { pocket_id: "cluny" });
  assert.equal(silence.substrate_vitals.pockets_watched, 18);
  const { data: network } = await run("get_pocket_silence");
  assert.equal(network.pocket_id, null);
  const outlet = "0b9f7a52-0d2c-4a86-8f3e-6a4d0f9b1c11";
  await run("record_pocket_signal", { kind: "outlet", records: [{ outlet_id: outlet, pocket_id: "cluny", name: "Always Open", category: "cafe", opens_at: "00:00", closes_at: "00:00" }] });
  const { data: intent } = await run("get_intent_substrate", { pocket_id: "cluny", slug: "calm-work" });
  assert.ok(intent.matched_outlets.some((o) => o.id === outlet));
  const { data: observed } = await run("get_observed_outlet", { outlet_id: outlet });
  assert.equal(observed.outlet.name, "Always Open");
  assert.match(observed.patterns[0], /^calmest hour: \d\d:00–\d\d:00 \(n=\d+ atmosphere readings\)$/);
  const { data: score } = await run("score_legitimacy", { pocket_id: "cluny", candidate_action: "surface_deal", user_context: { fatigue_score: 0.9 }, channel: "push" });
  assert.equal(score.recommendation, "remain_silent");
  assert.equal(Object.keys(score.gates).length, 7);
  await run("run_pocket_loop", { pocket_id: "cluny" });
  const { data: predictions } = await run("get_pocket_predictions", { since: "all", revealed_only: true, limit: 5 });
  assert.equal(predictions.entries.length, 5);
  assert.ok(predictions.accuracy_by_generator[0].n > 1000);
  return called;
}

for (const [name, open] of [["2025 client", connect], ["2026 client", connectModern]]) {
  test(`all pocket tools answer the ${name} after a demonstration`, async (t) => {
    const db = path.join(folder(t), "toolkit.db");
    assert.match(toolkit("pockets", "demo", "--db", db), /18 pockets scored/);
    const client = await open(t, db, ["--families", "pockets"]);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 13);
    assert.deepEqual(await callAll(client), new Set(tools.map((x) => x.name)));
    const refused = await client.callTool({ name: "get_pocket_moment", arguments: {} });
    assert.equal(refused.isError, true);
    assert.equal(refused.content[0].text, "error: pocket_id is required");
  });
}

test("an empty store invents nothing, and the family's limit holds when asked for", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), ["--families", "pockets", "--pocket-rate-limit"]);
  const thin = await client.callTool({ name: "get_pocket_moment", arguments: { pocket_id: "cluny" } });
  assert.notEqual(thin.isError, true);
  assert.equal(thin.content[0].text, "no moment composable for cluny — substrate may be thin.");
  assert.equal(thin.structuredContent.status, "insufficient_data");
  for (let i = 0; i < 29; i++) await client.callTool({ name: i % 2 ? "list_pockets" : "get_pocket_silence", arguments: {} });
  const limited = await client.callTool({ name: "get_pocket_predictions", arguments: {} });
  assert.match(limited.content[0].text, /^error: the tools of pockets together take at most 30 calls/);
});
