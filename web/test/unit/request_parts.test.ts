// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OneRequest } from "../../src/base/shapes";
import { linesOf } from "../../src/parts/lanes/layout";
import { arrowsOf, lanesOfRequest } from "../../src/screens/request_parts";

const attributes = {};

type Named = readonly [string, number | null];

const handOver = (from: Named, to: Named, start: number, duration: number) => ({
  from: from[0],
  from_id: from[1],
  to: to[0],
  to_id: to[1],
  pool: "pool",
  start,
  duration,
});

const request: OneRequest = {
  t0_ns: "1767323045123456789",
  recording: "r",
  id: "2e",
  type: "shop.Order",
  state: "over",
  kept_by: "slow",
  duration: 100,
  busy: 50,
  queued: 30,
  elsewhere: 20,
  part_count: 2,
  attributes,
  threads: [
    { name: "exec-6", id: 33 },
    { name: "pool-2", id: 48 },
  ],
  stays: [
    { thread: 0, start: 0, duration: 30 },
    { thread: 1, start: 60, duration: 20 },
    { thread: 0, start: 90, duration: 10 },
  ],
  parts: [
    { id: "a", type: "shop.Order", thread: 0, start: 0, duration: 30, attributes },
    { id: "b", type: "shop.Mail", thread: 1, start: 60, duration: 20, attributes },
  ],
  hand_overs: [
    handOver(["exec-6", 33], ["pool-2", 48], 30, 30),
    handOver(["pool-2", 48], ["exec-6", 33], 80, 10),
    handOver(["someone", 7], ["exec-6", 33], 0, 0),
  ],
  owners: [],
  why: { requests: 1, total_ns: 100, slices: [], repeated: [], is_truncated: false },
  events: {
    columns: ["type", "start", "duration", "thread", "stack", "fields", "thread_id"],
    rows: [
      ["jdk.JavaMonitorEnter", 5, 10, "exec-6", [], {}, 33],
      ["jdk.ExecutionSample", 65, null, "pool-2", [], {}, 48],
      ["jdk.GCPhasePause", 40, 5, null, [], {}, null],
    ],
  },
  is_truncated: false,
};

test("a request has a lane for each of its threads, and for pauses of the JVM", () => {
  const lanes = lanesOfRequest(request);
  assert.deepEqual(
    lanes.map(({ title, boxes }) => [
      title,
      boxes.map((box) => [box.level, box.start, box.duration, box.kind, box.name, box.id]),
    ]),
    [
      ["JVM", [[0, 40, 5, "gc", "jdk.GCPhasePause", null]]],
      [
        "exec-6",
        [
          [0, 0, 30, "context", "shop.Order", "a"],
          [1, 5, 10, "lock", "jdk.JavaMonitorEnter", null],
          [0, 90, 10, "context", "shop.Order", null], // a stay without a part
        ],
      ],
      [
        "pool-2",
        [
          [0, 60, 20, "context", "shop.Mail", "b"],
          [1, 65, 0, "cpu", "jdk.ExecutionSample", null],
        ],
      ],
    ],
  );
  assert.equal(lanes[1]!.note, "worked for it 40 ns");
});

test("arrows lead from the boxes of a thread to those of the one that took the task", () => {
  const lanes = lanesOfRequest(request);
  const lines = linesOf(arrowsOf(request), lanes, { from: 0, to: 100 }, 1000);
  const [exec, pool] = [68 + 20, 136 + 20]; // tops of their first rows
  assert.deepEqual(lines, [
    { x1: 300, y1: exec + 18, x2: 600, y2: pool },
    { x1: 800, y1: pool, x2: 900, y2: exec + 18 },
  ]);
  assert.equal(linesOf(arrowsOf(request), lanes, { from: 0, to: 29 }, 1000).length, 0);
  assert.equal(linesOf(arrowsOf(request), lanes, { from: 85, to: 99 }, 1000).length, 1);
});

// Virtual threads have no names; a library may call all its threads the same.
test("threads that share a name, or have none, have lanes and arrows of their own", () => {
  const threads = [
    { name: "", id: 33 },
    { name: "", id: 48 },
    { name: "worker", id: null },
    { name: "worker", id: 50 },
  ];
  const event = (at: number, name: string | null, id: number | null) =>
    ["jdk.ExecutionSample", at, null, name, [], {}, id] as const;
  const rows = [event(1, "", 48), event(2, "worker", null), event(3, "worker", 50)];
  const pause = ["jdk.GCPhasePause", 40, 5, null, [], {}, null];
  const one: OneRequest = {
    ...request,
    threads,
    stays: threads.map((_, thread) => ({ thread, start: thread, duration: 1 })),
    parts: [],
    hand_overs: [
      handOver(["", 33], ["", 48], 1, 1),
      handOver(["worker", 50], ["worker", null], 2, 1),
    ],
    events: {
      columns: request.events.columns,
      rows: [...rows.map((row) => [...row]), pause] as never,
    },
  };
  const lanes = lanesOfRequest(one);
  assert.deepEqual(
    lanes.map(({ title, boxes }) => [title, boxes.map(({ start }) => start)]),
    [
      ["JVM", [40]],
      ["a thread without a name, id 33", [0]],
      ["a thread without a name, id 48", [1, 1]],
      ["worker", [2, 2]],
      ["worker, id 50", [3, 3]],
    ],
  );
  const keys = lanes.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(
    arrowsOf(one).map(({ from, to }) => [keys.indexOf(from), keys.indexOf(to)]),
    [
      [1, 2],
      [4, 3],
    ],
  );
});
