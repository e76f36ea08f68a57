# SPDX-License-Identifier: Apache-2.0
"""Promised: context-threshold and context-match keep the contexts that matter, with the events in them, and no others.

A program has long and short contexts of the Java API and contextual JFR events, one in the other, and contexts of which
an attribute, or an entry of the map, is one or another. It says between which moments each began and ended. Events that
need no context are all there.

A policy names a type as the program does or as recordings do; the collector and `loupe compact` find it by either, and
warn of a name that no type had.

With context-throttle, so many contexts of each type are there in each second, and everything in them, and of the others
nothing. Only contexts that were open where a chunk ends come on top.
"""

import argparse
import collections
import struct

from support import chunks, judge
from support.elimination import compact, write_policy
from support.process import Collector, check, run

THRESHOLD_NS = 60_000_000
POLICY = {
    "e2e.Mark": {"select": "if-context"},
    "e2e.Span": {"context-threshold": "60 ms"},
    "e2e.Trace": {"context-threshold": "60000 us"},
    "e2e-order": {"context-match": "text=gold*"},
    "loupe.RecordingContext": {"context-match": "route=/pay"},
    "e2e.Mrak": {"select": "if-context"},
}
UNMET = "event type e2e.Mrak: not found in any JVM so far"
PER_SECOND = 3
SAMPLE = {
    "e2e.Mark": {"select": "if-context"},
    **{name: {"context-throttle": f"{PER_SECOND}/s"}
       for name in ("e2e.Span", "e2e.Trace", "e2e_order", "loupe.RecordingContext")},
}
CLOCK_OFFSET = 32  # in a chunk's header: start in ns, duration, start in ticks, ticks per second
BORDER_S = 0.02  # the last event of a chunk may be that far behind where the next one begins
SLEEPS = 15  # in two spans and a trace of every fifth round
RECORDED = {"jdk.ThreadSleep": {"enabled": "true", "threshold": "20 ms"}}


class Context:
    def __init__(self, line):
        fields = line.split(" ")
        self.number, self.around = int(fields[0]), int(fields[7])
        self.kind, self.attribute = fields[1], fields[6]
        self.begin_from, self.begin_to, self.end_from, self.end_to = map(int, fields[2:6])

    def outcomes(self, ticks_per_s, borders):
        """Whether it may matter, and whether it may not."""
        if self.kind == "order":
            return {self.attribute.startswith("gold")}
        if self.kind == "recording":
            return {self.attribute == "/pay"}
        if self.kind == "span" and any(self.begin_from <= border <= self.end_to for border in borders):
            return {True, False}
        return {ticks * 1_000_000_000 >= THRESHOLD_NS * ticks_per_s
                for ticks in (self.end_from - self.begin_to, self.end_to - self.begin_from)}


def numbers(events, kind, field):
    found = collections.Counter(int(e.values[field].lstrip("=")) for e in events if e.type == kind)
    check(all(count == 1 for count in found.values()), f"{kind}: {found}")
    return set(found)


def clock(path):
    """Start in nanoseconds and ticks, and ticks per second."""
    with open(path, "rb") as file:
        start_ns, _, start_ticks, ticks_per_s = struct.unpack_from(">4q", file.read(CLOCK_OFFSET + 32), CLOCK_OFFSET)
    return start_ns, start_ticks, ticks_per_s


def check_sleeps(events):
    """Long contexts are those in which the program slept: the JVM's own events of that are in them."""
    long_ones = [e for e in events if e.type in ("e2e.Span", "e2e.Trace")]
    sleeps = [e for e in events if e.type == "jdk.ThreadSleep" and e.thread == long_ones[0].thread]
    outside = [s for s in sleeps if not any(c.thread == s.thread and c.start <= s.commit <= c.commit for c in long_ones)]
    check(len(sleeps) == SLEEPS and not outside, f"{len(sleeps)} sleeps, {len(outside)} of them outside of contexts")


def kept_contexts(events):
    return {"span": numbers(events, "e2e.Span", "id"), "trace": numbers(events, "e2e.Trace", "traceId"),
            "order": numbers(events, "e2e_order", "id"), "recording": numbers(events, "loupe.RecordingContext", "number")}


