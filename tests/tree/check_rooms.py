#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_rooms.py ROOT: the rooms of src/engine stand on each other, and no file includes upwards.

At the bottom are the files of src/engine itself, which every room uses, and on top are compact.h
and restyle.h, which no room knows. The page has rooms as well, in web/src: base, parts, screens.
"""

import pathlib
import re
import sys

from sources import INCLUDE

ENGINE = "engine/"
ROOMS = ["read", "contexts", "sample", "requests", "carry", "decide", "show", "write", "job"]
TOP = ["compact", "restyle"]
WEB_ROOMS = ["base", "parts", "screens"]
IMPORT = re.compile(r'(?:from|import) "(\.[^"]+)"')


def height_of(path):
    """How high a file stands that is named as an include names it, engine/read/view.h for one."""
    room, _, file = path.removeprefix(ENGINE).rpartition("/")
    if room:
        return 1 + ROOMS.index(room)
    stem = pathlib.PurePath(file).stem
    return 1 + len(ROOMS) + TOP.index(stem) if stem in TOP else 0


def web_height_of(path):
    """How high a file of web/src stands; what is in none of the rooms stands above all."""
    room = path.parts[0]
    return WEB_ROOMS.index(room) if room in WEB_ROOMS else len(WEB_ROOMS)


def web_problems(src):
    for source in sorted(src.rglob("*.ts")):
        name = source.relative_to(src)
        for target in IMPORT.findall(source.read_text(encoding="utf-8")):
            imported = (source.parent / target).resolve().relative_to(src.resolve())
            if web_height_of(imported) > web_height_of(name):
                yield f"web/src/{name} imports {imported}, which stands above it"


def main():
    src = pathlib.Path(sys.argv[1]) / "src"
    problems = list(web_problems(pathlib.Path(sys.argv[1]) / "web" / "src"))
    for source in sorted((src / ENGINE).rglob("*.[ch]")):
        name = source.relative_to(src).as_posix()
        for _, header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if header.startswith(ENGINE) and height_of(header) > height_of(name):
                problems.append(f"src/{name} includes {header}, which stands above it")
    print("\n".join(problems) or "no room includes one above it")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
