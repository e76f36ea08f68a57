// SPDX-License-Identifier: Apache-2.0
// paint: the lines of JVMs on a canvas, on the axis of the heat map above them.
import type { Jvm, JvmLine, JvmPoint } from "../../base/shapes";
import { color, fontOf } from "../../base/theme";
import { gridOf } from "../heatmap/layout";
import type { Rect } from "../heatmap/layout";
import { paintAxes, plotOf } from "../heatmap/paint";
import { CHARTS, linesOf, runsOf, topOf, valueText } from "./layout";
import type { Chart, Drawn } from "./layout";

export const CHART_HEIGHT = 58; // px
const GAP = 20; // between charts, with the name of the lower one
const BAND = 0.25; // opacity

// chartRect is where the index-th chart is in a canvas so wide.
function chartRect(index: number, width: number): Rect {
  const { x, width: across } = plotOf(width, 0, false);
  return { x, y: GAP + index * (CHART_HEIGHT + GAP), width: across, height: CHART_HEIGHT };
}

export const HEIGHT = CHARTS.length * (CHART_HEIGHT + GAP) + 26;

// columnAt is the column at a pixel from the left; null beside the charts.
export function columnAt(data: Jvm, width: number, x: number): number | null {
  const rect = chartRect(0, width);
  const at = Math.floor(((x - rect.x) / rect.width) * data.column_count);
  return at >= 0 && at < data.column_count ? at : null;
}

interface Scale {
  x: (column: number) => number; // of its middle
  y: (value: number) => number;
  width: number; // of a column
}

function scaleOf(data: Jvm, rect: Rect, top: number): Scale {
  const width = rect.width / data.column_count;
  return {
    x: (column) => rect.x + (column + 0.5) * width,
    y: (value) => rect.y + rect.height * (1 - Math.min(1, value / top)),
    width,
  };
}

function paintBars(to: CanvasRenderingContext2D, line: JvmLine, { x, y, width }: Scale): void {
  const wide = Math.max(1.5, width - 1);
  const bottom = y(0);
  for (const [column, , , , most] of line.points) {
    const above = Math.min(y(most), bottom - 1);
    to.fillRect(x(column) - wide / 2, above, wide, bottom - above);
  }
}

function paintRuns(
  to: CanvasRenderingContext2D,
  data: Jvm,
  line: JvmLine,
  { x, y, width }: Scale,
  drawn: Drawn,
): void {
  const at = (point: JvmPoint) => y(point[drawn === "least" ? 2 : 3]);
  for (const run of runsOf(data, line)) {
    to.globalAlpha = BAND;
    to.beginPath();
    run.forEach(([column, , , , most]) => to.lineTo(x(column), y(most)));
    [...run].reverse().forEach(([column, , least]) => to.lineTo(x(column), y(least)));
    to.fill();
    to.globalAlpha = 1;
    to.beginPath();
    to.moveTo(x(run[0]![0]) - width / 2, at(run[0]!));
    run.forEach((point) => to.lineTo(x(point[0]), at(point)));
    to.lineTo(x(run.at(-1)![0]) + width / 2, at(run.at(-1)!));
    to.stroke();
  }
}

function paintChart(to: CanvasRenderingContext2D, data: Jvm, chart: Chart, rect: Rect): void {
  const top = topOf(data, chart);
  to.fillStyle = color("line");
  to.fillRect(rect.x, rect.y + rect.height, rect.width, 1);
  to.font = fontOf("sans");
  to.textBaseline = "alphabetic";
  to.textAlign = "left";
  to.fillStyle = color("soft");
  to.fillText(chart.name, rect.x, rect.y - 4);
  if (top === null) {
    to.fillStyle = color("faint");
    to.fillText("not recorded", rect.x + to.measureText(chart.name).width + 8, rect.y - 4);
    return;
  }
  const lines = linesOf(data, chart);
  to.fillStyle = color("faint");
  to.textAlign = "right";
  to.fillText(valueText(lines[0]!.line, top), rect.x - 8, rect.y + 8);
  to.fillText("0", rect.x - 8, rect.y + rect.height);
  const scale = scaleOf(data, rect, top);
  to.lineWidth = 1.5;
  for (const { line, token } of lines) {
    to.fillStyle = color(token);
    to.strokeStyle = color(token);
    if (chart.drawn === "bars") {
      paintBars(to, line, scale);
    } else {
      paintRuns(to, data, line, scale, chart.drawn);
    }
  }
}

// paintJvm paints all charts, and a line at a column under the pointer.
export function paintJvm(
  to: CanvasRenderingContext2D,
  data: Jvm,
  width: number,
  marked: number | null,
): void {
  CHARTS.forEach((chart, index) => paintChart(to, data, chart, chartRect(index, width)));
  const last = chartRect(CHARTS.length - 1, width);
  const { t0_ns, step_ns, column_count } = data;
  const columns = Array.from({ length: column_count }, () => []);
  const none = { exemplars: [], all: 0, kept: 0, unknown: 0, is_truncated: false };
  paintAxes(to, gridOf({ t0_ns, step_ns, columns, ...none }, Infinity, 1), last);
  if (marked !== null) {
    to.fillStyle = color("ink");
    const at = scaleOf(data, last, 1).x(marked);
    to.fillRect(Math.round(at), GAP, 1, last.y + last.height - GAP);
  }
}
