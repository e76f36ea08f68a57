# SPDX-License-Identifier: Apache-2.0
"""Promised: a RecordingContextFilter that a JVM sets decides about its events from then on, until another is set.

--case build:   what the builder makes of what is said (the program judges by itself), without an agent.
--case change:  the filter changes all the time. An event has to be there, or not to be, by the contexts that were
                installed for certain when it was committed and the filter that was set for certain; the journal says so.
--case killed:  the same over several chunks, while the collector is killed and started again.
--case lost:    the collector loses everything. The one that follows is told the filter again.
--case late:    the filter is set before the agent comes.
--case policy:  the policy filters, too: events have to pass both.
--case refused: a filter that is too large drops nothing, and is counted.
"""

import argparse
import bisect
import collections
import itertools

from support import chunks, judge
from support.elimination import write_policy
from support.process import Collector, check, run_each

MARK = "e2e.Mark"
TICK = "e2e.Tick"


def has(contexts, **values):
    return any(all(c.values.get(name, "?") == value for name, value in values.items()) for c in contexts)


PAY = "=/pay\\u0020\"now\""
CUT = "=" + "x" * 1023

# What FilterE2E's filters say: of a mark, of any other type.
ANY = lambda contexts: True
FILTERS = {
    0: (ANY, ANY),
    1: (bool, bool),
    2: (lambda contexts: has(contexts, endpoint=PAY), ANY),
    3: (ANY, lambda contexts: has(contexts, odd="=")),
    4: (lambda contexts: not contexts, bool),
    5: (lambda contexts: has(contexts, endpoint="-"), ANY),
    6: (lambda contexts: has(contexts, endpoint=CUT, odd="="), ANY),
    7: (ANY, ANY),  # it is too large
}
ALL = "2,1,5,0,6,3,2,4"


class Spans:
    """Things from a time to another, to look for by time: there are thousands, and events to look for as many."""

    def __init__(self, spans):
        self.spans = sorted(spans, key=lambda span: span[:2])  # from, to, thing
        self.begins = [begin for begin, _, _ in self.spans]
        self.ends = list(itertools.accumulate((end for _, end, _ in self.spans), max))  # of all up to each

    def at(self, ticks):
        first, last = bisect.bisect_left(self.ends, ticks), bisect.bisect_right(self.begins, ticks)
        return [thing for _, end, thing in self.spans[first:last] if ticks <= end]


def filters(journal_path):
    """The numbers of the filters that may have been set, by the journal."""
    changes = [(0, 0, 0)]  # from, to, number
    with open(journal_path, encoding="ascii") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == "=FILTER":
                changes.append(tuple(map(int, fields[1:4])))
    ends = [change[1] for change in changes[1:]] + [judge.FOREVER]
    return Spans((begin, end, number) for (begin, _, number), end in zip(changes, ends))


class Judge:
    """What has to be there of the events of a raw recording."""

    def __init__(self, scenario, policy=ANY):
        self.journal = judge.Journal(scenario.path("journal.txt"))
        self.filters = filters(scenario.path("journal.txt"))
        contexts = judge.by_thread(self.journal.contexts)
        self.contexts = {thread: Spans((c.begin_from, c.end_to, c) for c in own) for thread, own in contexts.items()}
        self.policy = policy
        self.raw = [e for e in judge.dump(scenario.path("raw.jfr"))
                    if self.journal.begin <= e.start and e.commit <= self.journal.end and not e.is_contextual]
        judge.restore_marks(self.journal, self.raw)
        self.threaded = {e.type for e in self.raw if e.thread != 0}

    def outcomes(self, event):
        """Of an event: whether it may be kept, whether it may be dropped."""
        if event.type not in self.threaded:
            return {True}
        if event.thread == 0:
            return {True, False}
        may = self.contexts[event.thread].at(event.commit) if event.thread in self.contexts else []
        sure = [c for c in may if c.surely_applies(event.commit)]
        rules = [FILTERS[number][event.type != MARK] for number in self.filters.at(event.commit)]
        return {bool(rule(contexts)) and (event.type != MARK or bool(self.policy(contexts)))
                for rule in rules for contexts in (may, sure)}

    def check(self, result_path, since=0):
        """Compares with the events from that time on. Returns how many marks were kept, and dropped."""
        result = [e for e in judge.dump(result_path) if not e.is_contextual]
        found = collections.Counter(identity(e) for e in result)
        marks = collections.Counter()
        decided = collections.Counter()
        for event in self.raw:
            outcomes = self.outcomes(event)
            if event.commit < since or len(outcomes) > 1:
                found[identity(event)] = 1
                continue
            is_there = found[identity(event)] > 0
            check(is_there in outcomes, f"{event.type} {event.values} of thread {event.thread} at {event.commit} is"
                  f"{'' if is_there else ' not'} there, the filter is {self.filters.at(event.commit)}")
            found[identity(event)] -= is_there
            marks[is_there] += event.type == MARK
            decided[event.type == MARK, event.type == TICK] += not is_there
        check(len(decided) == 3, f"{decided}: there are no marks, no ticks, or no others")
        return marks[True], marks[False], decided


def identity(event):
    return (event.type, event.values["seq"]) if event.type in (MARK, TICK) else event.key()


