// SPDX-License-Identifier: Apache-2.0
// decide: which events and contexts of one chunk are kept. A pure function of rows.
//
// It works on a window of ticks, [lo, hi): from where the chunk before was cut to where the next
// chunk begins. Events are decided with the chunk in which they are stored. Contexts of the Loupe
// API are clipped to the window: a part is kept if an event was kept within it.
//
// Threads: any thread.

#ifndef LP_ENGINE_DECIDE_DECIDE_H
#define LP_ENGINE_DECIDE_DECIDE_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/filters.h"
#include "engine/read/view.h"

#include <stdint.h>

typedef struct compact_window {
    int64_t lo; // INT64_MIN for the first chunk of a session
    int64_t hi;
} compact_window;

// A part of a context that is kept, ends inclusive.
typedef struct compact_part {
    uint32_t context; // indexes contexts->items
    int64_t begin;
    int64_t end;
} compact_part;

typedef LP_VEC(compact_part) compact_parts;

typedef struct compact_decide_input {
    compact_view *view;                   // its rows are decided
    const uint64_t *identities;           // parallel to view->threads
    const compact_view *ahead;            // the next chunk, or NULL
    const uint64_t *ahead_identities;     // parallel to ahead->threads
    const bool *ahead_is_ignored;         // parallel to ahead->spans: does not matter; or NULL
    const compact_recordings *recordings; // the maps of those contexts that are RecordingContexts
    const compact_recorded *recorded;     // RecordingContexts that are events
    const compact_filters *filters;       // that the JVM has set
    const ctx_type *types;                // of contexts
    size_t type_count;
    const compact_contexts *contexts; // of carry, of the chunk and what is known of the next's
    const compact_carry *carry;       // or NULL
    compact_throttles *throttles;     // those of carry, which move on
    compact_weights *weights;         // the same
    const compact_clock *clock;       // by which ticks become wall time
    compact_window window;
    int64_t recent_min; // all events that are stored later are committed from here on
} compact_decide_input;

// compact_decide_limit gives up to where events are decided that are stored in the next chunk.
static inline int64_t
compact_decide_limit(const compact_view *view, const compact_window *window)
{
    return view->commit_max > window->hi ? view->commit_max : window->hi;
}

// compact_decide sets the fate of every row of in->view that has none yet (what stays
// COMPACT_UNDECIDED is dropped), and appends the kept parts to out_parts, which is empty before, in
// the order of contexts->items. What the samples stand for that are kept is in in->view->weights.
// out_past, which is empty before, gets what carry has with in->view.
//
// Owns:   the caller ends *out_parts and *out_past, also after an error.
// Errors: LP_ENOMEM
// Memory: 8 bytes for each plain event that is kept on a thread, and for each contextual one on
//         threads whose contexts may cross; 24 for each context where they do; 64 for each context
//         if events are selected by context; what out_past has
LP_MUST_USE lp_err compact_decide(
    const compact_decide_input *in, compact_parts *out_parts, compact_kept_times *out_past);

#endif // LP_ENGINE_DECIDE_DECIDE_H
