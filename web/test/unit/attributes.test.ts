// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Attributes } from "../../src/base/shapes";
import { ranked, sureLift } from "../../src/parts/attributes";

const value = (name: string, count: number, base_count: number): AttributeValue => ({
  value: name,
  count,
  base_count,
  total_ns: 0,
  p99_ns: null,
  lift: null,
  histogram: null,
});

const answer = (base_contexts: number, values: AttributeValue[]): Attributes => ({
  contexts: 200,
  base_contexts,
  keys: [{ key: "tenant", label: "", distinct: 3, search_only: false, values, other: null }],
  is_truncated: false,
});

test("a value that is in most of the selected and in few others is surely more frequent", () => {
  // 184.5/200.5 over 110.5/1000.5 is 8.33; times exp(-1.96 * 0.0921).
  assert.equal(sureLift(value("acme", 184, 110), 200, 1000).toFixed(2), "6.96");
  assert.ok(sureLift(value("all", 200, 1000), 200, 1000) <= 1);
});

test("a value of one context comes behind one that explains the selection", () => {
  const values = [value("rare", 1, 0), value("usual", 100, 500), value("acme", 184, 110)];
  assert.deepEqual(
    ranked(answer(1000, values), new Set()).map((one) => one.value),
    ["acme", "usual", "rare"],
  );
});

test("without a base the most frequent comes first", () => {
  const values = [value("a", 10, 0), value("b", 90, 0), value("none", 0, 5)];
  assert.deepEqual(
    ranked(answer(0, values), new Set()).map((one) => one.value),
    ["b", "a"],
  );
});

test("an attribute that a condition names explains nothing", () => {
  assert.deepEqual(ranked(answer(1000, [value("acme", 184, 110)]), new Set(["tenant"])), []);
});
