// SPDX-License-Identifier: Apache-2.0
// What "keep everything" pins of a selection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pinOf } from "../../src/parts/keep";

const TO_NS = 1_000_000_000_000n;

function pinned(query: string): string | null {
  return pinOf(new URLSearchParams(query))?.toString() ?? null;
}

test("a pin has the service and the time of a box, and some time after it", () => {
  assert.equal(
    pinned(`service=shop&from=5&to=${TO_NS}&min_duration_ns=7&where=a%3Db`),
    `service=shop&from=5&to=${TO_NS + 120_000_000_000n}`,
  );
});

test("a pin of a request has its recording", () => {
  assert.equal(pinned("recording=R&request=Q&service=shop&from=5"), "recording=R&from=5&request=Q");
  assert.equal(pinned("service=shop&request=Q"), "service=shop");
});

test("a pin of a trace is of any service and time", () => {
  assert.equal(pinned("trace=T&service=shop&from=5&to=6"), "trace=T");
});

test("there is no pin of all services", () => {
  assert.equal(pinned("from=5&to=6"), null);
});
