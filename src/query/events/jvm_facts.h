// SPDX-License-Identifier: Apache-2.0
// jvm_facts: the version, command line, machine and garbage collector of JVMs, from the events that
// JFR writes about them.
//
//   [{"recording": "checkout.jfr", "jvm_name": "OpenJDK 64-Bit Server VM", ..}, ..]
//
// A fact is a text or a number from the first event that has it. Unknown facts are missing. The
// table in jvm_facts.c has the names of all facts.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_jvm_lines.c, tests/e2e/ask.py
// Memory:  the texts of QUERY_JVM_FACTS_MAX JVMs.

#pragma once

#include "query/events/events.h"

#include <jansson.h>

enum { QUERY_JVM_FACTS_MAX = 16 }; // JVMs; further ones are left out

// To begin, set the first four members; all others are 0.
typedef struct query_jvm_facts {
    const query_names *names;     // the question's; borrowed
    const query_sources *sources; // the question's; borrowed
    // Returns the name of the recording of a source.
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

// query_jvm_facts_add adds an event to facts, a query_jvm_facts. Pass it as on_event to
// query_events_scan.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_jvm_facts_add(
    void *facts, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_jvm_facts_json returns the array; NULL if out of memory. The caller owns it.
json_t *query_jvm_facts_json(const query_jvm_facts *facts);
