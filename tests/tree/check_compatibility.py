#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_compatibility.py ROOT: docs/reference/compatibility.md has the version of CMakeLists.txt with the formats of the sources, and
CHANGELOG.md has what is not released first, then versions with their days, the newest first, each of them in that table.
"""

import pathlib
import re
import sys

PAGE = "docs/reference/compatibility.md"
NUMBERS = {"WIRE_VERSION": "src/common/wire/wire.h",
           "CATALOG_SCHEMA_VERSION": "src/collector/store/catalog/sqlite/catalog_schema.h", "ROLLUP_VERSION": "src/common/rollup/rollup_bytes.h"}


def number(root, name):
    return re.search(rf"\b{name} = (\d+)", (root / NUMBERS[name]).read_text(encoding="utf-8"))[1]


def check_page(root, version, page):
    start = (f"| {version} | {number(root, 'WIRE_VERSION')} | "
             f"catalog {number(root, 'CATALOG_SCHEMA_VERSION')} | {number(root, 'ROLLUP_VERSION')} |")
    if start not in page:
        yield f"{PAGE} lacks a line that begins with: {start}"


def check_changelog(text, page):
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if heads[:1] != ["Unreleased"]:
        yield "CHANGELOG.md does not begin with ## Unreleased"
    versions = []
    for head in heads[1:]:
        match = re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - \d{4}-\d\d-\d\d", head)
        if not match:
            yield f"CHANGELOG.md: '## {head}' is not '## VERSION - YYYY-MM-DD'"
            continue
        versions.append(tuple(map(int, match.groups())))
        if f"| {'.'.join(match.groups())} |" not in page:
            yield f"{PAGE} lacks {'.'.join(match.groups())}"
    if versions != sorted(set(versions), reverse=True):
        yield "CHANGELOG.md does not have the newest version first"


def main():
    root = pathlib.Path(sys.argv[1])
    version = re.search(r"^project\(loupe VERSION (\S+) ", (root / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]
    page = (root / PAGE).read_text(encoding="utf-8")
    problems = [*check_page(root, version, page), *check_changelog((root / "CHANGELOG.md").read_text(encoding="utf-8"), page)]
    print("\n".join(problems) or f"{version}, as it is")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
