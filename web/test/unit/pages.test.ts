// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeAfter } from "../../src/base/pages";
import type { Place } from "../../src/base/pages";

const URL_5 = "/api/v1/contexts?service=a&from=5&to=9&sort=start";
const URL_6 = "/api/v1/contexts?service=a&from=6&to=10&sort=start";
const second: Place = { url: URL_5, tick: 1, rows: 50, cursor: "c", before: [] };

test("a list that nothing changes stays where it is", () => {
  assert.equal(placeAfter(second, URL_5, 1, 100, 50), second);
});

test("a list that is asked for again keeps its rows, as many as an answer may have", () => {
  const kept = { url: URL_6, tick: 2, cursor: "", before: [] };
  assert.deepEqual(placeAfter(second, URL_6, 2, 100, 50), { ...kept, rows: 100 });
  assert.deepEqual(placeAfter(second, URL_6, 2, 3, 50), { ...kept, rows: 50 });
  assert.deepEqual(placeAfter(second, URL_6, 2, 3000, 50), { ...kept, rows: 1000 });
  const boxed = placeAfter(second, URL_5, 2, 100, 50);
  assert.deepEqual(boxed, { ...kept, url: URL_5, rows: 100 });
});

test("another list begins with a page", () => {
  for (const [url, tick] of [
    [URL_6, 1], // another time was chosen
    [URL_6.replace("start", "duration"), 2],
    [URL_5.replace("service=a", "service=b"), 1],
  ] as const) {
    assert.deepEqual(placeAfter(second, url, tick, 100, 50), {
      url,
      tick,
      rows: 50,
      cursor: "",
      before: [],
    });
  }
});
