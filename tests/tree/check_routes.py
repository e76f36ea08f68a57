#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_routes.py ROOT: docs/reference/http-api.md lists the paths that the collector answers, and no other.

They are those of src/collector/http/routes/http_routes.def, with the questions (src/collector/ask) in the place of {question}. What
is said of another method than GET names it.
"""

import pathlib
import re
import sys

TABLE = "src/collector/http/routes/http_routes.def"
PAGE = "docs/reference/http-api.md"
ROUTE = re.compile(r'^ROUTE\("([^"]+)", *"([^"]+)",', re.MULTILINE)
QUESTION = re.compile(r'(?:\.path = |\bSLICE_ROUTE\()"([^"]+)"')
LIST = re.compile(r"^\| path \| answer \|\n\| --- \| --- \|\n((?:\|.*\n)+)", re.MULTILINE)
PATH = re.compile(r"`((/|\.)[^`]*)`")


def answered(root):
    """Each path that others than collectors may ask for, names in braces as {}, with its methods."""
    methods = {}
    for path, some in ROUTE.findall((root / TABLE).read_text(encoding="utf-8")):
        methods.setdefault(path, set()).update(some.split(", "))
    for source in (root / "src/collector/ask").rglob("*.c"):
        for question in QUESTION.findall(source.read_text(encoding="utf-8")):
            methods["/api/v1/" + question] = methods["/api/v1/{question}"]
    methods["/"] = methods["/{page}"]
    return {re.sub(r"\{[^}]*\}", "{}", path): some for path, some in methods.items()
            if path not in ("/{page}", "{anything}", "/api/v1/{question}") and not path.startswith("/internal/")}


def listed(root):
    """The same of the page; the first path of a row says how another that begins with a dot does."""
    paths = {}
    for row in LIST.search((root / PAGE).read_text(encoding="utf-8"))[1].splitlines():
        last = ""
        for path, _ in PATH.findall(row):
            last = re.sub(r"\.[\w.]+$", path, last) if path.startswith(".") else re.sub(r"\{[^}]*\}", "{}", path.split("?")[0])
            paths[last] = row
    return paths


def main():
    root = pathlib.Path(sys.argv[1])
    routes, rows = answered(root), listed(root)
    # Of the questions about one thing the table has what is before its name.
    begins = {path for path in routes if path.endswith("/") and path != "/"}
    fitting = {path: path if path in routes else next((one for one in begins if re.fullmatch(re.escape(one) + r"\{\}(/\{\})?", path)), None)
               for path in rows}
    problems = [f"{PAGE} lists {path}, which {TABLE} does not have" for path, one in fitting.items() if one is None]
    problems += [f"{PAGE} does not list {path}" for path in sorted(set(routes) - set(fitting.values()))]
    for path, row in rows.items():
        for method in sorted(routes.get(path, set()) - {"GET", "HEAD"}):
            if method not in row:
                problems.append(f"{PAGE} does not say that {path} answers {method}")
    print("\n".join(problems) or "the page lists the paths that are answered")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
