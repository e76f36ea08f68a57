// SPDX-License-Identifier: Apache-2.0
// faults: parameters of the address that say nothing. The page leaves them out, and says so. Pure.
import { parseAgainst } from "./against";
import { isNs, parseBox } from "./selection";
import { lastNs, pointOf } from "./times";

export interface Fault {
  name: string;
  value: string;
  why: string; // it is left out, in words
}

// What chooses among requests or contexts. The whole service is about all that its JVMs did.
const NOT_OF_WHOLE = ["context", "where", "trace", "id", "min_duration_ns", "max_duration_ns"];
const isOfWhole = (params: URLSearchParams) => params.get("unit") === "threads";

const TIME =
  "a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m";
const isTime = (value: string) => pointOf(value, 0n) !== null;
const BOX = "FROM,TO,MIN,MAX, all in nanoseconds";

const isOneOf = (words: readonly string[]) => (value: string) => words.includes(value);

// The values that a flame graph can show.
export const FLAME_VALUES = ["time", "cpu", "lock", "park", "io", "alloc", "count"] as const;

// The allowed values of each parameter. Free texts such as where are missing here: the API checks them.
const RULES: Record<string, readonly [(value: string) => boolean, string]> = {
  from: [isTime, TIME],
  to: [isTime, TIME],
  last: [(value) => lastNs(value) !== null, "a length of time, such as 15m, 6h or 7d"],
  min_duration_ns: [isNs, "a number of nanoseconds"],
  max_duration_ns: [isNs, "a number of nanoseconds"],
  box: [(value) => parseBox(value) !== null, BOX],
  base_box: [(value) => parseBox(value) !== null, BOX],
  against: [
    (value) => parseAgainst(value) !== null,
    "day, week, version:VERSION, version@NS:VERSION or instance:INSTANCE",
  ],
  base: [isOneOf(["rest"]), "rest; a day, a version or a JVM to compare with is against="],
  unit: [isOneOf(["requests", "contexts", "threads"]), "requests, contexts or threads"],
  value: [isOneOf(FLAME_VALUES), FLAME_VALUES.join(", ")],
  slowest: [isOneOf(["1"]), "1"],
  jvm: [isOneOf(["1"]), "1"],
  live: [isOneOf(["1"]), "1"],
  zone: [isOneOf(["utc"]), "utc"],
};

// Texts, or choices that are as good as none where they are not known.
const OTHERS =
  "service instance version recording context where trace id thread pool event key before frame find zoom flame width view " +
  "sort whole at part";
const isKnown = (name: string) => name in RULES || OTHERS.split(" ").includes(name);

// isGood returns whether a parameter says something.
export function isGood(name: string, value: string): boolean {
  return RULES[name]?.[0](value) ?? isKnown(name);
}

const whyNot = (name: string) =>
  RULES[name] ? `it has to be ${RULES[name][1]}` : "the page has no parameter of this name";

// faultsOf are the parameters that say nothing, in their order.
export function faultsOf(params: URLSearchParams, now: bigint): Fault[] {
  const found = [...params]
    .filter(([name, value]) => !isGood(name, value))
    .map(([name, value]) => ({ name, value, why: whyNot(name) }));
  const others = [...params]
    .filter(
      ([name, value]) => isOfWhole(params) && NOT_OF_WHOLE.includes(name) && isGood(name, value),
    )
    .map(([name, value]) => ({ name, value, why: "it does not choose among threads" }));
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const [begin, end] = [pointOf(from, now), pointOf(to, now)];
  return begin !== null && end !== null && begin >= end
    ? [...found, ...others, { name: "from", value: from, why: "it has to be before to" }]
    : [...found, ...others];
}
