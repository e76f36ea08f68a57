# SPDX-License-Identifier: Apache-2.0
"""Promised: with --policy-dir a JVM records, and the collector keeps, what the file of its service says, as it is now.

--case services: two services, each with its policy; the default for the third, and none for a fourth.
--case change:   files change, break, and go while the JVM runs.
--case restart:  the collector is killed, and the policy is another one when it is back; somebody stops JFR's recording.
--case late:     event types that are registered after the policy came, by name and by pattern; contexts among them are
                 not throttled by the JVM.
--case deny:    a type that the operator of the JVM denies is not recorded, by whatever name a policy switches it on.
--case own:     where there is no file, the agent's policy and settings of other recordings decide, as the recording says;
                 mistakes in them are told once in the JVM's log; and a file that comes goes before them.
--case file:    with --policy that one file is the policy of all services, as it is now.
--case memory:   there is none for the chunk that a new policy needs; JDK 17.
"""

import argparse
import os

from support import chunks, jfrbytes, judge
from support.elimination import write_policy
from support.process import Collector, check, run_each, wait_for

ON, SHORT, OFF = "on", "short", "off"
ALPHA, BETA = "e2e.Alpha", "e2e.Beta"
VARIABLE = "jdk.InitialEnvironmentVariable"
SINCE = 200  # numbers, which is two seconds: so much later the other type would have been there, too


class Policies:
    """A directory of policies, and the collector on it."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.dir = scenario.path("policies")
        os.mkdir(self.dir)
        self.collector = Collector(scenario)
        self.collector.env["LOUPE_POLICY_DIR"] = self.dir

    def path(self, name):
        return os.path.join(self.dir, f"{name}.jfc")

    def write(self, name, settings):
        """Replaces a policy at once, as editors do."""
        path = write_policy(self.path(name) + ".new", {"jdk.ActiveSetting": {"enabled": "true"}, **settings})
        os.replace(path, self.path(name))

    def start_jvm(self, feature, service, vm=(), **options):
        agent = self.scenario.agent_options(self.collector, service, **options)
        return self.scenario.jvm(feature, "PolicyE2E", agent=agent, name=service, vm=vm)

    def count_chunks(self, service):
        path = self.scenario.path("download.jfr")
        return len(chunks.split(self.collector.download(self.collector.recording(service), path)))

    def events(self, service):
        """The events of a service's recording as it is now, by type."""
        path = self.scenario.path("download.jfr")
        found = {}
        for event in judge.dump(self.collector.download(self.collector.recording(service), path), "e2e."):
            found.setdefault(event.type, []).append(event)
        return found

    def numbers(self, service):
        """The numbers of the events of a service's recording as it is now, by type, in order."""
        return {name: [int(e.values["seq"]) for e in events]
                for name, events in self.events(service).items() if name.startswith("e2e.")}

    def parks(self, service):
        """The waits of the program's main thread."""
        path = self.scenario.path("download.jfr")
        self.collector.download(self.collector.recording(service), path)
        return [e for e in judge.dump(path, "jdk.ThreadPark") if e.type == "jdk.ThreadPark"]

    def in_force(self, service):
        answer = self.collector.get(f"/api/v1/policies/{service}")
        check(answer.status == 200, f"{answer.status} {answer.body}")
        return answer.json()


def command(jvm, letter):
    jvm.process.stdin.write(letter)
    jvm.process.stdin.flush()


def run_own(jvm, letter):
    """Has the program start or end a recording of its own, and returns the last number before."""
    def found():
        return [line for line in list(jvm.lines) if line.startswith("own-")]
    told = len(found())
    command(jvm, letter)
    wait_for("the program's own recording", lambda: len(found()) > told)
    return int(found()[-1].split(" ")[1])


def stop(*jvms):
    for jvm in jvms:
        command(jvm, b"s")
        jvm.wait_exit()


def wait_states(jvm, states):
    """Waits until JFR records types like that, by what the program said last."""
    def is_so():
        last = dict(line.split(" ") for line in list(jvm.lines))
        return all(last.get(name) == state for name, state in states.items())
    wait_for(f"{jvm.name}: {states}", is_so)


def is_left_out(numbers, left_out, kept):
    """Whether the events of one type are there while those of the other are not any more."""
    last = max(numbers.get(left_out, [0]))
    return len([number for number in numbers.get(kept, ()) if number > last]) > SINCE


