// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasConditionsOf } from "../../src/base/selection";

test("an answer is of the conditions that its address has, at whatever time", () => {
  const chosen = new URLSearchParams("service=shop&where=a=1&from=5&to=6");
  const isOf = (query: string) => hasConditionsOf(`/x/api/v1/contexts/heatmap?${query}`, chosen);
  assert.ok(isOf("service=shop&where=a%3D1&from=1&to=2&fine=1&unit=requests"));
  assert.ok(!isOf("service=shop&from=5&to=6"));
  assert.ok(!isOf("service=shop&where=a%3D2"));
  assert.ok(!isOf("service=shop&where=a%3D1&version=2"));
  assert.ok(!isOf("service=other&where=a%3D1"));
});
