# SPDX-License-Identifier: Apache-2.0
"""Promised: Parquet files of `loupe export` have the rows that its lines of JSON have, whatever is in them: nulls, numbers of 64
bits, texts of any length, pages and row groups of any size, and none. DuckDB and pyarrow read both.

A program writes random rows with the writers of both formats, and small pages and row groups.

Cost: some seconds.
"""

import os
import random
import subprocess

from support import sql
from support.process import BUILD, LIMIT_S, check, run

PROGRAM = os.path.join(BUILD, "bin", "table_rows")
CASES = ((0, 10, 100), (1, 10, 100), (7, 3, 16), (1000, 100, 200), (999, 1000, 1 << 20), (5000, 777, 4096), (3000, 1500, 1))


def body(scenario):
    same = []
    for rows, group_rows, page_bytes in CASES:
        parquet, lines = scenario.path(f"{rows}.parquet"), scenario.path(f"{rows}.ndjson.zst")
        seed = random.randrange(1 << 32)
        done = subprocess.run([PROGRAM, *map(str, (rows, seed, group_rows, page_bytes)), parquet, lines], timeout=LIMIT_S, check=False)
        check(done.returncode == 0, f"{rows} rows: {done}")
        same += [parquet, lines, rows, group_rows]
        print(f"{rows} rows of seed {seed}, {group_rows} in a group: {os.path.getsize(parquet)} and {os.path.getsize(lines)} bytes")
    sql.judge("same", *same)


run("tables", body)
