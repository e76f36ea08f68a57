# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact` keeps every event of recordings that other people's JVMs and profilers have made.

Each recording of the corpus (LOUPE_CORPUS, or ../shared/corpus beside the repository) goes through `loupe compact`;
the JDK's reader has to find the same events in the output. None has contextual events. Where the JDK cannot read the
input itself, a valid output or a one-line refusal is asked for; unsupported files must be refused. Of one that is damaged
the output has what is before the damage, and --strict refuses it.
"""

import gzip
import json
import os
import re
import shutil
import subprocess

from support import chunks
from support.process import LOUPE, NEWEST, Failed, check, jdk_home, need_jdk, oracle, run, skip

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("LOUPE_CORPUS") or os.path.join(ROOT, "..", "shared", "corpus")
# Nothing in these can be taken for a recording: cut off after 100 bytes; format 0.9.
REFUSED = ("invalid.jfr", "8u0.jfr")
# One event inside another: the JDK's reader finds so many events and then fails.
DAMAGED = {"corrupted-recording.jfr": 3}


def compact(*arguments, stdin=None):
    return subprocess.run([LOUPE, "compact", *arguments], input=stdin, stdin=None if stdin is not None else
                          subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)


def recordings():
    found = []
    for folder, _, names in os.walk(CORPUS):
        found += [os.path.join(folder, name) for name in names if ".jfr" in name]
    return sorted(found)


def body(scenario):
    need_jdk(NEWEST)
    files = recordings()
    check(files, f"no recordings in {CORPUS}")
    failures = []
    for source in files:
        try:
            print(f"{os.path.relpath(source, CORPUS)}: {check_file(scenario, source)}", flush=True)
        except Failed as failure:
            failures.append(f"{os.path.relpath(source, CORPUS)}: {failure}")
            print("FAILED " + failures[-1], flush=True)
    check(not failures, f"{len(failures)} files: " + "; ".join(failures))


def unpack(scenario, source):
    """The recording as the JDK's reader wants it, not packed."""
    with open(source, "rb") as file:
        content = file.read()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    path = scenario.path("unpacked.jfr")
    with open(path, "wb") as file:
        file.write(content)
    return path


def check_file(scenario, source):
    folder = scenario.path("out")
    os.makedirs(folder)
    try:
        return check_in(scenario, source, os.path.join(folder, "out.jfr"))
    finally:
        shutil.rmtree(folder)


def check_in(scenario, source, out):
    done = compact(source, "-o", out, "--json")
    if os.path.basename(source) in REFUSED:
        check_refusal(done, source, out)
        return "refused"
    if os.path.basename(source) in DAMAGED:
        return check_recovery(done, source, out)
    unpacked = unpack(scenario, source)
    if done.returncode != 0:
        status, _ = oracle("OracleEquals", unpacked, unpacked)
        check(status == 3, f"refused, but the JDK reads it: {done.stderr.decode()}")
        check_refusal(done, source, out)
        return "refused, as by the JDK"
    return check_output(unpacked, out, json.loads(done.stdout))


def check_output(unpacked, out, statistics):
    status, report = oracle("OracleEquals", unpacked, out)
    if status == 1:
        status, report = by_chunk(unpacked, out)
    if status == 3:
        # The input is beyond the JDK; the output must not be.
        status, report = oracle("OracleEquals", out, out)
        check(status == 0, f"the JDK cannot read the output: {report}")
        return "valid output of a recording that the JDK does not read"
    check(status == 0, report)
    if jdk_home(17) and "chunks" not in report:
        status, older = oracle("OracleEquals", unpacked, out, feature=17)
        check(status in (0, 3), f"JDK 17: {older}")
    counts = [int(n) for n in re.search(r"expected (\d+) actual (\d+)", report).groups()]
    found = [statistics["events"][way] for way in ("in", "out")]
    check(found == counts, f"--json says {found}, the JDK {counts}")
    check(statistics["bytes"]["out"] == os.path.getsize(out), f"--json says {statistics['bytes']} in and out")
    by_type = sum(row["events"]["out"] for row in statistics["types"].values())
    check(by_type == counts[1], f"--json has {by_type} events in its types, {counts[1]} in all")
    return f"{counts[1]} events, {os.path.getsize(unpacked)} -> {os.path.getsize(out)} bytes"


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
    check_refusal(compact(source, "-o", out, "--strict"), source, out)
    return f"{expected} events before the damage"


def by_chunk(unpacked, out):
    """Compares chunk by chunk.

    Where a constant has the same key in two chunks but not the same value, the JDK's reader shows the value of the
    first chunk in both; it does not when the first chunk of the output has no need for that constant. Read by
    itself each chunk shows what is in it."""
    total = 0
    pieces = list(zip(chunks.split(unpacked), chunks.split(out)))
    for expected, found in pieces:
        status, report = oracle("OracleEquals", expected, found)
        if status != 0:
            return status, report
        total += int(re.search(r"actual (\d+)", report).group(1))
    return 0, f"expected {total} actual {total} in {len(pieces)} chunks"


def check_refusal(done, source, out):
    """One line with file and offset, status 1, nothing left."""
    text = done.stderr.decode("utf-8", "replace")
    check(done.returncode == 1, f"status {done.returncode}: {text}")
    check(text.count("\n") == 1 and text.endswith("\n"), f"not one line: {text!r}")
    check(source in text and re.search(r"offset \d+", text), f"names no file and offset: {text!r}")
    left = os.listdir(os.path.dirname(out))
    check(not left, f"left behind: {left}")


def main():
    if not os.path.isdir(CORPUS):
        skip(f"no corpus of recordings: neither LOUPE_CORPUS nor {CORPUS}")
    run("corpus", body)


main()
