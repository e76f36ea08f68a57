// SPDX-License-Identifier: Apache-2.0
// routes: the requests by the values of an attribute, out of the statistics of all: which are slow, which are kept, where
// their time went. A click chooses one as a condition, and the next takes it back.
import { address, change, hrefWith } from "../base/address";
import type { Answer } from "../base/answers";
import { count, duration, percent } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { isIdName } from "../base/ids";
import type { ContextTypes, RequestType, Top } from "../base/shapes";
import { Most } from "./bars";
import { Raw } from "./downloads";
import { Missing, Panel } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const ROWS_FIRST = 10;

// What tracers and frameworks call a route, the best first.
const ROUTE_KEYS = ["http_route", "http.route", "route", "endpoint"];

export interface Route {
  type: string;
  value: string | null; // null: the requests of the type that have no counted value
  all: number;
  kept: number;
  p50_ns: number | null; // null where it is not known, and so is p99
  p99_ns: number | null;
  top: Top | null;
}

// keysOf are the attributes by which requests can be divided, the best first.
export function keysOf(requests: readonly RequestType[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const { key, values: counted } of requests.flatMap((one) => one.attributes)) {
    if (counted.length > 0 && !isIdName(key)) {
      const of = values.get(key) ?? new Set();
      counted.forEach(({ value }) => of.add(value));
      values.set(key, of);
    }
  }
  const rank = (key: string) =>
    ROUTE_KEYS.includes(key) ? ROUTE_KEYS.indexOf(key) : ROUTE_KEYS.length;
  const size = (key: string) => values.get(key)!.size;
  return [...values.keys()].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
}

// routesOf are the requests by the values of a key, the most frequent first; those of a type that has none are together.
export function routesOf(requests: readonly RequestType[], key: string | null): Route[] {
  const routes = requests.flatMap((one): Route[] => {
    const { type, requests_in, requests_out, p50_ns, p99_ns, top } = one;
    const values = one.attributes.find((attribute) => attribute.key === key)?.values ?? [];
    if (values.length === 0) {
      return [{ type, value: null, all: requests_in, kept: requests_out, p50_ns, p99_ns, top }];
    }
    const rows: Route[] = values.map(({ value, requests_in: all, requests_out: kept, ...rest }) => {
      const { p50_ns, p99_ns, top } = rest;
      return { type, value, all, kept, p50_ns, p99_ns, top };
    });
    const all = rows.reduce((left, row) => left - row.all, requests_in);
    const kept = rows.reduce((left, row) => left - row.kept, requests_out);
    const without = { type, value: null, all, kept, p50_ns: null, p99_ns: null, top: null };
    return all > 0 ? [...rows, without] : rows;
  });
  return routes.sort((a, b) => b.all - a.all);
}

const whereOf = (key: string, value: string) => `${key}=${value}`;

const isChosen = (where: string) => address.value.params.getAll("where").includes(where);

// The condition of a route, which takes the place of another one on the same attribute.
function hrefOf(key: string, value: string): string {
  const where = whereOf(key, value);
  const others = address.value.params
    .getAll("where")
    .filter((one) => !one.startsWith(whereOf(key, "")));
  return hrefWith({ where: isChosen(where) ? others : [...others, where] });
}

function Name({ of, chosen, isOfTypes }: { of: Route; chosen: string | null; isOfTypes: boolean }) {
  const { value, type } = of;
  const ofType = isOfTypes && html` <span class="dim">${type}</span>`;
  if (value === null || chosen === null) {
    return html`<span class="dim">${chosen === null ? "" : `without ${chosen}`}</span>${ofType}`;
  }
  const isOn = isChosen(whereOf(chosen, value));
  return html`<a
      href=${hrefOf(chosen, value)}
      class=${isOn ? "on" : ""}
      aria-current=${isOn ? "true" : undefined}
      title=${value}
      >${value === "" ? "(empty)" : value}</a
    >${ofType}`;
}

const time = (ns: number | null): Children => (ns === null ? "" : duration(ns));

function columnsOf(
  chosen: string | null,
  seconds: number | null,
  isOfTypes: boolean,
): Column<Route>[] {
  return [
    {
      name: chosen ?? "type",
      cell: (one) => html`<${Name} of=${one} chosen=${chosen} isOfTypes=${isOfTypes} />`,
      sort: (one) => one.value ?? "",
      className: "name",
    },
    {
      name: "per second",
      cell: (one) =>
        html`<span title=${`${count(one.all)} requests`}>
          ${seconds === null ? "" : count(Number((one.all / seconds).toPrecision(3)))}
        </span>`,
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
    { name: "most time of the kept", cell: (one) => html`<${Most} of=${one.top} />` },
    {
      name: "kept",
      cell: (one) =>
        html`<span title=${`${count(one.kept)} of ${count(one.all)}`}>
          ${one.all > 0 ? percent(one.kept / one.all) : ""}
        </span>`,
      isNumber: true,
      sort: (one) => one.kept,
    },
  ];
}

function ChooseKey({ keys, chosen }: { keys: readonly string[]; chosen: string }) {
  const choose = (event: Event) =>
    change({ key: (event.currentTarget as HTMLSelectElement).value }, true);
  return html`<select aria-label="divided by" onChange=${choose}>
    ${keys.map((key) => html`<option selected=${key === chosen}>${key}</option>`)}
  </select>`;
}

interface Props {
  answer: Answer<ContextTypes>;
  url: string;
  requests: readonly RequestType[];
  seconds: number | null; // that are counted
}

export function RoutesPanel({ answer, url, requests, seconds }: Props) {
  const keys = keysOf(requests);
  const asked = address.value.params.get("key");
  const chosen = asked !== null && keys.includes(asked) ? asked : (keys[0] ?? null);
  const routes = routesOf(requests, chosen);
  const isOfTypes = chosen === null || requests.length > 1;
  const tools = html`<${Missing} of=${answer.data} />
    ${chosen !== null && keys.length > 1 && html`by <${ChooseKey} keys=${keys} chosen=${chosen} />`}
    <${Raw} url=${url} />`;
  return html`<${Panel}
    title="Routes"
    note=${routes.length > 0 ? `${count(routes.length)} of them` : ""}
    tools=${tools}
    answer=${answer}
    className="routes"
  >
    ${
      routes.length > 0 &&
      html`<${Table}
        label="Routes"
        columns=${columnsOf(chosen, seconds, isOfTypes)}
        rows=${routes}
        rowKey=${(one: Route) => `${one.type} ${one.value}`}
        rowsFirst=${ROWS_FIRST}
      />`
    }
  <//>`;
}
