#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tests.py ROOT: each module of the folders below has a test under its name.

The test of src/engine/read/alloc.[ch] is tests/unit/engine/read/test_alloc.c. Where something else
tests a module, the opening comment of its header (of its .c file if there is none) says what:

    // Tests: tests/prop/test_compact_prop.c, tests/e2e/corpus.py

A second line of it is indented further.

Each row of the table in docs/internals/proposals.md has the number behind the one before it and names a test, or says
`none`. Behind a colon come words that the test's file has: `e2e/access.py: misuse`.
"""

import pathlib
import re
import sys

from sources import opening_comment

FOLDERS = ["agent", "cli", "collector", "common", "engine", "offline", "policy", "query"]
TESTS = re.compile(r"^// Tests: .*(?:\n//  +.*)*", re.MULTILINE)
PATH = re.compile(r"tests/[\w/.-]*\w")
PROPOSALS = "docs/internals/proposals.md"
ROW = re.compile(r"^\| (\d+) \|.*\| (.*) \|$", re.MULTILINE)
NAMED = re.compile(r"`([^`:]+)(?:: ([^`]+))?`")


def problems_of(module, root):
    """What is wrong with the tests of a module, named by its header or its .c file."""
    relative = module.relative_to(root)
    folder = relative.parent.relative_to("src")
    paths = [path for line in TESTS.findall(opening_comment(module)) for path in PATH.findall(line)]
    for path in paths:
        if not (root / path).is_file():
            yield f"{relative}: Tests: names {path}, which does not exist"
    usual = root / "tests/unit" / folder / f"test_{module.stem}.c"
    if not paths and not usual.is_file():
        yield f"{relative}: neither {usual.relative_to(root)} nor a line `// Tests:`"


def modules_of(folder):
    """The header of each module of folder and below, or its .c file where it has no header."""
    for source in sorted(folder.rglob("*.[ch]")):
        if source.suffix == ".h" or not source.with_suffix(".h").exists():
            yield source


def problems_of_rows(root):
    """What is wrong with the numbers and the tests of the table of proposals."""
    page = root / PROPOSALS
    rows = ROW.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    for expected, (number, tests) in enumerate(rows, 1):
        if int(number) != expected:
            yield f"{PROPOSALS}: row {number} is where row {expected} should be"
        named = NAMED.findall(tests)
        if not named and tests != "none":
            yield f"{PROPOSALS}: row {number} names no test"
        for path, words in named:
            file = root / "tests" / path
            if not file.is_file():
                yield f"{PROPOSALS}: row {number} names tests/{path}, which does not exist"
            elif words not in file.read_text(encoding="utf-8"):
                yield f"{PROPOSALS}: row {number}: tests/{path} has no {words}"


def main():
    root = pathlib.Path(sys.argv[1])
    problems = list(problems_of_rows(root))
    for folder in FOLDERS:
        for module in modules_of(root / "src" / folder):
            problems += problems_of(module, root)
    print("\n".join(problems) or "each module and each claim has its test")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
