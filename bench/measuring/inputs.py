# SPDX-License-Identifier: Apache-2.0
"""The recordings that are measured: made once, by a real JVM, and kept in the work directory."""

import os
import shutil

from measuring.run import Failed, run, warm
from support import chunks, process

MAKER = os.path.join(os.path.dirname(__file__), "..", "java", "MakeRecording.java")


class Jdk:
    """JDK 25 if there is one, or else the newest that the tests would find."""

    def __init__(self):
        found = [feature for feature in (25, 21, 17) if process.jdk_home(feature)]
        if not found:
            raise Failed("no JDK under /usr/lib/jvm")
        self.home = process.jdk_home(found[0])
        self.note = "" if found[0] == 25 else f"JDK 25 is not under /usr/lib/jvm, so this is JDK {found[0]}'s"

    def tool(self, name):
        return os.path.join(self.home, "bin", name)

    def version(self):
        return run([self.tool("java"), "-version"]).output.splitlines()[1]


class Recording:
    """A file and the sizes of its chunks."""

    def __init__(self, path):
        self.path = path
        self.bytes = os.path.getsize(path)
        self.chunks = list(chunk_sizes(path))


# By the headers alone, for files of any size.
def chunk_sizes(path):
    with open(path, "rb") as file:
        at, end = 0, os.path.getsize(path)
        while at < end:
            file.seek(at)
            header = file.read(chunks.SIZE_AT + 8)
            size = int.from_bytes(header[chunks.SIZE_AT:], "big")
            if size <= 0:
                raise Failed(f"{path} is no recording at {at}")
            yield size
            at += size


def make(work, jdk, name, megabytes, *shares):
    """MakeRecording's recording of that size, made if it is not there."""
    path = os.path.join(work, f"{name}-{megabytes}.jfr")
    if not os.path.exists(path):
        print(f"making {path}", flush=True)
        parts = os.path.join(work, "making")
        os.makedirs(parts, exist_ok=True)
        run([jdk.tool("java"), "-Xmx256m", "-XX:+UseSerialGC", f"-XX:FlightRecorderOptions=repository={parts}",
             MAKER, path + ".part", str(megabytes), *map(str, shares)])
        os.rename(path + ".part", path)
    warm(path)
    return Recording(path)


def join(recordings, path):
    """One recording of all."""
    with open(path, "wb") as out:
        for recording in recordings:
            with open(recording.path, "rb") as file:
                shutil.copyfileobj(file, out)
    return Recording(path)


def cut(recording, bytes_min):
    """The first chunks of a recording, as a recording."""
    path = recording.path + ".cut"
    with open(recording.path, "rb") as file, open(path, "wb") as out:
        for size in chunk_sizes(recording.path):
            out.write(file.read(size))
            if out.tell() >= bytes_min:
                break
    return Recording(path)
