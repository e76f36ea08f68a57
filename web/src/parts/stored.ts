// SPDX-License-Identifier: Apache-2.0
// stored: how many events behind a graph are kept, and which setting dropped the rest. Events kept only in contexts are
// missing elsewhere.
import { useAnswer } from "../base/answers";
import { count, percent } from "../base/format";
import { html } from "../base/html";
import { kindOf, kindOfType } from "../base/kinds";
import { apiUrl } from "../base/selection";
import type { Accounting, RecordingType } from "../base/shapes";
import { Dot } from "./bars";
import { Raw } from "./downloads";
import { Dropped, sums } from "./dropped";
import { Missing, Notice, Panel } from "./notice";

const KINDS = ["cpu", "alloc", "lock", "park", "wait", "sleep", "io", "pinned", "gc", "safepoint"];

export interface Stored {
  kind: string;
  offered: number;
  kept: number;
  dropped: [string, number][];
}

// storedOf are the kinds of which a JVM recorded anything, in the order of KINDS.
export function storedOf(types: Record<string, RecordingType>): Stored[] {
  return KINDS.flatMap((kind) => {
    const named = Object.entries(types).filter(([type]) => kindOfType(type) === kind);
    const sum = (of: (one: RecordingType) => number) =>
      named.reduce((total, [, one]) => total + of(one), 0);
    const offered = sum((one) => one.offered);
    const dropped = sums(Object.fromEntries(named));
    return offered === 0 ? [] : [{ kind, offered, kept: sum((one) => one.kept), dropped }];
  });
}

export function StoredPanel({ query, tick }: { query: URLSearchParams; tick: unknown }) {
  const url = apiUrl("accounting", query);
  const answer = useAnswer<Accounting>(url, tick);
  const { data } = answer;
  const rows = data ? storedOf(data.types) : [];
  const row = ({ kind, offered, kept, dropped }: Stored) =>
    html`<tr key=${kind}>
      <th scope="row"><${Dot} category=${kind} />${kindOf(kind).name}</th>
      <td class="n"><b>${percent(kept / offered)}</b></td>
      <td class="n dim">${count(offered)}</td>
      <td><${Dropped} of=${dropped} /></td>
    </tr>`;
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  return html`<${Panel}
    title="What is kept of it"
    tools=${tools}
    answer=${answer}
    className="stored"
  >
    ${
      rows.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th scope="col">events of</th>
            <th scope="col" class="n">kept</th>
            <th scope="col" class="n">recorded</th>
            <th scope="col">dropped by</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(row)}
        </tbody>
      </table>`
    }
    ${data && rows.length === 0 && html`<${Notice} title="Nothing is compacted yet" />`}
    <p class="dim">
      Graphs and pools show kept events only. “select” drops events outside of contexts. Events that
      a JVM does not record, such as waits below the policy’s threshold, are not counted.
    </p>
  <//>`;
}
