# SPDX-License-Identifier: Apache-2.0
"""The chunks of a recording, by the headers alone."""

MINOR_AT, SIZE_AT, START_NS_AT, DURATION_NS_AT, START_TICKS_AT, TICKS_PER_S_AT = 6, 8, 32, 40, 48, 56


def bounds(content):
    """The half-open range of bytes of each chunk."""
    begin = 0
    while begin < len(content):
        end = begin + int.from_bytes(content[begin + SIZE_AT:begin + SIZE_AT + 8], "big")
        yield begin, end
        begin = end


def split(path):
    """Writes each chunk to a file of its own beside path and returns their paths."""
    with open(path, "rb") as file:
        content = file.read()
    pieces = []
    for begin, end in bounds(content):
        pieces.append(f"{path}.{len(pieces)}")
        with open(pieces[-1], "wb") as file:
            file.write(content[begin:end])
    return pieces


def start_ticks(path):
    """The ticks at which the chunks begin."""
    with open(path, "rb") as file:
        content = file.read()
    return [int.from_bytes(content[begin + START_TICKS_AT:begin + START_TICKS_AT + 8], "big")
            for begin, _ in bounds(content)]


def clock(path):
    """When the first chunk begins, in nanoseconds since 1970 and in ticks, and how many ticks a second has."""
    with open(path, "rb") as file:
        header = file.read(TICKS_PER_S_AT + 8)
    return tuple(int.from_bytes(header[at:at + 8], "big") for at in (START_NS_AT, START_TICKS_AT, TICKS_PER_S_AT))


def split_jvms(path):
    """Writes the chunks of each JVM to a file of its own, if there are several with different versions or clocks."""
    with open(path, "rb") as file:
        content = file.read()
    jvms = {}
    for begin, end in bounds(content):
        key = content[begin + MINOR_AT:begin + SIZE_AT] + content[begin + TICKS_PER_S_AT:begin + TICKS_PER_S_AT + 8]
        jvms[key] = jvms.get(key, b"") + content[begin:end]
    paths = [f"{path}.jvm{i}" for i in range(len(jvms))]
    for path, part in zip(paths, jvms.values()):
        with open(path, "wb") as file:
            file.write(part)
    return paths


def clocks(path):
    """When each chunk begins, in nanoseconds since 1970 and in ticks, and how many ticks a second has."""
    with open(path, "rb") as file:
        content = file.read()
    return [tuple(int.from_bytes(content[begin + at:begin + at + 8], "big")
                  for at in (START_NS_AT, START_TICKS_AT, TICKS_PER_S_AT)) for begin, _ in bounds(content)]


def lines(path):
    """The lines from ticks to wall time of the chunks, exactly, wherever on them the chunks begin."""
    return {(ticks_per_s, ns * ticks_per_s - ticks * 1000000000) for ns, ticks, ticks_per_s in clocks(path)}


def drift_ns(path):
    """How far the clocks of two chunks are apart at most, rounded up. All have the same ticks."""
    starts = [line for _, line in lines(path)]
    return -(-(max(starts) - min(starts)) // clock(path)[-1])


def redate(path, out, start_ns):
    """Writes the recording to out as if the wall clock had said start_ns(i, ns) when the i-th chunk began ns after the first.
    Chunks that met meet. Returns out."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    found, made = clocks(path), []
    for i, (ns, _, _) in enumerate(found):
        made.append(found[0][0] + start_ns(i, ns - found[0][0]))
    for i, (begin, _) in enumerate(bounds(bytes(content))):
        put(content, begin + START_NS_AT, made[i])
        if i + 1 < len(made):
            put(content, begin + DURATION_NS_AT, made[i + 1] - made[i])
    with open(out, "wb") as file:
        file.write(content)
    return out


def put(content, at, number):
    content[at:at + 8] = number.to_bytes(8, "big")
