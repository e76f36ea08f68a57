// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { address } from "../../src/base/address";
import * as clock from "../../src/base/clock";

const NEW_YEAR = 1767323045123456789n; // 2026-01-02T03:04:05.123456789Z
const SUMMER = 1782874800_000000000n; // 2026-07-01T03:00:00Z

// inZone runs body where the browser has a zone, and the address chooses one.
function inZone(name: string, query: string, body: () => void): void {
  const before = process.env.TZ;
  process.env.TZ = name;
  address.value = { path: [], params: new URLSearchParams(query) };
  try {
    body();
  } finally {
    process.env.TZ = before ?? "UTC";
    address.value = { path: [], params: new URLSearchParams() };
  }
}

test("points in time are on the clocks of the browser, with its daylight saving", () => {
  inZone("America/St_Johns", "", () => {
    assert.equal(clock.rfc3339(NEW_YEAR), "2026-01-01T23:34:05.123456789-03:30");
    assert.equal(clock.clock(NEW_YEAR), "23:34:05.123");
    assert.equal(clock.clock(NEW_YEAR, 60e9), "23:34");
    assert.equal(clock.day(NEW_YEAR), "2026-01-01");
    assert.equal(clock.second(NEW_YEAR), "2026-01-01 23:34:05");
    assert.equal(clock.zoneName(NEW_YEAR), "UTC-3:30");
    assert.equal(clock.zoneName(SUMMER), "UTC-2:30");
    assert.equal(clock.zoneName(SUMMER, true), "UTC");
    assert.equal(clock.offsetNs(SUMMER), -9000_000_000_000n);
  });
  inZone("Europe/Berlin", "", () => {
    assert.equal(clock.zoneName(NEW_YEAR), "UTC+1");
    assert.equal(clock.zoneName(SUMMER), "UTC+2");
  });
});

test("where the address says so they are in UTC, to the nanosecond", () => {
  inZone("Europe/Berlin", "zone=utc", () => {
    assert.equal(clock.rfc3339(0n), "1970-01-01T00:00:00.000000000Z");
    assert.equal(clock.rfc3339(NEW_YEAR), "2026-01-02T03:04:05.123456789Z");
    assert.equal(clock.clock(NEW_YEAR, 1e9), "03:04:05");
    assert.equal(clock.zoneName(NEW_YEAR), "UTC");
  });
});

test("what is written into a field is read on the same clocks", () => {
  for (const [zone, query] of [
    ["America/St_Johns", ""],
    ["Europe/Berlin", "zone=utc"],
    ["Asia/Kolkata", ""],
  ] as const) {
    inZone(zone, query, () => {
      for (const ns of [1767323045000000000n, SUMMER]) {
        assert.equal(clock.parseField(clock.fieldOf(ns)), ns);
      }
      assert.equal(clock.parseField(""), null);
    });
  }
});
