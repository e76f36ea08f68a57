# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever a collector answers, it costs the JVM no more than is allowed, and the application goes on; what such a
collector did not acknowledge is there when an honest one takes its place.

--case forget:  it knows no session that has just been introduced.
--case close:   it ends each connection as soon as something comes.
--case garbage: its answers are no messages.
--case lacking: it acknowledges all, and asks for all of it again and again.
--case policy:  its policies are as large as an answer may be, and another one each time.
"""

import argparse
import os
import socket
import threading
import time

from support import judge, wire
from support.process import LIMIT_S, Collector, Failed, check, run_each, wait_for
from support.wire import bytes_field, fixed64_field, number_field

BUSY_CYCLES = 1500  # of the application, which has a hundred a second
ALPHA = "e2e.Alpha"
HELLO, BATCH = 2, 3  # fields of a Request
# As ship_window.h, ship_sender.h and ship_pace.h have them.
GREETINGS, GREETINGS_PER_S = 50, 0.2
POLICIES, POLICIES_PER_S = 20, 1 / 60
AGAIN, AGAIN_PER_S = 64 << 20, 1 << 20
CONNECTIONS = 30  # they come at random times, more rarely each time: nine in the seconds of Close


def reply(status, policy_id=0, policy=b"", lacking=0):
    return (number_field(1, wire.VERSION) + number_field(2, status) + fixed64_field(5, policy_id) +
            (bytes_field(6, policy) if policy else b"") + number_field(8, lacking))


class Attack:
    """What comes, and how it is answered; subclasses say how. None ends the connection."""

    cycles = BUSY_CYCLES  # that it goes on

    def __init__(self):
        self.connections = self.hellos = self.batches = self.sent_bytes = 0
        self.fresh = (0, 0)  # the place in the recording up to which it was sent once
        self.fresh_bytes = 0

    def on_hello(self):
        self.hellos += 1
        return self.answer_hello()

    def on_batch(self, fields):
        self.batches += 1
        size = fields.get(6, 0) + fields.get(9, 0)
        self.sent_bytes += size
        place = fields.get(3, 0), fields.get(4, 0)
        if place >= self.fresh:
            self.fresh = place[0], place[1] + fields.get(6, 0)
            self.fresh_bytes += size
        return self.answer_batch()

    def answer_hello(self):
        return reply(wire.OK)

    def check(self, seconds):
        """seconds: how long it went."""


class Forget(Attack):
    def answer_batch(self):
        return reply(wire.UNKNOWN_SESSION)

    def check(self, seconds):
        check(self.hellos <= 4 + GREETINGS + seconds * GREETINGS_PER_S, f"{self.hellos} Hellos in {seconds:.0f} s")


class Close(Attack):
    cycles = BUSY_CYCLES // 2  # the longer it goes on, the longer the agent then waits

    def answer_batch(self):
        return None

    def check(self, seconds):
        check(self.connections <= CONNECTIONS, f"{self.connections} connections in {seconds:.0f} s")


class Garbage(Attack):
    def answer_hello(self):
        return os.urandom(1000) if self.hellos % 2 else os.urandom(1000000)

    answer_batch = answer_hello

    def check(self, seconds):
        check(self.hellos <= 2 + seconds / 5, f"{self.hellos} Hellos in {seconds:.0f} s")


class Lacking(Attack):
    def answer_hello(self):
        return reply(wire.OK, lacking=1)

    def answer_batch(self):
        status = wire.UNKNOWN_SESSION if self.batches % 10 == 0 else wire.OK
        return reply(status, policy_id=self.batches)

    def check(self, seconds):
        again = self.sent_bytes - self.fresh_bytes
        hellos = 4 + GREETINGS + POLICIES + seconds * (GREETINGS_PER_S + POLICIES_PER_S)
        check(self.hellos <= hellos, f"{self.hellos} Hellos in {seconds:.0f} s")
        check(0 < again <= AGAIN + seconds * AGAIN_PER_S + (32 << 20), f"{again >> 20} MB again in {seconds:.0f} s")


class Policy(Attack):
    # Each for all types, each another setting; the second comes to more than the agent takes of them.
    COUNTS = (8000, 55000)

    def __init__(self):
        super().__init__()
        self.settings = [b"".join(bytes_field(1, bytes_field(1, b"*") + bytes_field(2, f"s{i}".encode()) + bytes_field(3, b"1"))
                                  for i in range(count)) for count in self.COUNTS]
        check(max(map(len, self.settings)) < 1 << 20, f"{[*map(len, self.settings)]} bytes of settings")

    def answer_hello(self):
        return reply(wire.OK, self.hellos, self.settings[self.hellos % 2])

    def answer_batch(self):
        return reply(wire.OK, 1 << 40)

    def check(self, seconds):
        check(self.hellos <= 4 + POLICIES + seconds * POLICIES_PER_S, f"{self.hellos} Hellos in {seconds:.0f} s")


class Server:
    """Listens where the collector will."""

    def __init__(self, port, attack):
        self.attack = attack
        self.problem = None
        self.is_over = False
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while not self.is_over:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.attack.connections += 1
            self.connections.append(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.sendall(wire.greeting(wire.REP))
            check(self.read(connection, 8) == wire.greeting(wire.REQ), "not an agent")
            while self.answer_one(connection):
                pass
        except OSError:
            pass
        except Failed as problem:
            self.problem = self.problem or problem
        finally:
            connection.close()

    @staticmethod
    def read(connection, count):
        found = b""
        while len(found) < count:
            more = connection.recv(count - len(found))
            if not more:
                raise OSError("it was closed")
            found += more
        return found

    def answer_one(self, connection):
        message = self.read(connection, int.from_bytes(self.read(connection, 8), "big"))
        fields = dict(wire.fields(message[4:]))
        if HELLO in fields:
            answer = self.attack.on_hello()
        else:
            answer = self.attack.on_batch(dict(wire.fields(fields[BATCH])))
        if answer is not None:
            connection.sendall((len(answer) + 4).to_bytes(8, "big") + message[:4] + answer)
        return answer is not None

    def close(self):
        self.is_over = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        check(self.problem is None, self.problem)


def numbers(collector, path):
    """The numbers of the application's cycles that are in the recording, in order."""
    found = judge.dump(collector.download(collector.recording("shop"), path), ALPHA)
    return sorted(int(event.values["seq"]) for event in found if event.type == ALPHA)


