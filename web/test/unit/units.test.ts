// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service } from "../../src/base/shapes";
import { chosenUnit, inUnit, rowOf, unitOf } from "../../src/base/units";

const service = (requests_in: number): Service => ({
  service: "checkout",
  jvms: 3,
  contexts_in: 600,
  contexts_out: 30,
  p50_ns: 2e6,
  p99_ns: 6e8,
  spark: [6e8, null],
  types: [],
  top: { category: "lock", share: 0.6 },
  requests: {
    requests_in,
    requests_out: 10,
    p50_ns: 8e6,
    p99_ns: 9e8,
    spark: [null, 9e8],
    top: { category: "queued", share: 0.4 },
  },
});

test("a service is counted by its requests", () => {
  assert.deepEqual(rowOf(service(200)), {
    service: "checkout",
    jvms: 3,
    unit: "requests",
    all: 200,
    kept: 10,
    p50_ns: 8e6,
    p99_ns: 9e8,
    spark: [null, 9e8],
    top: { category: "queued", share: 0.4 },
  });
});

test("a service without requests is counted by its contexts", () => {
  assert.deepEqual(rowOf(service(0)), {
    service: "checkout",
    jvms: 3,
    unit: "contexts",
    all: 600,
    kept: 30,
    p50_ns: 2e6,
    p99_ns: 6e8,
    spark: [6e8, null],
    top: { category: "lock", share: 0.6 },
  });
});

const chosen = (query: string) => chosenUnit(new URLSearchParams(query));

test("an address counts what it says, and contexts where it has a box or a type of them", () => {
  assert.equal(chosen(""), null);
  assert.equal(chosen("where=tenant%3Dacme&last=6h"), null);
  assert.equal(chosen("unit=requests"), "requests");
  assert.equal(chosen("unit=contexts"), "contexts");
  assert.equal(chosen("unit=threads"), null);
  for (const query of ["box=1,2,3,4", "base_box=1,2,3,4", "context=shop.Order", "thread=main"]) {
    assert.equal(chosen(query), "contexts", query);
    assert.equal(chosen(query + "&unit=requests"), "requests", query);
  }
});

test("questions about contexts are as they were before there were requests", () => {
  const query = new URLSearchParams("service=checkout&from=1");
  assert.equal(String(inUnit(query, "requests")), "service=checkout&from=1&unit=requests");
  assert.equal(String(inUnit(inUnit(query, "requests"), "contexts")), "service=checkout&from=1");
  assert.equal(unitOf(inUnit(query, "requests")), "requests");
  assert.equal(unitOf(query), "contexts");
});
