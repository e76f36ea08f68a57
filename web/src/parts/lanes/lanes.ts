// SPDX-License-Identifier: Apache-2.0
// lanes: boxes on one axis of time, a lane for each thread. Dragging zooms (`part=FROM,TO` in the address, ns), Escape
// shows all; arrow keys move among boxes, Enter opens a context or zooms to an event. The boxes are a table as well.
import { useCallback, useMemo, useState } from "preact/hooks";
import { address, change } from "../../base/address";
import { count, duration, typeName } from "../../base/format";
import { html } from "../../base/html";
import { kindBeside, kindOf } from "../../base/kinds";
import { color, fontOf, inkOn } from "../../base/theme";
import { Dot } from "../bars";
import { Pane } from "../pane";
import type { Draw, Spot } from "../pane";
import { Table } from "../table";
import { Tip } from "../tip";
import type { Point } from "../tip";
import {
  AXIS,
  ROW,
  TITLE,
  boxAt,
  laneAt,
  linesOf,
  neighbour,
  rectsOf,
  ticksOf,
  topsOf,
} from "./layout";
import type { Arrow, Box, Lane, Line, Rect, View } from "./layout";
import "./lanes.css";

const HEIGHT_MAX = 560; // px
const TICK_WIDTH = 110; // px, at least
const DRAG_MIN = 4; // px; less is a click
const LABEL_WIDTH_MIN = 28; // px
const PADDING = 5; // px
const HEAD = 7; // px, of an arrow
const NO_ARROWS: readonly Arrow[] = [];
const TABLE_ROWS_MAX = 500;

interface Place {
  lane: number;
  box: Box;
}

interface Props {
  lanes: readonly Lane[];
  arrows?: readonly Arrow[];
  all: View; // the view without a choice
  hrefOf?: (lane: Lane, box: Box) => string | null; // where a click leads; null: it zooms
  onOpen?: (href: string) => void;
  label: string;
}

// viewOf is the part that the address chooses.
function viewOf(text: string | null, all: View): View {
  const match = /^(-?\d{1,15}),(-?\d{1,15})$/.exec(text ?? "");
  const [from, to] = match ? [Number(match[1]), Number(match[2])] : [all.from, all.to];
  return from < to ? { from, to } : all;
}

function zoomTo(view: View | null): void {
  change({ part: view && `${Math.floor(view.from)},${Math.ceil(view.to)}` });
}

function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
  const wide = context.measureText(text).width;
  const letters = Math.floor((text.length * width) / wide) - 1;
  return wide <= width ? text : letters > 1 ? text.slice(0, letters) + "…" : "";
}

function labelOf({ count: many, name, duration: ns }: Box): string {
  return `${many > 1 ? `${count(many)} × ` : ""}${typeName(name)} · ${duration(ns)}`;
}

function drawBox(
  context: CanvasRenderingContext2D,
  rect: Rect,
  y: number,
  isMarked: boolean,
): void {
  const { box, x, width } = rect;
  const isContext = box.kind === "context";
  const fill = color(isContext ? "hover" : kindOf(box.kind).token);
  context.fillStyle = fill;
  context.fillRect(x, y, width, ROW - 2);
  if (isContext || isMarked) {
    context.strokeStyle = color(isMarked ? "ink" : "none");
    context.lineWidth = isMarked ? 2 : 1;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(1, width - 1), ROW - 3);
  }
  if (width >= LABEL_WIDTH_MIN) {
    context.fillStyle = isContext ? color("ink") : inkOn(fill);
    context.fillText(fit(context, labelOf(box), width - 2 * PADDING), x + PADDING, y + ROW / 2 - 1);
  }
}

