// SPDX-License-Identifier: Apache-2.0
// selection: which contexts a question is about, or which requests or threads. Each parameter
// narrows it; without any it is all of them.
//
//   service=, instance=, version=, recording=     where they happened: who has the chunks chooses
//   by these from=, to=                          they began in [from, to): RFC 3339, ns since 1970,
//   or a
//                                       timespan back from now, such as 10m
//   context=TYPE                        the name of their type, or the last part of it
//   where=KEY OP VALUE                  an attribute; OP is = != ^= (begins with) >= or <=. It may
//                                       be given several times, and all have to hold
//   min_duration_ns=, max_duration_ns=  both belong to the range
//   trace=ID                            an attribute that is a trace's id (trace_id, traceId, ...)
//   thread=                             the name of their thread, in which * stands for any run of
//                                       characters, or its Java thread id
//   pool=                               the pool of their thread (pool_name.h); "": of those that
//                                       have no name
//   id=                                 what an answer calls the context (ctx_ref.h)
//   request=                            what an answer calls the request (request_id.h)
//
// The same parser reads HTTP's parameters and the options of the command line. These have no id,
// and timespans such as 100 ms for --min-duration and --max-duration.
//
// Threads: one thread at a time while it is read; then any.
// Tests:   tests/unit/query/select/test_selection.c

#ifndef LP_QUERY_SELECTION_H
#define LP_QUERY_SELECTION_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/context/ctx_ref.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_WHERE_MAX = 16 }; // conditions of one selection

// What a selection chooses. query_selection_check refuses parameters that the unit does not have.
typedef enum query_unit {
    QUERY_UNIT_CONTEXTS,
    QUERY_UNIT_THREADS, // (threads.h) `from` and `to` choose their events
    // (requests.h) They have the type and the attributes of their parts; `thread` is one of those
    // that worked for the request.
    QUERY_UNIT_REQUESTS,
    QUERY_UNITS,
} query_unit;

// query_unit_name returns the name of a unit in questions and answers: its plural.
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
    long double number; // of the value, for QUERY_OP_AT_LEAST and QUERY_OP_AT_MOST
} query_where;

// All texts are borrowed. A zeroed selection is not begun: query_selection_begin.
typedef struct query_selection {
    bool is_of_options;  // parameters are named as options in problems
    bool is_base;        // of a comparison: they are named with base_ before them
    bool is_rest;        // of a base: less those contexts that the comparison's selection has
    const char *service; // NULL: any, as in all texts
    const char *instance;
    const char *version; // of the service
    const char *recording;
    const char *context;
    const char *trace;
    const char *any_id; // an attribute that is an id has this value; no parameter sets it
    const char *thread;
    const char *pool;
    bool has_id;
    ctx_ref id;
    bool has_request;
    uint64_t request;     // its id
    int64_t now_wall_ns;  // from which from= and to= count back
    int64_t from_wall_ns; // INT64_MIN: any
    int64_t to_wall_ns;   // the first that is too late; INT64_MAX: none
    int64_t min_duration_ns;
    int64_t max_duration_ns;
    int64_t ended_wall_ns; // then or later; no parameter. INT64_MIN: any
    query_unit unit;       // no parameter
    size_t where_count;
    query_where where[QUERY_WHERE_MAX];
    uint32_t given; // the parameters that were set, by bit
} query_selection;

// query_selection_begin returns the selection of everything.
query_selection query_selection_begin(bool is_of_options);

// query_selection_set sets a parameter by its name. value is borrowed as long as the selection is.
// Errors: LP_ENOENT   there is no such parameter
//         LP_ECORRUPT a value that it cannot have, or a second one
//         with the parameter's name, and what is allowed, in *out_problem
LP_MUST_USE lp_err query_selection_set(
    query_selection *selection, const char *name, const char *value, lp_problem *out_problem);

// The name of a parameter as who gave it wrote it: from, base_from, --from or --base-from.
enum { QUERY_NAME_BYTES = 32 };

typedef struct query_shown_name {
    char text[QUERY_NAME_BYTES];
} query_shown_name;

query_shown_name query_selection_show_name(const query_selection *selection, const char *name);

// query_selection_given returns the name of a parameter that was set; NULL: none was.
const char *query_selection_given(const query_selection *selection);

// query_selection_check finds parameters that exclude each other, once all are set.
// Errors: LP_ECORRUPT with both of them in *out_problem
LP_MUST_USE lp_err query_selection_check(const query_selection *selection, lp_problem *out_problem);

// query_selection_has_type returns whether contexts of the type with this name are wanted.
bool query_selection_has_type(const query_selection *selection, const char *type_name);

// query_selection_needs_thread returns whether query_selection_has_thread can be false.
bool query_selection_needs_thread(const query_selection *selection);

// query_selection_has_thread returns whether contexts on a thread are wanted. java_id: 0 where it
// is none of Java's.
bool query_selection_has_thread(
    const query_selection *selection, const char *thread_name, int64_t java_id);

// query_selection_has_times returns whether a context that began then and lasted so long is wanted.
bool query_selection_has_times(
    const query_selection *selection, int64_t begin_wall_ns, int64_t duration_ns);

// An attribute of a context: its name, its label or "", and its value as Java's String.valueOf.
typedef struct query_attribute {
    const char *name;
    const char *label;
    bool is_null;
    bool is_number; // its field is one
    bool is_id;     // where query_chunk_find_ids was asked; else false
    lp_slice value;
} query_attribute;

// query_attribute_has_id returns whether an attribute has the value of an id: upper case counts as
// lower case.
bool query_attribute_has_id(const query_attribute *attribute, const char *id);

// query_selection_needs_attributes returns whether query_selection_has_attributes can be false.
bool query_selection_needs_attributes(const query_selection *selection);

// query_selection_has_attributes returns whether a context with these attributes is wanted. One
// that it does not have, or that is null, is never equal, begins with nothing and is not
// comparable; only != holds for it. >= and <= compare numbers, and do not hold for what is none.
bool query_selection_has_attributes(
    const query_selection *selection, const query_attribute *attributes, size_t count);

#endif // LP_QUERY_SELECTION_H
