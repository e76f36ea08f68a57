# SPDX-License-Identifier: Apache-2.0
"""Recordings that are damaged in one place, by a seed. support/jfrbytes.py knows the places to damage."""

import random
import struct

from support.jfrbytes import CHECKPOINT, HEADER_BYTES, METADATA, STRING, Chunk, Metadata, Places, string, varint

SIZE_AT, METADATA_AT = 8, 24
TEXTS = ("", " ", "x", "0", "1", "-1", "7", "00", "+1", "1.5", "1e3", "12a", "true", "false", "2147483648", "4294967296",
         "9223372036854775807", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "TICKS", "value",
         "value-0", "id", "name", "class", "field", "annotation", "setting", "dimension", "constantPool", "superType",
         "simpleType", "startTime", "duration", "eventThread", "stackTrace", "a-b", "a b", "a..b", ".a", "a.", "1a", "int",
         "int.x", "long", "char", "boolean", "double", "float", "byte", "short", "java.lang.String", "java.lang.Thread",
         "java.lang.Class", "jdk.jfr.Event", "java.lang.annotation.Annotation", "jdk.types.StackTrace",
         "jdk.types.StackFrame", "jdk.types.Method", "jdk.jfr.Timestamp", "jdk.jfr.Timespan", "jdk.jfr.Unsigned",
         "jdk.jfr.Label", "jdk.jfr.DataAmount", "caf\u00e9", "\u2192", "\ud83d\ude00", "a\u0000b")
ATTRIBUTES = ("id", "class", "name", "superType", "simpleType", "dimension", "constantPool", "value", "value-0", "value-1",
              "gmtOffset", "dst", "locale", "defaultValue")


