# SPDX-License-Identifier: Apache-2.0
"""Promised: a virtual thread's waits are events where the policy says so, of which JFR by itself records none.

Threads of all kinds wait for a monitor, or are parked. The program says between which moments each wait began, was under way and was
over. There is one event for each wait for a monitor: of Loupe's for a virtual thread that unmounts, and of JFR's for a
platform thread and for a virtual thread that is pinned. Needs JDK 25.

--case parks:  with magnify.jfc each long park is there, by JFR's own tracing.
--case locks:  the agent's own policy has it on; in contexts alone, and each with its own.
--case off:    the policy does not name it: there is none.
--case change: the collector's policy switches it on while the program runs.
--case attach: the agent comes while the program runs.
--case refused: the agent does nothing, as its options are wrong, and another recording wants the event: there is none.
"""

import argparse
import collections
import json
import os
import subprocess

from support import judge
from support.elimination import write_policy
from support.process import LIMIT_S, LOUPE, Collector, check, jfr, run, wait_for

OWN, JFR = "dev.loupe.VirtualThreadMonitorEnter", "jdk.JavaMonitorEnter"
TRACED, PARK = "jdk.MethodTrace", "jdk.ThreadPark"
MAGNIFY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies", "magnify.jfc")
ROUNDS = 20
ON = {"enabled": "true", "threshold": "0 ns", "stackTrace": "true"}
EXPECTED = {"virtual": (1, 0), "outside": (1, 0), "platform": (0, 1), "pinned": (0, 1)}  # events of Loupe's and of JFR's
# Pinned threads hold carriers.
VM = ["-Djdk.virtualThreadScheduler.parallelism=6", "-Djdk.reflect.useNativeAccessorOnly=true"]


class Wait:
    def __init__(self, line):
        number, kind, *rest = line.rstrip("\n").split("\t")
        self.round, self.kind = int(number), kind[1:]
        self.thread, self.context, self.begin, self.held, self.entered = map(int, rest)

    def find(self, events):
        return [e for e in events[self.thread]
                if self.begin <= e.start <= self.held <= e.commit <= self.entered]


def read_waits(path):
    with open(path, encoding="ascii") as file:
        return [Wait(line) for line in file]


class Recording:
    def __init__(self, path):
        self.path = path
        self.events = judge.dump(path)

    def of(self, kind):
        return judge.by_thread(e for e in self.events if e.type == kind)

    def count(self, kind):
        return sum(e.type == kind for e in self.events)


def check_waits(waits, recording, expected):
    """Each wait has the events that are expected of its kind, and there are no others."""
    own, jfrs = recording.of(OWN), recording.of(JFR)
    for wait in waits:
        found = len(wait.find(own)), len(wait.find(jfrs))
        check(found == expected[wait.kind], f"{wait.kind} of round {wait.round}: {found}, not {expected[wait.kind]}")
    sums = [sum(expected[wait.kind][i] for wait in waits) for i in (0, 1)]
    check(recording.count(OWN) == sums[0], f"{recording.count(OWN)} of Loupe's, not {sums[0]}")
    print(f"waits {len(waits)}, events of Loupe's {sums[0]}, of JFR's {sums[1]}")


def check_contexts(waits, recording):
    own, contexts = recording.of(OWN), recording.of("e2e.Span")
    for wait in waits:
        for event in wait.find(own):
            around = [int(c.values["id"]) for c in contexts[wait.thread] if c.start <= event.commit <= c.commit]
            check(around == [wait.context], f"context {around}, not {wait.context}")


def own_values(path):
    """The values of Loupe's events, as the JDK's tool shows them."""
    return [event["values"] for event in json.loads(jfr("print", "--json", "--events", OWN, path))["recording"]["events"]]


def check_fields(path):
    """The monitor's class, and a stack that begins with the application's method."""
    events = own_values(path)
    for values in events:
        top = values["stackTrace"]["frames"][0]["method"]
        seen = (values["monitorClass"]["name"], top["type"]["name"], top["name"])
        wanted = ("dev/loupe/testapps/VirtualWaitsE2E$Monitor", "dev/loupe/testapps/VirtualWaitsE2E$Waiter", "enter")
        check(tuple(text.replace(".", "/") for text in seen) == wanted, f"{seen}")
    return len(events)


def run_rounds(scenario, kind, policy):
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = policy
    collector.start()
    jvm = scenario.jvm(25, "VirtualWaitsE2E", scenario.path("journal.txt"), kind, f"rounds:{ROUNDS}",
                       vm=[*VM, "-Xcheck:jni"], agent=scenario.agent_options(collector, "waits", policy=policy))
    jvm.wait_exit()
    wrong = [line for line in jvm.lines if "native method" in line]
    check(not wrong, f"the JVM says {len(wrong)} times of the agent: {wrong[:1]}")
    recording = Recording(collector.download(collector.recording("waits"), scenario.path("download.jfr")))
    collector.stop()
    return read_waits(scenario.path("journal.txt")), recording


def locks(scenario):
    in_context = {**ON, "select": "if-context"}
    waits, recording = run_rounds(
        scenario, "lock", write_policy(scenario.path("policy.jfc"), {OWN: in_context, JFR: in_context}))
    check_waits(waits, recording, {**EXPECTED, "outside": (0, 0)})
    check_contexts(waits, recording)
    check(check_fields(recording.path) == recording.count(OWN), "the JDK's tool shows other events")


