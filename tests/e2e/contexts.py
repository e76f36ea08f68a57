# SPDX-License-Identifier: Apache-2.0
"""Promised: a download holds exactly the events and contexts that docs/internals/elimination.md keeps, unchanged.

A program with the agent sets contexts of two types with attributes of every kind, around events and around nothing,
nested and overlapping, on platform and virtual threads; some contexts are JFR events themselves. It keeps a journal
of what it did and a raw recording of its own. The download is judged by both: right after the end of the JVM, and
again after the collector has been restarted, and `jfr print` has to show the contexts at the right events.
With --segment contexts go over chunk rotations.
"""

import re

from support.journaled import JournaledRun, arguments
from support.process import Collector, check, run

SIMPLE = re.compile(r"^=[a-z]+$")


def scenario_of(args):
    def body(scenario):
        collector = Collector(scenario).start()
        program = JournaledRun(scenario, collector, "ContextsE2E", args, platform=4, virtual=100, virtual_in_segments=4)
        program.wait_exit()
        program.judge_download(judge_journal)
        path = program.judge_after_restart(judge_journal)
        program.check_print(path, lines_at, is_comparable)
    return body


def judge_journal(journal):
    first = "Kinds" if "Kinds" in journal.registered else "Order"
    expected = {first: True, "Span": True, "Most": True, "Rest": True, "Over": False}
    check(journal.registered == expected, f"registered: {journal.registered}")


def lines_at(mark, contexts, traces):
    lines = [line for context in contexts for line in lines_of(context)]
    for trace in traces:
        if trace.start <= mark.commit <= trace.commit:
            name = "traceId" if trace.type == "e2e.Trace" else "id"
            lines.append((trace.type.split(".")[-1], name, trace.values[name]))
    return lines


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
    args = arguments()
    run(f"contexts-{args.jdk}-{args.threads}-{args.segment}", scenario_of(args))


main()
