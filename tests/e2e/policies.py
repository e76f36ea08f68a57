# SPDX-License-Identifier: Apache-2.0
"""Promised: the policies that Loupe comes with. `loupe policy check` finds nothing; a JVM records by each of them
without the agent, and `jfr configure` reads them; they name what the JDK records by default, and say why where they
differ; what is compacted by them is what they promise. Without a policy `loupe compact` uses the settings of Loupe's that
the recording has.
"""

import argparse
import collections
import filecmp
import os
import re
import struct
import subprocess
import xml.etree.ElementTree

from support import elimination, judge
from support.process import LIMIT_S, LOUPE, check, jdk_home, jfr, need_jdk, oracle, run

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies")
NAMES = ("loupe", "magnify", "raw")
REQUEST = "e2e.Request"
ITEM = "e2e.Item"  # its class declares `select`
TOLD = "dev.loupe.Request"  # what Loupe says of a request that is kept
WAITS = ("jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.ThreadSleep")
TINY_MS = 1  # loupe.jfc passes over what is shorter
LONG_MS = 20  # the JDK passes over what is shorter, by default
# The JVM and Loupe each take a sample of these; which of them come out is the matter of other tests.
THROTTLED = "jdk.ObjectAllocationSample"


def path_of(name):
    return os.path.join(FOLDER, f"{name}.jfc")


