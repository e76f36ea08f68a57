// SPDX-License-Identifier: Apache-2.0
// grafana_procedures: the procedures of querier.v1.QuerierService. Each asks questions of ask, one
// after the other, and makes its answer from theirs.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include "collector/ask/work/ask_query.h"
#include "common/base/lp_assert.h"

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>

enum {
    GRAFANA_NODES_MAX = 1 << 17,     // of a flame graph; see grafana_flame.h
    GRAFANA_POINTS_MAX = 11000,      // of a series
    GRAFANA_ALL_POINTS_MAX = 120000, // of a call for series: 60 MB, 0.1 s of the thread of HTTP
    GRAFANA_COLUMNS_MAX = 30,        // of a series: each is a question; their steps share a value
    GRAFANA_QUESTIONS_MAX = 240,     // of a call for series: more series have fewer columns
    GRAFANA_SLOTS_MAX = 64,          // of a heat map
    GRAFANA_CELLS_MAX = 500000,      // of all heat maps of a call: 60 MB
    GRAFANA_CALL_SITE_MAX = 2048,    // frames of a call site
};

// A call whose message was read.
typedef struct grafana_work {
    const ProtobufCMessage *in;
    json_t *out;  // the answer in the JSON form of protobuf, {} at first
    size_t asked; // questions
    lp_problem problem;
} grafana_work;

// grafana_work_check asserts that the message of a call is of a type.
static inline void
grafana_work_check(const grafana_work *work, const ProtobufCMessageDescriptor *in)
{
    LP_ASSERT(work->in != NULL && work->in->descriptor == in);
}

typedef struct grafana_procedure {
    const char *name;
    const ProtobufCMessageDescriptor *in;
    const ProtobufCMessageDescriptor *out;
    // Makes question number work->asked, which the caller owns. Errors: LP_EEND no more;
    // LP_ECORRUPT a wrong parameter; LP_EVERSION one that is not supported; LP_ENOMEM
    lp_err (*ask)(grafana_work *work, ask_query **out_query);
    // Adds the answer to the last question. NULL: there are no questions. Errors: LP_ENOMEM
    lp_err (*add)(grafana_work *work, const json_t *answer);
} grafana_procedure;

// grafana_procedures_find returns NULL if no procedure has the name.
const grafana_procedure *grafana_procedures_find(const char *name);

// --- The two functions of each procedure.

#define GRAFANA_PROCEDURE(name, message)                                                           \
    lp_err grafana_ask_##message(grafana_work *work, ask_query **out_query);                       \
    lp_err grafana_add_##message(grafana_work *work, const json_t *answer);
#include "collector/grafana/grafana_procedures.def"
#undef GRAFANA_PROCEDURE
