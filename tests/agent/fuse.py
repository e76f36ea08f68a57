#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Promised: an agent that is wrong about itself says so once and turns itself off; the JVM does its work to the end.

The agent is the real one, but for a fault that a file switches on (fuse_fault.c).
--case ship: on the agent's thread, while everything is recorded.
--case type: on a thread of the application that registers a type, before anything is.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from support.process import Collector, check, run, wait_for  # pylint: disable=wrong-import-position

AGENT = os.environ["LOUPE_FUSE_AGENT"]


def touch(path):
    with open(path, "w", encoding="ascii"):
        pass


def rounds(jvm):
    return next((int(line.split()[1]) for line in reversed(list(jvm.lines)) if line.startswith("at ")), 0)


def scenario_of(feature, case):
    def body(scenario):
        fault, stop = scenario.path("fault"), scenario.path("stop")
        os.environ["LOUPE_FAULT_SPOOL" if case == "ship" else "LOUPE_FAULT_TYPE"] = fault
        collector = Collector(scenario).start()
        options = scenario.agent_options(collector, "fuse")
        if case == "type":
            touch(fault)
        jvm = scenario.jvm(feature, "FuseE2E", stop, vm=[f"-agentpath:{AGENT}={options}"])
        if case == "ship":
            collector.recording("fuse")
            jvm.wait_line("at 100$")
            touch(fault)
        wait_for("a line about it", lambda: "not true: block != NULL" in scenario.log_of("FuseE2E") or
                 "true: type->attribute_count > " in scenario.log_of("FuseE2E"))
        wait_for("the end of the recording", lambda: "loupe" not in jvm.jcmd(feature, "JFR.check"))
        if case == "ship":
            jvm.wait_line("off$")
        reached = rounds(jvm)
        wait_for("more work", lambda: rounds(jvm) >= reached + 300)
        touch(stop)
        jvm.wait_line("done$")
        jvm.wait_exit()
        told = [line for line in scenario.log_of("FuseE2E").splitlines() if "loupe-agent" in line]
        check(len(told) == 1 and " error " in told[0] and "the JVM runs on without it" in told[0], f"the log has {told}")
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=("ship", "type"), required=True)
    args = parser.parse_args()
    run(f"fuse-{args.case}-{args.jdk}", scenario_of(args.jdk, args.case))


main()
