// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf, kindBeside, kindOf } from "../../src/base/kinds";
import { labelOf } from "../../src/parts/flame/paint";

test("an event of the application is called by its type, once", () => {
  assert.equal(kindOf("other: demo.Order").name, "demo.Order");
  assert.equal(kindBeside("other: demo.Order"), "event"); // beside the type
  assert.equal(kindBeside("lock"), "lock");
  assert.equal(labelOf("[other: demo.Order]", 40), "[demo.Order]");
  assert.equal(labelOf("[park]", 40), "[park]");
});

test("other events of several types say so", () => {
  assert.equal(kindOf("other").name, "other events"); // of statistics
  assert.equal(kindOf(categoryOf("o")).name, "other events"); // of a flame graph
});
