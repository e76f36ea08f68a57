# SPDX-License-Identifier: Apache-2.0
"""Running one program and seeing what it took."""

import dataclasses
import os
import tempfile
import time

OUTPUT_NAME = "output.jfr"  # jfr scrub takes no other name


class Failed(Exception):
    """A program that is measured, or needed, did not do its work."""


@dataclasses.dataclass
class Cost:
    wall_s: float
    cpu_s: float
    peak_mib: float
    output: str  # standard output, or standard error where that is empty


def run(command):
    """Runs a command to its end, without input; fails if it does."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        begin = time.monotonic()
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall_s = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        said, complained = out.read().decode("utf-8", "replace"), err.read().decode("utf-8", "replace")
    if status != 0:
        lines = [line for line in (complained or said).splitlines() if not line.startswith("\tat ")]  # no stack traces
        raise Failed(f"{' '.join(command)}: status {os.waitstatus_to_exitcode(status)}: {chr(10).join(lines)[-1000:]}")
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said or complained)


def warm(path):
    """Brings a file into the page cache."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 20):
            pass
