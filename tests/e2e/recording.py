# SPDX-License-Identifier: Apache-2.0
"""Promised: a RecordingContext is in the download wherever it was installed and something happened in it, entry by entry.

A program nests RecordingContexts, installs them by snapshots on other threads and on several at once, and closes them in
order, twice, out of order and on other threads. The download is judged by its journal, right after the end of the JVM
and after the collector was killed and started again; the context styles by the oracle; `jfr print` has to show the
entries as lines of context. With --segment the contexts go over chunk rotations.
"""

import re

from support.elimination import FIELDS, REF, judge_all
from support.journaled import JournaledRun, arguments
from support.process import Collector, check, run

TYPE = "loupe.RecordingContext"
SIMPLE = re.compile(r"^=[a-z0-9]+$")


def scenario_of(args):
    def body(scenario):
        collector = Collector(scenario).start()
        program = JournaledRun(scenario, collector, "RecordingE2E", args, platform=3, virtual=30, virtual_in_segments=2)
        if program.is_long:
            collector.recording(program.service)
            collector.kill()
            collector.start()
        program.wait_exit()
        program.judge_download(judge_journal)
        misclosed = int(program.jvm.lines[-1].split()[1])
        check(misclosed > 0, "nothing was closed out of order")
        check_metric(collector, "contexts_misclosed", misclosed)
        path = program.judge_after_restart(judge_journal)
        judge_all(scenario, path, [(FIELDS, "-"), (REF, "-")])
        program.check_print(path, lines_at, is_comparable)
    return body


def check_metric(collector, name, expected):
    text = collector.get("/metrics").body.decode()
    found = re.search(rf"^loupe_{name}_total (\d+)$", text, re.MULTILINE)
    check(found and int(found[1]) == expected, f"{name}: {found and found[1]}, not {expected}")


def judge_journal(journal):
    for context in journal.contexts:
        for part in context.parts:
            check_others(context, part)


def check_others(context, part):
    """Keys that the context does not have are null."""
    for name, value in part.values.items():
        is_known = name in context.values or name == "contextId" or name.startswith("duration_")
        check(is_known or value == "-", f"{context} has {name}: {value}")


def lines_at(_mark, contexts, _traces):
    return [line for context in contexts for line in lines_of(context)]


def lines_of(context):
    return [(TYPE.split(".")[-1], name, f'"{value[1:]}"') for name, value in context.values.items()
            if name in ("id", "endpoint") and SIMPLE.match(value) and len(value) < 20]


# How `jfr print` escapes text is its own affair: plain words are compared.
def is_comparable(line):
    return line[1] in ("id", "endpoint") and re.match('^"[a-z0-9]{1,18}"$', line[2])


def main():
    args = arguments()
    run(f"recording-{args.jdk}-{args.threads}-{args.segment}", scenario_of(args))


main()
