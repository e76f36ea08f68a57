// SPDX-License-Identifier: Apache-2.0

// ctx_recording: the map of a RecordingContext of the Java API. The agent sends each map once;
// records refer to it by its id.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/context/test_ctx_recordings.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/context/ctx_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CTX_RECORDING_ENTRIES_MAX = 16,                       // of one map
    CTX_RECORDING_TEXT_BYTES_MAX = CTX_VALUE_BYTES_MAX,   // of a key and of a value, as UTF-8
    CTX_RECORDING_BYTES_MAX = CTX_RECORDING_ENTRIES_MAX * // of one map
                              2 * CTX_RECORDING_TEXT_BYTES_MAX,
    CTX_RECORDINGS_LIVE_MAX = 1 << 18,        // maps of a JVM that are installed or unsent
    CTX_RECORDINGS_LIVE_BYTES_MAX = 32 << 20, // of all these maps together
    CTX_RECORDINGS_BATCH_MAX = 1 << 16,       // maps that one batch adds, and maps that it ends
};

// The id of every map that the agent had no room for: the entries of such a map are unknown.
static const uint64_t CTX_RECORDING_REFUSED = 0;

typedef struct ctx_entry {
    const char *key;
    lp_slice value; // UTF-8
    bool is_null;   // value is empty then
} ctx_entry;

// A map. A copy owns its entries and texts in one allocation.
typedef struct ctx_recording {
    uint64_t id;
    size_t entry_count;
    ctx_entry *entries; // their keys are different; in the order in which they were bound
} ctx_recording;

// ctx_recording_measure returns the size of a copy in bytes, without the struct itself.
size_t ctx_recording_measure(const ctx_recording *map);

// ctx_recording_copy makes an independent copy. Texts of more than CTX_RECORDING_TEXT_BYTES_MAX
// bytes are cut at a code point. Writes the number of cut texts to *out_cut_count, unless that is
// NULL.
// Owns:   on LP_OK the caller ends *out_map with ctx_recording_fini
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_recording_copy(
    const ctx_recording *map, ctx_recording *out_map, size_t *out_cut_count);

// ctx_recording_copy_in makes such a copy that lasts as long as arena. The copy has no entries if
// memory ran out.
ctx_recording ctx_recording_copy_in(lp_arena *arena, const ctx_recording *map);

// ctx_recording_cut returns how many of the bytes of a key or value are kept: whole code points, up
// to CTX_RECORDING_TEXT_BYTES_MAX bytes.
size_t ctx_recording_cut(const void *text, size_t len);

// ctx_recording_find returns the entry of a key, NULL if it is not bound.
const ctx_entry *ctx_recording_find(const ctx_recording *map, const char *key);

void ctx_recording_fini(ctx_recording *map);
