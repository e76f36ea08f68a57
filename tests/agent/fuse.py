#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Promised: an agent that is wrong about itself says so once and turns itself off; the JVM does its work to the end.

The agent is the real one, but for a fault that a file switches on (fuse_fault.c).
--case ship: on the agent's thread, while everything is recorded.
--case type: on a thread of the application that registers a type, before anything is.
--case waits: as ship, while another recording wants lock waits of virtual threads: the agent reports no more of them. Needs JDK 25.
--case clock: as ship, while the wall clock is behind: the recording ends once that has caught up. Needs JDK 25.
"""

import argparse
import contextlib
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from support import judge  # pylint: disable=wrong-import-position
from support.clock import BEHIND, FakeClock  # pylint: disable=wrong-import-position
from support.elimination import write_policy  # pylint: disable=wrong-import-position
from support.process import Collector, check, run, wait_for  # pylint: disable=wrong-import-position

ESTABLISHED = "01"
WAIT = "dev.loupe.VirtualThreadMonitorEnter"
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
        wait_for("a line about it", lambda: "not true: spool->next != NULL" in scenario.log_of("FuseE2E") or
                 "true: type->attribute_count > " in scenario.log_of("FuseE2E"))
        wait_for("the end of the recording", lambda: "loupe" not in jvm.jcmd(feature, "JFR.check"))
        if case == "ship":
            jvm.wait_line("off$")
        reached = rounds(jvm)
        wait_for("more work", lambda: rounds(jvm) >= reached + 300)
        if case == "type":
            wait_for("no connection", lambda: not connections(jvm, collector))
        touch(stop)
        jvm.wait_line("done$")
        jvm.wait_exit()
        check_told(scenario, "FuseE2E")
        collector.stop()
    return body


def connections(jvm, collector):
    """How many the JVM has to the collector. Sockets of a process are in its net/tcp by their inodes."""
    own = set()
    for link in glob.glob(f"/proc/{jvm.process.pid}/fd/*"):
        with contextlib.suppress(FileNotFoundError):  # it may be closed by now
            own.add(os.readlink(link))
    port = f":{int(collector.agents.rsplit(':', 1)[1]):04X}"
    with open(f"/proc/{jvm.process.pid}/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file]
    return sum(row[2].endswith(port) and row[3] == ESTABLISHED and f"socket:[{row[9]}]" in own for row in rows[1:])


def check_told(scenario, name):
    """The fuse has its line, and there is none after it."""
    told = [line for line in scenario.log_of(name).splitlines() if "loupe-agent" in line]
    blown = [line for line in told if "the JVM runs on without it" in line]
    check(len(blown) == 1 and " error " in blown[0] and told[-1] == blown[0], f"the log has {told}")


def waits(scenario):
    fault, stop = scenario.path("fault"), scenario.path("stop")
    collector = Collector(scenario).start()
    policy = write_policy(scenario.path("policy.jfc"), {WAIT: {"enabled": "true", "threshold": "0 ns"}})
    options = scenario.agent_options(collector, "fuse", policy=policy)
    jvm = scenario.jvm(25, "VirtualWaitsE2E", scenario.path("journal"), "lock", f"until:{stop}",
                       vm=[f"-agentpath:{AGENT}={options}", f"-XX:StartFlightRecording=name=own,settings={policy}"],
                       env={"LOUPE_FAULT_SPOOL": fault})
    def wait_rounds():
        jvm.wait_line(f"round {int(jvm.lines[-1].split()[1]) + 5}$")
    def count(name):
        jvm.jcmd(25, "JFR.dump", "name=own", f"filename={scenario.path(name)}")
        return sum(e.type == WAIT for e in judge.dump(scenario.path(name)))
    collector.recording("fuse")
    jvm.wait_line("round 1$")
    wait_for("lock waits", lambda: count("some.jfr"))
    touch(fault)
    wait_for("the end of the recording", lambda: "loupe" not in jvm.jcmd(25, "JFR.check"))
    before = count("before.jfr")
    wait_rounds()
    after = count("after.jfr")
    check(after == before, f"{before} lock waits at the end of the recording, and then {after}")
    touch(stop)
    jvm.wait_exit()
    check_told(scenario, "VirtualWaitsE2E")
    collector.stop()


def clock(scenario):
    wall = FakeClock(scenario)
    fault, stop = scenario.path("fault"), scenario.path("stop")
    collector = Collector(scenario).start()
    options = scenario.agent_options(collector, "fuse", policy=wall.policy)
    jvm = scenario.jvm(25, "FuseE2E", stop, env={**wall.env, "LOUPE_FAULT_SPOOL": fault},
                       vm=[f"-agentpath:{AGENT}={options}", f"-XX:StartFlightRecording=name=own,settings={wall.policy}"])
    collector.recording("fuse")
    jvm.wait_line("at 100$")
    wall.set(-600)
    wait_for("a line about the clock", lambda: BEHIND in scenario.log_of("FuseE2E"))
    touch(fault)
    jvm.wait_line("off$")
    reached = rounds(jvm)
    wait_for("more work", lambda: rounds(jvm) >= reached + 300)
    check("loupe" in jvm.jcmd(25, "JFR.check"), "the recording has ended, which JFR has to wait for")
    wall.set(0)
    wait_for("the end of the recording", lambda: "loupe" not in jvm.jcmd(25, "JFR.check"))
    touch(stop)
    jvm.wait_exit()
    check_told(scenario, "FuseE2E")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=("ship", "type", "waits", "clock"), required=True)
    args = parser.parse_args()
    bodies = {"waits": waits, "clock": clock}
    run(f"fuse-{args.case}-{args.jdk}", bodies.get(args.case) or scenario_of(args.jdk, args.case))


main()
