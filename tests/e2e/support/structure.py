# SPDX-License-Identifier: Apache-2.0
"""What holds for every recording that Loupe writes, whatever it holds: sizes, offsets, ids, order, and that nothing
is in it that no event needs, but types that readers look for, and all of an enumeration of which an event needs one
constant. Beside the recording it was made from, also that nothing is missing.

Everything is computed anew from the bytes (jfrbytes); the first thing that does not hold raises Broken.
"""

import collections

from support.jfrbytes import CHECKPOINT, METADATA, Broken, Places, chunks, varint, varint_size


# Types that readers look for by name, whether an event has them or not.
LOOKED_FOR = {"boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String",
              "java.lang.Thread", "java.lang.Class", "jdk.types.ClassLoader", "jdk.types.FrameType",
              "jdk.types.Method", "jdk.types.Package", "jdk.types.StackFrame", "jdk.types.StackTrace",
              "jdk.types.Symbol", "jdk.types.ThreadState"}


def hold(condition, message):
    if not condition:
        raise Broken(message)


def check(output, source=None, contextual=(), is_merged=False):
    """Checks the recording of one JVM, or of several; source is the one it was compacted from, chunk by chunk, or None.

    contextual are the names of types that are contexts by the policy."""
    made = chunks(output)
    origins = chunks(source) if source is not None else [None] * len(made)
    hold(made, "no chunk")
    hold(len(made) == len(origins), f"{len(made)} chunks of {len(origins)}")
    for number, (chunk, origin) in enumerate(zip(made, origins)):
        try:
            is_first = number == 0 or is_merged  # of its session
            refs = check_chunk(chunk, contextual, is_first)
            if origin is not None:
                check_event_types(chunk, origin, is_first)
                check_origin(chunk, origin, refs)
        except Broken as problem:
            raise Broken(f"chunk {number}: {problem}") from problem
    check_metadata_ids(made)
    check_fields(made, is_merged)
    check_clock(made, origins, is_merged)
    if not is_merged:  # threads of two writers are kept apart, be they the same or not
        check_threads(made)
    if source is not None:
        check_durations(made, origins)


def check_chunk(chunk, contextual=(), is_first=False):
    """Returns the constants that the events name."""
    check_header(chunk)
    check_metadata(chunk)
    check_checkpoints(chunk)
    refs = check_events(chunk)
    check_reachable(chunk, refs)
    check_types(chunk, is_first)
    check_order(chunk, contextual)
    return refs


def check_header(chunk):
    hold((chunk.major, chunk.minor) == (2, 1), f"version {chunk.major}.{chunk.minor}")
    hold((chunk.state, chunk.pad, chunk.flags) == (0, 0, 1), f"state {chunk.state} {chunk.pad} {chunk.flags}")
    hold(chunk.ticks_per_s > 0, f"{chunk.ticks_per_s} ticks per second")
    kinds = collections.Counter(event.type for event in chunk.events)
    hold(kinds[METADATA] == 1, f"{kinds[METADATA]} metadata events")
    hold(kinds[CHECKPOINT] == 1, f"{kinds[CHECKPOINT]} checkpoints")
    for kind, offset in ((METADATA, chunk.metadata_offset), (CHECKPOINT, chunk.checkpoint_offset)):
        found = next(event for event in chunk.events if event.type == kind)
        hold(found.offset == offset, f"event {kind} is at {found.offset}, the header says {offset}")


def check_exact(chunk, event, end):
    """A size that is what was used, written in as few bytes as it can be."""
    hold(end == event.end, f"offset {event.offset}: {event.end - end} bytes are left over")
    size, begin = varint(chunk.data, event.offset)
    width = begin - event.offset
    hold(width == varint_size(size), f"offset {event.offset}: the size {size} takes {width} bytes")


