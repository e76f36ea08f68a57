// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { againstText, baseOf, parseAgainst, wordsOf } from "../../src/base/against";
import { comparedRoutesOf, partsOf, tooManyOf } from "../../src/parts/compare";
import { othersOf, versionsOf } from "../../src/parts/choose_base";
import type { ComparedSide, ComparedType } from "../../src/base/shapes";

test("what is compared with is a text that is read again", () => {
  for (const text of [
    "day",
    "week",
    "version:1.2:3 x",
    "version@5:1.2@3",
    "version:@5:1",
    "instance:web-1:4711",
  ]) {
    assert.equal(againstText(parseAgainst(text)!), text);
  }
  for (const text of [
    "",
    "days",
    "version:",
    "jvm:a",
    "day:1",
    "version@:1",
    "version@5",
    "version@5:",
    "instance@5:a",
    null,
  ]) {
    assert.equal(parseAgainst(text), null);
  }
  assert.equal(wordsOf(parseAgainst("version:1.2")!), "version 1.2");
  assert.equal(wordsOf(parseAgainst("week")!), "the week before");
});

test("the base is the same selection at another time, or of another version or JVM", () => {
  const query = new URLSearchParams(
    "service=a&recording=r&instance=i&version=2&trace=t&where=b=c&from=90000000000000&to=90000000000001",
  );
  const of = (text: string) => baseOf(query, parseAgainst(text)!).toString();
  assert.equal(
    of("day"),
    "service=a&instance=i&version=2&where=b%3Dc&from=3600000000000&to=3600000000001",
  );
  assert.equal(
    of("version:1"),
    "service=a&where=b%3Dc&from=90000000000000&to=90000000000001&version=1",
  );
  assert.equal(of("version@7000:1"), "service=a&where=b%3Dc&version=1&from=6999&to=7000");
  assert.equal(
    of("instance:j"),
    "service=a&where=b%3Dc&from=90000000000000&to=90000000000001&instance=j",
  );
});

test("a version is compared with the one that is chosen, or else with the newest other one", () => {
  assert.deepEqual(othersOf(["3", "2", "1"], null), [
    ["3", "2"],
    ["2", "3"],
    ["1", "3"],
  ]);
  assert.deepEqual(othersOf(["3", "2", "1"], "2"), [
    ["3", "2"],
    ["1", "2"],
  ]);
  assert.deepEqual(othersOf(["3"], null), []);
});

test("a version that runs no more is compared by the last time in which it did", () => {
  const minute = 60_000_000_000n;
  const version = (name: string, to: bigint) => ({ version: name, jvms: 1, to_ns: String(to) });
  const to = 1000n * minute;
  const known = [version("3", to - 2n * minute), version("2", to - 30n * minute), version("1", 9n)];
  const of = (now: string[], chosen: string | null) =>
    versionsOf(known, now, chosen, to).map(({ against, here }) => [againstText(against), here]);
  const until2 = `version@${to - 30n * minute}:2`;
  assert.deepEqual(of(["3"], null), [
    [until2, "3"],
    ["version@9:1", "3"],
  ]);
  assert.deepEqual(of(["4", "3"], "4"), [
    ["version:3", "4"],
    [until2, "4"],
    ["version@9:1", "4"],
  ]);
  assert.deepEqual(
    versionsOf([], ["3", "2"], null, to).map(({ against }) => againstText(against)),
    ["version:3", "version:2"],
  );
});

const side = (count: number, parts: [string, number][] = []): ComparedSide => ({
  count,
  kept: 0,
  per_s: count,
  mean_ns: 1,
  p50_ns: 1,
  p99_ns: 1,
  parts: parts.map(([category, share]) => ({ category, share })),
});
const verdicts = { mean: null, p50: null, p99: null } as const;

test("routes are those of both sides, the most frequent first", () => {
  const values = [
    { value: "/a", here: side(1), base: side(2), verdicts },
    { value: "/gone", here: null, base: side(9), verdicts },
  ];
  const divided: ComparedType = {
    type: "T",
    here: side(1),
    base: side(11),
    verdicts,
    attributes: [{ key: "path", has_too_many: false, values }],
  };
  const whole: ComparedType = { ...divided, type: "U", here: side(5), base: null, attributes: [] };
  const comparison = { unit: "requests", types: [divided, whole], is_truncated: false };
  const names = (key: string | null) =>
    comparedRoutesOf(comparison, key).map(({ type, value }) => `${type} ${value}`);
  assert.deepEqual(names("path"), ["T /gone", "U null", "T /a"]);
  assert.deepEqual(names(null), ["T null", "U null"]);
});

test("what has none of the values is a route of its own, of which only the number is known", () => {
  const values = [
    { value: "/a", here: side(1), base: side(2), verdicts },
    { value: "/b", here: side(2), base: side(2), verdicts },
  ];
  const type = (here: number, base: number): ComparedType => ({
    type: "T",
    here: side(here),
    base: side(base),
    verdicts,
    attributes: [{ key: "path", has_too_many: false, values }],
  });
  const restOf = (here: number, base: number) =>
    comparedRoutesOf({ unit: "requests", types: [type(here, base)], is_truncated: false }, "path")
      .filter(({ value }) => value === null)
      .map((one) => [one.here, one.base]);
  const rest = { count: 5, per_s: 5, mean_ns: null, p50_ns: null, p99_ns: null, parts: [] };
  assert.deepEqual(restOf(3, 4), []);
  assert.deepEqual(restOf(8, 4), [[rest, null]]);
  assert.deepEqual(restOf(8, 9), [[rest, rest]]);
});

test("attributes with too many values on either side are named, but for ids", () => {
  const many = (key: string) => ({ key, has_too_many: true, values: [] });
  const type = (name: string): ComparedType => ({
    type: name,
    here: side(1),
    base: side(1),
    verdicts,
    attributes: [many("path"), many("trace_id"), { key: "few", has_too_many: false, values: [] }],
  });
  const comparison = { unit: "requests", types: [type("T"), type("U")], is_truncated: false };
  assert.deepEqual(tooManyOf(comparison), ["path"]);
});

test("parts are the largest of either side", () => {
  const here = side(1, [
    ["lock", 0.6],
    ["cpu", 0.1],
  ]);
  const base = side(1, [
    ["io", 0.5],
    ["lock", 0.2],
  ]);
  const of = { type: "T", value: null, here, base, verdicts };
  assert.deepEqual(partsOf(of), [
    ["lock", 0.6, 0.2],
    ["io", 0, 0.5],
  ]);
  assert.deepEqual(partsOf({ ...of, here: null, base: null }), []);
});
