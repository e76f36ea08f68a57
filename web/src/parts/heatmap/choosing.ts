// SPDX-License-Identifier: Apache-2.0
// choosing: selects cells and boxes of the heat map, by pointer and by keyboard. The address holds the selection.
import { useRef, useState } from "preact/hooks";
import { address, change, go } from "../../base/address";
import type { Changes } from "../../base/address";
import { unitHref } from "../../base/links";
import { boxText, parseBox } from "../../base/selection";
import type { Box } from "../../base/selection";
import { ofUnit } from "../../base/units";
import type { Unit } from "../../base/units";
import * as layout from "./layout";
import type { Grid, Place, Rect } from "./layout";

const CLICK_PIXELS = 4; // a drag is longer

const STEPS: Record<string, Place> = {
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  ArrowUp: { column: 0, row: 1 },
  ArrowDown: { column: 0, row: -1 },
};

// The cell or box under the pointer.
export interface View {
  grid: Grid;
  plot: Rect;
  unit: Unit;
  isRate: boolean; // a choice is of all durations
  isComparing: boolean; // a choice is what to compare with
}

export interface Span {
  from: Place;
  to: Place;
}

export interface Hover {
  place: Place;
  clientX: number; // of the pointer
  clientY: number;
}

interface Drag extends Span {
  x: number; // where it began
  y: number;
  isLong: boolean; // no click
  isBase: boolean; // chooses what to compare with
}

export function chosen(name: "box" | "base_box"): Box | null {
  return parseBox(address.value.params.get(name));
}

// A box has its own durations: other bounds of them would not hold.
export function choose(box: Box | null, isBase: boolean, unit: Unit): void {
  const text = box && boxText(box);
  const bounds: Changes = box ? { min_duration_ns: null, max_duration_ns: null } : {};
  const of = ofUnit(unit);
  change(
    isBase ? { base_box: text, base: null, ...of } : { box: text, slowest: null, ...bounds, ...of },
  );
}

// unchoose takes the last choice away.
function unchoose(unit: Unit): void {
  choose(null, chosen("base_box") !== null, unit);
}

export function zoomTo({ from, to }: Box): void {
  change({ from: String(from), to: String(to), last: null, live: null });
}

export function isSame(a: Place, b: Place): boolean {
  return a.column === b.column && a.row === b.row;
}

function moved(grid: Grid, from: Place, step: Place): Place {
  const within = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));
  return {
    column: within(from.column + step.column, grid.columns),
    row: within(from.row + step.row, grid.rows),
  };
}

// beginning is where the keyboard's cursor is first: the longest of the last column.
function beginning(grid: Grid): Place {
  const cells = [...grid.cells.values()];
  const last = Math.max(0, ...cells.map((cell) => cell.column));
  return {
    column: last,
    row: Math.max(0, ...cells.map((one) => (one.column === last ? one.row : 0))),
  };
}

// spanBox returns the box of a span of cells.
export function spanBox({ grid, isRate }: View, { from, to }: Span): Box {
  return isRate
    ? layout.boxOf(grid, { ...from, row: 0 }, { ...to, row: grid.rows - 1 })
    : layout.boxOf(grid, from, to);
}

function open({ grid, unit }: View, place: Place): void {
  const exemplar = grid.exemplars.get(layout.keyOf(grid, place));
  if (exemplar) {
    go(unitHref(unit, exemplar.recording, exemplar.id));
  }
}

// usePointer selects a box by dragging, a cell by a click; a double click zooms to the time of the box under it.
export function usePointer(view: View) {
  const { grid, plot } = view;
  const [drag, setDrag] = useState<Drag | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const before = useRef<Box | null>(null); // the selection before the first click
  const at = ({ offsetX, offsetY }: MouseEvent) => layout.cellAt(grid, plot, offsetX, offsetY);
  const onPointerDown = (event: PointerEvent) => {
    const { offsetX: x, offsetY: y } = event;
    if (event.button === 0 && grid.rows > 0 && layout.isAt(plot, x, y)) {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      const isBase = event.shiftKey || view.isComparing;
      setDrag({ from: at(event), to: at(event), x, y, isLong: false, isBase });
    }
  };
  const onPointerMove = (event: PointerEvent) => {
    const { offsetX: x, offsetY: y } = event;
    if (drag) {
      const isLong = drag.isLong || Math.hypot(x - drag.x, y - drag.y) >= CLICK_PIXELS;
      setDrag({ ...drag, to: at(event), isLong });
    }
    const { clientX, clientY } = event;
    const isOver = grid.rows > 0 && layout.isAt(plot, x, y);
    setHover(isOver ? { place: at(event), clientX, clientY } : null);
  };
  const onPointerUp = (event: PointerEvent) => {
    setDrag(null);
    if (!drag) {
      return;
    }
    if (event.altKey && !drag.isLong) {
      open(view, drag.from);
      return;
    }
    const box = spanBox(view, drag);
    const isEmpty = !drag.isLong && layout.sumIn(grid, box).all === 0;
    choose(isEmpty ? null : box, drag.isBase, view.unit);
  };
  const onDblClick = (event: MouseEvent) => {
    const was = before.current;
    const box =
      was && layout.isIn(grid, was, at(event))
        ? was
        : spanBox(view, { from: at(event), to: at(event) });
    change({ box: boxText(box), ...ofUnit(view.unit) }, true);
    zoomTo(box);
  };
  const onMouseDown = ({ detail }: MouseEvent) => {
    before.current = detail > 1 ? before.current : chosen("box");
  };
  const onPointerLeave = () => setHover(null);
  const onPointerCancel = () => setDrag(null);
  return {
    drag: drag?.isLong ? drag : null,
    hover: drag ? null : hover,
    on: {
      onMouseDown,
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerLeave,
      onPointerCancel,
      onDblClick,
    },
  };
}

// useKeys moves a cursor by the arrow keys; with Shift it selects from where it was.
export function useKeys(view: View) {
  const { grid } = view;
  const [cursor, setCursor] = useState<Span | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step && grid.rows > 0) {
      const to = cursor ? moved(grid, cursor.to, step) : beginning(grid);
      setCursor({ from: event.shiftKey && cursor ? cursor.from : to, to });
    } else if (event.key === "Enter" && cursor && event.altKey) {
      open(view, cursor.to);
    } else if (event.key === "Enter" && cursor) {
      choose(spanBox(view, cursor), event.shiftKey || view.isComparing, view.unit);
    } else if (event.key === "Escape") {
      setCursor(null);
      unchoose(view.unit);
    } else {
      return;
    }
    event.preventDefault();
  };
  const within = (place: Place) => moved(grid, place, { column: 0, row: 0 });
  const shown = cursor && { from: within(cursor.from), to: within(cursor.to) };
  return { cursor: shown, on: { onKeyDown, onBlur: () => setCursor(null) } };
}
