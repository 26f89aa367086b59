// Places the nodes of a picture, off the main thread. d3-force does the work.
"use strict";
importScripts("/assets/vendor/d3-force.js");

let simulation = null;
let nodes = [];
let timer = 0;
let held = null; // the node that somebody drags
let aside = 1; // how much rather nodes go aside than up and down

const slice = 12; // milliseconds of work between two looks at the messages
const touching = 1; // what does not count as covering
const gravity = 0.05; // towards the middle
const gap = 6; // between what two nodes take with their names
const mostRounds = 150; // in which the last nodes are moved apart

onmessage = ({ data }) => {
  if (data.type === "set") begin(data);
  if (data.type === "hold" && nodes[data.index]) hold(data);
};

// A node takes the room of its shape and of its name below it.
function begin({ places, radii, names, aspect, links, effort, still }) {
  clearTimeout(timer);
  held = null;
  aside = 1.7 * aspect; // names are wider than high
  nodes = radii.map((radius, i) => {
    const [width, height] = names[i];
    return { radius, halfWidth: Math.max(radius, width / 2) + gap / 2, halfHeight: radius + (height + gap) / 2, below: height / 2, x: places[2 * i], y: places[2 * i + 1] };
  });
  for (const n of nodes) if (Number.isNaN(n.x)) delete n.x, delete n.y; // d3 finds a place
  const apart = links.length < 90 ? 84 : 42; // where there are few there is room for the names of relations
  const edges = links.map(([source, target]) => ({ source, target }));
  simulation = d3.forceSimulation(nodes).alpha(effort)
    .force("link", d3.forceLink(edges).distance((e) => apart + e.source.radius + e.target.radius).strength(0.35))
    .force("charge", d3.forceManyBody().strength(-170).distanceMax(420))
    .force("names", () => keepApart(0.5))
    .alphaDecay(0.04) // settled after some 170 steps
    .force("x", d3.forceX(0).strength(gravity / aspect))
    .force("y", d3.forceY(0).strength(gravity * aspect))
    .stop();
  run(still);
}

// With still, only the end of the movement is shown.
function run(still) {
  const until = performance.now() + slice;
  do simulation.tick(); while (simulation.alpha() > simulation.alphaMin() && performance.now() < until && still);
  const ended = simulation.alpha() <= simulation.alphaMin();
  if (ended) for (let round = 0; round < mostRounds && keepApart(1); round++);
  if (!still || ended) send(ended);
  if (!ended) timer = setTimeout(run, still ? 0 : 16, still);
}

// Moves nodes apart whose shapes and names cover each other, and reports whether there were any.
// They go aside or up and down so that all together take the form of the picture.
function keepApart(share) {
  let moved = false;
  for (let i = 0; i < nodes.length; i++) {
    const a = nodes[i];
    for (let j = 0; j < i; j++) {
      const b = nodes[j], dx = a.x - b.x, acrossX = a.halfWidth + b.halfWidth - Math.abs(dx);
      if (acrossX <= touching) continue;
      const dy = a.y + a.below - b.y - b.below, acrossY = a.halfHeight + b.halfHeight - Math.abs(dy);
      if (acrossY <= touching) continue;
      moved = true;
      if (acrossX < aside * acrossY) pushApart(a, b, "x", Math.sign(dx || 1) * acrossX * share);
      else pushApart(a, b, "y", Math.sign(dy || 1) * acrossY * share);
    }
  }
  return moved;
}

// Each goes half of the way; one that is held stays, and the other goes all of it.
function pushApart(a, b, axis, way) {
  const aHeld = a === held, bHeld = b === held;
  if (!aHeld) a[axis] += bHeld ? way : way / 2;
  if (!bHeld) b[axis] -= aHeld ? way : way / 2;
}

function hold({ index, x, y, release }) {
  const n = nodes[index];
  held = release ? null : n;
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
