# SPDX-License-Identifier: Apache-2.0
"""Promised: the checker of recordings (support/structure.py) accepts what is right and refuses everything that it is
there to find. Chunks are put together by hand; each test but the first breaks one thing."""

import struct
import unittest

from support import structure

LONG, STRING, THREAD, CONTEXTUAL, PLAIN, TRACE, CLASS, LABEL, SAMPLE, SETTING = range(10, 20)


def varint(value, width=0):
    out = bytearray()
    while value >= 0x80 or len(out) + 1 < width:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def text(value):
    return b"\0" if value is None else b"\3" + varint(len(value.encode())) + value.encode()


def event(type_id, *parts, width=0):
    rest = varint(type_id) + b"".join(parts)
    size = next(n for n in range(len(rest) + 1, len(rest) + 10) if len(varint(n, width)) + len(rest) == n)
    return varint(size, width) + rest


def field(name, type_id, is_constant=False, annotations=()):
    attributes = {"name": name, "class": str(type_id), **({"constantPool": "true"} if is_constant else {})}
    return "field", attributes, [("annotation", {"class": str(i)}, []) for i in annotations]


def described(type_id, name, *fields, is_event=True):
    return "class", {"name": name, "id": str(type_id), **({"superType": "jdk.jfr.Event"} if is_event else {})}, fields


START, ON = field("startTime", LONG), field("eventThread", THREAD, True)
TYPES = [
    described(LONG, "long", is_event=False),
    described(STRING, "java.lang.String", is_event=False),
    described(THREAD, "java.lang.Thread", field("osThreadId", LONG), field("javaName", STRING),
              field("javaThreadId", LONG), is_event=False),
    described(CONTEXTUAL, "any.Contextual", is_event=False),
    described(PLAIN, "test.Plain", START, ON, field("text", STRING)),
    described(TRACE, "test.Trace", START, field("duration", LONG), ON, field("id", LONG, False, [CONTEXTUAL])),
]
LONELY = described(CLASS, "test.Lonely", field("name", STRING), is_event=False)
STATE = described(CLASS, "jdk.types.ThreadState", field("name", STRING), is_event=False)
UNUSED = described(LABEL, "jdk.jfr.Label", is_event=False)
SAMPLED = described(SAMPLE, "test.Sample", START, field("sampledThread", THREAD, True))


def metadata(types, metadata_id=5, extra=(), width=0, tail=b"", roots=("metadata", "region")):
    strings = []

    def number(value):
        if value not in strings:
            strings.append(value)
        return varint(strings.index(value))

    def element(name, attributes, children):
        pairs = b"".join(number(key) + number(value) for key, value in attributes.items())
        return (number(name) + varint(len(attributes)) + pairs + varint(len(children))
                + b"".join(element(*child) for child in children))

    tree = element("root", {}, [(name, {}, types if name == "metadata" else []) for name in roots])
    strings += extra
    table = b"".join(map(text, strings))
    return event(0, varint(100), varint(0), varint(metadata_id), varint(len(strings)), table, tree, tail, width=width)


def thread(java_id, system_id=0, name="t"):
    return varint(system_id) + text(name) + varint(java_id)


def checkpoint(pools, delta=0, width=0, tail=b""):
    body = b"".join(varint(type_id) + varint(len(pool)) + b"".join(varint(key) + value for key, value in pool)
                    for type_id, pool in pools)
    return event(1, varint(100), varint(0), varint(delta), b"\0", varint(len(pools)), body, tail, width=width)


THREADS = [(THREAD, [(1, thread(1)), (2, thread(0, 70))]), (STRING, [(9, text("long text"))])]
CONTEXT = event(TRACE, varint(100), varint(20), varint(1), varint(77))
EVENTS = [CONTEXT, event(PLAIN, varint(110), varint(1), text("a")), event(PLAIN, varint(111), varint(2), b"\2\x09"),
          event(PLAIN, varint(112), varint(0), text(None))]


