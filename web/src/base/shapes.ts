// SPDX-License-Identifier: Apache-2.0
// shapes: the JSON of the API, as docs/reference/http-api.md has it. Points in time are texts.

export interface LeftOut {
  chunks: number;
  events: number;
  places: number;
}

export interface Bounded {
  is_truncated: boolean;
  left_out?: LeftOut;
}

export interface ServiceType {
  type: string;
  contexts_in: number;
  contexts_out: number;
  p50_ns: number | null;
  p99_ns: number | null;
}

// Where the kept contexts spent most of their time.
export interface Top {
  category: string;
  share: number;
}

export interface ServiceRequests {
  requests_in: number;
  requests_out: number;
  p50_ns: number | null;
  p99_ns: number | null;
  spark: (number | null)[];
  top: Top | null;
}

export interface Service {
  service: string;
  jvms: number;
  contexts_in: number;
  contexts_out: number;
  p50_ns: number | null;
  p99_ns: number | null;
  spark: (number | null)[];
  types: ServiceType[];
  top: Top | null;
  requests: ServiceRequests;
}

export interface Services extends Bounded {
  t0_ns: string;
  step_ns: number;
  services: Service[];
}

export interface Version {
  version: string;
  jvms: number;
  to_ns: string; // the end of its stored part
}

export interface Versions extends Bounded {
  versions: Version[]; // the newest first
}

// [bucket, all, kept]: bucket i of the histogram has durations over 2^(i/4) ns up to 2^((i+1)/4) ns.
export type HeatCell = [number, number, number];

export interface Heatmap extends Bounded {
  t0_ns: string;
  step_ns: number;
  columns: HeatCell[][];
  exemplars: [number, number, string, string][]; // column, bucket, recording, id
  all: number;
  kept: number;
  unknown: number;
}

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

// Rows of named columns.
export interface Listing extends Bounded {
  t0_ns: string;
  columns: string[];
  rows: Value[][];
  next: string | null;
}

export interface Contexts extends Listing {
  matched: number;
  p50_ns: number | null; // of all that match
  p99_ns: number | null;
}

export interface Trace extends Contexts {
  state: "kept" | "eliminated" | "unknown";
  recordings: Record<string, { service: string; instance: string }>;
  searched: {
    from: string | null;
    to: string | null;
    segments: number;
    is_whole: boolean;
    eliminated_since: string | null;
  };
}

export interface WhyFrame {
  frame: string;
  via: string | null; // the library's frame on top of it
  total_ns: number;
  events: number;
}

export interface WhySlice {
  category: string;
  total_ns: number;
  stopped_ns: number;
  per_request_ns: number;
  events: number;
  is_count: boolean; // its events take no time
  top: WhyFrame[];
}

// A frame that has many events of a category in one context.
export interface WhyRepeat {
  category: string;
  frame: string;
  via: string | null;
  requests: number;
  events: number;
  per_request: number;
  total_ns: number;
  each_ns: number;
}

export interface Why extends Bounded {
  requests: number;
  total_ns: number;
  slices: WhySlice[];
  repeated: WhyRepeat[];
  base?: Why; // the comparison
}

export interface AttributeValue {
  value: string;
  count: number;
  base_count: number | null; // null where nothing is compared with, and so is base_contexts
  total_ns: number;
  p99_ns: number | null;
  lift: number | null;
  histogram: [number, number][] | null;
}

export interface Attribute {
  key: string;
  label: string;
  distinct: number | null;
  search_only: boolean;
  values: AttributeValue[];
  other: Omit<AttributeValue, "value"> | null;
}

export interface Attributes extends Bounded {
  contexts: number;
  base_contexts: number | null;
  keys: Attribute[];
}

// Columns, depth first; `kinds` has a letter for each name.
export interface Flame extends Bounded {
  of: string;
  unit: string;
  requests: number;
  total: number;
  per_request: number;
  of_kind: Record<string, number>;
  names: string[];
  kinds: string;
  level: number[];
  name: number[];
  value: number[];
  self: number[];
  base_requests?: number;
  base_total?: number;
  base_value?: number[];
  base_self?: number[];
  cut: { nodes: number; value: number };
}

export interface Timeline extends Bounded {
  t0_ns: string;
  duration_ns: number;
  pixel_ns: number;
  lanes: { recording: string; thread: string | null; thread_id: number | null }[];
  columns: string[];
  rows: [number, number, number, number, string, string, number, string | null][];
}

export interface OneContext extends Bounded {
  t0_ns: string;
  recording: string;
  id: string;
  type: string;
  duration: number;
  thread: string;
  attributes: Record<string, Value>;
  parent: ContextRef | null;
  children: ContextRef[];
  kept_because: { event: string; count: number; setting: string | null }[];
  why: Why;
  owners: Owner[];
  events: { columns: string[]; rows: Value[][] };
}

// A thread that had monitors of a class while another one waited for them.
export interface Owner {
  thread: string | null; // null where its name is not known
  monitor: string;
  had: number; // ns
  waits: number;
  start: number;
  end: number;
  owners: Owner[]; // for whom it waited itself meanwhile
}

export interface ContextRef {
  id: string;
  type: string;
  start: number;
  duration: number;
}

export interface Recording {
  id: string;
  service: string;
  instance: string;
  version: string; // of the service; "" where it is not known
  jvm_name: string;
  jvm_version: string;
  pid: number;
  start_ns: number;
  start: string;
  end: string;
  is_running: boolean;
  events_in: number;
  events_out: number;
  contexts_in: number;
  contexts_out: number;
  bytes_in: number;
  bytes_out: number;
  late_events: number;
  losses: Record<string, number>;
  download: string;
}

