#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""verdict.py [--strict] [--broken "BUILD..."] --seconds N BUILD...: what scripts/test says at its end.

Reads build/BUILD/tests.xml, which ctest wrote, and build/BUILD/spent, which has the CPU time of each test. Prints the dearest
tests, why tests were skipped, and what failed.

A failed test runs once more, by itself. If it passes then it is flaky: the run passes, unless it is --strict, and the log of
the failure is kept as build/flaky/BUILD.TEST.log. A crash, a report of a sanitizer, an assertion of ours, and a loss of data
are never flaky.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

DEAREST = 30
# What never counts as flaky, wherever a log has it.
FINAL = re.compile(r"Sanitizer|runtime error:|Segmentation fault|SEGFAULT|SIG[A-Z]+|aborted|core dumped|failed with exception|"
                   r"fatal error has been detected|assertion|panic|\b(lost|lacks?|missing|twice|differs?|changed|corrupt\w*|damaged)\b",
                   re.IGNORECASE)


class Case:
    def __init__(self, build, case, cpu_s):
        self.build, self.name = build, case.get("name")
        self.wall_s = float(case.get("time", 0))
        self.cpu_s = cpu_s
        self.output = case.findtext("system-out", "")
        failure = case.find("failure")
        self.is_failed, self.is_skipped = failure is not None, case.find("skipped") is not None
        self.message = failure.get("message", "") if self.is_failed else ""

    def first_failure(self):
        """The line of the log that says what failed."""
        for pattern in ("FAILED \\(", " != |[Ee]rror", "FAILED"):  # of our programs, of cmocka, of others
            for line in self.output.splitlines():
                if re.search(pattern, line):
                    return line.strip()[:200]
        return self.message or "no message"

    def may_be_flaky(self):
        """Whether the failure may have been the machine's: a wait that ran out, a port that was taken."""
        return not FINAL.search(self.message) and not FINAL.search(self.first_failure()) and not re.search(
            r"Sanitizer|runtime error:|fatal error has been detected", self.output)


def read(build):
    spent = {}
    path = pathlib.Path("build", build, "spent")
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        name, seconds = line.rsplit(" ", 1)
        spent[name] = float(seconds)
    result = pathlib.Path("build", build, "tests.xml")
    if not result.exists():
        return []
    return [Case(build, case, spent.get(case.get("name"))) for case in xml.parse(result).getroot().iter("testcase")]


def passes_again(case):
    """Runs a test by itself. Keeps the log of its first failure if it passes."""
    folder = pathlib.Path("build/flaky")
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["ctest", "--preset", case.build, "-R", f"^{re.escape(case.name)}$", "--no-tests=error"],
                          stdin=subprocess.DEVNULL, check=False, capture_output=True, text=True)
    print(f"== {case.build}: {case.name} again: {'passed' if done.returncode == 0 else 'failed'}")
    if done.returncode != 0:
        print(done.stdout)
        return False
    (folder / f"{case.build}.{case.name}.log").write_text(case.output, encoding="utf-8")
    return True


def print_dearest(cases):
    wall_s, cpu_s = sum(case.wall_s for case in cases), sum(case.cpu_s or 0 for case in cases)
    dearest = sorted(cases, key=lambda case: case.cpu_s or 0, reverse=True)[:DEAREST]
    print(f"The {len(dearest)} dearest tests of {len(cases)}:\n  wall s   CPU s")
    for case in dearest:
        print(f"{case.wall_s:8.1f}{case.cpu_s or 0:8.1f}  {case.build}: {case.name}")
    print(f"{sum(c.wall_s for c in dearest):8.1f}{sum(c.cpu_s or 0 for c in dearest):8.1f}  these, of "
          f"{wall_s:.0f} s of wall and {cpu_s:.0f} s of CPU in all")


def print_skipped(cases):
    """A test that is skipped says on a line of its own why."""
    reasons = {}
    for case in cases:
        reason = re.search(r"^skipped: (.*)", case.output, re.MULTILINE)
        reasons.setdefault(reason.group(1) if reason else "no reason given", []).append(case)
    for reason, tests in reasons.items():
        print(f"skipped {len(tests)}: {reason}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--broken", default="")
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("builds", nargs="+")
    chosen = parser.parse_args()

    cases = [case for build in chosen.builds for case in read(build)]
    failed = [case for case in cases if case.is_failed]
    flaky = [case for case in failed if case.may_be_flaky() and passes_again(case)]
    failed = [case for case in failed if case not in flaky]
    skipped = [case for case in cases if case.is_skipped]

    print_dearest(cases)
    print_skipped(skipped)
    for case in failed:
        print(f"failed in {case.build}: {case.name}")
    for case in flaky:
        print(f"flaky: {case.name} (first failure: {case.first_failure()}); log: build/flaky/{case.build}.{case.name}.log")
    is_bad = failed or chosen.broken or (flaky and chosen.strict) or not cases
    note = f"; broken builds: {chosen.broken}" if chosen.broken else ""
    print(f"{'FAILED' if is_bad else 'passed'}: {len(cases)} tests in {len(chosen.builds)} builds: "
          f"{len(cases) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(flaky)} flaky, {len(skipped)} skipped{note} "
          f"({chosen.seconds // 60} min {chosen.seconds % 60:02d} s)")
    sys.exit(1 if is_bad else 0)


main()
