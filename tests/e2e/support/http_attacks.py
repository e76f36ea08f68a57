# SPDX-License-Identifier: Apache-2.0
"""What somebody can do to HTTP with sockets alone. Each attack runs on a thread of its own until it is told to end, and comes
from 127.0.0.2 and the like, so that 127.0.0.1 is another address."""

import resource
import socket
import threading
import time
import urllib.parse

TICK_S = 0.2
LIMIT_S = 60


def raise_descriptors():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def connect(port, source):
    made = socket.socket()
    made.settimeout(LIMIT_S)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.bind((source, 0))
    made.connect(("127.0.0.1", port))
    return made


class Attack(threading.Thread):
    """step() is called again and again; what it raises as its connections end is what is wanted of the collector."""

    pause_s = TICK_S
    sources = ("127.0.0.2",)

    def __init__(self, port, recording):
        super().__init__(daemon=True)
        self.port, self.recording = port, recording
        self.steps = 0
        self.is_over = threading.Event()

    def run(self):
        while not self.is_over.wait(self.pause_s):
            self.step()
            self.steps += 1

    def end(self):
        self.is_over.set()
        self.join(LIMIT_S)


class Held(Attack):
    """Has so many connections at all times: those that were closed are opened anew."""

    count = 600
    first = b""  # what is sent at once
    more = b""   # with each step
    reads = 0    # how many bytes of the answer are read with each step

    def __init__(self, port, recording):
        super().__init__(port, recording)
        self.open = []
        self.ended = 0

    def step(self):
        self.open = [each for each in self.open if self.goes_on(each)]
        for i in range(len(self.open), self.count):
            if self.is_over.is_set():
                return
            try:
                made = connect(self.port, self.sources[i % len(self.sources)])
                made.sendall(self.first.replace(b"ID", self.recording.encode()))
                made.setblocking(False)
                self.open.append(made)
            except OSError:
                self.ended += 1

    def goes_on(self, each):
        try:
            if self.more:
                each.send(self.more)
            if not (each.recv(self.reads) if self.reads else each.recv(1, socket.MSG_PEEK)):
                raise ConnectionError
        except BlockingIOError:
            return True
        except OSError:
            each.close()
            self.ended += 1
            return False
        return True

    def end(self):
        super().end()
        for each in self.open:
            each.close()


class Silent(Held):
    """Opens connections and says nothing."""


class SlowHeads(Held):
    """Sends a byte of a head with each step."""

    first = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "
    more = b"a"


class SlowBodies(Held):
    """Sends a byte of a body with each step."""

    first = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
    more = b"a"


class SlowReaders(Held):
    """Asks for more than fits anywhere, and reads a byte with each step."""

    first = b"GET /page.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n" * 60
    reads = 1
    count = 200


class AllConnections(Held):
    """Takes whatever can be had, from many addresses."""

    sources = tuple(f"127.0.1.{i}" for i in range(1, 101))
    count = 1000


class HeadStorm(Attack):
    """Asks for the length of a running recording, and does not wait for it."""

    pause_s = 0.005

    def step(self):
        try:
            made = connect(self.port, self.sources[0])
            made.sendall(f"HEAD /api/v1/recordings/{self.recording}.jfr HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            made.close()
        except OSError:
            pass


class Smuggling(Attack):
    """Hides a request in the body of another one."""

    pause_s = 0.005
    hidden = b"GET /api/v1/recordings HTTP/1.1\r\nHost: localhost\r\n\r\n"
    shapes = (b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n",
              b"Content-Length: 0\r\nContent-Length: %d\r\n", b"Content-Length : %d\r\n", b"Content:%d\r\n -Length\r\n",
              b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding:\r\n chunked\r\n", b"X: a\n\rContent-Length: %d\r\n")

    def __init__(self, port, recording):
        super().__init__(port, recording)
        self.answered = []  # shapes after which the hidden request was answered

    def step(self):
        shape = self.shapes[self.steps % len(self.shapes)]
        body = b"0\r\n\r\n" + self.hidden
        lines = shape % len(body) if b"%" in shape else shape
        try:
            with connect(self.port, self.sources[0]) as made:
                made.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n" + body)
                answer = b"".join(iter(lambda: made.recv(65536), b""))
        except OSError:
            return
        if answer.count(b"HTTP/1.1 ") > 1 or b"HTTP/1.1 2" in answer:
            self.answered.append((shape, answer[:300]))


class Expressions(Attack):
    """Asks many questions at once, by expressions that are hard to compile or to compare."""

    pause_s = 0
    count = 40
    patterns = ("$a**" * 40, r"\B\b(" * 42, "(a?){100}a{100}", "(a?){250}[^a]", "(a|a)*" * 35 + "b", ".*" * 120 + "b", "a" + "+" * 250,
                "((a{1,255}){1,255}){1,255}", "(.?)" * 60 + "!", "[[:alpha:]]*" * 20 + "!")

    def __init__(self, port, recording):
        super().__init__(port, recording)
        self.statuses = set()

    def step(self):
        asked = []
        try:
            for i in range(self.count):
                asked.append(connect(self.port, self.sources[0]))
                query = urllib.parse.urlencode({"recording": self.recording, "frame": self.patterns[i % len(self.patterns)]})
                asked[-1].sendall(
                    f"GET /api/v1/flamegraph?{query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            self.steps += 1  # they are being answered
            for made in asked:
                self.statuses.add(int(b"".join(iter(lambda made=made: made.recv(65536), b""))[9:12]))
        except (OSError, ValueError):  # connections of one's own are cut for new ones
            pass
        for made in asked:
            made.close()


ATTACKS = {"silent": Silent, "heads": SlowHeads, "bodies": SlowBodies, "readers": SlowReaders, "all": AllConnections,
           "storm": HeadStorm, "smuggling": Smuggling, "expressions": Expressions}


def timed(ask):
    begin_s = time.monotonic()
    ask()
    return time.monotonic() - begin_s
