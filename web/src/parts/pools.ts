// SPDX-License-Identifier: Apache-2.0
// pools: thread pools with the activity of their threads. A click selects the threads of a pool.
import { address, hrefWith } from "../base/address";
import { useAnswer } from "../base/answers";
import type { Answer } from "../base/answers";
import { bytes, count, counted, duration, percent, shownName } from "../base/format";
import { html } from "../base/html";
import { kindOf } from "../base/kinds";
import { apiUrl } from "../base/selection";
import type { Pool, Pools } from "../base/shapes";
import { Raw } from "./downloads";
import { Missing, Notice, Panel } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const ROWS = 12; // before a click shows all
const KINDS_SHOWN = 2; // of waits of a pool

// waitsText are the kinds with most of a pool's waits: "park 90.0 s, lock 1.00 s".
export function waitsText({ waits }: Pool): string {
  return Object.entries(waits)
    .sort((a, b) => b[1] - a[1])
    .slice(0, KINDS_SHOWN)
    .map(([category, ns]) => `${kindOf(category).name} ${duration(ns)}`)
    .join(", ");
}

function columnsOf(pools: readonly Pool[]): Column<Pool>[] {
  const cpu = pools.reduce((sum, one) => sum + one.cpu_ns, 0);
  const share = ({ cpu_ns }: Pool) => (cpu > 0 ? percent(cpu_ns / cpu) : "");
  return [
    {
      name: "pool",
      cell: ({ pool }) =>
        html`<span title=${pool || "threads without a name, such as virtual ones"}
          >${shownName(pool)}</span
        >`,
      sort: ({ pool }) => pool,
      className: "cut wide",
    },
    {
      name: "threads",
      cell: (one) => count(one.threads),
      isNumber: true,
      sort: (one) => one.threads,
    },
    {
      name: "CPU",
      title: "a period for each sample of a running thread",
      cell: (one) =>
        one.cpu_ns > 0
          ? html`<span class="dim">${share(one)}</span> ${duration(one.cpu_ns)}`
          : one.samples > 0 && counted(one.samples, "sample"), // their period is not known
      isNumber: true,
      sort: (one) => one.cpu_ns,
    },
    {
      name: "allocated",
      cell: (one) => one.alloc_bytes > 0 && bytes(one.alloc_bytes),
      isNumber: true,
      sort: (one) => one.alloc_bytes,
    },
    {
      name: "waited",
      title: "by the events that say so, of all its threads together",
      cell: (one) =>
        one.blocked_ns > 0 &&
        html`<span title=${duration(one.blocked_ns)}>${waitsText(one)}</span>`,
      isNumber: true,
      sort: (one) => one.blocked_ns,
    },
  ];
}

// usePools fetches the pools of a query; with null it fetches nothing.
export function usePools(query: URLSearchParams | null, tick: unknown): Answer<Pools> {
  return useAnswer<Pools>(query && apiUrl("threads", query), tick);
}

interface Props {
  answer: Answer<Pools>;
  query: URLSearchParams;
}

export function PoolsPanel({ answer, query }: Props) {
  const { data } = answer;
  const chosen = address.value.params.get("pool");
  const tools = html`<${Missing} of=${data} /><${Raw} url=${apiUrl("threads", query)} />`;
  const left = data ? data.pool_count - data.pools.length : 0;
  const note = left > 0 ? `the first of ${count(data!.pool_count)}` : "a click chooses a pool";
  const href = ({ pool }: Pool) => hrefWith({ pool: pool === chosen ? null : pool, zoom: null });
  return html`<${Panel} title="Threads by pool" note=${note} tools=${tools} answer=${answer}>
    ${
      data &&
      data.pools.length > 0 &&
      html`<${Table}
        label="Threads by pool"
        columns=${columnsOf(data.pools)}
        rows=${data.pools}
        rowKey=${({ pool }: Pool) => pool}
        rowsFirst=${ROWS}
        href=${href}
      />`
    }
    ${data?.pools.length === 0 && html`<${Notice} title="No event of a thread is kept here" />`}
  <//>`;
}
