#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_rooms.py ROOT: the rooms inside of a folder stand on each other, and no file includes upwards.

At the bottom are the files of the folder itself, which every room uses, and on top are its faces, which no room knows: compact.h
and restyle.h of the engine, job.h of its room job, ship.h of the agent. What the rooms of query, collector and cli know of each
other is in their CMakeLists.txt (check_layers.py). The page has rooms as well, in web/src: base, parts, screens.
"""

import pathlib
import re
import sys

from sources import INCLUDE

# By folder of src/: its rooms, each above the one before it, and its faces.
HOUSES = {
    "agent/ship": (["dial", "link", "batch"], ["ship"]),
    "common/jfr": (["rewrite"], []),
    "engine": (["read", "contexts", "sample", "requests", "carry", "decide", "show", "write", "job"], ["compact", "restyle"]),
    "engine/job": (["rollup", "request", "also"], ["tally", "extract", "job"]),
    "collector/store": (["s3", "catalog", "chunks"], []),
    "collector/store/catalog": (["sqlite", "postgres"], ["catalog_open"]),
    "collector/recall": (["pin", "raw", "rule", "peers", "edition"], ["recall"]),
    "collector/ask": (["work", "sums", "routes"], ["ask_service"]),
}
WEB_ROOMS = ["base", "parts", "screens"]
IMPORT = re.compile(r'(?:from|import) "(\.[^"]+)"')


def height_of(house, path):
    """How high a file stands that is named as an include names it, engine/read/view.h for one."""
    rooms, faces = HOUSES[house]
    room, _, file = path.removeprefix(house + "/").rpartition("/")
    if room:
        return 1 + rooms.index(room.split("/")[0])
    stem = pathlib.PurePath(file).stem
    return 1 + len(rooms) + faces.index(stem) if stem in faces else 0


def problems_in(house, src):
    for source in sorted((src / house).rglob("*.[ch]")):
        name = source.relative_to(src).as_posix()
        for _, header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if header.startswith(house + "/") and height_of(house, header) > height_of(house, name):
                yield f"src/{name} includes {header}, which stands above it"


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
    root = pathlib.Path(sys.argv[1])
    problems = list(web_problems(root / "web" / "src"))
    for house in HOUSES:
        problems += problems_in(house, root / "src")
    print("\n".join(problems) or "no room includes one above it")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
