// SPDX-License-Identifier: Apache-2.0
// ship_known: remembers which types, RecordingContexts, filters and settings of this JVM the
// collector knows. It adds to the next batch those that the collector lacks.
//
// The first batch of a chunk has the chunk's settings (ship_own.h). If they turn out to be others,
// a later batch has them, too: the last settings count. A batch has each type, RecordingContext and
// filter once, before or with the first record that names it. A collector that has lost the session
// gets the settings again, and the types, RecordingContexts and filters that are still alive.
//
// A RecordingContext's end goes with a batch, too, when no record that is still to be sent names
// it: records that were written before its release are drained within ENDED_DRAINS drains, and the
// block of the spool (ship_spool.h) that held the last of them has been sent.
//
// RecordingContexts that have ended, and filters that another has replaced, are kept until the
// chunk with which that went is released: should it be sent again, they go again, too. What is kept
// has limits (SHIP_KNOWN_KEPT_...), over which the oldest goes, and with it the chunk's wholeness.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_known.c, test_ship.c

#ifndef LP_AGENT_SHIP_BATCH_SHIP_KNOWN_H
#define LP_AGENT_SHIP_BATCH_SHIP_KNOWN_H

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
    SHIP_KNOWN_KEPT_BYTES_MAX = 16 << 20,                     // of RecordingContexts
    SHIP_KNOWN_KEPT_FILTERS_MAX = CTX_FILTERS_UNSENT_MAX / 2, // with the others they fit a batch,
    SHIP_KNOWN_KEPT_FILTERS_BYTES_MAX =
        CTX_FILTERS_UNSENT_BYTES_MAX, // by both limits (wire_scan.h)
};

typedef LP_VEC(uint32_t) ship_chunks;

// Zeroed but for the first three, and own, the collector knows nothing.
typedef struct ship_known {
    ctx_registry *registry; // borrowed for good, like the next two
    ctx_recordings *recordings;
    ctx_filters *filters;
    size_t types_sent;
    uint64_t recordings_sent;           // the id of the last one that was sent, of those alive
    ctx_recording_list next_recordings; // those that go with the next batch
    bool are_all_recordings;            // there are no more than these
    uint64_t filters_sent;              // the id of the last filter that was sent
    ctx_filter_list next_filters;       // those that go with the next batch
    ctx_recording_ids ended;            // RecordingContexts that were released
    unsigned drains;                    // since more of those were taken
    ctx_recording_ids ended_after;  // their last records go with this block of the spool, counted
                                    // from 1; parallel to the first of ended
    size_t ended_sent;              // how many of ended were sent
    ctx_recording_list kept;        // those whose end was sent; parallel to the first of ended
    ship_chunks kept_chunks;        // with which that was; parallel to kept
    size_t kept_sent;               // how many of kept the collector has
    size_t kept_bytes;              // of kept
    ctx_filter_list kept_filters;   // that another has replaced, which went with
    ship_chunks kept_filter_chunks; // these chunks
    bool are_filters_due;           // kept_filters are to be sent again
    uint32_t whole_from;            // from this chunk on everything that they need was kept.
    ship_own *own;                  // borrowed for good; NULL: the JVM never has settings
    ship_own_settings own_next;     // of the next batch's chunk
    uint64_t own_sent;              // the id of the last settings that went
    uint32_t own_end;               // 1 + the chunk with which that was; 0: with none
} ship_known;

// ship_known_forget notes that the collector has lost the session.
void ship_known_forget(ship_known *known);

// ship_known_go_back notes that chunks are sent again, for which everything that is kept is needed.
void ship_known_go_back(ship_known *known);

// ship_known_release frees what is kept for chunks with numbers below end.
void ship_known_release(ship_known *known, uint32_t end);

// ship_known_note_drained takes the RecordingContexts that were released. To be called after each
// drain of the rings; last_block is the block of the last record that was drained
// (ship_spool_last_block).
void ship_known_note_drained(ship_known *known, uint64_t last_block);

// ship_known_list_recordings lists the RecordingContexts that go with the next batch. If those are
// not all, that batch must have no records: these might name the others. Errors: LP_ENOMEM
LP_MUST_USE lp_err ship_known_list_recordings(ship_known *known, bool *out_is_all);

// ship_known_add_to puts what the collector does not know yet into batch, after
// ship_known_list_recordings. sent_blocks: how many blocks were sent, that of batch included.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ship_known_add_to(ship_known *known, uint64_t sent_blocks, ship_batch *batch);

// ship_known_note_sent notes that batch was sent. What it lent, and nobody needs any more once its
// chunk is released, is kept.
void ship_known_note_sent(ship_known *known, const ship_batch *batch);

#endif // LP_AGENT_SHIP_BATCH_SHIP_KNOWN_H
