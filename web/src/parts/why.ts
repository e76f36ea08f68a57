// SPDX-License-Identifier: Apache-2.0
// why: where the time of contexts or requests went, each moment once; beside it that of others to compare with.
import { useAnswer } from "../base/answers";
import { count, counted, duration, methodName, percent } from "../base/format";
import { html } from "../base/html";
import { kindOf } from "../base/kinds";
import { apiUrl } from "../base/selection";
import type { Why, WhyFrame, WhySlice } from "../base/shapes";
import { nounOf, unitOf } from "../base/units";
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

function baseOf(base: Why, { category, is_count }: WhySlice): string {
  const slice = base.slices.find((one) => one.category === category);
  const amount = (is_count ? slice?.events : slice?.total_ns) ?? 0;
  const each = base.requests ? amount / base.requests : 0;
  return is_count ? `${each.toFixed(1)} x` : duration(each);
}

// Repeated says which frames have many events in one context, such as a query for each row.
function Repeated({ of }: { of: Why }) {
  return html`<ul class="repeated">
    ${of.repeated.map(
      (one) =>
        html`<li
          title=${`${one.frame}: ${count(one.events)} in ${counted(one.requests, "context")}, ${duration(one.total_ns)} in all`}
        >
          ${count(one.per_request)} x ${methodName(one.frame)}
          <span class="dim"> ${kindOf(one.category).name}, ${duration(one.each_ns)} each</span>
        </li>`,
    )}
  </ul>`;
}

function Rows({ slice, of, largest, base, hrefOf }: RowsProps) {
  const opens = hrefOf && !slice.is_count;
  const linked = (text: string, frame: string | null) =>
    opens ? html`<a href=${hrefOf(slice.category, frame)}>${text}</a>` : text;
  const each = (one: WhySlice | WhyFrame) =>
    slice.is_count
      ? `${(one.events / of.requests).toFixed(1)} x`
      : duration(one.total_ns / of.requests);
  const share = (one: WhySlice | WhyFrame) =>
    slice.is_count ? "" : percent(one.total_ns / Math.max(1, of.total_ns));
  const frames = slice.top.slice(0, FRAMES).filter((one) => slice.is_count || one.total_ns > 0);
  const className = opens ? "opens" : "";
  return html`<tr
      class=${className}
      title=${`${duration(slice.total_ns)} in all, ${count(slice.events)} events`}
    >
      <th scope="row">
        <${Dot} category=${slice.category} />${linked(kindOf(slice.category).name, null)}
      </th>
      <td class="fill"><${Bar} category=${slice.category} share=${slice.total_ns / largest} /></td>
      <td class="n">${each(slice)}</td>
      ${base && html`<td class="n dim">${baseOf(base, slice)}</td>`}
      <td class="n dim">${share(slice)}</td>
    </tr>
    ${frames.map(
      (one) =>
        html`<tr class=${`frame ${className}`} title=${one.frame}>
            <td colspan="2">${linked(methodName(one.frame), one.frame)}</td>
            <td class="n">${each(one)}</td>
            ${base && html`<td></td>`}
            <td class="n dim">${share(one)}</td>
          </tr>
          ${
            one.via &&
            html`<tr class="frame via" title=${one.via}>
              <td colspan="2">via ${methodName(one.via)}</td>
              <td colspan=${base ? 3 : 2}></td>
            </tr>`
          }`,
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
    </table>
    ${of.repeated.length > 0 && html`<${Repeated} of=${of} />`}`;
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
  const noun = nounOf(unitOf(query));
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  const note =
    data && data.requests > 0
      ? `mean of ${counted(data.requests, noun)}, ${duration(data.total_ns / data.requests)} each`
      : "";
  return html`<${Panel}
    title="Why"
    note=${note}
    tools=${tools}
    answer=${answer}
    className="why-panel"
  >
    ${data && data.requests > 0 && html`<${WhyTable} of=${data} base=${base && compared.data} hrefOf=${hrefOf} />`}
    ${data?.requests === 0 && html`<${Notice} title=${`No kept ${noun} is in this selection`} />`}
  <//>`;
}
