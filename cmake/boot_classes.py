#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""boot_classes.py JAR OUT: writes the classes of JAR as src/agent/jvmti/jvmti_classes.h has them, supertypes first. The same
JAR gives the same bytes."""

import struct
import sys
import zipfile

# How many bytes an entry of a constant pool has besides its tag, by tag; those of Utf8 (1) vary.
POOL_BYTES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
UTF8, LONG, DOUBLE, CLASS = 1, 5, 6, 7


def supertypes(content):
    """The superclass and the interfaces of a class, by their names with slashes."""
    texts, classes = {}, {}
    at, index, count = 10, 1, struct.unpack_from(">H", content, 8)[0]
    while index < count:
        tag = content[at]
        size = 2 + struct.unpack_from(">H", content, at + 1)[0] if tag == UTF8 else POOL_BYTES[tag]
        if tag == UTF8:
            texts[index] = content[at + 3:at + 1 + size].decode("utf-8")
        elif tag == CLASS:
            classes[index] = struct.unpack_from(">H", content, at + 1)[0]
        at += 1 + size
        index += 2 if tag in (LONG, DOUBLE) else 1
    superclass, interfaces = struct.unpack_from(">HH", content, at + 4)
    indexes = [superclass, *struct.unpack_from(f">{interfaces}H", content, at + 8)]
    return [texts[classes[index]] for index in indexes]


def in_order(classes):
    """The names of the classes, each after its supertypes."""
    ordered = []

    def add(name):
        if name in classes and name not in ordered:
            for supertype in supertypes(classes[name]):
                add(supertype)
            ordered.append(name)
    for name in sorted(classes):
        add(name)
    return ordered


def main():
    jar, out = sys.argv[1:]
    with zipfile.ZipFile(jar) as file:
        classes = {name.removesuffix(".class"): file.read(name) for name in file.namelist() if name.endswith(".class")}
    with open(out, "wb") as file:
        for name in in_order(classes):
            file.write(name.encode() + b"\0" + struct.pack(">I", len(classes[name])) + classes[name])


main()
