// SPDX-License-Identifier: Apache-2.0
// Lines of JVMs: what is at the top of a chart, where a line is cut, what all of it is in numbers; what pools waited for;
// how much of the events is kept.
import assert from "node:assert/strict";
import test from "node:test";
import type { Jvm, JvmLine, JvmPoint, RecordingType } from "../../src/base/shapes";
import { commandOf } from "../../src/parts/jvm/facts";
import { CHARTS, pointAt, runsOf, sumOf, topOf, valueText } from "../../src/parts/jvm/layout";
import { waitsText } from "../../src/parts/pools";
import { storedOf } from "../../src/parts/stored";

const line = (name: string, unit: string, points: JvmPoint[]): JvmLine => ({
  line: name,
  unit,
  event: "jdk." + name,
  points,
});

const jvm = (lines: JvmLine[], read = 1, all = 1): Jvm => ({
  t0_ns: "0",
  step_ns: 60e9,
  column_count: 100,
  lines,
  jvms: [],
  chunks: { read, all },
  has_more_jvms: false,
  is_truncated: false,
});

test("the top of a chart is a round value of all its lines", () => {
  const cpu = CHARTS.find(({ name }) => name === "CPU")!;
  const data = jvm([
    line("cpu_jvm", "ratio", [[0, 1, 0.1, 0.1, 0.1]]),
    line("cpu_machine", "ratio", [[3, 2, 0, 0.2, 0.4]]),
  ]);
  assert.equal(topOf(data, cpu), 0.5);
  assert.equal(topOf(jvm([line("cpu_jvm", "ratio", [])]), cpu), null);
});

test("a line is cut where nothing is said for long, and later where chunks were left out", () => {
  const points: JvmPoint[] = [0, 1, 3, 6, 7].map((column) => [column, 1, 0, 0, 0]);
  const columns = (data: Jvm) =>
    runsOf(data, data.lines[0]!).map((run) => run.map(([column]) => column));
  const threads = [line("threads", "count", points)];
  assert.deepEqual(columns(jvm(threads)), [
    [0, 1, 3],
    [6, 7],
  ]);
  assert.deepEqual(columns(jvm(threads, 1, 2)), [[0, 1, 3, 6, 7]]);
  assert.deepEqual(columns(jvm([line("heap_used", "bytes", points)])), [[0, 1, 3, 6, 7]]);
  assert.deepEqual(columns(jvm([line("threads", "count", [])])), []);
});

test("a line has its least, mean and largest value", () => {
  const one = line("threads", "count", [
    [0, 3, 1, 2, 3],
    [4, 1, 10, 10, 10],
  ]);
  assert.deepEqual(sumOf(one), { count: 4, least: 1, mean: 4, most: 10 });
  assert.equal(sumOf(line("threads", "count", [])), null);
  assert.equal(pointAt(one, 4)![4], 10);
  assert.equal(pointAt(one, 1), null);
});

test("values are in their unit", () => {
  assert.equal(valueText(line("a", "bytes", []), 2e6), "2.00 MB");
  assert.equal(valueText(line("a", "ns", []), 2e6), "2.00 ms");
  assert.equal(valueText(line("a", "ratio", []), 0.25), "25 %");
  assert.equal(valueText(line("a", "count", []), 2.4), "2");
});

test("a pool says what it waited for most", () => {
  const waits = { lock: 1e9, io: 1e3, park: 90e9 };
  const numbers = { threads: 1, samples: 0, cpu_ns: 0, alloc_bytes: 0, blocked_ns: 0 };
  assert.equal(waitsText({ pool: "a", ...numbers, waits }), "park 90.0 s, lock 1.00 s");
  assert.equal(waitsText({ pool: "a", ...numbers, waits: {} }), "");
});

test("what is kept is told by kind, with what dropped the rest", () => {
  const type = (offered: number, kept: number, dropped: Record<string, number>): RecordingType => ({
    ...{ events_in: offered, events_out: kept, bytes_in: 0, bytes_out: 0 },
    ...{ offered, kept, dropped },
  });
  const types = {
    "jdk.SocketRead": type(10, 4, { select: 6 }),
    "jdk.FileRead": type(10, 9, { throttle: 1 }),
    "jdk.ExecutionSample": type(7, 7, {}),
    "shop.Order": type(3, 3, {}),
  };
  assert.deepEqual(storedOf(types), [
    { kind: "cpu", offered: 7, kept: 7, dropped: [] },
    {
      kind: "io",
      offered: 20,
      kept: 13,
      dropped: [
        ["select", 6],
        ["throttle", 1],
      ],
    },
  ]);
});

test("the command line of a JVM is its arguments and those of the program", () => {
  const jvm_arguments = "-Xmx1g";
  assert.equal(commandOf({ jvm_arguments, java_arguments: "Shop 80" }), "java -Xmx1g Shop 80");
  assert.equal(commandOf({ java_arguments: "Shop" }), "java Shop");
  assert.equal(commandOf({ pid: 1 }), null);
});
