// SPDX-License-Identifier: Apache-2.0
// measures: the columns of numbers that tables of services and of routes have.
import { count, duration, percent } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import type { Measured } from "../base/units";
import { Most, Spark } from "./bars";
import type { Column } from "./table";

const time = (ns: number | null): Children => (ns === null ? "" : duration(ns));

// rateColumn has how many there were per second; null where that is not known.
export function rateColumn<Row extends Measured>(
  rateOf: (row: Row) => number | null,
  title?: string,
): Column<Row> {
  return {
    name: "per second",
    title,
    cell: (one) => {
      const rate = rateOf(one);
      const shown = rate === null ? "" : count(Number(rate.toPrecision(3)));
      return html`<span title=${`${count(one.all)} in all`}>${shown}</span>`;
    },
    isNumber: true,
    sort: (one) => rateOf(one) ?? one.all,
  };
}

// measureColumns are the other ones. nameOf is a row's name, for those who cannot see its line.
export function measureColumns<Row extends Measured>(nameOf: (row: Row) => string): Column<Row>[] {
  return [
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
      name: "p99 over time",
      cell: (one) =>
        one.spark.length > 0 &&
        html`<${Spark} values=${one.spark} label=${`p99 of ${nameOf(one)} over time`} />`,
    },
    { name: "most time of the kept", cell: (one) => html`<${Most} of=${one.top} />` },
    {
      name: "kept",
      title: "in which something happened, and which are stored",
      cell: (one) =>
        html`<span title=${`${count(one.kept)} of ${count(one.all)}`}
          >${one.all > 0 ? percent(one.kept / one.all) : ""}</span
        >`,
      isNumber: true,
      sort: (one) => one.kept,
    },
  ];
}
