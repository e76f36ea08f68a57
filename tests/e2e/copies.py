# SPDX-License-Identifier: Apache-2.0
"""Promised: of several copies of the agent in one JVM the first is the agent, and each other one leaves the JVM alone: one
line in its log names the first, and that is all.

--case start:   both by -agentpath: of another path, of another version, the same file twice, one by JAVA_TOOL_OPTIONS.
--case attach:  a copy is attached where another one has been since the start, or was attached before.
--case refused: the first copy did not start: the second may, unless the first has begun to use the JVM.
--case older:   the first knows nothing of other copies.

`--case start --tries N` repeats each way N times.
"""

import argparse
import functools
import os
import re
import subprocess

from support import sequence
from support.process import AGENT, LIB_DIR, LIMIT_S, LOUPE, Collector, check, run, wait_for

OTHER_VERSION = "9.9.9"
OLDER_AGENT = os.path.join(LIB_DIR, "older", "libloupe.so")
NOWHERE = "collector=tcp://127.0.0.1:1,service=nowhere"


@functools.cache
def own_version():
    """As the program says it behind its name."""
    return subprocess.run([LOUPE, "--version"], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True).stdout.decode().split()[1]


def copy_agent(scenario, name, version=None):
    """Another copy of the agent; with a version one that says that it is of this."""
    directory = scenario.path(name)
    os.mkdir(directory)
    with open(AGENT, "rb") as file:
        library = file.read()
    if version:
        library = library.replace(own_version().encode() + b"\0", version.encode() + b"\0")
    with open(os.path.join(directory, "libloupe.so"), "wb") as file:
        file.write(library)
    return os.path.join(directory, "libloupe.so")


def agent_argument(library, options):
    return f"-agentpath:{library}={options}"


def agent_lines(log):
    """What the agents said that is no mere information."""
    return [line for line in log.splitlines() if re.search(r"Z (error|warn) loupe", line)]


def check_one_line(log, first, second, version):
    """The log has one line, which names both; version is that of the second."""
    said = agent_lines(log)
    expected = (f"the agent is there already: {first}, version {own_version()}; "
                f"this one does nothing: {second}, version {version}")
    check(len(said) == 1 and said[0].endswith(" error loupe-agent: " + expected), f"not one line '{expected}' but {said}")


def check_alone(jvm, feature):
    """There is one agent at work in the JVM."""
    tasks = f"/proc/{jvm.process.pid}/task"
    names = []
    for task in os.listdir(tasks):
        with open(f"{tasks}/{task}/comm", encoding="utf-8") as file:
            names.append(file.read().strip())
    check(names.count("loupe-ship") == 1, f"threads: {sorted(names)}")
    check(jvm.jcmd(feature, "Thread.print").count('"Loupe Housekeeping"') == 1, "not one Housekeeping")
    recordings = jvm.jcmd(feature, "JFR.check")
    check(recordings.count("name=loupe") == 1 and recordings.count("Recording ") == 1, recordings)


def check_recording(collector, scenario, jvm, service):
    """The recording of the service has all that SequenceE2E did."""
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(collector.recording(service), scenario.path("download.jfr"))
    sequence.check_complete(path, ticks, first_context)


def check_none(collector, service):
    check(collector.recordings(f"?service={service}") == [], f"{service} has a recording")


def end(jvm, stop):
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()


def start(feature, scenario, tries):
    collector = Collector(scenario).start()
    other, newer = copy_agent(scenario, "other"), copy_agent(scenario, "newer", OTHER_VERSION)
    own = own_version()
    ways = {"path": (AGENT, other, own), "version": (AGENT, newer, OTHER_VERSION), "same": (other, other, own),
            "tool": (other, AGENT, own)}
    for number in range(tries):
        for way, (first, second, version) in ways.items():
            name = f"{way}-{number}"
            arguments = [agent_argument(library, scenario.agent_options(collector, f"{name}-{which}"))
                         for library, which in ((first, "first"), (second, "second"))]
            env = {"JAVA_TOOL_OPTIONS": arguments.pop(0)} if way == "tool" else {}
            jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:200", vm=arguments, env=env, name=name)
            jvm.wait_exit()
            check_one_line(scenario.log_of(name), first, second, version)
            check_recording(collector, scenario, jvm, f"{name}-first")
            check_none(collector, f"{name}-second")
            os.remove(scenario.path(f"{name}.log"))
    print(f"{tries} tries of each of {len(ways)} ways")
    collector.stop()


