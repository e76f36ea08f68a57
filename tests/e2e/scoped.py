# SPDX-License-Identifier: Apache-2.0
"""Promised: with java/examples/ScopedContext.java the value of a ScopedValue is a context in its dynamic extent.

Nested, left by exceptions, and in the threads of structured tasks: each event has the context of the value that its
thread saw, and events behind the extent have none. Needs JDK 25.
"""

import glob
import os
import subprocess

from support import judge
from support.process import LIMIT_S, TESTAPPS, API_JAR, Collector, check, need_jdk, run

HERE = os.path.dirname(os.path.abspath(__file__))
JDK = 25


def build(scenario):
    classes = scenario.path("classes")
    sources = [*glob.glob(f"{HERE}/../../java/examples/*.java"), f"{HERE}/jdk25/ScopedE2E.java"]
    subprocess.run([f"{need_jdk(JDK)}/bin/javac", "--enable-preview", "--release", str(JDK), "-cp",
                    f"{TESTAPPS}:{API_JAR}", "-d", classes, *sources], timeout=LIMIT_S, check=True)
    return classes


def body(scenario):
    classes = build(scenario)
    collector = Collector(scenario).start()
    scenario.jvm(JDK, "ScopedE2E", scenario.path("journal.txt"), vm=["--enable-preview"], class_path=[classes],
                 agent=scenario.agent_options(collector, "scoped")).wait_exit()
    result = judge.dump(collector.download(collector.recording("scoped"), scenario.path("download.jfr")))
    collector.stop()
    marks = {event.values["seq"]: event for event in result if event.type == "e2e.Mark"}
    contexts = judge.by_thread(event for event in result if event.type == "e2e.Request")
    inside = outside = 0
    with open(scenario.path("journal.txt"), encoding="ascii") as file:
        for line in file:
            _, thread, number, request, endpoint = line.rstrip("\n").split("\t")
            mark = marks.pop(number)
            check(mark.thread == int(thread), f"mark {number} is on thread {mark.thread}, not {thread}")
            found = [(c.values["id"], c.values["endpoint"]) for c in contexts[mark.thread]
                     if c.start <= mark.commit <= c.commit]
            check(found == ([] if request == "-" else [(request, endpoint)]), f"mark {number}, of {request}: in {found}")
            inside, outside = inside + (request != "-"), outside + (request == "-")
    check(not marks and inside > 0 and outside > 0, f"{len(marks)} marks too many, {inside} inside, {outside} outside")
    print(f"events in the extent of a binding {inside}, outside {outside}")


run("scoped", body)
