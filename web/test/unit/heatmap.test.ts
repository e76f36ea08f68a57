// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeatCell, Heatmap } from "../../src/base/shapes";
import { boxText, parseBox } from "../../src/base/selection";
import * as layout from "../../src/parts/heatmap/layout";
import { isMarked } from "../../src/parts/heatmap/paint";
import { ratesOf, roundUp } from "../../src/parts/heatmap/rate";

const T0 = 1767323040_000000000n;
const MINUTE_NS = 60e9;
const PLOT = { x: 52, y: 6, width: 1200, height: 240 };

function mapOf(columns: HeatCell[][], exemplars: Heatmap["exemplars"] = []): Heatmap {
  const sum = (at: 1 | 2) => columns.flat().reduce((total, cell) => total + cell[at], 0);
  return {
    t0_ns: String(T0),
    step_ns: MINUTE_NS,
    columns,
    exemplars,
    all: sum(1),
    kept: sum(2),
    unknown: 0,
    is_truncated: false,
  };
}

// The same numbers in each run: a linear congruential generator.
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

// The bucket of a whole duration by its definition: 2^(i/4) < ns <= 2^((i+1)/4), in whole numbers.
function bucketOf(ns: number): number {
  const fourth = BigInt(ns) ** 4n;
  let bucket = -1;
  while (1n << BigInt(bucket + 1) < fourth) {
    bucket++;
  }
  return bucket;
}

// No whole number of nanoseconds is in 0, 1, 2, 4, 5 and 8.
const hasDurations = (bucket: number) => layout.longest(bucket) > layout.longest(bucket - 1);

function randomMap(random: (below: number) => number): Heatmap {
  const low = random(60);
  const count = 1 + random(100);
  const columns = Array.from({ length: 1 + random(300) }, () =>
    Array.from({ length: count }, (_, i): HeatCell => {
      const all = 1 + random(5000);
      return [low + i - 1, all, random(all + 1)];
    }).filter(([bucket]) => (bucket < 0 || hasDurations(bucket)) && random(3) > 0),
  );
  return mapOf(columns);
}

test("the longest duration of a bucket is in it, and one more nanosecond is not", () => {
  assert.equal(layout.longest(-1), 1);
  assert.equal(layout.longest(3), 2);
  assert.equal(layout.longest(79), 1048576);
  for (let bucket = 9; bucket < 180; bucket++) {
    assert.equal(bucketOf(layout.longest(bucket)), bucket);
    assert.equal(bucketOf(layout.longest(bucket) + 1), bucket + 1);
  }
});

test("a box of one cell is its minute and the durations of its bucket", () => {
  const grid = layout.gridOf(mapOf([[], [[80, 3, 1]]]), 100, 100);
  const place = { column: 1, row: 0 };
  assert.deepEqual(layout.boxOf(grid, place, place), {
    from: T0 + 60_000000000n,
    to: T0 + 120_000000000n,
    min: 1048577,
    max: 1246974, // 2^(81/4) = 1246974.2
  });
});

test("a box that begins at the border of two cells has the upper one alone", () => {
  // Bucket 79 ends with 2^20 ns.
  const map = mapOf([
    [
      [79, 5, 2],
      [80, 3, 1],
    ],
  ]);
  const grid = layout.gridOf(map, 100, 100);
  const box = { from: T0, to: T0 + 60_000000000n, min: 1048576, max: 1246974 };
  assert.deepEqual(layout.sumIn(grid, box), { all: 3, kept: 1 });
  assert.deepEqual(layout.sumIn(grid, { ...box, min: 1048575 }), { all: 8, kept: 3 });
  // The shortest durations have cells of one nanosecond.
  const short = layout.gridOf(mapOf([[[-1, 1, 0]]]), 100, 100);
  assert.equal(layout.sumIn(short, { ...box, min: 1, max: 1 }).all, 1);
});

test("a grid has all contexts, whatever room there is", () => {
  const random = generator(7);
  for (let round = 0; round < 100; round++) {
    const map = randomMap(random);
    const [columnsMax, rowsMax] = [1 + random(200), 1 + random(60)];
    const grid = layout.gridOf(map, columnsMax, rowsMax);
    assert.ok(grid.columns <= columnsMax && grid.rows <= rowsMax);
    const whole = layout.boxOf(
      grid,
      { column: 0, row: 0 },
      { column: grid.columns - 1, row: Math.max(0, grid.rows - 1) },
    );
    assert.deepEqual(layout.sumIn(grid, whole), { all: map.all, kept: map.kept });
  }
});