def check_all(contexts, path):
    events = judge.dump(path)
    check_sleeps(events)
    marks, ticks = numbers(events, "e2e.Mark", "seq"), numbers(events, "e2e.Tick", "seq")
    check(ticks == set(contexts), f"ticks: {sorted(set(contexts) - ticks)} are missing")
    kept = kept_contexts(events)
    outcomes = {c.number: c.outcomes(clock(path)[2], chunks.start_ticks(path)) for c in contexts.values()}
    seen = collections.Counter()
    for c in contexts.values():
        is_there = c.number in kept[c.kind]
        check(is_there in outcomes[c.number], f"{c.kind} {c.number} is{'' if is_there else ' not'} there")
        around = outcomes.get(c.around, {False})
        may_have_mark = {own or other for own in outcomes[c.number] for other in around}
        has_mark = c.number in marks
        check(has_mark in may_have_mark, f"the mark of {c.kind} {c.number} is{'' if has_mark else ' not'} there")
        seen[c.kind, is_there, has_mark] += 1
    for kind in kept:
        check(seen[kind, True, True] > 2 and seen[kind, False, False] > 2, f"that says little: {seen}")
    check(seen["trace", False, True] > 2, f"nothing stays for the context around it: {seen}")
    print(dict(seen))


def check_names(scenario, path):
    """The collector has warned of the name, once; so does compact, which finds the type by the program's name for it."""
    check(scenario.log_of("matters").count(UNMET) == 1, "the collector does not warn once of a name that nothing has")
    out = scenario.path("named.jfr")
    policy = write_policy(scenario.path("named.jfc"), {"e2e-order": {"context-match": "text=none"}, "e2e.Mrak": {"enabled": "true"}})
    done = compact(path, out, policy)
    check(done.returncode == 0 and done.stderr.decode().count(" not found in any JVM ") == 1 and UNMET in done.stderr.decode(),
          f"{done.returncode} {done.stderr}")
    kinds = {event.type for event in judge.dump(out)}
    check("e2e_order" not in kinds and "e2e.Span" in kinds, f"{kinds}")


def check_rate(contexts, kept, path):
    """Counts for each second the kept contexts that surely ended in it."""
    start_ns, start_ticks, ticks_per_s = clock(path)
    borders = chunks.start_ticks(path)[1:]
    margin = BORDER_S * ticks_per_s
    counts, on_top = collections.Counter(), collections.Counter()
    for c in contexts.values():
        first, last = ((start_ns + (ticks - start_ticks) * 1_000_000_000 // ticks_per_s) // 1_000_000_000
                       for ticks in (c.end_from, c.end_to))
        if c.number in kept[c.kind] and first == last:
            counts[c.kind, first] += 1
            on_top[c.kind, first] += any(c.begin_from <= border + margin and c.end_to >= border for border in borders)
    for unit, count in counts.items():
        check(count <= PER_SECOND + on_top[unit], f"{count} in {unit}, {on_top[unit]} of them at borders")


def check_sample(contexts, path):
    events = judge.dump(path)
    marks, ticks = numbers(events, "e2e.Mark", "seq"), numbers(events, "e2e.Tick", "seq")
    check(ticks == set(contexts), f"ticks: {sorted(set(contexts) - ticks)} are missing")
    kept = kept_contexts(events)
    every = set().union(*kept.values())
    for c in contexts.values():
        is_inside = c.number in every or c.around in every
        check((c.number in marks) == is_inside, f"the mark of {c.kind} {c.number}: {c.number in marks}, not {is_inside}")
    check_rate(contexts, kept, path)
    seen = {kind: (len(numbers), sum(c.kind == kind for c in contexts.values())) for kind, numbers in kept.items()}
    check(all(0 < some < count for some, count in seen.values()), f"that says little: {seen}")
    print(seen)


def run_with(scenario, feature, name, policy, check_recording):
    collector = Collector(scenario, name)
    collector.env["LOUPE_POLICY"] = write_policy(scenario.path(f"{name}.jfc"), {**RECORDED, **policy})
    collector.start()
    jvm = scenario.jvm(feature, "MattersE2E", agent=scenario.agent_options(collector, name), name=name)
    jvm.wait_exit(120)
    contexts = {c.number: c for c in map(Context, jvm.lines)}
    check_recording(contexts, collector.download(collector.recording(name), scenario.path(f"{name}.jfr")))
    collector.stop()


def scenario_of(feature):
    def body(scenario):
        run_with(scenario, feature, "matters", POLICY, check_all)
        check_names(scenario, scenario.path("matters.jfr"))
        run_with(scenario, feature, "sample", SAMPLE, check_sample)
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    arguments = parser.parse_args()
    run(f"matters-{arguments.jdk}", scenario_of(arguments.jdk))


main()
