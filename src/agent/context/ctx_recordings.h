// SPDX-License-Identifier: Apache-2.0

// ctx_recordings: the maps of the live RecordingContexts, each until the collector knows that no
// later record begins it.
//
// The life of a map: Java adds it before the first record that names it. The shipping thread lists
// and sends it. Java releases it once no thread can install it any more. The shipping thread tells
// the collector when the last record that names it has been sent, and takes it. Equal maps share
// one id until that id's release was taken.
//
// Memory:  the maps (CTX_RECORDINGS_LIVE_...), and 120 bytes for each
// Threads: any thread; a mutex inside. list and take belong to one thread, the shipping one.

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

// Copies map, ignoring its id, and returns a new id, or that of an equal map. Entries and texts
// over a limit are dropped or cut, and counted.
// Errors: LP_ELIMIT, LP_ENOMEM, both counted
LP_MUST_USE lp_err ctx_recordings_add(
    ctx_recordings *recordings, const ctx_recording *map, uint64_t *out_id);

// Counts a map as refused for lack of memory.
void ctx_recordings_count_refused(ctx_recordings *recordings);

// Releases a map, once for each time that it was added: the caller begins no more contexts with it.
void ctx_recordings_release(ctx_recordings *recordings, uint64_t id);

// Counts an installation that was closed out of order, or on another thread.
void ctx_recordings_count_misclosed(ctx_recordings *recordings);

// Appends the ids without users to out_ids. No later record begins them.
// Errors: LP_ENOMEM: nothing was moved
LP_MUST_USE lp_err ctx_recordings_take_released(
    ctx_recordings *recordings, ctx_recording_ids *out_ids);

// Writes maps with ids over after to out_list, in order, at most count_max and about bytes_max;
// lent until they are taken. *out_is_all is whether there are no more.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_recordings_list(ctx_recordings *recordings, uint64_t after, size_t count_max,
    size_t bytes_max, ctx_recording_list *out_list, bool *out_is_all);

// Removes and returns the map with this id, whose release was taken; the caller frees it with
// ctx_recording_fini. Returns a zeroed map if there is none.
ctx_recording ctx_recordings_take(ctx_recordings *recordings, uint64_t id);

ctx_recordings_counts ctx_recordings_get_counts(ctx_recordings *recordings);
