# SPDX-License-Identifier: Apache-2.0
"""Promised: a download holds exactly the events and contexts that SEMANTICS keeps, unchanged.

A program with the agent sets contexts of two types with attributes of every kind, around events and around nothing,
nested and overlapping, on platform and virtual threads; some contexts are JFR events themselves. It keeps a journal
of what it did and a raw recording of its own. The download is judged by both: right after the end of the JVM, and
again after the collector has been restarted, and `jfr print` has to show the contexts at the right events.
With --segment contexts go over chunk rotations.
"""

import argparse
import re

from support import chunks, judge, printed
from support.process import Collector, check, jdk_home, jfr, run

SIMPLE = re.compile(r"^=[a-z]+$")


def scenario_of(feature, segment, platform, virtual, new_chunks):
    def body(scenario):
        collector = Collector(scenario).start()
        journal_path, raw_path = scenario.path("journal.txt"), scenario.path("raw.jfr")
        agent = scenario.agent_options(collector, "contexts", segment=segment)
        jvm = scenario.jvm(feature, "ContextsE2E", journal_path, raw_path, platform, virtual, new_chunks, agent=agent)
        jvm.wait_exit(120)
        recording = collector.recording("contexts")
        first = judge_download(scenario, collector, recording, "first.jfr", journal_path, raw_path)
        collector.stop()
        collector.start()
        second = judge_download(scenario, collector, recording, "second.jfr", journal_path, raw_path)
        check(first == second, f"another result after a restart: {first}, {second}")
        if jdk_home(25):
            check_print(scenario.path("second.jfr"), journal_path, raw_path)
        else:
            print("no JDK 25, whose jfr tool shows contexts: what it would show was not checked")
        print("contexts set {}, kept {}".format(*second))
    return body


def judge_download(scenario, collector, recording, name, journal_path, raw_path):
    path = collector.download(recording, scenario.path(name))
    journal = judge.Journal(journal_path)
    first = "Kinds" if "Kinds" in journal.registered else "Order"
    expected = {first: True, "Span": True, "Over": False}
    check(journal.registered == expected, f"registered: {journal.registered}")
    raw, result = judge.dump(raw_path), judge.dump(path)
    judge.check_events(journal, raw_path, raw, path, result)
    return judge.check_contexts(journal, raw, result, chunks.start_ticks(raw_path))


def check_print(path, journal_path, raw_path):
    """Each mark shows the contexts that were open when it was committed, in any order, and no others."""
    journal, raw = judge.Journal(journal_path), judge.dump(raw_path)
    marks = {e.values["seq"]: e for e in raw if e.type == "e2e.Mark"}
    contexts = judge.by_thread(journal.contexts)
    traces = judge.by_thread(e for e in raw if e.is_contextual)
    shown = 0
    for event in printed.parse(jfr("print", path)):
        if event.type != "e2e.Mark":
            continue
        mark = marks[event.fields["seq"]]
        expected = []
        for context in contexts[mark.thread]:
            if context.surely_applies(mark.commit):
                expected += lines_of(context)
        for trace in traces[mark.thread]:
            if trace.start <= mark.commit <= trace.commit:
                name = "traceId" if trace.type == "e2e.Trace" else "id"
                expected.append((trace.type.split(".")[-1], name, trace.values[name]))
        found = [line for line in event.contexts if is_comparable(line)]
        check(sorted(found) == sorted(expected), f"mark {mark.values['seq']}: {found}, not {expected}")
        shown += 1
    check(shown == len(marks), f"jfr print shows {shown} of {len(marks)} marks")


def lines_of(context):
    name = context.type.split(".")[-1]
    lines = [(name, "id", context.values["id"])]
    for attribute in ("text", "name"):
        value = context.values.get(attribute, "")
        if SIMPLE.match(value):
            lines.append((name, attribute, f'"{value[1:]}"'))
    return lines


# How `jfr print` escapes text is its own affair: ids and plain words are compared.
def is_comparable(line):
    return line[1] in ("id", "traceId") or line[1] in ("text", "name") and re.match('^"[a-z]+"$', line[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--segment", type=int, default=60)
    args = parser.parse_args()
    is_long = args.segment < 60
    is_virtual = args.threads == "virtual"
    platform = "1" if is_virtual else "4"
    virtual = "0" if not is_virtual else "8" if is_long else "100"
    body = scenario_of(args.jdk, args.segment, platform, virtual, "4" if is_long else "0")
    run(f"contexts-{args.jdk}-{args.threads}-{args.segment}", body)


main()
