// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WhySlice } from "../../src/base/shapes";
import { tailOf } from "../../src/parts/cut";
import { isThere } from "../../src/parts/why";

const slice = (is_count: boolean, total_ns: number, events: number): WhySlice => ({
  category: "lock",
  total_ns,
  stopped_ns: 0,
  per_request_ns: total_ns,
  events,
  is_count,
  top: [],
});

test("a row has time, or events where these take none", () => {
  assert.ok(isThere(slice(false, 1, 0)));
  assert.ok(!isThere(slice(false, 0, 3)));
  assert.ok(isThere(slice(true, 0, 1)));
  assert.ok(!isThere(slice(true, 0, 0)));
});

test("the end of a long name that is always seen begins at a dot where one is near", () => {
  assert.equal(
    "VisibleBufferedInputStream.readMore".slice(-tailOf("VisibleBufferedInputStream.readMore")),
    ".readMore",
  );
  assert.equal(tailOf("aMethodWithoutAnyDotInItsVeryLongName"), 16);
});
