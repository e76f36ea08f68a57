# SPDX-License-Identifier: Apache-2.0
"""Promised: what happens before the collector has answered is recorded as well, and the recording says by which policy.

--case locks:  forty virtual threads want one lock as soon as the JVM runs, and the JVM ends soon after; JDK 25. Each wait
               is there, however soon the collector answers, in each of several starts. Costs 6 s; more starts with LOUPE_TEST_ALL.
--case waits:  until the collector answers, the JVM records the waits that loupe.jfc names, by its thresholds.
--case policy: each chunk says by which policy the JVM records, and since when: by the agent's own, by the
               collector's once that is there, and by the agent's own again.
--case floor:  while there are more waits than the policy's wait-budget, shorter ones than a floor are not recorded, which
               each chunk says; when they are over, and under a policy without a budget, all are again. Costs 25 s.
"""

import argparse
import functools
import itertools
import json
import os
import re
import xml.etree.ElementTree

from support import chunks, judge
from support.elimination import write_policy
from support.process import Collector, check, jfr, run_each, times, wait_for

POLICIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies")
ALPHA, LOCK, POLICY = "e2e.Alpha", "dev.loupe.VirtualThreadMonitorEnter", "dev.loupe.JvmPolicy"
PARK, MS = "jdk.ThreadPark", 1_000_000
STARTS, THREADS, HELD_MS = times(2, 5), 40, 37
WAITS = {LOCK, "jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter", "jdk.ThreadSleep", "jdk.SocketRead",
         "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce"}


def values_of(path, *types):
    """For each of the types the values of its events, as the JDK's tool shows them."""
    events = json.loads(jfr("print", "--json", "--events", ",".join(types), path))["recording"]["events"]
    return [[event["values"] for event in events if event["type"] == one] for one in types]


def locks(_feature, scenario):
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = POLICIES
    collector.start()
    for start in range(STARTS):
        service = f"start-{start}"
        jvm = scenario.jvm(25, "ShortLivedE2E", str(THREADS), str(HELD_MS), name=service,
                           agent=scenario.agent_options(collector, service))
        jvm.wait_exit()
        path = collector.download(collector.recording(service), scenario.path("download.jfr"))
        locks_taken, policies = values_of(path, LOCK, POLICY)
        waited = [values for values in locks_taken if values["monitorClass"]["name"].endswith("ShortLivedE2E$Monitor")]
        threads = {values["eventThread"]["javaThreadId"] for values in waited}
        check(len(waited) == len(threads) == THREADS, f"start {start}: {len(waited)} waits of {len(threads)} threads")
        check((policies[0]["origin"], policies[0]["policy"]) == ("agent", "loupe"), f"{policies[0]}")
    collector.stop()


def shipped_settings():
    """What loupe.jfc says of waits."""
    root = xml.etree.ElementTree.parse(os.path.join(POLICIES, "loupe.jfc")).getroot()
    return {event.get("name"): {s.get("name"): s.text for s in event} for event in root.iter("event")
            if event.get("name") in WAITS}


def waits(feature, scenario):
    """No collector is there at all."""
    jvm = scenario.jvm(feature, "PolicyE2E", agent="collector=tcp://127.0.0.1:9,service=waits,log=error")
    jvm.wait_line(f"{ALPHA} on$")
    told = jvm.jcmd(feature, "JFR.check", "verbose=true")
    found = {name: dict(pair.split("=", 1) for pair in pairs.split(","))
             for name, pairs in re.findall(r"\(([\w.]+)\)\n +\[(.*)\]", told) if name in WAITS}
    expected = shipped_settings()
    check(set(expected) == WAITS, f"loupe.jfc has {sorted(expected)}")
    check(set(found) == WAITS - ({LOCK} if feature < 25 else set()), f"{sorted(found)}")
    for name, settings in found.items():
        for key in ("enabled", "threshold", "stackTrace"):
            check(settings[key] == expected[name][key], f"{name}: {settings}, not {expected[name]}")
    end(jvm)


def command(jvm, letter):
    jvm.process.stdin.write(letter)
    jvm.process.stdin.flush()


def end(jvm):
    command(jvm, b"s")
    jvm.wait_exit()


def said(piece):
    """By which policy the JVM records in a chunk, as it says: whose, which, since when."""
    events = sorted((e for e in judge.dump(piece, POLICY) if e.type == POLICY), key=lambda e: e.start)
    return [(e.values["origin"][1:], e.values["policy"][1:], int(e.values["since"])) for e in events]  # behind marks


