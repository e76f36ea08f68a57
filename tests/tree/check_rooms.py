#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_rooms.py ROOT: the rooms of src/engine stand on each other, and no file includes upwards.

At the bottom are the files of src/engine itself, which every room uses, and on top is compact.h,
which no room knows.
"""

import pathlib
import sys

from sources import INCLUDE

ENGINE = "engine/"
ROOMS = ["read", "contexts", "sample", "carry", "decide", "show", "write", "job"]
TOP = "compact"


def height_of(path):
    """How high a file stands that is named as an include names it, engine/read/view.h for one."""
    room, _, file = path.removeprefix(ENGINE).rpartition("/")
    if room:
        return 1 + ROOMS.index(room)
    return 1 + len(ROOMS) if pathlib.PurePath(file).stem == TOP else 0


def main():
    src = pathlib.Path(sys.argv[1]) / "src"
    problems = []
    for source in sorted((src / ENGINE).rglob("*.[ch]")):
        name = source.relative_to(src).as_posix()
        for _, header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if header.startswith(ENGINE) and height_of(header) > height_of(name):
                problems.append(f"src/{name} includes {header}, which stands above it")
    print("\n".join(problems) or "no room includes one above it")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
