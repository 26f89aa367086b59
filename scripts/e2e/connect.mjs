// Starts the binary named by TOOLKIT (default ../../bin/toolkit) on a fresh
// database, connects one of the official clients to it and calls its tools.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const here = path.dirname(fileURLToPath(import.meta.url));
export const binary = path.resolve(process.env.TOOLKIT ?? path.join(here, "..", "..", "bin", "toolkit"));

/** However loaded the machine is, the programs wait. */
process.env.TOOLKIT_PATIENCE ??= "60";

/** A folder for one test's files, removed when the test ends. */
export function folder(t) {
  const dir = mkdtempSync(path.join(tmpdir(), "toolkit-e2e-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function parameters(db, args) {
  return { command: binary, args: ["serve", "--stdio", "--db", db, "--log-level", "error", ...args], env: { TOOLKIT_PATIENCE: process.env.TOOLKIT_PATIENCE }, stderr: "inherit" };
}

/** Connects the client of the 2025 protocol revisions (initialize handshake). */
export async function connect(t, db, args = [], options = {}) {
  const client = new Client({ name: "toolkit-e2e", version: "1.0.0" }, options);
  await client.connect(new StdioClientTransport(parameters(db, args)));
  t.after(() => client.close());
  return client;
}

/** Connects the client of revision 2026-07-28 (server/discover, no handshake). */
export async function connectModern(t, db, args = []) {
  const client = new ModernClient({ name: "toolkit-e2e", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new ModernTransport(parameters(db, args)));
  t.after(() => client.close());
  return client;
}

/** Calls a tool; the client validates structuredContent against the schema. */
export async function call(client, name, args = {}, options = {}) {
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  assert.notEqual(result.isError, true, `${name} failed: ${result.content?.[0]?.text}`);
  const { agentHints, ...data } = result.structuredContent;
  assert.ok(agentHints, `${name} gives no hints`);
  assert.deepEqual(JSON.parse(result.content[0].text), data, `${name}: text and structuredContent differ`);
  return data;
}

/** Makes a call that must be refused and returns what the refusal says. */
export async function refused(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, `${name} was not refused`);
  return JSON.parse(result.content[0].text);
}

/** Makes a call that must be refused with a code, as payloads and integrations are. */
export async function refusedWith(client, name, args, code) {
  const { error } = await refused(client, name, args);
  assert.equal(error.code, code, JSON.stringify(error));
  return error;
}
