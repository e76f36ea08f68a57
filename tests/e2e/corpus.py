# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact` keeps exactly what it should of recordings that other people's JVMs and profilers have made.

Each recording of the corpus (LOUPE_CORPUS, or ../shared/corpus beside the repository) goes through `loupe compact`
without a policy and with random ones, and the oracle judges what comes out. Where the JDK cannot read the input itself,
a valid output or a one-line refusal is asked for; unsupported files must be refused. Of one that is damaged the output
has what is before the damage, and --strict refuses it. Of one that holds chunks of several JVMs the output is a merged
recording. --kilobytes-max leaves out larger files, and takes one policy in place of two.
"""

import argparse
import json
import os
import random
import re
import shutil

from support import chunks, corpus
from support.elimination import DEFAULT, compact, counts, judge_all, random_policies, with_styles
from support.merging import expect_same
from support.process import JUDGES, NEWEST, Failed, check, need_jdk, oracle, run

# Nothing in these can be taken for a recording: cut off after 100 bytes; format 0.9.
REFUSED = ("invalid.jfr", "8u0.jfr")
# One event inside another: the JDK's reader finds so many events and then fails.
DAMAGED = {"corrupted-recording.jfr": 3}
POLICIES = 2
# The older JDK reads the small ones as well.
SMALL_BYTES = 2_000_000


def body(options, scenario):
    need_jdk(NEWEST)
    failures = []
    seed = random.randrange(1 << 32)
    for source in corpus.recordings(options.kilobytes_max):
        # A file has the same policies whatever other files there are.
        random.seed(f"{seed} {os.path.basename(source)}")
        try:
            found = check_file(scenario, source, options.kilobytes_max is None)
            print(f"{os.path.relpath(source, corpus.FOLDER)}: {found}", flush=True)
        except Failed as failure:
            failures.append(f"{os.path.relpath(source, corpus.FOLDER)}: {failure}")
            print("FAILED " + failures[-1], flush=True)
    check(not failures, f"{len(failures)} files: " + "; ".join(failures))


def check_file(scenario, source, is_whole):
    folder = scenario.path("out")
    os.makedirs(folder)
    try:
        return check_in(scenario, source, is_whole, os.path.join(folder, "out.jfr"))
    finally:
        shutil.rmtree(folder)


def check_in(scenario, source, is_whole, out):
    done = compact(source, out)
    if os.path.basename(source) in REFUSED:
        check_refusal(done, source, out)
        return "refused"
    if os.path.basename(source) in DAMAGED:
        return check_recovery(done, source, out)
    unpacked = corpus.unpack(source, scenario.path("unpacked.jfr"))
    policies = random_policies(scenario, unpacked, POLICIES if is_whole else 1)
    if done.returncode != 0:
        check(not policies, f"refused, but the JDK reads it: {done.stderr.decode()}")
        check_refusal(done, source, out)
        return "refused, as by the JDK"
    if not policies:
        # The input is beyond the JDK; the output must not be.
        status, report = oracle("OracleEquals", out, out)
        check(status == 0, f"the JDK cannot read the output: {report}")
        return "valid output of a recording that the JDK does not read"
    jvms = chunks.split_jvms(unpacked)
    if len(jvms) > 1:  # they may be years apart, which is too far for the times of JDK 25
        return f"{expect_same(17, out, jvms)} events of {len(jvms)} JVMs"
    judges = JUDGES if os.path.getsize(unpacked) <= SMALL_BYTES else [NEWEST]
    report = judge_all(scenario, unpacked, with_styles([DEFAULT, *policies]), judges)
    return f"{counts(report)} events, {os.path.getsize(unpacked)} -> {os.path.getsize(out)} bytes"


def check_recovery(done, source, out):
    """A report with offsets on standard error, an output with the events before the damage; nothing with --strict."""
    expected = DAMAGED[os.path.basename(source)]
    lines = done.stderr.decode().splitlines()
    check(done.returncode == 0, f"status {done.returncode}: {lines}")
    check(lines and all(source in line and re.search(r"offset \d+: \d+ bytes skipped", line) for line in lines),
          f"lines without file, offset or size: {lines}")
    status, report = oracle("OracleEquals", out, out)
    check(status == 0 and f"actual {expected}" in report, f"the JDK says of the output: {report}")
    check(json.loads(done.stdout)["events"]["out"] == expected, f"--json: {done.stdout[:500]}")
    os.unlink(out)
    check_refusal(compact(source, out, more=["--strict"]), source, out)
    return f"{expected} events before the damage"


def check_refusal(done, source, out):
    """One line with file and offset, status 1, nothing left."""
    text = done.stderr.decode("utf-8", "replace")
    check(done.returncode == 1, f"status {done.returncode}: {text}")
    check(text.count("\n") == 1 and text.endswith("\n"), f"not one line: {text!r}")
    check(source in text and re.search(r"offset \d+", text), f"names no file and offset: {text!r}")
    left = os.listdir(os.path.dirname(out))
    check(not left, f"left behind: {left}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kilobytes-max", type=int, help="leaves out larger files")
    options = parser.parse_args()
    corpus.need()
    run("corpus", lambda scenario: body(options, scenario))


main()
