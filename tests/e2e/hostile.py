# SPDX-License-Identifier: Apache-2.0
"""Promised: no method of the API throws what its documentation does not name, whatever its arguments and whoever denies it
permissions; with the agent and without.

HostileApi calls all public methods of all public classes. What they may throw is read from their Javadoc.

--case open:   nobody is asked for permissions.
--case policy: JDK 17, a security manager from the start, by whose policy the program may do next to nothing.
--case later:  JDK 17, the same, set once the API was used.
--case denying: JDK 17, a security manager of the program's that denies all that Loupe asks for, in its own name, too.
"""

import argparse
import glob
import os
import re
import zipfile

from support import sequence
from support.process import API_JAR, JAVA_DIR, TESTAPPS, Collector, check, run

SOURCES = os.path.join(JAVA_DIR, "..", "..", "java", "loupe-api", "dev", "loupe")
DOCUMENTED = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*([^;{}=]*?)\b(\w+)\s*\(", re.DOTALL)
# What HostileApi does itself, and nothing that Loupe asks for.
PROGRAM_MAY = ('RuntimePermission "createClassLoader"', 'RuntimePermission "exitVM"',
               'RuntimePermission "accessClassInPackage.jdk.jfr.events"')
# What SequenceE2E asks JFR, and JFR asks for when a program has events of its own.
EVENTS_MAY = ('RuntimePermission "getClassLoader"', 'RuntimePermission "accessDeclaredMembers"',
              'RuntimePermission "accessClassInPackage.jdk.jfr.internal"',
              'RuntimePermission "accessClassInPackage.jdk.jfr.internal.handlers"')
OWNER = re.compile(r"^( *)(?:public |private |static |final |abstract )*(?:class|interface|@interface) (\w+)", re.MULTILINE)


def api_classes():
    with zipfile.ZipFile(API_JAR) as jar:
        names = [name for name in jar.namelist() if re.fullmatch(r"dev/loupe/[\w$]+\.class", name)]
    return [name.removesuffix(".class").replace("/", ".") for name in names if not name.endswith("package-info.class")]


def owner_at(text, place):
    """The binary name of the class around a place: of each depth of indentation the last one before it."""
    names = {}
    for found in OWNER.finditer(text, 0, place):
        depth = len(found.group(1))
        names = {d: name for d, name in names.items() if d < depth} | {depth: found.group(2)}
    indent = len(text[text.rfind("\n", 0, place) + 1:place])
    return "$".join(name for d, name in sorted(names.items()) if d < indent)


def documented():
    """METHOD=EXCEPTION for each @throws of the API's Javadoc."""
    found = []
    for path in glob.glob(os.path.join(SOURCES, "*.java")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for comment in DOCUMENTED.finditer(text):
            owner = owner_at(text, comment.start())
            found += [f"dev.loupe.{owner}.{comment.group(3)}={name}"
                      for name in re.findall(r"@throws (\w+)", comment.group(1))]
    check("dev.loupe.RecordingContextFilter$PerTypeBuilder.hasEntry=IllegalArgumentException" in found, f"{found}")
    return found


def by_policy(scenario, permissions):
    """The options by which a security manager lets the program have these permissions, and other classes none."""
    path = scenario.path("java.policy")
    with open(path, "w", encoding="ascii") as file:
        granted = " ".join(f"permission java.lang.{permission};" for permission in permissions)
        granted += ' permission jdk.jfr.FlightRecorderPermission "registerEvent";' if permissions is EVENTS_MAY else ""
        file.write(f'grant codeBase "file:{TESTAPPS}" {{ {granted} }};\n')
    return [f"-Djava.security.policy=={path}"]


def hostile(feature, scenario, case):
    services = scenario.path("services/META-INF/services")
    os.makedirs(services)
    with open(os.path.join(services, "dev.loupe.ContextType$Registration"), "w", encoding="ascii") as file:
        file.write("dev.loupe.testapps.HostileRegistration\n")
    vm = [] if case not in ("policy", "later") else by_policy(scenario, PROGRAM_MAY)
    if case == "policy":
        vm.append("-Djava.security.manager")
    security = case if case in ("later", "denying") else "none"
    # Nobody listens there: what is recorded does not matter.
    for agent in (None, scenario.agent_options("tcp://127.0.0.1:9", "hostile")):
        name = "with" if agent else "without"
        jvm = scenario.jvm(feature, "HostileApi", security, *api_classes(), *documented(), agent=agent, name=name, vm=vm,
                           class_path=[scenario.path("services")])
        jvm.wait_exit()
        check(len(jvm.lines) == 1 and jvm.lines[0].startswith("called "), f"{name} the agent:\n" + "\n".join(jvm.lines))
        print(f"{name} the agent: {jvm.lines[0]}")
        is_recording = agent is not None and case != "denying"
        check(jvm.lines[0].endswith(f"recording {str(is_recording).lower()}"), f"{name} the agent: {jvm.lines[0]}")
        denied = re.findall(r"context type \S*(\w*Late) is not registered", scenario.log_of(name))
        check(len(denied) == (2 if agent and case == "denying" else 0), f"{name} the agent: refused {denied}")
    if case == "policy":
        check_recorded(feature, scenario)


def check_recorded(feature, scenario):
    """The contexts of a program that may do next to nothing are recorded."""
    vm = by_policy(scenario, EVENTS_MAY) + ["-Djava.security.manager"]
    collector = Collector(scenario).start()
    jvm = scenario.jvm(feature, "SequenceE2E", "1000", "for:200", vm=vm, agent=scenario.agent_options(collector, "policy"))
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    sequence.check_complete(collector.download(collector.recording("policy"), scenario.path("download.jfr")), ticks,
                            first_context)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=("open", "policy", "later", "denying"), required=True)
    args = parser.parse_args()
    run(f"hostile-{args.case}-{args.jdk}", lambda scenario: hostile(args.jdk, scenario, args.case))


main()
