# SPDX-License-Identifier: Apache-2.0
"""Promised: if `loupe compact` or `loupe slice` exits with 0 for a damaged recording, the JDK reads and prints the output.

Each recording is damaged in one place (support/mutants.py): its metadata, byte by byte and part by part, its constants,
their texts and what they refer to, checkpoints, events and the header. `loupe compact` takes them, without and with --strict,
and `loupe slice` cuts all contexts out of them. JDK 17 and 25 read each output, event by event and value by value, and print
it with all frames (tests/java/readers/DamageJudge.java). The recordings are of JVMs that the test starts, and small ones of
the corpus, if there is one.

More than the usual runs, and what became of each mutant:

    LOUPE_BUILD=build/release python3 tests/e2e/damage.py --mutants 4000 --verbose
"""

import argparse
import collections
import os
import random
import re
import subprocess
import threading

from support import corpus, readers
from support.jfrbytes import Broken
from support.mutants import Source
from support.process import JUDGES, LOUPE, PRELOAD, check, run

SMALL_BYTES = 300_000
ANSWER_LIMIT_S = 60


class Judge:
    """A JVM of the JDK that reads recordings, one after the other."""

    def __init__(self, scenario, feature):
        self.scenario, self.feature, self.process = scenario, feature, None

    def start(self):
        self.process = subprocess.Popen(
            readers.command(self.feature, "DamageJudge", "--add-opens", "jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
        self.scenario.processes.append(self.process)

    def ask(self, path):
        """None if the recording is fine, or what is wrong with it."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        # A reader may wait forever for a chunk whose header says that it is being written.
        end = threading.Timer(ANSWER_LIMIT_S, self.process.kill)
        end.start()
        try:
            self.process.stdin.write(path + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        finally:
            end.cancel()
        if not answer:
            self.process.wait(ANSWER_LIMIT_S)
        return None if answer == "ok" else answer or "no answer"


def record(scenario, feature):
    path = scenario.path(f"fresh-{feature}.jfr")
    jvm = scenario.jvm(feature, "ContextsE2E", scenario.path(f"journal-{feature}.txt"), path, "2", "0", "0",
                       name=f"ContextsE2E-{feature}")
    jvm.wait_exit()
    return path


def find_sources(scenario, judges):
    """Recordings that are fine as they are."""
    sources = []
    fresh = [record(scenario, feature) for feature in JUDGES]
    paths = list(fresh)
    if os.path.isdir(corpus.FOLDER):
        paths += corpus.recordings(SMALL_BYTES // 1000)
    for path in paths:
        unpacked = corpus.unpack(path, scenario.path("unpacked.jfr"))
        with open(unpacked, "rb") as file:
            content = file.read()
        if (path in fresh or len(content) <= SMALL_BYTES) and not any(judge.ask(unpacked) for judge in judges):
            try:
                sources.append(Source(os.path.basename(path), content, path in fresh))
            except (Broken, IndexError, StopIteration):
                pass  # of another format
    return sources


class Tally:
    def __init__(self):
        self.counts = collections.Counter()
        self.failures = []

    def failed(self, what, text):
        self.counts[what] += 1
        self.failures.append(f"{what}: {text}")


def loupe(command, path, out, *options):
    """(exit status, standard error). There is no output of an earlier call."""
    if os.path.exists(out):
        os.unlink(out)
    done = subprocess.run([LOUPE, command, path, "-o", out, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=ANSWER_LIMIT_S, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


def check_slice(scenario, judges, tally, name, mutant):
    """Lets all contexts of a mutant be judged, if it has any that can be read."""
    out = scenario.path("slice.jfr")
    status, said = loupe("slice", mutant, out)
    if status not in (0, 1) or status == 1 and not said:
        tally.failed("crashes", f"{name}: slice: status {status}: {said}")
    if status == 0 and os.path.exists(out):
        tally.counts["slices"] += 1
        wrong = [f"JDK {judge.feature}: {answer}" for judge in judges if (answer := judge.ask(out))]
        if wrong:
            tally.failed("unreadable slices", f"{name}: {wrong}: {said[:300]}")


def check_mutant(scenario, judges, tally, name, content):
    """Compacts a mutant and lets the output be judged; the one of --strict has to be the same."""
    mutant, out, strict_out = scenario.path("mutant.jfr"), scenario.path("out.jfr"), scenario.path("strict.jfr")
    with open(mutant, "wb") as file:
        file.write(content)
    tally.counts["mutants"] += 1
    check_slice(scenario, judges, tally, name, mutant)
    status, said = loupe("compact", mutant, out)
    strict_status, strict_said = loupe("compact", mutant, strict_out, "--strict")
    if status not in (0, 1) or strict_status not in (0, 1) or status == 1 and not said:
        tally.failed("crashes", f"{name}: status {status}, {strict_status}: {said}")
        return "crash"
    tally.counts["refused"] += status
    tally.counts["refused by --strict"] += strict_status
    if status == 1:
        if strict_status == 0:
            tally.failed("refused but for --strict", name)
        return "refused"
    tally.counts["reported"] += bool(said)
    if strict_status == 0 and read_file(out) != read_file(strict_out):
        tally.failed("other outputs with --strict", f"{name}: {said}")
    if strict_status == 0 and said or strict_status == 1 and not strict_said:
        tally.failed("reported, but not refused by --strict", f"{name}: {said}")
    answers = [(judge, judge.ask(out)) for judge in judges]
    wrong = [f"JDK {judge.feature}: {answer}" for judge, answer in answers if answer]
    if not wrong:
        return "read"
    readers = [judge.feature for judge, answer in answers if answer and judge.ask(mutant) is None]
    tally.counts["unreadable after --strict"] += strict_status == 0
    if readers:
        tally.counts["unreadable, but the input is not"] += 1
    tally.failed("unreadable", f"{name}{' (JDK ' + str(readers) + ' reads the input)' if readers else ''}: {wrong}: {said[:300]}")
    return f"unreadable {wrong}"


def body(options, scenario):
    if PRELOAD:
        options.mutants //= 4
    judges = [Judge(scenario, feature) for feature in JUDGES]
    sources = find_sources(scenario, judges)
    tally = Tally()
    for source in sources:  # as they are, they have nothing to report
        said = check_mutant(scenario, judges, tally, source.name, source.chunk.data + source.rest)
        if options.verbose:
            print(f"{source.name}: {said}", flush=True)
    check(not tally.counts["unreadable"], f"undamaged: {tally.failures}")
    tally = Tally()
    first = random.randrange(1 << 32) if options.seed is None else options.seed
    for i in range(options.mutants):
        source = sources[i % len(sources)]
        kind, content = source.mutant(first + i)
        name = f"{source.name} {kind} --seed {first + i}"
        became = check_mutant(scenario, judges, tally, name, content)
        if options.verbose and became.startswith("unreadable"):
            print(f"{name}: {became}", flush=True)
        if options.keep and became.startswith("unreadable"):
            with open(os.path.join(options.keep, re.sub(r"\W+", "-", name) + ".jfr"), "wb") as file:
                file.write(content)
    print(f"{len(sources)} recordings: " + ", ".join(f"{count} {what}" for what, count in sorted(tally.counts.items())))
    check(not tally.failures, f"seed {first}, {len(tally.failures)} failures: " + "\n".join(tally.failures[:20]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, required=True)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--keep", help="a folder for mutants whose output is unreadable")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    run("damage", lambda scenario: body(options, scenario))


main()