def services(feature, scenario):
    policies = Policies(scenario)
    policies.write("checkout", {"e2e.*": {"threshold": "1 h", "select": "if-triggered", "filter": "off"},
                                ALPHA: {"threshold": "0 ns", "throttle": "1000000/s"}})
    policies.write("stock", {ALPHA: {"enabled": "false"}, BETA: {"select": "all"}})
    policies.write("default", {ALPHA: {"select": "if-context"}, BETA: {"filter": "has-no-context"}})
    policies.collector.start()
    checkout, stock, other = (policies.start_jvm(feature, name) for name in ("checkout", "stock", "../stock"))
    wait_states(checkout, {ALPHA: ON, BETA: SHORT})
    wait_states(stock, {ALPHA: OFF, BETA: ON})
    wait_states(other, {ALPHA: ON, BETA: ON})
    wait_for("checkout without Beta", lambda: is_left_out(policies.numbers("checkout"), BETA, ALPHA))
    wait_for("stock without Alpha", lambda: is_left_out(policies.numbers("stock"), ALPHA, BETA))
    wait_for("the rest without Alpha", lambda: is_left_out(policies.numbers("../stock"), ALPHA, BETA))
    check_active(policies, "checkout", {(ALPHA, "threshold"): "0 ns", (BETA, "threshold"): "1 h",
                                        # It is not for such a type.
                                        (ALPHA, "select"): "all", (BETA, "select"): "all",
                                        (ALPHA, "throttle"): "1000000/s", (BETA, "filter"): "off"})
    check_active(policies, "stock", {(ALPHA, "enabled"): "false", (BETA, "enabled"): "true", (BETA, "select"): "all",
                                     (ALPHA, "select"): None, (BETA, "filter"): None})
    check_active(policies, "../stock", {(ALPHA, "select"): "if-context", (BETA, "filter"): "has-no-context",
                                        (BETA, "select"): None, ("jdk.ThreadPark", "select"): None})
    stop(checkout, stock, other)
    policies.collector.stop()


def check_active(policies, service, expected):
    """The last chunk says itself what was in force, for JFR and for the collector, also of types without events."""
    path = policies.scenario.path("download.jfr")
    policies.collector.download(policies.collector.recording(service), path)
    last = chunks.split(path)[-1]
    with open(last, "rb") as file:
        described = jfrbytes.Chunk(file.read())
    said = {}
    for event in sorted(judge.dump(last, "jdk.ActiveSetting"), key=lambda e: e.start):
        if event.type == "jdk.ActiveSetting":
            said[event.values["id"], event.values["name"]] = event.values["value"].replace("\\u0020", " ")
    for (name, setting), value in expected.items():
        found = said.get((str(described.type_named(name).id), "=" + setting))
        check(found == (value and "=" + value), f"{service}: {name}#{setting} is {found}, not {value}")


def change(feature, scenario):
    policies = Policies(scenario)
    policies.write("shop", {})
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop")
    wait_states(jvm, {ALPHA: ON, BETA: ON})
    policies.write("shop", {ALPHA: {"enabled": "false"}})
    wait_states(jvm, {ALPHA: OFF, BETA: ON})
    wait_for("Alpha is left out", lambda: is_left_out(policies.numbers("shop"), ALPHA, BETA))
    # Settings that only the collector applies.
    policies.write("shop", {BETA: {"select": "if-context"}})
    wait_states(jvm, {ALPHA: ON, BETA: ON})
    wait_for("Beta is left out", lambda: is_left_out(policies.numbers("shop"), BETA, ALPHA))
    # In place, and broken.
    with open(policies.path("shop"), "w", encoding="ascii") as file:
        file.write("<configuration>\n<event>")
    wait_for("a line in the log", lambda: "stays in force" in scenario.log_of("collector"))
    shown = policies.in_force("shop")
    check(shown["refused"]["file"] == shown["file"] == policies.path("shop"), f"{shown}")
    check({"event": BETA, "settings": {"select": "if-context"}} in shown["events"], f"{shown}")
    last = max(policies.numbers("shop")[ALPHA])
    wait_for("two seconds more", lambda: max(policies.numbers("shop")[ALPHA]) > last + SINCE)
    numbers = policies.numbers("shop")
    check(is_left_out(numbers, BETA, ALPHA), f"the old policy is not in force: {max(numbers[BETA])}")
    wait_states(jvm, {ALPHA: ON, BETA: ON})
    # Mended, and gone: then the default's, and then the agent's own, which is profile.
    policies.write("default", {BETA: {"enabled": "false"}})
    policies.write("shop", {ALPHA: {"threshold": "1 h"}})
    wait_states(jvm, {ALPHA: SHORT, BETA: ON})
    os.remove(policies.path("shop"))
    wait_states(jvm, {ALPHA: ON, BETA: OFF})
    os.remove(policies.path("default"))
    wait_states(jvm, {ALPHA: ON, BETA: ON})
    stop(jvm)
    policies.collector.stop()


