#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_circles.py ROOT: the files of src/ include each other in one direction only.

A .c and the .h of its name are one file here: two modules that need each other are a circle, though
the compiler sees none.
"""

import pathlib
import sys
from graphlib import CycleError, TopologicalSorter

from sources import INCLUDE


def included_by(source, src):
    """The modules that a source file includes, its own apart."""
    for _, header in INCLUDE.findall(source.read_text(encoding="utf-8")):
        if (src / header).exists():
            yield (src / header).with_suffix("").relative_to(src).as_posix()


def modules_of(src):
    """Each module of src/ with the set of those that it includes."""
    modules = {}
    for source in sorted(src.rglob("*.[ch]")):
        name = source.with_suffix("").relative_to(src).as_posix()
        modules.setdefault(name, set()).update(set(included_by(source, src)) - {name})
    return modules


def main():
    modules = modules_of(pathlib.Path(sys.argv[1]) / "src")
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as circle:
        # The sorter lists who is included first.
        print("circle: " + " includes ".join(reversed(circle.args[1])))
        return 1
    print(f"no circle among {len(modules)} modules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
