// SPDX-License-Identifier: Apache-2.0
// selection: the contexts, requests or threads of a question. Without parameters it selects all of
// them. Each parameter narrows it:
//
//   service=, instance=, version=, recording=
//                                       where they happened; the caller chooses chunks by these
//   from=, to=                          they began in [from, to): RFC 3339, ns since 1970, or a
//                                       timespan before now, such as 10m
//   context=TYPE                        the name of their type, or its last part
//   where=KEY OP VALUE                  an attribute; OP is = != ^= (begins with) >= or <=. With
//                                       several conditions all must hold
//   min_duration_ns=, max_duration_ns=  both inclusive
//   trace=ID                            an attribute with a trace's id (trace_id, traceId, ...)
//   thread=                             the name of their thread, in which * matches any text, or
//                                       its Java thread id
//   pool=                               the pool of their thread (pool_name.h); "": threads
//                                       without a name
//   id=                                 the id of a context in an answer (ctx_ref.h)
//   request=                            the id of a request in an answer (request_id.h)
//
// The same parser reads HTTP parameters and command line options. There is no option --id, and
// --min-duration and --max-duration are timespans, such as 100 ms.
//
// Threads: one thread at a time while it is read; then any.
// Tests:   tests/unit/query/select/test_selection.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/context/ctx_ref.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_WHERE_MAX = 16 }; // where= in one selection

// query_selection_check refuses parameters that do not apply to the unit.
typedef enum query_unit {
    QUERY_UNIT_CONTEXTS,
    QUERY_UNIT_THREADS, // (threads.h) `from` and `to` apply to their events
    // (requests.h) They have the type and the attributes of their parts. `thread` may be any thread
    // that worked for the request.
    QUERY_UNIT_REQUESTS,
    QUERY_UNITS,
} query_unit;

// query_unit_name returns the name of a unit in questions and answers, such as "contexts".
const char *query_unit_name(query_unit unit);

typedef enum query_op {
    QUERY_OP_IS,
    QUERY_OP_IS_NOT,
    QUERY_OP_BEGINS,
    QUERY_OP_AT_LEAST,
    QUERY_OP_AT_MOST,
} query_op;

typedef struct query_where {
    lp_slice key;
    query_op op;
    lp_slice value;
    long double number; // the value, for QUERY_OP_AT_LEAST and QUERY_OP_AT_MOST
} query_where;

// All texts are borrowed. query_selection_begin makes a selection.
typedef struct query_selection {
    bool is_of_options;  // problems name parameters as options
    bool is_base;        // the base of a comparison: problems name parameters with base_
    bool is_rest;        // a base without the contexts that the comparison selects
    const char *service; // NULL: any, as in all texts
    const char *instance;
    const char *version; // of the service
    const char *recording;
    const char *context;
    const char *trace;
    const char *any_id; // some attribute that is an id has this value; not a parameter
    const char *thread;
    const char *pool;
    bool has_id;
    ctx_ref id;
    bool has_request;
    uint64_t request;     // id
    int64_t now_wall_ns;  // timespans in from= and to= count back from here
    int64_t from_wall_ns; // INT64_MIN: any
    int64_t to_wall_ns;   // exclusive; INT64_MAX: any
    int64_t min_duration_ns;
    int64_t max_duration_ns;
    int64_t ended_wall_ns; // the earliest end; not a parameter. INT64_MIN: any
    query_unit unit;       // not a parameter
    size_t where_count;
    query_where where[QUERY_WHERE_MAX];
    uint32_t given; // a bit for each parameter that was set
} query_selection;

// query_selection_begin returns a selection of everything.
query_selection query_selection_begin(bool is_of_options);

// query_selection_set sets a parameter by its name. Borrows value for the life of the selection.
// Errors: LP_ENOENT unknown name; LP_ECORRUPT not an allowed value, or a second value.
//         *out_problem names the parameter and the allowed values
LP_MUST_USE lp_err query_selection_set(
    query_selection *selection, const char *name, const char *value, lp_problem *out_problem);

// The name of a parameter as the user writes it: from, base_from, --from or --base-from.
enum { QUERY_NAME_BYTES = 32 };

typedef struct query_shown_name {
    char text[QUERY_NAME_BYTES];
} query_shown_name;

query_shown_name query_selection_show_name(const query_selection *selection, const char *name);

// query_selection_given returns the name of a parameter that was set; NULL if none was.
const char *query_selection_given(const query_selection *selection);

// query_selection_check checks that the parameters agree with each other and with the unit.
// Errors: LP_ECORRUPT with both parameters in *out_problem
LP_MUST_USE lp_err query_selection_check(const query_selection *selection, lp_problem *out_problem);

// query_selection_has_type returns whether contexts of a type are selected.
bool query_selection_has_type(const query_selection *selection, const char *type_name);

// query_selection_needs_thread returns whether query_selection_has_thread can return false.
bool query_selection_needs_thread(const query_selection *selection);

// query_selection_has_thread returns whether contexts on a thread are selected. java_id: 0 if it is
// not a Java thread.
bool query_selection_has_thread(
    const query_selection *selection, const char *thread_name, int64_t java_id);

// query_selection_has_times returns whether a context with this begin and duration is selected.
bool query_selection_has_times(
    const query_selection *selection, int64_t begin_wall_ns, int64_t duration_ns);

// An attribute of a context: its name, its label or "", and its value as Java's String.valueOf
// returns it.
typedef struct query_attribute {
    const char *name;
    const char *label;
    bool is_null;
    bool is_number; // the field has a numeric type
    bool is_id;     // false unless query_chunk_find_ids was called
    lp_slice value;
} query_attribute;

// query_attribute_has_id returns whether an attribute has the value id, in upper or lower case.
bool query_attribute_has_id(const query_attribute *attribute, const char *id);

// query_selection_needs_attributes returns whether query_selection_has_attributes can return false.
bool query_selection_needs_attributes(const query_selection *selection);

// query_selection_has_attributes returns whether a context with these attributes is selected. A
// missing or null attribute meets only !=. The operators >= and <= compare numbers; a value that is
// not a number does not meet them.
bool query_selection_has_attributes(
    const query_selection *selection, const query_attribute *attributes, size_t count);