def settings_of(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    return {event.get("name"): {s.get("name"): s.text for s in event.findall("setting")} for event in root.iter("event")}


def defaults():
    """The default.jfc of the JDKs; the newer one counts."""
    merged = {}
    for feature in (17, 25):
        merged.update(settings_of(f"{need_jdk(feature)}/lib/jfr/default.jfc"))
    return merged


def check_differences(name):
    default, own = defaults(), settings_of(path_of(name))
    missing = [event for event, settings in default.items() if settings["enabled"] == "true" and event not in own]
    check(not missing, f"{name} does not name {missing}")
    with open(path_of(name), encoding="utf-8") as file:
        lines = file.read().splitlines()
    found = 0
    for number, line in enumerate(lines):
        event = re.match(r' *<event name="(.*?)">', line)
        if event and own[event.group(1)] != default.get(event.group(1)):
            check(re.fullmatch(r" *<!-- .+ -->", lines[number - 1]), f"{name} does not say why {event.group(1)} differs")
            found += 1
    check(found > 0, f"{name} is the JDK's")


def check_file(scenario, feature, name):
    done = subprocess.run([LOUPE, "policy", "check", path_of(name)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LIMIT_S, check=False)
    check(done.returncode == 0 and b"fine" in done.stdout, f"{name}: {done.stdout.decode()}")
    out = scenario.path(f"{name}-configured.jfc")
    jfr("configure", "--input", path_of(name), "--output", out, feature=feature)
    configured = settings_of(out)
    check(configured == settings_of(path_of(name)), f"{name}: jfr configure makes something else of it")


def record(scenario, feature, name):
    path = scenario.path(f"{name}.jfr")
    jvm = scenario.jvm(feature, "PoliciesE2E", scenario.path("written"), name=name,
                       vm=[f"-XX:StartFlightRecording:settings={path_of(name)},filename={path},+{ITEM}#select=if-context"])
    jvm.wait_exit(120)
    text = "\n".join(jvm.lines) + scenario.log_of(name)
    check("warning" not in text.lower() and "error" not in text.lower(), f"the JVM about {name}: {text}")
    return path


def compact(scenario, source, name):
    out = scenario.path(f"{os.path.basename(source)}-{name}.jfr")
    done = elimination.compact(source, out, path_of(name))
    check(done.returncode == 0 and not done.stderr, f"compact by {name}: {done.stderr.decode()}")
    return judge.dump(out), judge.dump_added(out, TOLD)


def is_inside(event, contexts):
    return any(c.thread == event.thread and c.start <= event.commit <= c.commit for c in contexts)


def keys(events):
    return collections.Counter(event.key() for event in events)


class Clock:
    """The wall time of ticks, by the header of the first chunk."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.start_ns, _, self.start_ticks, self.ticks_per_s = struct.unpack(">4q", file.read(64)[32:])

    def minute(self, ticks):
        return (self.start_ns + (ticks - self.start_ticks) * 10**9 // self.ticks_per_s) // (60 * 10**9)


def reasons(settings, clock, contexts, triggered):
    """Why the requests are kept that are, by the policy's settings and in their most naive form. All of one route."""
    check(settings == {"request-keep": "whole", "keep-slow": "1 s", "keep-slowest": "10/m", "keep-rare": "1/h"}, f"{settings}")
    found, before = {}, []
    for context in sorted(contexts, key=lambda c: c.commit):
        minute, ticks = clock.minute(context.commit), context.commit - context.start
        in_hour = [c for c in before if clock.minute(c.commit) // 60 == minute // 60 and c.key() in found]
        if ticks >= clock.ticks_per_s:
            found[context.key()] = "slow"
        elif sum(clock.minute(c.commit) == minute and c.commit - c.start >= ticks for c in before) < 10:
            found[context.key()] = "slowest"
        elif context.key() in triggered:
            found[context.key()] = "event"
        elif not in_hour:
            found[context.key()] = "rare"
        before.append(context)
    return found


def check_requests(name, clock, contexts, kept, told, triggered):
    """The requests are kept that the policy asks for, and what is said of them is why."""
    expected = reasons(settings_of(path_of(name))[TOLD], clock, contexts, triggered)
    found = {e.key() for e in kept if e.type == REQUEST}
    check(found == set(expected), f"{name}: {len(found)} requests, not {len(expected)}")
    check(len(triggered) < len(expected), f"{name}: {len(expected)} requests, {len(triggered)} of them triggered")
    said = {(REQUEST, *e.key()[1:]): e.values["keptBy"][1:] for e in told}
    check(said == expected, f"{name}: {said} instead of {expected}")


def check_kept(name, path, events, compacted):
    """What is kept of the events of path, and said of its requests, is what the policy promises."""
    kept, told = compacted
    own = settings_of(path_of(name))
    contexts = [e for e in events if e.type == REQUEST]
    def is_kept(event):
        settings = own.get(event.type, {})
        is_open = settings.get("select") != "if-context" or is_inside(event, contexts)
        return settings.get("enabled") != "false" and is_open
    expected = [e for e in events if e.type not in (REQUEST, THROTTLED) and is_kept(e)]
    found = [e for e in kept if e.type not in (REQUEST, THROTTLED)]
    check(keys(found) == keys(expected), f"{name}: {judge.diff(keys(expected).elements(), keys(found).elements())}")
    triggered = {c.key() for c in contexts if any(is_inside(e, [c]) for e in kept if e.type != REQUEST)}
    check_requests(name, Clock(path), contexts, kept, told, triggered)
    before, after = count_work(events), count_work(kept)
    check(after == {key: count for key, count in before.items() if key[1]}, f"{name}: of {before} there are {after}")


def check_raw(scenario, path, events):
    out = scenario.path("all.jfr")
    done = elimination.compact(path, out, path_of("raw"))
    check(done.returncode == 0 and not done.stderr, f"compact by raw: {done.stderr.decode()}")
    status, output = oracle("OracleEquals", path, out)
    check(status == 0, f"raw leaves something out: {output}")
    check(sum(1 for e in events if e.type == REQUEST) == 20, "a request is missing")


def check_settings_in(scenario, path, events):
    """Without a policy the setting in the recording decides, as a policy would that has nothing else; with one it does not."""
    same = elimination.write_policy(scenario.path("select.jfc"), {ITEM: {"select": "if-context"}})
    outs = [scenario.path("by-itself.jfr"), scenario.path("by-policy.jfr")]
    for out, policy in zip(outs, (elimination.DEFAULT, same)):
        done = elimination.compact(path, out, policy)
        check(done.returncode == 0 and not done.stderr, f"compact, {policy}: {done.stderr.decode()}")
    check(filecmp.cmp(*outs, shallow=False), "the setting in the recording is not as one in a policy")
    contexts = [e for e in events if e.type == REQUEST]
    expected = [e for e in events if e.type == ITEM and is_inside(e, contexts)]
    found = [e for e in judge.dump(outs[0]) if e.type == ITEM]
    check(keys(found) == keys(expected) and len(expected) == 10, f"{len(found)} items, not {len(expected)}")
    check(sum(e.type == ITEM for e in events) == 30, "an item was not recorded")


def count_work(events, ms=0):
    """How often the program's thread waited, by whether in a request, and how long: tiny, short or long; ms are ticks."""
    requests = [e for e in events if e.type == REQUEST]
    waits = [e for e in events if e.type in WAITS and e.thread == requests[0].thread]
    def length(event):
        taken = event.commit - event.start
        return "tiny" if taken < TINY_MS * ms else "short" if taken < LONG_MS * ms else "long"
    return collections.Counter((e.type, is_inside(e, requests), length(e)) for e in waits)


def check_waits(paths, recorded):
    """The JVM has recorded what the policies are about, so that there was something to choose from."""
    counts = {name: count_work(recorded[name], Clock(paths[name]).ticks_per_s / 1000) for name in NAMES}
    for is_in in (False, True):
        for name in NAMES:
            for wait in WAITS:
                check(counts[name][wait, is_in, "short"] > 0, f"{name}: no short waits: {counts[name]}")
                check(counts[name][wait, is_in, "long"] >= 10, f"{name}: long waits: {counts[name]}")
                check(name != "loupe" or not counts[name][wait, is_in, "tiny"], f"loupe: tiny waits: {counts[name]}")
            check(name == "loupe" or counts[name]["jdk.ThreadPark", is_in, "tiny"] > 0, f"{name}: no tiny parks: {counts[name]}")
    for name in ("magnify", "raw"):
        writes = [e for e in recorded[name] if e.type == "jdk.FileWrite"]
        check(len(writes) >= 30, f"{name}: {len(writes)} writes")


def scenario_of(feature):
    def body(scenario):
        need_jdk(feature)
        if jdk_home(17) and jdk_home(25):
            for name in NAMES:
                check_differences(name)
        for name in NAMES:
            check_file(scenario, feature, name)
        paths = {name: record(scenario, feature, name) for name in NAMES}
        recorded = {name: judge.dump(path) for name, path in paths.items()}
        check_waits(paths, recorded)
        check_raw(scenario, paths["raw"], recorded["raw"])
        check_settings_in(scenario, paths["raw"], recorded["raw"])
        for name in ("loupe", "magnify"):
            check_kept(name, paths[name], recorded[name], compact(scenario, paths[name], name))
        check_kept("magnify", paths["raw"], recorded["raw"], compact(scenario, paths["raw"], "magnify"))
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"policies-{args.jdk}", scenario_of(args.jdk))


main()
