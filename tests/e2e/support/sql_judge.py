# SPDX-License-Identifier: Apache-2.0
"""Reads tables as others do:

  same [PARQUET NDJSON ROWS GROUP_ROWS]...   pyarrow and DuckDB read the same rows of both files, and a row group of GROUP_ROWS each
  ask FOLDER                                 answers the queries on standard input, a JSON array, in the folder of the tables, as JSON
"""

import json
import os
import sys

import duckdb
import pyarrow.parquet


def need(condition, message):
    if not condition:
        sys.exit(message)


def check_same(parquet, ndjson, rows, group_rows):
    file = pyarrow.parquet.ParquetFile(parquet)
    sizes = [file.metadata.row_group(index).num_rows for index in range(file.metadata.num_row_groups)]
    wanted = [group_rows] * (rows // group_rows) + ([rows % group_rows] if rows % group_rows else [])
    need(sizes == wanted and file.metadata.num_rows == rows, f"row groups of {sizes}, not {wanted}")
    for column in range(file.metadata.num_columns):
        for group in range(file.metadata.num_row_groups):
            chunk = file.metadata.row_group(group).column(column)
            need(chunk.compression == "ZSTD" and chunk.num_values == sizes[group], f"{chunk}")
    with open_zstd(ndjson) as lines:
        objects = [json.loads(line) for line in lines.read().splitlines()]
    names = [field.name for field in file.schema_arrow]
    need(all(list(one) == names for one in objects), "other columns in a line")
    need(file.read().to_pylist() == objects, "pyarrow reads other rows of the Parquet file than the lines have")
    check_duckdb(parquet, ndjson, names, rows)


def open_zstd(path):
    return pyarrow.CompressedInputStream(pyarrow.OSFile(path), "zstd")


def check_duckdb(parquet, ndjson, names, rows):
    one = duckdb.sql(f"SELECT * FROM '{parquet}'")
    types = {name: str(kind) for name, kind in zip(one.columns, one.types)}
    need(list(types) == names and set(types.values()) <= {"VARCHAR", "BIGINT"}, f"{types}")
    other = duckdb.sql(f"SELECT * FROM read_json('{ndjson}', format = 'newline_delimited', columns = {types})")
    found = [sorted(table.fetchall(), key=str) for table in (one, other)]
    need(len(found[0]) == rows and found[0] == found[1], f"DuckDB reads {len(found[0])} and {len(found[1])} rows, not {rows}")


def ask(folder):
    os.chdir(folder)
    answers = []
    for query in json.load(sys.stdin):
        try:
            found = duckdb.sql(query)
            answers.append({"columns": found.columns, "rows": found.fetchall()})
        except duckdb.Error as problem:
            sys.exit(f"{query}: {problem}")
    print(json.dumps(answers, default=str))


def main():
    if sys.argv[1] == "same":
        for parquet, ndjson, rows, group_rows in zip(*[iter(sys.argv[2:])] * 4):
            check_same(parquet, ndjson, int(rows), int(group_rows))
    else:
        ask(sys.argv[2])


main()
