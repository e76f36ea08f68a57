// SPDX-License-Identifier: Apache-2.0
// services (S1): every service, and how its requests did; where it has none, its contexts.
import { hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration, percent, shownName } from "../base/format";
import { html } from "../base/html";
import { now, range, secondsOf } from "../base/range";
import type { Range } from "../base/range";
import { apiUrl } from "../base/selection";
import type { Services } from "../base/shapes";
import { rowOf } from "../base/units";
import type { Row } from "../base/units";
import { Most, Spark } from "../parts/bars";
import { Raw } from "../parts/downloads";
import { NoJvm } from "../parts/no_jvm";
import { Missing, Panel } from "../parts/notice";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";
import type { Column } from "../parts/table";

const time = (ns: number | null) => (ns === null ? "" : duration(ns));

function columns(of: Services | null, asked: Range): Column<Row>[] {
  const rate = ({ all, spark }: Row) => {
    const isFilled = spark.map((p99) => p99 !== null);
    const seconds = of ? secondsOf(BigInt(of.t0_ns), of.step_ns, isFilled, asked) : 1;
    return all / seconds;
  };
  return [
    {
      name: "service",
      cell: (one) => html`<b>${shownName(one.service)}</b>`,
      sort: (one) => one.service,
    },
    { name: "JVMs", cell: (one) => count(one.jvms), isNumber: true, sort: (one) => one.jvms },
    {
      name: "per second",
      title: "of all types together",
      cell: (one) => count(Number(rate(one).toPrecision(3))),
      isNumber: true,
      sort: rate,
    },
    {
      name: "counted",
      title: "requests, where the service has some",
      cell: (one) => html`${count(one.all)} <span class="dim">${one.unit}</span>`,
      isNumber: true,
      sort: (one) => one.all,
    },
    {
      name: "median",
      cell: (one) => time(one.p50_ns),
      isNumber: true,
      sort: (one) => one.p50_ns ?? -1,
    },
    {
      name: "p99",
      cell: (one) => html`<b>${time(one.p99_ns)}</b>`,
      isNumber: true,
      sort: (one) => one.p99_ns ?? -1,
    },
    {
      name: "kept",
      title: "in which something happened, and which are stored",
      cell: (one) => (one.all ? percent(one.kept / one.all) : ""),
      isNumber: true,
      sort: (one) => one.kept,
    },
    { name: "most time of the kept", cell: (one) => html`<${Most} of=${one.top} />` },
    {
      name: "p99 over time",
      cell: (one) =>
        html`<${Spark} values=${one.spark} label=${`p99 of ${one.service} over time`} />`,
    },
  ];
}

export function ServicesScreen() {
  const { from, to } = range.value;
  const query = new URLSearchParams({ from: String(from), to: String(to) });
  const url = apiUrl("services", query);
  const answer = useAnswer<Services>(url, now.value);
  const services = (answer.data?.services ?? []).map(rowOf);
  const table = html`<${Table}
    label="Services"
    columns=${columns(answer.data, range.value)}
    rows=${services}
    rowKey=${(one: Row) => one.service}
    href=${(one: Row) => hrefTo(["s", one.service])}
  />`;
  const isEmpty = answer.data !== null && services.length === 0;
  const tools = html`<${Missing} of=${answer.data} /><${Raw} url=${url} />`;
  return html`<${Shell}>
    <${Panel}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${tools}
      answer=${answer}
    >
      ${services.length > 0 && table} ${isEmpty && html`<${NoJvm} />`}
    <//>
  <//>`;
}
