// The npm packages of this machine: made from bin/toolkit, put into a clean folder without a network, started as npm starts them.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const dir = mkdtempSync(join(tmpdir(), "toolkit-npm-"));
after(() => rmSync(dir, { recursive: true, force: true }));
const prefix = join(dir, "prefix"), launcher = join(prefix, "node_modules", ".bin", "toolkit");
const { npm } = JSON.parse(readFileSync(join(root, "scripts", "release", "owner.json"), "utf8"));
const platformPackage = `${npm}-${process.platform}-${process.arch}`, platform = join(prefix, "node_modules", platformPackage);
const environment = { ...process.env, HOME: join(dir, "home"), TOOLKIT_DB: join(dir, "toolkit.db"), CLAUDE_CONFIG_DIR: "" };
const program = process.platform === "win32" ? "toolkit.exe" : "toolkit";

before(() => {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform], machine = { x64: "amd64", arm64: "arm64" }[process.arch];
  const built = join(dir, `toolkit_${system}_${machine}`);
  mkdirSync(built), mkdirSync(prefix), mkdirSync(environment.HOME);
  cpSync(join(root, "bin", program), join(built, program));
  execFileSync("go", ["run", "./scripts/release", "-only-npm", "-binaries", dir, "-out", dir, "-version", "1.2.3"], { cwd: root, stdio: "pipe" });
  const tarballs = readdirSync(join(dir, "npm")).filter((f) => f.endsWith(".tgz")).map((f) => join(dir, "npm", f));
  assert.equal(tarballs.length, 2);
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", prefix, ...tarballs], { stdio: "pipe", env: environment });
});

const run = (...args) => spawnSync(launcher, args, { env: environment, encoding: "utf8" });

/** A server and the lines that it answers. */
function serve() {
  const child = spawn(launcher, ["serve", "--stdio"], { env: environment, stdio: ["pipe", "pipe", "pipe"] });
  let noise = "";
  child.stderr.on("data", (d) => (noise += d));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator](), ended = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal, noise })));
  const ask = async (id, method, params) => {
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return JSON.parse((await answers.next()).value);
  };
  const initialize = () => ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "npm", version: "1" } });
  return { child, ask, initialize, ended };
}

test("a client connects over standard input and output and is offered the tools", async () => {
  const { child, ask, initialize, ended } = serve();
  assert.equal((await initialize()).result.serverInfo.name, "toolkit");
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const { tools } = (await ask(2, "tools/list", {})).result;
  assert.ok(tools.some((t) => t.name === "recall"), `${tools.length} tools`);
  child.stdin.end();
  const { code, signal } = await ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
});

test("a signal to the launcher ends the server as it ends without a launcher", { skip: process.platform === "win32" }, async () => {
  for (const signal of ["SIGTERM", "SIGINT"]) {
    const { child, initialize, ended } = serve();
    await initialize();
    child.kill(signal);
    const { code, signal: by } = await ended;
    assert.deepEqual({ code, by }, { code: 0, by: null });
  }
});

test("the exit code and what is printed are the program's", () => {
  const direct = spawnSync(join(platform, program), ["nonsense"], { env: environment, encoding: "utf8" }), through = run("nonsense");
  assert.equal(through.status, 2);
  assert.deepEqual([through.stdout, through.stderr], [direct.stdout, direct.stderr]);
});

test("npx starts what is installed, without a network", () => {
  const { status, stdout } = spawnSync("npx", ["--offline", "--prefix", prefix, "toolkit", "version"], { cwd: prefix, env: environment, encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /^toolkit \d+\.\d+\.\d+/);
});

test("install names the program itself, so that hooks need no Node", () => {
  assert.equal(run("install", "claude-code").status, 0);
  const { command } = JSON.parse(readFileSync(join(environment.HOME, ".claude.json"), "utf8")).mcpServers.toolkit;
  assert.ok(command.endsWith(join(platformPackage, program)) && existsSync(command), command);
});

test("nothing is run when npm installs", () => {
  for (const name of [npm, platformPackage]) {
    assert.equal(JSON.parse(readFileSync(join(prefix, "node_modules", name, "package.json"), "utf8")).scripts, undefined);
  }
});

test("without the package of the machine it says what to do, and nothing to the client", () => {
  rmSync(platform, { recursive: true });
  const missing = run("serve", "--stdio");
  assert.deepEqual([missing.status, missing.stdout], [1, ""]);
  assert.ok(missing.stderr.startsWith(`toolkit: the package ${platformPackage} is missing. Install again without --omit=optional`), missing.stderr);
  const elsewhere = spawnSync(process.execPath, ["-e", `Object.defineProperty(process, "platform", { value: "plan9" }); require(${JSON.stringify(join(prefix, "node_modules", npm, "bin", "toolkit.js"))})`], { encoding: "utf8" });
  assert.deepEqual([elsewhere.status, elsewhere.stdout], [1, ""]);
  assert.match(elsewhere.stderr, /there is no program for plan9 on \w+; there are .*Build it from source with Go/);
});
