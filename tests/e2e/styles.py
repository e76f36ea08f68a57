# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact --context-style fields|ref` shows at every event the contexts that apply to it.

A JVM records contextual events with attributes of every type, nested, overlapping, many deep, over several chunks and
on virtual threads. The oracle looks at every context for every event, by JDK 17's and 25's own reader; both `jfr
print` that of the default policy, and `--json` numbers and booleans as such. The same with a policy that keeps and drops
by type, and on any number of threads.
"""

import argparse
import json
import os
import random
import re

from support.elimination import FIELDS, REF, STYLES, compact, counts, judge_all, write_policy
from support.process import JUDGES, Failed, check, jfr, need_jdk, run

POLICIES = {
    "default": {},
    "sparse": {"styles.Step": {"enabled": "false"}, "styles.Work": {"select": "if-context"},
               "styles.Everything": {"threshold": "20 us", "withContext": "false"}, "styles.Mark": {"enabled": "false"},
               "jdk.ThreadPark": {"withContext": "true"}},
    "generous": {"styles.Request": {"select": "all"}, "other.Request": {"select": "all"},
                 "jdk.ThreadPark": {"select": "if-context"}},
}
PRINTED = {FIELDS: "styles_Request_traceid = ", REF: "context = {"}


def content(path):
    with open(path, "rb") as file:
        return file.read()


def check_json(path, feature):
    """Numbers and booleans are what they are, where there is a context, and null where there is none."""
    events = json.loads(jfr("print", "--json", path, feature=feature))["recording"]["events"]
    for field, kind in (("Step_number", int), ("other_Request_id", int), ("Everything_isSo", bool),
                        ("Real_d", float), ("Everything_text", str)):
        found = {type(event["values"][field]) for event in events if field in event["values"]}
        check(found == {kind, type(None)}, f"JDK {feature}: {field} has {found}")


def check_policy(scenario, source, name):
    policy = write_policy(scenario.path(f"{name}.jfc"), POLICIES[name])
    report = judge_all(scenario, source, [(style, policy) for style in STYLES], JUDGES)
    check(len(set(counts(report))) == 1, f"not the same events in all styles:\n{report}")
    covered = [int(count) for count in re.findall(r"with contexts at (\d+)", report)]
    check(min(covered) > 100, f"only so many events with contexts: {covered}")
    outs = {style: scenario.path(f"out{i}.jfr") for i, style in enumerate(STYLES)}
    for style in (FIELDS, REF):
        for threads in ("1", "3"):
            again = scenario.path("again.jfr")
            compact(source, again, policy, ["--context-style", style, "--threads", threads])
            check(content(again) == content(outs[style]), f"{style} with {threads} threads is another file")
        for feature in JUDGES if name == "default" else ():
            check(PRINTED[style] in jfr("print", outs[style], feature=feature),
                  f"{style}: JDK {feature} prints no contexts")
    for feature in JUDGES if name == "default" else ():
        check_json(outs[FIELDS], feature)
    print(f"{name}: {covered[0]} events with contexts, " +
          ", ".join(f"{style} {os.path.getsize(out)} bytes" for style, out in outs.items()))


def scenario_of(feature):
    def body(scenario):
        need_jdk(feature)
        seed = random.randrange(1 << 31)
        source = scenario.path("input.jfr")
        scenario.jvm(feature, "StyleRecording", source, str(seed)).wait_exit(120)
        failures = []
        for name in POLICIES:
            try:
                check_policy(scenario, source, name)
            except Failed as failure:
                failures.append(f"{name}: {failure}")
        check(not failures, "; ".join(failures))
    return body


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    arguments = parser.parse_args()
    run(f"styles-{arguments.jdk}", scenario_of(arguments.jdk))