def check_metadata(chunk):
    metadata = chunk.metadata[0]
    check_exact(chunk, next(e for e in chunk.events if e.type == METADATA), metadata.end)
    unused = [metadata.strings[i] for i in sorted(metadata.unused)]
    hold(not unused, f"metadata: {len(unused)} strings that nothing uses: {unused[:5]}")
    names = [part.name for part in metadata.root.children]
    hold(sorted(names) == ["metadata", "region"], f"metadata: the root has {names}")
    ids = collections.Counter(t.id for t in metadata.types)
    hold(len(ids) == len(metadata.types), f"metadata: types with one id: {ids.most_common(1)}")


def check_checkpoints(chunk):
    checkpoint = chunk.checkpoints[0]
    check_exact(chunk, checkpoint.event, checkpoint.end)
    hold(checkpoint.delta == 0, f"the only checkpoint points to another: {checkpoint.delta}")
    types = collections.Counter(pool.type for pool in checkpoint.pools)
    for pool in checkpoint.pools:
        name = chunk.types[pool.type].name
        hold(pool.keys, f"the pool of {name} is empty")
        hold(types[pool.type] == 1, f"{types[pool.type]} pools of {name}")
        hold(len(pool.keys) == len(pool.constants), f"the pool of {name} defines a key twice")


def check_events(chunk):
    """Every event can be decoded. Returns the constants they name."""
    refs = set()
    for event in chunk.events:
        hold(event.type in (METADATA, CHECKPOINT) or event.type in chunk.types,
             f"offset {event.offset}: an event of type {event.type}, which the metadata does not have")
    for event in chunk.plain_events():
        chunk.walk_event(event, refs)
    return refs


def is_enumeration(chunk, type_id):
    described = chunk.types[type_id]
    package, _, name = described.name.rpartition(".")
    fields = [(chunk.types[field.type].name, field.is_constant, field.is_array) for field in described.fields
              if field.type in chunk.types]
    return (fields == [("java.lang.String", False, False)] and len(described.fields) == 1
            and (package in ("jdk.types", "com.oracle.jfr.types") and name != "Symbol"
                 or described.name in ("profiler.types.LogLevel", "datadog.types.ExecutionMode")))


def reachable(chunk, refs):
    """All constants of the chunk that can be reached from refs, those that it does not have left out; and the others
    of enumerations."""
    found = reached(chunk, refs)
    whole = {type_id for type_id, _ in found if is_enumeration(chunk, type_id)}
    return reached(chunk, found | {constant for constant in chunk.constants if constant[0] in whole})


def reached(chunk, refs):
    found, pending = set(), [ref for ref in refs if ref in chunk.constants]
    while pending:
        constant = pending.pop()
        if constant not in found:
            found.add(constant)
            more = set()
            chunk.walk_constant(constant, more)
            pending += [ref for ref in more if ref in chunk.constants and ref not in found]
    return found


def named(chunk, constants):
    """A few constants, for a message."""
    return [f"{chunk.types[t].name if t in chunk.types else t}[{key}]" for t, key in sorted(constants)[:5]]


def check_reachable(chunk, refs):
    surplus = set(chunk.constants) - reachable(chunk, refs)
    hold(not surplus, f"{len(surplus)} constants that nothing needs: {named(chunk, surplus)}")


def check_types(chunk, is_first):
    """The types are those of the events, in the first chunk all event types, those that readers look for, what these
    name, and what those name.

    A chunk without any type is more than some readers can bear, so one without events may have one that names no
    other."""
    found = set()
    pending = [event.type for event in chunk.plain_events()] + types_of_settings(chunk)
    pending += [described.id for described in chunk.types.values() if is_first and described.is_event]
    pending += [described.id for described in chunk.types.values() if described.name in LOOKED_FOR]
    while pending:
        type_id = pending.pop()
        if type_id in chunk.types and type_id not in found:
            found.add(type_id)
            pending += chunk.types[type_id].names
    surplus = [chunk.types[i] for i in set(chunk.types) - found]
    is_for_readers = not found and len(surplus) == 1 and not surplus[0].names
    hold(not surplus or is_for_readers,
         f"{len(surplus)} types that nothing uses: {sorted(t.name for t in surplus)[:5]}")
    hold(chunk.types, "no type at all: JMC cannot read that")


