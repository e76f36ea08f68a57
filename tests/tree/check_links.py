#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_links.py ROOT: every relative link in the documentation leads to a file of the tree, and to a heading that it has.

Anchors are made from headings as GitHub makes them: https://docs.github.com/en/get-started/writing-on-github, "Section links".
"""

import pathlib
import re
import sys

SKIPPED_FOLDERS = {"build", "node_modules"}
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"^(```|~~~).*?^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?)\s*#*$", re.MULTILINE)


def anchors_of(text):
    """The anchors of a page: a heading that occurs again gets -1, -2 ..."""
    seen, anchors = {}, set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        anchors.add(f"{anchor}-{count}" if count else anchor)
    return anchors


def problems_of(page, root):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target, anchor in LINK.findall(text):
        aim = page.parent / target if target else page
        if not aim.exists():
            yield f"{page.relative_to(root)}: {target} does not exist"
        elif anchor and aim.suffix == ".md" and anchor not in anchors_of(aim.read_text(encoding="utf-8")):
            yield f"{page.relative_to(root)}: {target}#{anchor}: no such heading"


def main():
    root = pathlib.Path(sys.argv[1])
    pages = (page for page in sorted(root.rglob("*.md")) if not SKIPPED_FOLDERS.intersection(page.relative_to(root).parts))
    problems = [problem for page in pages for problem in problems_of(page, root)]
    print("\n".join(problems) or "every link leads somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