def restart(feature, scenario):
    policies = Policies(scenario)
    policies.write("shop", {ALPHA: {"enabled": "false"}})
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop", segment=3600)
    wait_states(jvm, {ALPHA: OFF, BETA: ON})
    wait_for("Alpha is left out", lambda: is_left_out(policies.numbers("shop"), ALPHA, BETA))
    jvm.jcmd(feature, "JFR.stop", "name=loupe")
    wait_for("another start", lambda: "somebody stopped the agent's recording" in scenario.log_of("shop"))
    wait_states(jvm, {ALPHA: OFF, BETA: ON})
    before = policies.numbers("shop")
    policies.collector.kill()
    policies.write("shop", {BETA: {"enabled": "false"}})
    policies.collector.start()
    wait_states(jvm, {ALPHA: ON, BETA: OFF})
    wait_for("Beta is left out", lambda: is_left_out(policies.numbers("shop"), BETA, ALPHA))
    stop(jvm)
    after = policies.numbers("shop")
    # What was decided by the first policy stays so.
    last = max(before[BETA])
    for name in (ALPHA, BETA):
        check([n for n in after.get(name, ()) if n <= last] == before.get(name, []), f"{name} is another one now")
    policies.collector.stop()


def late(feature, scenario):
    policies = Policies(scenario)
    policies.write("shop", {"e2e.late.*": {"enabled": "false"}, ALPHA: {"threshold": "1 h"},
                            "e2e.LateName": {"threshold": "1 h"}})
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop")
    wait_states(jvm, {ALPHA: SHORT, BETA: ON})
    command(jvm, b"r")
    wait_states(jvm, {"e2e.LateName": SHORT, "e2e.late.Pattern": OFF})
    check("e2e.LateName on" not in jvm.lines, "JFR does not know the setting of a type by its name")
    policies.write("shop", {"e2e.late.*": {"enabled": "false"}, "*": {"threshold": "1 h"},
                            "e2e.late.Pattern": {"enabled": "true"}})
    wait_states(jvm, {ALPHA: SHORT, BETA: SHORT, "e2e.LateName": SHORT, "e2e.late.Pattern": SHORT})
    # By its annotation alone one of them is contextual.
    policies.write("shop", {"e2e.*": {"throttle": "900000/s"}, BETA: {"throttle": "800000/s"}})
    wait_states(jvm, {f"{ALPHA}#throttle": "900000/s", f"{BETA}#throttle": "800000/s", "e2e.LateContext#throttle": "off"})
    policies.write("shop", {ALPHA: {"throttle": "700000/s"}, "e2e.LateContext": {"throttle": "600000/s"}})
    wait_states(jvm, {f"{ALPHA}#throttle": "700000/s", f"{BETA}#throttle": "none", "e2e.LateContext#throttle": "off"})
    policies.write("shop", {"e2e.LateContext": {"enabled": "true"}})
    wait_states(jvm, {f"{ALPHA}#throttle": "none", "e2e.LateContext#throttle": "none"})
    stop(jvm)
    policies.collector.stop()


def check_denied(policies, jvm):
    found = policies.events("shop")
    for denied in (ALPHA, "e2e.LateName", "e2e.late.Pattern"):
        check(denied not in found and not any(line == f"{denied} on" for line in jvm.lines), f"there is {denied}")
    path = policies.scenario.path("download.jfr")
    of_jdk = {event.type for event in judge.dump(path, "jdk.")}
    for name in (VARIABLE, "jdk.InitialSystemProperty"):
        check(name not in of_jdk, f"there is {name}")
    check("jdk.JVMInformation" in of_jdk, f"of the JDK's there are only {of_jdk}")


