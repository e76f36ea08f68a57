#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_options.py ROOT [--write]: the options in docs/reference/configuration.md are those of
src/cli/base/options.def, and environment variables have the names that the page gives for them. Each command's table
stands between two lines that are comments; --write makes the tables anew.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
from options_def import TABLE, read_options  # the build makes the manual of the same rows

PAGE = "docs/reference/configuration.md"
PLACE = re.compile(r"(<!-- options of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def make_table(options):
    """The lines of a command's table; columns that are empty in every row are left out."""
    rows = [("option", "default", "meaning")]
    for name, letter, argument, _, standard, meaning in options:
        short = f"`-{letter}`, " if letter else ""
        rows.append((f"{short}`--{name}{' ' + argument if argument else ''}`", f"`{standard}`" if standard else "", meaning))
    used = [column for column in range(3) if any(row[column] for row in rows[1:])]
    lines = ["| " + " | ".join(row[column] for column in used) + " |" for row in rows]
    return "\n".join([lines[0], "| --- " * len(used) + "|", *lines[1:]]).replace("|  |", "| |") + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    options = list(read_options((root / TABLE).read_text(encoding="utf-8")))
    page = (root / PAGE).read_text(encoding="utf-8")
    shown = [match[1] for match in PLACE.findall(page)]
    missing = {command for command, *_ in options} - {"every", "program"} - set(shown)
    made = PLACE.sub(lambda match: match[1] + "\n" + make_table([rest for command, *rest in options
                                                          if command == match[2]]) + "\n" + match[3], page)
    if "--write" in sys.argv[2:]:
        (root / PAGE).write_text(made, encoding="utf-8")
        made = page
    misnamed = [name for _, name, _, _, variable, *_ in options if variable not in (None, "LOUPE_" + name.upper().replace("-", "_"))]
    for name in misnamed:
        print(f"{TABLE}: the variable of --{name} has another name")
    if missing:
        print(f"{PAGE}: no options of {', '.join(sorted(missing))}")
    if made != page:
        print(f"{PAGE} says other options than {TABLE}: run tests/tree/check_options.py . --write")
    return 1 if missing or misnamed or made != page else 0


if __name__ == "__main__":
    sys.exit(main())
