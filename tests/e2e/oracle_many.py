# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact` decides right where everything happens at once: at the same ticks, at the borders of chunks,
on threads that have several names.

Small recordings are written by hand, each with a policy at random, and the oracle judges what is left of them.
LOUPE_TEST_SEED repeats a run; the files of the one that failed are kept.
"""

import argparse
import random

from support.elimination import LIMIT_S
from support.process import LOUPE, check, need_jdk, oracle, run


def body(options, scenario):
    # Older readers change clocks within a recording, and not all frequencies let every reader show the same nanosecond.
    need_jdk(25)
    status, report = oracle("OracleMany", LOUPE, scenario.dir, str(random.randrange(1 << 32)), str(options.recordings),
                            feature=25, limit_s=LIMIT_S)
    check(status == 0, report)
    print(report, end="")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recordings", type=int, required=True)
    options = parser.parse_args()
    run("oracle_many", lambda scenario: body(options, scenario))


main()
