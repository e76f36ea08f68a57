# SPDX-License-Identifier: Apache-2.0
"""Promised: however many RecordingContexts a JVM makes, each event in one of them is in that one in the download, or
what was lost is counted.

--case rate     at --rate contexts a second. `contexts_dropped` and `recording_contexts_refused` say which events are in none
--case refused  the collector hangs until there is no place for more: they are left out, and if-context keeps their events
--case tasks    each hands a task to another thread: its map takes no place once that has run, without the garbage collector
--case left     threads end with contexts open: these take no place, or there would be none for the last ones

In each, contexts have numbers of their own, so that none is another. By hand, what nothing may be lost at:

    storm.py --jdk 25 --case rate --rate 250000 --seconds 60 --whole
"""

import argparse
import re
import signal

from support.elimination import write_policy
from support.process import Collector, check, oracle, run, suspend, wait_for

THREADS = 2
LIMIT_S = 300
REFUSED_RATE, REFUSED_S = 150000, 4  # in all more than CTX_RECORDINGS_LIVE_MAX, however long they take
ROUNDS, ROUND_THREADS, PAIRS = 14, 5000, 4  # of LeftOpen: more outer and more inner ones than CTX_RECORDINGS_LIVE_MAX


def start(scenario, args, collector, rate, seconds, *more, vm=()):
    return scenario.jvm(args.jdk, "Storm", str(rate), str(seconds), str(THREADS), *more, vm=vm,
                        agent=scenario.agent_options(collector, "storm"))


def wait_numbers(jvm, seconds):
    """How many contexts and events in them it has made."""
    return map(int, jvm.wait_line(r"contexts (\d+) marks (\d+)$", seconds + LIMIT_S).groups())


def wait_ended(collector, recording):
    wait_for("its end", lambda: collector.get(f"/api/v1/recordings/{recording}").json()["ended_how"], LIMIT_S)


def judge(scenario, collector, contexts, marks):
    """Returns the numbers of events that are in their context, in one without entries, and outside of all; and the losses."""
    recording = collector.recording("storm")
    wait_ended(collector, recording)
    path = collector.download(recording, scenario.path("storm.jfr"))
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    collector.stop()
    status, output = oracle("StormJudge", path)
    check(status == 0, output)
    right, bare, nameless, wrong, outside = map(int, re.match(
        r"marks (\d+) right (\d+) bare (\d+) nameless (\d+) wrong (\d+) outside", output).groups())
    print(f"{contexts} contexts, {marks} marks: {output.strip()}; losses {({k: v for k, v in losses.items() if v})}")
    check(wrong == 0, "events are in another context")
    lost = losses["contexts_dropped"]
    check(marks - right - bare - nameless <= lost, "events are missing")
    check(bare <= lost, "events are in no context, and nothing says why")
    check(nameless <= losses["recording_contexts_refused"], "contexts have no entries, and nothing says why")
    return right, nameless, outside, losses


def at_rate(scenario, args):
    collector = Collector(scenario).start()
    jvm = start(scenario, args, collector, args.rate, args.seconds)
    contexts, marks = wait_numbers(jvm, args.seconds)
    jvm.wait_exit(LIMIT_S)
    right, _, outside, _ = judge(scenario, collector, contexts, marks)
    check(outside == THREADS, f"{outside} events outside")
    check(not args.whole or right == marks, "something is lost")


def tasks(scenario, args):
    collector = Collector(scenario).start()
    # No collection before there are more maps than may be alive.
    jvm = start(scenario, args, collector, args.rate, args.seconds, "tasks", vm=["-Xmn500m", "-Xmx600m"])
    contexts, marks = wait_numbers(jvm, args.seconds)
    jvm.wait_exit(LIMIT_S)
    _, _, outside, losses = judge(scenario, collector, contexts, marks)
    check(outside == THREADS, f"{outside} events outside")
    check(losses["recording_contexts_refused"] == 0, f"losses: {losses}")


def refused(scenario, args):
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = write_policy(scenario.path("inside.jfc"), {"e2e.Tick": {"select": "if-context"}})
    collector.start()
    jvm = start(scenario, args, collector, REFUSED_RATE, REFUSED_S, "told")
    collector.recording("storm")
    suspend(collector.process)
    with jvm.process.stdin as told:
        told.write(b"\n")
    contexts, marks = wait_numbers(jvm, REFUSED_S)
    collector.process.send_signal(signal.SIGCONT)
    jvm.wait_exit(LIMIT_S)
    _, nameless, outside, losses = judge(scenario, collector, contexts, marks)
    check(outside == 0, f"{outside} events outside were kept")
    check(losses["recording_contexts_refused"] > 0, "there was place for all")
    check(nameless > 0, "no context is shown without its entries")


def left(scenario, args):
    collector = Collector(scenario).start()
    jvm = scenario.jvm(args.jdk, "LeftOpen", str(ROUNDS), str(ROUND_THREADS), agent=scenario.agent_options(collector, "left"))
    jvm.wait_line(rf"contexts {2 * PAIRS * ROUNDS * ROUND_THREADS}$", LIMIT_S)
    jvm.wait_exit(LIMIT_S)
    recording = collector.recording("left")
    wait_ended(collector, recording)
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    collector.stop()
    check(losses["recording_contexts_refused"] == 0, f"losses: {losses}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    cases = {"rate": at_rate, "tasks": tasks, "refused": refused, "left": left}
    parser.add_argument("--case", choices=cases, required=True)
    parser.add_argument("--rate", type=int, default=50000, help="contexts a second")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--whole", action="store_true", help="nothing may be lost")
    args = parser.parse_args()
    run(f"storm-{args.case}-{args.jdk}", lambda scenario: cases[args.case](scenario, args))


main()
