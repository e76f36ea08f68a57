// SPDX-License-Identifier: Apache-2.0
// ship_known: tracks which types, RecordingContexts, filters and settings of this JVM the collector
// has, and adds the missing ones to the next batch.
//
// The first batch of a chunk has the chunk's settings (ship_own.h). If other settings for the chunk
// are added afterwards, the next batch of the chunk has them; the last settings count. Each type,
// RecordingContext and filter is sent once, before or with the first record that refers to it. If
// the collector has lost the session, the settings and all live types, RecordingContexts and
// filters are sent again.
//
// The end of a RecordingContext is sent after all records that refer to it: a few drains
// after its release, the spool (ship_source.h) has all these records. The end waits until the
// spool's block with the last of them has been sent.
//
// Ended RecordingContexts and replaced filters are kept in case a chunk is sent again: until the
// release of the chunk with which their end, or the filter that replaced them, was sent. Over the
// limits SHIP_KNOWN_KEPT_... the oldest are freed, and their chunks can no longer be sent again
// whole.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_known.c, test_ship.c

#pragma once

#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/ship/batch/ship_own.h"
#include "agent/ship/link/ship_message.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHIP_KNOWN_KEPT_BYTES_MAX = 16 << 20, // of RecordingContexts
    // Together with the unsent filters, the kept ones fit into a batch by both limits
    // (wire_scan.h).
    SHIP_KNOWN_KEPT_FILTERS_MAX = CTX_FILTERS_UNSENT_MAX / 2,
    SHIP_KNOWN_KEPT_FILTERS_BYTES_MAX = CTX_FILTERS_UNSENT_BYTES_MAX,
};

typedef LP_VEC(uint32_t) ship_chunks;

// registry, recordings, filters and own are set, and all other members zeroed: the collector knows
// nothing.
typedef struct ship_known {
    ctx_registry *registry; // borrowed for good, like the next two
    ctx_recordings *recordings;
    ctx_filters *filters;
    size_t types_sent;
    uint64_t recordings_sent;           // id of the last live RecordingContext that was sent
    ctx_recording_list next_recordings; // of the next batch
    bool are_all_recordings;            // next_recordings has every unsent one
    uint64_t filters_sent;              // id of the last sent filter
    ctx_filter_list next_filters;       // of the next batch
    ctx_recording_ids ended;            // released RecordingContexts
    unsigned drains;                    // since ctx_recordings_take_released
    ctx_recording_ids ended_after;      // number of the spool's block with the last records of
                                        // each; parallel to the first items of ended
    size_t ended_sent;                  // number of ended that were sent
    ctx_recording_list kept;            // the first RecordingContexts of ended; their end was sent
    ship_chunks kept_chunks;            // the chunk that the end was sent with; parallel to kept
    size_t kept_sent;                   // number of kept that the collector has
    size_t kept_bytes;                  // of kept
    ctx_filter_list kept_filters;       // replaced filters
    ship_chunks kept_filter_chunks;     // the chunks that their successors were sent with
    bool are_filters_due;               // kept_filters must be sent again
    uint32_t whole_from;                // everything for chunks from here on is kept
    ship_own *own;                      // borrowed for good; NULL: the JVM never has settings
    ship_own_settings own_next;         // of the chunk of the next batch
    uint64_t own_sent;                  // id of the last sent settings
    uint32_t own_end;                   // 1 + the chunk that own_sent was sent with; 0: none
} ship_known;

// Notes that the collector has lost the session.
void ship_known_forget(ship_known *known);

// Notes that chunks are sent again: all kept data must be sent again, too.
void ship_known_go_back(ship_known *known);

// Frees the data that is kept for chunks with numbers below end.
void ship_known_release(ship_known *known, uint32_t end);

// Notes a drain of the rings, and after a few drains takes the released RecordingContexts.
// last_block is the block of the last drained record (ship_spool_last_block).
void ship_known_note_drained(ship_known *known, uint64_t last_block);

// Lists the RecordingContexts of the next batch. If some unsent ones are not listed, the batch must
// have no records: records might refer to them. Errors: LP_ENOMEM
LP_MUST_USE lp_err ship_known_list_recordings(ship_known *known, bool *out_is_all);

// Adds to batch everything that the collector does not have. Call it after
// ship_known_list_recordings. sent_blocks: the number of sent blocks, including the block of batch.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ship_known_add_to(ship_known *known, uint64_t sent_blocks, ship_batch *batch);

// Notes that batch was sent. If a resend may need data that batch borrowed from here, the data is
// kept until its chunk is released.
void ship_known_note_sent(ship_known *known, const ship_batch *batch);
