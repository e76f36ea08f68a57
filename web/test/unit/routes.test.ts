// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestAttribute, RequestType } from "../../src/base/shapes";
import { keysOf, routesOf } from "../../src/parts/routes";

const numbers = { p50_ns: 1e6, p99_ns: 5e6, total_ns: 9e9, top: null };

const attribute = (key: string, counts: Record<string, number>): RequestAttribute => ({
  key,
  has_too_many: Object.keys(counts).length === 0,
  values: Object.entries(counts).map(([value, requests_in]) => ({
    value,
    requests_in,
    requests_out: 1,
    ...numbers,
  })),
});

const requests = (type: string, all: number, ...attributes: RequestAttribute[]): RequestType => ({
  type,
  requests_in: all,
  requests_out: 10,
  ...numbers,
  attributes,
});

const TENANTS = { acme: 3, globex: 2, initech: 1 };

test("routes are divided by what tracers call them, else by the attribute of most values", () => {
  const tenant = attribute("tenant", TENANTS);
  const method = attribute("http_method", { GET: 6 });
  const route = attribute("http_route", { "/a": 6 });
  const endpoint = attribute("endpoint", { "/b": 6 });
  const keys = keysOf([requests("t", 6, endpoint, method, route, tenant)]);
  assert.deepEqual(keys, ["http_route", "endpoint", "tenant", "http_method"]);
  assert.deepEqual(keysOf([requests("t", 6, method, tenant)]), ["tenant", "http_method"]);
});

test("values of several types count together", () => {
  const some = requests("a", 2, attribute("x", { 1: 1, 2: 1 }), attribute("y", { 1: 1, 2: 1 }));
  const more = requests("b", 2, attribute("y", { 2: 1, 3: 1 }));
  assert.deepEqual(keysOf([some, more]), ["y", "x"]);
});

test("ids, and what has too many values, divide nothing", () => {
  const ids = ["id", "order_id", "order.id", "orderId", "traceid", "trace_id"];
  const all = [...ids.map((key) => attribute(key, TENANTS)), attribute("path", {})];
  assert.deepEqual(keysOf([requests("t", 6, ...all)]), []);
  assert.deepEqual(keysOf([requests("t", 6, attribute("paid", TENANTS))]), ["paid"]);
});

test("each request is in one row, the most frequent first", () => {
  const http = requests("http", 100, attribute("route", { "/a": 30, "/b": 60 }));
  const timer = requests("timer", 50);
  const rows = routesOf([http, timer], "route", null);
  assert.deepEqual(
    rows.map(({ type, value, all, kept }) => [type, value, all, kept]),
    [
      ["http", "/b", 60, 1],
      ["timer", null, 50, 10],
      ["http", "/a", 30, 1],
      ["http", null, 10, 8],
    ],
  );
  assert.equal(rows[1]!.p99_ns, 5e6); // all of a type
  assert.equal(rows[3]!.p99_ns, null); // those without the attribute: statistics do not say
});

test("without an attribute the types are the routes", () => {
  const rows = routesOf([requests("a", 1), requests("b", 2)], null, null);
  assert.deepEqual(
    rows.map(({ type, all }) => [type, all]),
    [
      ["b", 2],
      ["a", 1],
    ],
  );
});

test("a route has the series of its type and value", () => {
  const spark = (...values: (number | null)[]) => ({ spark: values });
  const series = {
    t0_ns: "0",
    step_ns: 1,
    types: [
      { type: "http", ...spark(1, 2), values: [{ value: "/a", ...spark(1, null) }] },
      { type: "timer", ...spark(null, 3), values: [] },
    ],
    is_truncated: false,
  };
  const http = requests("http", 100, attribute("route", { "/a": 30, "/b": 60 }));
  const rows = routesOf([http, requests("timer", 50)], "route", series);
  assert.deepEqual(
    rows.map(({ type, value, spark }) => [type, value, spark]),
    [
      ["http", "/b", []],
      ["timer", null, [null, 3]],
      ["http", "/a", [1, null]],
      ["http", null, []],
    ],
  );
});
