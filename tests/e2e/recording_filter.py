# SPDX-License-Identifier: Apache-2.0
"""Promised: the policy's `filter` keeps the events whose RecordingContext matches, and no others of their type.

The program of recording.py, and a collector whose policy filters its marks. A mark has to be there if a context that
matches was installed for certain when it was committed, and must not be if none can have been; the journal says so.
"""

import argparse

from support import judge
from support.elimination import write_policy
from support.process import Collector, check, run

MARK = "e2e.Mark"

# Each by its own words, and by what a program would say: of the contexts that apply.
FILTERS = {
    "has-key endpoint": lambda contexts: any("endpoint" in c.values for c in contexts),
    "has-entry endpoint=plain and has-context": lambda contexts: any(c.values.get("endpoint") == "=plain" for c in contexts),
    "has-no-context": lambda contexts: not contexts,
}


def body_of(feature, text, matches, is_virtual):
    def body(scenario):
        policy = scenario.path("filter.jfc")
        write_policy(policy, {MARK: {"filter": text}})
        collector = Collector(scenario)
        collector.env["LOUPE_POLICY"] = policy
        collector.start()
        journal_path, raw_path = scenario.path("journal.txt"), scenario.path("raw.jfr")
        agent = scenario.agent_options(collector, "filtered", propagate="off")
        threads = ("1", "30") if is_virtual else ("3", "0")
        scenario.jvm(feature, "RecordingE2E", journal_path, raw_path, *threads, "0", agent=agent).wait_exit(120)
        path = collector.download(collector.recording("filtered"), scenario.path("download.jfr"))
        kept, dropped = judge_marks(judge.Journal(journal_path), judge.dump(raw_path), judge.dump(path), matches)
        collector.stop()
        check(kept > 5 and dropped > 5, f"{text}: {kept} kept and {dropped} dropped say little")
        print(f"{text}: {kept} marks kept, {dropped} dropped")
    return body


def judge_marks(journal, raw, result, matches):
    judge.restore_marks(journal, raw)
    contexts = judge.by_thread(journal.contexts)
    found = {e.values["seq"] for e in result if e.type == MARK}
    marks = [e for e in raw if e.type == MARK]
    for mark in marks:
        may = [c for c in contexts[mark.thread] if c.begin_from <= mark.commit <= c.end_to]
        sure = [c for c in may if c.surely_applies(mark.commit)]
        if matches(may) == matches(sure):
            is_there = mark.values["seq"] in found
            check(is_there == matches(sure), f"mark {mark.values['seq']} is{'' if is_there else ' not'} there: "
                  f"{[str(c) for c in may]}")
    others = {e.type for e in result if not e.is_contextual} - {MARK}
    check(others, "nothing but marks is left")
    return len(found), len(marks) - len(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    args = parser.parse_args()
    for number, (text, matches) in enumerate(FILTERS.items()):
        body = body_of(args.jdk, text, matches, args.threads == "virtual")
        run(f"recording-filter-{args.jdk}-{args.threads}-{number}", body)


main()
