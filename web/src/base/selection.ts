// SPDX-License-Identifier: Apache-2.0
// selection: turns the choices in the address into parameters of the API.
import type { Address, Changes } from "./address";
import { changed, urlOf } from "./address";
import { baseOf, parseAgainst } from "./against";
import type { Range } from "./range";
import { root } from "./root";

// A box of the heat map: a part of the time and of the durations, both in ns; min and max are included.
export interface Box extends Range {
  min: number;
  max: number;
}

const NAMES = [
  "recording",
  "instance",
  "version",
  "context",
  "where",
  "trace",
  "thread",
  "pool",
  "id",
];
const ROLLUP_NAMES = ["recording", "instance", "version", "context"];
export const DURATIONS = ["min_duration_ns", "max_duration_ns"];

// isNs returns whether a text is a number of nanoseconds.
export function isNs(text: string): boolean {
  return /^\d{1,19}$/.test(text);
}

export function parseBox(text: string | null): Box | null {
  const match = /^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(text ?? "");
  return match
    ? {
        from: BigInt(match[1]!),
        to: BigInt(match[2]!),
        min: Number(match[3]),
        max: Number(match[4]),
      }
    : null;
}

export function boxText(box: Box): string {
  return [box.from, box.to, Math.floor(box.min), Math.ceil(box.max)].join(",");
}

function copy(to: URLSearchParams, from: URLSearchParams, names: readonly string[]): void {
  for (const name of names) {
    from.getAll(name).forEach((value) => to.append(name, value));
  }
}

function setRange(query: URLSearchParams, range: Range, prefix = ""): void {
  query.set(prefix + "from", String(range.from));
  query.set(prefix + "to", String(range.to));
}

// Statistics count whole chunks, in the column of the chunk's middle: contexts of a column began up to half a chunk
// before or after it. A chunk is a minute long. In short ranges, statistics count slices of 5 s, unless a condition on an
// attribute is chosen.
const HALF_CHUNK_NS = 30_000_000_000n;
const HALF_SLICE_NS = 2_500_000_000n;
const SLICED_NS = 900_000_000_000n; // the longest range of columns of slices

// begunIn is when the contexts of a box began, at most: the time that a box selects. isSliced: columns are of slices.
function begunIn({ from, to }: Range, isSliced = false): Range {
  const most = isSliced ? HALF_SLICE_NS : HALF_CHUNK_NS;
  const half = (to - from) / 2n < most ? (to - from) / 2n : most;
  return { from: from - half, to: to + half };
}

const isSliced = ({ params }: Address, { from, to }: Range) =>
  to - from <= SLICED_NS && !params.has("where");

function setBox(query: URLSearchParams, box: Box, of: boolean, prefix = ""): void {
  setRange(query, begunIn(box, of), prefix);
  query.set(prefix + "min_duration_ns", String(box.min));
  query.set(prefix + "max_duration_ns", String(box.max));
}

// serviceOf is the service that the path chooses: /s/{service}; else that of a parameter; null for all.
export function serviceOf({ path, params }: Address): string | null {
  return (path[0] === "s" ? path[1] : undefined) ?? params.get("service");
}

// selectionOf are the parameters of a selection: everything that is chosen, the box in the heat map too.
export function selectionOf(address: Address, range: Range): URLSearchParams {
  const query = new URLSearchParams();
  const service = serviceOf(address);
  if (service !== null) {
    query.set("service", service);
  }
  copy(query, address.params, NAMES);
  const box = parseBox(address.params.get("box"));
  if (box) {
    setBox(query, box, isSliced(address, range));
  } else {
    setRange(query, range);
    for (const name of DURATIONS) {
      address.params
        .getAll(name)
        .filter(isNs)
        .forEach((value) => query.append(name, value));
    }
  }
  return query;
}

// wholeOf are the parameters of a question about all that JVMs did, whatever contexts they had.
export function wholeOf(address: Address, range: Range): URLSearchParams {
  const query = new URLSearchParams();
  const service = serviceOf(address);
  if (service !== null) {
    query.set("service", service);
  }
  copy(query, address.params, ["recording", "instance", "version"]);
  setRange(query, range);
  return query;
}

// withBase is a selection with the one that against= compares it with; without one it stays as it is.
export function withBase(query: URLSearchParams, params: URLSearchParams): URLSearchParams {
  const against = parseAgainst(params.get("against"));
  const both = new URLSearchParams(query);
  for (const [name, value] of against ? baseOf(query, against) : []) {
    both.append("base_" + name, value);
  }
  return both;
}

// restOf is the parameter base, where it says something: all others of the range.
export const restOf = (params: URLSearchParams) => (params.get("base") === "rest" ? "rest" : null);

// comparedOf adds the base to a selection: a second box, all others of the range (`base=rest`), or against=. Without a
// choice it returns the selection alone.
export function comparedOf(address: Address, range: Range): URLSearchParams {
  const query = selectionOf(address, range);
  const box = parseBox(address.params.get("base_box"));
  if (!box) {
    const base = restOf(address.params);
    return base ? changed(query, { base }) : withBase(query, address.params);
  }
  setBox(query, box, isSliced(address, range), "base_");
  const service = query.get("service");
  if (service !== null) {
    query.set("base_service", service);
  }
  for (const name of ["recording", "instance", "version", "context", "where", "thread", "pool"]) {
    address.params.getAll(name).forEach((value) => query.append("base_" + name, value));
  }
  return query;
}

// rollupOf are the parameters that the statistics of all contexts know: the range, not the box, and one
// `where` with =.
export function rollupOf(address: Address, range: Range): URLSearchParams {
  const query = new URLSearchParams();
  const service = serviceOf(address);
  if (service !== null) {
    query.set("service", service);
  }
  copy(query, address.params, ROLLUP_NAMES);
  setRange(query, range);
  const wheres = address.params.getAll("where");
  if (wheres.length === 1 && /^[^=<>!^]+=/.test(wheres[0]!)) {
    query.set("where", wheres[0]!);
  }
  return query;
}

// hasConditionsOf returns whether a url of the statistics has the query's conditions, whatever its time range.
export function hasConditionsOf(url: string, query: URLSearchParams): boolean {
  const asked = new URLSearchParams(url.slice(url.indexOf("?")));
  const isSame = (name: string) => String(asked.getAll(name)) === String(query.getAll(name));
  return ["service", "where", ...ROLLUP_NAMES].every(isSame);
}

// apiUrl is that of a route below /api/v1/.
export function apiUrl(route: string, query: URLSearchParams, more: Changes = {}): string {
  return urlOf(root + "/api/v1/" + route, changed(query, more));
}
