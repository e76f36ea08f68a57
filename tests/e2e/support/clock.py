# SPDX-License-Identifier: Apache-2.0
"""A wall clock that a test sets, for programs that it starts (Debian's package libfaketime)."""

import glob
import os

from .elimination import write_policy
from .process import skip

BEHIND = "the wall clock was set back by"  # what the agent says of it


class FakeClock:
    """Start a program with env, and set its clock as often as you like.

    Each recording in it needs policy, which takes no samples of threads: JFR stops a thread by a signal for one, and reads
    the clock meanwhile. libfaketime reads it under a lock, so where the thread holds that all of them would hang.
    """

    def __init__(self, scenario):
        library = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
        if library is None:
            skip("libfaketime is not there (Debian's package libfaketime)")
        self.path = scenario.path("offset")
        # Only the wall clock: without the next two, waits by the monotonic one would go wrong; without the last one, the times
        # at which files were made would change with the clock, which Debian 13's library does to statx, too.
        self.env = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": self.path, "FAKETIME_NO_CACHE": "1",
                    "DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0", "NO_FAKE_STAT": "1"}
        self.policy = write_policy(scenario.path("unsampled.jfc"), {"jdk.ExecutionSample": {"enabled": "false"}})
        self.set(0)

    def set(self, seconds):
        with open(self.path + ".new", "w", encoding="ascii") as file:
            file.write(f"{seconds:+}\n")
        os.rename(self.path + ".new", self.path)