ATTACKS = {"close": Close, "forget": Forget, "garbage": Garbage, "lacking": Lacking, "policy": Policy}
TAKES_SOME = ("lacking", "policy")  # these acknowledge


def attack_jvm(feature, case, scenario):
    attack = ATTACKS[case]()
    collector = Collector(scenario)
    server = Server(collector.ports[0].number, attack)
    began = time.monotonic()
    jvm = scenario.jvm(feature, "PolicyE2E", agent=scenario.agent_options(collector, "shop"), name="shop",
                       vm=["-XX:+ExitOnOutOfMemoryError"])
    jvm.wait_line(f"{ALPHA} on")
    wait_for("the attack", lambda: attack.hellos > 0)
    jvm.process.stdin.write(b"c")  # it tells when it has done so many cycles
    jvm.process.stdin.flush()
    jvm.wait_line(f"cycle {attack.cycles}$")
    seconds = time.monotonic() - began
    attack.check(seconds)
    server.close()
    log = scenario.log_of("shop")
    check("has a defect" not in log, "it harmed the agent")

    collector.start()
    path = scenario.path("download.jfr")
    # After connections that did not last the agent may wait for a minute.
    wait_for("an honest collector", lambda: collector.recordings("?service=shop"), 3 * LIMIT_S)
    jvm.process.stdin.write(b"s")
    jvm.process.stdin.flush()
    jvm.wait_exit()
    found = numbers(collector, path)
    last = int(next(line for line in jvm.lines if line.startswith("last ")).split()[1])
    check(found[-1] == last, f"the last number is {found[-1]}, not {last}")
    if case not in TAKES_SOME:
        check(found == list(range(1, last + 1)), f"{last - len(found)} of {last} numbers are missing")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(ATTACKS), nargs="+", required=True)
    args = parser.parse_args()
    run_each({f"malicious-{case}-{args.jdk}": lambda scenario, case=case: attack_jvm(args.jdk, case, scenario) for case in args.case})


main()
