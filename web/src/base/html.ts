// SPDX-License-Identifier: Apache-2.0
// html: templates that become preact's nodes. Everything else of the page imports preact from here.
import { h } from "preact";
import htm from "htm";
import type { ComponentChildren, VNode } from "preact";

export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
export type Children = ComponentChildren;
