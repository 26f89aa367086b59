// Puts d3-force and what it needs into the one file that the page's layout
// worker loads. The versions are those of package-lock.json. Run it after an
// update: npm ci && npm run vendor
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = ["d3-dispatch", "d3-quadtree", "d3-timer", "d3-force"]; // in the order of their needs
export const target = fileURLToPath(new URL("../../internal/view/assets/vendor/d3-force.js", import.meta.url));

/** The file as it must be. */
export function vendored() {
  const read = (name, file) => readFileSync(new URL(`node_modules/${name}/${file}`, import.meta.url), "utf8").trim();
  const version = (name) => JSON.parse(read(name, "package.json")).version;
  const head = [`/*!`, ` * ${packages.map((p) => `${p} ${version(p)}`).join(", ")}`, " * https://d3js.org", " *"];
  for (const line of read("d3-force", "LICENSE").split("\n")) head.push(` * ${line}`.trimEnd());
  return [...head, " */", ...packages.map((p) => read(p, `dist/${p}.min.js`)), ""].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, vendored());
