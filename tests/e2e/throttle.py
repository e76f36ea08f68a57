# SPDX-License-Identifier: Apache-2.0
"""Promised: `throttle` in the policy keeps a sample of a type's events, whatever the JVM is: no more than so many in a
second of the clock, nearly as many where there are enough, from all parts of the population; and touches nothing else.

A JVM writes some thousand events of its own a second, in bursts, and parks about a thousand times, over several chunks.
"""

import argparse
import collections
import json

from support import chunks, judge
from support.elimination import compact, write_policy
from support.process import check, need_jdk, run

THROTTLED, PARK = "e2e.Throttled", "jdk.ThreadPark"
RATES = {THROTTLED: 100, PARK: 50}
BURSTS = 240
KEYS = 7
CHI_SQUARE_MAX = 43.0  # six degrees of freedom; chance exceeds it once in ten million times
NS_PER_S = 1_000_000_000


def second_of(path):
    """A function that returns the second of the clock in which a tick lies."""
    wall_ns, ticks, ticks_per_s = chunks.clock(path)
    return lambda tick: (wall_ns + (tick - ticks) * NS_PER_S // ticks_per_s) // NS_PER_S


def identity(event):
    return event.key(), event.values.get("seq")


def per_second(events, type_name, second):
    return collections.Counter(second(e.commit) for e in events if e.type == type_name)


def check_rate(type_name, rate, offered, kept):
    for second, count in kept.items():
        check(count <= rate, f"{count} events of type {type_name} in second {second}")
    could = sum(min(rate, count) for count in offered.values())
    check(sum(offered.values()) > 2 * could, f"{type_name}: {offered} is no more than fits")
    check(sum(kept.values()) > 0.8 * could, f"{type_name}: {sum(kept.values())} kept where {could} could be: {kept}")


def check_keys(events):
    """Numbers are given in turn: each remainder has the same share of the population."""
    kept = collections.Counter(int(e.values["seq"]) % KEYS for e in events if e.type == THROTTLED)
    expected = sum(kept.values()) / KEYS
    statistic = sum((kept[key] - expected) ** 2 / expected for key in range(KEYS))
    check(statistic < CHI_SQUARE_MAX, f"shares of {kept}")


def body(feature, scenario):
    need_jdk(feature)
    source, out = scenario.path("in.jfr"), scenario.path("out.jfr")
    scenario.jvm(feature, "ThrottleE2E", source, str(BURSTS)).wait_exit(120)
    check(len(chunks.start_ticks(source)) > 2, "there are not several chunks")
    policy = write_policy(scenario.path("throttle.jfc"), {name: {"throttle": f"{n}/s"} for name, n in RATES.items()})
    done = compact(source, out, policy)
    check(done.returncode == 0, done.stderr.decode())
    before, after = judge.dump(source), judge.dump(out)
    surplus = collections.Counter(map(identity, after)) - collections.Counter(map(identity, before))
    check(not surplus, f"these were made up: {list(surplus)[:5]}")
    lost = collections.Counter(e.type for e in before) - collections.Counter(e.type for e in after)
    check(set(lost) == set(RATES), f"dropped: {lost}")
    second = second_of(source)
    for name, rate in RATES.items():
        check_rate(name, rate, per_second(before, name, second), per_second(after, name, second))
    check_keys(after)
    check(json.loads(done.stdout)["events"]["out"] == len(after), "the statistics count otherwise")
    print({name: sum(e.type == name for e in after) for name in RATES}, dict(lost))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    options = parser.parse_args()
    run("throttle", lambda scenario: body(options.jdk, scenario))


main()
