#!/usr/bin/env python3
"""Compares two builds of toolkit over stdio, in turn, so that both see the same machine.

    python3 scripts/bench/paired.py OLD NEW [--entities 1000] [--rounds 15] [--calls 300]

OLD and NEW are binaries. Each works on a file of its own, made by itself from the same
calls. Start is measured in a new process a round; the calls go back and forth between two
servers, one call at a time, with a ping between calls measured for comparison. Prints a
Markdown table of medians in milliseconds with the ratio of the medians, and the size of
each binary.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PDF = REPOSITORY / "internal/reader/testdata/makes/form_1099.weasyprint.pdf"
BATCH = 500  # entities a call of the preparation


class Server:
    """A process that speaks one JSON-RPC message a line, timed at the pipe."""

    def __init__(self, binary, folder):
        files = folder / "files"
        files.mkdir(exist_ok=True)
        environment = {**os.environ, "HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config"), "TOOLKIT_RATE_LIMITS": "upload_file=off,submit_payload=off"}
        command = [binary, "serve", "--stdio", "--db", str(folder / "kept" / "toolkit.db")]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=files, bufsize=0)
        self.id = 0

    def request(self, method, params=None):
        """Returns the answer and how long it took, in seconds."""
        self.id += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params or {}}).encode() + b"\n"
        started = time.perf_counter()
        self.process.stdin.write(line)
        parts = []
        while not parts or not parts[-1].endswith(b"\n"):
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise SystemExit(f"the server ended during {method}")
            parts.append(part)
        took = time.perf_counter() - started
        answer = json.loads(b"".join(parts))
        if "error" in answer or answer["result"].get("isError"):
            raise SystemExit(f"{method} failed: {json.dumps(answer)[:500]}")
        return answer["result"], took

    def call(self, tool, arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})[1]

    def initialize(self):
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "paired", "version": "1"}})
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def start(binary, folder):
    """The times from the start of a process to initialize and to the first tools/list."""
    began = time.perf_counter()
    server = Server(binary, folder)
    server.initialize()
    initialized = time.perf_counter() - began
    server.request("tools/list")
    listed = time.perf_counter() - began
    server.close()
    return initialized, listed


def entity(number):
    observations = [f"met in {1990 + number % 30} at workshop W{number:06d}", f"works on topic {number % 97} with patience"]
    return {"name": f"entity_{number}", "entityType": "person" if number % 3 else "project", "observations": observations}


def prepare(server, folder, entities):
    server.initialize()
    for first in range(0, entities, BATCH):
        server.call("create_entities", {"entities": [entity(n) for n in range(first, min(first + BATCH, entities))]})
    for n in range(50):
        server.call("compress_to_l2_insight", {"source_ids": [], "content": f"Decision {n}: the release of project {n % 7} moves to Monday {n}."})
    moment = {"pocket_id": "cluny", "primary_state": "calm-productive", "calm": 0.74, "stress": 0.18, "social_energy": 0.42, "productive": 0.68}
    server.call("record-pocket-signal", {"kind": "atmosphere", "records": [moment]})
    server.call("upload_file", upload(folder, "first"))  # compiles the reader of PDFs, once


def chart(number):
    return {"desiredOutcome": f"Project {number} is deployed", "currentReality": f"The tests of project {number} fail", "dueDate": "2030-01-31T00:00:00Z", "actionSteps": []}


def payload(number):
    provenance = {"source_refs": [], "extracted_at": "2025-01-15T10:30:00Z", "extractor_version": "paired:v1"}
    body = {"invoice_number": f"INV-{number}", "amount": 10.5 + number, "vendor_name": f"Acme {number % 9}", "date": "2025-01-15"}
    return {"capability_id": "neotoma:store_invoice:v1", "body": body, "provenance": provenance}


def upload(folder, number):
    """A small PDF that was never uploaded before: readers pass over what follows its end."""
    path = folder / "files" / f"file-{number}.pdf"
    path.write_bytes(PDF.read_bytes() + f"\n% {number}\n".encode())
    return {"file_path": path.name}


# What is called, with the share of the calls that a slow one gets.
CALLS = [
    ("ping", 1, None),
    ("the tool ping", 1, lambda s, n: ("ping", {})),
    ("open_nodes of one", 1, lambda s, n: ("open_nodes", {"names": [f"entity_{n % 100}"]})),
    ("create_entities of one", 1, lambda s, n: ("create_entities", {"entities": [entity(1_000_000 + n)]})),
    ("create_structural_tension_chart", 0.5, lambda s, n: ("create_structural_tension_chart", chart(n))),
    ("store_raw_dialogue", 1, lambda s, n: ("store_raw_dialogue", {"session_id": f"s{n % 9}", "speaker": "user", "content": f"The release of project {n} waits for the tests of the parser."})),
    ("compress_to_l2_insight", 1, lambda s, n: ("compress_to_l2_insight", {"source_ids": [], "content": f"Decision {n}: project {n % 9} is deployed on Monday {n}."})),
    ("store_episode", 1, lambda s, n: ("store_episode", {"query": f"How is project {n} deployed?", "reward": 0.5, "reflection": "Problem: slow. Lesson: in parts."})),
    ("search_nodes, one hit", 1, lambda s, n: ("search_nodes", {"query": f"W{n % 100:06d}"})),
    ("search_nodes, many hits", 0.2, lambda s, n: ("search_nodes", {"query": "patience"})),
    ("submit_payload", 0.5, lambda s, n: ("submit_payload", payload(n))),
    ("hybrid_search", 0.5, lambda s, n: ("hybrid_search", {"query_text": f"release Monday {n}", "top_k": 5})),
    ("get_pocket_moment", 1, lambda s, n: ("get_pocket_moment", {"pocket_id": "cluny"})),
    ("upload_file of a small PDF", 0.05, lambda s, n: ("upload_file", upload(s, n))),
]


def measure(folders, servers, make, rounds):
    times = [[], []]
    for n in range(rounds):
        for side in (0, 1) if n % 2 else (1, 0):
            if make is None:
                took = servers[side].request("ping")[1]
            else:
                took = servers[side].call(*make(folders[side], n))
            if n > 2 or rounds <= 5:  # the first ones fill caches
                times[side].append(took)
    return [statistics.median(t) * 1000 for t in times]


def row(name, old, new, digits=2):
    print(f"| {name} | {old:.{digits}f} | {new:.{digits}f} | {new / old:.2f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("old")
    arguments.add_argument("new")
    arguments.add_argument("--entities", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=15, help="starts of each")
    arguments.add_argument("--calls", type=int, default=300, help="calls of each quick tool")
    given = arguments.parse_args()
    binaries = [os.path.abspath(given.old), os.path.abspath(given.new)]
    with tempfile.TemporaryDirectory() as temporary:
        folders = [pathlib.Path(temporary) / side for side in ("old", "new")]
        for folder, binary in zip(folders, binaries):
            folder.mkdir()
            server = Server(binary, folder)
            prepare(server, folder, given.entities)
            server.close()
        print("| ms | old | new | new / old |\n|---|---|---|---|")
        starts = [[], []]
        for n in range(given.rounds):
            for side in (0, 1) if n % 2 else (1, 0):
                starts[side].append(start(binaries[side], folders[side]))
        for part, name in enumerate(("start to initialize", "start to first tools/list")):
            row(name, *(statistics.median(t[part] for t in side) * 1000 for side in starts), digits=1)
        servers = [Server(b, f) for b, f in zip(binaries, folders)]
        for server in servers:
            server.initialize()
        for name, share, make in CALLS:
            row(name, *measure(folders, servers, make, max(4, int(given.calls * share))), digits=3)
        for server in servers:
            server.close()
    row("binary, MB", *(os.path.getsize(b) / 1e6 for b in binaries), digits=1)


if __name__ == "__main__":
    main()