def chunk(parts=None, clock=(100, 5000, 1000), header=None, **changes):
    """A chunk of metadata, constants and events, or of other parts in that order; header changes its fields."""
    parts = parts or [changes.get("metadata", metadata(changes.get("types", TYPES))),
                      changes.get("checkpoint", checkpoint(changes.get("pools", THREADS))),
                      *changes.get("events", EVENTS)]
    body, at = b"".join(parts), 68 + len(parts[0])
    fields = {"magic": b"FLR\0", "major": 2, "minor": 1, "size": 68 + len(body), "checkpoint": at, "metadata": 68,
              "nanos": clock[1], "duration": 900, "ticks": clock[0], "per_s": clock[2], "state": 0, "pad": 0,
              "flags": 1, **(header or {})}
    return struct.pack(">4sHHqqqqqqqBBH", *fields.values()) + body


class StructureTest(unittest.TestCase):
    def refuses(self, message, output, source=None):
        with self.assertRaisesRegex(structure.Broken, message):
            structure.check(output, source)

    def test_accepts_what_is_right(self):
        structure.check(chunk())
        structure.check(chunk(), chunk())
        structure.check(chunk() + chunk(clock=(1100, 1000005000, 1000)))
        structure.check(chunk(events=[], pools=[], types=TYPES[:1]))

    def test_headers(self):
        for change in ({"minor": 0}, {"major": 1}, {"state": 1}, {"flags": 3}, {"flags": 0}, {"pad": 1}, {"per_s": 0},
                       {"checkpoint": 68}, {"checkpoint": 0}, {"metadata": 70}, {"size": 90}, {"magic": b"FLR\1"}):
            self.refuses("version|state|ticks per second|the header says|a chunk of|cannot|an event of|no header",
                         chunk(header=change))

    def test_one_metadata_and_one_checkpoint(self):
        parts = [metadata(TYPES), checkpoint(THREADS), *EVENTS]
        self.refuses("2 metadata events", chunk(parts + [metadata(TYPES)]))
        self.refuses("2 checkpoints", chunk(parts + [checkpoint(THREADS)]))
        self.refuses("0 checkpoints", chunk([metadata(TYPES)]))
        self.refuses("points to another", chunk(checkpoint=checkpoint(THREADS, delta=3)))

    def test_sizes_are_exact(self):
        self.refuses("the size .* takes 4 bytes", chunk(metadata=metadata(TYPES, width=4)))
        self.refuses("the size .* takes 8 bytes", chunk(checkpoint=checkpoint(THREADS, width=8)))
        self.refuses("1 bytes are left over", chunk(metadata=metadata(TYPES, tail=b"\0")))
        self.refuses("3 bytes are left over", chunk(checkpoint=checkpoint(THREADS, tail=b"\0\0\0")))
        self.refuses("an event of", chunk(header={"size": len(chunk()) + 2}) + b"\x09\x63")

    def test_metadata_holds_nothing_twice_or_for_nobody(self):
        self.refuses("strings that nothing uses", chunk(metadata=metadata(TYPES, extra=["surplus"])))
        self.refuses("types with one id", chunk(types=TYPES + TYPES[:1]))
        self.refuses("types that nothing uses: .*Label", chunk(types=TYPES + [UNUSED]))
        self.refuses("the root has", chunk(metadata=metadata(TYPES, roots=["metadata"])))

    def test_pools(self):
        self.refuses("pool of java.lang.String is empty", chunk(pools=THREADS[:1] + [(STRING, [])]))
        self.refuses("2 pools of java.lang.String", chunk(pools=THREADS + THREADS[1:]))
        twice = (THREAD, THREADS[0][1] + THREADS[0][1][:1])
        self.refuses("defines a key twice", chunk(pools=[twice, THREADS[1]]))
        self.refuses("a pool of type 99", chunk(pools=THREADS + [(99, [(1, b"")])]))
        self.refuses("cannot be decoded|left over|encoding", chunk(pools=[(THREAD, [(1, b"\1\3\x7f")])]))

    def test_constants_are_those_that_events_reach(self):
        more = (THREAD, THREADS[0][1] + [(3, thread(3))])
        self.refuses(r"1 constants that nothing needs: \['java.lang.Thread\[3\]", chunk(pools=[more, THREADS[1]]))
        self.refuses("constants that nothing needs", chunk(events=EVENTS[:1]))
        self.refuses(r"1 constants are missing: \['java.lang.String\[9", chunk(pools=THREADS[:1]), chunk())
        renamed = (THREAD, [(1, thread(1, name="other")), THREADS[0][1][1]])
        self.refuses("another value", chunk(pools=[renamed, THREADS[1]]), chunk())
        self.refuses("constants that never were", chunk(), chunk(pools=THREADS[:1]))

    def test_only_types_of_events_and_what_they_name(self):
        self.refuses("types that nothing uses: .*Lonely", chunk(types=TYPES + [LONELY]))
        later = chunk(clock=(1100, 1000005000, 1000), events=EVENTS[1:])
        self.refuses("chunk 1: .* types that nothing uses: .*Contextual", chunk() + later)
        self.refuses("an event of type 99", chunk(events=EVENTS + [event(99)]))
        self.refuses("1 types that nothing uses", chunk(events=[], pools=[], types=TYPES[:4]))
        self.refuses("1 types that nothing uses", chunk(events=[], pools=[], types=[LONELY]))
        self.refuses("no type at all", chunk(events=[], pools=[], types=[]))

    def test_the_first_chunk_has_all_event_types(self):
        structure.check(chunk(types=TYPES + [SAMPLED]), chunk(types=TYPES + [SAMPLED]))
        self.refuses(r"first chunk lacks: \['test.Sample'\]", chunk(), chunk(types=TYPES + [SAMPLED]))

    def test_types_that_readers_look_for(self):
        structure.check(chunk(events=[], pools=[], types=TYPES[:3]))
        structure.check(chunk(types=TYPES + [STATE]), chunk(types=TYPES + [STATE]))
        self.refuses(r"look for are missing: \['jdk.types.ThreadState'\]", chunk(), chunk(types=TYPES + [STATE]))

    def test_enumerations_are_whole(self):
        sample = described(SAMPLE, "test.Sample", START, field("state", CLASS, True))
        types = TYPES[:3] + [STATE, sample]

        def states(*keys, event_key=1):
            return chunk(types=types, pools=[(CLASS, [(key, text(f"state {key}")) for key in keys])] if keys else [],
                         events=[event(SAMPLE, varint(1), varint(event_key))])
        structure.check(states(0, 1, 2), states(0, 1, 2))
        self.refuses("1 constants are missing: .*ThreadState.2", states(0, 1), states(0, 1, 2))
        self.refuses("2 constants that nothing needs", states(1, 2, event_key=3))

    def test_types_that_settings_are_about(self):
        setting = described(SETTING, "jdk.ActiveSetting", START, field("id", LONG), field("value", STRING))
        types = [TYPES[0], TYPES[1], setting]
        about = [event(SETTING, varint(1), varint(SAMPLE), text("20 ms"))]
        structure.check(chunk(types=types, pools=[], events=about))
        structure.check(chunk(types=TYPES[:3] + [setting, SAMPLED], pools=[], events=about))
        self.refuses("types that nothing uses: .*Label", chunk(types=types + [UNUSED], pools=[], events=about))

    def test_contexts_come_first(self):
        behind = chunk(events=EVENTS[1:] + [CONTEXT])
        self.refuses("a context behind", behind)
        structure.check(behind, contextual=("test.Plain",))  # then all are contexts
        structure.check(chunk(events=[CONTEXT, CONTEXT] + EVENTS))

    def test_events_are_those_of_the_source(self):
        self.refuses("that never was", chunk(events=EVENTS + EVENTS[3:]), chunk())
        longer = event(PLAIN, varint(112), varint(0), text(None), b"\0")
        self.refuses("that never was", chunk(events=EVENTS[:3] + [longer]), chunk())
        structure.check(chunk(events=EVENTS[:3] + [longer]), chunk(events=EVENTS[:3] + [longer]))
        structure.check(chunk(events=EVENTS[:3]), chunk(events=EVENTS[::-1]))
        self.refuses("shorter than its fields", chunk(events=EVENTS + [event(PLAIN, varint(112))]))

    def test_keys_that_lead_to_nothing_are_null(self):
        lost, null = (event(PLAIN, varint(112), varint(0), key) for key in (b"\2\x08", b"\2\0"))
        structure.check(chunk(events=EVENTS[:3] + [null]), chunk(events=EVENTS[:3] + [lost]))
        self.refuses("lead to nothing", chunk(events=EVENTS[:3] + [lost]), chunk(events=EVENTS[:3] + [lost]))
        self.refuses("that never was", chunk(events=EVENTS[:3] + [null]), chunk(events=EVENTS[:3]))
        for key, written in ((7, b"\7"), (0, b"\0")):  # of threads they stay
            source = chunk(events=EVENTS + [event(PLAIN, varint(113), varint(key), text(None))])
            structure.check(chunk(events=EVENTS + [event(PLAIN, varint(113), written, text(None))]), source)
        self.refuses("that never was", chunk(events=EVENTS + [event(PLAIN, varint(113), b"\0", text("x"))]),
                     chunk(events=EVENTS + [event(PLAIN, varint(113), b"\7", text("x"))]))

    def test_the_chunk_is_as_long_as_it_was(self):
        self.refuses("lasts 900 ns, not 800", chunk(), chunk(header={"duration": 800}))
        self.refuses("2 chunks of 1", chunk() + chunk(), chunk())

    def test_a_type_that_gained_a_field_is_written_exactly(self):
        before = chunk(types=TYPES[:3] + [SAMPLED], events=[event(SAMPLE, varint(1), varint(1))],
                       pools=[(THREAD, [(1, thread(1))])])
        gained = described(SAMPLE, "test.Sample", START, field("sampledThread", THREAD, True), ON)

        def after(*surplus):
            return chunk(types=TYPES[:3] + [gained], pools=[(THREAD, [(1, thread(1))])],
                         events=[event(SAMPLE, varint(1), varint(1), varint(1), *surplus)])
        structure.check(after(), before)
        self.refuses("1 bytes are left over", after(b"\0"), before)

    def test_metadata_ids_differ_where_metadata_do(self):
        other = [*TYPES[:5], described(TRACE, "test.Other", *TYPES[5][2])]
        later = (1100, 1000005000, 1000)
        self.refuses("two different metadata with the id 5", chunk() + chunk(types=other, clock=later))
        structure.check(chunk() + chunk(metadata=metadata(other, 6), clock=later))

    def test_a_type_has_the_same_fields_in_all_chunks(self):
        longer = described(PLAIN, "test.Plain", START, ON, field("text", STRING), field("more", LONG))
        other = chunk(metadata=metadata(TYPES[:4] + [longer, TYPES[5]], 6), clock=(1100, 1000005000, 1000),
                      events=[CONTEXT, event(PLAIN, varint(110), varint(2), b"\2\x09", varint(1))])
        structure.check(other)
        self.refuses(r"chunk 1: test.Plain has new fields \[\('more', 'long', False, False\)\], and no more \[\]$",
                     chunk() + other)
        swapped = described(PLAIN, "test.Plain", START, field("text", STRING), ON)
        other = chunk(metadata=metadata(TYPES[:4] + [swapped, TYPES[5]], 6), clock=(1100, 1000005000, 1000),
                      events=[CONTEXT, event(PLAIN, varint(110), b"\2\x09", varint(2))])
        self.refuses("chunk 1: test.Plain has its fields in another order", chunk() + other)

    def test_a_thread_has_one_key_in_all_chunks(self):
        def with_threads(one, two):
            return chunk(pools=[(THREAD, [(1, one), (2, two)]), THREADS[1]], clock=(1100, 1000005000, 1000))
        self.refuses("has the key 2, before it was 1", chunk() + with_threads(thread(0), thread(1)))
        self.refuses("has the key 1, before it was 2", chunk() + with_threads(thread(0, 70), thread(8)))
        self.refuses("the key 1 is .*, before it was", chunk() + with_threads(thread(8), thread(9)))
        structure.check(chunk() + with_threads(thread(1, name="renamed"), thread(0, 70)))
        structure.check(chunk() + with_threads(thread(8), thread(9)), is_merged=True)

    def test_chunks_start_where_they_did(self):
        for clock in ((1100, 1000005001, 1000), (1101, 1000005000, 1000)):
            drifted = chunk() + chunk(clock=clock)
            structure.check(drifted)
            structure.check(drifted, drifted)
            with self.assertRaisesRegex(structure.Broken, "ns after the first"):
                structure.check(drifted, is_merged=True)
            straight = chunk() + chunk(clock=(1100, 1000005000, 1000))
            self.refuses("after its own start", straight, drifted)
        self.refuses("at 1001 ticks per second", chunk() + chunk(clock=(100, 5000, 1001)))
        self.refuses("starts with the one before", chunk() + chunk(), chunk() + chunk())
        structure.check(chunk() + chunk(clock=(101, 1005000, 1000)), chunk() + chunk())


if __name__ == "__main__":
    unittest.main()
