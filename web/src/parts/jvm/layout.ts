// SPDX-License-Identifier: Apache-2.0
// layout: the lines of JVMs as charts, one below the other on one axis of time. Pure; no canvas.
import { bytes, count, duration, percent } from "../../base/format";
import type { Jvm, JvmLine, JvmPoint } from "../../base/shapes";
import { roundUp } from "../heatmap/rate";

// How each column is drawn: a bar of the largest value, or a line at the least value or at the mean with the area between
// the least and the largest.
export type Drawn = "bars" | "least" | "mean";

export interface Chart {
  name: string;
  lines: readonly (readonly [string, string])[]; // the API's name of a line, and the token of its colour
  drawn: Drawn;
}

export const CHARTS: readonly Chart[] = [
  { name: "heap", lines: [["heap_used", "io"]], drawn: "least" }, // that is what collections left,
  { name: "GC pauses", lines: [["gc_pause", "gc"]], drawn: "bars" },
  {
    name: "CPU",
    lines: [
      ["cpu_machine", "none"],
      ["cpu_jvm", "cpu"],
    ],
    drawn: "mean",
  },
  { name: "threads", lines: [["threads", "park"]], drawn: "mean" },
];

// The names of the lines.
const NAMES: Record<string, string> = {
  heap_used: "heap used",
  gc_pause: "GC pauses",
  cpu_jvm: "CPU of the JVM",
  cpu_machine: "CPU of the machine",
  resident: "resident memory",
  threads: "Java threads",
  classes: "loaded classes",
};

export function lineName({ line }: JvmLine): string {
  return NAMES[line] ?? line;
}

// valueText is a value of a line in its unit.
export function valueText({ unit }: JvmLine, value: number): string {
  const text = { bytes, ns: duration, ratio: percent }[unit];
  return (text ?? count)(unit === "count" ? Math.round(value) : value);
}

// linesOf returns the lines of a chart that the answer has, each with its colour token.
export function linesOf({ lines }: Jvm, chart: Chart): { line: JvmLine; token: string }[] {
  return chart.lines.flatMap(([name, token]) => {
    const line = lines.find((one) => one.line === name);
    return line ? [{ line, token }] : [];
  });
}

// topOf is the value at the top of a chart: a round one; null where it has no point.
export function topOf(data: Jvm, chart: Chart): number | null {
  const most = linesOf(data, chart).flatMap(({ line }) => line.points.map((point) => point[4]));
  const largest = most.reduce((top, value) => Math.max(top, value), 0);
  return most.length === 0 ? null : roundUp(Math.max(largest, 1e-3));
}

const GAP_NS = 120e9; // without a value for longer, the line breaks; a late chunk is shorter
const GAPS = 10; // times as long for irregular values, such as the heap, which is known after a collection

// runsOf are the points of a line, cut where for a long time there are none. Where not all chunks were read, gaps are
// longer.
export function runsOf(data: Jvm, line: JvmLine): JvmPoint[][] {
  const every = Math.max(1, data.chunks.all / Math.max(1, data.chunks.read));
  const longest = GAP_NS * every * (line.line === "heap_used" ? GAPS : 1);
  const columns = Math.max(1, Math.ceil(longest / data.step_ns));
  const runs: JvmPoint[][] = [];
  for (const point of line.points) {
    const run = runs.at(-1);
    if (run && point[0] - run.at(-1)![0] <= columns) {
      run.push(point);
    } else {
      runs.push([point]);
    }
  }
  return runs;
}

export interface Sum {
  count: number;
  least: number;
  mean: number;
  most: number;
}

// sumOf returns the sum of a line over all columns; null if it has no value.
export function sumOf({ points }: JvmLine): Sum | null {
  const all = points.reduce((sum, [, here]) => sum + here, 0);
  return points.length === 0
    ? null
    : {
        count: all,
        least: Math.min(...points.map((point) => point[2])),
        mean: points.reduce((sum, [, here, , mean]) => sum + here * mean, 0) / all,
        most: Math.max(...points.map((point) => point[4])),
      };
}

// pointAt is the point of a line in a column, or null.
export function pointAt({ points }: JvmLine, column: number): JvmPoint | null {
  return points.find(([at]) => at === column) ?? null;
}
