// SPDX-License-Identifier: Apache-2.0
// rate: how many there were a second, and their median and p99, over time: of the heat map's answer, in
// its columns and on its axis of durations.
import { count, duration } from "../../base/format";
import { html } from "../../base/html";
import type { Heatmap } from "../../base/shapes";
import { color } from "../../base/theme";
import type { Unit } from "../../base/units";
import { inAll, quantile, yOf } from "./layout";
import type { Grid, Rect } from "./layout";
import { paintAxes } from "./paint";

export interface Rate {
  perSecond: number;
  p50: number | null; // ns
  p99: number | null;
}

// ratesOf returns the rates of the grid's columns.
export function ratesOf({ step_ns, columns }: Heatmap, grid: Grid): Rate[] {
  const perCell = Number(grid.step / BigInt(step_ns));
  return Array.from({ length: grid.columns }, (_, index) => {
    const part = columns.slice(index * perCell, (index + 1) * perCell);
    const counts = inAll(part);
    const all = counts.reduce((sum, [, here]) => sum + here, 0);
    const perSecond = all / (part.length * (step_ns / 1e9));
    return { perSecond, p50: quantile(counts, 0.5), p99: quantile(counts, 0.99) };
  });
}

export function rateText(perSecond: number): string {
  return `${count(Number(perSecond.toPrecision(3)))}/s`;
}

// roundUp is the next of 1, 2, 5, 10 and so on.
export function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return ten * ([1, 2, 5].find((one) => one * ten >= value) ?? 10);
}

function paintLine(
  to: CanvasRenderingContext2D,
  points: readonly (readonly [number, number] | null)[],
  width: number,
): void {
  let isDrawing = false;
  to.beginPath();
  for (const point of points) {
    if (point && isDrawing) {
      to.lineTo(...point);
    } else if (point) {
      to.moveTo(point[0] - width / 4, point[1]);
      to.lineTo(...point);
    }
    isDrawing = point !== null;
  }
  to.stroke();
}

export function paintRate(
  to: CanvasRenderingContext2D,
  grid: Grid,
  plot: Rect,
  rates: readonly Rate[],
): void {
  const width = plot.width / grid.columns;
  const top = roundUp(Math.max(1e-3, ...rates.map((one) => one.perSecond)));
  to.fillStyle = color("h1");
  rates.forEach(({ perSecond }, column) => {
    const height = (perSecond / top) * plot.height;
    to.fillRect(plot.x + column * width, plot.y + plot.height - height, width - 1, height);
  });
  to.lineWidth = 1.5;
  for (const [name, token] of [
    ["p50", "cpu"],
    ["p99", "lock"],
  ] as const) {
    to.strokeStyle = color(token);
    const point = (rate: Rate, column: number) => {
      const ns = rate[name];
      return ns === null ? null : ([plot.x + (column + 0.5) * width, yOf(grid, plot, ns)] as const);
    };
    paintLine(to, rates.map(point), width);
  }
  paintAxes(to, grid, plot);
  to.textAlign = "left";
  to.textBaseline = "middle";
  for (const share of [0.5, 1]) {
    const y = plot.y + plot.height * (1 - share);
    to.fillText(rateText(top * share), plot.x + plot.width + 6, y + (share === 1 ? 5 : 0));
  }
}

export function RateWords({ of: { perSecond, p50, p99 } }: { of: Rate }) {
  const time = (ns: number | null) => (ns === null ? "-" : duration(ns));
  return html`<b>${rateText(perSecond)}</b><br />median ${time(p50)}, p99 ${time(p99)}`;
}

export function RateLegend({ unit }: { unit: Unit }) {
  const dot = (token: string, name: string) =>
    html`<span><span class="dot" style=${{ background: `var(--${token})` }}></span>${name}</span>`;
  return html`${dot("h1", `${unit}/s, right`)}${dot("cpu", "median")}${dot("lock", "p99")}`;
}
