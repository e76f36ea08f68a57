# SPDX-License-Identifier: Apache-2.0
"""Promised: where a collector runs out of descriptors, HTTP answers, nothing that was acknowledged is lost, the log says so,
and who could not connect does as soon as others go. An agent that is connected and sends nothing holds no journal open.

Three times as many agents as may connect send batches to a collector that may have DESCRIPTORS. Those that are connected stay
until others have waited for a second. In the end all batches are acknowledged, and a collector that is killed and
started again, with as few descriptors, knows all of them.
"""

import os
import threading

from support import wire
from support.process import LOUPE, Collector, Failed, check, run, wait_for
from support.wire import bytes_field, number_field

DESCRIPTORS = 256  # agents may have half of them, and journals a quarter
JOURNALS = DESCRIPTORS // 4
AGENTS = 3 * DESCRIPTORS // 2
ADDRESSES = 4  # of which each may have half of the agents' descriptors
BATCHES = 4
BUSY_S = 0.05


def hello(session, next_sequence=0):
    body = (bytes_field(1, session) + bytes_field(2, b"crowd") + bytes_field(3, b"test:1") + bytes_field(5, b"JVM") +
            bytes_field(6, b"1") + number_field(8, 1700000000000000000) + number_field(9, next_sequence))
    return number_field(1, wire.VERSION) + bytes_field(2, body)


def batch(session, sequence):
    return number_field(1, wire.VERSION) + bytes_field(3, bytes_field(1, session) + number_field(2, sequence))


class Agent(threading.Thread):
    """Connects as often as it takes, has its batches acknowledged, and stays connected until it may go."""

    def __init__(self, url, index):
        super().__init__(daemon=True)
        self.url, self.session = url, index.to_bytes(16, "big")
        self.source = f"127.0.0.{2 + index % ADDRESSES}"
        self.acknowledged = 0
        self.may_send, self.may_go = threading.Event(), threading.Event()

    def ask(self, connection, request):
        while True:
            answer = wire.reply(connection.ask(request))
            if answer["status"] != wire.BUSY:
                check(answer["status"] == wire.OK, f"{answer}")
                return answer
            self.may_go.wait(BUSY_S)

    def send_all(self):
        connection = wire.Connection(self.url, self.source)
        try:
            self.ask(connection, hello(self.session, self.acknowledged))
            while self.acknowledged < BATCHES:
                if self.acknowledged > 0:
                    self.may_send.wait()
                answer = self.ask(connection, batch(self.session, self.acknowledged))
                self.acknowledged = answer["next_sequence"]
            self.may_go.wait()
        finally:
            connection.close()

    def run(self):
        while self.acknowledged < BATCHES:
            try:
                self.send_all()
            except (OSError, Failed):  # it was closed again; who connects later is let in
                self.may_go.wait(BUSY_S)


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[-1]) for line in lines if line.startswith(name + " "))


def check_journals(collector):
    check(metric(collector, "loupe_journals_open") <= JOURNALS, "too many journals are open")


def with_few_descriptors(scenario):
    """The collector's program, with a limit that it cannot raise."""
    path = scenario.path("few")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nulimit -n {DESCRIPTORS}\nexec "{LOUPE}" "$@"\n')
    os.chmod(path, 0o755)
    return path


def check_all_known(collector, agents):
    connection = wire.Connection(collector.agents)
    for agent in agents:
        answer = wire.reply(connection.ask(hello(agent.session)))
        check(answer["status"] == wire.OK and answer["next_sequence"] == BATCHES, f"after a restart: {answer}")
    connection.close()


def begun(agents):
    return [agent for agent in agents if agent.acknowledged > 0]


def follow(scenario):
    collector = Collector(scenario, program=with_few_descriptors(scenario)).start()
    agents = [Agent(collector.agents, index) for index in range(AGENTS)]
    for agent in agents:
        agent.start()
    wait_for("agents that wait", lambda: metric(collector, "loupe_agent_accepts_paused_total") > 0)
    wait_for("more agents than journals may be open", lambda: len(begun(agents)) > JOURNALS)
    first = begun(agents)
    check(len(first) <= DESCRIPTORS / 2, f"{len(first)} agents could connect")
    check(collector.get("/readyz").status == 200, "not ready")
    wait_for("journals that are closed", lambda: metric(collector, "loupe_journals_open") == 0)
    check(metric(collector, "loupe_agent_connections") > JOURNALS, "the agents are gone")
    for agent in agents:
        agent.may_send.set()
    wait_for("those that are connected", lambda: all(agent.acknowledged == BATCHES for agent in first))
    check_journals(collector)
    check(len(collector.recordings()) >= len(first), "recordings are missing from the list")
    for agent in agents:
        agent.may_go.set()
    for agent in agents:
        agent.join()
    check_journals(collector)
    collector.kill()
    collector.start()
    check_journals(collector)
    check_all_known(collector, agents)
    losses = [recording["losses"] for recording in collector.recordings()]
    check(len(losses) == AGENTS and not any(any(one.values()) for one in losses), f"losses: {losses}")
    collector.stop()
    with open(scenario.path("collector.log"), encoding="utf-8") as log:
        said = log.read()
    check(said.count("no more agents can connect for now") >= 1, "the log does not say that agents have to wait")


run("descriptors", follow)
