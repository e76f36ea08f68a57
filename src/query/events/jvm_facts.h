// SPDX-License-Identifier: Apache-2.0
// jvm_facts: what JVMs are: their version, command line, machine and collector, by the events in
// which they say so.
//
//   [{"recording": "checkout.jfr", "jvm_name": "OpenJDK 64-Bit Server VM", ..}, ..]
//
// A fact is a text, or a number, as the event has it first; what no event says is not there. The
// names of facts are in the table of jvm_facts.c.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_jvm_lines.c, tests/e2e/ask.py
// Memory:  the texts of QUERY_JVM_FACTS_MAX JVMs.

#ifndef LP_QUERY_JVM_FACTS_H
#define LP_QUERY_JVM_FACTS_H

#include "query/events/events.h"

#include <jansson.h>

enum { QUERY_JVM_FACTS_MAX = 16 }; // JVMs; nothing is said of the others

// With what the caller sets and nothing else it has none.
typedef struct query_jvm_facts {
    const query_names *names;     // those of the query; borrowed
    const query_sources *sources; // the same
    // The name of the recording that has a source
    const char *(*recording)(const void *arg, uint32_t source);
    const void *arg;
    size_t count;
    bool is_truncated;
    struct query_jvm_known {
        uint32_t session;
        json_t *facts; // an object
    } items[QUERY_JVM_FACTS_MAX];
} query_jvm_facts;

void query_jvm_facts_fini(query_jvm_facts *facts);

// query_jvm_facts_add adds an event (a query_jvm_facts), as on_event of query_events_scan.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_jvm_facts_add(
    void *facts, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_jvm_facts_json returns the array, which the caller owns; NULL where memory ran out.
json_t *query_jvm_facts_json(const query_jvm_facts *facts);

#endif // LP_QUERY_JVM_FACTS_H
