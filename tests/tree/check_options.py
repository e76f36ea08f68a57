#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_options.py ROOT [--write]: the options in docs/operations/configuration.md are those of
src/cli/options.def. Each command's table stands between two lines that are comments; --write makes
the tables anew.
"""

import pathlib
import re
import sys

TABLE = "src/cli/options.def"
PAGE = "docs/operations/configuration.md"
PLACE = re.compile(r"(<!-- options of (\w+): made of src/cli/options\.def -->\n).*?(<!-- end -->)", re.DOTALL)
ROW = re.compile(r"^LOUPE_OPTION\((.*?)\)$", re.MULTILINE | re.DOTALL)
# An argument of a macro: strings that follow one another, or anything without a comma outside of parentheses.
ARGUMENT = re.compile(r'\s*((?:"(?:\\.|[^"\\])*"\s*)+|[^",()]+(?:\([^()]*\))?)(?:,|$)')


def value_of(argument):
    """The text of strings; None for NULL and 0."""
    argument = argument.strip()
    if argument.startswith('"'):
        return "".join(re.findall(r'"((?:\\.|[^"\\])*)"', argument)).replace('\\"', '"')
    return None if argument in ("NULL", "0") else argument.strip("'")


def read_options(text):
    """(command, name, letter, argument, variable, standard, help) of each row."""
    rows = ROW.findall(text)
    if len(rows) != text.count("\nLOUPE_OPTION("):
        raise SystemExit(f"{TABLE}: only {len(rows)} rows are understood")
    for row in rows:
        arguments = [value_of(argument) for argument in ARGUMENT.findall(row)]
        if len(arguments) != 9:
            raise SystemExit(f"{TABLE}: not understood: {row}")
        command, _, _, *rest = arguments
        yield command, *rest


def make_table(options):
    """The lines of a command's table; columns that are empty in every row are left out."""
    rows = [("option", "environment", "default", "meaning")]
    for name, letter, argument, variable, standard, meaning in options:
        short = f"`-{letter}`, " if letter else ""
        rows.append((f"{short}`--{name}{' ' + argument if argument else ''}`", f"`{variable}`" if variable else "",
                     f"`{standard}`" if standard else "", meaning))
    used = [column for column in range(4) if any(row[column] for row in rows[1:])]
    lines = ["| " + " | ".join(row[column] for column in used) + " |" for row in rows]
    return "\n".join([lines[0], "| --- " * len(used) + "|", *lines[1:]]).replace("|  |", "| |") + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    options = list(read_options((root / TABLE).read_text(encoding="utf-8")))
    page = (root / PAGE).read_text(encoding="utf-8")
    shown = [match[1] for match in PLACE.findall(page)]
    missing = {command for command, *_ in options} - {"every", "program"} - set(shown)
    made = PLACE.sub(lambda match: match[1] + make_table([rest for command, *rest in options
                                                          if command == match[2]]) + match[3], page)
    if "--write" in sys.argv[2:]:
        (root / PAGE).write_text(made, encoding="utf-8")
        made = page
    if missing:
        print(f"{PAGE}: no options of {', '.join(sorted(missing))}")
    if made != page:
        print(f"{PAGE} says other options than {TABLE}: run tests/tree/check_options.py . --write")
    return 1 if missing or made != page else 0


if __name__ == "__main__":
    sys.exit(main())
