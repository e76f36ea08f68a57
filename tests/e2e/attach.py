# SPDX-License-Identifier: Apache-2.0
"""Promised: the agent never harms the JVM it is in, and can come late.

--case attach:  `jcmd PID JVMTI.agent_load` puts it into a running JVM; from then on everything arrives.
--case early:   context types that were registered before the agent came are recorded as soon as it is there.
--case older:   the application has an older copy of loupe.jar, which does not fit the agent: the log says so, and the JVM runs on.
--case build:   the boot class path has a loupe.jar of another build: the log says so, and the JVM runs on.
--case options: with wrong options the JVM runs on as if there were no agent.
--case without: loupe.jar without the agent: every call does nothing.
--case moved:   JFR's repository is moved while the JVM runs: everything arrives.
--case address: host:port is enough as the collector's address; where the port is its HTTP port, the log says so.
"""

import argparse
import glob
import os
import shutil
import subprocess

from support import judge, sequence
from support.process import API_JAR, JAVA_DIR, LIMIT_S, Collector, check, javac, need_jdk, run, wait_for

WRONG = ("nonsense", "collector=", "collector=no-url,service=x", "collector=tcp://127.0.0.1:7411,service=x,segment=soon",
         "collector=tcp://127.0.0.1:7411,service=x,unknown=1", "collector=tcp://127.0.0.1:7411,service=x,policy=/nowhere.jfc")

MISTAKES = {"collector=no-url": "no-url", "policy=/nowhere.jfc": "nowhere.jfc", "unknown=1": "unknown"}


def run_on(jvm, ticks):
    at = int(jvm.lines[-1].split()[1])
    jvm.wait_line(f"at {at + ticks}$")


def end(jvm, stop):
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()


