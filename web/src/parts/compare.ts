// SPDX-License-Identifier: Apache-2.0
// compare: routes of the selection beside routes of the base, from the statistics of all requests: which became slower,
// and where their time changed.
import { address } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration, percent } from "../base/format";
import { html } from "../base/html";
import { isIdName } from "../base/ids";
import type { Children } from "../base/html";
import { kindOf } from "../base/kinds";
import { now } from "../base/range";
import { apiUrl } from "../base/selection";
import type { ComparedSide, ComparedType, Comparison, Verdict, Verdicts } from "../base/shapes";
import type { Unit } from "../base/units";
import { Dot } from "./bars";
import { Raw } from "./downloads";
import { Missing, Notice, Panel } from "./notice";
import { ChooseKey, RouteName, keysOf } from "./routes";
import { Table } from "./table";
import type { Column } from "./table";

const ROWS_FIRST = 15;
const PARTS = 2; // of the time, that are shown of a route

// The shown part of one side: the durations of the rest are not known.
type RouteSide = Pick<ComparedSide, "count" | "per_s" | "parts"> &
  Record<"mean_ns" | "p50_ns" | "p99_ns", number | null>;

export interface ComparedRoute {
  type: string;
  value: string | null; // null: all of the type, or what no value has
  here: RouteSide | null;
  base: RouteSide | null;
  verdicts: Verdicts;
}

// restOf is how many of a side no value has; null: none. How long they took is not known.
function restOf(
  side: "here" | "base",
  all: ComparedSide | null,
  values: readonly Pick<ComparedType, "here" | "base">[],
): RouteSide | null {
  const left = values.reduce((rest, one) => rest - (one[side]?.count ?? 0), all?.count ?? 0);
  const unknown = { mean_ns: null, p50_ns: null, p99_ns: null, parts: [] };
  return all && left > 0
    ? { ...unknown, count: left, per_s: (all.per_s * left) / all.count }
    : null;
}

const UNKNOWN: Verdicts = { mean: null, p50: null, p99: null };

// comparedRoutesOf divides types by the values of a key, the most frequent first, with a row for requests without a
// value. A type without the key is one route.
export function comparedRoutesOf({ types }: Comparison, key: string | null): ComparedRoute[] {
  const routes = types.flatMap(({ type, here, base, verdicts, attributes }): ComparedRoute[] => {
    const values = attributes.find((attribute) => attribute.key === key)?.values ?? [];
    if (values.length === 0) {
      return [{ type, value: null, here, base, verdicts }];
    }
    const rest: ComparedRoute = {
      type,
      value: null,
      here: restOf("here", here, values),
      base: restOf("base", base, values),
      verdicts: UNKNOWN,
    };
    const rows: ComparedRoute[] = values.map((one) => ({ type, ...one }));
    return rest.here || rest.base ? [...rows, rest] : rows;
  });
  const size = ({ here, base }: ComparedRoute) => (here?.count ?? 0) + (base?.count ?? 0);
  return routes.sort((a, b) => size(b) - size(a));
}

// tooManyOf returns the attributes with too many values, in the selection or in the base, to compare them.
export function tooManyOf({ types }: Comparison): string[] {
  const keys = types
    .flatMap((one) => one.attributes)
    .filter(({ key, has_too_many }) => has_too_many && !isIdName(key))
    .map(({ key }) => key);
  return [...new Set(keys)];
}

// partsOf are the parts of the time that are the largest on either side: category, share here, share there.
export function partsOf({ here, base }: ComparedRoute): [string, number, number][] {
  const shareOf = (side: RouteSide | null, category: string) =>
    side?.parts.find((part) => part.category === category)?.share ?? 0;
  const names = [...(here?.parts ?? []), ...(base?.parts ?? [])].map((part) => part.category);
  return [...new Set(names)]
    .map((name): [string, number, number] => [name, shareOf(here, name), shareOf(base, name)])
    .sort((a, b) => Math.max(b[1], b[2]) - Math.max(a[1], a[2]))
    .slice(0, PARTS);
}

