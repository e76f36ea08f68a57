# SPDX-License-Identifier: Apache-2.0
"""Tables of `loupe export`, as DuckDB and pyarrow read them (sql_judge.py)."""

import json
import os
import re
import subprocess

from support import pypi
from support.process import check

HERE = os.path.dirname(os.path.abspath(__file__))
JUDGE = os.path.join(HERE, "sql_judge.py")
RECIPES = os.path.join(HERE, "..", "..", "..", "docs", "find", "readers.md")
LIMIT_S = 120


def judge(*arguments, text=None):
    python = os.path.join(pypi.need(pypi.SQL), "python3")
    done = subprocess.run([python, JUDGE, *map(str, arguments)], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{arguments}: {done.stderr[-1000:]}")
    return done.stdout


def ask(folder, queries):
    """The answers of DuckDB, with the tables of a folder."""
    return json.loads(judge("ask", folder, text=json.dumps(queries)))


def recipes():
    """The queries of the section about SQL."""
    with open(RECIPES, encoding="utf-8") as page:
        return re.findall(r"^```sql\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
