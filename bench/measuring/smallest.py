# SPDX-License-Identifier: Apache-2.0
"""The smallest file that holds what a result holds: its events, the constants they reach, the types these have.

Worked out from the bytes of the result by a reader that shares nothing with the engine.
"""

import collections
import json
import os

from measuring.run import OUTPUT_NAME, run
from measuring.tools import INPUT, OUTPUT
from support import jfrbytes
from support.jfrbytes import CHECKPOINT, HEADER_BYTES, METADATA, varint_size


# Where the bytes are that a result has more than the smallest file.
ENUMERATIONS = "whole enumerations, on purpose"
TYPES = "types without events in the first chunk, on purpose"
FRAMES = "sizes of events, in more bytes than they need"
STRINGS = "texts and their numbers in the description of types"


class Sizes:
    """Of what compact makes of recordings: bytes, the fewest in which that could be said, where the others are."""

    def __init__(self):
        self.events = 0  # of the recordings
        self.made = 0
        self.more = collections.Counter()

    def least(self):
        return self.made - sum(self.more.values())

    def add(self, path, box):
        output = os.path.join(box.work, OUTPUT_NAME)
        values = {INPUT: path, OUTPUT: output}
        self.events += json.loads(run([values.get(word, word) for word in box.compact()]).output)["events"]["in"]
        with open(output, "rb") as file:
            content = file.read()
        os.remove(output)
        self.made += len(content)
        for chunk in jfrbytes.chunks(content):
            self.more.update(surplus(chunk))


def surplus(chunk):
    """The bytes that a chunk has more than it needs, by what they are."""
    refs = set()
    events = 0
    for event in chunk.plain_events():
        chunk.walk_event(event, refs)
        events += framed(varint_size(event.type) + event.end - event.payload)
    reached = reach(chunk, refs)
    types = {event.type for event in chunk.plain_events()} | {type_id for type_id, _ in reached} | named_types(chunk)
    constants, least = checkpoint_size(chunk, reached), metadata_size(chunk, types)
    described = metadata_size(chunk, set(chunk.types))
    checkpoints = sum(event.end - event.offset for event in chunk.events if event.type == CHECKPOINT)
    metadata = sum(event.end - event.offset for event in chunk.events if event.type == METADATA)
    return {ENUMERATIONS: checkpoints - constants, TYPES: described - least,
            FRAMES: len(chunk.data) - HEADER_BYTES - checkpoints - metadata - events, STRINGS: metadata - described}


def named_types(chunk):
    """The types whose settings events tell: a reader looks up their names."""
    setting = chunk.type_named("jdk.ActiveSetting")
    events = [event for event in chunk.plain_events() if setting and event.type == setting.id]
    return {chunk.value(setting.id, event.payload)[0]["id"] for event in events} & set(chunk.types)


def framed(content):
    """Of an event with that many bytes: its size counts itself."""
    return content + next(n for n in range(1, 10) if varint_size(content + n) == n)


def reach(chunk, refs):
    """All constants that are there and that refs lead to."""
    found, new = set(), {ref for ref in refs if ref in chunk.constants}
    while new:
        found |= new
        refs = set()
        for constant in new:
            chunk.walk_constant(constant, refs)
        new = {ref for ref in refs if ref in chunk.constants} - found
    return found


def checkpoint_size(chunk, constants):
    """One checkpoint with all of them: its type, start, duration 0, delta 0, flags, and pools."""
    pools = collections.Counter(type_id for type_id, _ in constants)
    size = varint_size(CHECKPOINT) + varint_size(chunk.start_ticks) + 3 + varint_size(len(pools))
    for type_id, count in pools.items():
        size += varint_size(type_id) + varint_size(count)
    for constant in constants:
        begin, end = chunk.constants[constant]
        size += varint_size(constant[1]) + end - begin
    return framed(size)


def metadata_size(chunk, types):
    """One description of these types and all that they name; the commonest strings have the shortest numbers."""
    metadata = chunk.metadata[-1]
    wanted, new = set(), set(types)
    while new:
        wanted |= new
        new = set().union(*(chunk.types[i].names for i in new if i in chunk.types)) - wanted
    uses = collections.Counter()
    size = element_size(metadata.root, wanted, uses)
    for number, (text, count) in enumerate(uses.most_common()):
        length = len(text.encode("utf-8", "surrogatepass"))
        size += (1 + varint_size(length) + length if text else 1) + count * varint_size(number)
    return framed(size + varint_size(METADATA) + varint_size(chunk.start_ticks) + 1 + varint_size(metadata.id) +
                  varint_size(len(uses)))


def element_size(element, wanted, uses):
    """The bytes of an element apart from its strings, whose uses are counted."""
    children = [child for child in element.children if child.name != "class" or type_id(child) in wanted]
    uses[element.name] += 1
    for name, value in element.attributes.items():
        uses.update((name, value))
    return (varint_size(len(element.attributes)) + varint_size(len(children)) +
            sum(element_size(child, wanted, uses) for child in children))


def type_id(element):
    return int(element.attributes["id"]) & jfrbytes.U64
