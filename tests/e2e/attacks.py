# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever somebody on the network does to the agents' port, a JVM's recording goes on and lacks nothing, others
can begin, and HTTP answers; and each attack is counted by the limit that it met.

The attackers (support/attacks.py) are one after the other: connections that are dropped with half a message sent, messages of
two million empty ones, frames that unpack to 25,000 times their size, sessions of one byte, and Hellos with nothing behind.
"""

import argparse
import os
import re

from support import attacks, judge
from support.process import Collector, check, run, times, wait_for

ALPHA = "e2e.Alpha"
LIMIT_S = 300
# Which metric says that the attack has met its limit; without one, it was tried so often.
MET = {"submessages": r'loupe_agent_messages_refused_total{limit="submessages"}',
       "bombs": "loupe_chunk_bytes_over_limit_total",
       "hellos": r'loupe_sessions_put_off_total{limit="rate"}'}
TRIES = times(60, 200)
KEPT_MAX = 30  # descriptors, more than before: of the JVM's journal and what is asked meanwhile


def metric(collector, name):
    found = re.search(rf"^{re.escape(name)} (\d+)$", collector.get("/metrics").body.decode(), re.MULTILINE)
    check(found, f"no metric {name}")
    return int(found[1])


def count_descriptors(collector):
    return len(os.listdir(f"/proc/{collector.process.pid}/fd"))


def first_chunk(path):
    with open(path, "rb") as file:
        content = file.read()
    return content[:int.from_bytes(content[8:16], "big")]


def begin(collector):
    """Somebody else begins a recording."""
    session = os.urandom(16)
    def is_taken():
        try:
            with attacks.Peer(collector.agents, "127.0.0.1") as peer:
                return peer.ask(attacks.hello(session, "new")) == [0] and peer.ask(attacks.batch(session, 0)) == [0]
        except OSError:
            return False
    wait_for("a newcomer", is_taken, LIMIT_S)


def attack(collector, recording, kind, chunk):
    attacker = attacks.ALL[kind](collector.agents, chunk)
    before = metric(collector, MET[kind]) if kind in MET else 0
    had = count_descriptors(collector)
    attacker.start()
    if kind in MET:
        wait_for(f"{kind}: {MET[kind]}", lambda: metric(collector, MET[kind]) > before or attacker.problem, LIMIT_S)
    else:
        wait_for(kind, lambda: attacker.done >= TRIES or attacker.problem, LIMIT_S)
    collector.wait_for_growth(recording)
    begin(collector)
    check(collector.get("/readyz").status == 200, f"{kind}: not ready")
    attacker.end()
    wait_for(f"{kind}: descriptors that are given back", lambda: count_descriptors(collector) <= had + KEPT_MAX, LIMIT_S)
    print(f"{kind}: {attacker.done} times")


def body(feature, scenario):
    collector = Collector(scenario).start()
    jvm = scenario.jvm(feature, "PolicyE2E", agent=scenario.agent_options(collector, "shop"), name="shop")
    jvm.wait_line(f"{ALPHA} on")
    recording = collector.recording("shop")
    collector.wait_for_growth(recording)
    path = scenario.path("download.jfr")
    chunk = first_chunk(collector.download(recording, path))
    for kind in attacks.ALL:
        attack(collector, recording, kind, chunk)
    jvm.process.stdin.write(b"s")
    jvm.process.stdin.flush()
    jvm.wait_exit()
    last = int(next(line for line in jvm.lines if line.startswith("last ")).split()[1])
    wait_for("the end", lambda: not collector.get(f"/api/v1/recordings/{recording}").json()["is_running"], LIMIT_S)
    lost = {kind: amount for kind, amount in collector.get(f"/api/v1/recordings/{recording}").json()["losses"].items()
            if amount > 0}
    check(not lost, f"the recording lacks {lost}")
    found = judge.dump(collector.download(recording, path), ALPHA)
    numbers = sorted(int(event.values["seq"]) for event in found if event.type == ALPHA)
    check(numbers == list(range(1, last + 1)), f"{last - len(numbers)} of {last} numbers are missing")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    feature = parser.parse_args().jdk
    run(f"attacks-{feature}", lambda scenario: body(feature, scenario))


main()