def types_of_settings(chunk):
    """The types that settings are about: an event of jdk.ActiveSetting names one by its number."""
    return [chunk.event_value(event)["id"] for event in chunk.plain_events()
            if chunk.types[event.type].name.endswith(".ActiveSetting")]


def check_order(chunk, contextual):
    """Contexts come before everything that may have happened in them."""
    is_plain = False
    for event in chunk.plain_events():
        is_context = chunk.is_contextual(event.type, contextual)
        hold(not (is_context and is_plain), f"offset {event.offset}: a context behind an event that is none")
        is_plain |= not is_context


# --- Beside the chunk that it was made from


def check_event_types(chunk, origin, is_first):
    missing = {t.name for t in origin.types.values() if t.is_event} - {t.name for t in chunk.types.values()}
    hold(not is_first or not missing, f"event types that the first chunk lacks: {sorted(missing)[:5]}")


def check_origin(chunk, origin, refs):
    names, before = ({described.name for described in c.types.values()} for c in (chunk, origin))
    missing = LOOKED_FOR & before - names
    hold(not missing, f"types that readers look for are missing: {sorted(missing)}")
    check_constants(chunk, origin, refs)
    check_bytes(chunk, origin)
    check_described(chunk, origin, refs)


def is_nothing(origin, constant):
    """Whether a key that is not null leads to nothing, and so has to be written as null: not those of threads, and not
    where null would be a constant."""
    type_id, key = constant
    return (key != 0 and constant not in origin.constants and (type_id, 0) not in origin.constants
            and origin.types[type_id].name != "java.lang.Thread")


def as_written(origin, type_id, begin, end):
    """The bytes of a value as they have to be in what was made from origin."""
    places, parts, at = Places(), [], begin
    origin.walker(type_id)(begin, places)
    for constant, (first, last) in zip(places.named, places):
        if is_nothing(origin, constant):
            parts += [origin.data[at:first], b"\0"]
            at = last
    return b"".join([*parts, origin.data[at:end]])


def check_described(chunk, origin, refs):
    """No key leads to nothing."""
    keys = set(refs)
    for constant in chunk.constants:
        chunk.walk_constant(constant, keys)
    wrong = [constant for constant in keys if constant[0] in origin.types and is_nothing(origin, constant)
             and constant not in chunk.constants]
    hold(not wrong, f"{len(wrong)} keys lead to nothing: {named(chunk, wrong)}")


def check_constants(chunk, origin, refs):
    """The constants are those of the source that the events of the output reach, but for keys that lead to nothing byte
    for byte."""
    missing = reachable(origin, refs) - set(chunk.constants)
    hold(not missing, f"{len(missing)} constants are missing: {named(origin, missing)}")
    for constant, (begin, end) in chunk.constants.items():
        hold(constant in origin.constants, f"constants that never were: {named(chunk, [constant])}")
        first, last = origin.constants[constant]
        value = chunk.data[begin:end]
        hold(value == origin.data[first:last] or value == as_written(origin, constant[0], first, last),
             f"another value: {named(chunk, [constant])}")


def check_bytes(chunk, origin):
    """Events of the source are as they were there; what is behind their fields there is all that is here."""
    there = collections.Counter(raw_bytes(origin, event) for event in origin.plain_events())
    has_nulls = False
    for event in chunk.plain_events():
        is_new = event.type not in origin.types or field_count(chunk, event) != field_count(origin, event)
        if is_new:
            check_exact(chunk, event, chunk.walk_event(event, None))
            continue
        raw = raw_bytes(chunk, event)
        if there[raw] <= 0 and not has_nulls:  # seldom needed, and slow
            there.update(written for event in origin.plain_events() for written in written_bytes(origin, event))
            has_nulls = True
        hold(there[raw] > 0, f"offset {event.offset}: an event of {chunk.types[event.type].name} that never was")
        there[raw] -= 1


def written_bytes(origin, event):
    """An event with a key that leads to nothing, as it has to be written; or nothing, if it has none."""
    written = event.type, as_written(origin, event.type, event.payload, event.end)
    return [] if written == raw_bytes(origin, event) else [written]


def raw_bytes(chunk, event):
    return event.type, bytes(chunk.data[event.payload:event.end])


