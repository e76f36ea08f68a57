# SPDX-License-Identifier: Apache-2.0
"""Promised: where the policy wants a type's events in contexts only, the JVM does not record those that are outside of
the contexts of the Java API. All others are there, also in other recordings, once the policy wants all, and once there is
a JFR event that is a context. What was withheld is counted. A class that is loaded late is no exception, nor one that
another agent has made anew.

OutsideE2E says of each event whether it is in a context. On JDK 25 it has virtual threads as well.

--beside attach: the agent is loaded into the running JVM, which has loaded event classes by then. JFR makes the class
                 of the JFR event that is a context.
--beside off:    tasks carry no contexts. That class is on the boot class path.
"""

import argparse
import collections
import os
import zipfile

from support import judge
from support.elimination import write_policy
from support.process import TESTAPPS, Collector, check, run, wait_for

IF_CONTEXT = ("e2e.Mark", "e2e.Other", "e2e.Late")
WITHHELD_LEAST = {"e2e.Mark": 500, "e2e.Other": 500, "e2e.Late": 40}  # those between contexts
CLASSES = "dev/loupe/testapps/OutsideE2E"


def journal(path):
    """The numbers of all events, and of those that have to be there, by type."""
    every, kept = collections.defaultdict(list), collections.defaultdict(list)
    with open(path, encoding="ascii") as file:
        for line in file:
            number, name, is_inside = line.rstrip("\n").split("\t")
            every[name[1:]].append(int(number))
            if is_inside == "1":
                kept[name[1:]].append(int(number))
    return every, kept


def judge_run(scenario, collector):
    every, kept = journal(scenario.path("journal.txt"))
    recording = collector.recording("outside")
    wait_for("the recording to end", lambda: not collector.recordings("?service=outside")[0]["is_running"])
    found = collections.defaultdict(list)
    for event in judge.dump(collector.download(recording, scenario.path("download.jfr")), "e2e."):
        if event.type in every:
            found[event.type].append(int(event.values["seq"]))
    for name, numbers in every.items():
        missing, more = set(kept[name]) - set(found[name]), set(found[name]) - set(kept[name])
        check(not missing and not more and len(found[name]) == len(kept[name]),
              f"{name}: missing {sorted(missing)[:20]} of {len(kept[name])}, too many {sorted(more)[:20]}")
        check_account(collector, recording, name, len(numbers), len(kept[name]))


def check_account(collector, recording, name, offered, kept):
    """Each event was kept, withheld, or dropped by the collector."""
    answer = collector.get(f"/api/v1/recordings/{recording}")
    check(answer.status == 200, f"{answer.status} {answer.body}")
    numbers = answer.json()["types"][name]
    withheld = numbers["dropped"].get("withheld", 0)
    check((numbers["offered"], numbers["kept"]) == (offered, kept), f"{name}: {numbers}, not {offered} and {kept}")
    check(withheld >= WITHHELD_LEAST[name] if name in IF_CONTEXT else withheld == 0, f"{name}: {numbers}")
    check(numbers["events_in"] == numbers["offered"], f"{name}: {numbers}")
    print(f"{name}: offered {offered}, withheld {withheld}, kept {kept}")


def put_policy(scenario, names):
    path = write_policy(scenario.path("policies/default.jfc.new"),
                        {name: {"enabled": "true", "select": "if-context"} for name in names})
    os.replace(path, scenario.path("policies/default.jfc"))


def has_all(collector, seq):
    """Whether that event of e2e.All has come."""
    rows = collector.get("/api/v1/events?service=outside&event=e2e.All&columns=seq&limit=1000").json()["rows"]
    return any(int(row[5]["seq"]) == seq for row in rows)


def make_jar(scenario, name, manifest, *classes):
    """A jar with some classes of the test program."""
    path = scenario.path(name)
    with zipfile.ZipFile(TESTAPPS) as program, zipfile.ZipFile(path, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", manifest)
        for each in classes:
            jar.writestr(each, program.read(each))
    return path


def body(scenario, feature, beside):
    os.mkdir(scenario.path("policies"))
    put_policy(scenario, IF_CONTEXT)
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = scenario.path("policies")
    collector.start()
    options = scenario.agent_options(collector, "outside", propagate="off" if beside == "off" else "tasks")
    arguments = [scenario.path("journal.txt"), *(["virtual"] if feature >= 21 else []),
                 *{"attach": ["wait", "factory"], "off": ["off", "boot"], "nothing": []}[beside]]
    premain = f"Premain-Class: {CLASSES}$Agent\nCan-Retransform-Classes: true\n".replace("/", ".")
    vm = [f"-javaagent:{make_jar(scenario, 'agent.jar', premain)}"]
    if beside == "off":
        vm.append(f"-Xbootclasspath/a:{make_jar(scenario, 'boot.jar', '', f'{CLASSES}$BootTrace.class')}")
    if beside == "attach":
        jvm = scenario.jvm(feature, "OutsideE2E", *arguments, vm=vm)
        jvm.wait_line("ready")
        jvm.load_agent(feature, options)
        jvm.process.stdin.close()
    else:
        jvm = scenario.jvm(feature, "OutsideE2E", *arguments, agent=options, vm=vm)
    last = int(jvm.wait_line(r"change (\d+)")[1])
    wait_for("the chunk of the last event", lambda: has_all(collector, last))  # its first batch decides the policy
    put_policy(scenario, IF_CONTEXT[1:])
    jvm.wait_exit()
    refused = [line for line in jvm.lines if "][error]" in line]
    check(not refused, f"JFR refuses a class: {refused}")
    judge_run(scenario, collector)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--beside", choices=["nothing", "attach", "off"], default="nothing")
    args = parser.parse_args()
    run(f"outside-{args.beside}-{args.jdk}", lambda scenario: body(scenario, args.jdk, args.beside))


main()
