#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_messages.py ROOT [--write]: docs/reference/messages.md lists every message of the agent, the collector, the program,
the Java libraries and the page, as their sources have them; --write makes the page anew.

A message is the format of a call of one of FORMATS, the text of an exception, or a text of the page. `...` stands for a value.
"""

import pathlib
import re
import sys

PAGE = "docs/reference/messages.md"
# Functions with the position of their format, and its kind.
FORMATS = {"lp_problem_set": (2, "problem"), "lp_problem_at": (3, "problem"), "lp_log": (1, "log"),
           "http_reply_error": (2, "answer"), "http_reply_challenge": (1, "answer"), "agent_verdict_make": (2, "verdict"),
           "session_lose": (3, "loss"), "session_report_loss": (3, "loss"), "cmd_refuse": (1, "usage"), "warn": (1, "warning"),
           "fprintf": (1, "output")}
NOT_FOR_PEOPLE = re.compile(r"src/(query/why/why_markdown|agent/jvmti|common/base/lp_log)\.c$")
# Parts of the page: a title, and the folders whose messages it has.
PARTS = (("The agent", "log lines of the JVM, prefixed `loupe-agent`", ("src/agent",)),
         ("The collector", "log lines, answers of the HTTP API, and verdicts that agents log", ("src/collector",)),
         ("The program", "what the commands print", ("src/cli", "src/offline")),
         ("Policies", "problems of a policy file", ("src/policy",)),
         ("Recordings and questions", "problems of a recording, of a filter or of a question",
          ("src/common", "src/engine", "src/query")),
         ("The Java libraries", "texts of exceptions", ("java",)),
         ("The page", "what it says in sentences, labels with several words, and titles", ("web/src",)))
CALL = re.compile(r"\b(" + "|".join(FORMATS) + r")\(")
EXCEPTION = re.compile(r"new \w*(?:Exception|Error)\(")
PAGE_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|>((?:[^<>`{}]|\$\{[^{}`]*\})*)<')
CODE = re.compile(r"[{}();<=|]|=>|&&|^[.,]|--|: \w+,")  # what looks like a text of the page, and is none
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
DIRECTIVE = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?[diouxXeEfgGcsp]")
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\')|//[^\n]*|/\*.*?\*/', re.DOTALL)
HEAD = """# Messages

All messages of Loupe in one list, for those who search for one and for those who write the next. `...` stands for a value: a name,
a path, a number. The list is generated from the sources: `python3 tests/tree/check_messages.py . --write`.

Each message says what happened and where, and what to do if that is not clear from it. `loss` marks messages about events
that are missing from a recording; [durability](../run/durability.md) explains them.
"""


def arguments(text, start):
    """The arguments of a call whose opening parenthesis is before `start`."""
    depth, at, begin, found = 0, start, start, []
    while at < len(text):
        char = text[at]
        if char in "\"'":
            quote, at = char, at + 1
            while text[at] != quote:
                at += 2 if text[at] == "\\" else 1
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return [*found, text[begin:at]]
            depth -= 1
        elif char == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return []


def texts_of(argument, joins):
    """The texts in an argument: literals that follow each other, with names of formats between them, are one."""
    parts, between = [], 0
    for match in LITERAL.finditer(argument):
        gap = argument[between:match.start()].strip()
        text = match[1].replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
        if parts and (re.fullmatch(r"(PRI\w+)?", gap) or (joins and "+" in gap)):
            parts[-1] += ("s" if gap.startswith("PRI") else "..." if gap.strip("+ \n") else "") + text
        else:
            parts.append(text)
        between = match.end()
    if parts and re.fullmatch(r"PRI\w+", argument[between:].strip()):
        parts[-1] += "s"
    return parts


def shown(text):
    text = DIRECTIVE.sub("...", text).replace("%%", "%")
    return re.sub(r"\s+", " ", text).strip()


def texts_of_page(text):
    """Texts of several words in the page's sources: literals, and what stands between elements."""
    for literal, content in PAGE_LITERAL.findall(text):
        one = re.sub(r"\s+", " ", re.sub(r"\$\{[^}]*\}", "...", literal or content)).strip()
        if len(re.findall(r"[A-Za-z]{2,}", one)) > 2 and " " in one and not CODE.search(one):
            yield one


def messages_of(path, text):
    """(kind, message) of a source."""
    text = COMMENT.sub(lambda match: match[1] or "", text)
    if path.suffix == ".ts":
        yield from (("text", one) for one in texts_of_page(text))
        return
    if path.suffix == ".java":
        for match in EXCEPTION.finditer(text):
            for argument in arguments(text, match.end())[:1]:
                yield from (("exception", one) for one in texts_of(argument, True)[:1])
        return
    for match in CALL.finditer(text):
        position, kind = FORMATS[match[1]]
        found = arguments(text, match.end())
        if len(found) <= position or (match[1] == "fprintf" and "stderr" not in found[0]):
            continue
        if kind == "log":
            level = re.search(r"LP_LOG_(\w+)", found[0])
            kind = level[1].lower() if level else kind
        yield from ((kind, one) for one in texts_of(found[position], False))


def make_page(root):
    lines = [HEAD]
    for title, about, folders in PARTS:
        rows = set()
        for folder in folders:
            for path in sorted((root / folder).rglob("*")):
                name = path.relative_to(root).as_posix()
                if path.suffix not in (".c", ".h", ".java", ".ts") or "/test/" in name or NOT_FOR_PEOPLE.search(name):
                    continue
                rows |= {(shown(text), kind) for kind, text in messages_of(path, path.read_text(encoding="utf-8"))}
        rows = sorted((text, kind) for text, kind in rows if len(re.findall(r"[A-Za-z]{2,}", text)) > 1 and kind != "debug")
        lines.append(f"## {title}\n\n{about[0].upper()}{about[1:]}.\n\n| kind | message |\n| --- | --- |")
        lines.append("\n".join("| %s | %s |" % (kind, "`" + text.replace("|", "\\|").replace("`", "'") + "`") for text, kind in rows) + "\n")
    return "\n".join(lines)


def main():
    root = pathlib.Path(sys.argv[1])
    made = make_page(root)
    if "--write" in sys.argv[2:]:
        (root / PAGE).write_text(made, encoding="utf-8")
    if not (root / PAGE).exists() or (root / PAGE).read_text(encoding="utf-8") != made:
        print(f"{PAGE} lists other messages than the sources: run tests/tree/check_messages.py . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