def parks(scenario):
    """A pinned thread parks its carrier in the end, so that both are there."""
    waits, recording = run_rounds(scenario, "park", MAGNIFY)
    expected = {"virtual": (1, 0), "outside": (0, 0), "platform": (0, 1), "pinned": (1, 1)}
    traced, parked = recording.of(TRACED), recording.of(PARK)
    for wait in waits:
        found = len(wait.find(traced)), len(wait.find(parked))
        check(found == expected[wait.kind], f"{wait.kind} of round {wait.round}: {found}, not {expected[wait.kind]}")
    events = json.loads(jfr("print", "--json", "--events", TRACED, recording.path))["recording"]["events"]
    methods = collections.Counter(event["values"]["method"]["name"] for event in events)
    check(set(methods) == {"park"}, f"{methods}")
    check_counted_as_parks(recording)
    print(f"waits {len(waits)}, events {recording.count(TRACED)}")


def ask(command, path, *options):
    done = subprocess.run([LOUPE, command, path, "--json", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          timeout=LIMIT_S, check=True)
    return json.loads(done.stdout)


def check_counted_as_parks(recording):
    """Of the time of the contexts, traced parks are park, as those of platform threads are; and none is a context."""
    answer = ask("why", recording.path, "--context", "e2e.Span")
    contexts, of_thread = recording.of("e2e.Span"), (recording.of(TRACED), recording.of(PARK))
    inside = [sum(any(part.start <= event.commit <= part.commit for part in contexts[thread])
                  for thread, events in of.items() for event in events) for of in of_thread]
    spans = {part.values["id"] for parts_of_thread in contexts.values() for part in parts_of_thread}
    rows = {row["category"]: row["events"] for row in answer["slices"]}
    check(answer["requests"] == len(spans), f"{answer['requests']} contexts, not {len(spans)}")
    traced = ask("contexts", recording.path, "--context", TRACED)
    check(traced["matched"] == 0, f"{traced['matched']} parks are contexts")
    check(rows["park"] == sum(inside) and inside[0] > 0, f"{rows}, not {inside} parks")
    check("other: jdk.MethodTrace" not in rows, f"{rows}")


def off(scenario):
    waits, recording = run_rounds(scenario, "lock", write_policy(scenario.path("policy.jfc"), {JFR: ON}))
    check_waits(waits, recording, {kind: (0, jfrs) for kind, (_, jfrs) in EXPECTED.items()})


def check_late(scenario, collector, jvm, stop):
    """From some round on all waits are there. Each event is of one wait."""
    recording = collector.recording("waits")
    path = scenario.path("download.jfr")
    wait_for("lock waits", lambda: Recording(collector.download(recording, path)).count(OWN))
    seen = int(jvm.lines[-1].split()[1])
    jvm.wait_line(f"round {seen + ROUNDS}$")
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    result = Recording(collector.download(recording, path))
    own = result.of(OWN)
    waits = [wait for wait in read_waits(scenario.path("journal.txt")) if EXPECTED[wait.kind][0]]
    counts = collections.Counter(len(wait.find(own)) for wait in waits if wait.round > seen + 1)
    check(set(counts) == {1}, f"waits with so many events: {counts}")
    # Threads that come upon a new agent at once wait for its lock, too, while a context type is registered.
    elsewhere = sum(not values["monitorClass"]["name"].endswith("VirtualWaitsE2E$Monitor") for values in own_values(path))
    check(result.count(OWN) - elsewhere == sum(len(wait.find(own)) for wait in waits), "an event is of no wait")
    print(f"waits {len(waits)}, events {result.count(OWN)}, {elsewhere} of them elsewhere")


def change(scenario):
    stop = scenario.path("stop")
    os.mkdir(scenario.path("policies"))
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = scenario.path("policies")
    jvm = scenario.jvm(25, "VirtualWaitsE2E", scenario.path("journal.txt"), "lock", f"until:{stop}", vm=VM,
                       agent=scenario.agent_options(collector, "waits"))
    jvm.wait_line("round 1$")
    write_policy(scenario.path("policies/waits.jfc"), {OWN: ON})
    check_late(scenario, collector.start(), jvm, stop)
    collector.stop()


def attach(scenario):
    stop = scenario.path("stop")
    policy = write_policy(scenario.path("policy.jfc"), {OWN: ON})
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = policy
    collector.start()
    jvm = scenario.jvm(25, "VirtualWaitsE2E", scenario.path("journal.txt"), "lock", f"until:{stop}",
                       vm=[*VM, "-XX:+EnableDynamicAgentLoading"])
    jvm.wait_line("round 1$")
    out = jvm.load_agent(25, scenario.agent_options(collector, "waits", policy=policy))
    check("return code: 0" in out, f"jcmd: {out}")
    check_late(scenario, collector, jvm, stop)
    collector.stop()


def refused(scenario):
    settings, path = write_policy(scenario.path("policy.jfc"), {OWN: ON, JFR: ON}), scenario.path("own.jfr")
    jvm = scenario.jvm(25, "VirtualWaitsE2E", scenario.path("journal.txt"), "lock", f"rounds:{ROUNDS}",
                       vm=[*VM, f"-XX:StartFlightRecording=settings={settings},filename={path}"],
                       agent=f"collector=no-url,service=waits,policy={settings}")
    jvm.wait_exit()
    check("this agent does nothing" in scenario.log_of("VirtualWaitsE2E"), "the agent is not refused")
    check_waits(read_waits(scenario.path("journal.txt")), Recording(path),
                {kind: (0, jfrs) for kind, (_, jfrs) in EXPECTED.items()})


CASES = {"locks": locks, "parks": parks, "off": off, "change": change, "attach": attach, "refused": refused}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"virtual-waits-{args.case}", CASES[args.case])


main()
