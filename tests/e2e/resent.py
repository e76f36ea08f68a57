# SPDX-License-Identifier: Apache-2.0
"""Promised: what a collector lacks and the JVM still has comes again. A JVM numbers its events and contexts; what a
recording has of them is a run without gaps that begins with a chunk, and each number is there once.

emptied   the collector is killed in the middle of a chunk, and its data directory is gone
older     it is killed, and what it starts with is a copy of its data directory from before
damaged   it is killed, and a byte of a journal is another one
moved     a forwarder takes the session to another collector and back
"""

import argparse
import os
import shutil

from support import judge, sequence
from support.forwarder import Forwarder
from support.process import Collector, check, run, wait_for

RATE = 1000
NOTICED_TICKS = RATE // 2  # within which an agent has noticed that the JVM began a chunk, on a busy machine, too
LONG = 600  # seconds of a chunk: there is but one
SHORT = 3


def begin(scenario, feature, address, segment):
    return sequence.Program(scenario, feature, RATE, scenario.agent_options(address, "moved", segment=segment))


def losses(collector, recording):
    found = [r for r in collector.recordings() if r["id"] == recording]
    return {name: n for name, n in found[0]["losses"].items() if n and name != "late_contexts"}


def dump(scenario, collector, recording, name):
    return judge.dump(collector.download(recording, scenario.path(name)))


def last_tick(events):
    return max((int(e.values["seq"]) for e in events if e.type == "e2e.Tick"), default=0)


def wait_reached(scenario, collector, recording, number):
    """Returns the events once the tick of this number is there: what comes again takes its time, and the end of a JVM waits
    for a few seconds only."""
    def reached():
        events = dump(scenario, collector, recording, "reached.jfr")
        return events if last_tick(events) >= number else None
    return wait_for(f"tick {number}", reached, look_s=0.3)


def check_run(events, first, last, first_context):
    """The ticks first..last are there once each, and every tenth is in its contexts, but for those whose records may have come
    with the chunk before: it began in that, or ended before the agent had noticed the next one."""
    sequence.check_ticks(events, first, last)
    begin = max(first + NOTICED_TICKS if first > 1 else first, first_context)
    kept = [e for e in events if e.type != "e2e_order" or not 0 < int(e.values["id"]) < begin]
    sequence.check_contexts_around(kept, range(begin, last + 1))


def first_tick(events):
    return min(int(e.values["seq"]) for e in events if e.type == "e2e.Tick")


def emptied(scenario, feature, segment):
    collector = Collector(scenario).start()
    program = begin(scenario, feature, collector.agents, segment)
    collector.wait_for_growth(collector.recording("moved"), 3)
    collector.kill()
    shutil.rmtree(collector.data)
    at_kill = program.wait_more()
    collector.start()
    recording = collector.recording("moved")
    wait_reached(scenario, collector, recording, program.wait_more())
    last, first_context = program.stop()
    events = dump(scenario, collector, recording, "end.jfr")
    first = first_tick(events)
    check(first <= at_kill, f"the chunk of tick {at_kill} begins with tick {first}")
    check_run(events, first, last, first_context)
    if segment == LONG:
        check(first == 1, f"the first chunk begins with tick {first}")
        check(not losses(collector, recording), f"losses: {losses(collector, recording)}")
    else:
        found = losses(collector, recording)
        check(set(found) <= {"batches_lost"}, f"losses: {found}")
    collector.stop()


def older(scenario, feature, segment):
    collector = Collector(scenario).start()
    program = begin(scenario, feature, collector.agents, segment)
    recording = collector.recording("moved")
    collector.wait_for_growth(recording, 2)
    collector.kill()
    shutil.copytree(collector.data, scenario.path("copy"))
    collector.start()
    collector.wait_for_growth(recording, 3)
    collector.kill()
    shutil.rmtree(collector.data)
    os.rename(scenario.path("copy"), collector.data)
    at_kill = program.wait_more()
    collector.start()
    wait_reached(scenario, collector, recording, program.wait_more())
    last, first_context = program.stop()
    events = dump(scenario, collector, recording, "end.jfr")
    found = losses(collector, recording)
    ticks = sorted(int(e.values["seq"]) for e in events if e.type == "e2e.Tick")
    check(len(ticks) == len(set(ticks)), "ticks are there more than once")
    if segment == LONG:
        check(not found, f"losses: {found}")
        check_run(events, 1, last, first_context)
        return
    # What lies between the copy and the chunk that came again is lost, and says so.
    gaps = [(a, b) for a, b in zip(ticks, ticks[1:]) if b != a + 1]
    check(ticks[0] == 1 and ticks[-1] == last, f"ticks {ticks[0]} to {ticks[-1]}")
    check(len(gaps) <= 1 and (not gaps or gaps[0][1] <= at_kill), f"gaps: {gaps}, killed at {at_kill}")
    check(not gaps or found.get("batches_lost", 0) > 0, f"{gaps} with losses {found}")
    collector.stop()


def damaged(scenario, feature, segment):
    collector = Collector(scenario).start()
    program = begin(scenario, feature, collector.agents, segment)
    recording = collector.recording("moved")
    collector.wait_for_growth(recording, 3)
    collector.kill()
    journals = os.path.join(collector.data, "journal", recording)
    with open(os.path.join(journals, sorted(os.listdir(journals))[0]), "r+b") as journal:
        middle = os.fstat(journal.fileno()).st_size // 2
        journal.seek(middle)
        byte = journal.read(1)
        journal.seek(middle)
        journal.write(bytes([byte[0] ^ 0x10]))
    collector.start()
    wait_reached(scenario, collector, recording, program.wait_more())
    last, first_context = program.stop()
    check_run(dump(scenario, collector, recording, "end.jfr"), 1, last, first_context)
    check(not losses(collector, recording), f"losses: {losses(collector, recording)}")
    metrics = collector.get("/metrics").body.decode()
    check("\nloupe_batches_made_good_total 0\n" not in metrics, "nothing was made good")
    collector.stop()


def moved(scenario, feature, segment):
    home = Collector(scenario, "home").start()
    away = Collector(scenario, "away").start()
    forwarder = Forwarder(home)
    program = begin(scenario, feature, forwarder.address, segment)
    recording = home.recording("moved")
    home.wait_for_growth(recording, 2)
    for _ in range(2):
        forwarder.switch(away)
        at_leave = program.wait_more()
        check(away.recording("moved") == recording, "another id")
        events = wait_reached(scenario, away, recording, at_leave)
        sequence.check_ticks(events, 1, last_tick(events))
        forwarder.switch(home)
        wait_reached(scenario, home, recording, program.wait_more())
    last, first_context = program.stop()
    check_run(dump(scenario, home, recording, "end.jfr"), 1, last, first_context)
    check(not losses(home, recording), f"losses: {losses(home, recording)}")
    home.stop()
    away.stop()


CASES = {
    "emptied": (emptied, LONG),
    "emptied-short": (emptied, SHORT),
    "older": (older, LONG),
    "older-short": (older, SHORT),
    "damaged": (damaged, LONG),
    "moved": (moved, LONG),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("case", choices=CASES)
    args = parser.parse_args()
    body, segment = CASES[args.case]
    run(f"resent-{args.case}-{args.jdk}", lambda scenario: body(scenario, args.jdk, segment))


main()
