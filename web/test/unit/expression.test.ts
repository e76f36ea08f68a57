// SPDX-License-Identifier: Apache-2.0
// Expressions mean what the browser's own do, where both have the syntax, and take no more steps than they may.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, matches } from "../../src/base/expression";
import { matcherOf } from "../../src/parts/flame/layout";

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function pick(next: (below: number) => number, from: readonly string[]): string {
  return from[next(from.length)]!;
}

const ATOMS = [
  "a",
  "B",
  "c",
  ".",
  "[ab]",
  "[^a]",
  "[a-c1]",
  "\\.",
  "\\w",
  "\\W",
  "\\d",
  "\\b",
  "é",
];
const REPETITIONS = ["*", "+", "?", "{2}", "{0,2}", "{1,}"];
const PARTS = ["a", "A", "b", "c", ".", "1", "é", "É", "ß", "ab"];

function ordinary(next: (below: number) => number, depth: number): string {
  return Array.from({ length: next(4) }, () => {
    const isGroup = depth > 0 && next(3) === 0;
    const both = () => `${ordinary(next, depth - 1)}${pick(next, ["", "|"])}`;
    const part = isGroup ? `(${both()}${ordinary(next, depth - 1)})` : pick(next, ATOMS);
    return part + (part !== "\\b" && next(3) === 0 ? pick(next, REPETITIONS) : "");
  }).join("");
}

test("random expressions mean what the browser's own mean", () => {
  const next = random(1);
  let hits = 0;
  for (let i = 0; i < 5000; i++) {
    const pattern = pick(next, ["", "^"]) + ordinary(next, 2) + pick(next, ["", "$"]);
    const own = new RegExp(pattern, "i");
    const expression = compile(pattern);
    assert.ok(expression, pattern);
    for (let j = 0; j < 5; j++) {
      const name = Array.from({ length: next(9) }, () => pick(next, PARTS)).join("");
      const isHit = matches(expression, name, { count: 0 });
      assert.equal(isHit, own.test(name), `${pattern} in ${name}`);
      hits += isHit ? 1 : 0;
    }
  }
  assert.ok(hits > 5000 && hits < 20000, String(hits));
});

test("the syntax is that of --frame", () => {
  for (const [pattern, text] of [
    ["^[]a]+$", "]a"],
    ["^[a-]$", "-"],
    ["[[:digit:]]", "a1"],
    ["^[[.a.]]$", "a"],
    ["^a**+?$", "aa"],
    ["a)", "a)"],
    ["\\<run\\>", "A.run"],
    ["^()*$", ""],
    ["\\{", "a{"],
    ["^x{0}y$", "y"],
  ] as const) {
    assert.ok(matches(compile(pattern)!, text, { count: 0 }), pattern);
  }
  const refused = [
    "(",
    "[",
    "*",
    "a|*",
    "^*",
    "\\1",
    "\\n",
    "a\\",
    "a{",
    "a{2,1}",
    "a{256}",
    "[b-a]",
    "(?:a)",
  ];
  for (const pattern of [
    ...refused,
    "[[:no:]]",
    "[[:constructor:]]",
    "[[.ab.]]",
    "((a{1,99}){1,99}){1,99}",
    "a".repeat(257),
  ]) {
    assert.equal(compile(pattern), null, pattern);
  }
});

test("attacks take as many steps as there are states, at each place", () => {
  const next = random(2);
  const hostile = [
    "a",
    "b",
    ".",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    "{2}",
    "{0,3}",
    "{255}",
    "^",
    "$",
    "\\b",
    "[^a]",
  ];
  const known = [
    "$a**".repeat(40),
    "(a?){100}a{100}",
    "(a|a)*".repeat(35) + "b",
    "(a*)*b",
    ".*".repeat(120) + "b",
  ];
  const patterns = Array.from({ length: 200 }, () =>
    Array.from({ length: next(250) }, () => pick(next, hostile)).join(""),
  );
  for (const pattern of [...known, ...patterns]) {
    const expression = compile(pattern);
    const steps = { count: 0 };
    if (expression) {
      matches(expression, "ab".repeat(100), steps);
      assert.ok(steps.count <= expression.length * 201, pattern);
    }
  }
  assert.ok(known.every((pattern) => compile(pattern)));
});

test("a search that takes too many steps says so", () => {
  const quick = matcherOf("/a+b/")!;
  assert.ok(quick("xaab") && !quick("xaa") && !quick.isOver());
  const slow = matcherOf(`/${".?".repeat(120)}[bc]/`, 1_000_000)!;
  for (let i = 0; i < 400 && !slow.isOver(); i++) {
    assert.ok(!slow(String(i) + "a".repeat(5000)));
  }
  assert.ok(slow.isOver());
  assert.ok(!slow("b"));
});
