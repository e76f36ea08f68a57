# SPDX-License-Identifier: Apache-2.0
"""Promised: context-threshold and context-match keep the contexts that matter, with the events in them, and no others.

A program has long and short contexts of the Java API and contextual JFR events, one in the other, and contexts of which
an attribute, or an entry of the map, is one or another. It says between which moments each began and ended. Events that
need no context are all there.
"""

import argparse
import collections
import struct

from support import chunks, judge
from support.elimination import write_policy
from support.process import Collector, check, run

THRESHOLD_NS = 60_000_000
POLICY = {
    "e2e.Mark": {"select": "if-context"},
    "e2e.Span": {"context-threshold": "60 ms"},
    "e2e.Trace": {"context-threshold": "60000 us"},
    "e2e-order": {"context-match": "text=gold*"},
    "loupe.RecordingContext": {"context-match": "route=/pay"},
}
TICKS_PER_S_OFFSET = 56  # in a chunk's header


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


def ticks_per_s(path):
    with open(path, "rb") as file:
        return struct.unpack_from(">q", file.read(TICKS_PER_S_OFFSET + 8), TICKS_PER_S_OFFSET)[0]


def check_all(contexts, path):
    events = judge.dump(path)
    marks, ticks = numbers(events, "e2e.Mark", "seq"), numbers(events, "e2e.Tick", "seq")
    check(ticks == set(contexts), f"ticks: {sorted(set(contexts) - ticks)} are missing")
    kept = {"span": numbers(events, "e2e.Span", "id"), "trace": numbers(events, "e2e.Trace", "traceId"),
            "order": numbers(events, "e2e_order", "id"), "recording": numbers(events, "loupe.RecordingContext", "number")}
    outcomes = {c.number: c.outcomes(ticks_per_s(path), chunks.start_ticks(path)) for c in contexts.values()}
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


def scenario_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        collector.env["LOUPE_POLICY"] = write_policy(scenario.path("matters.jfc"), POLICY)
        collector.start()
        jvm = scenario.jvm(feature, "MattersE2E", agent=scenario.agent_options(collector, "matters"))
        jvm.wait_exit(120)
        contexts = {c.number: c for c in map(Context, jvm.lines)}
        path = collector.download(collector.recording("matters"), scenario.path("download.jfr"))
        check_all(contexts, path)
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    arguments = parser.parse_args()
    run(f"matters-{arguments.jdk}", scenario_of(arguments.jdk))


main()
