// Talks with the program around the chat as MCP Apps (2026-01-26) says: JSON-RPC in
// messages between this document and the one that holds it.

/** The host declined, or could not do what it was asked for. */
export class Refused extends Error {}

const waiting = new Map(), listeners = new Map();
let last = 0;

/** What the host can do, and how it looks: both are empty until it has said. */
export const host = { can: {}, context: {} };

/** Calls listen with the parameters of a notification from the host. */
export function on(method, listen) {
  listeners.set(method, listen);
}

/** Asks the host and resolves with its answer. */
export function request(method, params = {}) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/** Begins to talk; resolves when the host has said who it is. */
export async function meet(context) {
  window.addEventListener("message", hear);
  on("ui/notifications/host-context-changed", (changed) => context(Object.assign(host.context, changed)));
  const met = await request("ui/initialize", {
    protocolVersion: "2026-01-26", appInfo: { name: "toolkit", version: "1.0.0" }, appCapabilities: { availableDisplayModes: ["inline"] },
  });
  host.can = met.hostCapabilities ?? {};
  context(Object.assign(host.context, met.hostContext));
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(tellSize).observe(document.documentElement);
}

function hear({ source, data }) {
  if (source !== window.parent || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) return settle(data);
  if (data.id === undefined) return listeners.get(data.method)?.(data.params ?? {});
  const known = data.method === "ping" || data.method === "ui/resource-teardown"; // nothing is held that would be lost
  send({ id: data.id, ...(known ? { result: {} } : { error: { code: -32601, message: "There is no such method." } }) });
}

function settle({ id, result, error }) {
  const { resolve, reject } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (error) reject?.(new Refused(error.message));
  else resolve?.(result ?? {});
}

function tellSize() {
  const { height } = document.documentElement.getBoundingClientRect();
  send({ method: "ui/notifications/size-changed", params: { width: window.innerWidth, height: Math.ceil(height) } });
}
