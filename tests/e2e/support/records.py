# SPDX-License-Identifier: Apache-2.0
"""The context records of a JVM whose agent ships into a file (tests/agent/ship_to_file.c), and the requests that they tell of."""

import collections
import dataclasses
import os
import struct

from .process import BUILD, check

AGENT = os.path.join(BUILD, "tests", "agent", "lib", "libloupe.so")
SET, UNSET, THREAD_END = 1, 2, 3
# Kinds of attributes, as types() has them. That of a key of requests is one of them and ROOT_KEY.
LONG, STRING, HEX, ROOT_KEY = 6, 9, 10, 16
ROOTED = 1  # the bit of ids of requests that have roots

Record = collections.namedtuple("Record", "type_id kind thread time values")


def agent_argument(path):
    """Returns the JVM's option by which the agent writes its records to a file."""
    return f"-agentpath:{AGENT}=collector={path},policy=default"


def read(path):
    """Yields each record; the values are numbers, so they make no sense where there are texts."""
    with open(path, "rb") as file:
        content = file.read()
    at = 0
    while at < len(content):
        size, type_id, kind, thread, time = struct.unpack_from("<IHBxqq", content, at)
        yield Record(type_id, kind, thread, time, struct.unpack_from(f"<{(size - 24) // 8}q", content, at + 24))
        at += size


def types(path):
    """Returns the types: each a list of id, name, label and description, and of kind, name, label and description of each attribute."""
    with open(path + ".types", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


@dataclasses.dataclass
class Request:
    """When it began and ended, as its roots say; when its contexts were set, on which threads."""
    begins: list = dataclasses.field(default_factory=list)
    ends: list = dataclasses.field(default_factory=list)
    sets: list = dataclasses.field(default_factory=list)
    threads: set = dataclasses.field(default_factory=set)

    def late(self):
        """Returns how many of its contexts were set behind its end."""
        return sum(time > self.ends[0] for time in self.sets)


def requests(path):
    """Returns the requests of RecordingContexts, by id. Those that have roots began once, before their contexts, and ended once."""
    by_name = {fields[1]: int(fields[0]) for fields in types(path)}
    found = collections.defaultdict(Request)
    for record in read(path):
        if record.kind != SET:
            continue
        if record.type_id == by_name.get("loupe.RecordingContext"):
            request = found[record.values[1]]
            request.sets.append(record.time)
            request.threads.add(record.thread)
        elif record.type_id == by_name.get("loupe.Request"):
            request = found[record.values[0]]
            (request.ends if record.values[1] else request.begins).append(record.time)
    for key, request in found.items():
        check(key > 0, f"a request has the id {key}")
        roots = (len(request.begins), len(request.ends))
        check(roots == ((1, 1) if key & ROOTED else (0, 0)), f"request {key} has roots {request}")
        if key & ROOTED:
            check(request.begins[0] <= min(request.sets + request.ends), f"request {key} begins late: {request}")
    return dict(found)


def count_rooted(path):
    """Returns how many requests of RecordingContexts have roots, and how many have none."""
    found = requests(path)
    rooted = sum(key & ROOTED for key in found)
    return rooted, len(found) - rooted
