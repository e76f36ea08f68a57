# SPDX-License-Identifier: Apache-2.0
"""The bytes of JFR chunks, read by rules of this file's own: nothing here knows the C code, or the JDK's.

A Chunk has its header, its events with where they lie, its types and its constants. Anything that cannot be
decoded raises Broken, with the offset in the chunk.
"""

import collections
import struct

HEADER_BYTES = 68
METADATA, CHECKPOINT = 0, 1
NUMBERS = ("long", "int", "short", "char")
STRING = "java.lang.String"
U64 = (1 << 64) - 1


class Broken(Exception):
    """The bytes are not what they have to be."""


def varint(data, at):
    """(value, end) of the varint at `at`: at most nine bytes, of which the ninth has eight bits."""
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = byte & 0x7f, 7
    while True:
        at += 1
        byte = data[at]
        if shift == 56:
            return value | byte << 56, at + 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value, at + 1
        shift += 7


def varint_size(value):
    """How many bytes value needs at least."""
    return min(9, max(1, (value.bit_length() + 6) // 7))


def string(data, at):
    """(what it says, end): None, text, or the key of a constant."""
    encoding, at = data[at], at + 1
    if encoding == 0:
        return None, at
    if encoding == 1:
        return "", at
    value, at = varint(data, at)
    if encoding == 2:
        return value, at
    if encoding in (3, 5):
        if at + value > len(data):
            raise IndexError
        return data[at:at + value].decode("utf-8" if encoding == 3 else "latin-1", "replace"), at + value
    if encoding != 4:
        raise Broken(f"a string of encoding {encoding} at {at}")
    short = bytes(data[at:at + value])
    if short.isascii() and len(short) == value:  # each unit is one byte
        return short.decode("ascii"), at + value
    units = []
    for _ in range(value):
        unit, at = varint(data, at)
        units.append(unit)
    return struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "surrogatepass"), at


class Field:
    def __init__(self, element):
        self.name = element.attributes["name"]
        self.type = int(element.attributes["class"]) & U64
        self.is_constant = element.attributes.get("constantPool") == "true"
        self.is_array = element.attributes.get("dimension", "0") != "0"
        self.annotations = element.annotations()


class Type:
    def __init__(self, element):
        self.id = int(element.attributes["id"]) & U64
        self.name = element.attributes["name"]
        self.is_event = element.attributes.get("superType") == "jdk.jfr.Event"
        self.fields = [Field(child) for child in element.children if child.name == "field"]
        self.annotations = element.annotations()
        self.names = element.names()


class Element:
    """An element of the metadata event."""

    def __init__(self, name, attributes, children):
        self.name = name
        self.attributes = attributes
        self.children = children

    def annotations(self):
        return [int(child.attributes["class"]) & U64 for child in self.children if child.name == "annotation"]

    def names(self):
        """The ids of all types that the element and those below it name."""
        found = {int(self.attributes["class"]) & U64} if "class" in self.attributes else set()
        return found.union(*(child.names() for child in self.children))

    def find(self, name):
        return [child for child in self.children if child.name == name]


class Event:
    __slots__ = ("offset", "payload", "end", "type")

    def __init__(self, offset, payload, end, type_id):
        self.offset, self.payload, self.end, self.type = offset, payload, end, type_id


class Metadata:
    """One metadata event: its strings, its types and where its parts lie. Chunks of a recording mostly have the same: what was
    read of the last ones is kept."""

    read = collections.OrderedDict()
    READ_MAX = 16

    def __init__(self, data, event):
        _, at = varint(data, event.payload)
        _, at = varint(data, at)
        self.id, self.content = varint(data, at)
        content = bytes(data[self.content:event.end])
        if content not in self.read:
            self.read[content] = MetadataContent(content)
        self.read.move_to_end(content)
        if len(self.read) > self.READ_MAX:
            self.read.popitem(last=False)
        known = self.read[content]
        self.strings, self.unused, self.root, self.types = known.strings, known.unused, known.root, known.types
        self.end = self.content + known.end


class MetadataContent:
    """What a metadata event has behind its id."""

    def __init__(self, data):
        count, at = varint(data, 0)
        self.strings = []
        for _ in range(count):
            text, at = string(data, at)
            self.strings.append(text)
        self.used = bytearray(count)
        self.root, self.end = self.element(data, at)
        self.unused = {index for index, is_used in enumerate(self.used) if not is_used}
        classes = [child for part in self.root.find("metadata") for child in part.find("class")]
        self.types = [Type(element) for element in classes]

    def text(self, data, at):
        index, at = varint(data, at)
        self.used[index] = 1
        return self.strings[index], at

    def element(self, data, at):
        name, at = self.text(data, at)
        count, at = varint(data, at)
        attributes = {}
        for _ in range(count):
            key, at = self.text(data, at)
            attributes[key], at = self.text(data, at)
        count, at = varint(data, at)
        children = []
        for _ in range(count):
            child, at = self.element(data, at)
            children.append(child)
        return Element(name, attributes, children), at


class Pool:
    """One pool of one checkpoint: {key: (begin, end) of the value}; the keys as often as they are there."""

    def __init__(self, type_id):
        self.type = type_id
        self.constants = {}
        self.keys = []


class Checkpoint:
    def __init__(self, chunk, event):
        data = chunk.data
        self.event = event
        self.start, at = varint(data, event.payload)
        _, at = varint(data, at)
        self.delta, at = varint(data, at)
        self.flags = data[at]
        count, at = varint(data, at + 1)
        self.pools = []
        for _ in range(count):
            pool, at = self.pool(chunk, at)
            self.pools.append(pool)
        self.end = at

    @staticmethod
    def pool(chunk, at):
        type_id, at = varint(chunk.data, at)
        count, at = varint(chunk.data, at)
        pool = Pool(type_id)
        if type_id not in chunk.types:
            raise Broken(f"offset {at}: a pool of type {type_id}, which the metadata does not have")
        walk = chunk.walker(type_id)
        for _ in range(count):
            key, begin = varint(chunk.data, at)
            at = walk(begin, None)
            pool.keys.append(key)
            pool.constants.setdefault(key, (begin, at))
        return pool, at


class Places(list):
    """Where the keys of a value lie: (begin, end) of each, and in `named` which constants they are."""

    def __init__(self):
        super().__init__()
        self.named = []
        self.add = self.named.append


class Chunk:
    """A whole chunk. Of two definitions of one constant the first counts, of two types with one id the last."""

    def __init__(self, data):
        self.data = data
        if len(data) < HEADER_BYTES or data[:4] != b"FLR\0":
            raise Broken("no header of a chunk")
        (self.major, self.minor, self.size, self.checkpoint_offset, self.metadata_offset, self.start_ns,
         self.duration_ns, self.start_ticks, self.ticks_per_s, self.state, self.pad,
         self.flags) = struct.unpack_from(">HHqqqqqqqBBH", data, 4)
        self.walkers = {}
        try:
            self.events = list(self.walk_events())
            self.metadata = [Metadata(data, event) for event in self.events if event.type == METADATA]
            self.types = {t.id: t for metadata in self.metadata for t in metadata.types}
            self.checkpoints = [Checkpoint(self, event) for event in self.events if event.type == CHECKPOINT]
        except (IndexError, KeyError, ValueError) as problem:
            raise Broken(f"cannot be decoded: {problem!r}") from problem
        self.constants = {}
        for checkpoint in self.checkpoints:
            for pool in checkpoint.pools:
                for key, place in pool.constants.items():
                    self.constants.setdefault((pool.type, key), place)

    def walk_events(self):
        at = HEADER_BYTES
        while at < len(self.data):
            size, begin = varint(self.data, at)
            type_id, payload = varint(self.data, begin)
            if size < payload - at or at + size > len(self.data):
                raise Broken(f"offset {at}: an event of {size} bytes")
            yield Event(at, payload, at + size, type_id)
            at += size

    def plain_events(self):
        """The events that are neither metadata nor constants, and of a known type."""
        return [e for e in self.events if e.type not in (METADATA, CHECKPOINT) and e.type in self.types]

    def type_named(self, name):
        return next((t for t in self.types.values() if t.name == name), None)

    def is_contextual(self, type_id, names=()):
        """Whether the type has an annotation that makes it a context, or is one of names."""
        described = self.types[type_id]
        ids = described.annotations + [a for field in described.fields for a in field.annotations]
        annotations = [self.types[i].name for i in ids if i in self.types]
        return described.name in names or any(a.rpartition(".")[2] == "Contextual" for a in annotations)

    # Walking over values. refs collects (type, key) of the constants that a value names: a set, or Places.

    def walk_event(self, event, refs):
        """The end of what the event's type describes."""
        try:
            end = self.walker(event.type)(event.payload, refs)
        except IndexError as problem:
            raise Broken(f"offset {event.offset}: an event shorter than its fields") from problem
        if end > event.end:
            raise Broken(f"offset {event.offset}: an event shorter than its fields")
        return end

    def walk_constant(self, constant, refs):
        self.walker(constant[0])(self.constants[constant][0], refs)

    def walker(self, type_id):
        """The function (offset, refs) -> end that goes over one value of the type; made once."""
        found = self.walkers.get(type_id)
        if found is None:
            found = self.make_walker(self.types[type_id])
        return found

    def make_walker(self, described):
        data = self.data
        width = {"boolean": 1, "byte": 1, "float": 4, "double": 8}.get(described.name)
        if described.name in NUMBERS:
            walk = self.walk_number
        elif described.name == STRING:
            walk = self.string_walker(described.id)
        elif width:
            def walk(at, refs):
                if at + width > len(data):
                    raise IndexError
                return at + width
        else:
            return self.structure_walker(described)
        self.walkers[described.id] = walk
        return walk

    def walk_number(self, at, refs):
        return at + 1 if self.data[at] < 0x80 else varint(self.data, at)[1]

    def structure_walker(self, described):
        steps = []

        def walk(at, refs):
            for step in steps:
                at = step(at, refs)
            return at
        self.walkers[described.id] = walk  # before its fields, one of which may lead back here
        steps += [self.field_walker(field) for field in described.fields]
        return walk

    def field_walker(self, field):
        data = self.data
        one = self.key_walker(field.type) if field.is_constant else self.walker(field.type)
        if not field.is_array:
            return one

        def walk(at, refs):
            count, at = varint(data, at)
            if count > len(data):
                raise IndexError
            for _ in range(count):
                at = one(at, refs)
            return at
        return walk

    def key_walker(self, type_id):
        data = self.data

        def walk(begin, refs):
            key, at = varint(data, begin)
            if refs is not None:
                refs.add((type_id, key))
                if refs.__class__ is Places:
                    refs.append((begin, at))
            return at
        return walk

    def string_walker(self, type_id):
        data = self.data

        def walk(at, refs):
            value, end = string(data, at)
            if data[at] == 2 and refs is not None:
                refs.add((type_id, value))
                if refs.__class__ is Places:
                    refs.append((at + 1, end))
            return end
        return walk

    def event_value(self, event):
        return self.value(event.type, event.payload)[0]

    def value(self, type_id, at):
        """(value, end): constants as ("constant", type, key), structures as dictionaries."""
        described = self.types[type_id]
        if described.name in NUMBERS:
            return varint(self.data, at)
        if described.name == STRING:
            value, end = string(self.data, at)
            return (("constant", type_id, value) if self.data[at] == 2 else value), end
        if not described.fields:
            end = self.walker(type_id)(at, None)
            return bytes(self.data[at:end]), end
        found = {}
        for field in described.fields:
            found[field.name], at = self.field_value(field, at)
        return found, at

    def field_value(self, field, at):
        count = 1
        if field.is_array:
            count, at = varint(self.data, at)
        values = []
        for _ in range(count):
            if field.is_constant:
                key, at = varint(self.data, at)
                values.append(("constant", field.type, key))
            else:
                value, at = self.value(field.type, at)
                values.append(value)
        return (values if field.is_array else values[0]), at


def chunks(content):
    """The chunks of a recording, by the sizes in their headers."""
    found, begin = [], 0
    while begin < len(content):
        size = int.from_bytes(content[begin + 8:begin + 16], "big") if len(content) - begin >= HEADER_BYTES else 0
        if size < HEADER_BYTES or begin + size > len(content):
            raise Broken(f"offset {begin}: a chunk of {size} bytes")
        found.append(Chunk(content[begin:begin + size]))
        begin += size
    return found