test("a box through the address has the contexts of its cells, and no others", () => {
  const random = generator(11);
  for (let round = 0; round < 60; round++) {
    const map = randomMap(random);
    const grid = layout.gridOf(map, 1 + random(200), 1 + random(60));
    if (grid.rows === 0) {
      continue;
    }
    const place = () => ({ column: random(grid.columns), row: random(grid.rows) });
    const [a, b] = [place(), place()];
    const box = parseBox(boxText(layout.boxOf(grid, a, b)))!;
    const sum = { all: 0, kept: 0 };
    map.columns.forEach((column, index) => {
      const time = T0 + BigInt(index) * 60_000000000n;
      for (const [bucket, all, kept] of column) {
        const longest = layout.longest(bucket);
        if (time >= box.from && time < box.to && longest >= box.min && longest <= box.max) {
          sum.all += all;
          sum.kept += kept;
        }
      }
    });
    assert.deepEqual(layout.sumIn(grid, box), sum);
  }
});

test("a box is drawn where its cells are, and pixels in it are of them", () => {
  const random = generator(13);
  for (let round = 0; round < 60; round++) {
    const grid = layout.gridOf(randomMap(random), 1 + random(200), 1 + random(60));
    if (grid.rows === 0 || grid.first * grid.buckets < 40) {
      continue; // whole nanoseconds are coarse there
    }
    const a = { column: random(grid.columns), row: random(grid.rows) };
    const b = { column: random(grid.columns), row: random(grid.rows) };
    const rect = layout.boxRect(grid, PLOT, layout.boxOf(grid, a, b))!;
    const [left, right] = [Math.min(a.column, b.column), Math.max(a.column, b.column)];
    const [bottom, top] = [Math.min(a.row, b.row), Math.max(a.row, b.row)];
    const first = layout.cellRect(grid, PLOT, { column: left, row: top });
    const last = layout.cellRect(grid, PLOT, { column: right, row: bottom });
    const isNear = (value: number, wanted: number) =>
      assert.ok(Math.abs(value - wanted) < 0.1, `${value}, not ${wanted}`);
    isNear(rect.x, first.x);
    isNear(rect.y, first.y);
    isNear(rect.x + rect.width, last.x + last.width);
    isNear(rect.y + rect.height, last.y + last.height);
    const at = layout.cellAt(grid, PLOT, first.x + first.width / 2, first.y + first.height / 2);
    assert.deepEqual(at, { column: left, row: top });
  }
});

test("a pixel outside is of the nearest cell, and a box outside is not drawn", () => {
  const grid = layout.gridOf(mapOf([[[80, 1, 0]], [[84, 1, 0]]]), 100, 100);
  assert.deepEqual(layout.cellAt(grid, PLOT, -5, 9999), { column: 0, row: 0 });
  assert.deepEqual(layout.cellAt(grid, PLOT, 9999, -5), { column: 1, row: 4 });
  const before = { from: 0n, to: T0, min: 0, max: 1e12 };
  assert.equal(layout.boxRect(grid, PLOT, before), null);
});

test("exemplars are found in their cells, the longest first", () => {
  const map = mapOf(
    [[[80, 1, 1]], [[84, 9, 2]]],
    [
      [0, 80, "r1", "c1"],
      [1, 84, "r1", "c2"],
    ],
  );
  const grid = layout.gridOf(map, 100, 100);
  const box = layout.boxOf(grid, { column: 0, row: 0 }, { column: 1, row: 4 });
  assert.deepEqual(
    layout.exemplarsIn(grid, box).map((one) => one.id),
    ["c2", "c1"],
  );
});

test("colours go from 1 to the most in equal ratios", () => {
  assert.equal(layout.colorStep(0, 100), 0);
  assert.equal(layout.colorStep(1, 1), 1);
  const steps = [1, 9, 10, 99, 100, 999, 1000, 99998, 99999];
  assert.deepEqual(
    steps.map((count) => layout.colorStep(count, 99999)),
    [1, 1, 2, 2, 3, 3, 4, 5, 5],
  );
});

test("durations have ticks at powers of ten, and more where there is room", () => {
  // Buckets 80 to 119: from 2^20 ns to 2^30 ns, a pixel for each 1/24 of a doubling.
  const columns: HeatCell[][] = [
    [
      [80, 1, 0],
      [119, 1, 0],
    ],
  ];
  const grid = layout.gridOf(mapOf(columns), 100, 100);
  const texts = (gap: number) =>
    layout.durationTicks(grid, PLOT, gap, String).map((tick) => tick.text);
  assert.deepEqual(texts(60), ["10000000", "100000000", "1000000000"]);
  assert.deepEqual(texts(20).slice(0, 3), ["2000000", "5000000", "10000000"]);
  const [ten] = layout.durationTicks(grid, PLOT, 60, String);
  assert.equal(Math.round(ten!.at), 168); // 6 + 240 * (1 - log2(10^7 / 2^20) / 10)
});

