// Drives real processes over stdio, side by side in one run: this toolkit and
// the official memory server, on the same data, one call at a time in turn.
// Prints a Markdown table; every figure is a median in milliseconds,
// those of CPU a mean of user and system time.
//
//   node scripts/bench/memory-server.mjs [sizes…]      default: 100 1000 10000 50000
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const toolkit = path.resolve(process.env.TOOLKIT ?? path.join(here, "..", "..", "bin", "toolkit"));
const peerEntry = path.join(here, "..", "e2e", "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js");
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(100, 1000, 10000, 50000);

/** A process that speaks one JSON-RPC message a line; latency is measured at the pipe. */
class Server {
  constructor(command, args, env) {
    this.child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
    this.id = 0;
    this.buffer = [];
    this.child.stdout.on("data", (chunk) => this.#receive(chunk));
  }
  #receive(chunk) {
    const end = chunk.lastIndexOf(10);
    this.buffer.push(chunk);
    if (end < 0) return;
    const lines = Buffer.concat(this.buffer).toString().split("\n");
    const rest = lines.pop();
    this.buffer = rest ? [Buffer.from(rest)] : [];
    for (const line of lines) if (line.trim()) this.resolve?.(line);
  }
  request(method, params) {
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++this.id, method, params }) + "\n");
    });
  }
  async call(name, args) {
    const answer = await this.request("tools/call", { name, arguments: args });
    if (answer.includes('"error":{') || answer.includes('"isError":true')) throw new Error(answer.slice(0, 500));
    return answer;
  }
  async initialize() {
    const answer = await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }
  /** User and system time of the process so far, in milliseconds: ticks are hundredths of a second. */
  cpu() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  }
  close() {
    return new Promise((resolve) => { this.child.on("close", resolve); this.child.stdin.end(); });
  }
}

/** How often what reads much is called: its processor time is what counts, and is read in ticks. */
const heavyRuns = 10;

const median = (xs) => xs.sort((a, b) => a - b)[xs.length >> 1];

function writeMemory(file, n) {
  const lines = [];
  for (let i = 0; i < n; i++) {
    lines.push(JSON.stringify({ type: "entity", name: `entity_${i}`, entityType: i % 3 ? "person" : "project", observations: [`met in ${1990 + (i % 30)} at workshop W${String(i).padStart(6, "0")}`, `works on topic ${i % 97} with patience`] }));
  }
  for (let i = 0; i < n; i++) lines.push(JSON.stringify({ type: "relation", from: `entity_${i}`, to: `entity_${(i * 7 + 1) % n}`, relationType: "knows" }));
  writeFileSync(file, lines.join("\n"));
}

function importMemory(file, db) {
  return new Promise((resolve, reject) => {
    spawn(toolkit, ["import", file, "--db", db], { stdio: "ignore" }).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`import failed: ${code}`))));
  });
}

async function startUp(make) {
  const times = [];
  for (let i = 0; i < 7; i++) {
    const began = performance.now();
    const server = make();
    await server.initialize();
    times.push(performance.now() - began);
    await server.close();
  }
  return median(times);
}

async function compare(n, dir) {
  const memory = path.join(dir, `memory-${n}.jsonl`);
  const db = path.join(dir, `toolkit-${n}.db`);
  writeMemory(memory, n);
  await importMemory(memory, db);
  const ours = () => new Server(toolkit, ["serve", "--stdio", "--db", db, "--log-level", "error"], {});
  const theirs = () => new Server(process.execPath, [peerEntry], { MEMORY_FILE_PATH: memory });
  const start = [await startUp(ours), await startUp(theirs)];

  const pair = [ours(), theirs()];
  for (const s of pair) await s.initialize();
  const operations = {
    "create one": (i) => ["create_entities", { entities: [{ name: `new_${n}_${i}`, entityType: "person", observations: ["just met", "likes tea"] }] }],
    "search, one hit": (i) => ["search_nodes", { query: `workshop W${String((i * 31 + 11) % n).padStart(6, "0")}` }],
    [`search, ${Math.round(n / 97)} hits`]: (i) => ["search_nodes", { query: `on topic ${20 + (i % 70)} with` }],
    "open one": (i) => ["open_nodes", { names: [`entity_${(i * 17 + 5) % n}`] }],
  };
  const rows = [["start to initialize", ...start]];
  const runs = n >= 10000 ? 30 : 100;
  for (const [name, make] of Object.entries(operations)) {
    const times = [[], []];
    for (let i = -3; i < runs; i++) { // three uncounted rounds warm both up
      for (const side of i % 2 ? [0, 1] : [1, 0]) {
        const [tool, args] = make(i + 3);
        const began = performance.now();
        await pair[side].call(tool, args);
        if (i >= 0) times[side].push(performance.now() - began);
      }
    }
    rows.push([name, median(times[0]), median(times[1])]);
  }
  rows.push(["resident memory, MB", pair[0].memory(), pair[1].memory()]);
  for (const s of pair) await s.close();
  const still = new Server(toolkit, ["serve", "--stdio", "--db", db, "--log-level", "error"], { TOOLKIT_EMBEDDER: "off", TOOLKIT_PATIENCE: "20" });
  return rows.concat(await compareCPU([still, theirs()]));
}

/** What reads much, of servers that do nothing beside it. */
async function compareCPU(pair) {
  const rows = [];
  for (const s of pair) await s.initialize();
  const calls = { "CPU, search, a ninth of all": ["search_nodes", { query: "entity_1" }], "CPU, read_graph": ["read_graph", {}] };
  for (const [name, call] of Object.entries(calls)) {
    for (const s of pair) await s.call(...call);
    const before = pair.map((s) => s.cpu());
    for (let i = 0; i < heavyRuns; i++) for (const s of pair) await s.call(...call);
    rows.push([name, ...pair.map((s, side) => (s.cpu() - before[side]) / heavyRuns)]);
  }
  for (const s of pair) await s.close();
  return rows;
}

const version = createRequire(import.meta.url)(path.join(path.dirname(peerEntry), "..", "package.json")).version;
console.log(`Machine: ${os.cpus().length} × ${os.cpus()[0].model}, ${process.platform}/${process.arch}; Node ${process.version}; @modelcontextprotocol/server-memory ${version}\n`);
console.log("| entities | measure | toolkit | memory server | ratio |\n|---:|---|---:|---:|---:|");
const dir = mkdtempSync(path.join(os.tmpdir(), "toolkit-bench-"));
try {
  for (const n of sizes) {
    for (const [name, a, b] of await compare(n, dir)) {
      console.log(`| ${n} | ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(1)}× |`);
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
