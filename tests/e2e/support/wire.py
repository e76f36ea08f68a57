# SPDX-License-Identifier: Apache-2.0
"""An agent's side of the wire, by rules of this file's own: NNG's REQ over TCP, and the fields of messages."""

import socket

from support.jfrbytes import varint
from support.process import LIMIT_S, Failed, check

REQ, REP = 0x30, 0x31  # protocol numbers of SP
VERSION = 1  # of the protocol
OK, UNKNOWN_SESSION, BUSY = 0, 1, 3
# By proto/loupe.proto. Others are new, and an agent that does not know them ignores them.
FIELDS = {1: "version", 2: "status", 3: "message", 4: "next_sequence", 5: "policy_id", 6: "jvm_policy"}
VARINT, FIXED64, BYTES = 0, 1, 2


def greeting(protocol):
    return b"\0SP\0" + protocol.to_bytes(2, "big") + b"\0\0"


class Connection:
    """Sends requests one by one, as bytes, and returns the answers as bytes."""

    def __init__(self, url, source=""):
        """source is the address to come from; "": any."""
        host, port = url.removeprefix("tcp://").rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=LIMIT_S, source_address=(source, 0))
        self.socket.sendall(greeting(REQ))
        check(self.read(8) == greeting(REP), "the collector does not speak REP")
        self.number = 0

    def read(self, count):
        found = b""
        while len(found) < count:
            more = self.socket.recv(count - len(found))
            if not more:
                raise Failed("the collector closed the connection")
            found += more
        return found

    def ask(self, request):
        self.number += 1
        number = (self.number | 1 << 31).to_bytes(4, "big")
        self.socket.sendall((len(request) + 4).to_bytes(8, "big") + number + request)
        answer = self.read(int.from_bytes(self.read(8), "big"))
        check(answer[:4] == number, "the answer to another request")
        return answer[4:]

    def close(self):
        self.socket.close()


def encoded(value):
    """A number as a varint."""
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7f | 0x80])
        value >>= 7
    return found + bytes([value])


def number_field(field, value):
    return encoded(field << 3 | VARINT) + encoded(value)


def bytes_field(field, value):
    return encoded(field << 3 | BYTES) + encoded(len(value)) + value


def fixed64_field(field, value):
    return encoded(field << 3 | FIXED64) + value.to_bytes(8, "little")


def fields(message):
    """(number, value) of each field of a message."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == VARINT:
            value, at = varint(message, at)
        elif key & 7 == FIXED64:
            value, at = int.from_bytes(message[at:at + 8], "little"), at + 8
        else:
            check(key & 7 == BYTES, f"a field of wire type {key & 7}")
            size, at = varint(message, at)
            value, at = message[at:at + size], at + size
        yield key >> 3, value


def reply(message):
    """The known fields of a Reply, by their names; those that are not there are 0 or empty."""
    found = {"version": 0, "status": OK, "message": b"", "next_sequence": 0, "policy_id": 0, "jvm_policy": b""}
    found.update((FIELDS[number], value) for number, value in fields(message) if number in FIELDS)
    return found
