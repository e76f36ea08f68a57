# SPDX-License-Identifier: Apache-2.0
"""Promised: a RecordingContext is in the download wherever it was installed and something happened in it, entry by entry.

A program nests RecordingContexts, installs them by snapshots on other threads and on several at once, and closes them in
order, twice, out of order and on other threads. The download is judged by its journal, right after the end of the JVM
and after the collector was killed and started again; the context styles by the oracle; `jfr print` has to show the
entries as lines of context. With --segment the contexts go over chunk rotations.
"""

import argparse
import re

from support import chunks, judge, printed
from support.elimination import FIELDS, REF, judge_all
from support.process import Collector, check, jdk_home, jfr, run

TYPE = "loupe.RecordingContext"
SIMPLE = re.compile(r"^=[a-z0-9]+$")


def scenario_of(feature, segment, platform, virtual, new_chunks):
    def body(scenario):
        collector = Collector(scenario).start()
        journal_path, raw_path = scenario.path("journal.txt"), scenario.path("raw.jfr")
        agent = scenario.agent_options(collector, "recording", segment=segment)
        jvm = scenario.jvm(feature, "RecordingE2E", journal_path, raw_path, platform, virtual, new_chunks, agent=agent)
        if segment < 60:
            collector.recording("recording")
            collector.kill()
            collector.start()
        jvm.wait_exit(120)
        recording = collector.recording("recording")
        first = judge_download(collector, recording, scenario.path("first.jfr"), journal_path, raw_path)
        misclosed = int(jvm.lines[-1].split()[1])
        check(misclosed > 0, "nothing was closed out of order")
        check_metric(collector, "contexts_misclosed", misclosed)
        collector.stop()
        collector.start()
        second_path = scenario.path("second.jfr")
        second = judge_download(collector, recording, second_path, journal_path, raw_path)
        check(first == second, f"another result after a restart: {first}, {second}")
        judge_all(scenario, second_path, [(FIELDS, "-"), (REF, "-")])
        if jdk_home(25):
            check_print(second_path, journal_path, raw_path)
        else:
            print("no JDK 25, whose jfr tool shows contexts: what it would show was not checked")
        print("contexts installed {}, kept {}".format(*second), f"misclosed {misclosed}")
    return body


def check_metric(collector, name, expected):
    text = collector.get("/metrics").body.decode()
    found = re.search(rf"^loupe_{name}_total (\d+)$", text, re.MULTILINE)
    check(found and int(found[1]) == expected, f"{name}: {found and found[1]}, not {expected}")


def judge_download(collector, recording, path, journal_path, raw_path):
    collector.download(recording, path)
    journal = judge.Journal(journal_path)
    raw, result = judge.dump(raw_path), judge.dump(path)
    judge.check_events(journal, raw_path, raw, path, result)
    kept = judge.check_contexts(journal, raw, result, chunks.start_ticks(raw_path))
    for context in journal.contexts:
        for part in context.parts:
            check_others(context, part)
    return kept


def check_others(context, part):
    """Keys that the context does not have are null."""
    for name, value in part.values.items():
        is_known = name in context.values or name == "contextId" or name.startswith("duration_")
        check(is_known or value == "-", f"{context} has {name}: {value}")


def check_print(path, journal_path, raw_path):
    """Each mark shows the entries of the context that was installed when it was committed."""
    journal, raw = judge.Journal(journal_path), judge.dump(raw_path)
    marks = {e.values["seq"]: e for e in raw if e.type == "e2e.Mark"}
    contexts = judge.by_thread(journal.contexts)
    shown = covered = 0
    for event in printed.parse(jfr("print", path)):
        if event.type != "e2e.Mark":
            continue
        mark = marks[event.fields["seq"]]
        applying = [c for c in contexts[mark.thread] if c.surely_applies(mark.commit)]
        expected = [line for context in applying for line in lines_of(context)]
        found = [line for line in event.contexts if is_comparable(line)]
        check(sorted(found) == sorted(expected), f"mark {mark.values['seq']}: {found}, not {expected}")
        shown += 1
        covered += bool(expected)
    check(shown == len(marks), f"jfr print shows {shown} of {len(marks)} marks")
    check(covered > 10, f"only {covered} marks in a context")


def lines_of(context):
    return [(TYPE.split(".")[-1], name, f'"{value[1:]}"') for name, value in context.values.items()
            if name in ("id", "endpoint") and SIMPLE.match(value) and len(value) < 20]


# How `jfr print` escapes text is its own affair: plain words are compared.
def is_comparable(line):
    return line[1] in ("id", "endpoint") and re.match('^"[a-z0-9]{1,18}"$', line[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--segment", type=int, default=60)
    args = parser.parse_args()
    is_long = args.segment < 60
    is_virtual = args.threads == "virtual"
    platform = "1" if is_virtual else "3"
    virtual = "0" if not is_virtual else "4" if is_long else "30"
    body = scenario_of(args.jdk, args.segment, platform, virtual, "4" if is_long else "0")
    run(f"recording-{args.jdk}-{args.threads}-{args.segment}", body)


main()
