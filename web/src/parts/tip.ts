// SPDX-License-Identifier: Apache-2.0
// tip: describes the item under the pointer, beside it.
import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "../base/html";
import type { Children } from "../base/html";

const AWAY = 14; // px from the pointer
const EDGE = 8; // px from the window's

export interface Point {
  clientX: number;
  clientY: number;
}

export function Tip({ at, children }: { at: Point; children?: Children }) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight, style } = tip.current!;
    const isLow = at.clientY + AWAY + offsetHeight > innerHeight - EDGE;
    const left = Math.min(at.clientX + AWAY, innerWidth - offsetWidth - EDGE);
    style.left = `${Math.max(EDGE, left)}px`;
    style.top = `${isLow ? Math.max(EDGE, at.clientY - AWAY - offsetHeight) : at.clientY + AWAY}px`;
  });
  return html`<div class="tip" role="tooltip" ref=${tip}>${children}</div>`;
}
