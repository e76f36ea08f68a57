// SPDX-License-Identifier: Apache-2.0
// request_lanes: the lanes of one context or request: pauses of its JVM, its threads, the owners of monitors it waited
// for, and the other threads of its trace. Times are ns after its begin.
import { useMemo } from "preact/hooks";
import { hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { duration, typeName } from "../base/format";
import { kindOfType } from "../base/kinds";
import { traceOf } from "../base/links";
import { itemsOf } from "../base/pages";
import { apiUrl } from "../base/selection";
import type { Listing, OneContext, OneRequest, Timeline, Trace } from "../base/shapes";
import { nested } from "../parts/lanes/layout";
import type { Box, Lane } from "../parts/lanes/layout";
import { PAUSES, lanesOfRequest, titleOf } from "./request_parts";
import type { Subject } from "./request_parts";

const PIXELS = 8192; // so much finer than the screen, for zooming in
const TRACE_AROUND_NS = 60_000_000_000n; // contexts of a trace begin that much before and after it
const OWNERS_MAX = 5; // that have a lane: those that had them for longest
const OWNER_BEFORE_NS = 2_000_000_000n; // what an owner does began that much before the wait

// A thread that had monitors, with all that it had.
export interface Had {
  thread: string;
  monitors: string; // names of classes
  had: number; // ns
  from: number; // of the first time
  to: number; // of the last
}

// hadOf are the threads that had the monitors that this one waited for, the one that had them for longest first.
export function hadOf({ owners }: Subject): Had[] {
  const threads = new Map<string, Had>();
  for (const { thread, monitor, had, start, end } of owners) {
    if (thread === null) {
      continue;
    }
    const known = threads.get(thread);
    const name = typeName(monitor);
    threads.set(thread, {
      thread,
      monitors: known ? `${known.monitors}, ${name}` : name,
      had: had + (known?.had ?? 0),
      from: Math.min(start, known?.from ?? start),
      to: Math.max(end, known?.to ?? end),
    });
  }
  return [...threads.values()].sort((a, b) => b.had - a.had);
}

type TimelineLane = Lane & { thread: string | null };

// lanesOf returns the lanes of a timeline, with times after t0.
function lanesOf(timeline: Timeline, t0: bigint): TimelineLane[] {
  const moved = Number(BigInt(timeline.t0_ns) - t0);
  const lanes = timeline.lanes.map(({ recording, thread }) => ({
    key: `${recording} ${JSON.stringify(thread)}`,
    title: titleOf(thread),
    recording,
    thread,
    boxes: [] as Box[],
  }));
  for (const [lane, level, start, length, kind, name, count, id] of timeline.rows) {
    const box = { level, start: start + moved, duration: length, kind, name, count, id };
    lanes[lane]?.boxes.push(box);
  }
  return lanes;
}

// Events of a thread that are in no context are no part of a timeline.
function boxesOutside(listing: Listing, t0: bigint): Box[] {
  return itemsOf(listing).flatMap(({ start, values }) => {
    const name = String(values["type"]);
    const length = Number(values["duration"] ?? 0);
    const kind = kindOfType(name);
    const box = { level: 0, start: Number(start - t0), duration: length, kind, name };
    return values["context"] === null ? [{ ...box, count: 1, id: null }] : [];
  });
}

// ownerLane returns the activity of a thread while it owned the monitor.
function ownerLane(
  context: Subject,
  owner: Had,
  timeline: Timeline,
  events: Listing,
): TimelineLane {
  const t0 = BigInt(context.t0_ns);
  const lanes = lanesOf(timeline, t0).filter(({ thread }) => thread === owner.thread);
  const inside = lanes.flatMap(({ boxes }) => boxes);
  const boxes = nested([...inside, ...boxesOutside(events, t0)]).filter(
    (box) => box.start <= owner.to && box.start + box.duration >= owner.from,
  );
  const had = `had ${owner.monitors} for ${duration(owner.had)}`;
  return {
    key: `owner ${owner.thread}`,
    title: owner.thread,
    note: boxes.length > 0 ? had : `${had}; nothing is kept of it then`,
    recording: context.recording,
    thread: owner.thread,
    boxes,
  };
}

interface Asked {
  lane: TimelineLane | null; // null: it is not known yet, or cannot be
  isAnswered: boolean;
}

function useOwner(context: Subject, owner: Had | undefined): Asked {
  const t0 = BigInt(context.t0_ns);
  const query = new URLSearchParams({ recording: context.recording });
  query.set("thread", owner?.thread ?? "");
  query.set("from", String(t0 + BigInt(owner?.from ?? 0) - OWNER_BEFORE_NS));
  query.set("to", String(t0 + BigInt(owner?.to ?? 0) + 1n));
  const urlOf = (route: string, more: Record<string, string>) =>
    owner ? apiUrl(route, query, more) : null;
  const timeline = useAnswer<Timeline>(urlOf("timeline", { width: String(PIXELS) }));
  const events = useAnswer<Listing>(urlOf("events", { limit: "1000", columns: "name" }));
  const lane = useMemo(
    () =>
      owner && timeline.data && events.data
        ? ownerLane(context, owner, timeline.data, events.data)
        : null,
    [context, owner?.thread, timeline.data, events.data],
  );
  const isAnswered = [timeline, events].every((one) => one.data !== null || one.problem !== null);
  return { lane, isAnswered };
}

// useOwners returns the lanes of the first OWNERS_MAX owners, and one with the number of the others. It fetches them one
// after the other, so that the rest of the screen does not wait.
function useOwners(context: Subject): TimelineLane[] {
  const owners = useMemo(() => hadOf(context), [context]);
  const asked: Asked[] = [];
  for (let index = 0; index < OWNERS_MAX; index++) {
    const isNext = asked.every((one) => one.isAnswered);
    asked.push(useOwner(context, isNext ? owners[index] : undefined));
  }
  const rest = owners.slice(OWNERS_MAX);
  const had = duration(rest.reduce((sum, owner) => sum + owner.had, 0));
  const more: TimelineLane = {
    key: "more owners",
    title: `${rest.length} more`,
    note: `had monitors for ${had}, all together`,
    recording: context.recording,
    thread: null,
    boxes: [],
  };
  const lanes = asked.map(({ lane }) => lane);
  return useMemo(
    () => [...lanes.filter((lane) => lane !== null), ...(rest.length > 0 ? [more] : [])],
    [context, ...lanes],
  );
}

// The rest of the trace, and the names of its JVMs.
function useTrace(context: Subject) {
  const trace = traceOf(context.attributes);
  const t0 = BigInt(context.t0_ns);
  const query = new URLSearchParams({ from: String(t0 - TRACE_AROUND_NS) });
  query.set("to", String(t0 + BigInt(context.duration) + TRACE_AROUND_NS));
  const width = String(PIXELS);
  const timeline = useAnswer<Timeline>(trace && apiUrl("timeline", query, { width, trace })).data;
  const named = useAnswer<Trace>(trace && apiUrl(`traces/${encodeURIComponent(trace)}`, query));
  const jvms = named.data?.recordings;
  return useMemo(() => {
    const lanes = timeline ? lanesOf(timeline, t0) : [];
    return lanes.map((lane) => {
      const jvm = jvms?.[lane.recording];
      const note = jvm ? `same trace, ${jvm.service} on ${jvm.instance}` : "same trace";
      return { ...lane, note, href: trace === null ? undefined : hrefTo(["t", trace]) };
    });
  }, [context, timeline, jvms]);
}

// useAround are the lanes beside the threads that worked for it: owners of monitors, and the rest of its trace.
function useAround(context: Subject, threads: readonly string[]): Lane[] {
  const owners = useOwners(context);
  const trace = useTrace(context);
  return useMemo(() => {
    const shown = [null, ...threads, ...owners.map(({ thread }) => thread)];
    const isOther = (lane: TimelineLane) =>
      lane.recording !== context.recording || !shown.includes(lane.thread);
    return [...owners, ...trace.filter(isOther)];
  }, [context, threads, owners, trace]);
}

// useLanes are the lanes of a context, which `query` selects; those that are on their way are missing.
export function useLanes(context: OneContext, query: URLSearchParams): Lane[] {
  const timeline = useAnswer<Timeline>(apiUrl("timeline", query, { width: String(PIXELS) })).data;
  const threads = useMemo(() => [context.thread], [context]);
  const around = useAround(context, threads);
  return useMemo(() => {
    const own = timeline ? lanesOf(timeline, BigInt(context.t0_ns)) : [];
    const note = `this one, ${duration(context.duration)}`;
    const noted = own.map((lane) => ({ ...lane, note: lane.thread === null ? PAUSES : note }));
    return [
      ...noted.filter(({ thread }) => thread === null),
      ...noted.filter(({ thread }) => thread !== null),
      ...around,
    ];
  }, [context, timeline, around]);
}

// useRequestLanes are the lanes of a request; those that are on their way are missing.
export function useRequestLanes(request: OneRequest): Lane[] {
  const threads = useMemo(() => request.threads.map(({ name }) => name), [request]);
  const around = useAround(request, threads);
  return useMemo(() => [...lanesOfRequest(request), ...around], [request, around]);
}
