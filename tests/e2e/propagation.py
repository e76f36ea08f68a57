# SPDX-License-Identifier: Apache-2.0
"""Promised: with Loupe.wrap a RecordingContext travels with tasks, and nothing else about tasks and executors changes.

What contexts do without it is tested in carried.py; here they stay on their threads.

--case behaviour: what tasks see, and that executors do as they did: the program asserts by itself, with the agent and
                  without.
--case arrive:    each event in a task is in the context that was installed where the task was submitted, on pools,
                  virtual threads and, with JDK 25, in structured tasks.
"""

import argparse

from support import judge
from support.extents import judge_marks
from support.jdk25 import compile_program
from support.process import Collector, run


def behaviour(feature, scenario):
    # Nobody listens there: what is recorded does not matter.
    agent = scenario.agent_options("tcp://127.0.0.1:9", "propagation", log="error")
    scenario.jvm(feature, "PropagationTest", "agent", agent=agent).wait_exit()
    scenario.jvm(feature, "PropagationTest", "none").wait_exit()


def arrive(feature, scenario):
    is_structured = feature >= 25
    vm, path = (["--enable-preview"], [compile_program(scenario, "StructuredTasks")]) if is_structured else ([], [])
    collector = Collector(scenario).start()
    scenario.jvm(feature, "StructuredTasks" if is_structured else "PropagationE2E", scenario.path("journal.txt"),
                 vm=vm, class_path=path, agent=scenario.agent_options(collector, "propagation", propagate="off")).wait_exit()
    result = judge.dump(collector.download(collector.recording("propagation"), scenario.path("download.jfr")))
    collector.stop()
    inside, outside = judge_marks(result, scenario.path("journal.txt"), "loupe.RecordingContext", ("endpoint",))
    print(f"events of tasks in a context {inside}, outside {outside}")


CASES = {"behaviour": behaviour, "arrive": arrive}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"propagation-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
