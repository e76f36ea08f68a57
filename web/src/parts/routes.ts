// SPDX-License-Identifier: Apache-2.0
// routes: the requests by the values of an attribute, out of the statistics of all: which are slow, which are kept, where
// their time went. A click chooses one as a condition, and the next takes it back.
import { address, change, hrefWith } from "../base/address";
import { useAnswer } from "../base/answers";
import type { Answer } from "../base/answers";
import { count } from "../base/format";
import { html } from "../base/html";
import { isIdName } from "../base/ids";
import { apiUrl } from "../base/selection";
import type { ContextTypes, RequestSeries, RequestType } from "../base/shapes";
import type { Measured } from "../base/units";
import { Raw } from "./downloads";
import { measureColumns, rateColumn } from "./measures";
import { Missing, Panel, Problem } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const ROWS_FIRST = 10;

// ROUTE_KEYS: what tracers and frameworks call a route, the best first.
export const ROUTE_KEYS = ["http_route", "http.route", "route", "endpoint"];

export interface Route extends Measured {
  type: string;
  value: string | null; // null: the requests of the type that have no counted value
}

// Requests divided by the values of an attribute.
interface Divided {
  attributes: readonly { key: string; values: readonly { value: string }[] }[];
}

// keysOf are the attributes by which requests can be divided, the best first.
export function keysOf(requests: readonly Divided[]): string[] {
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

// sparkOf is the p99 over time of a type's requests with a value; with null, of all of the type.
function sparkOf(series: RequestSeries | null, type: string, value: string | null) {
  const found = series?.types.find((one) => one.type === type);
  const of = value === null ? found : found?.values.find((one) => one.value === value);
  return of?.spark ?? [];
}

// routesOf returns the requests by the values of a key, the most frequent first. Requests without a value are one row for
// each type.
export function routesOf(
  requests: readonly RequestType[],
  key: string | null,
  series: RequestSeries | null,
): Route[] {
  const routes = requests.flatMap((one): Route[] => {
    const { type, requests_in, requests_out, p50_ns, p99_ns, top } = one;
    const values = one.attributes.find((attribute) => attribute.key === key)?.values ?? [];
    if (values.length === 0) {
      const spark = sparkOf(series, type, null);
      const all = requests_in;
      return [{ type, value: null, all, kept: requests_out, p50_ns, p99_ns, spark, top }];
    }
    const rows: Route[] = values.map(({ value, requests_in: all, requests_out: kept, ...rest }) => {
      const { p50_ns, p99_ns, top } = rest;
      const spark = sparkOf(series, type, value);
      return { type, value, all, kept, p50_ns, p99_ns, spark, top };
    });
    const all = rows.reduce((left, row) => left - row.all, requests_in);
    const kept = rows.reduce((left, row) => left - row.kept, requests_out);
    const unknown = { p50_ns: null, p99_ns: null, spark: [], top: null };
    return all > 0 ? [...rows, { type, value: null, all, kept, ...unknown }] : rows;
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

interface NameProps {
  of: { type: string; value: string | null };
  chosen: string | null; // the key
  isOfTypes: boolean;
}

// RouteName is the name of a route, a link that chooses it.
export function RouteName({ of, chosen, isOfTypes }: NameProps) {
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

function columnsOf(
  chosen: string | null,
  seconds: number | null,
  isOfTypes: boolean,
): Column<Route>[] {
  return [
    {
      name: chosen ?? "type",
      cell: (one) => html`<${RouteName} of=${one} chosen=${chosen} isOfTypes=${isOfTypes} />`,
      sort: (one) => one.value ?? "",
      className: "name",
    },
    rateColumn((one) => seconds && one.all / seconds),
    ...measureColumns<Route>(({ value, type }) => value ?? type),
  ];
}

export function ChooseKey({ keys, chosen }: { keys: readonly string[]; chosen: string }) {
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
  query: URLSearchParams | null; // for their series; null: do not fetch them
  tick: unknown; // fetches the series again when it changes
  seconds: number | null; // of the counted time
}

export function RoutesPanel({ answer, url, requests, query, tick, seconds }: Props) {
  const keys = keysOf(requests);
  const asked = address.value.params.get("key");
  const chosen = asked !== null && keys.includes(asked) ? asked : (keys[0] ?? null);
  const isKnown = query !== null && requests.length > 0;
  const series = useAnswer<RequestSeries>(
    isKnown ? apiUrl("requests/series", query, { key: chosen }) : null,
    tick,
  );
  const routes = routesOf(requests, chosen, series.data);
  const isOfTypes = chosen === null || requests.length > 1;
  const tools = html`<${Missing} of=${answer.data} /><${Missing} of=${series.data} />
    ${chosen !== null && keys.length > 1 && html`by <${ChooseKey} keys=${keys} chosen=${chosen} />`}
    <${Raw} url=${url} />`;
  return html`<${Panel}
    title="Routes"
    note=${routes.length > 0 ? `${count(routes.length)} of them` : ""}
    tools=${tools}
    answer=${answer}
    className="routes"
  >
    <${Problem} answer=${series} />
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
