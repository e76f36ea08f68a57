# SPDX-License-Identifier: Apache-2.0
"""Promised: with java/examples/ScopedContext.java the value of a ScopedValue is a context in its dynamic extent.

Nested, left by exceptions, and in the threads of structured tasks: each event has the context of the value that its
thread saw, and events behind the extent have none. Needs JDK 25.
"""

from support import judge
from support.extents import judge_marks
from support.jdk25 import compile_program
from support.process import Collector, run


def body(scenario):
    classes = compile_program(scenario, "ScopedE2E")
    collector = Collector(scenario).start()
    scenario.jvm(25, "ScopedE2E", scenario.path("journal.txt"), vm=["--enable-preview"], class_path=[classes],
                 agent=scenario.agent_options(collector, "scoped")).wait_exit()
    result = judge.dump(collector.download(collector.recording("scoped"), scenario.path("download.jfr")))
    collector.stop()
    inside, outside = judge_marks(result, scenario.path("journal.txt"), "e2e.Request", ("id", "endpoint"))
    print(f"events in the extent of a binding {inside}, outside {outside}")


run("scoped", body)
