// Runs the checks of the page. A browser that is absent is installed where that
// is possible; else the checks are skipped, with a word about it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { executable, findBrowser } from "./page.mjs";

function run(command, args) {
  return spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }).status ?? 1;
}

if (!executable) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    console.log("view-test: SKIPPED, there is no Chromium here and nobody who may install it; set CHROMIUM to the path of one");
    process.exit(0);
  }
  console.log("view-test: installing Chromium");
  run("apt-get", ["update", "-qq"]);
  if (run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]) !== 0 || !findBrowser()) {
    console.error("view-test: Chromium could not be installed");
    process.exit(1);
  }
}
process.exit(run(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=2", ...process.argv.slice(2)]));
