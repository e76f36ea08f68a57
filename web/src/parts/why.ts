// SPDX-License-Identifier: Apache-2.0
// why: where the time of contexts went, each moment once; beside it that of others to compare with.
import { useAnswer } from "../base/answers";
import { count, counted, duration, methodName, percent } from "../base/format";
import { html } from "../base/html";
import { kindOf } from "../base/kinds";
import { apiUrl } from "../base/selection";
import type { Why, WhySlice } from "../base/shapes";
import { Bar, Dot } from "./bars";
import { Raw } from "./downloads";
import { Missing, Notice, Panel } from "./notice";

const FRAMES = 3; // of each row, if all were shown the rows could not be compared

// What a click on a row or on a frame of it opens; nothing where there is none.
export type HrefOf = (category: string, frame: string | null) => string;

interface RowsProps {
  hrefOf?: HrefOf;
  slice: WhySlice;
  of: Why;
  largest: number; // ns of the largest row
  base: Why | null;
}

function baseOf(base: Why, category: string): string {
  const slice = base.slices.find((one) => one.category === category);
  return duration(base.requests ? (slice?.total_ns ?? 0) / base.requests : 0);
}

function Rows({ slice, of, largest, base, hrefOf }: RowsProps) {
  const linked = (text: string, frame: string | null) =>
    hrefOf ? html`<a href=${hrefOf(slice.category, frame)}>${text}</a>` : text;
  const each = slice.total_ns / of.requests;
  const frames = slice.top.slice(0, FRAMES).filter((one) => one.total_ns > 0);
  const className = hrefOf ? "opens" : "";
  return html`<tr
      class=${className}
      title=${`${duration(slice.total_ns)} in all, ${count(slice.events)} events`}
    >
      <th scope="row">
        <${Dot} category=${slice.category} />${linked(kindOf(slice.category).name, null)}
      </th>
      <td class="fill"><${Bar} category=${slice.category} share=${slice.total_ns / largest} /></td>
      <td class="n">${duration(each)}</td>
      ${base && html`<td class="n dim">${baseOf(base, slice.category)}</td>`}
      <td class="n dim">${percent(slice.total_ns / Math.max(1, of.total_ns))}</td>
    </tr>
    ${frames.map(
      (one) =>
        html`<tr class=${`frame ${className}`} title=${one.frame}>
          <td colspan="2">${linked(methodName(one.frame), one.frame)}</td>
          <td class="n">${duration(one.total_ns / of.requests)}</td>
          ${base && html`<td></td>`}
          <td class="n dim">${percent(one.total_ns / Math.max(1, of.total_ns))}</td>
        </tr>`,
    )}`;
}

interface TableProps {
  of: Why;
  base: Why | null;
  hrefOf?: HrefOf;
}

export function WhyTable({ of, base, hrefOf }: TableProps) {
  const largest = of.slices.reduce((most, one) => Math.max(most, one.total_ns), 1);
  return html`<table class="why">
    <thead>
      <tr>
        <th scope="col">time went to</th>
        <th></th>
        <th scope="col" class="n">each</th>
        ${base && html`<th scope="col" class="n" title="each of those to compare with">base</th>`}
        <th scope="col" class="n">share</th>
      </tr>
    </thead>
    <tbody>
      ${of.slices.map(
        (slice) =>
          html`<${Rows}
            key=${slice.category}
            slice=${slice}
            of=${of}
            largest=${largest}
            base=${base}
            hrefOf=${hrefOf}
          />`,
      )}
    </tbody>
  </table>`;
}

interface PanelProps {
  query: URLSearchParams; // the selection
  base?: URLSearchParams | null; // to compare with
  tick?: unknown; // asks again when it changes
  hrefOf?: HrefOf;
}

export function WhyPanel({ query, base = null, tick, hrefOf }: PanelProps) {
  const url = apiUrl("why", query);
  const answer = useAnswer<Why>(url, tick);
  const compared = useAnswer<Why>(base && apiUrl("why", base), tick);
  const { data } = answer;
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  const note =
    data && data.requests > 0
      ? `mean of ${counted(data.requests, "context")}, ${duration(data.total_ns / data.requests)} each`
      : "";
  return html`<${Panel}
    title="Why"
    note=${note}
    tools=${tools}
    answer=${answer}
    className="why-panel"
  >
    ${data && data.requests > 0 && html`<${WhyTable} of=${data} base=${base && compared.data} hrefOf=${hrefOf} />`}
    ${data?.requests === 0 && html`<${Notice} title="No kept context is in this selection" />`}
  <//>`;
}
