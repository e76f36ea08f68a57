// SPDX-License-Identifier: Apache-2.0
// export: the requests or contexts of a selection, the events in them, or the frames of these
// events, as a table (columns.def) in a file for SQL.
//
//   requests   a row for each request
//   events     a row for each event in a request, also pauses of the JVM; a task that waits for a
//              thread (queued); and the unknown time (elsewhere). own_ns is its part of the
//              request's time, as in why.h, for a sample its period. Inner contexts have no rows:
//              the context around them has the same events
//   frames     a row for each frame of these events' stack traces, the topmost with depth 0
//
// Events are numbered in the order of their rows: `event` is the same in the tables of events and
// of frames of one selection. `frame` of an event names its stack trace (frames.h).
//
// Usage: query_export_begin; a question that query_export_prepare prepared; query_export_finish;
// query_export_fini.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/export/test_tables.c, tests/e2e/ask_requests.py
// Memory:  table_formats.h, stacks.h, and attributes.h; of events the fields of a JVM, at most
//          QUERY_EXPORT_FIELDS_BYTES_MAX

#pragma once

#include "query/export/table_formats.h"
#include "query/run/run.h"

enum { QUERY_EXPORT_FIELDS_BYTES_MAX = 128 << 20 }; // further events of a JVM have no fields

typedef enum query_export_format {
    QUERY_EXPORT_NDJSON,
    QUERY_EXPORT_PARQUET,
} query_export_format;

// The caller's choices. Everything is borrowed.
typedef struct query_export_wish {
    query_table_kind table;
    query_export_format format;
    const char *(*recording)(const void *arg, uint32_t source); // returns the name of a recording
    const void *recording_arg;
    query_table_sink sink;
} query_export_wish;

typedef struct query_export {
    uint64_t rows;
    uint64_t bytes;
    bool is_truncated;

    // Private:
    query_export_wish wish;
    query_names *names;
    query_stacks stacks;
    query_attributes attributes;
    query_table_row row;
    query_ndjson ndjson;
    query_parquet parquet;
    int64_t events; // so far
    const query_question *question;
    uint32_t session; // of fields
    lp_buf fields;    // JSON of events, each with a zero
} query_export;

// query_export_begin makes an empty table. Borrows names, and what wish refers to, until
// query_export_fini.
query_export query_export_begin(const query_export_wish *wish, query_names *names);
void query_export_fini(query_export *export);

// query_export_prepare makes question, which is of requests or contexts, ask for the columns. Both
// stay at their places from then on.
void query_export_prepare(query_export *export, query_question *question);

// query_export_add writes the rows of a request or a context to export, a query_export. Pass it as
// on_context of a prepared question. Errors: LP_ENOMEM; errors of the sink
LP_MUST_USE lp_err query_export_add(void *export, const query_answer *answer);

// query_export_finish writes the end of the file. Call it once. Errors: as query_export_add
LP_MUST_USE lp_err query_export_finish(query_export *export);
