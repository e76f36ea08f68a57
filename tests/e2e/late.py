# SPDX-License-Identifier: Apache-2.0
"""Promised: a JVM and its collector need not be there at the same time.

--case absent: the collector comes up 20 s after the JVM; all that was recorded before and since arrives.
--case short:  a JVM that ends after two seconds delivers everything.
--case never:  a JVM whose collector never comes exits all the same, with its own status.
--case gone:   the collector is stopped, comes back later, and misses nothing.
"""

import argparse

from support import sequence
from support.process import Collector, HeldPort, run


def absent(feature, scenario):
    collector = Collector(scenario)
    jvm, stop = start_until(feature, scenario, collector)
    # A thousand ticks a second.
    jvm.wait_line("at 20000$", 120)
    collector.start()
    recording = collector.recording("late")
    jvm.wait_line("at 22000$")
    finish(scenario, collector, recording, jvm, stop)


def gone(feature, scenario):
    collector = Collector(scenario).start()
    jvm, stop = start_until(feature, scenario, collector)
    recording = collector.recording("late")
    jvm.wait_line("at 2000$")
    collector.stop()
    jvm.wait_line("at 7000$")
    collector.start()
    collector.wait_for_growth(recording)  # so the agent has found it: the end of the JVM waits for a few seconds only
    finish(scenario, collector, recording, jvm, stop)


def start_until(feature, scenario, collector):
    stop = scenario.path("stop")
    agent = scenario.agent_options(collector, "late", segment=5)
    return scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", agent=agent), stop


def finish(scenario, collector, recording, jvm, stop):
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(recording, scenario.path("download.jfr"))
    sequence.check_complete(path, ticks, first_context)
    collector.stop()


def short(feature, scenario):
    collector = Collector(scenario).start()
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:2000", agent=scenario.agent_options(collector, "late"))
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    recording = collector.recording("late")
    path = collector.download(recording, scenario.path("download.jfr"))
    sequence.check_complete(path, ticks, first_context)
    collector.stop()


def never(feature, scenario):
    port = HeldPort()
    agent = scenario.agent_options(f"tcp://127.0.0.1:{port.number}", "late")
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:2000", agent=agent)
    jvm.wait_exit()
    sequence.last_words(jvm)


CASES = {"absent": absent, "gone": gone, "short": short, "never": never}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"late-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
