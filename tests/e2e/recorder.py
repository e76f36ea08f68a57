# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-testing.jar an application's unit tests see its contexts, without agent and collector.

The program asserts by itself. Here it is checked that it needed nothing of the agent, and that the agent's
presence is noticed.
"""

import argparse
import re

from support.process import check, run

NEEDS_NO_AGENT = {"Agent", "ContextSink", "ContextFields", "AccessMembers", "SourceOrder"}


def body(feature, scenario):
    alone = scenario.jvm(feature, "RecorderTest", "alone", vm=["-Xlog:class+load"])
    alone.wait_exit()
    loaded = {m.group(1) for line in alone.lines for m in [re.search(r" dev\.loupe\.internal\.(\w+)", line)] if m}
    check(loaded == NEEDS_NO_AGENT, f"of the agent: {loaded - NEEDS_NO_AGENT}, missing: {NEEDS_NO_AGENT - loaded}")
    # Nobody listens there.
    agent = scenario.agent_options("tcp://127.0.0.1:9", "recorder", log="error")
    scenario.jvm(feature, "RecorderTest", "agent", agent=agent).wait_exit()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"recorder-{args.jdk}", lambda scenario: body(args.jdk, scenario))


main()
