// SPDX-License-Identifier: Apache-2.0
// layout: where lanes of boxes on an axis of time are. Pure. Times are ns after a point that all lanes share.

export interface Box {
  level: number; // 0 is on top
  start: number;
  duration: number;
  kind: string; // "context", or a category of time
  name: string;
  count: number; // of boxes drawn as one
  id: string | null; // of a context
}

export interface Lane {
  key: string;
  title: string;
  note?: string;
  href?: string; // of the title
  recording: string;
  boxes: Box[];
}

// A hand-over from a lane to another, which are named by their keys: from its begin to its end.
export interface Arrow {
  from: string;
  to: string;
  start: number;
  end: number;
}

export interface View {
  from: number;
  to: number;
}

export interface Rect {
  box: Box;
  x: number; // px, as all below
  width: number;
  y: number; // in its lane
}

export const AXIS = 20; // above all lanes
export const TITLE = 20; // above a lane's boxes
export const ROW = 20; // of a level
const GAP = 8; // below a lane
const BOX_WIDTH_MIN = 2;

// topsOf are where lanes begin, and where the last one ends.
export function topsOf(lanes: readonly Lane[]): number[] {
  const tops = [AXIS];
  for (const { boxes } of lanes) {
    const levels = boxes.reduce((most, box) => Math.max(most, box.level + 1), 0);
    tops.push(tops[tops.length - 1]! + TITLE + levels * ROW + GAP);
  }
  return tops;
}

// rectsOf returns the rectangles of a lane's visible boxes.
export function rectsOf({ boxes }: Lane, { from, to }: View, width: number): Rect[] {
  const scale = width / Math.max(1, to - from);
  const rects: Rect[] = [];
  for (const box of boxes) {
    if (box.start <= to && box.start + box.duration >= from) {
      const left = Math.max(0, (box.start - from) * scale);
      const right = Math.min(width, (box.start + box.duration - from) * scale);
      const wide = Math.max(BOX_WIDTH_MIN, right - left);
      const x = Math.min(left, width - BOX_WIDTH_MIN);
      rects.push({ box, x, width: wide, y: TITLE + box.level * ROW });
    }
  }
  return rects;
}

// A line, all in px.
export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

// linesOf returns the visible arrows, from the upper boxes of a lane to those of another.
export function linesOf(
  arrows: readonly Arrow[],
  lanes: readonly Lane[],
  { from, to }: View,
  width: number,
): Line[] {
  const tops = topsOf(lanes);
  const scale = width / Math.max(1, to - from);
  const x = (at: number) => (at - from) * scale;
  return arrows.flatMap((arrow) => {
    const [begin, end] = [arrow.from, arrow.to].map((key) =>
      lanes.findIndex((one) => one.key === key),
    );
    if (begin! < 0 || end! < 0 || arrow.end < from || arrow.start > to) {
      return [];
    }
    const boxes = (lane: number) => tops[lane]! + TITLE;
    const [leave, enter] =
      begin! < end! ? [ROW - 2, 0] : begin! > end! ? [0, ROW - 2] : [ROW / 2, ROW / 2];
    const [y1, y2] = [boxes(begin!) + leave, boxes(end!) + enter];
    return [{ x1: x(arrow.start), y1, x2: x(arrow.end), y2 }];
  });
}

// laneAt is the lane at y, -1 if there is none.
export function laneAt(tops: readonly number[], y: number): number {
  return y < tops[0]!
    ? -1
    : tops.findIndex((_, lane) => lane + 1 < tops.length && y < tops[lane + 1]!);
}

// boxAt is the box at x and y of a lane: of several that are narrow the nearest.
export function boxAt(lane: Lane, view: View, width: number, x: number, y: number): Box | null {
  const near = rectsOf(lane, view, width).filter(
    (rect) => y >= rect.y && y < rect.y + ROW && x >= rect.x - 1 && x <= rect.x + rect.width + 1,
  );
  const away = (rect: Rect) => Math.abs(rect.x + rect.width / 2 - x) - rect.width / 2;
  near.sort((a, b) => away(a) - away(b));
  return near[0]?.box ?? null;
}

// nested is boxes with levels: each one below those that it begins in.
export function nested(boxes: readonly Box[]): Box[] {
  const sorted = [...boxes].sort((a, b) => a.start - b.start || b.duration - a.duration);
  let open: number[] = []; // ends
  return sorted.map((box) => {
    open = open.filter((end) => end > box.start);
    open.push(box.start + box.duration);
    return { ...box, level: open.length - 1 };
  });
}

// ticksOf are round times in a view, `most` of them at most.
export function ticksOf({ from, to }: View, most: number): number[] {
  const least = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? 1;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
    ticks.push(tick === 0 ? 0 : tick); // not -0
  }
  return ticks;
}

// neighbour is the box that an arrow key leads to: in the lane by time, or the nearest of another lane.
export function neighbour(
  lanes: readonly Lane[],
  at: { lane: number; box: Box },
  key: string,
): { lane: number; box: Box } {
  const byTime = ({ boxes }: Lane) =>
    [...boxes].sort((a, b) => a.start - b.start || a.level - b.level);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const sorted = byTime(lanes[at.lane]!);
    const next = sorted[sorted.indexOf(at.box) + (key === "ArrowRight" ? 1 : -1)];
    return next ? { lane: at.lane, box: next } : at;
  }
  const step = key === "ArrowDown" ? 1 : -1;
  for (let lane = at.lane + step; lane >= 0 && lane < lanes.length; lane += step) {
    const away = (box: Box) => Math.abs(box.start - at.box.start);
    const [box] = byTime(lanes[lane]!).sort((a, b) => away(a) - away(b));
    if (box) {
      return { lane, box };
    }
  }
  return at;
}