def deny(feature, scenario):
    policies = Policies(scenario)
    enabled = {"enabled": "true"}
    numbers = {str(number): enabled for number in range(3000)}  # of the event types in the JVM, among others
    everything = {"*": enabled, ALPHA: enabled, "e2e.LateName": enabled, "e2e.late.*": enabled, VARIABLE: enabled, **numbers,
                  "com.oracle.jdk.InitialEnvironmentVariable": enabled, "com.oracle.jdk.InitialSystemProperty": enabled}
    policies.write("shop", everything)
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop", deny=f"{ALPHA}+e2e.Late*+jdk.Initial*+jdk.NoSuchType+e2e.late.Pattern")
    wait_states(jvm, {ALPHA: OFF, BETA: ON})
    check("option deny: this JVM has no event type jdk.NoSuchType" in scenario.log_of("shop"), "a mistake is not told")
    check(scenario.log_of("shop").count("option deny") == 1, "more is told")
    policies.write("shop", {**everything, BETA: {"threshold": "1 h"}})
    wait_states(jvm, {ALPHA: OFF, BETA: SHORT})
    command(jvm, b"r")
    wait_states(jvm, {"e2e.LateName": OFF, "e2e.late.Pattern": OFF, "e2e.LateContext": OFF})
    policies.write("shop", everything)
    wait_states(jvm, {ALPHA: OFF, BETA: ON, "e2e.LateName": OFF, "e2e.late.Pattern": OFF, "e2e.LateContext": OFF})
    wait_for("events without it", lambda: is_left_out(policies.numbers("shop"), ALPHA, BETA))
    check_denied(policies, jvm)
    os.remove(policies.path("shop"))  # then the agent's own holds, which is profile
    last = max(policies.numbers("shop")[BETA])
    wait_for("two seconds more", lambda: max(policies.numbers("shop")[BETA]) > last + SINCE)
    stop(jvm)
    check_denied(policies, jvm)
    policies.collector.stop()


def memory(feature, scenario):
    policies = Policies(scenario)
    policies.write("shop", {BETA: {"threshold": "1 h"}})
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop", vm=["-Djava.security.manager=allow"], segment=3600)
    wait_states(jvm, {ALPHA: ON, BETA: SHORT})
    wait_for("Beta is left out", lambda: is_left_out(policies.numbers("shop"), BETA, ALPHA))
    before = policies.count_chunks("shop")
    command(jvm, b"f")
    wait_states(jvm, {"failing": "next"})
    policies.write("shop", {ALPHA: {"threshold": "1 h"}})
    wait_states(jvm, {"failed": "now", ALPHA: SHORT, BETA: ON})
    stop(jvm)
    # It is tried again before the policy is followed, and then once is enough.
    after = policies.count_chunks("shop")
    check(after == before + 1, f"{before} chunks with the old policy, {after} with the new one")
    policies.collector.stop()


