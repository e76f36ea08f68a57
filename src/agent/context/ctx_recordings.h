// SPDX-License-Identifier: Apache-2.0

// ctx_recordings: the maps of the RecordingContexts that are alive, each until the collector knows
// that no record begins it any more.
//
// A map's way: the Java side adds it before the first record that names it; the shipping thread
// lists it and sends it; the Java side releases it once nobody can install it any more; the
// shipping thread tells the collector when the last record that names it has been sent, and takes
// it. A map with the same entries is the same one, until its release was taken.
//
// Memory:  the maps (CTX_RECORDINGS_LIVE_...), and 120 bytes for each
// Threads: any thread; a mutex inside. list and take belong to one thread, the shipping one.

#ifndef LP_AGENT_CONTEXT_CTX_RECORDINGS_H
#define LP_AGENT_CONTEXT_CTX_RECORDINGS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ctx_recordings ctx_recordings;

typedef LP_VEC(ctx_recording) ctx_recording_list;
typedef LP_VEC(uint64_t) ctx_recording_ids;

// Totals since the start.
typedef struct ctx_recordings_counts {
    uint64_t refused;         // maps, over CTX_RECORDINGS_LIVE_... or without memory: left out
    uint64_t entries_dropped; // over CTX_RECORDING_ENTRIES_MAX or CTX_RECORDING_KEYS_MAX
    uint64_t texts_cut;       // over CTX_RECORDING_TEXT_BYTES_MAX
    uint64_t misclosed;       // see ctx_recordings_count_misclosed
} ctx_recordings_counts;

ctx_recordings *ctx_recordings_create(void); // NULL if memory ran out

// ctx_recordings_destroy is for tests: in a JVM they stay.
void ctx_recordings_destroy(ctx_recordings *recordings);

// ctx_recordings_add copies map, whose id does not matter, and gives it the next id, or that of the
// map with the same entries. What is over a limit is left out or cut, and counted.
// Errors: LP_ELIMIT, LP_ENOMEM, both counted
LP_MUST_USE lp_err ctx_recordings_add(
    ctx_recordings *recordings, const ctx_recording *map, uint64_t *out_id);

// ctx_recordings_count_refused counts a map for which there was no memory before it could be added.
void ctx_recordings_count_refused(ctx_recordings *recordings);

// ctx_recordings_release notes that whoever added this context begins it no more. Once for each
// time that it was added.
void ctx_recordings_release(ctx_recordings *recordings, uint64_t id);

// ctx_recordings_count_misclosed counts an installation that was closed out of order, or on another
// thread.
void ctx_recordings_count_misclosed(ctx_recordings *recordings);

// ctx_recordings_take_released moves the ids that all have released to the end of out_ids. No
// record will begin them any more.
// Errors: LP_ENOMEM: nothing was moved
LP_MUST_USE lp_err ctx_recordings_take_released(
    ctx_recordings *recordings, ctx_recording_ids *out_ids);

// ctx_recordings_list replaces out_list by maps with ids over after, in their order, at most
// count_max and of about bytes_max; it lends them until they are taken. out_is_all says whether
// there are no more.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_recordings_list(ctx_recordings *recordings, uint64_t after, size_t count_max,
    size_t bytes_max, ctx_recording_list *out_list, bool *out_is_all);

// ctx_recordings_take removes the map with this id, whose release was taken, and returns it; the
// caller ends it with ctx_recording_fini. A zeroed one: there is none.
ctx_recording ctx_recordings_take(ctx_recordings *recordings, uint64_t id);

ctx_recordings_counts ctx_recordings_get_counts(ctx_recordings *recordings);

#endif // LP_AGENT_CONTEXT_CTX_RECORDINGS_H
