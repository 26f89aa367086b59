// The official clients over HTTP, for both eras of the protocol.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { binary, folder } from "./connect.mjs";

const token = "a-token-of-some-length";
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

/** Starts the server on a free port and returns its address. */
function serve(t) {
  const db = path.join(folder(t), "toolkit.db");
  const server = spawn(binary, ["serve", "--http", "127.0.0.1:0", "--http-rate-limit", "0", "--log-level", "error", "--db", db], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TOOLKIT_TOKEN: token },
  });
  t.after(() => new Promise((ended) => { server.once("exit", ended); server.kill(); }));
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr.on("data", (data) => {
      log += data;
      const url = log.match(/serves (http:\S+)/)?.[1];
      if (url) resolve(new URL(url));
    });
    server.once("exit", () => reject(new Error(log)));
  });
}

const anna = { entities: [{ name: "Anna", entityType: "person", observations: ["likes tea"] }] };

test("a client of the handshake era calls tools and hears of changes over HTTP", async (t) => {
  const url = await serve(t);
  const client = new Client({ name: "toolkit-e2e", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url, options));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.length > 30, `${tools.length} tools`);
  const told = new Promise((resolve) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => resolve(n.params.uri)));
  await client.subscribeResource({ uri: "memory://knowledge-graph" });
  const made = await client.callTool({ name: "create_entities", arguments: anna });
  assert.ok(!made.isError);
  assert.equal(await told, "memory://knowledge-graph");
  const found = await client.callTool({ name: "search_nodes", arguments: { query: "tea" } });
  assert.equal(found.structuredContent.entities[0].name, "Anna");
});

test("a client of the stateless era discovers the server and calls tools over HTTP", async (t) => {
  const url = await serve(t);
  const client = new ModernClient({ name: "toolkit-e2e", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new ModernTransport(url, options));
  t.after(() => client.close());
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  const made = await client.callTool({ name: "create_entities", arguments: anna });
  assert.ok(!made.isError);
  const found = await client.callTool({ name: "search_nodes", arguments: { query: "tea" } });
  assert.equal(found.structuredContent.entities[0].name, "Anna");
});

test("a client without the token gets nowhere", async (t) => {
  const url = await serve(t);
  const client = new Client({ name: "toolkit-e2e", version: "1.0.0" });
  await assert.rejects(client.connect(new StreamableHTTPClientTransport(url)), /401|Unauthorized|token/i);
});
