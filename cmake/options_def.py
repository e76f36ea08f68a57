# SPDX-License-Identifier: Apache-2.0
"""options_def: the rows of src/cli/base/options.def, for those who make pages of them."""

import re

TABLE = "src/cli/base/options.def"
# An argument of a macro: strings that follow one another, or anything without a comma outside of parentheses.
ARGUMENT = re.compile(r'\s*((?:"(?:\\.|[^"\\])*"\s*)+|[^",()]+(?:\([^()]*\))?)(?:,|$)')


def value_of(argument):
    """The text of strings; None for NULL and 0."""
    argument = argument.strip()
    if argument.startswith('"'):
        return "".join(re.findall(r'"((?:\\.|[^"\\])*)"', argument)).replace('\\"', '"')
    return None if argument in ("NULL", "0") else argument.strip("'")


def read_rows(text, macro, count):
    """The arguments of each use of a macro; all have so many."""
    rows = re.findall(rf"^{macro}\((.*?)\)$", text, re.MULTILINE | re.DOTALL)
    if len(rows) != text.count(f"\n{macro}("):
        raise SystemExit(f"{TABLE}: only {len(rows)} rows of {macro} are understood")
    for row in rows:
        arguments = [value_of(argument) for argument in ARGUMENT.findall(row)]
        if len(arguments) != count:
            raise SystemExit(f"{TABLE}: not understood: {row}")
        yield arguments


def read_options(text):
    """(command, name, letter, argument, variable, standard, help) of each option."""
    for command, _, _, *rest in read_rows(text, "LOUPE_OPTION", 9):
        yield command, *rest


def read_commands(text):
    """(name, synopsis, purpose, about, notes) of each command."""
    for row in read_rows(text, "LOUPE_COMMAND", 5):
        yield tuple(row)


def read_operands(text):
    """(command, name, help) of each operand."""
    for row in read_rows(text, "LOUPE_OPERAND", 3):
        yield tuple(row)
