// SPDX-License-Identifier: Apache-2.0
// kinds: what time went to. A kind has one colour everywhere; the tokens are in tokens.css.

export interface Kind {
  name: string; // to read
  token: string; // the CSS variable, without --
}

const KINDS: Record<string, Kind> = {
  lock: { name: "lock", token: "lock" },
  park: { name: "park", token: "park" },
  wait: { name: "wait", token: "park" },
  sleep: { name: "sleep", token: "park" },
  io: { name: "I/O", token: "io" },
  pinned: { name: "pinned", token: "lock" },
  gc: { name: "GC", token: "gc" },
  safepoint: { name: "safepoint", token: "gc" },
  class_loading: { name: "class loading", token: "other" },
  compilation: { name: "compilation", token: "other" },
  cpu: { name: "CPU", token: "cpu" },
  alloc: { name: "allocation", token: "alloc" },
  exceptions: { name: "exceptions", token: "other" },
  errors: { name: "errors", token: "other" },
  deoptimization: { name: "deoptimization", token: "other" },
  queued: { name: "queued", token: "park" },
  elsewhere: { name: "elsewhere", token: "none" },
  other: { name: "other events", token: "other" }, // of several types
  context: { name: "context", token: "other" },
  unaccounted: { name: "not accounted", token: "none" },
};

// LETTERS are the letters in a flame graph's `kinds`.
const LETTERS: Record<string, string> = {
  l: "lock",
  p: "park",
  w: "wait",
  s: "sleep",
  i: "io",
  v: "pinned",
  g: "gc",
  j: "safepoint",
  d: "class_loading",
  m: "compilation",
  c: "cpu",
  a: "alloc",
  q: "queued",
  e: "elsewhere",
  "-": "unaccounted",
};

// kindOf is that of a category of the API; "other: TYPE" is called by its type.
export function kindOf(category: string): Kind {
  const name = category.startsWith("other: ") ? category.slice(7) : category;
  return KINDS[category] ?? { name, token: "other" };
}

// kindBeside returns the name of the kind for use beside a type's name: "other: TYPE" would repeat it.
export const kindBeside = (category: string) => KINDS[category]?.name ?? "event";

// categoryOf is the category that a letter stands for.
export function categoryOf(letter: string): string {
  return LETTERS[letter] ?? "other";
}

// kindOfLetter is that of a letter in a flame graph's `kinds`; null for a frame.
export function kindOfLetter(letter: string): Kind | null {
  return letter === "." ? null : kindOf(categoryOf(letter));
}

// The event types of each kind; docs/find/ask.md has the table.
const TYPES: Record<string, string> = {
  JavaMonitorEnter: "lock",
  JavaMonitorInflate: "lock",
  ThreadPark: "park",
  JavaMonitorWait: "wait",
  ThreadSleep: "sleep",
  SocketRead: "io",
  SocketWrite: "io",
  SocketConnect: "io",
  FileRead: "io",
  FileWrite: "io",
  FileForce: "io",
  VirtualThreadPinned: "pinned",
  GCPhasePause: "gc",
  ZAllocationStall: "gc",
  SafepointBegin: "safepoint",
  ExecuteVMOperation: "safepoint",
  ClassLoad: "class_loading",
  ClassDefine: "class_loading",
  Compilation: "compilation",
  ExecutionSample: "cpu",
  CPUTimeSample: "cpu",
  ObjectAllocationSample: "alloc",
  ObjectAllocationInNewTLAB: "alloc",
  ObjectAllocationOutsideTLAB: "alloc",
};

// kindOfType is the category of an event type, for its colour.
export function kindOfType(type: string): string {
  return (type.startsWith("jdk.") ? TYPES[type.slice(4)] : undefined) ?? "other: " + type;
}

const OF_JDK = /^(java|javax|jdk|sun|com\.sun)\./;

// isOfJdk returns whether `why` skips the frame when it looks for the code that took the time.
export function isOfJdk(frame: string): boolean {
  return OF_JDK.test(frame);
}