export interface Recordings extends Bounded {
  recordings: Recording[];
}

export interface RecordingType {
  events_in: number;
  events_out: number;
  bytes_in: number;
  bytes_out: number;
  offered: number;
  kept: number;
  dropped: Record<string, number>;
}

export interface OneRecording extends Recording {
  size_bytes: number;
  waiting: { chunks: number; journal_bytes: number; duration_ns: number };
  types: Record<string, RecordingType>;
}

export interface PolicyEvent {
  event: string;
  settings: Record<string, string>;
}

export interface Policy {
  service: string;
  file: string | null;
  read: string;
  refused: { problem: string; since: string } | null;
  events: PolicyEvent[];
}

interface OfAllContexts {
  contexts_in: number;
  contexts_out: number;
  p50_ns: number | null;
  p99_ns: number | null;
  total_ns: number;
}

export interface ContextAttribute {
  key: string;
  has_too_many: boolean;
  values: (OfAllContexts & { value: string })[];
}

export interface ContextType extends OfAllContexts {
  type: string;
  attributes: ContextAttribute[];
  has_more_attributes: boolean;
}

interface OfAllRequests {
  requests_in: number;
  requests_out: number;
  p50_ns: number | null;
  p99_ns: number | null;
  total_ns: number;
  top: Top | null;
}

export interface RequestAttribute {
  key: string;
  has_too_many: boolean;
  values: (OfAllRequests & { value: string })[];
}

export interface RequestType extends OfAllRequests {
  type: string;
  attributes: RequestAttribute[];
}

export interface ContextTypes extends Bounded {
  types: ContextType[];
  requests: RequestType[];
}

// The p99 of each column of time, null where there were no requests.
interface Series {
  spark: (number | null)[];
}

export interface RequestSeries extends Bounded {
  t0_ns: string;
  step_ns: number;
  types: (Series & { type: string; values: (Series & { value: string })[] })[];
}

// A stay is the time in which a thread worked for a request. A thread is an index of its threads.
interface Stay {
  thread: number;
  start: number;
  duration: number;
}

// A task that waited for a thread.
export interface HandOver {
  from: string;
  from_id: number | null; // of Java
  to: string;
  to_id: number | null;
  pool: string;
  start: number;
  duration: number;
}

export interface OneRequest extends Bounded {
  t0_ns: string;
  recording: string;
  id: string;
  type: string;
  state: string;
  kept_by: string;
  duration: number;
  busy: number;
  queued: number;
  elsewhere: number;
  part_count: number;
  attributes: Record<string, Value>;
  threads: { name: string; id: number | null }[];
  stays: Stay[];
  parts: (Stay & { id: string; type: string; attributes: Record<string, Value> })[];
  hand_overs: HandOver[];
  why: Why;
  owners: Owner[];
  events: { columns: string[]; rows: Value[][] };
}

export type Verdict = "slower" | "faster" | null;

export interface Verdicts {
  mean: Verdict;
  p50: Verdict;
  p99: Verdict;
}

// Numbers of all, and where the time of the kept ones went.
export interface ComparedSide {
  count: number;
  kept: number;
  per_s: number;
  mean_ns: number;
  p50_ns: number;
  p99_ns: number;
  parts: Top[];
}

interface Compared {
  here: ComparedSide | null;
  base: ComparedSide | null;
  verdicts: Verdicts;
}

export interface ComparedType extends Compared {
  type: string;
  attributes: {
    key: string;
    has_too_many: boolean;
    values: (Compared & { value: string })[];
  }[];
}

export interface Comparison extends Bounded {
  unit: string;
  types: ComparedType[];
}

export interface EventType {
  type: string;
  category: string;
  count: number;
  total_ns: number;
}

export interface EventTypes extends Bounded {
  types: EventType[];
  events: number;
  contexts: number | null; // in which they are; null where no contexts are selected
}

// A point is [column, count, least, mean, most].
export type JvmPoint = [number, number, number, number, number];

export interface JvmLine {
  line: string;
  unit: string; // bytes, ns, ratio, count
  event: string; // the type that says it
  points: JvmPoint[];
}

export type JvmFacts = Record<string, string | number>; // with the recording's id

export interface Jvm extends Bounded {
  t0_ns: string;
  step_ns: number;
  column_count: number;
  lines: JvmLine[];
  jvms: JvmFacts[];
  has_more_jvms: boolean;
  chunks: { read: number; all: number };
}

export interface Pool {
  pool: string; // "": of threads without a name
  threads: number;
  samples: number;
  cpu_ns: number;
  alloc_bytes: number;
  blocked_ns: number;
  waits: Record<string, number>; // ns by category
}

export interface Pools extends Bounded {
  pools: Pool[];
  pool_count: number;
}

export interface Accounting extends Bounded {
  recordings: number;
  types: Record<string, RecordingType>;
}

export interface Collector {
  version: string;
  agents: string | null; // the address that it listens on for agents
  data_start: string | null; // of the first recording
  data_start_ns: string | null;
  takes_files: boolean; // from the page
  trace_link: string | null; // templates (links.ts)
  source_link: string | null;
}

// The result of an upload.
export interface Uploaded {
  service: string;
  from_ns: string; // the time of its recordings
  to_ns: string;
  notes: string[]; // which parts of the file are not shown, and why; the first few
  note_count: number; // all of them
}
