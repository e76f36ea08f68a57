// SPDX-License-Identifier: Apache-2.0
// paint: the heat map on a canvas.
import { clock, day, offsetNs, zoneName } from "../../base/clock";
import { duration } from "../../base/format";
import type { Box } from "../../base/selection";
import { color, fontOf } from "../../base/theme";
import type { Unit } from "../../base/units";
import { boxRect, cellRect, colorStep, durationTicks, timeTicks } from "./layout";
import type { Cell, Grid, Place, Rect, Tick } from "./layout";

const LEFT = 52;
const BOTTOM = 20;
const TOP = 6;
const RIGHT = 52; // of an axis on the right
const TIME_GAP = 72;
const DURATION_GAP = 26;
const CORNER = 5; // of a cell that is marked

export interface Marks {
  box: Box | null;
  base: Box | null;
  cells: readonly Place[]; // under the pointer, and at the keyboard's cursor
}

// plotOf is where the cells are in a canvas.
export function plotOf(width: number, height: number, hasRight: boolean): Rect {
  const across = width - LEFT - (hasRight ? RIGHT : 0);
  return {
    x: LEFT,
    y: TOP,
    width: Math.max(1, across),
    height: Math.max(1, height - TOP - BOTTOM),
  };
}

// timeText has the day instead of midnight.
function timeText(ns: bigint, step: number): string {
  const time = clock(ns, step);
  return time === "00:00" ? day(ns).slice(5) : time;
}

function ticksOf(grid: Grid, plot: Rect): { times: Tick[]; durations: Tick[] } {
  const round = (ns: number) => duration(ns).replace(/\.0+ /, " ");
  return {
    times: timeTicks(grid, plot, TIME_GAP, offsetNs(grid.t0), timeText),
    durations: grid.rows === 0 ? [] : durationTicks(grid, plot, DURATION_GAP, round),
  };
}

// A small corner marks a cell: where all are marked, the colours are seen nevertheless.
function addCorner(to: CanvasRenderingContext2D, right: number, top: number, size: number): void {
  to.moveTo(right - size, top);
  to.lineTo(right, top);
  to.lineTo(right, top + size);
}

// paintCorners paints a column's corners at once: each by itself takes twice as long, and so do all together.
function paintCorners(
  to: CanvasRenderingContext2D,
  grid: Grid,
  plot: Rect,
  gap: number,
  isMarked: (cell: Cell) => boolean,
): void {
  to.fillStyle = color("corner");
  to.beginPath();
  let column = -1;
  for (const cell of grid.cells.values()) {
    if (!isMarked(cell)) {
      continue;
    }
    if (cell.column !== column) {
      to.fill();
      to.beginPath();
      column = cell.column;
    }
    const { x, y, width, height } = cellRect(grid, plot, cell);
    addCorner(to, x + width - gap, y, Math.min(CORNER, width / 2, height / 2));
  }
  to.fill();
}

// isMarked returns whether a cell deserves a look: for contexts, if it has kept ones, in which something happened; for
// requests, if some of its slow ones were not kept.
export function isMarked({ all, kept }: Cell, unit: Unit): boolean {
  return unit === "requests" ? kept < all : kept > 0;
}

export function paintCells(to: CanvasRenderingContext2D, grid: Grid, plot: Rect, unit: Unit): void {
  const fills = ["h0", "h1", "h2", "h3", "h4", "h5"].map(color);
  const gap = Math.min(plot.width / grid.columns, plot.height / grid.rows) > 4 ? 1 : 0;
  const cells = fills.map((): Cell[] => []); // by colour: to change it costs more than a rectangle
  for (const cell of grid.cells.values()) {
    cells[colorStep(cell.all, grid.most)]!.push(cell);
  }
  fills.forEach((fill, step) => {
    to.fillStyle = fill;
    for (const cell of cells[step]!) {
      const { x, y, width, height } = cellRect(grid, plot, cell);
      to.fillRect(x, y, width - gap, height - gap);
    }
  });
  paintCorners(to, grid, plot, gap, (cell) => isMarked(cell, unit));
  paintAxes(to, grid, plot);
}

export function paintAxes(to: CanvasRenderingContext2D, grid: Grid, plot: Rect): void {
  const { times, durations } = ticksOf(grid, plot);
  to.fillStyle = color("faint");
  to.font = fontOf("sans");
  to.textBaseline = "middle";
  to.textAlign = "right";
  for (const { at, text } of durations) {
    to.fillText(text, LEFT - 8, at);
    to.fillRect(LEFT - 5, Math.round(at), 4, 1);
  }
  to.textBaseline = "alphabetic";
  to.fillText(zoneName(grid.t0), LEFT - 8, plot.y + plot.height + 16);
  for (const { at, text } of times) {
    const half = to.measureText(text).width / 2;
    to.fillRect(Math.round(at), plot.y + plot.height, 1, 4);
    to.textAlign = "left";
    to.fillText(
      text,
      Math.max(plot.x, Math.min(at - half, plot.x + plot.width - 2 * half)),
      plot.y + plot.height + 16,
    );
  }
}

function paintBox(
  to: CanvasRenderingContext2D,
  rect: Rect | null,
  stroke: string,
  dash: number[],
): void {
  if (rect) {
    to.fillStyle = color("sel");
    to.fillRect(rect.x, rect.y, rect.width, rect.height);
    to.strokeStyle = stroke;
    to.lineWidth = 1.5;
    to.setLineDash(dash);
    to.strokeRect(rect.x, rect.y, rect.width, rect.height);
    to.setLineDash([]);
  }
}

export function paintMarks(
  to: CanvasRenderingContext2D,
  grid: Grid,
  plot: Rect,
  marks: Marks,
): void {
  paintBox(to, marks.base && boxRect(grid, plot, marks.base), color("soft"), [4, 3]);
  paintBox(to, marks.box && boxRect(grid, plot, marks.box), color("accent"), []);
  for (const place of marks.cells) {
    paintBox(to, cellRect(grid, plot, place), color("ink"), []);
  }
}
