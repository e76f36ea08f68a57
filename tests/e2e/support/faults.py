# SPDX-License-Identifier: Apache-2.0
"""One operation of a collector fails: the n-th that it asks of its files, or the n-th of its allocations; or it is killed there
(tests/support/faults.h)."""

import errno
import mmap
import os
import re
import struct
import subprocess

from support.process import AGENT, LIB_DIR

CHANGES, MEMORY, READS = 1, 2, 3
KILLED = CHANGES | 0x100  # not a failure, but an end, before a change of a file
NAMES = {CHANGES: "change of a file", MEMORY: "allocation", READS: "reading of a file", KILLED: "killed at change of a file"}
ERRORS = {CHANGES: (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.EACCES), MEMORY: (errno.ENOMEM,),
          READS: (errno.EIO, errno.EMFILE), KILLED: (0,)}
HEAD = "=IiQQ"  # kind, error, left, asked; then what failed
LEFT_AT = 8


def range_of_nng():
    """Where NNG's code is in the agent: 1.5.2 crashes where nng_req0_open has no memory, so none of its allocations fails."""
    said = subprocess.run(["nm", "--numeric-sort", AGENT], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout
    places = [(int(address, 16), name) for address, name in re.findall(r"^([0-9a-f]+) [tT] (\S+)$", said, re.M)]
    first, = [place for place, name in places if name == "Agent_OnLoad"]
    found = [number for number, (place, name) in enumerate(places) if place > first and re.match("nn[gi]_", name)]
    return f"{places[found[0]][0]:x}-{places[found[-1] + 1][0]:x}"


class Faults:
    """What a test and a collector share. A collector has it by its environment, env."""

    def __init__(self, scenario, root):
        path = scenario.path("faults")
        with open(path, "wb") as file:
            file.truncate(mmap.PAGESIZE)
        with open(path, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        self.env = {"LD_PRELOAD": os.path.join(LIB_DIR, "libfaults.so"), "LOUPE_TEST_FAULTS": path, "LOUPE_TEST_FAULTS_ROOT": root}

    def env_of_agent(self):
        """The environment of a JVM in whose agent allocations fail."""
        preload = f"{self.env['LD_PRELOAD']}:{AGENT}"
        return {**self.env, "LD_PRELOAD": preload, "LOUPE_TEST_FAULTS_CODE": os.path.basename(AGENT),
                "LOUPE_TEST_FAULTS_SPARED": range_of_nng()}

    def is_due(self):
        return struct.unpack_from("=Q", self.shared, LEFT_AT)[0] > 0

    def arm(self, kind, number):
        """The number-th operation from now on fails."""
        error = ERRORS[kind][number % len(ERRORS[kind])]
        struct.pack_into(HEAD, self.shared, 0, kind & 0xff, error, number, 0)

    def disarm(self):
        """Returns what has failed; None: nothing."""
        left = struct.unpack_from("=Q", self.shared, LEFT_AT)[0]
        struct.pack_into("=Q", self.shared, LEFT_AT, 0)
        head = struct.calcsize(HEAD)
        return None if left > 0 else self.shared[head:head + 300].split(b"\0")[0].decode("utf-8", "replace")


def numbers(dense, spread=0):
    """1, 2, .. dense, and then with growing steps: each is spread percent of those before it. Without spread each one."""
    number = 1
    while True:
        yield number
        number += 1 if number < dense or spread == 0 else 1 + number * spread // 100
