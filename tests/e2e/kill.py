# SPDX-License-Identifier: Apache-2.0
"""Promised: a collector that is killed in mid-stream and started again loses nothing that it acknowledged, and stores
nothing twice.

Several SIGKILLs during one run of a JVM that numbers its events and contexts, each at some moment after new data have
been seen to arrive. In the end each number is there exactly once.
"""

import argparse
import random

from support import sequence
from support.process import Collector, check, run, times

KILLS = times(3, 5)


def scenario_of(feature):
    def body(scenario):
        collector = Collector(scenario).start()
        stop = scenario.path("stop")
        agent = scenario.agent_options(collector, "kill", segment=2)
        jvm = scenario.jvm(feature, "SequenceE2E", "300", f"until:{stop}", agent=agent)
        recording = collector.recording("kill")
        for _ in range(KILLS):
            collector.wait_for_growth(recording, 1 + random.randrange(3))
            collector.kill()
            collector.start()
        collector.wait_for_growth(recording)
        with open(stop, "w", encoding="ascii"):
            pass
        jvm.wait_exit()
        ticks, first_context = sequence.last_words(jvm)
        check_download(scenario, collector, recording, "first.jfr", ticks, first_context)
        # Also what the restart makes of the journals that are left.
        collector.kill()
        collector.start()
        check_download(scenario, collector, recording, "second.jfr", ticks, first_context)
        check(len(collector.recordings()) == 1, "more than one recording of one JVM run")
        losses = collector.recordings()[0]["losses"]
        check(not any(losses.values()), f"nothing is lost, but it says {losses}")
        collector.stop()
    return body


def check_download(scenario, collector, recording, name, ticks, first_context):
    path = collector.download(recording, scenario.path(name))
    sequence.check_complete(path, ticks, first_context)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"kill-{args.jdk}", scenario_of(args.jdk))


main()
