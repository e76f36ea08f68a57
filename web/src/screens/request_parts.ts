// SPDX-License-Identifier: Apache-2.0
// request_parts: what one request is made of, as lanes: pauses of its JVM, and its threads with its parts and the events in
// them; and the hand-overs between them. Pure. Times are ns after its begin.
import { duration } from "../base/format";
import { kindOfType } from "../base/kinds";
import { itemsOf } from "../base/pages";
import type { Item } from "../base/pages";
import type { OneContext, OneRequest } from "../base/shapes";
import { nested } from "../parts/lanes/layout";
import type { Arrow, Box, Lane } from "../parts/lanes/layout";

export const PAUSES = "pauses: GC, safepoints";

// titleOf returns the title of a thread's lane; null: the JVM's. Virtual threads may have no name.
export function titleOf(thread: string | null): string {
  return thread === null ? "JVM" : thread === "" ? "a thread without a name" : thread;
}

// A context, or a request: what both have.
export type Subject = Pick<
  OneContext,
  "t0_ns" | "recording" | "type" | "duration" | "attributes" | "owners" | "events" | "is_truncated"
>;

// itemsOfEvents are its events, which have its t0.
export function itemsOfEvents({ t0_ns, events, is_truncated }: Subject): Item[] {
  return itemsOf({ ...events, t0_ns, next: null, is_truncated });
}

// keyOf is the lane of a request's thread, by its index; null: of the JVM.
const keyOf = (thread: number | null) => `request ${thread ?? "JVM"}`;

type Thread = OneRequest["threads"][number];
type Stay = OneRequest["stays"][number];

// indexOf is which of the threads it is; -1: none of them. Names may be shared: a Java thread id decides, if there is one.
function indexOf(threads: readonly Thread[], { name, id }: Thread): number {
  return threads.findIndex((one) => one.id === id && (id !== null || one.name === name));
}

// threadTitle returns the title of one thread's lane: names that do not identify it get its id.
function threadTitle(threads: readonly Thread[], { name, id }: Thread): string {
  const isAlone = name !== "" && threads.filter((one) => one.name === name).length === 1;
  return isAlone || id === null ? titleOf(name) : `${titleOf(name)}, id ${id}`;
}

const boxOf = (kind: string, name: string, start: number, length: number, id: string | null) => ({
  level: 0,
  start,
  duration: length,
  kind,
  name,
  count: 1,
  id,
});

// eventsOf are the events of a request as boxes, by the index of the thread; null: the pauses of the JVM.
function eventsOf(request: OneRequest): Map<number | null, Box[]> {
  const found = new Map<number | null, Box[]>();
  for (const { start, values } of itemsOfEvents(request)) {
    const [name, id] = [values["thread"] ?? null, values["thread_id"] ?? null];
    const thread = { name: String(name), id: id === null ? null : Number(id) };
    const type = String(values["type"]);
    const key = name === null ? null : indexOf(request.threads, thread);
    const at = Number(start - BigInt(request.t0_ns));
    const box = boxOf(kindOfType(type), type, at, Number(values["duration"] ?? 0), null);
    found.set(key, [...(found.get(key) ?? []), box]);
  }
  return found;
}

const overlap = (a: Stay, b: Stay) =>
  a.thread === b.thread && a.start < b.start + b.duration && b.start < a.start + a.duration;

// lanesOfRequest are a request's own. A stay in which no part lies is there by itself.
export function lanesOfRequest(request: OneRequest): Lane[] {
  const { recording, threads, parts, stays, type } = request;
  const events = eventsOf(request);
  const pauses = nested(events.get(null) ?? []);
  const jvm = { key: keyOf(null), title: titleOf(null), note: PAUSES, recording, boxes: pauses };
  const own = threads.map((one, index) => {
    const isHere = ({ thread }: Stay) => thread === index;
    const here = stays.filter(isHere);
    const alone = here.filter((stay) => !parts.some((part) => overlap(part, stay)));
    const boxes = [
      ...parts
        .filter(isHere)
        .map((part) => boxOf("context", part.type, part.start, part.duration, part.id)),
      ...alone.map((stay) => boxOf("context", type, stay.start, stay.duration, null)),
      ...(events.get(index) ?? []),
    ];
    const busy = here.reduce((sum, stay) => sum + stay.duration, 0);
    const note = `worked for it ${duration(busy)}`;
    const title = threadTitle(threads, one);
    return { key: keyOf(index), title, note, recording, boxes: nested(boxes) };
  });
  return pauses.length > 0 ? [jvm, ...own] : own;
}

// arrowsOf are the hand-overs of a request among its lanes.
export function arrowsOf({ hand_overs, threads }: OneRequest): Arrow[] {
  return hand_overs.map(({ from, from_id, to, to_id, start, duration: length }) => ({
    from: keyOf(indexOf(threads, { name: from, id: from_id })),
    to: keyOf(indexOf(threads, { name: to, id: to_id })),
    start,
    end: start + length,
  }));
}
