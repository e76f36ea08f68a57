# SPDX-License-Identifier: Apache-2.0
"""`loupe compact`, and the oracle that judges its output."""

import json
import os
import random
import re
import subprocess

from support import judge as judging
from support.process import LOUPE, NEWEST, check, oracle

LIMIT_S = 600
DEFAULT = "-"  # no policy
EVENTS, FIELDS, REF = STYLES = ("events", "fields", "ref")  # of contexts


def compact(source, out, policy=DEFAULT, more=()):
    chosen = [] if policy == DEFAULT else ["--policy", policy]
    return subprocess.run([LOUPE, "compact", source, "-o", out, "--json", *chosen, *more], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)


def write_policy(path, settings):
    """Writes a policy of the settings, which are by name of the event type. Returns path."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0">\n')
        for event, values in settings.items():
            lines = "".join(f'<setting name="{name}">{value}</setting>' for name, value in values.items())
            file.write(f'<event name="{event}">{lines}</event>\n')
        file.write("</configuration>\n")
    return path


def random_policies(scenario, recording, count):
    """Policies with the names of the recording's types; none where the JDK cannot read it."""
    paths = [scenario.path(f"policy{i}.jfc") for i in range(count)]
    status, report = oracle("RandomPolicies", recording, str(random.randrange(1 << 32)), *paths, limit_s=LIMIT_S)
    check(status in (0, 3), report)
    return paths if status == 0 else []


def with_styles(policies):
    """Pairs of style and policy: the first policy in the style `events`, the others by turns."""
    turns = random.choice(((FIELDS, REF, EVENTS), (REF, FIELDS, EVENTS)))
    return [(EVENTS, policies[0]), *((turns[i % len(turns)], policy) for i, policy in enumerate(policies[1:]))]


def judge(recording, outputs, feature=NEWEST):
    """Runs the oracle on outputs, triples of style, policy and path; returns its status and report."""
    arguments = [argument for output in outputs for argument in output]
    return oracle("Oracle", recording, *arguments, feature=feature, limit_s=LIMIT_S)


def judge_all(scenario, recording, pairs, features=(NEWEST,)):
    """Compacts with each of the pairs of style and policy. The outputs, out0.jfr and so on, must be as the oracle
    expects, and the statistics what it counts. Returns the report."""
    outputs = [(style, policy, scenario.path(f"out{i}.jfr")) for i, (style, policy) in enumerate(pairs)]
    statistics = []
    for style, policy, out in outputs:
        done = compact(recording, out, policy, ["--context-style", style])
        check(done.returncode == 0, f"loupe compact --policy {policy}: {done.returncode} {done.stderr.decode()[-1000:]}")
        statistics.append(json.loads(done.stdout))
    for feature in features:
        status, report = judge(recording, outputs, feature)
        check(status == 0, f"JDK {feature}: {status}\n{report}")
    for (_, _, out), said, seen in zip(outputs, statistics, counts(report)):
        check_statistics(said, seen, recording, out)
    return report


def counts(report):
    """How many events the oracle has seen going in and coming out, line by line."""
    return [(int(a), int(b)) for a, b in re.findall(r"expected \d+ of (\d+),.* found (\d+):", report)]


def check_statistics(said, seen, recording, out):
    found = tuple(said["events"][way] for way in ("in", "out"))
    # What Loupe added to the recording before stays, and the oracle's counts are without it.
    own = judging.count_added(recording) if judging.ADDED & set(said["types"]) else 0
    expected = tuple(count + own for count in seen)
    check(found == expected, f"--json says {found} events in and out, the JDK {expected}, {own} of them added")
    check(said["bytes"]["out"] == os.path.getsize(out), f"--json says {said['bytes']} in and out")
    by_type = sum(row["events"]["out"] for row in said["types"].values())
    check(by_type == found[1], f"--json has {by_type} events in its types, {found[1]} in all")
