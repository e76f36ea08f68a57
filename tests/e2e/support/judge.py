# SPDX-License-Identifier: Apache-2.0
"""Which contexts a recording has to hold: the rules of elimination in their most naive form.

A test program's journal says between which two moments (in ticks) it began and ended each context; a raw
recording of the same run says what events there were. Where a stray event of the JVM fell between such two
moments either outcome is right.
"""

import bisect
import collections
import re

from support import chunks
from support.process import check, oracle

ACCOUNTING = "dev.loupe.Accounting"
# What Loupe adds to a recording.
ADDED = frozenset((ACCOUNTING, "dev.loupe.Request", "dev.loupe.HandOver", "dev.loupe.RequestAccounting"))
OWN = ("e2e", "loupe.")  # prefixes of the types that test programs make
FOREVER = 1 << 63


def exported(name):
    """The event type of a context type: readers refuse names that Java would not have."""
    return re.sub(r"[^\w.$]", "_", name)


class Event:
    """A line of OracleDump."""

    def __init__(self, line):
        fields = line.split("\t")
        self.type = fields[0]
        self.type_id = fields[1]
        self.is_contextual = fields[2] == "1"
        self.start = int(fields[3])
        self.commit = self.start + int(fields[4])
        self.start_text = fields[5]
        self.thread = int(fields[6])
        self.values = dict(zip(fields[7::2], fields[8::2]))

    def key(self):
        return self.type, self.start, self.commit, self.thread


def dump(path, *prefixes):
    """All events of a recording, as the JDK's reader sees them; with their fields if their types begin with a prefix."""
    status, output = oracle("OracleDump", path, *(prefixes or OWN))
    check(status == 0, f"the JDK cannot read {path}")
    events = [Event(line) for line in output.splitlines()]
    check_type_ids(events)
    return [event for event in events if event.type not in ADDED]


def dump_added(path, name):
    """The events of one of the types of ADDED, with their fields."""
    status, output = oracle("OracleDump", path, name)
    check(status == 0, f"the JDK cannot read {path}")
    return [event for event in map(Event, output.splitlines()) if event.type == name]


def dump_accounts(path):
    return dump_added(path, ACCOUNTING)


def count_added(path):
    """How many events of its own Loupe added."""
    status, output = oracle("OracleDump", path, *ADDED)
    check(status == 0, f"the JDK cannot read {path}")
    return sum(event.type in ADDED for event in map(Event, output.splitlines()))


def count_accounts(path):
    return len(dump_accounts(path))


def accounts(path):
    """What a recording says it does not hold: (offered, kept, {reason: dropped}) by type, over all chunks."""
    found = {}
    for event in dump_accounts(path):
        types = event.values.pop("eventTypes")[1:].replace("\\u0020", " ")  # behind a mark
        left = collections.Counter({name: int(value) for name, value in event.values.items()})
        for name, *numbers in (row.split(" ") for row in types.split("; ")):
            counts = {key: int(number) for key, number in (pair.split("=") for pair in numbers)}
            found.setdefault(name, collections.Counter()).update(counts)
            left.subtract(counts)
        check(not any(left.values()), f"numbers of the event that are no sums over its types: {left}")
    for name, counts in found.items():
        dropped = {reason: n for reason, n in counts.items() if reason not in ("offered", "kept") and n > 0}
        check(counts["offered"] == counts["kept"] + sum(dropped.values()) and dropped, f"{name}: {counts}")
        found[name] = counts["offered"], counts["kept"], dropped
    return found


# The JDK's tools know types by id over all chunks of a file.
def check_type_ids(events):
    names = {}
    for event in events:
        name = names.setdefault(event.type_id, event.type)
        check(name == event.type, f"type {event.type_id} is {name} in one chunk and {event.type} in another")


class Context:
    """A context that the test program set: began in [begin_from, begin_to], ended in [end_from, end_to]."""

    def __init__(self, fields):
        self.thread = int(fields[1])
        self.type = exported(fields[2][1:])
        self.begin_from, self.begin_to = int(fields[3]), int(fields[4])
        self.number = int(fields[5])
        self.values = {name[1:]: value for name, value in zip(fields[6::2], fields[7::2])}
        self.end_from = self.end_to = None
        self.parts = []

    def surely_applies(self, ticks):
        return self.begin_to <= ticks <= self.end_from

    def __str__(self):
        return f"{self.type} {self.number} of thread {self.thread} [{self.begin_from}, {self.end_to}] {self.values}"