def policy(feature, scenario):
    own = write_policy(scenario.path("own.jfc"), {ALPHA: {"enabled": "true"}})
    os.mkdir(scenario.path("policies"))
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = scenario.path("policies")
    collector.start()
    jvm = scenario.jvm(feature, "PolicyE2E", agent=scenario.agent_options(collector, "shop", policy=own, segment=1))
    path, recording = scenario.path("download.jfr"), collector.recording("shop")

    def states():
        pieces = [said(piece) for piece in chunks.split(collector.download(recording, path))]
        check(all(pieces), f"a chunk says nothing: {pieces}")
        return [state for piece in pieces for state in piece]
    def wait_last(origin):
        return wait_for(f"a policy of the {origin}", lambda: states()[-1][0] == origin and states())

    wait_last("agent")
    theirs = write_policy(scenario.path("new.jfc"), {ALPHA: {"threshold": "0 ns"}})
    os.replace(theirs, scenario.path("policies/shop.jfc"))
    wait_last("collector")
    number = collector.get("/api/v1/policies/shop").json()["id"]
    os.remove(scenario.path("policies/shop.jfc"))
    seen = wait_last("agent")
    held = [key for key, _ in itertools.groupby(seen)]
    check([key[:2] for key in held] == [("agent", own), ("collector", number), ("agent", own)], f"{held}")
    check(held[0][2] < held[1][2] < held[2][2], f"{held}")
    end(jvm)
    collector.stop()


def check_floor(events):
    """Between two events that say the same floor no shorter wait was recorded; returns the highest floor."""
    said_now, said_since, highest, seen = 0, 0, 0, []
    for event in events:
        if event.type == POLICY:
            floor_now = int(event.values["floor"])
            shortest = min(seen, default=floor_now) + 1000  # JFR compares ticks
            check(floor_now != said_now or floor_now <= shortest, f"{shortest} ns before {event.start_text}")
            since = int(event.values["floorSince"])
            check(said_since in (0, since) or floor_now != said_now, f"{floor_now} since {said_since}, and since {since}")
            check(floor_now == said_now or said_since < since, f"{said_now} since {said_since}, {floor_now} since {since}")
            said_since = since
            said_now, highest, seen = floor_now, max(highest, floor_now), []
        else:
            seen.append(int(event.values["waited"]))
    return highest


def floor(feature, scenario):
    """Four threads wait for a bit more than 1 ms some three thousand times a second."""
    settings = {PARK: {"enabled": "true", "threshold": "1 ms"}, ALPHA: {"enabled": "true"}}
    budget = {POLICY: {"wait-budget": "1000/s"}}
    own = write_policy(scenario.path("own.jfc"), settings | budget)
    os.mkdir(scenario.path("policies"))
    theirs = write_policy(scenario.path("policies/shop.jfc"), settings | budget)
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY_DIR"] = scenario.path("policies")
    collector.start()
    jvm = scenario.jvm(feature, "PolicyE2E", agent=scenario.agent_options(collector, "shop", policy=own, segment=1, log="info"))
    jvm.wait_line(f"{ALPHA} on$")
    path, recording = scenario.path("download.jfr"), collector.recording("shop")

    def events():
        found = []
        for piece in chunks.split(collector.download(recording, path)):
            _, _, ticks_per_s = chunks.clock(piece)
            dumped = [e for e in judge.dump(piece, POLICY) if e.type in (POLICY, PARK)]
            for event in dumped:
                event.values["waited"] = (event.commit - event.start) * 10**9 // ticks_per_s
            found += dumped
        return sorted(found, key=lambda e: e.commit)
    def wait_floor(origin, is_there):
        def find():
            seen = events()
            said_last = [(e.values["origin"][1:], int(e.values["floor"]) > 0) for e in seen if e.type == POLICY][-1:]
            return said_last == [(origin, is_there)] and seen
        return wait_for(f"{'a' if is_there else 'no'} floor by the {origin}", find, look_s=1)

    wait_floor("collector", False)
    command(jvm, b"w")
    wait_floor("collector", True)
    command(jvm, b"e")
    highest = check_floor(wait_floor("collector", False))
    check(2 * MS <= highest <= 20 * MS, f"a floor of {highest}")
    log = scenario.log_of("PolicyE2E")
    check(re.search(r"more waits than the policy's wait-budget: those shorter than \d+000 us are not", log), "no line in the log")

    command(jvm, b"w")
    wait_floor("collector", True)
    os.replace(write_policy(scenario.path("new.jfc"), settings), theirs)
    wait_floor("collector", False)
    os.remove(theirs)
    check_floor(wait_floor("agent", True))
    command(jvm, b"e")
    end(jvm)
    collector.stop()


CASES = {"locks": locks, "waits": waits, "policy": policy, "floor": floor}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=list(CASES), nargs="+", required=True)
    args = parser.parse_args()
    run_each({f"first_second-{case}-{args.jdk}": functools.partial(CASES[case], args.jdk) for case in args.case})


main()