def attach(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    vm = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", vm=vm)
    jvm.wait_line("at 1000$")
    # A mistake is told, and does not stand in the way of the next try.
    for wrong, word in MISTAKES.items():
        jvm.load_agent(feature, wrong)
        wait_for(f"a line about {wrong}", lambda: word in scenario.log_of("SequenceE2E"))
    out = jvm.load_agent(feature, scenario.agent_options(collector, "attached", token="in-the-open"))
    check("return code: 0" in out, f"jcmd: {out}")
    said = [line for line in scenario.log_of("SequenceE2E").splitlines() if "use token=@FILE" in line]
    check(len(said) == 1 and "in-the-open" not in said[0], f"what it says of a token that all can see: {said}")
    recording = collector.recording("attached")
    jvm.load_agent(feature, scenario.agent_options(collector, "second"))
    wait_for("a line about the second agent",
             lambda: "there already" in scenario.log_of("SequenceE2E"))
    run_on(jvm, 3000)
    end(jvm, stop)
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(recording, scenario.path("download.jfr"))
    first_tick = min(int(e.values["seq"]) for e in judge.dump(path) if e.type == "e2e.Tick")
    check(first_tick <= first_context, f"ticks from {first_tick}, contexts from {first_context}")
    sequence.check_complete(path, ticks, first_context, first_tick)
    collector.stop()


def early(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    vm = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    jvm = scenario.jvm(feature, "EarlyTypes", stop, vm=vm)
    kept = jvm.wait_line(r"ready (\d+)$").group(1)
    check(kept == "0", f"{kept} class loaders are kept by the types that were registered")
    jvm.load_agent(feature, scenario.agent_options(collector, "early"))
    recording = collector.recording("early")
    wait_for("contexts", lambda: collector.get(f"/api/v1/contexts?recording={recording}").json()["matched"] > 1000)
    end(jvm, stop)
    last, first = sequence.last_words(jvm)
    check(first > 0, "no type was ever active")
    events = judge.dump(collector.download(recording, scenario.path("download.jfr")))
    for name in ("e2e_order", "e2e.Span"):
        found = {int(e.values["id"]) for e in events if e.type == name}
        missing = set(range(first, last + 1)) - found
        print(f"{name}: {last + 1 - first} contexts were set, {len(found)} are there")
        check(not missing, f"{len(missing)} contexts of {name} are missing")
    told = [line for line in scenario.log_of("EarlyTypes").splitlines() if "EarlyTypes$Unfit" in line]
    check(len(told) == 1 and "abstract" in told[0], f"of the type that does not fit the log says {told}")
    collector.stop()


def older(feature, scenario):
    collector = Collector(scenario).start()
    stop, classes = scenario.path("stop"), scenario.path("classes")
    shutil.copy(os.path.join(JAVA_DIR, "older", "OlderAgent.java"),
                scenario.path("Agent.java"))
    javac("-cp", API_JAR, "-d", classes, scenario.path("Agent.java"), feature=feature)
    vm = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    jvm = scenario.jvm(feature, "OlderCopy", stop, vm=vm, class_path=[classes])
    jvm.wait_line("ready$")
    jvm.load_agent(feature, scenario.agent_options(collector, "older"))
    wait_for("a line about the copy", lambda: "its loupe.jar is of another version" in scenario.log_of("OlderCopy"))
    collector.recording("older")
    end(jvm, stop)
    check("active" not in jvm.lines, "contexts of a copy that does not fit are recorded")
    collector.stop()


def build(feature, scenario):
    """The layout of the rings in loupe.jar is another one than the agent's."""
    classes = scenario.path("classes")
    shutil.copy(API_JAR, scenario.path("loupe.jar"))
    shutil.copy(os.path.join(JAVA_DIR, "older", "OtherLayout.java"), scenario.path("RingLayout.java"))
    javac("-d", classes, scenario.path("RingLayout.java"), feature=feature)
    subprocess.run([f"{need_jdk(feature)}/bin/jar", "--update", "--file", scenario.path("loupe.jar"), "-C", classes, "."],
                   timeout=LIMIT_S, check=True)
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:300", agent="collector=tcp://127.0.0.1:9,service=build",
                       vm=[f"-Xbootclasspath/a:{scenario.path('loupe.jar')}"])
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    check(ticks > 0 and first_context == -1, f"{ticks} ticks, contexts from {first_context}")
    told = scenario.log_of("SequenceE2E") + "\n".join(jvm.lines)
    check("loupe.jar does not match this agent: the boot class path has a loupe.jar of another build" in told, f"nobody is told: {told}")


def options(feature, scenario):
    for number, wrong in enumerate(WRONG):
        name = f"wrong-{number}"
        jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:300", agent=wrong, name=name)
        jvm.wait_exit()
        ticks, _ = sequence.last_words(jvm)
        check(ticks > 0, f"'{wrong}': the program did nothing")
        text = scenario.log_of(name) + "\n".join(jvm.lines)
        check("loupe" in text.lower(), f"'{wrong}': nobody is told: {text}")


def without(feature, scenario):
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:500")
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    check(ticks > 0 and first_context == -1, f"{ticks} ticks, contexts from {first_context}")


def moved(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}",
                       agent=scenario.agent_options(collector, "moved", segment=2))
    jvm.wait_line("at 1000$")
    jvm.jcmd(feature, "JFR.configure", f"repositorypath={scenario.path('elsewhere')}")
    wait_for("a chunk elsewhere", lambda: glob.glob(scenario.path("elsewhere/*/*.jfr")))
    run_on(jvm, 4000)
    recording = collector.recording("moved")
    end(jvm, stop)
    ticks, first_context = sequence.last_words(jvm)
    sequence.check_complete(collector.download(recording, scenario.path("download.jfr")), ticks, first_context)
    collector.stop()


def address(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    plain = collector.agents.replace("tcp://", "")
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", agent=scenario.agent_options(plain, "plain"))
    wrong = f"127.0.0.1:{collector.http_port}"
    lost = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", name="wrong",
                        agent=scenario.agent_options(wrong, "wrong"))
    wait_for("a line about the wrong port", lambda: "HTTP" in scenario.log_of("wrong"), 120)
    told = [line for line in scenario.log_of("wrong").splitlines() if "HTTP" in line]
    check(len(told) == 1 and wrong in told[0] and "--agents" in told[0] and "7411" in told[0], f"{told}")
    recording = collector.recording("plain")
    end(jvm, stop)
    lost.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    sequence.check_complete(collector.download(recording, scenario.path("download.jfr")), ticks, first_context)
    check("HTTP" not in scenario.log_of("SequenceE2E"), "the right port is said to be a wrong one")
    check(collector.recordings("?service=wrong") == [], "a recording by HTTP")
    collector.stop()


CASES = {"address": address, "build": build, "early": early, "attach": attach, "options": options, "without": without, "moved": moved,
         "older": older}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