def own(feature, scenario):
    late_name, source = "e2e.LateName", ("jdk.ActiveSetting", "policy")
    settings = {
        "jdk.ActiveSetting": {"enabled": "true"}, ALPHA: {
            "select": "if-context", "throttle": "900000/s", "filter": 'has-key "a&lt;b&amp;c"'},
        "e2e.late.*": {"enabled": "false"}, late_name: {
            "select": "if-contxt", "context-threshold": "0 s", "throttle": "800000/s"},
        "e2e.LateContext": {"select": "if-context"}, "dev.loupe.Request": {"keep-slow": "soon", "keep-slowest": "10/m"},
        "dev.loupe.JvmPolicy": {"wait-budget": "lots"}}
    # Which of them choose, and so need all events, is the same wherever they are written.
    throttles = {f"{ALPHA}#throttle": "off", f"{late_name}#throttle": "800000/s"}
    path = write_policy(scenario.path("own.jfc"), settings)
    policies = Policies(scenario)
    policies.collector.start()
    parks = "+jdk.ThreadPark#{}={}"  # the JVM starts this recording after the agent, and before main
    jvm = policies.start_jvm(feature, "shop", policy=path, vm=["-Xlog:jfr+startup=off", "-XX:StartFlightRecording:settings=none," + ",".join(
        parks.format(*one) for one in (("enabled", "true"), ("threshold", "0ns"), ("select", "if-context")))])
    wait_states(jvm, {ALPHA: ON, f"{ALPHA}#throttle": "off", BETA: ON})
    command(jvm, b"r")
    wait_states(jvm, {late_name: ON, "e2e.late.Pattern": OFF, **throttles})
    wait_for("the first of Beta", lambda: BETA in policies.numbers("shop"))
    check(ALPHA not in policies.numbers("shop"), "the first chunk has Alpha")
    # Of another recording, which enables the class; at first while no collector is there.
    policies.collector.kill()
    begin = run_own(jvm, b"o")
    # The agent's thread takes them, and says what is wrong with one; the chunk may be read before, and ends with this recording.
    wait_for("the settings are taken", lambda: "e2e.late.Pattern, setting select" in scenario.log_of("shop"))
    end = run_own(jvm, b"p")
    policies.collector.start()
    wait_for("Beta again", lambda: max(policies.numbers("shop")[BETA]) > end + SINCE)
    found = sorted(number for number in policies.numbers("shop")[BETA] if number <= end + SINCE)
    check(found == [*range(1, begin + 1), *range(end + 1, end + SINCE + 1)], f"not without {begin} to {end}: {found}")
    command(jvm, b"o")
    wait_for("Beta is left out", lambda: is_left_out(policies.numbers("shop"), BETA, late_name))
    check(ALPHA not in policies.numbers("shop"), "there is Alpha")
    check(not policies.parks("shop"), "there are waits, which are in no context")
    check_active(policies, "shop", {(ALPHA, "select"): "if-context", (BETA, "select"): "if-context", (late_name, "select"): "all",
                                    (ALPHA, "filter"): 'has-key "a<b&c"', (late_name, "withContext"): "true", source: "the own policy of JVMs of shop"})
    # The collector's, the same at first, goes before all of them, and they hold again without it.
    policies.write("shop", {BETA: {"throttle": "1/h"}})
    wait_states(jvm, {f"{ALPHA}#throttle": "none", f"{late_name}#throttle": "none", f"{BETA}#throttle": "1/h"})
    policies.write("shop", settings)
    wait_states(jvm, throttles)
    policies.write("shop", {late_name: {"select": "if-context"}})
    wait_for("LateName is left out", lambda: is_left_out(policies.numbers("shop"), late_name, ALPHA))
    check(is_left_out({BETA: [0], **policies.numbers("shop")}, late_name, BETA), "Beta is left out")
    check(policies.parks("shop"), "there were no waits to leave out")
    check_active(policies, "shop", {(ALPHA, "select"): None, (BETA, "select"): None, source: policies.path("shop")})
    command(jvm, b"p")
    os.remove(policies.path("shop"))
    wait_for("Alpha is left out", lambda: is_left_out(policies.numbers("shop"), ALPHA, BETA))
    log = scenario.log_of("shop")
    for told in (f"event type {late_name}, setting select: invalid value 'if-contxt', expected all, if-context or if-triggered; using all",
                 "event type dev.loupe.Request, setting keep-slow: invalid value 'soon', expected off or a timespan above 0 such as 500 ms; using off",
                 "event type dev.loupe.JvmPolicy, setting wait-budget: invalid value 'lots', expected off or a rate such as 100/s; using off",
                 "event type e2e.late.Pattern, setting select: invalid value 'if-context' for a contextual type",
                 "event type e2e.LateContext, setting select: invalid value 'if-context' for a contextual type",
                 "the collector has a policy for this service"):
        check(log.count(told) == 1, f"not once in the log: {told}")
    stop(jvm)
    policies.collector.stop()


def one_file(feature, scenario):
    path = scenario.path("all.jfc")
    def write(settings):
        os.replace(write_policy(path + ".new", settings), path)
    write({BETA: {"enabled": "false"}})
    policies = Policies(scenario)
    policies.collector.env = {"LOUPE_POLICY": path}
    policies.collector.start()
    jvm = policies.start_jvm(feature, "shop")
    wait_states(jvm, {ALPHA: ON, BETA: OFF})
    check(policies.in_force("shop")["file"] == path, f"{policies.in_force('shop')}")
    write({ALPHA: {"enabled": "false"}})
    wait_states(jvm, {ALPHA: OFF, BETA: ON})
    wait_for("Alpha is left out", lambda: is_left_out(policies.numbers("shop"), ALPHA, BETA))
    stop(jvm)
    policies.collector.stop()


CASES = {"services": services, "file": one_file, "change": change, "restart": restart, "late": late, "deny": deny, "memory": memory, "own": own}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), nargs="+", required=True)
    args = parser.parse_args()
    run_each({f"policy-dir-{case}-{args.jdk}": lambda scenario, case=case: CASES[case](args.jdk, scenario) for case in args.case})


main()
