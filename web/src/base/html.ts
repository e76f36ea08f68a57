// SPDX-License-Identifier: Apache-2.0
// html: templates that become preact's nodes. Everything else of the page imports preact from here.
import { h } from "preact";
import htm from "htm";
import type { ComponentChildren, VNode } from "preact";

// htm would make the nodes of a template that never change once, and use them again. Each knows its parent, so they would
// hold the first tree that they were in, and, as that has nodes of later ones, every tree there was: 1 MB a refresh.
function node(this: number[], ...of: Parameters<typeof h>): VNode {
  this[0] = 3; // for htm: changes each time
  return h(...of);
}

export const html = htm.bind(node) as (
  strings: TemplateStringsArray,
  ...values: unknown[]
) => VNode;
export type Children = ComponentChildren;
