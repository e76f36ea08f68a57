// SPDX-License-Identifier: Apache-2.0
// heatmap: all requests, or contexts, by time and duration. The address holds the selection: `box`, and `base_box` to
// compare with.
import { useMemo, useRef, useState } from "preact/hooks";
import { address, change } from "../../base/address";
import type { Answer } from "../../base/answers";
import { clock } from "../../base/clock";
import { count, duration } from "../../base/format";
import { html } from "../../base/html";
import type { Children } from "../../base/html";
import type { Box } from "../../base/selection";
import type { Heatmap } from "../../base/shapes";
import { nounOf } from "../../base/units";
import type { Unit } from "../../base/units";
import { useDrawing, useSize } from "../canvas";
import { Raw } from "../downloads";
import { Missing, Panel } from "../notice";
import { Tip } from "../tip";
import { choose, chosen, isSame, spanBox, useKeys, usePointer, zoomTo } from "./choosing";
import type { Hover, View } from "./choosing";
import * as layout from "./layout";
import type { Grid, Rect } from "./layout";
import { paintCells, paintMarks, plotOf } from "./paint";
import { RateLegend, RateWords, paintRate, ratesOf } from "./rate";
import type { Rate } from "./rate";
import { boxWords, sumWords } from "./words";
import "./heatmap.css";

const CELL_WIDTH = 5; // pixels at least
const CELL_HEIGHT = 6;

interface TipProps {
  view: View;
  hover: Hover;
  rates: readonly Rate[] | null; // in the view of rates
}

function CellTip({ view: { grid, unit }, hover, rates }: TipProps) {
  const { place } = hover;
  const key = layout.keyOf(grid, place);
  const cell = grid.cells.get(key);
  const rate = rates?.[place.column];
  if (!cell && !rate) {
    return null;
  }
  const [time, lengths] = boxWords(layout.boxOf(grid, place, place)).split(", ");
  const sum = cell && `${count(cell.all)} ${unit}, ${count(cell.kept)} kept`;
  const words = rate
    ? html`<${RateWords} of=${rate} /><br />${time}`
    : html`<b>${lengths}</b><br />${time}<br />${sum}
        ${grid.exemplars.has(key) && html`<br />Alt+click opens one`}`;
  return html`<${Tip} at=${hover}>${words}<//>`;
}

const NOTHING: Heatmap = {
  t0_ns: "0",
  step_ns: 1,
  columns: [],
  exemplars: [],
  all: 0,
  kept: 0,
  unknown: 0,
  is_truncated: false,
};

// useGrid are the cells that there is room for, all from the bucket `lowest` on.
function useGrid(found: Heatmap | null, plot: Rect, lowest: number | null): Grid {
  const data = found ?? NOTHING;
  const columnsMax = Math.max(1, plot.width / CELL_WIDTH);
  const rowsMax = Math.max(1, plot.height / CELL_HEIGHT);
  return useMemo(
    () => layout.gridOf(data, columnsMax, rowsMax, lowest),
    [data, columnsMax, rowsMax, lowest],
  );
}

interface ChartProps {
  data: Heatmap | null; // null: not yet
  slowest: Box | null; // that are selected
  unit: Unit;
  isRate: boolean;
  isComparing: boolean;
  onPoint: () => void;
}

