import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { binary, call, connect, folder, refusedWith } from "./connect.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));

// A mailbox with senders, subjects and encodings as people have them.
function mailbox(file, messages) {
  const out = openSync(file, "w");
  let text = "";
  for (let i = 0; i < messages; i++) {
    const body = i % 10 === 3 ? Buffer.from(`Grüße aus dem Bootshaus, Brief ${i}`).toString("base64") : `This is letter number ${i}.\n>From the lake it came.\nNothing else happened on day ${i % 365}.`;
    text += `From ${i}@xxx Mon Jan 01 10:00:00 +0000 2024\nFrom: Sender ${i % 50} <sender${i % 50}@example.org>\nTo: me@example.org\nSubject: =?utf-8?B?${Buffer.from(`Brief nr${i} von Zoë`).toString("base64")}?=\n` +
      `Date: Mon, 1 Jan 2024 10:00:00 +0000\nMessage-ID: <m${i}@example.org>\nContent-Type: text/plain; charset=utf-8\n${i % 10 === 3 ? "Content-Transfer-Encoding: base64\n" : ""}\n${body}\n\n`;
    if (text.length > 1 << 20) { writeSync(out, text); text = ""; }
  }
  writeSync(out, text);
  closeSync(out);
}

// A fifth of the messages in the usual run.
const messages = process.env.TOOLKIT_TEST_FULL === "1" ? 10_000 : 2000;