// drawArrow has an edge of the ground's colour, for it crosses boxes of any.
function drawArrow(context: CanvasRenderingContext2D, { x1, y1, x2, y2 }: Line): void {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const barb = (turn: number): [number, number] => [
    x2 - HEAD * Math.cos(angle + turn),
    y2 - HEAD * Math.sin(angle + turn),
  ];
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.moveTo(...barb(0.45));
  context.lineTo(x2, y2);
  context.lineTo(...barb(-0.45));
  for (const [width, token] of [
    [4, "panel"],
    [1.5, "accent"],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = color(token);
    context.stroke();
  }
}

function drawAxis(context: CanvasRenderingContext2D, view: View, width: number, height: number) {
  const scale = width / (view.to - view.from);
  context.fillStyle = color("panel");
  context.fillRect(0, 0, width, AXIS - 2);
  for (const tick of ticksOf(view, width / TICK_WIDTH)) {
    const x = Math.round((tick - view.from) * scale);
    const text = tick === 0 ? "0" : duration(tick);
    const wide = context.measureText(text).width;
    context.fillStyle = color("line");
    context.fillRect(Math.min(x, width - 1), AXIS - 4, 1, height);
    context.fillStyle = color("faint");
    context.fillText(text, Math.max(0, Math.min(x - wide / 2, width - wide)), AXIS / 2 - 1);
  }
}

interface Drawn {
  lanes: readonly Lane[];
  arrows: readonly Arrow[];
  view: View;
  marks: (Box | null)[];
  drag: number[] | null;
}

function useDraw({ lanes, arrows, view, marks, drag }: Drawn) {
  return useCallback<Draw>(
    (context, { width, top, height }) => {
      const tops = topsOf(lanes);
      context.font = fontOf("sans");
      context.textBaseline = "middle";
      drawAxis(context, view, width, height);
      context.save();
      context.beginPath();
      context.rect(0, AXIS - 2, width, height);
      context.clip();
      lanes.forEach((lane, index) => {
        const y = tops[index]! - top;
        if (y > height || tops[index + 1]! - top < 0) {
          return;
        }
        rectsOf(lane, view, width).forEach((rect) =>
          drawBox(context, rect, y + rect.y, marks.includes(rect.box)),
        );
      });
      for (const { x1, y1, x2, y2 } of linesOf(arrows, lanes, view, width)) {
        drawArrow(context, { x1, y1: y1 - top, x2, y2: y2 - top });
      }
      context.restore();
      if (drag) {
        context.fillStyle = color("sel");
        context.fillRect(drag[0]!, 0, drag[1]! - drag[0]!, height);
      }
    },
    [lanes, arrows, view.from, view.to, ...marks, drag?.[0], drag?.[1]],
  );
}

function said({ title }: Lane, box: Box): string {
  return `${title}: ${kindBeside(box.kind)}, ${labelOf(box)}, at ${duration(box.start)}`;
}

function BoxTable({ lanes }: { lanes: readonly Lane[] }) {
  const rows = lanes.flatMap((lane) => lane.boxes.map((box) => ({ lane, box })));
  type Row = { lane: Lane; box: Box };
  return html`<${Table}
    label="What is on the axis"
    rows=${rows}
    rowsMax=${TABLE_ROWS_MAX}
    rowKey=${({ lane, box }: Row) => `${lane.key} ${box.level} ${box.start} ${box.name}`}
    columns=${[
      { name: "thread", cell: ({ lane }: Row) => lane.title },
      {
        name: "at",
        cell: ({ box }: Row) => duration(box.start),
        isNumber: true,
        sort: ({ box }: Row) => -box.start,
      },
      {
        name: "what",
        cell: ({ box }: Row) => html`<${Dot} category=${box.kind} />${box.name}`,
      },
      { name: "of", cell: ({ box }: Row) => count(box.count), isNumber: true },
      {
        name: "duration",
        cell: ({ box }: Row) => duration(box.duration),
        isNumber: true,
        sort: ({ box }: Row) => box.duration,
      },
    ]}
  />`;
}

export function Lanes({ lanes, arrows = NO_ARROWS, all, hrefOf, onOpen, label }: Props) {
  const view = viewOf(address.value.params.get("part"), all);
  const [pointed, setPointed] = useState<(Place & { at: Point }) | null>(null);
  const [cursor, setCursor] = useState<Place | null>(null);
  const [drag, setDrag] = useState<[number, number] | null>(null); // px
  const [isTable, setTable] = useState(false);
  const tops = useMemo(() => topsOf(lanes), [lanes]);
  const at = cursor && lanes[cursor.lane]?.boxes.includes(cursor.box) ? cursor : null;
  const marks = [at?.box ?? null, pointed?.box ?? null];
  const draw = useDraw({ lanes, arrows, view, marks, drag });

  const find = ({ x, y, width }: Spot): Place | null => {
    const lane = laneAt(tops, y);
    const box = lane < 0 ? null : boxAt(lanes[lane]!, view, width, x, y - tops[lane]!);
    return box && { lane, box };
  };
  const point = (spot: Spot) => {
    if (drag) {
      setDrag([drag[0], Math.max(0, Math.min(spot.x, spot.width))]);
      setPointed(null);
      return;
    }
    const found = find(spot);
    const { clientX, clientY } = spot.event;
    setPointed(found && { ...found, at: { clientX, clientY } });
  };
  const open = ({ lane, box }: Place) => {
    const href = hrefOf?.(lanes[lane]!, box) ?? null;
    if (href !== null && onOpen) {
      onOpen(href);
    } else {
      zoomTo({ from: box.start, to: box.start + Math.max(1, box.duration) });
    }
  };
  const down = ({ x, event }: Spot) => {
    if (event.button === 0 && event.pointerType !== "touch") {
      (event.target as Element).setPointerCapture(event.pointerId);
      setDrag([x, x]);
    }
  };
  const up = (spot: Spot) => {
    setDrag(null);
    const [left = 0, right = 0] = drag ? [...drag].sort((a, b) => a - b) : [];
    const found = find(spot);
    if (right - left >= DRAG_MIN) {
      const scale = (view.to - view.from) / spot.width;
      zoomTo({ from: view.from + left * scale, to: view.from + right * scale });
    } else if (found) {
      open(found);
    }
  };
  const first = lanes.findIndex(({ boxes }) => boxes.length > 0);
  const key = (event: KeyboardEvent) => {
    if (event.key.startsWith("Arrow") && first >= 0) {
      setCursor(
        at ? neighbour(lanes, at, event.key) : { lane: first, box: lanes[first]!.boxes[0]! },
      );
    } else if (event.key === "Enter" && at) {
      open(at);
    } else if (event.key === "Escape" || event.key === "Backspace") {
      zoomTo(null);
    } else {
      return;
    }
    event.preventDefault();
  };
  const y = at ? tops[at.lane]! + TITLE + at.box.level * ROW : 0;
  const isZoomed = address.value.params.get("part") !== null;
  return html`<${Pane}
      label="${label}. Arrow keys move, Enter opens, Escape shows all"
      height=${tops[tops.length - 1]}
      heightMax=${HEIGHT_MAX}
      draw=${draw}
      reveal=${at ? [y - TITLE - AXIS, y + ROW] : undefined}
      onPoint=${point}
      onDown=${down}
      onUp=${up}
      onLeave=${() => setPointed(null)}
      onKey=${key}
    >
      ${lanes.map(
        (lane, index) =>
          html`<div class="lane-title" key=${lane.key} style=${{ top: `${tops[index]}px` }}>
            ${lane.href ? html`<a href=${lane.href}>${lane.title}</a>` : lane.title}
            <small title=${lane.note}>${lane.note}</small>
          </div>`,
      )}
    <//>
    <div class="seen-by-readers" aria-live="polite">${at && said(lanes[at.lane]!, at.box)}</div>
    ${
      pointed &&
      html`<${Tip} at=${pointed.at}>
        <b>${labelOf(pointed.box)}</b>
        <div>${pointed.box.name}, ${kindBeside(pointed.box.kind)}</div>
        <div class="dim">at ${duration(pointed.box.start)}</div>
      <//>`
    }
    ${isZoomed && html`<button onClick=${() => zoomTo(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${(event: Event) => setTable((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>as a table</summary>
      ${isTable && html`<${BoxTable} lanes=${lanes} />`}
    </details>`;
}
