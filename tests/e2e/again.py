# SPDX-License-Identifier: Apache-2.0
"""Promised: to compact a recording again by the same policy changes nothing: the same bytes come out, accounts included.

But where a policy drops contexts by `enabled` or `threshold` it takes from their events what they were kept for, a
`throttle` takes a sample of the sample, and of several JVMs the keys are made anew. Whatever a second run drops, what all
accounts together say was dropped is what the recording lost in both.
"""

import argparse
import collections
import json
import random
import re
import subprocess

from support import judge
from support.elimination import DEFAULT, compact, random_policies, write_policy
from support.process import LOUPE, Collector, check, need_jdk, run

MATTERS = {
    "e2e.Mark": {"select": "if-context"},
    "e2e.Span": {"context-threshold": "60 ms"},
    "e2e.Trace": {"context-threshold": "60000 us"},
    "e2e-order": {"context-match": "text=gold*"},
    "loupe.RecordingContext": {"context-match": "route=/pay"},
}
FILTER = {name: {"filter": "has-entry route=/pay"} for name in ("e2e.Mark", "e2e.Tick")}
THROTTLES = {"e2e.Throttled": {"throttle": "100/s"}, "jdk.ThreadPark": {"throttle": "50/s"}}
LOST_AGAIN_MAX = 0.3  # of a sample, by a throttle that begins with a burst that nothing foretold


def read(path):
    with open(path, "rb") as file:
        return file.read()


def counts(path):
    """Events by type, without accounts."""
    return collections.Counter(event.type for event in judge.dump(path))


def run_compact(source, out, policy):
    done = compact(source, out, policy)
    check(done.returncode == 0, f"{source}: {done.stderr.decode()[-500:]}")
    return json.loads(done.stdout)


def twice(scenario, source, policy):
    """Compacts twice, and returns both outputs and what the second run dropped, by type."""
    once, again = scenario.path("once.jfr"), scenario.path("again.jfr")
    run_compact(source, once, policy)
    second = run_compact(once, again, policy)
    before, after, said = counts(source), counts(again), judge.accounts(again)
    lost = {name: count - after[name] for name, count in before.items() if count != after[name]}
    own = judge.accounts(source)
    found = {name: sum(dropped.values()) - sum(own.get(name, (0, 0, {}))[2].values())
             for name, (_, _, dropped) in said.items()}
    check({name: count for name, count in found.items() if count} == lost, f"accounts say {found}, missing are {lost}")
    return once, again, {name: row["dropped"] for name, row in second["types"].items() if row["dropped"]}


def expect_nothing(scenario, source, policy):
    once, again, dropped = twice(scenario, source, policy)
    check(not dropped, f"{policy} drops {dropped} the second time")
    check(read(once) == read(again), f"{policy} gives other bytes the second time")
    check(read(once) != read(source), f"{policy} did nothing")


def contextual_types(recording):
    done = subprocess.run([LOUPE, "summary", recording, "--json"], stdout=subprocess.PIPE, check=True)
    return {name for name, row in json.loads(done.stdout)["types"].items() if row["contextual"]}


def keep_contexts(policy, contextual):
    """Takes out of a policy what drops contexts for what they are as events, and samples."""
    def without(event):
        is_contextual = event.group(1) in contextual or '<setting name="contextual">true<' in event.group(0)
        gone = "(enabled|threshold|throttle|context-throttle)" if is_contextual else "throttle"
        return re.sub(rf'<setting name="{gone}">.*?</setting>', "", event.group(0))
    with open(policy, encoding="utf-8") as file:
        text = file.read()
    with open(policy, "w", encoding="utf-8") as file:
        file.write(re.sub(r'<event name="([^"]*)">.*?</event>', without, text, flags=re.DOTALL))
    return policy


def check_random(scenario, options):
    source = scenario.path("random.jfr")
    seed, kilobytes = str(random.randrange(1 << 32)), str(options.kilobytes)
    scenario.jvm(options.jdk, "RandomRecording", source, seed, kilobytes, "30").wait_exit(300)
    policies = random_policies(scenario, source, options.policies)
    for policy in policies:
        twice(scenario, source, policy)
    contextual = contextual_types(source)
    for policy in [DEFAULT, *(keep_contexts(policy, contextual) for policy in policies)]:
        expect_nothing(scenario, source, policy)


def check_throttle(scenario, feature):
    source, policy = scenario.path("throttle.jfr"), write_policy(scenario.path("throttle.jfc"), THROTTLES)
    scenario.jvm(feature, "ThrottleE2E", source, "60").wait_exit(120)
    once, _, dropped = twice(scenario, source, policy)
    check(set(dropped) <= set(THROTTLES), f"dropped {dropped} the second time")
    for name, reasons in dropped.items():
        check(set(reasons) == {"throttle"}, f"{name}: {reasons}")
        kept = counts(once)[name]
        check(reasons["throttle"] < LOST_AGAIN_MAX * kept, f"{name}: {reasons} of a sample of {kept}")


def check_downloads(scenario, feature):
    """What a collector kept by a policy, and what it kept by none. The policy is the JVM's own: a collector's has the JVM begin
    a chunk, and what is kept of contexts that are open there says nothing of the second time."""
    matters = write_policy(scenario.path("matters.jfc"), MATTERS)
    for service, policy in (("matters", matters), ("all", None)):
        collector = Collector(scenario, service)
        collector.start()
        own = {"policy": policy} if policy else {}
        scenario.jvm(feature, "MattersE2E", agent=scenario.agent_options(collector, service, **own), name=service).wait_exit(120)
        download = collector.download(collector.recording(service), scenario.path(f"{service}.jfr"))
        collector.stop()
        _, again, dropped = twice(scenario, download, policy or DEFAULT)
        check(not dropped and read(again) == read(download), f"a download by {policy}: {dropped}")
    expect_nothing(scenario, scenario.path("all.jfr"), matters)
    check_filter(scenario, scenario.path("all.jfr"))


def check_filter(scenario, source):
    """Filters look at the RecordingContexts that are events now."""
    expect_nothing(scenario, source, write_policy(scenario.path("filter.jfc"), FILTER))
    before, after = judge.dump(source), judge.dump(scenario.path("once.jfr"))
    for name in FILTER:
        expected = {event.values["seq"] for event in before if event.type == name and any(
            context.type == "loupe.RecordingContext" and context.values["route"] == "=/pay" and
            context.thread == event.thread and context.start <= event.commit <= context.commit for context in before)}
        found = {event.values["seq"] for event in after if event.type == name}
        check(found == expected and found, f"{name}: {sorted(found)} pass the filter, not {sorted(expected)}")


def body(options, scenario):
    check_random(scenario, options)
    check_throttle(scenario, options.jdk)
    check_downloads(scenario, options.jdk)
    scenario.check_sanitizers()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--kilobytes", type=int, required=True, help="how large the random recording is at least")
    parser.add_argument("--policies", type=int, required=True, help="how many random ones")
    options = parser.parse_args()
    need_jdk(options.jdk)
    run(f"again-{options.jdk}", lambda scenario: body(options, scenario))


main()
