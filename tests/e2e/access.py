# SPDX-License-Identifier: Apache-2.0
"""Promised: ContextAccess makes contexts of anybody's classes, and says what it cannot do.

--case fields | methods | texts: contexts of every kind of member arrive as the program wrote them down, from
               platform and virtual threads, records and hidden classes among them; what getters throw does no harm.
--case loaded | used: the same when the agent comes after the class was loaded, or accesses were made and used.
--case misuse: each class that cannot be a context is refused in words, with the agent and without.
--case modules: a closed module is named, and opened in each of the ways that the message names.
--case memory: nothing is allocated, for fields and for methods; nor for a ContextType.
--case unload: a class that was used can be unloaded, with the agent and without.
"""

import argparse
import os
import re

from support import judge
from support.process import Collector, check, javac, run

CLOSED = {
    "module-info.java": "module closed.app { requires jdk.jfr; exports closed.open; OPENS }",
    "closed/open/Public.java": """package closed.open;
        @jdk.jfr.Name("public") public class Public { @jdk.jfr.Name("a") public int a() { return 1; } }""",
    "closed/open/Private.java": """package closed.open;
        @jdk.jfr.Name("private") public class Private { @jdk.jfr.Name("a") private int a; }""",
    "closed/inner/Inner.java": """package closed.inner;
        @jdk.jfr.Name("inner") public class Inner { @jdk.jfr.Name("a") public int a() { return 1; } }""",
}


def arrive(feature, scenario, case):
    collector = Collector(scenario).start()
    jvm = start(feature, scenario, case, scenario.agent_options(collector, "access"))
    judge_arrived(scenario, collector, jvm)


def late(feature, scenario, case):
    collector = Collector(scenario).start()
    vm = [f"-De2e.late={case}", *(["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else [])]
    jvm = start(feature, scenario, "texts", None, *vm)
    jvm.wait_line("ready")
    jvm.load_agent(feature, scenario.agent_options(collector, "access"))
    judge_arrived(scenario, collector, jvm)


def start(feature, scenario, case, agent, *vm):
    return scenario.jvm(feature, "AccessE2E", scenario.path("journal.txt"), scenario.path("raw.jfr"),
                        vm=[f"-De2e.case={case}", *vm], agent=agent)


def judge_arrived(scenario, collector, jvm):
    jvm.wait_exit()
    path, raw_path = collector.download(collector.recording("access"), scenario.path("download.jfr")), scenario.path("raw.jfr")
    journal = judge.Journal(scenario.path("journal.txt"))
    check(journal.registered == {"Beside": False}, "there are more attributes than 32")
    raw, result = judge.dump(raw_path), judge.dump(path)
    judge.check_events(journal, raw_path, raw, path, result)
    total, kept = judge.check_contexts(journal, raw, result)
    types = {event.type for event in result if event.is_contextual}
    check(types == {context.type for context in journal.contexts}, f"contexts of {types}")
    with open(scenario.path("AccessE2E.log"), encoding="utf-8", errors="replace") as file:
        log = file.read()
    for over in ("Over", "Many"):
        check(f"AccessTypes${over} is not registered" in log, f"no word of {over} in the log")
    print(f"contexts set {total}, kept {kept}")
    collector.stop()


def with_and_without_agent(scenario):
    # Nobody listens there: what is recorded does not matter.
    return None, scenario.agent_options("tcp://127.0.0.1:9", "access", log="error")


def misuse(feature, scenario, _):
    for agent in with_and_without_agent(scenario):
        scenario.jvm(feature, "AccessMisuse", "all", agent=agent, vm=["-De2e.agent=" + str(bool(agent)).lower()]).wait_exit()
    scenario.jvm(feature, "AccessMisuse", "none", vm=["--limit-modules", "java.base"]).wait_exit()


def modules(feature, scenario, _):
    closed = compile_closed(feature, scenario, "closed", "")
    opened = compile_closed(feature, scenario, "opened", "opens closed.open; opens closed.inner;")
    names = ("closed.open.Private", "closed.inner.Inner")
    for agent in with_and_without_agent(scenario):
        def said_of(path, names, *vm):
            jvm = scenario.jvm(feature, "AccessMisuse", "class", *names, agent=agent,
                               vm=["--module-path", path, "--add-modules", "closed.app", *vm])
            jvm.wait_exit()
            return jvm.lines[-len(names):]
        public, *refused = said_of(closed, ("closed.open.Public", *names))
        check(public == "fine", f"a public class is refused: {public}")
        options = []
        for name, said in zip(names, refused):
            package = name.rpartition(".")[0]
            check(f"module closed.app must open package {package} to the unnamed module" in said, said)
            check(f"'opens {package};'" in said, said)
            option = re.search(r"--add-opens (\S+)", said)
            check(option, said)
            options += ["--add-opens", option.group(1)]
        check(said_of(closed, names, *options) == ["fine"] * 2, f"{options} do not help")
        check(said_of(opened, names) == ["fine"] * 2, "'opens' does not help")


def compile_closed(feature, scenario, name, opens):
    sources = []
    for path, text in CLOSED.items():
        sources.append(scenario.path(f"{name}-sources/{path}"))
        os.makedirs(os.path.dirname(sources[-1]), exist_ok=True)
        with open(sources[-1], "w", encoding="ascii") as file:
            file.write(text.replace("OPENS", opens))
    classes = scenario.path(name)
    javac("-d", classes, *sources, feature=feature)
    return classes


def unload(feature, scenario, _):
    for agent in with_and_without_agent(scenario):
        jvm = scenario.jvm(feature, "AccessUnload", agent=agent, vm=["-Xmx48m"])
        jvm.wait_exit()
        check(jvm.lines[-1] == "0 of 40 are kept", f"agent {agent}: {jvm.lines[-1]}")


def memory(feature, scenario, _):
    _, agent = with_and_without_agent(scenario)
    jvm = scenario.jvm(feature, "AccessMemory", agent=agent)
    jvm.wait_exit()
    check(jvm.lines[-1] == "bytes 0", f"{jvm.lines[-1]} for a context")


CASES = {"fields": arrive, "methods": arrive, "texts": arrive, "loaded": late, "used": late, "misuse": misuse, "modules": modules,
         "memory": memory, "unload": unload}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"access-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario, args.case))


main()
