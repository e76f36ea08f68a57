// SPDX-License-Identifier: Apache-2.0
// request_events: the events that say which requests there are.
//
// dev.loupe.Request is contextual: there is one for each stretch in which a thread worked for a
// request that is kept, so that readers that show the contexts of events show the request. Its
// fields say of the whole request what is known up to the end of the chunk; a request that ended
// where no thread worked for it has one of no duration at its end. dev.loupe.HandOver is the time
// in which a task of such a request waited for a thread, on the thread that took it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_request_step.c, tests/e2e/access_log.py

#ifndef LP_ENGINE_WRITE_REQUEST_EVENTS_H
#define LP_ENGINE_WRITE_REQUEST_EVENTS_H

#include "common/base/lp_map.h"
#include "engine/write/writer.h"

typedef struct compact_request_events {
    bool *has_stay;      // by request: an event of a stay; borrowed from the arena
    lp_map threads;      // identity to index of view->threads
    uint64_t request_id; // of the types; 0: there are no such events
    uint64_t hand_over_id;
} compact_request_events;

// compact_request_events_init adds the types, and marks the constants that the events need.
// Owns:   the caller ends *events with compact_request_events_fini. Errors: as of writer->arena
void compact_request_events_init(compact_request_events *events, compact_writer *writer);
void compact_request_events_fini(compact_request_events *events);

// compact_request_events_append appends the events.
void compact_request_events_append(const compact_request_events *events, compact_writer *writer);

#endif // LP_ENGINE_WRITE_REQUEST_EVENTS_H
