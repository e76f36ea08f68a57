// SPDX-License-Identifier: Apache-2.0
// against: what a selection is compared with by against= in the address: the same time a day or a week before, a version
// of the service, or a JVM. Pure.
import type { Changes } from "./address";
import { changed } from "./address";

export type Against =
  | { kind: "day" | "week" } // before
  | { kind: "version" | "instance"; value: string };

const HOUR_NS = 3_600_000_000_000n;
const BEFORE_NS = { day: 24n * HOUR_NS, week: 7n * 24n * HOUR_NS };

export function parseAgainst(text: string | null): Against | null {
  const match = /^(?:(day|week)|(version|instance):([^]+))$/.exec(text ?? "");
  if (!match) {
    return null;
  }
  return match[1]
    ? { kind: match[1] as "day" | "week" }
    : { kind: match[2] as "version" | "instance", value: match[3]! };
}

export function againstText(against: Against): string {
  return "value" in against ? `${against.kind}:${against.value}` : against.kind;
}

// wordsOf is what it is called behind "compared with".
export function wordsOf(against: Against): string {
  switch (against.kind) {
    case "day":
    case "week":
      return `the ${against.kind} before`;
    case "version":
      return `version ${against.value}`;
    case "instance":
      return `JVM ${against.value}`;
  }
}

// shortOf is the same where there is room for little.
export function shortOf({ kind }: Against): string {
  const words = { version: "other version", instance: "other JVM" };
  return kind === "day" || kind === "week" ? `${kind} before` : words[kind];
}

// baseOf is the selection that a selection is compared with: what names one recording or one trace has no place in it.
export function baseOf(query: URLSearchParams, against: Against): URLSearchParams {
  const changes: Changes = { recording: null, trace: null, id: null };
  if ("value" in against) {
    const other = against.kind === "version" ? "instance" : "version";
    return changed(query, { ...changes, [other]: null, [against.kind]: against.value });
  }
  const before = (name: string) =>
    query.has(name) ? String(BigInt(query.get(name)!) - BEFORE_NS[against.kind]) : null;
  return changed(query, { ...changes, from: before("from"), to: before("to") });
}
