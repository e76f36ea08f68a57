#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_links.py ROOT: every relative link in the documentation leads to a file of the tree."""

import pathlib
import re
import sys

SKIPPED_FOLDERS = {"build", "node_modules"}
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for page in sorted(root.rglob("*.md")):
        if SKIPPED_FOLDERS.intersection(page.relative_to(root).parts):
            continue
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                problems.append(f"{page.relative_to(root)}: {target} does not exist")
    print("\n".join(problems) or "every link leads somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
