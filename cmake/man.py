#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man.py ROOT VERSION DIR: the manual, loupe(1) and a page for each command, made of src/cli/base/options.def. Pages are
packed, as Debian wants them, and the same for the same ROOT and VERSION.
"""

import gzip
import pathlib
import re
import sys

from options_def import TABLE, read_commands, read_operands, read_options

ABOUT = "Keeps the JFR events of requests that matter, and drops the rest."
ASKING = ("attributes", "contexts", "export", "flamegraph", "hot", "jvm", "requests", "slice", "trace", "why")  # with the options of "ask"
COMPARING = ("attributes", "flamegraph")  # with those of "compares"
PACKED_AS = 9
FILES = (("/etc/loupe/collect.env", "variables of the collector's service"),
         ("/var/lib/loupe", "what the collector's service keeps"),
         ("/usr/share/loupe/policies", "policies that come with Loupe"))


def escape(text):
    """Text as groff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def prose(text):
    """The same, with what stands in backquotes in bold."""
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fP", escape(text))


def sentence(text, beside=""):
    return prose(text[:1].upper() + text[1:] + beside) + ("" if text.endswith(".") and not beside else ".")


def applies(owner, command):
    return owner in (command, "every") or (owner == "ask" and command in ASKING) or (owner == "compares" and command in COMPARING)


def option_lines(option):
    _, name, letter, argument, variable, standard, text = option
    names = (f"\\fB\\-{letter}\\fP, " if letter else "") + f"\\fB{escape('--' + name)}\\fP"
    value = f" \\fI{escape(argument)}\\fP" if argument else ""
    if name == "help":
        text = "print what is here, shorter"
    without = "; ".join(filter(None, [variable, standard and f"default: {standard}"]))
    yield f".TP\n{names}{value}\n{sentence(text, f' ({without})' if without else '')}"


def page(name, version, purpose, synopsis, sections):
    """A page; sections are pairs of a heading and lines, those without lines are left out."""
    lines = [f'.TH {name.upper()} 1 "" "Loupe {version}" "Loupe"', ".SH NAME", f"{escape(name)} \\- {prose(purpose)}",
             ".SH SYNOPSIS", f"\\fB{escape(name.replace('-', ' ', 1))}\\fP {escape(synopsis)}"]
    for heading, body in sections:
        body = list(body)
        if body:
            lines += [f".SH {heading}", *body]
    return "\n".join(lines) + "\n"


def command_page(version, command, operands, options):
    name, synopsis, purpose, about, notes = command
    status = notes.startswith("Exit status: ")
    given = [line for owner, operand, text in operands if applies(owner, name)
             for line in (f".TP\n\\fI{escape(operand)}\\fP", sentence(text))]
    chosen = [line for option in options if applies(option[0], name) for line in option_lines(option)]
    return page(f"loupe-{name}", version, purpose, synopsis,
                (("DESCRIPTION", [prose(about)]), ("OPERANDS", given), ("OPTIONS", chosen),
                 ("NOTES", [prose(notes)] if notes and not status else []),
                 ("EXIT STATUS", [sentence(notes.removeprefix("Exit status: "))] if status else []),
                 ("SEE ALSO", [".BR loupe (1)"])))


def program_page(version, commands, options):
    listed = [line for name, _, purpose, *_ in commands
              for line in (f".TP\n\\fB{escape(name)}\\fP", sentence(purpose))]
    chosen = [line for option in options if applies(option[0], "program") for line in option_lines(option)]
    files = [line for path, text in FILES for line in (f".TP\n\\fI{escape(path)}\\fP", sentence(text))]
    others = [f".BR {escape('loupe-' + name)} (1)," for name, *_ in commands]
    others[-1] = others[-1].rstrip(",")
    return page("loupe", version, "a magnifying glass for JVMs in production", "COMMAND [OPTION...]",
                (("DESCRIPTION", [prose(ABOUT)]), ("COMMANDS", listed), ("OPTIONS", chosen), ("FILES", files),
                 ("SEE ALSO", others)))


def main():
    root, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    text = (root / TABLE).read_text(encoding="utf-8")
    commands, operands, options = list(read_commands(text)), list(read_operands(text)), list(read_options(text))
    pages = {"loupe": program_page(version, commands, options)}
    for command in commands:
        pages[f"loupe-{command[0]}"] = command_page(version, command, operands, options)
    out.mkdir(parents=True, exist_ok=True)
    for name, made in pages.items():
        (out / f"{name}.1.gz").write_bytes(gzip.compress(made.encode(), PACKED_AS, mtime=0))


if __name__ == "__main__":
    main()
