// SPDX-License-Identifier: Apache-2.0
// why: where the time of contexts or requests went, each moment once; beside it that of others to compare with.
import { useAnswer } from "../base/answers";
import { count, counted, duration, methodName, percent } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { kindOf } from "../base/kinds";
import { apiUrl } from "../base/selection";
import type { Why, WhyFrame, WhySlice } from "../base/shapes";
import { nounOf, unitOf } from "../base/units";
import { Dot, Stacked } from "./bars";
import { Cut } from "./cut";
import { Raw } from "./downloads";
import { Missing, Notice, Panel } from "./notice";

const FRAMES = 3; // of each row, if all were shown the rows could not be compared
const FRAME_SHARE = 1e-3; // of all the time; less is no row

// Where a click on a row or on one of its frames leads; undefined: nowhere.
export type HrefOf = (category: string, frame: string | null) => string;

interface RowsProps {
  hrefOf?: HrefOf;
  slice: WhySlice;
  of: Why;
  base: Why | null;
}

// isThere returns whether a slice has anything: the others are no rows.
export function isThere({ is_count, events, total_ns }: WhySlice): boolean {
  return is_count ? events > 0 : total_ns > 0;
}

const times = (events: number, requests: number) => {
  if (events === 0) {
    return "";
  }
  const often = events / Math.max(1, requests);
  const text = often < 0.05 ? "<0.1" : often < 9.95 ? often.toFixed(1) : count(Math.round(often));
  return `${text} ×`;
};

function baseOf(base: Why, { category, is_count }: WhySlice): string {
  const slice = base.slices.find((one) => one.category === category);
  return is_count
    ? times(slice?.events ?? 0, base.requests)
    : duration((slice?.total_ns ?? 0) / Math.max(1, base.requests));
}

// Repeated says which frames have many events in one context, such as a query for each row.
function Repeated({ of }: { of: Why }) {
  return html`<ul class="repeated">
    ${of.repeated.map(
      (one) =>
        html`<li
          title=${`${one.frame}: ${count(one.events)} in ${counted(one.requests, "context")}, ${duration(one.total_ns)} in all`}
        >
          ${count(one.per_request)} × ${methodName(one.frame)}
          <span class="dim"> ${kindOf(one.category).name}, ${duration(one.each_ns)} each</span>
        </li>`,
    )}
  </ul>`;
}

function Rows({ slice, of, base, hrefOf }: RowsProps) {
  const opens = hrefOf && !slice.is_count;
  const linked = (text: Children, frame: string | null) =>
    opens ? html`<a href=${hrefOf(slice.category, frame)}>${text}</a>` : text;
  const numbers = (one: WhySlice | WhyFrame) => ({
    each: slice.is_count ? times(one.events, of.requests) : duration(one.total_ns / of.requests),
    share: slice.is_count ? "" : percent(one.total_ns / Math.max(1, of.total_ns)),
    often: slice.is_count ? "" : times(one.events, of.requests),
  });
  const least = Math.max(1, of.total_ns * FRAME_SHARE);
  const frames = slice.top
    .slice(0, FRAMES)
    .filter((one) => slice.is_count || one.total_ns >= least);
  const className = opens ? "opens" : "";
  const cells = (one: WhySlice | WhyFrame, beside: string) => {
    const { each, share, often } = numbers(one);
    return html`<td class="n">${each}</td>
      ${base && html`<td class="n dim">${beside}</td>`}
      <td class="n dim share">${share}</td>
      <td class="n dim often">${often}</td>`;
  };
  return html`<tr
      class=${className}
      title=${`${duration(slice.total_ns)} in all, ${count(slice.events)} events`}
    >
      <th scope="row">
        <${Dot} category=${slice.category} />${linked(kindOf(slice.category).name, null)}
      </th>
      ${cells(slice, base ? baseOf(base, slice) : "")}
    </tr>
    ${frames.map(
      (one) =>
        html`<tr class=${`frame ${className}`}>
          <td>
            <div class="frame-name">
              ${linked(html`<${Cut} name=${methodName(one.frame)} title=${one.frame} />`, one.frame)}
              ${
                one.via &&
                html`<span class="via dim" title=${one.via}>via ${methodName(one.via)}</span>`
              }
            </div>
          </td>
          ${cells(one, "")}
        </tr>`,
    )}`;
}

interface TableProps {
  of: Why;
  base: Why | null;
  against?: string; // the name of the base
  hrefOf?: HrefOf;
}

// WhyTable is one bar of all the time, and a row below for each of its parts.
export function WhyTable({ of, base, against = "base", hrefOf }: TableProps) {
  const slices = of.slices.filter(isThere);
  const each = ({ total_ns }: { total_ns: number }) => duration(total_ns / of.requests);
  return html`<${Stacked} parts=${slices} total=${of.total_ns} each=${each} />
    <table class=${base ? "why compared" : "why"}>
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${base && html`<th scope="col" class="n" title=${`each of ${count(base.requests)} to compare with`}>${against}</th>`}
          <th scope="col" class="n share">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${slices.map(
          (slice) =>
            html`<${Rows}
              key=${slice.category}
              slice=${slice}
              of=${of}
              base=${base}
              hrefOf=${hrefOf}
            />`,
        )}
      </tbody>
    </table>
    ${of.repeated.length > 0 && html`<${Repeated} of=${of} />`}`;
}

interface PanelProps {
  query: URLSearchParams; // the selection and its base
  against?: string; // the name of the base
  tick?: unknown; // fetches again when it changes
  hrefOf?: HrefOf;
}

export function WhyPanel({ query, against, tick, hrefOf }: PanelProps) {
  const url = apiUrl("why", query);
  const answer = useAnswer<Why>(url, tick);
  const { data } = answer;
  const noun = nounOf(unitOf(query));
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  const note =
    data && data.requests > 0
      ? `mean of ${counted(data.requests, noun)}, ${duration(data.total_ns / data.requests)} each`
      : "";
  const base = data?.base ?? null;
  const hasBase = base !== null && base.requests > 0;
  return html`<${Panel}
    title="Why"
    note=${note}
    tools=${tools}
    answer=${answer}
    className="why-panel"
  >
    ${data && data.requests > 0 && html`<${WhyTable} of=${data} base=${hasBase ? base : null} against=${against} hrefOf=${hrefOf} />`}
    ${data && data.requests > 0 && base && !hasBase && html`<p class="dim">No kept ${noun} to compare with: ${against ?? "base"}</p>`}
    ${data?.requests === 0 && html`<${Notice} title=${`No kept ${noun} is in this selection`} />`}
  <//>`;
}
