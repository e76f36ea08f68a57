# SPDX-License-Identifier: Apache-2.0
"""Promised: tasks carry contexts of all kinds by themselves, and stick to no thread (docs/instrument/propagation.md).

Each row of the page's table is a case of CarriedE2E, and on JDK 25 of CarriedThreads. The program says for each event in a
task which contexts it has to be in. Where there is no memory for contexts, tasks run all the same, and that is counted. The places that the agent found are all of the JDK's.

--propagate tasks|threads|off: the agent's option. With threads, Tomcat's own pool and Netty's event loops are among the cases.
--beside attach:     the agent is loaded into the running JVM, which has a pool by then, and a class that the JVM does not let the
                     agent rewrite. Another agent has that class rewritten later, and must not fail.
--beside otel-first, --beside otel-last: OpenTelemetry's agent, which rewrites the same classes, before ours or behind it.
--beside aot:        the JVM's classes come from an AOT cache.
"""

import argparse
import os
import re
import shutil
import zipfile

from support import jars, judge
from support.jdk25 import compile_program
from support.process import Collector, check, run

# The attributes that say which case a context is of.
KINDS = {"loupe.RecordingContext": "endpoint", "e2e_order": "text", "e2e.Request": "path"}


def judge_marks(result, journal_path):
    """Every mark is in the contexts that the journal names, or in none of any kind. Returns how many of each there are."""
    marks = {event.values["seq"]: event for event in result if event.type == "e2e.Mark"}
    contexts = {kind: judge.by_thread(event for event in result if event.type == kind) for kind in KINDS}
    counts = {True: 0, False: 0}
    problems = []
    with open(journal_path, encoding="ascii") as file:
        for line in file:
            _, thread, number, name, expected, only = line.rstrip("\n").split("\t")
            mark = marks.pop(number)
            check(mark.thread == int(thread), f"mark {number} is on thread {mark.thread}, not {thread}")
            for kind, attribute in KINDS.items():
                found = [context.values[attribute] for context in contexts[kind][mark.thread]
                         if context.start <= mark.commit <= context.commit]
                if found != ([] if expected == "-" or only not in ("-", f"={kind}") else [expected]):
                    problems.append(f"{name}: {kind} {found}, not {expected}")
            counts[expected != "-"] += 1
    check(not marks, f"{len(marks)} marks too many")
    check(not problems, "\n".join([f"{len(problems)} problems", *problems[:40]]))
    return counts[True], counts[False]


def judge_run(scenario, collector, name, propagate, is_exhausted):
    recording = collector.recording("carried")
    result = judge.dump(collector.download(recording, scenario.path("download.jfr")))
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    check((losses["contexts_dropped"] > 0) == is_exhausted, f"losses: {losses}")
    collector.stop()
    log = scenario.log_of(name)
    check("another shape than expected" not in log, "a class of this JDK is not as expected")
    said = re.search(r"contexts are carried with tasks: (\d+) classes", log)
    check((said is None) == (propagate == "off"), f"{said and said[0]}")
    print("marks in contexts %d, outside %d" % judge_marks(result, scenario.path("journal.txt")))


def make_jar(scenario, classes):
    jar = scenario.path("carried.jar")
    os.rename(shutil.make_archive(classes, "zip", classes), jar)
    return jar


def make_agent_jar(scenario):
    """A Java agent whose class is on the class path."""
    path = scenario.path("agent.jar")
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Premain-Class: dev.loupe.testapps.Refused\nCan-Retransform-Classes: true\n")
    return path


def body(scenario, feature, propagate, beside):
    is_new = feature >= 25
    program = "CarriedThreads" if is_new else "CarriedE2E"
    vm, path = (["--enable-preview"], [compile_program(scenario, program)]) if is_new else ([], [])
    if propagate == "threads":  # the JVM verifies the JDK's classes, too, as they are rewritten
        vm += ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"]
        path += [jars.need(jars.TOMCAT), jars.need(jars.NETTY_4_2 if is_new else jars.NETTY_4_1)]
    collector = Collector(scenario).start()
    options = scenario.agent_options(collector, "carried", propagate=propagate)
    arguments = (scenario.path("journal.txt"), propagate)
    if propagate == "tasks" and beside == "nothing":
        arguments += ("exhaust",)
    if beside == "aot":
        path = [make_jar(scenario, path[0])]  # such a cache is of jars alone
        cache = f"-XX:AOTCacheOutput={scenario.path('trained.aot')}"
        scenario.jvm(feature, program, *arguments[:1], "off", vm=[*vm, cache], class_path=path, name="training").wait_exit()
        vm += [f"-XX:AOTCache={scenario.path('trained.aot')}", "-XX:AOTMode=on"]
    if beside == "attach":
        vm += [f"-javaagent:{make_agent_jar(scenario)}"]
        jvm = scenario.jvm(feature, program, *arguments, "wait", vm=vm, class_path=path)
        jvm.wait_line("ready")
        jvm.load_agent(feature, options)
        jvm.process.stdin.close()
    elif beside in ("otel-first", "otel-last"):
        otel = f"-javaagent:{jars.need(jars.OTEL_AGENT)}"
        ours = scenario.agent_argument(options)
        no_exports = [f"-Dotel.{signal}.exporter=none" for signal in ("traces", "metrics", "logs")]
        jvm = scenario.jvm(feature, program, *arguments, class_path=path,
                           vm=[*vm, *no_exports, *((otel, ours) if beside == "otel-first" else (ours, otel))])
    else:
        jvm = scenario.jvm(feature, program, *arguments, vm=vm, class_path=path, agent=options)
    jvm.wait_exit()
    is_exhausted = arguments[-1] == "exhaust"
    judge_run(scenario, collector, jvm.name, propagate, is_exhausted)
    refused = re.findall(r"tasks of (\S+): the JVM does not rewrite it", scenario.log_of(jvm.name))
    check(refused == (["io/netty/util/concurrent/SingleThreadEventExecutor"] if beside == "attach" else []), f"refused: {refused}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--propagate", choices=["tasks", "threads", "off"], default="tasks")
    parser.add_argument("--beside", choices=["nothing", "attach", "otel-first", "otel-last", "aot"], default="nothing")
    args = parser.parse_args()
    run(f"carried-{args.propagate}-{args.beside}-{args.jdk}",
        lambda scenario: body(scenario, args.jdk, args.propagate, args.beside))


main()
