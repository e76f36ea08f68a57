// SPDX-License-Identifier: Apache-2.0
// bars: a share as a bar, a kind's colour as a dot, a row of times as a line.
import { percent } from "../base/format";
import { html } from "../base/html";
import { kindOf } from "../base/kinds";
import type { Top } from "../base/shapes";

export function Dot({ category }: { category: string }) {
  return html`<span
    class="dot"
    style=${{ background: `var(--${kindOf(category).token})` }}
  ></span>`;
}

// Most is where most time went; nothing where that is not known.
export function Most({ of }: { of: Top | null }) {
  return (
    of &&
    html`<${Dot} category=${of.category} />${kindOf(of.category).name}
      <span class="dim"> ${percent(of.share)}</span>`
  );
}

// Bar is `share` (0 to 1) of its cell's width.
export function Bar({ category, share }: { category: string; share: number }) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  const background = `var(--${kindOf(category).token})`;
  return html`<div class="bar" style=${{ width, background }}></div>`;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 22;

// Spark draws values from left to right, null where there are none; the largest reaches the top.
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 1);
  let path = "";
  let isDrawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      isDrawing = false;
      return;
    }
    const x = ((index + 0.5) / values.length) * SPARK_WIDTH;
    const y = SPARK_HEIGHT - 1 - (value / top) * (SPARK_HEIGHT - 3);
    path += `${isDrawing ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}` + (isDrawing ? "" : "h1");
    isDrawing = true;
  });
  return html`<svg
    class="spark"
    role="img"
    aria-label=${label}
    viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}"
  >
    <path d=${path} />
  </svg>`;
}