class Journal:
    """What the test program says it did."""

    def __init__(self, path):
        self.contexts = []
        self.events = {}  # sequence number -> thread
        self.traces = {}  # (type, id) -> thread
        self.registered = {}
        self.begin = self.end = None
        open_contexts = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                self.read(line.rstrip("\n").split("\t"), open_contexts)
        for context in open_contexts.values():
            context.end_to = context.end_to or self.end

    def read(self, fields, open_contexts):
        kind = fields[0][1:]
        if kind == "SET":
            context = Context(fields)
            self.close(open_contexts, context.thread, context.type, context.begin_from, context.begin_to)
            open_contexts[context.thread, context.type] = context
            self.contexts.append(context)
        elif kind == "UNSET":
            self.close(open_contexts, int(fields[1]), exported(fields[2][1:]), int(fields[3]), int(fields[4]))
        elif kind == "END":
            for (thread, _), context in open_contexts.items():
                if thread == int(fields[1]):
                    context.end_from = int(fields[2])
                    # The end of a virtual thread is found out some time later (docs/internals/agent.md#context-rings).
                    context.end_to = FOREVER if fields[3] == "1" else None
        elif kind == "EVENT":
            self.events[int(fields[2])] = int(fields[1])
        elif kind == "TRACE":
            self.traces[fields[2][1:], int(fields[3])] = int(fields[1])
        elif kind == "REGISTER":
            self.registered[fields[1][1:]] = fields[2] == "1"
        elif kind == "FROM":
            self.begin = int(fields[1])
        elif kind == "TO":
            self.end = int(fields[1])

    @staticmethod
    def close(open_contexts, thread, kind, end_from, end_to):
        context = open_contexts.pop((thread, kind), None)
        if context:
            context.end_from, context.end_to = end_from, end_to


def by_thread(items):
    found = collections.defaultdict(list)
    for item in items:
        found[item.thread].append(item)
    return found


def check_events(journal, raw_path, raw, result_path, result):
    """Every event that is no context is there, unchanged, once; and nothing else."""
    contextual = sorted({e.type for e in raw + result if e.is_contextual})
    skipped = [argument for name in contextual for argument in ("--skip", name)]
    status, output = oracle("OracleEquals", "--subset", *skipped, raw_path, result_path)
    if status != 0:
        check_chunks(raw_path, result_path, skipped)
    marks = collections.Counter(int(e.values["seq"]) for e in result if e.type == "e2e.Mark")
    check(marks == collections.Counter(journal.events.keys()), f"marks: {diff(journal.events.keys(), marks)}")
    def inside(events):
        return collections.Counter(e.key() for e in events if not e.is_contextual and e.thread > 0
                                   and journal.begin <= e.start and e.commit <= journal.end)
    surplus = inside(result) - inside(raw)
    check(not surplus, f"events that never were: {list(surplus)[:5]}")


def check_chunks(raw_path, result_path, skipped):
    """The same by each chunk for itself. Of a thread that has ended, a JVM may store an event in the chunk behind the
    one that describes it; the JDK's reader then shows it if that was in the file for another event's sake."""
    results = dict(zip(chunks.start_ticks(result_path), chunks.split(result_path)))
    for begin, piece in zip(chunks.start_ticks(raw_path), chunks.split(raw_path)):
        check(begin in results, f"the chunk that begins at {begin} is missing")
        status, output = oracle("OracleEquals", "--subset", *skipped, piece, results[begin])
        check(status == 0, f"events changed or missing: {output}")


def diff(expected, found):
    expected, found = collections.Counter(expected), collections.Counter(found)
    missing, surplus = expected - found, found - expected
    return f"missing {sorted(missing)[:10]} (of {len(missing)}), too many {sorted(surplus)[:10]} (of {len(surplus)})"


def check_contexts(journal, raw, result, chunk_begins=()):
    """Exactly the contexts that elimination keeps are there, with the right times, thread and attributes.

    Returns the number of contexts set and of those kept."""
    nameless = restore_threads(journal, raw, result)
    attach_parts(journal, result, chunk_begins)
    # check_events has found all plain events of the raw recording in the result, which also goes on after its end.
    plain = by_thread(e for e in result if not e.is_contextual)
    contexts = by_thread(journal.contexts)
    traces_in = by_thread(e for e in raw if e.is_contextual)
    traces_out = collections.Counter(e.key() for e in result if e.is_contextual and e.type in trace_types(raw))
    check({(e.type, trace_id(e)) for e in raw if e.is_contextual} == set(journal.traces), "the raw recording lacks traces")
    kept_traces = []
    for thread in set(contexts) | set(traces_in):
        strays = plain[0] if thread in nameless else ()
        kept = Thread(plain[thread], contexts[thread], traces_in[thread], strays).judge()
        kept_traces += kept
    expected = collections.Counter(e.key() for e in kept_traces)
    check(expected == traces_out, f"contextual events: {diff(expected.elements(), traces_out.elements())}")
    return len(journal.contexts) + len(journal.traces), sum(1 for c in journal.contexts if c.parts) + len(kept_traces)


def restore_marks(journal, events):
    """Of a thread that has ended, JDK 17 may store events in a chunk that does not describe the thread; readers show
    none. The journal knows whose marks these are: gives them their threads, and returns their times by thread."""
    moments = collections.defaultdict(list)
    for event in events:
        if event.type == "e2e.Mark" and event.thread == 0:
            event.thread = journal.events[int(event.values["seq"])]
            moments[event.thread].append(event.commit)
    return moments