test("times have round ticks of the clock here", () => {
  const grid = layout.gridOf(mapOf(Array.from({ length: 60 }, () => [])), 100, 100);
  const minutes = (offsetNs: bigint) =>
    layout
      .timeTicks(
        grid,
        PLOT,
        90,
        offsetNs,
        (ns, step) => `${(ns - T0) / 60_000000000n} ${step / 6e10}`,
      )
      .map((tick) => tick.text);
  // T0 is 03:04:00; 60 minutes over 1200 pixels are 4.5 for 90.
  assert.deepEqual(minutes(0n).slice(0, 3), ["1 5", "6 5", "11 5"]);
  assert.deepEqual(minutes(-120_000000000n).slice(0, 2), ["3 5", "8 5"]);
});

test("quantiles are those of the counts, within a bucket in proportion", () => {
  assert.equal(layout.quantile([], 0.5), null);
  assert.equal(layout.quantile([[-1, 4]], 0.5), 1);
  const counts: [number, number][] = [
    [79, 50],
    [83, 50],
  ];
  assert.equal(layout.quantile(counts, 0.5), 1048576); // 2^20
  assert.equal(layout.quantile(counts, 1), 2097152);
  assert.equal(layout.quantile(counts, 0.75), Math.floor(2 ** (83.5 / 4)));
});

test("rates are of the grid's columns", () => {
  const map = mapOf([[[79, 60, 0]], [[79, 120, 0]], [[83, 120, 0]]]);
  const rates = ratesOf(map, layout.gridOf(map, 2, 100));
  assert.deepEqual(
    rates.map((one) => one.perSecond),
    [1.5, 2],
  );
  assert.equal(rates[1]!.p99, Math.floor(2 ** ((83 + 119 / 120) / 4)));
  assert.deepEqual([0.3, 1, 1.1, 42, 50, 51].map(roundUp), [0.5, 1, 2, 50, 50, 100]);
});

test("a grid from 1 ms up has what is shorter in its first row", () => {
  assert.equal(layout.MS_BUCKET, bucketOf(1e6));
  const map = mapOf([
    [
      [20, 5, 0],
      [bucketOf(1e6), 2, 2],
      [bucketOf(1e9), 1, 1],
    ],
    [[30, 3, 1]],
  ]);
  const grid = layout.gridOf(map, 100, 100, layout.MS_BUCKET);
  const [bottom, top] = [
    { column: 0, row: 0 },
    { column: 0, row: grid.rows - 1 },
  ];
  assert.equal(grid.rows, bucketOf(1e9) - layout.MS_BUCKET + 1);
  const { all, kept } = grid.cells.get(layout.keyOf(grid, bottom))!;
  assert.deepEqual([all, kept], [7, 2]);
  const first = layout.boxOf(grid, bottom, bottom);
  assert.deepEqual([first.min, first.max], [0, layout.longest(layout.MS_BUCKET)]);
  assert.equal(layout.boxOf(grid, { column: 0, row: 1 }, top).min, first.max + 1);
  assert.deepEqual(layout.sumIn(grid, { ...first, to: first.to + BigInt(MINUTE_NS) }), {
    all: 10,
    kept: 3,
  });
});

test("a grid from 1 ms up has rows also where all is shorter, and none where there is nothing", () => {
  const grid = layout.gridOf(mapOf([[[10, 5, 0]]]), 100, 100, layout.MS_BUCKET);
  assert.ok(grid.rows > 1);
  assert.equal(grid.cells.size, 1);
  assert.equal(layout.gridOf(mapOf([[]]), 100, 100, layout.MS_BUCKET).rows, 0);
});

test("cells are marked that have kept contexts, or requests that were not kept", () => {
  const cell = (all: number, kept: number) => ({ column: 0, row: 0, all, kept });
  assert.equal(isMarked(cell(5, 0), "contexts"), false);
  assert.equal(isMarked(cell(5, 1), "contexts"), true);
  assert.equal(isMarked(cell(5, 4), "requests"), true);
  assert.equal(isMarked(cell(5, 5), "requests"), false);
});

test("the slowest are a percent, ten of few, and none of fewer", () => {
  // Bucket 80 is up to 2^(81/4) ns, 100 the slow ones.
  const of = (quick: number, slow: number) =>
    layout.slowestOf(
      mapOf([
        [
          [80, quick, 0],
          [100, slow, slow],
        ],
      ]),
    );
  const slow = Math.floor(2 ** (81 / 4)); // longer than the quick ones
  assert.ok(of(9900, 100)!.min >= slow && of(9900, 100)!.min < 2 ** 25.25);
  assert.ok(of(9000, 50)!.min < slow); // a percent is more than these
  assert.ok(of(90, 10)!.min >= slow);
  assert.ok(of(91, 9)!.min < slow); // ten
  assert.equal(of(900, 30)!.min, 2 ** 25); // not within their bucket: all of them may be at its beginning
  assert.equal(of(20, 30), null); // they are no few
  assert.equal(of(10, 10), null);
  assert.equal(of(0, 0), null);
  assert.deepEqual([of(90, 10)!.from, of(90, 10)!.to], [T0, T0 + BigInt(MINUTE_NS)]);
  assert.deepEqual([layout.slowestWords(999), layout.slowestWords(1000)], [10, "1 %"]);
});
