// A chat in Chromium: the host of the extension MCP Apps itself (AppBridge), on one
// side toolkit as a client with the extension knows it, on the other its apps, each in
// a sandbox under the policy that its resource asks for.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { binary } from "./memory.mjs";

const modules = fileURLToPath(new URL("node_modules/", import.meta.url));
const mimeType = "text/html;profile=mcp-app";

/** Connects to toolkit as a client that shows apps. */
export async function client(db, ...flags) {
  const child = spawn(binary, ["serve", "--stdio", "--db", db, "--log-level", "error", ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let id = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const ask = (method, params = {}) => new Promise((resolve, reject) => {
    const own = ++id;
    waiting.set(own, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
    send({ id: own, method, params });
  });
  const { capabilities } = await ask("initialize", {
    protocolVersion: "2025-11-25", clientInfo: { name: "test chat", version: "1" },
    capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [mimeType] } } },
  });
  send({ method: "notifications/initialized" });
  return {
    capabilities, ask,
    call: (name, input = {}) => ask("tools/call", { name, arguments: input }),
    close: () => new Promise((resolve) => {
      child.on("exit", resolve);
      child.stdin.end();
    }),
  };
}

const imports = Object.fromEntries(Object.entries({
  "@modelcontextprotocol/ext-apps/app-bridge": "@modelcontextprotocol/ext-apps/dist/src/app-bridge.js",
  "@modelcontextprotocol/client": "@modelcontextprotocol/client/dist/index.mjs",
  "@modelcontextprotocol/client/_shims": "@modelcontextprotocol/client/dist/shimsBrowser.mjs",
  "@modelcontextprotocol/core": "@modelcontextprotocol/core/dist/index.mjs",
  "@modelcontextprotocol/core/internal": "@modelcontextprotocol/core/dist/internal.mjs",
  "@modelcontextprotocol/core/ext/skills": "@modelcontextprotocol/core/dist/ext/skills/index.mjs",
  "zod/v4": "zod/v4/index.js", eventsource: "eventsource/dist/index.js", "eventsource-parser": "eventsource-parser/dist/index.js",
  "eventsource-parser/stream": "eventsource-parser/dist/stream.js", "pkce-challenge": "pkce-challenge/dist/index.browser.js",
}).map(([name, file]) => [name, `/modules/${file}`]));

const chat = `<!doctype html><html lang="en"><title>chat</title><link rel="icon" href="data:,"><body>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
window.asked = [];
window.show = async ({ address, input, result, context, can }) => {
  document.querySelector("iframe")?.remove();
  const frame = document.createElement("iframe");
  Object.assign(frame, { title: "app", sandbox: "allow-scripts" });
  frame.style.cssText = "border: 0; width: 100%; height: 100px";
  document.body.append(frame);
  const bridge = window.bridge = new AppBridge(null, { name: "test chat", version: "1" }, can, { hostContext: context });
  const note = (kind) => async (params) => { window.asked.push({ kind, params }); return {}; };
  bridge.oncalltool = async (params) => { window.asked.push({ kind: "tool", params }); return window.callTool(params); };
  bridge.onmessage = note("message");
  bridge.onopenlink = note("link");
  bridge.onupdatemodelcontext = note("context");
  bridge.onsizechange = ({ height }) => { frame.style.height = height + "px"; };
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = address;
  await ready;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
};
document.body.dataset.ready = "yes";
</script></body></html>`;

// The policy of the specification, with what a resource asks for beside it.
function policy({ resourceDomains = [], connectDomains = [], frameDomains = [] }) {
  const or = (list, otherwise) => (list.length > 0 ? list.join(" ") : otherwise), own = ["'self'", ...resourceDomains].join(" ");
  return `default-src 'none'; script-src 'unsafe-inline' ${own}; style-src 'unsafe-inline' ${own}; img-src data: ${own}; font-src ${own}; connect-src ${or(connectDomains, "'none'")}; frame-src ${or(frameDomains, "'none'")}; object-src 'none'; base-uri 'none'`;
}

/** Serves the chat and, under it, the documents of the apps as toolkit gives them. */
export async function serveChat(toolkit) {
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://chat");
      if (pathname === "/") return response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(chat);
      if (pathname.startsWith("/modules/")) {
        return response.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8" }).end(await readFile(path.join(modules, pathname.slice("/modules/".length))));
      }
      const { contents: [app] } = await toolkit.ask("resources/read", { uri: `ui://toolkit${pathname}` });
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy(app._meta.ui.csp) }).end(app.text);
    } catch (error) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}