def restore_threads(journal, raw, result):
    """As restore_marks, also for the contexts that began before such a mark. Returns these threads."""
    nameless = set()
    for events in (raw, result):
        moments = restore_marks(journal, events)
        for event in events:
            if event.thread == 0 and event.is_contextual:
                owners = [t for t in owners_of(event, journal, raw) if max(moments.get(t, [-1])) >= event.start]
                event.thread = owners[0] if owners else 0
        nameless.update(moments)
    return nameless


def owners_of(event, journal, raw):
    """The threads that may have begun a context, by what the journal says of its time."""
    if event.type in trace_types(raw):
        return [journal.traces[event.type, trace_id(event)]]
    return [c.thread for c in journal.contexts if c.type == event.type and c.values["id"] == event.values["id"]
            and c.begin_from <= event.start and event.commit <= c.end_to]


def trace_types(raw):
    return {e.type for e in raw if e.is_contextual}


def trace_id(event):
    return int(event.values["traceId"] if event.type == "e2e.Trace" else event.values["id"])


def attach_parts(journal, result, chunk_begins):
    by_id = collections.defaultdict(list)
    for context in journal.contexts:
        by_id[context.type, context.values["id"]].append(context)
    types = {c.type for c in journal.contexts}
    for event in result:
        if event.type in types:
            check(event.is_contextual, f"{event.type} is not marked as contextual")
            context = the_one_of(event, by_id[event.type, event.values["id"]])
            check(context, f"a context that nobody set: {event.type} {event.values}")
            context.parts.append(event)
    for context in journal.contexts:
        check_parts(context, chunk_begins)


def the_one_of(part, contexts):
    """A RecordingContext can be installed more than once; what is wrong with a part is said of the first."""
    for context in contexts:
        if context.thread == part.thread and context.begin_from <= part.start and part.commit <= context.end_to:
            return context
    return contexts[0] if contexts else None


def check_parts(context, chunk_begins):
    context.parts.sort(key=lambda part: part.start)
    before = None
    for part in context.parts:
        check(part.thread == context.thread, f"{context} is on thread {part.thread}")
        found = {name: part.values.get(name) for name in context.values}
        check(found == context.values, f"{context} has the attributes {found}")
        is_inside = context.begin_from <= part.start and part.commit <= context.end_to
        # A part is shorter than the context only where a chunk begins.
        is_begin = part.start <= context.begin_to or any(context.begin_to < t <= part.start for t in chunk_begins)
        is_end = part.commit >= context.end_from or any(part.commit <= t <= context.end_from for t in chunk_begins)
        is_right = is_inside and is_begin and is_end
        check(is_right, f"{context} is in the recording as [{part.start}, {part.commit}]")
        check(before is None or before.commit <= part.start, f"{context} has parts that overlap")
        # The one field besides the attributes is the id that the parts of a context share.
        def extra(event):
            return {name: value for name, value in event.values.items() if name not in context.values and value != "-"}
        check(before is None or extra(before) and extra(before) == extra(part), f"the parts of {context} share no id")
        before = part


def within(moments, first, last):
    """Of sorted moments those from first to last, both included."""
    return moments[bisect.bisect_left(moments, first):bisect.bisect_right(moments, last)]


class Thread:
    """The contexts and events of one thread, and events of no thread that may be its own."""

    def __init__(self, plain, contexts, traces, strays):
        self.strays = sorted(e.commit for e in strays)
        self.plain = sorted(e.commit for e in plain)
        self.contexts = contexts
        self.traces = traces

    def judge(self):
        """Returns the contextual events to keep; fails on a context that is there wrongly, or is not."""
        kept = []
        moments = list(self.plain)
        # In the order of commit times, at equal ones the inner first: what is kept may trigger what comes later.
        # Contexts of the API are no events; they trigger nothing.
        for trace in sorted(self.traces, key=lambda e: (e.commit, -e.start)):
            if within(moments, trace.start, trace.commit):
                kept.append(trace)
                bisect.insort(moments, trace.commit)
        for context in self.contexts:
            self.judge_context(context, moments)
        return kept

    def judge_context(self, context, moments):
        must = within(moments, context.begin_to, context.end_from)
        may = sorted(here for of in (moments, self.strays) for here in within(of, context.begin_from, context.end_to))
        check(context.parts or not must, f"missing: {context}, triggered at {must[:3]}")
        check(may or not context.parts, f"too many: {context}, nothing fell into it")
        for moment in must:
            is_covered = any(part.start <= moment <= part.commit for part in context.parts)
            check(is_covered, f"{context} does not cover its event at {moment}")
        for part in context.parts:
            check(within(may, part.start, part.commit), f"{context}: nothing fell into its part [{part.start}, {part.commit}]")