def start_program(scenario, collector, feature, is_virtual, chunk_count, *arguments, **options):
    threads = ("1", "6") if is_virtual else ("3", "0")
    agent = scenario.agent_options(collector, "filtered", **options) if collector else None
    vm = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    return scenario.jvm(feature, "FilterE2E", scenario.path("journal.txt"), scenario.path("raw.jfr"), *threads,
                        str(chunk_count), *arguments, agent=agent, vm=vm)


def check_all(scenario, collector, judged=None, **options):
    """Returns the judge."""
    judged = judged or Judge(scenario, **options)
    path = collector.download(collector.recording("filtered"), scenario.path("download.jfr"))
    kept, dropped, decided = judged.check(path)
    check(kept > 50 and dropped > 50, f"{kept} marks kept and {dropped} dropped say little")
    check(all(decided.values()), f"of some kind none was dropped: {decided}")
    print(f"{kept} marks kept, {dropped} dropped, {dict(decided)}")
    return judged


def build(feature, _, scenario):
    jvm = scenario.jvm(feature, "FilterTest")
    jvm.wait_exit()
    check(jvm.lines == ["fine"], f"{jvm.lines}")


def change(feature, is_virtual, scenario):
    collector = Collector(scenario).start()
    start_program(scenario, collector, feature, is_virtual, 0, ALL).wait_exit(120)
    check_all(scenario, collector)
    collector.stop()


def killed(feature, is_virtual, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    jvm = start_program(scenario, collector, feature, is_virtual, 4, ALL, stop, segment=2)
    recording = collector.recording("filtered")
    for _ in range(3):
        collector.wait_for_growth(recording)
        collector.kill()
        collector.start()
    stop_and_download(scenario, collector, jvm, stop)
    judged = check_all(scenario, collector)
    # Also what the restart makes of the journals that are left.
    collector.kill()
    collector.start()
    check_all(scenario, collector, judged)
    collector.stop()


def lost(feature, is_virtual, scenario):
    first = Collector(scenario).start()
    stop = scenario.path("stop")
    jvm = start_program(scenario, first, feature, is_virtual, 0, "2", stop, segment=2)
    first.wait_for_growth(first.recording("filtered"), 2)
    first.kill()
    second = Collector(scenario, "second")
    second.agents = first.agents  # whose port first still holds
    second.start()
    path = stop_and_download(scenario, second, jvm, stop)
    kept, dropped, _ = Judge(scenario).check(path, min(chunks.start_ticks(path)))
    check(kept > 5 and dropped > 5, f"{kept} marks kept and {dropped} dropped say little")
    second.stop()


def late(feature, is_virtual, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    jvm = start_program(scenario, None, feature, is_virtual, 0, "2", stop)
    jvm.wait_line("set")
    jvm.load_agent(feature, scenario.agent_options(collector, "filtered"))
    path = stop_and_download(scenario, collector, jvm, stop)
    judged = Judge(scenario)
    found = [int(e.values["seq"]) for e in judge.dump(path) if e.type == MARK]
    # Marks are recorded from some moment on; the first that is not there after that is the filter's work.
    since = min(e.commit for e in judged.raw if e.type == MARK and min(found) < int(e.values["seq"]) not in found)
    kept, dropped, _ = judged.check(path, since)
    check(kept > 5 and dropped > 5, f"{kept} marks kept and {dropped} dropped say little")
    collector.stop()


def policy(feature, is_virtual, scenario):
    path = scenario.path("filter.jfc")
    # The JVM records what the policy names.
    others = {f"jdk.{name}": {"enabled": "true", "threshold": "0 ns"}
              for name in ("ThreadPark", "ThreadSleep", "JavaMonitorEnter", "JavaMonitorWait", "ObjectAllocationInNewTLAB")}
    write_policy(path, {MARK: {"filter": "has-key endpoint"}, **others})
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = path
    collector.start()
    start_program(scenario, collector, feature, is_virtual, 0, ALL).wait_exit(120)
    check_all(scenario, collector, policy=bool)
    collector.stop()


def refused(feature, is_virtual, scenario):
    collector = Collector(scenario).start()
    start_program(scenario, collector, feature, is_virtual, 0, "2,7").wait_exit(120)
    path = collector.download(collector.recording("filtered"), scenario.path("download.jfr"))
    kept, dropped, _ = Judge(scenario).check(path)
    check(kept > dropped > 10, f"{kept} marks kept and {dropped} dropped say little")
    metrics = collector.get("/metrics").body.decode()
    check("\nloupe_context_filters_refused_total 1\n" in metrics, "it is not counted")
    collector.stop()


def stop_and_download(scenario, collector, jvm, stop):
    """Lets the program, which runs until the file stop is there, run on for a while; returns the path of the recording."""
    recording = collector.recording("filtered")
    collector.wait_for_growth(recording, 2)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit(120)
    return collector.download(recording, scenario.path("download.jfr"))


CASES = {"build": build, "change": change, "killed": killed, "lost": lost, "late": late, "policy": policy, "refused": refused}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), nargs="+", required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    args = parser.parse_args()
    run_each({f"context-filter-{case}-{args.jdk}-{args.threads}":
              lambda scenario, case=case: CASES[case](args.jdk, args.threads == "virtual", scenario) for case in args.case})


main()