def dynamic(feature):
    return ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []


def load(jvm, feature, library, options):
    jvm.jcmd(feature, "JVMTI.agent_load", library, f'"{options}"')


def attach(feature, scenario, _):
    collector = Collector(scenario).start()
    other, newer = copy_agent(scenario, "other"), copy_agent(scenario, "newer", OTHER_VERSION)
    for way in ("late", "both"):
        stop, first = scenario.path(f"stop-{way}"), scenario.agent_options(collector, f"{way}-first")
        vm = dynamic(feature) + ([agent_argument(other, first)] if way == "late" else [])
        jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", vm=vm, name=way)
        jvm.wait_line("ready$")
        if way == "both":
            load(jvm, feature, other, first)
        recording = collector.recording(f"{way}-first")
        load(jvm, feature, newer, scenario.agent_options(collector, f"{way}-second"))
        wait_for("a line about the second", lambda way=way: agent_lines(scenario.log_of(way)))
        check_alone(jvm, feature)
        collector.wait_for_growth(recording)
        end(jvm, stop)
        check_one_line(scenario.log_of(way), other, newer, OTHER_VERSION)
        if way == "late":
            check_recording(collector, scenario, jvm, "late-first")
        check_none(collector, f"{way}-second")
    collector.stop()


def refused(feature, scenario, _):
    collector = Collector(scenario).start()
    other = copy_agent(scenario, "other")
    # Refused before it has touched the JVM: the second is the agent.
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:200", name="options", vm=[
        agent_argument(other, NOWHERE + ",unknown=1"), agent_argument(AGENT, scenario.agent_options(collector, "second"))])
    jvm.wait_exit()
    said = agent_lines(scenario.log_of("options"))
    check(len(said) == 1 and "unknown" in said[0], f"{said}")
    check_recording(collector, scenario, jvm, "second")
    # Refused later: the first may come again with better options, another one may not.
    stop = scenario.path("stop")
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", name="policy",
                       vm=dynamic(feature) + [agent_argument(other, NOWHERE + ",policy=/nowhere.jfc")])
    jvm.wait_line("ready$")
    load(jvm, feature, AGENT, scenario.agent_options(collector, "another"))
    wait_for("a line about the second", lambda: "another copy of the agent has begun" in scenario.log_of("policy"))
    load(jvm, feature, other, scenario.agent_options(collector, "again"))
    collector.wait_for_growth(collector.recording("again"))
    check_alone(jvm, feature)
    end(jvm, stop)
    check(len(agent_lines(scenario.log_of("policy"))) == 2, scenario.log_of("policy"))
    check_none(collector, "another")
    collector.stop()


def older(feature, scenario, _):
    collector = Collector(scenario).start()
    other, stop = copy_agent(scenario, "other"), scenario.path("stop")
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", name="older",
                       vm=dynamic(feature) + [
                           agent_argument(OLDER_AGENT, scenario.agent_options(collector, "first")),
                           agent_argument(AGENT, scenario.agent_options(collector, "second"))])
    jvm.wait_line("ready$")
    load(jvm, feature, other, scenario.agent_options(collector, "third"))
    wait_for("two lines", lambda: len(agent_lines(scenario.log_of("older"))) == 2)
    check_alone(jvm, feature)
    end(jvm, stop)
    said = agent_lines(scenario.log_of("older"))
    check(len(said) == 2 and all("another copy of the agent has begun to use this JVM" in line for line in said), f"{said}")
    check_recording(collector, scenario, jvm, "first")
    check_none(collector, "second")
    check_none(collector, "third")
    collector.stop()


CASES = {"start": start, "attach": attach, "refused": refused, "older": older}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    parser.add_argument("--tries", type=int, default=1)
    args = parser.parse_args()
    run(f"copies-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario, args.tries))


main()
