# SPDX-License-Identifier: Apache-2.0
"""Programs made of JournaledRun.java: each keeps a journal and a raw recording, and the download is judged by both."""

import argparse
import copy
import filecmp

from support import chunks, judge, printed
from support.process import check, jdk_home, jfr


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--segment", type=int, default=60)
    return parser.parse_args()


class JournaledRun:
    """A program with the agent; with segments shorter than a run its contexts go over chunk rotations."""

    def __init__(self, scenario, collector, program, args, platform, virtual, virtual_in_segments):
        self.scenario = scenario
        self.collector = collector
        self.service = program.lower()
        run = f"{len(scenario.processes)}-"  # a scenario may have several
        self.journal_path, self.raw_path = scenario.path(run + "journal.txt"), scenario.path(run + "raw.jfr")
        self.is_long = args.segment < 60
        counts = (platform, 0) if args.threads == "platform" else (1, virtual_in_segments if self.is_long else virtual)
        # What a context is inherited by is for carried.py: the journals have those that the program sets itself.
        agent = scenario.agent_options(collector, self.service, segment=args.segment, propagate="off")
        self.jvm = scenario.jvm(args.jdk, program, self.journal_path, self.raw_path, *map(str, counts),
                                "4" if self.is_long else "0", agent=agent)
        self.raw = self.counts = None  # counts: of the contexts set, and of those kept

    def wait_exit(self):
        self.jvm.wait_exit(120)
        self.raw = judge.dump(self.raw_path)

    def judge_download(self, judge_journal):
        """judge_journal gets the journal with what was found of each context."""
        self.judge(self.download("first.jfr"), judge_journal)

    def judge_after_restart(self, judge_journal):
        """A collector that was started again has the same bytes, or others that are as right. Returns the path of its
        download."""
        before = self.counts
        self.collector.stop()
        self.collector.start()
        path = self.download("second.jfr")
        if not filecmp.cmp(path, self.scenario.path("first.jfr"), shallow=False):
            self.judge(path, judge_journal)
            check(before == self.counts, f"another result after a restart: {before}, {self.counts}")
        print("contexts set {}, kept {}".format(*self.counts))
        return path

    def download(self, name):
        return self.collector.download(self.collector.recording(self.service), self.scenario.path(name))

    def judge(self, path, judge_journal):
        journal = judge.Journal(self.journal_path)
        raw, result = copy.deepcopy(self.raw), judge.dump(path)
        judge.check_events(journal, self.raw_path, raw, path, result)
        self.counts = judge.check_contexts(journal, raw, result, chunks.start_ticks(self.raw_path))
        judge_journal(journal)

    def check_print(self, path, lines_at, is_comparable):
        """Each mark shows the contexts that were open when it was committed, in any order, and no others. lines_at returns
        the lines for a mark, its contexts and the contextual events of its thread."""
        if not jdk_home(25):
            print("no JDK 25, whose jfr tool shows contexts: what it would show was not checked")
            return
        marks = {e.values["seq"]: e for e in self.raw if e.type == "e2e.Mark"}
        contexts = judge.by_thread(judge.Journal(self.journal_path).contexts)
        traces = judge.by_thread(e for e in self.raw if e.is_contextual)
        shown = covered = 0
        for event in printed.parse(jfr("print", path)):
            if event.type != "e2e.Mark":
                continue
            mark = marks[event.fields["seq"]]
            applying = [c for c in contexts[mark.thread] if c.surely_applies(mark.commit)]
            expected = lines_at(mark, applying, traces[mark.thread])
            found = [line for line in event.contexts if is_comparable(line)]
            check(sorted(found) == sorted(expected), f"mark {mark.values['seq']}: {found}, not {expected}")
            shown += 1
            covered += bool(expected)
        check(shown == len(marks), f"jfr print shows {shown} of {len(marks)} marks")
        check(covered > 10, f"only {covered} marks in a context")
