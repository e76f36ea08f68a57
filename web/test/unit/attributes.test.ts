// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Attributes } from "../../src/base/shapes";
import { rankedOf, sureShare } from "../../src/parts/attributes";

const value = (name: string, count: number, base_count: number | null): AttributeValue => ({
  value: name,
  count,
  base_count,
  total_ns: 0,
  p99_ns: null,
  lift: null,
  histogram: null,
});

const answer = (base_contexts: number | null, values: AttributeValue[]): Attributes => ({
  contexts: 200,
  base_contexts,
  keys: [{ key: "tenant", label: "", distinct: 3, search_only: false, values, other: null }],
  is_truncated: false,
});

test("a value that is in most of the selected and in few others surely has the larger share", () => {
  // 185/202 - 111/1002 = 0.8051; less 1.96 * sqrt(0.9158 * 0.0842 / 202 + 0.1108 * 0.8892 / 1002) = 0.0429.
  assert.equal(sureShare(value("acme", 184, 110), 200, 1000).toFixed(3), "0.762");
  assert.ok(sureShare(value("all", 200, 1000), 200, 1000) <= 0);
});

const names = ({ rows }: { rows: readonly AttributeValue[] }) => rows.map((one) => one.value);

test("what explains most is first, a value of one context comes behind", () => {
  const values = [value("rare", 1, 0), value("usual", 100, 500), value("acme", 184, 110)];
  const found = rankedOf(answer(1000, [...values, value("some", 40, 10)]), new Set());
  assert.deepEqual(names(found).slice(0, 2), ["acme", "some"]);
  assert.equal(found.explaining, 2);
});

test("without a base the most frequent comes first", () => {
  const values = [value("a", 10, null), value("b", 90, null), value("none", 0, null)];
  assert.deepEqual(names(rankedOf(answer(null, values), new Set())), ["b", "a"]);
});

test("an attribute that a condition names explains nothing", () => {
  const found = rankedOf(answer(1000, [value("acme", 184, 110)]), new Set(["tenant"]));
  assert.deepEqual(found, { rows: [], explaining: 0, ids: [] });
});

test("attributes with a value for each context are ids, and no rows", () => {
  const once = ["a", "b", "c", "d"].map((name) => value(name, 1, null));
  const twice = ["a", "b", "c", "d"].map((name) => value(name, 2, 0));
  const of = (key: string, distinct: number | null, values: AttributeValue[]) => ({
    ...answer(0, values).keys[0]!,
    ...{ key, distinct, search_only: distinct === null },
  });
  const keys = [
    of("traceid", 200, twice),
    of("order", 4, once),
    of("orderId", null, []),
    of("customer_id", 4, twice), // called an id, but it has few values
    of("tenant", 3, once.slice(1)),
  ];
  const found = rankedOf({ ...answer(0, []), keys }, new Set());
  assert.deepEqual(found.ids, ["traceid", "order", "orderId"]);
  assert.deepEqual(new Set(found.rows.map(({ key }) => key)), new Set(["customer_id", "tenant"]));
});
