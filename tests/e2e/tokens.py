# SPDX-License-Identifier: Apache-2.0
"""Promised: tokens are rotated while agents send, in any order and with mistakes, and nothing is lost; without a token that
is for it, nobody gets in, and a collector without tokens serves its own machine alone.

A JVM numbers its events and contexts meanwhile. In the end each number is there exactly once.
"""

import argparse
import subprocess

from support import sequence
from support.process import LIMIT_S, Collector, check, run, wait_for
from support.token_file import WithToken, refused_agents, rule, write

ROUNDS = 3
READER = "the-token-of-a-reader"


class Tokens:
    """The collector's file, and the agent's."""

    def __init__(self, scenario):
        self.of_collector = scenario.path("tokens")
        self.of_agent = scenario.path("token")

    def allow(self, *tokens):
        rules = "".join(rule("shop", "ingest", "shop", token) for token in tokens)
        write(self.of_collector, rules + rule("ops", "read", "*", READER))

    def give(self, token):
        write(self.of_agent, token + "\n")


def scenario_of(feature):
    def body(scenario):
        tokens = Tokens(scenario)
        tokens.allow("first-token-of-the-shop")
        tokens.give("a-token-that-nobody-knows")
        collector = Collector(scenario)
        collector.env = {"LOUPE_TOKENS": tokens.of_collector}
        collector.start()
        without = WithToken(collector, READER).get_without
        stop = scenario.path("stop")
        agent = scenario.agent_options(collector, "shop", segment=2, token=f"@{tokens.of_agent}")
        jvm = scenario.jvm(feature, "SequenceE2E", "3000", f"until:{stop}", agent=agent)
        wait_for("the agent's word", lambda: said(scenario))
        check(not collector.recordings(), "somebody without a token has a recording")
        tokens.give("first-token-of-the-shop")
        recording = collector.recording("shop")
        rotate(collector, tokens, recording)
        check(without(f"/api/v1/recordings/{recording}.jfr").status == 401, "a download without a token")
        with open(stop, "w", encoding="ascii"):
            pass
        jvm.wait_exit()
        ticks, first_context = sequence.last_words(jvm)
        sequence.check_complete(collector.download(recording, scenario.path("all.jfr")), ticks, first_context)
        check(len(collector.recordings()) == 1, "more than one recording of one JVM run")
        losses = collector.recordings()[0]["losses"]
        check(not any(losses.values()), f"nothing is lost, but it says {losses}")
        collector.stop()
        check_loopback(scenario)
    return body


def said(scenario):
    with open(scenario.path("SequenceE2E.log"), encoding="utf-8") as file:
        lines = [line for line in file if "the collector rejects this agent" in line]
    check(len(lines) < 2, f"more than one line: {lines}")
    return lines and "the collector does not know the agent's token" in lines[0]


def rotate(collector, tokens, recording):
    for i in range(ROUNDS):
        before, after = (f"token-{'first' if n == 0 else n}-of-the-shop" for n in (i, i + 1))
        before = "first-token-of-the-shop" if i == 0 else before
        # As it should be done: both are good for a while.
        tokens.allow(before, after)
        tokens.give(after)
        collector.wait_for_growth(recording)
        # And as it should not: the collector's before the agent's.
        refused = refused_agents(collector)
        tokens.allow(f"{after}-now")
        wait_for("a refusal", lambda: refused_agents(collector) > refused)
        write(tokens.of_collector, "what is this\n")  # which changes nothing
        tokens.give(f"{after}-now")
        collector.wait_for_growth(recording)
        tokens.allow(after)
        tokens.give(after)
        collector.wait_for_growth(recording)


def check_loopback(scenario):
    """Without tokens nobody else's machine is served."""
    collector = Collector(scenario, "open")
    for option, value in (("--agents", "tcp://*:0"), ("--http", ":0"), ("--http", "0.0.0.0:0")):
        arguments = [collector.program, "collect", "--data", collector.data, "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0"]
        done = subprocess.run([*arguments, option, value], capture_output=True, timeout=LIMIT_S, check=False, text=True)
        check(done.returncode == 1 and "--tokens" in done.stderr and "--insecure" in done.stderr,
            f"{option} {value}: {done.returncode} {done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"tokens-{args.jdk}", scenario_of(args.jdk))


main()
