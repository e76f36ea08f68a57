# SPDX-License-Identifier: Apache-2.0
"""A class archive (CDS) of JDK 25's own classes for the JVMs of tests. The archive that the JDK has lacks the classes of JFR: with them
a JVM with the agent starts for 12 % less CPU time. JDK 17 gains nothing.

The archive is made once for all builds, from the classes that a program loads which records events. It has no classes of
applications, so JVMs use it with any class path. With --all no JVM uses it: they start as those of users.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from support.kept import locked

KEPT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/archives"))  # for all builds
LIMIT_S = 120
# The JVM uses less of the archive if it was made with other exports.
EXPORTS = ("--add-exports", "jdk.jfr/jdk.jfr.internal=ALL-UNNAMED")
OWN = re.compile(r"(?!.*dev/loupe)(java|javax|jdk|sun|@lambda-form-invoker|@lambda-proxy)\b")
# JVMs with these options choose an archive, or cannot map this one.
OTHERS = re.compile(r"-Xshare|-XX:.*(Archive|AOT|ClassList|CompactObjectHeaders|UseZGC)|-Xbootclasspath")


def flags(home, apps, vm=()):
    """Returns the options by which a JVM with the options vm uses the archive, or none. home: of JDK 25. apps: the jar of the
    tests' programs."""
    if os.environ.get("LOUPE_TEST_ALL") or any(map(OTHERS.match, vm)):
        return []
    modules = os.stat(f"{home}/lib/modules")
    key = f"{os.path.realpath(home)} {modules.st_mtime_ns} {modules.st_size} {EXPORTS}"
    path = os.path.join(KEPT, hashlib.sha256(key.encode()).hexdigest()[:16] + ".jsa")
    if not os.path.exists(path):
        with locked(KEPT):
            if not os.path.exists(path):
                make(home, apps, path)
    return [f"-XX:SharedArchiveFile={path}", "-Xlog:cds=off"]


def make(home, apps, path):
    folder = tempfile.mkdtemp(dir=KEPT)
    words, made = os.path.join(folder, "classes"), os.path.join(folder, "archive")
    run(home, "-XX:TieredStopAtLevel=1", f"-XX:DumpLoadedClassList={words}", "-cp", apps, "dev.loupe.testapps.RandomRecording",
        os.path.join(folder, "recording"), "1", "1", "50")
    with open(words, encoding="utf-8") as file:
        lines = list(filter(OWN.match, file))
    with open(words, "w", encoding="utf-8") as file:
        file.writelines(lines)
    run(home, *EXPORTS, "-Xshare:dump", "-XX:+UseG1GC", f"-XX:SharedClassListFile={words}", f"-XX:SharedArchiveFile={made}")
    os.rename(made, path)
    shutil.rmtree(folder)


def run(home, *arguments):
    subprocess.run([f"{home}/bin/java", "-Xmx256m", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=LIMIT_S, check=True)
