# SPDX-License-Identifier: Apache-2.0
"""Promised: where the policy wants a type's events in contexts only, the JVM does not record those that are outside of
the contexts of the Java API. All others are there, also in other recordings, once the policy wants all, and once there is
a JFR event that is a context. What was withheld is counted.

OutsideE2E says of each event whether it is in a context. On JDK 25 it has virtual threads as well.

--beside attach: the agent is loaded into the running JVM, which has loaded event classes by then.
--beside off:    tasks carry no contexts.
"""

import argparse
import collections
import os

from support import judge
from support.elimination import write_policy
from support.process import Collector, check, run

IF_CONTEXT = ("e2e.Mark", "e2e.Other")


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
    found = collections.defaultdict(list)
    for event in judge.dump(collector.download(recording, scenario.path("download.jfr")), "e2e."):
        if event.type in every:
            found[event.type].append(int(event.values["seq"]))
    for name, numbers in every.items():
        missing, more = set(kept[name]) - set(found[name]), set(found[name]) - set(kept[name])
        check(not missing and not more and len(found[name]) == len(kept[name]),
              f"{name}: missing {sorted(missing)[:20]} of {len(kept[name])}, too many {sorted(more)[:20]}")
        check_account(collector, recording, name, len(numbers), len(kept[name]), name in IF_CONTEXT)


def check_account(collector, recording, name, offered, kept, is_withheld):
    """Each event was kept, withheld, or dropped by the collector. Those between the contexts of 50 rounds were withheld."""
    answer = collector.get(f"/api/v1/recordings/{recording}")
    check(answer.status == 200, f"{answer.status} {answer.body}")
    numbers = answer.json()["types"][name]
    withheld = numbers["dropped"].get("withheld", 0)
    check((numbers["offered"], numbers["kept"]) == (offered, kept), f"{name}: {numbers}, not {offered} and {kept}")
    check(withheld >= 500 if is_withheld else withheld == 0, f"{name}: {numbers}")
    check(numbers["events_in"] == numbers["offered"], f"{name}: {numbers}")
    print(f"{name}: offered {offered}, withheld {withheld}, kept {kept}")


def put_policy(scenario, names):
    path = write_policy(scenario.path("policies/default.jfc.new"),
                        {name: {"enabled": "true", "select": "if-context"} for name in names})
    os.replace(path, scenario.path("policies/default.jfc"))


def body(scenario, feature, beside):
    os.mkdir(scenario.path("policies"))
    put_policy(scenario, IF_CONTEXT)
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = scenario.path("policies")
    collector.start()
    options = scenario.agent_options(collector, "outside", propagate="off" if beside == "off" else "tasks")
    arguments = [scenario.path("journal.txt"), *(["virtual"] if feature >= 21 else []),
                 *{"attach": ["wait"], "off": ["off"], "nothing": []}[beside]]
    if beside == "attach":
        jvm = scenario.jvm(feature, "OutsideE2E", *arguments)
        jvm.wait_line("ready")
        jvm.load_agent(feature, options)
        jvm.process.stdin.close()
    else:
        jvm = scenario.jvm(feature, "OutsideE2E", *arguments, agent=options)
    jvm.wait_line("change")
    put_policy(scenario, IF_CONTEXT[1:])
    jvm.wait_exit()
    judge_run(scenario, collector)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--beside", choices=["nothing", "attach", "off"], default="nothing")
    args = parser.parse_args()
    run(f"outside-{args.beside}-{args.jdk}", lambda scenario: body(scenario, args.jdk, args.beside))


main()