test("a mailbox of thousands of messages is imported with progress and found", { timeout: 600_000 }, async (t) => {
  const dir = folder(t);
  const db = path.join(dir, "toolkit.db");
  const client = await connect(t, db);
  const { providers } = await call(client, "list_provider_catalog");
  const gmail = providers.find((p) => p.id === "gmail");
  assert.equal(gmail.status, "available");
  const missing = await refusedWith(client, "sync_provider_imports", { provider: "gmail" }, "CONNECTOR_NOT_FOUND");
  assert.equal(missing.details.expected_path, gmail.import_path);
  assert.ok(!missing.message.includes(dir), "a path of the machine is told");

  mkdirSync(path.join(dir, gmail.import_path), { recursive: true });
  mailbox(path.join(dir, gmail.import_path, "All mail.mbox"), messages);
  let added = 0, heard = 0, out;
  const started = Date.now();
  do {
    const progress = []; // of this call: the next one begins anew
    out = await call(client, "sync_provider_imports", { provider: "gmail" }, { onprogress: (p) => progress.push(p.progress), timeout: 120_000 });
    for (let i = 1; i < progress.length; i++) assert.ok(progress[i] >= progress[i - 1], `progress goes back: ${progress}`);
    heard += progress.length;
    added += out.stats.records_added;
  } while (out.has_more);
  t.diagnostic(`${messages} messages in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  assert.equal(added, messages);
  assert.equal(out.status, "completed");
  // Of every 500 messages one is sent; the client drops those that it reads together with an answer.
  assert.ok(heard >= messages / 500 * 0.6, `${heard} progress notifications`);

  const { records, total } = await call(client, "retrieve_records", { search: ["nr1243"], search_mode: "keyword" });
  assert.equal(total, 1);
  assert.equal(records[0].properties.subject, "Brief nr1243 von Zoë");
  assert.equal(records[0].properties.body, "Grüße aus dem Bootshaus, Brief 1243");
  const mail = await call(client, "retrieve_records", { type: "email", properties: { provider: "gmail", from: "Sender 7 <sender7@example.org>" }, limit: 5 });
  assert.equal(mail.total, messages / 50);
  const quoted = await call(client, "retrieve_records", { search: ["nr1242"], search_mode: "keyword" });
  assert.match(quoted.records[0].properties.body, /\nFrom the lake it came\./);
  const again = await call(client, "sync_provider_imports", { provider: "gmail" });
  assert.deepEqual(again.stats, { records_added: 0, records_updated: 0, records_unchanged: 0, errors: 0 });
});

// The bank of the repository, as a process of its own.
async function bank(t, purchases) {
  const program = path.join(folder(t), process.platform === "win32" ? "bank.exe" : "bank");
  const built = spawnSync("go", ["build", "-ldflags", "-s -w", "-o", program, "./scripts/testserver"], { cwd: path.join(here, "..", ".."), stdio: "inherit" });
  assert.equal(built.status, 0, "the stand-in of Plaid was not built");
  const process_ = spawn(program, ["bank", String(purchases)], { stdio: ["ignore", "ignore", "pipe"] });
  t.after(() => process_.kill());
  for await (const line of createInterface({ input: process_.stderr })) return JSON.parse(line);
}

test("a bank is connected through Plaid, synced and searched, and its secrets stay secret", { timeout: 300_000 }, async (t) => {
  const b = await bank(t, 700);
  const dir = folder(t);
  const db = path.join(dir, "toolkit.db");
  const client = new Client({ name: "toolkit-e2e", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: binary, args: ["serve", "--stdio", "--db", db, "--log-level", "debug"], stderr: "pipe",
    env: { ...process.env, PLAID_CLIENT_ID: b.client_id, PLAID_SECRET: b.secret, PLAID_BASE_URL: b.url },
  });
  let said = "";
  transport.stderr.on("data", (chunk) => { said += chunk; });
  await client.connect(transport);
  t.after(() => client.close());

  const link = await call(client, "plaid_create_link_token", { user_id: "user-1" });
  assert.match(link.link_token, /^link-/);
  assert.deepEqual((await call(client, "plaid_list_items")).items, []);
  await refusedWith(client, "plaid_sync", { sync_all: true, item_id: "nope" }, "PLAID_ITEM_NOT_FOUND");
  await refusedWith(client, "plaid_exchange_public_token", { public_token: "public-wrong" }, "PLAID_INVALID_TOKEN");
  const connected = await call(client, "plaid_exchange_public_token", { public_token: b.public_token, trigger_initial_sync: true }, { timeout: 120_000 });
  assert.deepEqual(connected.sync_summary, { added: 700, modified: 0, removed: 0 });
  assert.equal(connected.plaid_item.accounts.length, 2);
  const again = await call(client, "plaid_exchange_public_token", { public_token: b.public_token });
  assert.deepEqual(again.plaid_item, connected.plaid_item);
  const synced = await call(client, "plaid_sync", { sync_all: true });
  assert.deepEqual(synced.syncs[0].summary, { added: 0, modified: 0, removed: 0 });

  const found = await call(client, "retrieve_records", { type: "transaction", search: ["Heron"], search_mode: "keyword", limit: 3 });
  assert.equal(found.total, 175);
  const { entities } = await call(client, "find_entities", { type: "company", name: "Lakeside Bakery" });
  assert.equal(entities.length, 1);
  const { items } = await call(client, "plaid_list_items");
  assert.equal(items[0].status, "active");
  assert.ok(items[0].last_successful_sync);

  await client.close();
  const kept = readdirSync(dir).map((name) => readFileSync(path.join(dir, name)).toString("latin1")).join("");
  for (const secret of ["access-sandbox-secret", b.secret]) {
    assert.ok(!kept.includes(secret), "a secret lies readable in the data folder");
    assert.ok(!said.includes(secret), "a secret is in the log");
  }
  assert.ok(said.includes("plaid_sync"), "nothing was logged");
});

test("without configuration the bank tools refuse, and say how to configure them", async (t) => {
  const client = await connect(t, path.join(folder(t), "toolkit.db"), ["--families", "integrations"]);
  const error = await refusedWith(client, "plaid_create_link_token", {}, "PLAID_NOT_CONFIGURED");
  assert.match(error.message, /PLAID_CLIENT_ID/);
  assert.deepEqual((await call(client, "plaid_list_items")).items, []);
});
