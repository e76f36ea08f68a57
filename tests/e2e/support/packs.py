# SPDX-License-Identifier: Apache-2.0
"""Reads objects with several chunks as the header of src/collector/store/chunks/object_pack.h draws them, without Loupe."""

import struct

from support.process import check

TAIL = struct.Struct("<8sIIQQ")
ENTRY = struct.Struct("<16sIIQQQQQ")


def chunks(path):
    """(session id, ordinal, bytes) of each chunk that the footer names."""
    with open(path, "rb") as file:
        content = file.read()
    magic, count, _, footer_at, _ = TAIL.unpack(content[-TAIL.size:])
    check(magic == b"LPPACK1\n", f"{path} ends with {magic}")
    check(footer_at + count * ENTRY.size + TAIL.size == len(content), f"{path}: {count} chunks, footer at {footer_at} of {len(content)}")
    for number in range(count):
        session, ordinal, _, offset, size, *_ = ENTRY.unpack_from(content, footer_at + number * ENTRY.size)
        yield session.hex(), ordinal, content[offset:offset + size]
