// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import * as layout from "../../src/parts/lanes/layout";
import type { Box, Lane } from "../../src/parts/lanes/layout";

function box(level: number, start: number, duration: number): Box {
  return { level, start, duration, kind: "io", name: "jdk.FileRead", count: 1, id: null };
}

function lane(...boxes: Box[]): Lane {
  return { key: "", title: "", recording: "", boxes };
}

test("lanes are below each other, as high as their levels", () => {
  const tops = layout.topsOf([lane(box(0, 0, 9), box(2, 1, 2)), lane(), lane(box(0, 0, 1))]);
  assert.deepEqual(tops, [20, 108, 136, 184]);
  assert.deepEqual(
    [0, 20, 107, 108, 183, 184].map((y) => layout.laneAt(tops, y)),
    [-1, 0, 0, 1, 2, -1],
  );
});

test("boxes that reach over the view are cut at its ends, others are not there", () => {
  const view = { from: 100, to: 200 };
  const boxes = [box(0, 0, 99), box(0, 50, 100), box(1, 120, 0), box(1, 190, 100), box(0, 201, 9)];
  const rects = layout.rectsOf(lane(...boxes), view, 1000);
  assert.deepEqual(
    rects.map(({ x, width, y }) => [x, width, y]),
    [
      [0, 500, 20],
      [200, 2, 40],
      [900, 100, 40],
    ],
  );
});

test("a box is found where it is, a narrow one a pixel beside it too", () => {
  const view = { from: 0, to: 1000 };
  const [wide, narrow] = [box(0, 100, 100), box(0, 300, 0)];
  const one = lane(wide, narrow);
  const at = (x: number, y: number) => layout.boxAt(one, view, 1000, x, y);
  assert.equal(at(150, 25), wide);
  assert.equal(at(150, 45), null);
  assert.equal(at(250, 25), null);
  assert.equal(at(299, 25), narrow);
  assert.equal(at(303, 25), narrow);
});

test("boxes are below those that they begin in", () => {
  const boxes = [box(9, 20, 10), box(9, 0, 100), box(9, 25, 5), box(9, 30, 1), box(9, 100, 1)];
  assert.deepEqual(
    layout.nested(boxes).map(({ start, level }) => [start, level]),
    [
      [0, 0],
      [20, 1],
      [25, 2],
      [30, 1],
      [100, 0],
    ],
  );
});

test("ticks are round, and no more than there is room for", () => {
  assert.deepEqual(layout.ticksOf({ from: 0, to: 1000 }, 5), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(layout.ticksOf({ from: -30, to: 70 }, 2), [0, 50]);
  assert.deepEqual(layout.ticksOf({ from: 0, to: 3 }, 9), [0, 1, 2, 3]);
});

test("arrow keys lead through a lane by time, and to the nearest box of others", () => {
  const [a, b, c] = [box(0, 0, 100), box(1, 10, 5), box(1, 60, 5)];
  const [d, e] = [box(0, 6, 1), box(0, 50, 1)];
  const lanes = [lane(a, c, b), lane(), lane(d, e)];
  const from = (of: number, one: Box, key: string) =>
    layout.neighbour(lanes, { lane: of, box: one }, key);
  assert.deepEqual(from(0, a, "ArrowRight"), { lane: 0, box: b });
  assert.deepEqual(from(0, b, "ArrowRight"), { lane: 0, box: c });
  assert.deepEqual(from(0, a, "ArrowLeft"), { lane: 0, box: a });
  assert.deepEqual(from(0, c, "ArrowDown"), { lane: 2, box: e });
  assert.deepEqual(from(2, d, "ArrowUp"), { lane: 0, box: b });
  assert.deepEqual(from(2, d, "ArrowDown"), { lane: 2, box: d });
});
