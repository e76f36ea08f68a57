// SPDX-License-Identifier: Apache-2.0

// ctx_recordings: the maps of the live RecordingContexts. Each map is kept until the collector
// knows that no later record begins a context with it.
//
// The life of a map: Java adds it before the first record that refers to it. The shipping thread
// lists and sends it. Java releases it once no thread can install it any more. After the last
// record that refers to it has been sent, the shipping thread tells the collector, and takes the
// map. Equal maps share one id until the release of that id was taken.
//
// Memory:  the maps (CTX_RECORDINGS_LIVE_...), and 120 bytes for each
// Threads: any thread; a mutex inside. Only the shipping thread calls ctx_recordings_list and
//          ctx_recordings_take.

#pragma once

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
    uint64_t refused;         // maps over CTX_RECORDINGS_LIVE_..., or without memory
    uint64_t entries_dropped; // over CTX_RECORDING_ENTRIES_MAX or CTX_RECORDING_KEYS_MAX
    uint64_t texts_cut;       // over CTX_RECORDING_TEXT_BYTES_MAX
    uint64_t misclosed;       // see ctx_recordings_count_misclosed
} ctx_recordings_counts;

ctx_recordings *ctx_recordings_create(void); // NULL if memory ran out

// For tests: in a JVM the maps stay.
void ctx_recordings_destroy(ctx_recordings *recordings);

// Copies map, ignoring its id, and returns a new id; if there is an equal map, its id. Entries and
// texts over a limit are dropped or cut, and counted.
// Errors: LP_ELIMIT, LP_ENOMEM, both counted
LP_MUST_USE lp_err ctx_recordings_add(
    ctx_recordings *recordings, const ctx_recording *map, uint64_t *out_id);

// Counts a map as refused for lack of memory.
void ctx_recordings_count_refused(ctx_recordings *recordings);

// Releases a map: the caller begins no more contexts with it. Call it once for each
// ctx_recordings_add.
void ctx_recordings_release(ctx_recordings *recordings, uint64_t id);

// Counts an installation that was closed out of order, or on another thread.
void ctx_recordings_count_misclosed(ctx_recordings *recordings);

// Appends to out_ids the ids that all users have released. No later record begins a context with
// these maps. Errors: LP_ENOMEM: nothing was moved
LP_MUST_USE lp_err ctx_recordings_take_released(
    ctx_recordings *recordings, ctx_recording_ids *out_ids);

// Writes maps with ids above `after` to out_list, in order, at most count_max and about bytes_max.
// They are borrowed until they are taken. Sets *out_is_all if there are no more. Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_recordings_list(ctx_recordings *recordings, uint64_t after, size_t count_max,
    size_t bytes_max, ctx_recording_list *out_list, bool *out_is_all);

// Removes and returns the map with this id, whose release was taken; the caller frees it with
// ctx_recording_fini. Returns a zeroed map if there is none.
ctx_recording ctx_recordings_take(ctx_recordings *recordings, uint64_t id);

ctx_recordings_counts ctx_recordings_get_counts(ctx_recordings *recordings);
