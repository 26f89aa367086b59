// Hears of changes, by whichever process. One page of a browser listens and tells
// the others: a browser opens only a few connections to one server.

const told = new BroadcastChannel("toolkit-live");

/** Calls changed({ topics, sequence }) whenever something changed, until the page is left. */
export function listen(changed) {
  told.onmessage = (event) => changed(event.data);
  navigator.locks.request("toolkit-live", () => new Promise(() => {
    const stream = new EventSource("/api/live");
    stream.onmessage = (event) => {
      const news = JSON.parse(event.data);
      changed(news);
      told.postMessage(news);
    };
  }));
}
