// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "../../src/base/html";

test("nodes are made anew each time, as they know the tree that they are in", () => {
  const make = () => html`<p><b>always the same</b></p>`;
  const [first, second] = [make(), make()];
  assert.deepEqual((first.props.children as { type: string }).type, "b");
  assert.notEqual(first.props.children, second.props.children);
});
