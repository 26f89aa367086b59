#!/usr/bin/env node
// Starts the program of this machine's package with the arguments, the streams and the end of this process. It says nothing of its own.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { dirname, join } = require("node:path");
const { isatty } = require("node:tty");

const own = require("../package.json");
const name = `${own.name}-${process.platform}-${process.arch}`;

let program;
try {
  program = join(dirname(require.resolve(`${name}/package.json`)), process.platform === "win32" ? "toolkit.exe" : "toolkit");
} catch {
  const known = Object.keys(own.optionalDependencies);
  const why = known.includes(name)
    ? `the package ${name} is missing. Install again without --omit=optional: npm install ${own.name}`
    : `there is no program for ${process.platform} on ${process.arch}; there are ${known.map((k) => k.slice(own.name.length + 1)).join(", ")}. Build it from source with Go.`;
  process.stderr.write(`toolkit: ${why}\n`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A client signals this process alone, so it is passed on. Ctrl-C at a terminal reaches both, and a second one would end the program at once.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => (signal === "SIGINT" && isatty(0)) || child.kill(signal));
child.on("error", (fault) => {
  process.stderr.write(`toolkit: ${program} cannot be started: ${fault.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const s of signals) process.removeAllListeners(s);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000); // where the signal does not end us
});
