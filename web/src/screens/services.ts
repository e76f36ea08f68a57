// SPDX-License-Identifier: Apache-2.0
// services (S1): every service, and how its requests did; where it has none, its contexts.
import { hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, shownName } from "../base/format";
import { html } from "../base/html";
import { now, range, secondsOf } from "../base/range";
import type { Range } from "../base/range";
import { apiUrl } from "../base/selection";
import type { Services } from "../base/shapes";
import { rowOf } from "../base/units";
import type { Row } from "../base/units";
import { Raw } from "../parts/downloads";
import { measureColumns, rateColumn } from "../parts/measures";
import { NoJvm } from "../parts/no_jvm";
import { Missing, Panel } from "../parts/notice";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";
import type { Column } from "../parts/table";

const SLOWEST = { slowest: "1" }; // are selected at first

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
    rateColumn(rate, "of all types together"),
    {
      name: "counted",
      title: "requests, where the service has some",
      cell: (one) => html`${count(one.all)} <span class="dim">${one.unit}</span>`,
      isNumber: true,
      sort: (one) => one.all,
    },
    ...measureColumns<Row>(({ service }) => service),
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
    href=${(one: Row) => hrefTo(["s", one.service], one.unit === "requests" ? SLOWEST : {})}
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
