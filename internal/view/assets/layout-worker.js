// Places the nodes of a picture, off the main thread. d3-force does the work.
"use strict";
importScripts("/assets/vendor/d3-force.js");

let simulation = null;
let nodes = [];
let timer = 0;

const slice = 12; // milliseconds of work between two looks at the messages

onmessage = ({ data }) => {
  if (data.type === "set") begin(data);
  if (data.type === "hold" && nodes[data.index]) hold(data);
};

function begin({ places, radii, links, effort, still }) {
  clearTimeout(timer);
  nodes = radii.map((radius, i) => ({ radius, x: places[2 * i], y: places[2 * i + 1] }));
  for (const n of nodes) if (Number.isNaN(n.x)) delete n.x, delete n.y; // d3 finds a place
  const apart = links.length < 90 ? 84 : 42; // where there are few there is room for the names of relations
  const edges = links.map(([source, target]) => ({ source, target }));
  simulation = d3.forceSimulation(nodes).alpha(effort)
    .force("link", d3.forceLink(edges).distance((e) => apart + e.source.radius + e.target.radius).strength(0.35))
    .force("charge", d3.forceManyBody().strength(-170).distanceMax(420))
    .force("collide", d3.forceCollide((n) => n.radius + 5))
    .alphaDecay(0.04) // settled after some 170 steps
    .force("x", d3.forceX(0).strength(0.045))
    .force("y", d3.forceY(0).strength(0.06))
    .stop();
  run(still);
}

// With still, only the end of the movement is shown.
function run(still) {
  const until = performance.now() + slice;
  do simulation.tick(); while (simulation.alpha() > simulation.alphaMin() && performance.now() < until && still);
  const ended = simulation.alpha() <= simulation.alphaMin();
  if (!still || ended) send(ended);
  if (!ended) timer = setTimeout(run, still ? 0 : 16, still);
}

function hold({ index, x, y, release }) {
  const n = nodes[index];
  n.fx = release ? null : x;
  n.fy = release ? null : y;
  clearTimeout(timer);
  simulation.alpha(Math.max(simulation.alpha(), 0.25));
  run(false);
}

function send(ended) {
  const places = new Float32Array(nodes.length * 2);
  nodes.forEach((n, i) => {
    places[2 * i] = n.x;
    places[2 * i + 1] = n.y;
  });
  postMessage({ places, ended }, [places.buffer]);
}
