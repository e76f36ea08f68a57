// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../src/base/format";

function cases<T>(name: string, of: (value: T) => string, expected: readonly [T, string][]): void {
  test(name, () => {
    for (const [value, text] of expected) {
      assert.equal(of(value), text);
    }
  });
}

cases("durations have three digits that count", format.duration, [
  [0, "0 ns"],
  [999, "999 ns"],
  [999.6, "1.00 µs"],
  [1000, "1.00 µs"],
  [9994, "9.99 µs"],
  [9996, "10.0 µs"],
  [99960, "100 µs"],
  [412e6, "412 ms"],
  [999.6e6, "1.00 s"],
  [99.4e9, "99.4 s"],
  [200e9, "3 min 20 s"],
  [119.6e9, "2 min 0 s"],
  [7500e9, "2 h 5 min"],
  [7199.7e9, "2 h 0 min"],
  [10799e9, "3 h 0 min"],
  [-5, "-5 ns"],
]);

cases("bytes", format.bytes, [
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.00 KB"],
  [1999000, "2.00 MB"],
  [5e15, "5000 TB"],
]);

cases("counts", format.count, [
  [0, "0"],
  [999, "999"],
  [33210, "33,210"],
  [0.1254, "0.125"],
  [0.0001, "0"],
  [1234.5678, "1,234.568"],
  [999999.9996, "1.00 M"],
  [999999, "999,999"],
  [1e6, "1.00 M"],
  [3.7e9, "3.70 G"],
]);

cases("percents", format.percent, [
  [0, "0.0 %"],
  [0.0001, "<0.1 %"],
  [0.009, "0.9 %"],
  [0.0996, "10 %"],
  [1, "100 %"],
]);

cases("methods are without their packages", format.methodName, [
  ["shop.Inventory.reserve:41", "Inventory.reserve:41"],
  ["main", "main"],
]);

test("durations are read as they are written", () => {
  assert.equal(format.parseDuration("300"), 300e6);
  assert.equal(format.parseDuration("1.5s"), 1.5e9);
  assert.equal(format.parseDuration(" 3 min 20 s "), 200e9);
  assert.equal(format.parseDuration(format.duration(7500e9)), 7500e9); // 2 h 5 min
  assert.equal(format.parseDuration("20 s later"), null);
  assert.equal(format.parseDuration(""), null);
});
