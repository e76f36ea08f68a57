# SPDX-License-Identifier: Apache-2.0
"""A network between a collector and PostgreSQL that delays what passes, and counts how often the collector waits for an answer.

Each direction has a delay. A client of PostgreSQL's waits after Sync and Query, messages of its protocol, whatever it has sent
before them: these are the round trips. The connections must not be encrypted (sslmode=disable).
"""

import collections
import queue
import socket
import struct
import threading
import time

Trip = collections.namedtuple("Trip", "connection statements")  # the texts of what was executed


class Reader:
    """Reads the messages of one client."""

    def __init__(self, number, on_trip):
        self.number, self.on_trip = number, on_trip
        self.bytes, self.is_started = b"", False
        self.texts, self.bound, self.executed = {}, "", []

    def feed(self, data):
        self.bytes += data
        head = 1 if self.is_started else 0  # the first message has no type
        while len(self.bytes) >= head + 4:
            end = head + struct.unpack_from(">I", self.bytes, head)[0]
            if len(self.bytes) < end:
                break
            self.take(self.bytes[:1] if self.is_started else b"", self.bytes[head + 4:end])
            self.bytes, self.is_started, head = self.bytes[end:], True, 1

    def take(self, kind, body):
        texts = body.split(b"\0")
        if kind == b"P":
            self.texts[texts[0]] = texts[1].decode()
        elif kind == b"B":
            self.bound = self.texts[texts[1]]
        elif kind == b"E":
            self.executed.append(self.bound)
        elif kind == b"Q":
            self.executed.append(texts[0].decode())
        if kind in (b"Q", b"S"):
            self.on_trip(Trip(self.number, self.executed))
            self.executed = []


class SlowLink:
    def __init__(self, host, port):
        self.target = (host, port)
        self.delay_s = 0.0  # each way
        self.trips = []
        self.count = 0  # of connections
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            self.count += 1
            reader = Reader(self.count, self.trips.append)
            for source, sink, feed in ((near, far, reader.feed), (far, near, lambda _: None)):
                for end in (source, sink):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                waiting = queue.SimpleQueue()
                threading.Thread(target=self.receive, args=(source, waiting, feed), daemon=True).start()
                threading.Thread(target=self.send, args=(sink, waiting), daemon=True).start()

    def receive(self, source, waiting, feed):
        data = b"more"
        while data:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            feed(data)
            waiting.put((time.monotonic() + self.delay_s, data))

    @staticmethod
    def send(sink, waiting):
        while True:
            due, data = waiting.get()
            time.sleep(max(0, due - time.monotonic()))
            try:
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(data)
            except OSError:
                return

    def transactions(self, first=0):
        """The trips of each transaction that was committed from a trip on."""
        found, open_ones = [], {}
        for trip in self.trips[first:]:
            if any(text.startswith("BEGIN") for text in trip.statements):
                open_ones[trip.connection] = []
            if trip.connection in open_ones:
                open_ones[trip.connection].append(trip)
            if "COMMIT" in trip.statements and trip.connection in open_ones:
                found.append(open_ones.pop(trip.connection))
        return found


def has(transaction, beginning):
    """Whether a transaction has a statement that begins like this."""
    return any(text.startswith(beginning) for trip in transaction for text in trip.statements)
