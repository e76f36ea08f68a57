// SPDX-License-Identifier: Apache-2.0
// against: reads against= of the address: compare with the same time a day or a week before, with a version of the
// service (then, or when it last ran), or with a JVM. Pure, but for the time zone.
import type { Changes } from "./address";
import { changed } from "./address";
import { second } from "./clock";

export type Against =
  | { kind: "day" | "week" } // before
  | { kind: "version"; value: string; until?: bigint } // ns since 1970, where it did not run in the same time
  | { kind: "instance"; value: string };

const HOUR_NS = 3_600_000_000_000n;
const BEFORE_NS = { day: 24n * HOUR_NS, week: 7n * 24n * HOUR_NS };

export function parseAgainst(text: string | null): Against | null {
  const match = /^(?:(day|week)|(version|instance):([^]+)|version@(\d{1,19}):([^]+))$/.exec(
    text ?? "",
  );
  if (!match) {
    return null;
  }
  if (match[4]) {
    return { kind: "version", value: match[5]!, until: BigInt(match[4]) };
  }
  return match[1]
    ? { kind: match[1] as "day" | "week" }
    : { kind: match[2] as "version" | "instance", value: match[3]! };
}

function untilOf(against: Against): bigint | null {
  return "until" in against ? (against.until ?? null) : null;
}

export function againstText(against: Against): string {
  const until = untilOf(against);
  const at = until === null ? "" : `@${until}`;
  return "value" in against ? `${against.kind}${at}:${against.value}` : against.kind;
}

// wordsOf returns the words after "compared with".
export function wordsOf(against: Against): string {
  switch (against.kind) {
    case "day":
    case "week":
      return `the ${against.kind} before`;
    case "version":
      return against.until === undefined
        ? `version ${against.value}`
        : `version ${against.value} until ${second(against.until)}`;
    case "instance":
      return `JVM ${against.value}`;
  }
}

// shortOf is the same where there is room for little.
export function shortOf({ kind }: Against): string {
  const words = { version: "other version", instance: "other JVM" };
  return kind === "day" || kind === "week" ? `${kind} before` : words[kind];
}

// lastOf is as much time as a selection has, until then.
function lastOf(query: URLSearchParams, until: bigint | null): Changes {
  const [from, to] = [query.get("from"), query.get("to")];
  return until === null || from === null || to === null
    ? {}
    : { from: String(until - (BigInt(to) - BigInt(from))), to: String(until) };
}

// baseOf is the selection that a selection is compared with: what names one recording or one trace has no place in it.
export function baseOf(query: URLSearchParams, against: Against): URLSearchParams {
  const changes: Changes = { recording: null, trace: null, id: null };
  if ("value" in against) {
    const other = against.kind === "version" ? "instance" : "version";
    const of = { ...changes, [other]: null, [against.kind]: against.value };
    return changed(query, { ...of, ...lastOf(query, untilOf(against)) });
  }
  const before = (name: string) =>
    query.has(name) ? String(BigInt(query.get(name)!) - BEFORE_NS[against.kind]) : null;
  return changed(query, { ...changes, from: before("from"), to: before("to") });
}
