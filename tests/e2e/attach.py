# SPDX-License-Identifier: Apache-2.0
"""Promised: the agent never harms the JVM it is in, and can come late.

--case attach:  `jcmd PID JVMTI.agent_load` puts it into a running JVM; from then on everything arrives.
--case options: with wrong options the JVM runs on as if there were no agent.
--case without: loupe.jar without the agent: every call does nothing.
"""

import argparse
import subprocess

from support import judge, sequence
from support.process import AGENT, LIMIT_S, Collector, check, need_jdk, run

WRONG = ("nonsense", "collector=", "collector=no-url,service=x", "collector=tcp://127.0.0.1:7411,service=x,segment=soon",
         "collector=tcp://127.0.0.1:7411,service=x,unknown=1", "collector=tcp://127.0.0.1:7411,service=x,policy=/nowhere.jfc")


def attach(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    vm = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", vm=vm)
    jvm.wait_line("at 1000$")
    done = subprocess.run([f"{need_jdk(feature)}/bin/jcmd", str(jvm.process.pid), "JVMTI.agent_load", AGENT,
                           f'"{scenario.agent_options(collector, "attached")}"'],  # unquoted, jcmd takes = apart
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
    check(done.returncode == 0 and b"return code: 0" in done.stdout, f"jcmd: {done.stdout.decode()}")
    recording = collector.recording("attached")
    at = int(jvm.lines[-1].split()[1])
    jvm.wait_line(f"at {at + 3000}$")
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(recording, scenario.path("download.jfr"))
    first_tick = min(int(e.values["seq"]) for e in judge.dump(path) if e.type == "e2e.Tick")
    check(first_tick <= first_context, f"ticks from {first_tick}, contexts from {first_context}")
    sequence.check_complete(path, ticks, first_context, first_tick)
    collector.stop()


def options(feature, scenario):
    for number, wrong in enumerate(WRONG):
        name = f"wrong-{number}"
        jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:300", agent=wrong, name=name)
        jvm.wait_exit()
        ticks, _ = sequence.last_words(jvm)
        check(ticks > 0, f"'{wrong}': the program did nothing")
        with open(scenario.path(f"{name}.log"), encoding="utf-8", errors="replace") as log:
            text = log.read() + "\n".join(jvm.lines)
        check("loupe" in text.lower(), f"'{wrong}': nobody is told: {text}")


def without(feature, scenario):
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:500")
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    check(ticks > 0 and first_context == -1, f"{ticks} ticks, contexts from {first_context}")


CASES = {"attach": attach, "options": options, "without": without}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
