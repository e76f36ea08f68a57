# SPDX-License-Identifier: Apache-2.0
"""Promised: however many RecordingContexts a JVM makes a second, each event in one of them is in that one in the download, or
what was lost is counted: `contexts_dropped` have no context, `recording_contexts_refused` one without entries.

The JVM makes them on two threads, and each has a number of its own. By hand, what nothing may be lost at:

    storm.py --jdk 25 --rate 250000 --seconds 60 --whole
"""

import argparse
import re

from support.process import Collector, check, oracle, run

THREADS = 2
LIMIT_S = 300


def body(args, scenario):
    collector = Collector(scenario).start()
    jvm = scenario.jvm(args.jdk, "Storm", str(args.rate), str(args.seconds), str(THREADS), vm=args.vm,
                       agent=scenario.agent_options(collector, "storm"))
    said = jvm.wait_line(r"contexts (\d+) marks (\d+)$", args.seconds + LIMIT_S)
    jvm.wait_exit(LIMIT_S)
    contexts, marks = int(said[1]), int(said[2])
    recording = collector.recording("storm")
    path = collector.download(recording, scenario.path("storm.jfr"))
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    collector.stop()
    status, output = oracle("StormJudge", path)
    check(status == 0, output)
    right, found, bare = map(int, re.search(r"(\d+) of (\d+) marks are right, (\d+)", output).groups())
    print(f"{contexts} contexts, {marks} marks: {output.strip()}; losses {({k: v for k, v in losses.items() if v})}")
    check(found == marks, f"{marks} marks were made")
    check(bare <= losses["recording_contexts_refused"], "contexts lack their entries, uncounted")
    check(marks - right - bare <= losses["contexts_dropped"], "marks are in another context or none, and nothing says why")
    check(not args.whole or right == marks, "something is lost")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--rate", type=int, default=50000, help="contexts a second")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--whole", action="store_true", help="nothing may be lost")
    parser.add_argument("--vm", action="append", default=[], help="an option of the JVM")
    args = parser.parse_args()
    run(f"storm-{args.jdk}", lambda scenario: body(args, scenario))


main()