function Chart({ data, slowest, unit, isRate, isComparing, onPoint }: ChartProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSize(ref);
  const plot = plotOf(size.width, size.height, isRate);
  const grid = useGrid(data, plot, unit === "requests" && !isRate ? layout.MS_BUCKET : null);
  const rates = useMemo(() => (isRate && data ? ratesOf(data, grid) : null), [isRate, data, grid]);
  const view = { grid, plot, unit, isRate, isComparing };
  const { drag, hover, on: pointerOn } = usePointer(view);
  const { cursor, on: keysOn } = useKeys(view);
  const span = drag ?? (cursor && !isSame(cursor.from, cursor.to) ? cursor : null);
  const spanned = span && spanBox(view, span);
  const isBase = drag?.isBase ?? isComparing;
  const marks = {
    box: (!isBase && spanned) || chosen("box") || slowest,
    base: (isBase && spanned) || chosen("base_box"),
    cells: [isRate ? null : hover?.place, cursor?.to].filter((place) => place != null),
  };
  const draw = (to: CanvasRenderingContext2D) => {
    if (rates) {
      paintRate(to, grid, plot, rates);
    } else if (data) {
      paintCells(to, grid, plot, unit);
    }
    paintMarks(to, grid, plot, marks);
  };
  const { column, row } = hover?.place ?? {};
  useDrawing(ref, size, draw, [
    ...[grid, rates, address.value, isComparing, drag, cursor],
    ...[column, row, slowest?.min],
  ]);
  const said = cursor && spanBox(view, cursor);
  return html`<div class="heatmap">
    <canvas
      ref=${ref}
      tabindex=${data ? "0" : undefined}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${unit} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${onPoint}
      onFocus=${onPoint}
      ...${pointerOn}
      ...${keysOn}
    ></canvas>
    ${hover && html`<${CellTip} view=${view} hover=${hover} rates=${rates} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${said && `${boxWords(said)}: ${sumWords(layout.sumIn(grid, said))}`}
    </div>
    ${data && html`<${Legend} data=${data} slowest=${slowest} unit=${unit} most=${grid.most} isRate=${isRate} />`}
  </div>`;
}

// The colours with the least count that has them.
function Scale({ most, unit }: { most: number; unit: Unit }) {
  const least = Array.from({ length: layout.STEPS }, (_, i) =>
    Math.ceil((most + 1) ** (i / layout.STEPS)),
  );
  const dot = (step: number) =>
    html`<span class="dot" style=${{ background: `var(--h${step + 1})` }}></span>`;
  return html`<span
    >${unit} in a cell
    ${least.map((from, i) => from < (least[i + 1] ?? most + 1) && html` ${dot(i)}${count(from)}`)}
    ${most > 1 && html` to ${count(most)}`}</span
  >`;
}

const choiceTitle = (unit: Unit) =>
  `Counted by chunk: a ${nounOf(unit)} is in the column in which the middle of its chunk lies; in columns under a minute, in that ` +
  `in which it began. The panels below have the kept ${unit} that began in this time, or up to half a column (half a minute) before ` +
  "or after, so they may have a few more or less. A click takes the selection away (Escape).";

interface ChoiceProps {
  data: Heatmap;
  unit: Unit;
  box: Box;
  isBase: boolean;
}

function Choice({ data, unit, box, isBase }: ChoiceProps) {
  const whole = useMemo(() => layout.gridOf(data, Infinity, Infinity), [data]); // no cell of several columns
  return html`<button
    class=${`chip ${isBase ? "base_box" : "box"}`}
    title=${choiceTitle(unit)}
    onClick=${() => choose(null, isBase, unit)}
  >
    ${isBase ? "compared with" : "selected"} <b>${boxWords(box)}</b>${" "}
    ${sumWords(layout.sumIn(whole, box))} by chunk <i>×</i>
  </button>`;
}

interface LegendProps {
  data: Heatmap;
  slowest: Box | null;
  unit: Unit;
  most: number; // in a cell
  isRate: boolean;
}

function Legend({ data, slowest, unit, most, isRate }: LegendProps) {
  const colors = [
    most > 0 && html`<${Scale} most=${most} unit=${unit} />`,
    html`<span
      ><span class="dot corner"></span>${
        unit === "requests" ? "has some that were not kept" : "has kept ones"
      }</span
    >`,
  ];
  const [box, base] = [chosen("box"), chosen("base_box")];
  return html`<div class="legend">
    ${isRate ? html`<${RateLegend} unit=${unit} />` : colors}
    ${
      slowest &&
      html`<button
        class="chip box"
        title="a click ends the selection"
        onClick=${() => change({ slowest: null })}
      >
        selected <b>the slowest ${layout.slowestWords(data.all)}</b>, from ${duration(slowest.min)}
        <i>×</i>
      </button>`
    }
    ${box && html`<${Choice} data=${data} unit=${unit} box=${box} isBase=${false} />`}
    ${base && html`<${Choice} data=${data} unit=${unit} box=${base} isBase=${true} />`}
  </div>`;
}

// The same as a table, made when somebody opens it.
function AsTable({ data, unit }: { data: Heatmap; unit: Unit }) {
  const [isOpen, setIsOpen] = useState(false);
  const row = (column: Heatmap["columns"][number], index: number) => {
    const counts = layout.inAll([column]);
    const [all, kept] = [1, 2].map((at) => column.reduce((sum, cell) => sum + cell[at]!, 0));
    const time = (q: number) => duration(layout.quantile(counts, q)!);
    return html`<tr>
      <td>${clock(BigInt(data.t0_ns) + BigInt(index) * BigInt(data.step_ns), 1e9)}</td>
      <td class="n">${count(all!)}</td>
      <td class="n">${count(kept!)}</td>
      <td class="n">${time(0.5)}</td>
      <td class="n">${time(0.99)}</td>
    </tr>`;
  };
  const head = [unit, "kept", "median", "p99"].map((name) => html`<th class="n">${name}</th>`);
  return html`<details
    class="as-table"
    onToggle=${(event: Event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}
  >
    <summary>as a table</summary>
    ${
      isOpen &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${`All ${unit} by time`}>
        <table>
          <thead>
            <tr>
              <th>from</th>
              ${head}
            </tr>
          </thead>
          <tbody>
            ${data.columns.map((column, index) => column.length > 0 && row(column, index))}
          </tbody>
        </table>
      </div>`
    }
  </details>`;
}

// A box is of one unit, so it goes with it.
function Units({ unit }: { unit: Unit }) {
  const choice = (one: Unit) =>
    html`<button
      aria-pressed=${unit === one ? "true" : "false"}
      onClick=${() => change({ unit: one, box: null, base_box: null })}
    >
      ${one}
    </button>`;
  return html`<span class="tabs" role="group" aria-label="What is counted"
    >${choice("requests")} ${choice("contexts")}</span
  >`;
}

interface Props {
  answer: Answer<Heatmap>;
  slowest: Box | null; // that are selected
  url: string;
  unit: Unit;
  isEither: boolean; // there are requests: contexts are a choice
  note: Children;
  onPoint: () => void; // somebody points at it: exemplars are of use
}

export function HeatmapPanel({ answer, slowest, url, unit, isEither, note, onPoint }: Props) {
  const [isComparing, setIsComparing] = useState(false);
  const isRate = address.value.params.get("view") === "rate";
  const box = chosen("box");
  const { data } = answer;
  const table = useMemo(() => data && html`<${AsTable} data=${data} unit=${unit} />`, [data, unit]);
  const view = (name: string | null, text: string, isOn: boolean) =>
    html`<button aria-pressed=${isOn ? "true" : "false"} onClick=${() => change({ view: name })}>
      ${text}
    </button>`;
  const tools = html`<${Missing} of=${data} />
    ${box && html`<button class="plain" onClick=${() => zoomTo(box)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${isComparing ? "true" : "false"}
        title="compare the selection with the next box, as with Shift"
        onClick=${() => setIsComparing(!isComparing)}
      >
        compare
      </button></span
    >
    ${isEither && html`<${Units} unit=${unit} />`}
    <span class="tabs">${view(null, "duration", !isRate)} ${view("rate", "rate", isRate)}</span>
    <${Raw} url=${url} />`;
  return html`<${Panel}
    title=${`All ${unit}`}
    note=${note}
    tools=${tools}
    answer=${answer}
    className="heatmap-panel"
    lines=${0}
  >
    <${Chart}
      data=${data}
      slowest=${slowest}
      unit=${unit}
      isRate=${isRate}
      isComparing=${isComparing}
      onPoint=${onPoint}
    />
    ${table}
  <//>`;
}
