#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""jdks.py: Loupe on the JDKs that Debian 12 does not have.

The tree is built in a root of Debian 13, which has JDK 21 and 25, and the tests that have JVMs, of the build's and of the agent's,
run there on both. JDK 11, of Debian 11, is too old for the agent: recordings that it has made of random contexts and events go
through `loupe compact` there, and the oracle judges what comes out.

Needs root, debootstrap, and a mirror of Debian: MIRROR, or the one that apt uses here. Ends with 77 and a line that says why where one
of them is missing. Roots are kept in LOUPE_ROOTS, or /var/tmp/loupe-roots.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from roots import KEPT, ROOT, Mounted, base_root, chroot, copy_sources, environment, open_kept, within
from runs import expect, run, skip

JDKS = (21, 25)
TESTS_MIN = 80  # of each JDK
# Seed, kilobytes, milliseconds of a chunk. With many short chunks in which event types come, JDK 11 writes what later JDKs' readers
# tell other events of as a file than chunk by chunk, and the oracle has nothing to compare with.
RECORDINGS = ((1, 300, 100), (2, 1500, 500), (3, 3000, 400))
# What the program is made of that records random contexts and events.
RANDOM = (*(f"tests/java/random/Random{name}.java" for name in ("Recording", "Work", "Events")), "tests/java/e2e/VirtualThreads.java",
          "java/loupe-api/dev/loupe/jfr/Contextual.java")


def record_on_11(folder):
    """Recordings of JDK 11."""
    root = folder / "jdk11"
    run("cp", "-a", base_root("bullseye", "jdk11", "openjdk-11-jdk-headless"), root)
    for name in RANDOM:
        shutil.copy(ROOT / name, root / "tmp")
    with Mounted(root):
        chroot(root, "sh", "-c", "javac -d /tmp/classes /tmp/*.java")
        for seed, kilobytes, chunk_ms in RECORDINGS:
            chroot(root, "java", "-cp", "/tmp/classes", "dev.loupe.testapps.RandomRecording", f"/tmp/jdk11-{seed}.jfr", str(seed),
                   str(kilobytes), str(chunk_ms))
        expect("11." in chroot(root, "java", "--version").splitlines()[0], "JDK 11 has recorded")
    return sorted((root / "tmp").glob("*.jfr"))


def ctest(root, pattern, **more):
    """Runs these tests; returns what ctest said."""
    done = subprocess.run(within(root, "sh", "-c", f"cd /src/loupe && ctest --preset release -j {2 * os.cpu_count() + 2} -R '{pattern}'"),
                          env=environment(LOUPE_TEST_SEED="1", **more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          check=False)
    print("\n".join(line for line in done.stdout.splitlines() if re.search(r"Skipped|Failed|Timeout| tests passed", line)))
    if done.returncode != 0:
        log = root / "src/loupe/build/release/Testing/Temporary/LastTest.log"
        said = re.findall(r"^\S+: FAILED .*", log.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        raise SystemExit("\n".join(said) or f"tests of {pattern} fail")
    return done.stdout


def try_jdks(root):
    for jdk in JDKS:
        said = ctest(root, f"^(e2e|agent)_.*_{jdk}$")
        passed = len(re.findall(r" Passed ", said))
        expect(passed >= TESTS_MIN, f"{passed} tests on JDK {jdk}")


def try_11(root, recordings):
    corpus = root / "corpus"
    corpus.mkdir()
    for recording in recordings:
        shutil.copy(recording, corpus)
    said = ctest(root, "^e2e_corpus$", LOUPE_CORPUS="/corpus")
    expect(" Passed " in said, f"{len(recordings)} recordings of JDK 11 are compacted as the rules say")


def main():
    if os.geteuid() != 0:
        skip("this is not root")
    if not shutil.which("debootstrap"):
        skip("there is no debootstrap")
    open_kept()
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        recordings = record_on_11(pathlib.Path(folder))
        root = pathlib.Path(folder, "jdks")
        run("cp", "-a", base_root("trixie", "jdks", *(f"openjdk-{jdk}-jdk-headless" for jdk in JDKS)), root)
        copy_sources(root / "src/loupe")
        with Mounted(root):
            chroot(root, "/src/loupe/scripts/build", "release")
            try_11(root, recordings)
            try_jdks(root)
    print("passed")


if __name__ == "__main__":
    main()