// Both shows a number beside that of the base, and whether they surely differ.
function Both({ here, base, verdict }: { here: Children; base: Children; verdict?: Verdict }) {
  return html`<span class="both"
    ><b>${here}</b>
    <span class="dim">vs ${base}</span>
    ${verdict && html` <span class=${`verdict ${verdict}`}>${verdict}</span>`}</span
  >`;
}

const rate = (side: RouteSide | null) =>
  side === null ? "-" : `${count(Number(side.per_s.toPrecision(3)))}/s`;

function timesOf(name: "mean" | "p50" | "p99", title: string): Column<ComparedRoute> {
  const ns = (side: RouteSide | null) => side?.[`${name}_ns`] ?? null;
  const time = (side: RouteSide | null) => (ns(side) === null ? "-" : duration(ns(side)!));
  return {
    name: title,
    cell: (one) =>
      html`<${Both} here=${time(one.here)} base=${time(one.base)} verdict=${one.verdicts[name]} />`,
    isNumber: true,
    sort: (one) => ns(one.here) ?? -1,
  };
}

function Parts({ of }: { of: ComparedRoute }) {
  const shown = (side: RouteSide | null, share: number) => (side ? percent(share) : "-");
  return partsOf(of).map(
    ([category, here, base]) =>
      html`<span class="part" key=${category}
        ><${Dot} category=${category} />${kindOf(category).name} ${shown(of.here, here)}
        <span class="dim">vs ${shown(of.base, base)}</span></span
      > `,
  );
}

function columnsOf(chosen: string | null, isOfTypes: boolean): Column<ComparedRoute>[] {
  return [
    {
      name: chosen ?? "type",
      cell: (one) => html`<${RouteName} of=${one} chosen=${chosen} isOfTypes=${isOfTypes} />`,
      sort: (one) => one.value ?? "",
      className: "name",
    },
    {
      name: "rate",
      cell: (one) => html`<${Both} here=${rate(one.here)} base=${rate(one.base)} />`,
      isNumber: true,
      sort: (one) => one.here?.per_s ?? 0,
    },
    timesOf("mean", "mean"),
    timesOf("p50", "median"),
    timesOf("p99", "p99"),
    { name: "time of the kept", cell: (one) => html`<${Parts} of=${one} />` },
  ];
}

interface Props {
  query: URLSearchParams; // the selection with its base
  against: string; // what that is called
  unit: Unit;
}

export function ComparePanel({ query, against, unit }: Props) {
  const url = apiUrl("compare", query, { unit });
  const answer = useAnswer<Comparison>(url, now.value);
  const { data } = answer;
  const keys = keysOf(data?.types ?? []);
  const asked = address.value.params.get("key");
  const chosen = asked !== null && keys.includes(asked) ? asked : (keys[0] ?? null);
  const routes = data ? comparedRoutesOf(data, chosen) : [];
  const tooMany = data ? tooManyOf(data) : [];
  const isOfTypes = chosen === null || (data?.types.length ?? 0) > 1;
  const tools = html`<${Missing} of=${data} />
    ${chosen !== null && keys.length > 1 && html`by <${ChooseKey} keys=${keys} chosen=${chosen} />`}
    <${Raw} url=${url} />`;
  return html`<${Panel}
    title="Routes compared"
    note=${`vs ${against}; of all ${unit}; slower or faster from 10 % on, and beyond chance`}
    tools=${tools}
    answer=${answer}
    className="routes compared"
  >
    ${
      routes.length > 0 &&
      html`<${Table}
        label="Routes compared"
        columns=${columnsOf(chosen, isOfTypes)}
        rows=${routes}
        rowKey=${(one: ComparedRoute) => `${one.type} ${one.value}`}
        rowsFirst=${ROWS_FIRST}
      />`
    }
    ${tooMany.length > 0 && html`<p class="dim">Too many values here or there to compare: ${tooMany.join(", ")}</p>`}
    ${data && routes.length === 0 && html`<${Notice} title=${`There are no ${unit} here or there`} />`}
  <//>`;
}
