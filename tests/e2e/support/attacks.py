# SPDX-License-Identifier: Apache-2.0
"""Who wants to do the collector harm over the agents' port. They come from 127.0.0.2, honest agents from 127.0.0.1."""

import os
import socket
import struct
import threading

from support import wire
from support.process import LIMIT_S, Failed

ADDRESS = "127.0.0.2"
AT_ONCE = 32  # requests that are sent before their answers are read
MIB = 1 << 20
BLOCK = 128 << 10  # of zstd, the most


def frame(pieces, size):
    """A zstd frame of these blocks: (is it one byte that comes again and again, its size, what it has)."""
    head = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", size)
    blocks = []
    for i, (is_repeated, count, content) in enumerate(pieces):
        last = i == len(pieces) - 1
        blocks.append(struct.pack("<I", last | is_repeated << 1 | count << 3)[:3] + content)
    return head + b"".join(blocks)


def frame_of(content):
    pieces = [content[at:at + BLOCK] for at in range(0, len(content), BLOCK)]
    return frame([(False, len(piece), piece) for piece in pieces], len(content))


ZEROS = frame([(True, BLOCK, b"\0")] * (MIB // BLOCK), MIB)  # a million in 41 bytes


def hello(session, service="attack"):
    return wire.number_field(1, wire.VERSION) + wire.bytes_field(2, wire.bytes_field(1, session) + wire.bytes_field(2, service.encode()))


def batch(session, sequence, chunk=0, offset=0, packed=b"", size=0, header=b"", is_last=False):
    found = wire.bytes_field(1, session) + wire.number_field(2, sequence) + wire.number_field(3, chunk)
    if packed:
        found += wire.number_field(4, offset) + wire.bytes_field(5, packed) + wire.number_field(6, size)
    if header:
        found += wire.bytes_field(7, header)
    if is_last:
        found += wire.number_field(12, 1)
    return wire.number_field(1, wire.VERSION) + wire.bytes_field(3, found)


class Peer:
    """A connection from an address; any number of requests may be on their way."""

    def __init__(self, url, address=ADDRESS):
        host, port = url.removeprefix("tcp://").rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=LIMIT_S, source_address=(address, 0))
        self.socket.sendall(wire.greeting(wire.REQ))
        self.read(8)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self, count):
        found = b""
        while len(found) < count:
            more = self.socket.recv(count - len(found))
            if not more:
                raise OSError("it was closed")
            found += more
        return found

    def send(self, *requests):
        self.socket.sendall(b"".join((len(each) + 4).to_bytes(8, "big") + b"\x80\0\0\0" + each for each in requests))

    def ask(self, *requests):
        """The statuses of the answers, in the order in which they come."""
        self.send(*requests)
        return [wire.reply(self.read(int.from_bytes(self.read(8), "big"))[4:])["status"] for _ in requests]

    def abort(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Attack(threading.Thread):
    """Does something again and again, until it is told to end. That it is turned away is none of its problems."""

    def __init__(self, url, chunk=b""):
        super().__init__(daemon=True)
        self.url = url
        self.chunk = chunk  # of a JVM, for those who need one
        self.done = 0
        self.is_over = threading.Event()
        self.problem = None

    def run(self):
        while not self.is_over.is_set():
            try:
                self.once()
                self.done += 1
            except OSError:
                self.is_over.wait(0.01)
            except Exception as problem:
                self.problem = problem
                return

    def end(self):
        self.is_over.set()
        self.join(LIMIT_S)
        if self.is_alive() or self.problem:
            raise Failed(f"{type(self).__name__} does not end: {self.problem}")


class Aborted(Attack):
    """Drops connections with answers on their way and a part of a message sent: half of its length, that alone, or half of
    all; at once, or when the first answers are there. Listeners of NNG 1.5.2 keep the descriptor of each from the first few
    on, by one of these ways or another, as how long an answer takes decides."""

    LENGTH = (1 << 20).to_bytes(8, "big")
    PARTS = (LENGTH[:4], LENGTH, LENGTH + bytes(1 << 19))

    def once(self):
        peer = Peer(self.url)
        session = os.urandom(16)
        peer.send(hello(session), *[batch(session, i) for i in range(7)])
        peer.socket.sendall(self.PARTS[self.done % 3])
        if self.done % 2:
            peer.socket.recv(100)
        peer.abort()


class Submessages(Attack):
    """Messages of 1.9 million messages inside: counters of a batch, of nothing."""

    def once(self):
        with Peer(self.url) as peer:
            peer.ask(wire.number_field(1, wire.VERSION) + wire.bytes_field(3, wire.bytes_field(11, b"") * 1900000))


class Bombs(Attack):
    """Chunks that begin as those of a JVM, and go on with what unpacks to 25,000 times its size."""

    def once(self):
        with Peer(self.url) as peer:
            session, size = os.urandom(16), len(self.chunk)
            peer.ask(hello(session), batch(session, 0, 0, 0, frame_of(self.chunk), size, self.chunk[:68]))
            for i in range(1, 1000, AT_ONCE):
                peer.ask(*[batch(session, j, 0, size + (j - 1) * MIB, ZEROS, MIB) for j in range(i, i + AT_ONCE)])
            peer.ask(batch(session, i + AT_ONCE, is_last=True))


class Tiny(Attack):
    """One byte for each of many sessions, which go on."""

    def __init__(self, *args):
        super().__init__(*args)
        self.peer = None

    def once(self):
        self.peer = self.peer or Peer(self.url)
        sessions = [os.urandom(16) for _ in range(AT_ONCE // 2)]
        one = frame_of(b"F")
        try:
            self.peer.ask(*[request for session in sessions
                            for request in (hello(session), batch(session, 0, 0, 0, one, 1))])
        except OSError:
            self.peer = None
            raise


class Hellos(Attack):
    """Sessions in which nothing follows."""

    def __init__(self, *args):
        super().__init__(*args)
        self.peer = None

    def once(self):
        self.peer = self.peer or Peer(self.url)
        try:
            self.peer.ask(*[hello(os.urandom(16)) for _ in range(AT_ONCE)])
        except OSError:
            self.peer = None
            raise


ALL = {"aborted": Aborted, "submessages": Submessages, "bombs": Bombs, "tiny": Tiny, "hellos": Hellos}