def field_count(chunk, event):
    return len(chunk.types[event.type].fields)


# --- What the chunks of one file have to do with each other


def check_metadata_ids(made):
    by_id = {}
    for chunk in made:
        metadata = chunk.metadata[0]
        content = bytes(chunk.data[metadata.content:metadata.end])
        hold(by_id.setdefault(metadata.id, content) == content, f"two different metadata with the id {metadata.id}")


def check_fields(made, is_merged):
    """A type has the same fields in all chunks: where it has not, JMC makes several types of it.

    The types of several JVMs may have the same name, but not the same id."""
    known = {}
    for number, chunk in enumerate(made):
        for described in chunk.types.values():
            fields = [(f.name, chunk.types[f.type].name, f.is_constant, f.is_array) for f in described.fields]
            known_as = (described.id, described.name) if is_merged else described.name
            before = known.setdefault(known_as, fields)
            hold(before == fields, f"chunk {number}: {known_as} has {other_fields(fields, before)}")
            name = known.setdefault(described.id, described.name)
            hold(not is_merged or name == described.name,
                 f"chunk {number}: type {described.id} is {described.name}, before it was {name}")


def other_fields(fields, before):
    new, gone = [f for f in fields if f not in before], [f for f in before if f not in fields]
    return f"new fields {new}, and no more {gone}" if new or gone else "its fields in another order"


def check_threads(made):
    """One thread has one key, and one key means one thread, in all chunks.

    JVMs up to 18 at least give the same Java thread to one compiler thread of the system after the other."""
    keys, threads = {}, {}
    for number, chunk in enumerate(made):
        for key, identity in thread_identities(chunk):
            hold(keys.setdefault(identity, key) == key,
                 f"chunk {number}: {identity} has the key {key}, before it was {keys[identity]}")
            hold(threads.setdefault(key, identity) == identity,
                 f"chunk {number}: the key {key} is {identity}, before it was {threads[key]}")


def thread_identities(chunk):
    for (type_id, key), (begin, _) in chunk.constants.items():
        if chunk.types[type_id].name == "java.lang.Thread":
            value, _ = chunk.value(type_id, begin)
            identity = tuple((name, value[name]) for name in ("javaThreadId", "osThreadId") if value.get(name))
            if identity:
                yield key, identity


def check_clock(made, origins, is_merged):
    """Each chunk starts behind the one before: where it did, or exactly on its own line behind one that starts no earlier. The
    starts of a merged recording's chunks lie on one line, exactly."""
    first = made[0]
    for number, (chunk, origin) in enumerate(zip(made, origins)):
        hold(chunk.ticks_per_s == first.ticks_per_s, f"chunk {number}: at {chunk.ticks_per_s} ticks per second")
        hold(number == 0 or chunk.start_ns > made[number - 1].start_ns, f"chunk {number}: starts with the one before")
        before = first if is_merged else origin
        if before is None:
            continue
        ticks, nanos = chunk.start_ticks - before.start_ticks, chunk.start_ns - before.start_ns
        whose = "the first" if is_merged else "its own start"
        hold(chunk.ticks_per_s == before.ticks_per_s and nanos * chunk.ticks_per_s == ticks * 1000000000,
             f"chunk {number}: {ticks} ticks and {nanos} ns after {whose}, at {chunk.ticks_per_s} per second")
        may_move = not is_merged and number > 0 and origin.start_ns <= made[number - 1].start_ns
        hold(is_merged or may_move or ticks == 0, f"chunk {number}: starts {nanos} ns after its own start")


def check_durations(made, origins):
    """Where chunks met, one ending where the next starts, they meet again; where not, they last as long as before."""
    for number, (chunk, origin) in enumerate(zip(made, origins)):
        last = number + 1 == len(made)
        met = not last and origin.start_ns + origin.duration_ns == origins[number + 1].start_ns
        expected = origin.duration_ns
        if met:
            expected = made[number + 1].start_ns - chunk.start_ns
        hold(chunk.duration_ns == expected, f"chunk {number}: lasts {chunk.duration_ns} ns, not {expected}")
