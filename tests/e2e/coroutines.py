# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-kotlin.jar a coroutine has RecordingContexts of its own, wherever it is resumed.

The program (tests/java/kotlin) has coroutines that install contexts and are suspended in them: on all dispatchers, with children,
flows, time-outs, and as an application would do that knows nothing about coroutines. Each event says which context it has to be
in. Without the element many events of the latter are in contexts of others, which shows that the program tries what it should.
"""

import argparse
import glob
import os

from support import expected, jars, judge
from support.kotlin import compile_program
from support.process import API_JAR, JAVA_DIR, LIB_DIR, Collector, check, run, skip

KOTLIN_JAR = os.path.join(LIB_DIR, "loupe-kotlin.jar")
CONTEXT = "loupe.RecordingContext"
REQUESTS = 200
MARKS = 10


def wrong_of(events, kind):
    """How many events of this type are not in the context that they name, and how many there are."""
    found = [(event, contexts) for event, contexts in expected.work_and_contexts(events, CONTEXT, kind)]
    return sum(contexts != [{expected.text(event.values["expected"])}] for event, contexts in found), len(found)


def body(scenario, args):
    if not os.path.exists(KOTLIN_JAR):
        skip("loupe-kotlin.jar is not built, because Kotlin's coroutines could not be had from Maven Central")
    libraries = [KOTLIN_JAR, *jars.need(jars.KOTLIN).split(":")]
    classes = compile_program(scenario, [API_JAR, *libraries],
                              [*glob.glob(f"{JAVA_DIR}/kotlin/*.kt"), f"{JAVA_DIR}/../../java/examples/kotlin/Coroutines.kt"])
    collector = None if args.alone else Collector(scenario).start()
    agent = None if args.alone else scenario.agent_options(collector, "kotlin")
    jvm = scenario.jvm(args.jdk, "CoroutinesE2E", agent=agent, class_path=[classes, *libraries])
    jvm.wait_exit()
    if args.alone:
        return
    events = judge.dump(collector.download(collector.recording("kotlin"), scenario.path("download.jfr")))
    collector.stop()
    counts = expected.judge_work(events, CONTEXT)
    of_requests = {f"id={i}": counts[f"id={i}"] for i in range(REQUESTS)}
    check(of_requests == {f"id={i}": MARKS for i in range(REQUESTS)}, f"events of requests {of_requests}")
    wrong, all_of_them = wrong_of(events, "e2e.Naive")
    check(all_of_them == REQUESTS * MARKS and wrong > 0, f"without the element {wrong} of {all_of_them} are wrong")
    print(f"{sum(counts.values())} events are right; without the element {wrong} of {all_of_them} are wrong")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--alone", action="store_true")
    args = parser.parse_args()
    run(f"coroutines-{args.jdk}", lambda scenario: body(scenario, args))


main()
