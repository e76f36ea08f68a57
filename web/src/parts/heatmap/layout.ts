// SPDX-License-Identifier: Apache-2.0
// layout: the heat map's answer as cells, and which cells lie where. Pure; no canvas.
//
// Bucket i of the answer has durations over 2^(i/4) ns up to 2^((i+1)/4) ns, -1 those up to 1 ns. Where
// there is not room for all, a cell has several columns and buckets: buckets i with the same floor(i / n).
import type { Range } from "../../base/range";
import type { Box } from "../../base/selection";
import type { Heatmap } from "../../base/shapes";

export const STEPS = 5; // of colours, from 1; 0 is an empty cell
export const MS_BUCKET = 79; // has 1 ms
const BUCKETS = 252; // an answer has at most
const ROWS_MIN = 12; // from a lowest bucket on: up to 8 ms from MS_BUCKET

export interface Place {
  column: number;
  row: number; // 0 is the bottom one
}

export interface Cell extends Place {
  all: number;
  kept: number;
}

export interface Grid {
  t0: bigint; // where the first column begins, ns since 1970
  step: bigint; // ns of a column
  columns: number;
  first: number; // the bottom row has the buckets from first * buckets on
  buckets: number; // of a row
  hasShorter: boolean; // the bottom row has all shorter durations, too
  rows: number;
  cells: Map<number, Cell>; // those that are not empty, by keyOf
  most: number; // of all in a cell
  exemplars: Map<number, { recording: string; id: string }>; // the longest of a cell, by keyOf
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Tick {
  at: number; // pixels from the left, or from the top
  text: string;
}

// Powers of two are exact; so is the whole part of a bucket's bound.
const ROOTS = [1, 2 ** 0.25, 2 ** 0.5, 2 ** 0.75];
const power = (quarters: number) => ROOTS[quarters & 3]! * 2 ** (quarters >> 2);

// longest is the longest whole duration of a bucket, ns.
export function longest(bucket: number): number {
  return bucket < 0 ? 1 : Math.floor(power(bucket + 1));
}

export function keyOf(grid: Pick<Grid, "rows">, { column, row }: Place): number {
  return column * grid.rows + row;
}

// inAll are the counts of all columns together by bucket, in order.
export function inAll(columns: Heatmap["columns"]): [number, number][] {
  const sums: number[] = Array(BUCKETS + 1); // from bucket -1 on
  for (const column of columns) {
    for (const cell of column) {
      sums[cell[0] + 1] = (sums[cell[0] + 1] ?? 0) + cell[1];
    }
  }
  const found: [number, number][] = [];
  sums.forEach((sum, at) => found.push([at - 1, sum]));
  return found;
}

// quantile is that of counts by bucket, in order, interpolated as the collector does; null if there are none.
export function quantile(counts: readonly (readonly [number, number])[], q: number): number | null {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  let rest = Math.max(1, Math.ceil(q * total));
  for (const [bucket, count] of counts) {
    if (rest <= count) {
      return bucket < 0 ? 1 : Math.floor(2 ** ((bucket + rest / count) / 4));
    }
    rest -= count;
  }
  return null;
}

const SLOWEST_MIN = 10; // fewer requests show nothing in common

// slowestWords are those that slowestOf has.
export const slowestWords = (all: number) => (all < 100 * SLOWEST_MIN ? SLOWEST_MIN : "1 %");

// slowestOf is the box of the slowest percent, or of the slowest SLOWEST_MIN, in all of the time; null where that is half
// of all. If the last bucket has as many, the box has all of it: an interpolated duration may be longer than any there.
export function slowestOf({ t0_ns, step_ns, columns, all }: Heatmap): Box | null {
  const counts = inAll(columns);
  const [bucket, count] = counts.at(-1) ?? [0, 0];
  const share = Math.max(0.01, SLOWEST_MIN / all);
  const isLast = count >= share * all;
  const least = isLast ? Math.floor(2 ** (bucket / 4)) : quantile(counts, 1 - share);
  const min = (isLast ? count / all : share) < 0.5 ? least : null;
  const from = BigInt(t0_ns);
  const to = from + BigInt(step_ns) * BigInt(columns.length);
  return min === null ? null : { from, to, min, max: Infinity };
}

// gridOf returns the grid of an answer with at most so many columns and rows. With `lowest`, rows begin at that bucket,
// and the first row includes all shorter ones.
export function gridOf(
  map: Heatmap,
  columnsMax: number,
  rowsMax: number,
  lowest: number | null = null,
): Grid {
  const perCell = Math.max(1, Math.ceil(map.columns.length / columnsMax));
  let low = Infinity;
  let high = -Infinity;
  for (const column of map.columns) {
    low = Math.min(low, column[0]?.[0] ?? low); // in order
    high = Math.max(high, column.at(-1)?.[0] ?? high);
  }
  const hasShorter = lowest !== null && low <= high;
  if (hasShorter) {
    low = lowest;
    high = Math.max(high, lowest + ROWS_MIN - 1);
  }
  let buckets = 1;
  while (Math.floor(high / buckets) - Math.floor(low / buckets) >= rowsMax) {
    buckets *= 2;
  }
  const first = low > high ? 0 : Math.floor(low / buckets);
  const grid: Grid = {
    t0: BigInt(map.t0_ns),
    step: BigInt(map.step_ns) * BigInt(perCell),
    columns: Math.ceil(map.columns.length / perCell),
    first,
    buckets,
    hasShorter,
    rows: low > high ? 0 : Math.floor(high / buckets) - first + 1,
    cells: new Map(),
    most: 0,
    exemplars: new Map(),
  };
  const placeOf = (index: number, bucket: number) => ({
    column: Math.floor(index / perCell),
    row: Math.max(0, Math.floor(bucket / buckets) - first),
  });
  map.columns.forEach((column, index) => {
    for (const counts of column) {
      const place = placeOf(index, counts[0]);
      const key = keyOf(grid, place);
      const cell = grid.cells.get(key) ?? { ...place, all: 0, kept: 0 };
      cell.all += counts[1];
      cell.kept += counts[2];
      grid.cells.set(key, cell);
      grid.most = Math.max(grid.most, cell.all);
    }
  });
  for (const [index, bucket, recording, id] of map.exemplars) {
    grid.exemplars.set(keyOf(grid, placeOf(index, bucket)), { recording, id });
  }
  return grid;
}

// colorStep is 0 for none, and 1 to STEPS for 1 to most, in equal ratios.
export function colorStep(count: number, most: number): number {
  const share = Math.log(count) / Math.log(most + 1);
  return count <= 0 ? 0 : Math.min(STEPS, 1 + Math.floor(STEPS * share));
}

// boxOf is the box of all cells between two, both included; it has exactly the durations of their buckets.
export function boxOf(grid: Grid, a: Place, b: Place): Box {
  const [left, right] = [Math.min(a.column, b.column), Math.max(a.column, b.column)];
  const [bottom, top] = [Math.min(a.row, b.row), Math.max(a.row, b.row)];
  const lowest = (grid.first + bottom) * grid.buckets;
  return {
    from: grid.t0 + grid.step * BigInt(left),
    to: grid.t0 + grid.step * BigInt(right + 1),
    min: lowest < 0 || (grid.hasShorter && bottom === 0) ? 0 : longest(lowest - 1) + 1,
    max: longest((grid.first + top + 1) * grid.buckets - 1),
  };
}

// isIn returns whether a cell has a part in the box. A cell that ends where the box begins has none, though the border
// itself is one of its durations.
export function isIn(grid: Grid, box: Box, place: Place): boolean {
  const cell = boxOf(grid, place, place);
  const isThen = cell.from < box.to && cell.to > box.from;
  const isLonger = cell.max > Math.min(box.min, box.max - 1) || cell.min >= box.min;
  return isThen && cell.min <= box.max && isLonger;
}

// sumIn adds the cells that overlap the box.
export function sumIn(grid: Grid, box: Box): { all: number; kept: number } {
  const sum = { all: 0, kept: 0 };
  for (const cell of grid.cells.values()) {
    if (isIn(grid, box, cell)) {
      sum.all += cell.all;
      sum.kept += cell.kept;
    }
  }
  return sum;
}

// exemplarsIn are the kept ones that the answer names in the box, the longest first.
export function exemplarsIn(grid: Grid, box: Box): { recording: string; id: string }[] {
  return [...grid.cells.values()]
    .filter((cell) => isIn(grid, box, cell))
    .sort((a, b) => b.row - a.row || b.column - a.column)
    .flatMap((cell) => grid.exemplars.get(keyOf(grid, cell)) ?? []);
}

// cellRect is where a cell is drawn in a plot.
export function cellRect(grid: Grid, plot: Rect, { column, row }: Place): Rect {
  const width = plot.width / grid.columns;
  const height = plot.height / grid.rows;
  const y = plot.y + plot.height - (row + 1) * height;
  return { x: plot.x + column * width, y, width, height };
}

// cellAt is the cell at a pixel; outside of the plot, the nearest.
export function cellAt(grid: Grid, plot: Rect, x: number, y: number): Place {
  const within = (value: number, count: number) =>
    Math.max(0, Math.min(count - 1, Math.floor(value * count)));
  return {
    column: within((x - plot.x) / plot.width, grid.columns),
    row: within(1 - (y - plot.y) / plot.height, grid.rows),
  };
}

export function isAt(rect: Rect, x: number, y: number): boolean {
  const isAcross = x >= rect.x && x < rect.x + rect.width;
  return isAcross && y >= rect.y && y < rect.y + rect.height;
}

// xOf and yOf are where a point in time and a duration lie in a plot, or beside it.
export function xOf(grid: Grid, plot: Rect, ns: bigint): number {
  return plot.x + (Number(ns - grid.t0) / (Number(grid.step) * grid.columns)) * plot.width;
}

export function yOf(grid: Grid, plot: Rect, ns: number): number {
  const row = (4 * Math.log2(Math.max(ns, 1))) / grid.buckets - grid.first;
  return plot.y + plot.height * (1 - row / grid.rows);
}

// boxRect returns the visible rectangle of a box; null if the box is outside the plot.
export function boxRect(grid: Grid, plot: Rect, box: Box): Rect | null {
  const [left, right] = [plot.x, plot.x + plot.width];
  const [top, bottom] = [plot.y, plot.y + plot.height];
  const x = Math.max(left, xOf(grid, plot, box.from));
  const y = Math.max(top, yOf(grid, plot, box.max));
  const width = Math.min(right, xOf(grid, plot, box.to)) - x;
  const low = box.min <= 1 ? bottom : Math.min(bottom, yOf(grid, plot, box.min - 1));
  return width <= 0 || low <= y ? null : { x, y, width, height: low - y };
}

export function rangeOf(grid: Grid): Range {
  return { from: grid.t0, to: grid.t0 + grid.step * BigInt(grid.columns) };
}

// durationTicks are round durations at least `gap` pixels apart, of tens, else of 1, 2 and 5.
export function durationTicks(
  grid: Grid,
  plot: Rect,
  gap: number,
  text: (ns: number) => string,
): Tick[] {
  const ticks: Tick[] = [];
  const add = (ns: number) => {
    const at = yOf(grid, plot, ns);
    const isFree = ticks.every((tick) => Math.abs(tick.at - at) >= gap);
    if (isFree && at >= plot.y && at <= plot.y + plot.height) {
      ticks.push({ at, text: text(ns) });
    }
  };
  for (const factor of [1, 2, 5]) {
    for (let ten = 1; ten < 1e15; ten *= 10) {
      add(factor * ten);
    }
  }
  return ticks.sort((a, b) => b.at - a.at);
}

const ROUND_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800,
  604800, 1209600, 2592000,
];

// timeTicks are round times at least `gap` pixels apart; offsetNs is what clocks here are ahead of UTC.
export function timeTicks(
  grid: Grid,
  plot: Rect,
  gap: number,
  offsetNs: bigint,
  text: (ns: bigint, step: number) => string,
): Tick[] {
  const { from, to } = rangeOf(grid);
  const least = (Number(to - from) / 1e9) * (gap / plot.width);
  const seconds = ROUND_S.find((one) => one >= least) ?? ROUND_S.at(-1)!;
  const step = BigInt(seconds) * 1_000_000_000n;
  const ticks: Tick[] = [];
  for (let ns = ((from + offsetNs + step - 1n) / step) * step - offsetNs; ns < to; ns += step) {
    ticks.push({ at: xOf(grid, plot, ns), text: text(ns, seconds * 1e9) });
  }
  return ticks;
}