def encode(value):
    """A varint."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80 and len(out) < 8:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_text(text):
    raw = text.encode("utf-8", "surrogatepass")
    return b"\x03" + encode(len(raw)) + raw


class Node:
    """An element of a metadata event, with its attributes in their order, which can be changed."""

    def __init__(self, name, attributes, children):
        self.name, self.attributes, self.children = name, attributes, children

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()


def read_tree(data, event):
    """(what the event has before its strings, its root) of a metadata event."""
    at = Metadata(data, event).content
    head = data[event.payload:at]
    count, at = varint(data, at)
    strings = []
    for _ in range(count):
        text, at = string(data, at)
        strings.append(text or "")

    def read(at):
        name, at = varint(data, at)
        count, at = varint(data, at)
        attributes = []
        for _ in range(count):
            key, at = varint(data, at)
            value, at = varint(data, at)
            attributes.append([strings[key], strings[value]])
        count, at = varint(data, at)
        children = []
        for _ in range(count):
            child, at = read(at)
            children.append(child)
        return Node(strings[name], attributes, children), at
    return head, read(at)[0]


def write_tree(head, root):
    """A metadata event."""
    numbers = {}

    def number(text):
        return encode(numbers.setdefault(text, len(numbers)))

    def write(node):
        out = number(node.name) + encode(len(node.attributes))
        for key, value in node.attributes:
            out += number(key) + number(value)
        return out + encode(len(node.children)) + b"".join(map(write, node.children))
    elements = write(root)
    payload = b"\0" + head + encode(len(numbers)) + b"".join(map(encode_text, numbers)) + elements
    size = len(payload) + 4
    return struct.pack("4B", *(size >> shift & 0x7f | (0x80 if shift < 21 else 0) for shift in (0, 7, 14, 21))) + payload


def with_metadata(chunk, event, tree):
    """The chunk with another metadata event, at its end. The one that it had becomes an event of an unknown type, where
    there is one of a byte; where there is none it stays, and describes what the other does not."""
    out = bytearray(chunk.data)
    _, type_at = varint(out, event.offset)
    unknown = [i for i in range(2, 128) if i not in chunk.types]
    out[type_at] = unknown[-1] if unknown else METADATA
    struct.pack_into(">q", out, METADATA_AT, len(out))
    out += tree
    struct.pack_into(">q", out, SIZE_AT, len(out))
    return bytes(out)


def flip(chance, data, begin, end, count):
    out = bytearray(data)
    for _ in range(count):
        at = chance.randrange(begin, end)
        out[at] = chance.choice((out[at] ^ 1 << chance.randrange(8), chance.randrange(256), 0, 0xff))
    return bytes(out)


def encode_in(value, size):
    """A varint of exactly so many bytes, of as much of value as fits."""
    return bytes(value >> 7 * i & 0x7f | (0x80 if i + 1 < size else 0) for i in range(size))


class Source:
    """A recording to damage: its first chunk, and what follows it, unless that chunk is to be alone."""

    def __init__(self, name, content, is_alone=False):
        self.name = name
        size = int.from_bytes(content[SIZE_AT:SIZE_AT + 8], "big")
        self.chunk = Chunk(content[:size])
        self.rest = b"" if is_alone else content[size:]
        at = self.chunk.metadata_offset
        self.metadata = next(event for event in self.chunk.events if event.offset == at and event.type == METADATA)
        self.checkpoints = [event for event in self.chunk.events if event.type == CHECKPOINT]
        self.plain = [event for event in self.chunk.plain_events() if event.end > event.payload]

    def event_bytes(self, chance, events):
        event = chance.choice(events)
        return flip(chance, self.chunk.data, event.payload, event.end, chance.randint(1, 3))

    def damage_metadata_bytes(self, chance):
        return self.event_bytes(chance, [self.metadata])

    def damage_constants(self, chance):
        return self.event_bytes(chance, self.checkpoints)

    def other_key(self, chance, walk):
        """One of the keys that walk finds becomes another: of nothing, null, or of another constant."""
        places = Places()
        walk(places)
        if not places:
            return self.damage_constants(chance)
        at = chance.randrange(len(places))
        begin, end = places[at]
        type_id, key = places.named[at]
        others = [other for of_type, other in self.chunk.constants if of_type == type_id] or [0]
        new = chance.choice((0, key + 1, key ^ 1 << chance.randrange(7), chance.choice(others), chance.randrange(1 << 63)))
        out = bytearray(self.chunk.data)
        out[begin:end] = encode_in(new, end - begin)
        return bytes(out)

    def damage_key_of_constant(self, chance):
        constants = [constant for constant in self.chunk.constants if self.chunk.types[constant[0]].name != STRING]
        names = sorted({self.chunk.types[type_id].name for type_id, _ in constants})
        name = chance.choice(names)  # first a type: most constants are of a few
        constant = chance.choice([c for c in constants if self.chunk.types[c[0]].name == name])
        return self.other_key(chance, lambda places: self.chunk.walk_constant(constant, places))

    def damage_key_of_event(self, chance):
        if not self.plain:
            return self.damage_constants(chance)
        event = chance.choice(self.plain)
        return self.other_key(chance, lambda places: self.chunk.walk_event(event, places))

    def damage_text(self, chance):
        """One byte of one text among the constants."""
        texts = [place for (type_id, _), place in self.chunk.constants.items()
                 if self.chunk.types[type_id].name in (STRING, "jdk.types.Symbol") and place[1] - place[0] > 2]
        if not texts:
            return self.damage_constants(chance)
        begin, end = chance.choice(texts)
        return flip(chance, self.chunk.data, begin, end, 1)

    def damage_checkpoint_head(self, chance):
        event = chance.choice(self.checkpoints)
        return flip(chance, self.chunk.data, event.offset, min(event.offset + 20, event.end), chance.randint(1, 2))

    def damage_event(self, chance):
        return self.event_bytes(chance, self.plain or self.checkpoints)

    def damage_event_head(self, chance):
        event = chance.choice(self.plain or self.checkpoints)
        return flip(chance, self.chunk.data, event.offset, event.payload, 1)

    def damage_header(self, chance):
        return flip(chance, self.chunk.data, SIZE_AT, HEADER_BYTES, 1)

    def damage_strings(self, chance):
        """One text of the metadata becomes another, wherever it is."""
        head, root = read_tree(self.chunk.data, self.metadata)
        nodes = list(root.all())
        texts = sorted({t for node in nodes for t in (node.name, *(t for pair in node.attributes for t in pair))})
        old = chance.choice(texts)
        new = chance.choice((chance.choice(TEXTS), chance.choice(texts), old[:-1], old + "x", old[1:]))
        for node in nodes:
            node.name = new if node.name == old else node.name
            node.attributes = [[new if t == old else t for t in pair] for pair in node.attributes]
        return with_metadata(self.chunk, self.metadata, write_tree(head, root))

    def damage_elements(self, chance):
        """One element of the metadata loses, gets or changes a part."""
        head, root = read_tree(self.chunk.data, self.metadata)
        nodes = list(root.all())
        node = chance.choice(nodes if chance.random() < 0.9 else [root, *root.children])
        other = chance.choice(nodes)
        what = chance.choice(("lose", "get", "value", "value", "value", "key", "name", "drop", "twice", "move", "empty"))
        if what in ("lose", "value", "key") and node.attributes:
            at = chance.randrange(len(node.attributes))
            if what == "lose":
                del node.attributes[at]
            elif what == "value":
                values = [pair[1] for n in nodes for pair in n.attributes if pair[0] == node.attributes[at][0]]
                node.attributes[at][1] = chance.choice((chance.choice(TEXTS), chance.choice(values)))
            else:
                node.attributes[at][0] = chance.choice((*ATTRIBUTES, "x"))
        elif what == "name":
            node.name = chance.choice(("class", "field", "annotation", "setting", "metadata", "region", "x"))
        elif what == "drop" and node.children:
            del node.children[chance.randrange(len(node.children))]
        elif what == "twice" and node.children:
            node.children.append(chance.choice(node.children))
        elif what == "move" and other is not node and node not in other.all() and other not in node.all():
            other.children.insert(chance.randint(0, len(other.children)), Node(node.name, node.attributes, node.children))
        elif what == "empty":
            node.children = []
        else:
            node.attributes.insert(chance.choice((0, len(node.attributes))), [chance.choice(ATTRIBUTES), chance.choice(TEXTS)])
        return with_metadata(self.chunk, self.metadata, write_tree(head, root))

    KINDS = {"metadata_bytes": 3, "strings": 4, "elements": 8, "constants": 4, "key_of_constant": 8, "key_of_event": 2,
             "text": 3, "checkpoint_head": 1, "event": 2, "event_head": 1, "header": 1}

    def mutant(self, seed):
        """(kind, content) by a seed."""
        chance = random.Random(f"{self.name} {seed}")
        kind = chance.choices(list(self.KINDS), list(self.KINDS.values()))[0]
        return kind, getattr(self, "damage_" + kind)(chance) + self.rest
