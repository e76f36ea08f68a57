// SPDX-License-Identifier: Apache-2.0
// ask_export: a table for SQL (export.h) as the answer of a list, with format=ndjson. The table has
// all rows, so the parameters of a page do not apply.
//
// Threads: the worker that answers.
// Tests:   tests/e2e/ask_requests.py

#pragma once

#include "collector/ask/work/ask_work.h"
#include "query/export/table.h"

typedef enum ask_export_format {
    ASK_EXPORT_JSON, // the list itself
    ASK_EXPORT_NDJSON,
    ASK_EXPORT_FORMATS,
} ask_export_format;

extern const char *const ask_export_formats[ASK_EXPORT_FORMATS];

// ASK_EXPORT_FORMAT is the row of the parameter `format`, a size_t at an offset: the first row of
// its route.
#define ASK_EXPORT_FORMAT(value_offset)                                                            \
    {                                                                                              \
        "format", ASK_CHOICE, (value_offset), .words = ask_export_formats,                         \
                                              .word_count = ASK_EXPORT_FORMATS                     \
    }

// ask_export_answer answers with all rows of a table. Errors: LP_ECORRUPT if other parameters of
// the route were given; as query_run and ask_answer_write
LP_MUST_USE lp_err ask_export_answer(
    ask_work *work, query_table_kind table, ask_answer *out_answer);
