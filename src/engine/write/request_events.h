// SPDX-License-Identifier: Apache-2.0
// request_events: the events that describe requests.
//
// A dev.loupe.Request is a contextual event for each stretch in which a thread worked for a kept
// request, so readers that show the contexts of events show the request. Its fields describe the
// whole request up to the end of the chunk. A request that ends while no thread works for it has an
// event without duration at its end. A dev.loupe.HandOver is the time in which a task of the
// request waited for a thread, on the thread that took it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_request_step.c, tests/e2e/access_log.py

#pragma once

#include "common/base/lp_map.h"
#include "engine/write/writer.h"

typedef struct compact_request_events {
    bool *has_stay;      // by request: it has an event of a stay; in the arena
    lp_map threads;      // identity to index of view->threads
    uint64_t request_id; // type id; 0: no such events
    uint64_t hand_over_id;
} compact_request_events;

// compact_request_events_init adds the types and marks the constants of the events. The caller ends
// *events with compact_request_events_fini. Errors: in writer->arena
void compact_request_events_init(compact_request_events *events, compact_writer *writer);
void compact_request_events_fini(compact_request_events *events);

void compact_request_events_append(const compact_request_events *events, compact_writer *writer);
