# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact --context-style fields|ref` shows at every event the contexts that apply to it.

A JVM records contextual events with attributes of every type, nested, overlapping, many deep, over several chunks and
on virtual threads. StyleOracle looks at every context for every event, by JDK 17's and 25's own reader; both `jfr
print` the result. The same with a policy that keeps and drops by type, and on any number of threads.
"""

import argparse
import json
import os
import random
import subprocess

from support.process import LOUPE, Failed, check, jdk_home, jfr, need_jdk, oracle, run

POLICIES = {
    "default": {},
    "sparse": {"styles.Step": {"enabled": "false"}, "styles.Work": {"select": "if-context"},
               "styles.Everything": {"threshold": "20 us"}, "styles.Mark": {"enabled": "false"}},
    "generous": {"styles.Request": {"select": "all"}, "other.Request": {"select": "all"},
                 "jdk.ThreadPark": {"select": "if-context"}},
}


def write_policy(path, settings):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0">\n')
        for event, values in settings.items():
            lines = "".join(f'<setting name="{name}">{value}</setting>' for name, value in values.items())
            file.write(f'<event name="{event}">{lines}</event>\n')
        file.write("</configuration>\n")


def compact(source, out, style, *options):
    done = subprocess.run([LOUPE, "compact", source, "-o", out, "--context-style", style, "--json", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    check(done.returncode == 0, f"{style}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return json.loads(done.stdout)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def check_policy(scenario, source, name):
    policy = scenario.path(f"{name}.jfc")
    write_policy(policy, POLICIES[name])
    outs = {style: scenario.path(f"{name}-{style}.jfr") for style in ("events", "fields", "ref")}
    counts = {style: compact(source, out, style, "--policy", policy) for style, out in outs.items()}
    for style in ("fields", "ref"):
        for key in ("events", "contexts"):
            check(counts[style][key] == counts["events"][key], f"{style}: {key} {counts[style][key]}")
        for threads in ("1", "3"):
            again = scenario.path("again.jfr")
            compact(source, again, style, "--policy", policy, "--threads", threads)
            check(content(again) == content(outs[style]), f"{style} with {threads} threads is another file")
        for feature in (17, 25):
            if jdk_home(feature):
                judge(feature, style, source, outs, POLICIES[name])
    print(f"{name}: {counts['events']['events']['out']} events, " +
          ", ".join(f"{style} {os.path.getsize(out)} bytes" for style, out in outs.items()))


def judge(feature, style, source, outs, policy):
    disabled = [event for event, settings in policy.items() if settings.get("enabled") == "false"]
    status, text = oracle("StyleOracle", style, source, outs["events"], outs[style], *disabled, feature=feature)
    check(status == 0, f"{style}, JDK {feature}: {text[:3000]}")
    last = text.splitlines()[-1].split()
    check(int(last[4]) > 100, f"only {last[4]} events with contexts")
    printed = jfr("print", outs[style], feature=feature)
    check(("context = {" if style == "ref" else "styles_Request_traceid = ") in printed,
          f"{style}: JDK {feature} prints no contexts")


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
