// SPDX-License-Identifier: Apache-2.0
// compact_view: one chunk made ready for deciding: its types, its constants, and a row for each
// event.
//
// The rows are the only thing the decision looks at; of an event's bytes only size, type, time,
// duration and thread have been decoded for them.
//
// Threads: one thread at a time.
// Memory:  32 bytes an event, and what metadata and constants need. The chunk's bytes are borrowed.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_VIEW_H
#define LP_COLLECTOR_COMPACT_COMPACT_VIEW_H

#include "collector/policy/policy.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_NO_THREAD = UINT32_MAX };

// Where the thread of an event type is.
typedef enum compact_thread_field {
    COMPACT_THREAD_NONE,    // no context applies to such events, and they trigger none
    COMPACT_THREAD_EVENT,   // field eventThread
    COMPACT_THREAD_SAMPLED, // field sampledThread
} compact_thread_field;

// What is known of an event type before its events are read.
typedef struct compact_plan {
    bool is_event;
    bool has_time;     // startTime is there, and first
    bool has_duration; // and second
    bool is_contextual;
    compact_thread_field thread_field;
    jfr_program before_thread; // what lies between time and thread
    policy_event settings;
    int64_t threshold_ticks;
} compact_plan;

// An event. begin == commit where it has no duration.
typedef struct compact_row {
    int64_t begin;   // ticks
    int64_t commit;  // ticks
    uint32_t offset; // of the event in the chunk
    uint32_t type;   // indexes metadata.types and plans
    uint32_t thread; // indexes threads, or COMPACT_NO_THREAD
    bool is_kept;
} compact_row;

// A thread as the chunk knows it. The identity is the same in all chunks of a session.
typedef struct compact_thread {
    uint64_t key; // in the pool of java.lang.Thread
    uint64_t identity;
} compact_thread;

typedef struct compact_view {
    lp_slice chunk;
    jfr_chunk_info info;
    jfr_metadata metadata;
    jfr_layout layout;
    jfr_pools pools;
    uint32_t thread_type;     // index of java.lang.Thread in metadata.types, or JFR_NONE
    compact_plan *plans;      // parallel to metadata.types
    LP_VEC(compact_row) rows; // in the order of the chunk
    LP_VEC(compact_thread) threads;
    lp_map thread_by_key;    // to an index of threads
    int64_t commit_max;      // over all rows; the chunk's start if there are none
    uint64_t unknown_events; // of types that the metadata does not describe: no rows
} compact_view;

// compact_view_open reads a whole chunk.
// Owns:   chunk is borrowed until compact_view_close.
// Errors: LP_ECORRUPT, LP_EVERSION, LP_ELIMIT (over 4 GiB) with an offset into chunk; LP_ENOMEM.
//         On error *view is closed.
LP_MUST_USE lp_err compact_view_open(
    compact_view *view, lp_slice chunk, const policy *rules, lp_problem *out_problem);

// compact_view_close frees what open took; a zeroed view is fine.
void compact_view_close(compact_view *view);

// compact_view_borrow_identities identifies threads of view that its own constants do not describe
// by those of other, the chunk before or after it of the same session: JFR may write the constant
// of a virtual thread after its first events, even into the next chunk.
void compact_view_borrow_identities(compact_view *view, const compact_view *other);

// compact_identity_java is the identity of the thread with this Java thread id (above 0).
uint64_t compact_identity_java(int64_t java_thread_id);

// compact_view_event lends the bytes of the event at offset, which a row names.
lp_slice compact_view_event(const compact_view *view, uint32_t offset);

#endif // LP_COLLECTOR_COMPACT_COMPACT_VIEW_H
