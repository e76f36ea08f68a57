// SPDX-License-Identifier: Apache-2.0
// own_events: the events of a type that Loupe itself writes, as a chunk has them. A type is Loupe's
// where it has the name and begins with the fields; behind these may be others.
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_loss_tally.c, tests/unit/offline/test_request_tally.c

#ifndef LP_OFFLINE_OWN_EVENTS_H
#define LP_OFFLINE_OWN_EVENTS_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct own_events_field {
    const char *name;
    const char *type;
} own_events_field;

typedef struct own_events_type {
    const char *name;
    const own_events_field *fields;
    size_t field_count;
} own_events_type;

// own_events_are_in returns whether a chunk with this metadata, which is resolved, may have such
// events.
bool own_events_are_in(const jfr_metadata *metadata, const own_events_type *type);

// own_events_each calls on_event for each such event of a chunk. That returns LP_ECORRUPT where the
// event cannot be read.
// Errors: LP_ECORRUPT with an offset into the chunk: no event begins there, or one that cannot be
//         read; any other that on_event returned
LP_MUST_USE lp_err own_events_each(const jfr_metadata *metadata, const own_events_type *type,
    lp_slice chunk, lp_err (*on_event)(void *arg, jfr_cursor payload), void *arg,
    lp_problem *out_problem);

#endif // LP_OFFLINE_OWN_EVENTS_H
