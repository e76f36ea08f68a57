// SPDX-License-Identifier: Apache-2.0
// bars: a share as a bar, a kind's colour as a dot, a row of times as a line.
import { percent } from "../base/format";
import { html } from "../base/html";
import { kindOf } from "../base/kinds";
import type { Top } from "../base/shapes";
import { color, inkOn, scheme } from "../base/theme";

interface Part {
  category: string;
  total_ns: number;
}

interface StackedProps {
  parts: readonly Part[];
  total: number; // ns
  each: (part: Part) => string; // how long a part is, in words
}

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

const NAMED = 0.07; // of the bar's width: there is room for a name in it
const TIMED = 0.16; // and for how long

// Stacked is one bar of all that time went to, in the order of parts, with what there is room to say in it.
export function Stacked({ parts, total, each }: StackedProps) {
  const shown = parts.filter((part) => part.total_ns > 0);
  const share = (part: Part) => part.total_ns / Math.max(1, total);
  const name = (part: Part) => kindOf(part.category).name;
  const words = (part: Part) =>
    share(part) < NAMED ? "" : share(part) < TIMED ? name(part) : `${name(part)} ${each(part)}`;
  const ink = (part: Part) => scheme.value >= 0 && inkOn(color(kindOf(part.category).token));
  const label = shown.map((part) => `${name(part)} ${percent(share(part))}`).join(", ");
  return html`<div class="stacked" role="img" aria-label=${label}>
    ${shown.map(
      (part) =>
        html`<span
          key=${part.category}
          title=${`${name(part)} ${each(part)}, ${percent(share(part))}`}
          style=${{
            flexGrow: share(part),
            background: `var(--${kindOf(part.category).token})`,
            color: ink(part),
          }}
          >${words(part)}</span
        >`,
    )}
  </div>`;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 22;

// Spark draws values from left to right, null where there are none; the largest reaches the top.
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 1);
  const isThere = (index: number) => (values[index] ?? null) !== null;
  let path = "";
  let dots = ""; // values with none beside them
  values.forEach((value, index) => {
    if (value === null) {
      return;
    }
    const x = ((index + 0.5) / values.length) * SPARK_WIDTH;
    const y = SPARK_HEIGHT - 2 - (value / top) * (SPARK_HEIGHT - 4);
    const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
    const isAlone = !isThere(index - 1) && !isThere(index + 1);
    path += isAlone ? "" : `${isThere(index - 1) ? "L" : "M"}${at}`;
    dots += isAlone ? `M${at}h0` : "";
  });
  return html`<svg
    class="spark"
    role="img"
    aria-label=${label}
    viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}"
  >
    <path d=${path} />
    <path class="dots" d=${dots} />
  </svg>`;
}
