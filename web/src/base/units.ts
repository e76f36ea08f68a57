// SPDX-License-Identifier: Apache-2.0
// units: whether the page counts requests or contexts. A service has requests, or only contexts if its chunks have no
// requests.
import { changed } from "./address";
import type { Changes } from "./address";
import type { Service, Top } from "./shapes";

export type Unit = "requests" | "contexts";
export type AnyUnit = Unit | "threads"; // of the whole service

// nounOf is one of them.
export function nounOf(unit: AnyUnit): string {
  return unit.slice(0, -1);
}

// What there is of contexts alone, and a box in their heat map, as addresses had it before there were requests.
const OF_CONTEXTS = ["context", "thread", "trace", "id", "box", "base_box"];

// chosenUnit returns the unit of the address; null if it has none: then requests, if there are any.
export function chosenUnit(params: URLSearchParams): Unit | null {
  const unit = params.get("unit");
  if (unit === "requests" || unit === "contexts") {
    return unit;
  }
  return OF_CONTEXTS.some((name) => params.has(name)) ? "contexts" : null;
}

// ofUnit are the changes that keep the unit of an address that gets something of OF_CONTEXTS.
export const ofUnit = (unit: Unit): Changes => (unit === "requests" ? { unit } : {});

// unitOf returns the unit of a query.
export function unitOf(query: URLSearchParams): AnyUnit {
  const unit = query.get("unit");
  return unit === "requests" || unit === "threads" ? unit : "contexts";
}

// inUnit are the parameters of a question about units: contexts are those that need no word.
export function inUnit(query: URLSearchParams, unit: AnyUnit): URLSearchParams {
  return changed(query, { unit: unit === "contexts" ? null : unit });
}

// The numbers of requests or contexts.
export interface Measured {
  all: number;
  kept: number;
  p50_ns: number | null; // null where it is not known, and so is p99
  p99_ns: number | null;
  spark: readonly (number | null)[]; // p99 over time; empty where it is not known
  top: Top | null;
}

// A service with the numbers of its unit.
export interface Row extends Measured {
  service: string;
  jvms: number;
  unit: Unit;
}

export function rowOf(one: Service): Row {
  const { service, jvms, requests } = one;
  const hasRequests = requests.requests_in > 0;
  const [all, kept] = hasRequests
    ? [requests.requests_in, requests.requests_out]
    : [one.contexts_in, one.contexts_out];
  const { p50_ns, p99_ns, spark, top } = hasRequests ? requests : one;
  const unit = hasRequests ? "requests" : "contexts";
  return { service, jvms, unit, all, kept, p50_ns, p99_ns, spark, top };
}
