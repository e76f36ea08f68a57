# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact` keeps exactly the events that the rules say, and changes nothing in them.

A program makes a recording of random contexts and events of every kind on platform and virtual threads. It is compacted
without a policy and with random ones, and the oracle, which decides by the rules alone and reads both files with the
JDK's reader, has to find the events that it expects, in all context styles. LOUPE_TEST_SEED repeats a run, but for
threads that race; the recording and the policies of a run that failed are kept.
"""

import argparse
import os
import random

from support import chunks
from support.elimination import DEFAULT, LIMIT_S, judge_all, random_policies, with_styles
from support.process import JUDGES, NEWEST, need_jdk, run

# The older JDK reads the small ones as well.
SMALL_KILOBYTES = 20_000


def body(options, scenario):
    need_jdk(options.jdk)
    recording = scenario.path("in.jfr")
    scenario.jvm(options.jdk, "RandomRecording", recording, str(random.randrange(1 << 32)), str(options.kilobytes),
                 str(options.chunk_ms)).wait_exit(LIMIT_S)
    print(f"{os.path.getsize(recording)} bytes in {len(chunks.start_ticks(recording))} chunks", flush=True)
    policies = [DEFAULT, *random_policies(scenario, recording, options.policies)]
    judges = JUDGES if options.kilobytes <= SMALL_KILOBYTES else [NEWEST]
    print(judge_all(scenario, recording, with_styles(policies), judges), end="")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True, help="what makes the recording")
    parser.add_argument("--kilobytes", type=int, required=True, help="how large it is at least")
    parser.add_argument("--chunk-ms", type=int, required=True, help="how often it begins a chunk")
    parser.add_argument("--policies", type=int, required=True, help="how many random ones")
    options = parser.parse_args()
    run("oracle", lambda scenario: body(options, scenario))


main()
