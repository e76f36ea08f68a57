// SPDX-License-Identifier: Apache-2.0
// trace (S4): all contexts of a trace, in all JVMs, on one axis.
import { address } from "../base/address";
import { useAnswer } from "../base/answers";
import { rfc3339, second, zoneName } from "../base/clock";
import { counted, duration, typeName } from "../base/format";
import { html } from "../base/html";
import { contextHref } from "../base/links";
import { now } from "../base/range";
import { apiUrl } from "../base/selection";
import type { Trace, Value } from "../base/shapes";
import { Downloads, Raw } from "../parts/downloads";
import { FlamePanel } from "../parts/flame/panel";
import { Keep } from "../parts/keep";
import { Missing, Notice, Panel } from "../parts/notice";
import { TraceLink } from "../parts/outward";
import { Shell } from "../parts/shell";
import { WhyPanel } from "../parts/why";

interface Row {
  recording: string;
  id: string;
  type: string;
  service: string;
  instance: string;
  thread: string;
  start: number; // ns after the first
  duration: number; // ns
  blocked: number; // ns of it
  attributes: string;
}

// The trace's own id is in the title, not in each row.
function rowsOf({ columns, rows, recordings }: Trace, trace: string): Row[] {
  const at = (row: Value[], name: string) => row[columns.indexOf(name)] ?? null;
  return rows.map((row) => {
    const recording = String(at(row, "recording"));
    const named = columns.flatMap((name, index) =>
      name.startsWith("attr.") && row[index] !== null && row[index] !== trace
        ? [`${name.slice(5)}=${row[index]}`]
        : [],
    );
    return {
      recording,
      id: String(at(row, "id")),
      type: String(at(row, "type")),
      service: recordings[recording]?.service ?? "",
      instance: recordings[recording]?.instance ?? "",
      thread: String(at(row, "thread") ?? ""),
      start: Number(at(row, "start")),
      duration: Number(at(row, "duration")),
      blocked: Number(at(row, "blocked")),
      attributes: named.join(" "),
    };
  });
}

function Waterfall({ rows, first }: { rows: readonly Row[]; first: bigint }) {
  const total = rows.reduce((end, row) => Math.max(end, row.start + row.duration), 1);
  const share = (ns: number) => `${(100 * ns) / total}%`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${duration(total)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr class="opens" key=${row.recording + row.id}>
              <td title=${`${row.instance}, ${row.thread}`}>
                <a href=${contextHref(row.recording, row.id, first + BigInt(Math.round(row.start)))}
                  ><b>${row.service}</b></a
                >
                <small class="dim"> ${row.thread}</small>
              </td>
              <td title=${row.attributes}>
                ${typeName(row.type)} <small class="dim">${row.attributes}</small>
              </td>
              <td class="n dim">+${duration(row.start)}</td>
              <td class="n">${duration(row.duration)}</td>
              <td
                class="axis"
                title=${`${duration(row.blocked)} of ${duration(row.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{ marginLeft: share(row.start), width: share(row.duration) }}
                >
                  <div
                    style=${{ width: `${(100 * row.blocked) / Math.max(1, row.duration)}%` }}
                  ></div>
                </div>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const utc = (ns: string | null) => (ns === null ? "" : rfc3339(BigInt(ns)));

function Searched({ of }: { of: Trace }) {
  const { is_whole, eliminated_since } = of.searched;
  const since = eliminated_since === null ? "" : ` since ${utc(eliminated_since)}`;
  return html`<p>
      ${
        is_whole
          ? "Searched: all stored chunks, and the data of running JVMs."
          : "The index does not have all chunks: loupe index --rebuild makes it whole."
      }
    </p>
    <p>Eliminated traces are known${since || " from now on"}.</p>`;
}

// Why there is nothing to see: it was seen and nothing happened in it, or it was never seen.
function Nothing({ of, query }: { of: Trace; query: URLSearchParams }) {
  return of.state === "eliminated"
    ? html`<${Notice} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored.
        <p><${Keep} query=${query} /></p>
        <${Searched} of=${of} />
      <//>`
    : html`<${Notice} title="Not seen">
        No context of this trace is known here. <${Searched} of=${of} />
      <//>`;
}

export function TraceScreen() {
  const trace = address.value.path[1] ?? "";
  const url = apiUrl("traces/" + encodeURIComponent(trace), new URLSearchParams());
  const answer = useAnswer<Trace>(url, now.value);
  const { data } = answer;
  const rows = data ? rowsOf(data, trace) : [];
  const first = BigInt(data?.t0_ns ?? "0");
  const query = queryOf(trace, first, rows);
  const services = new Set(rows.map((row) => row.service)).size;
  const jvms = new Set(rows.map((row) => row.recording)).size;
  const tools = html`<${Missing} of=${data} /><${TraceLink} trace=${trace} />
    ${rows.length > 0 && html`<${Downloads} query=${query} />`} <${Raw} url=${url} />`;
  const note =
    rows.length > 0 &&
    `${counted(rows.length, "context")} kept, ${counted(services, "service")}, ${counted(jvms, "JVM")}, from ${second(first)} ${zoneName(first)}`;
  return html`<${Shell} crumbs=${[{ name: `trace ${trace}` }]}>
    <${Panel} title="Trace" note=${note} tools=${tools} answer=${answer}>
      ${rows.length > 0 && html`<${Waterfall} rows=${rows} first=${first} />`}
      ${data && rows.length === 0 && html`<${Nothing} of=${data} query=${query} />`}
    <//>
    ${
      rows.length > 0 &&
      html`<${WhyPanel} query=${query} tick=${now.value} />
        <${FlamePanel} query=${query} tick=${now.value} />`
    }
  <//>`;
}

// queryOf selects the trace in its own time, so that only chunks around it are read.
function queryOf(trace: string, first: bigint, rows: readonly Row[]): URLSearchParams {
  const end = rows.reduce((most, row) => Math.max(most, row.start), 0);
  const to = first + BigInt(Math.ceil(end)) + 1n;
  return new URLSearchParams({ trace, from: String(first), to: String(to) });
}
