// SPDX-License-Identifier: Apache-2.0

// session: one run of one JVM as the collector sees it while it goes on: which batches are there,
// which chunks wait for compaction, and when one is due. It decides, and does nothing itself.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_SESSION_H
#define LP_COLLECTOR_SERVER_SESSION_H

#include "collector/base/snapshot.h"
#include "collector/server/agent_socket.h"
#include "collector/server/journal.h"
#include "collector/store/catalog.h"
#include "common/base/lp_buf.h"
#include "common/wire/wire.h"
#include "engine/job/reach.h"
#include "policy/policy_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SESSION_CHUNKS_MAX = 64,       // waiting for compaction; more are put off
    SESSION_CHUNKS_HELD_MAX = 32,  // behind one that waits for them to become longer
    SESSION_NAME_BYTES_MAX = 1024, // of each string in a Hello
};

// A chunk is compacted once those behind it are this long: all that its samples are taken of is
// over by then, and events that JFR stores late have come.
static const int64_t SESSION_LOOK_AHEAD_NS = COMPACT_REACH_SAMPLES_MS * (int64_t)1000000;

typedef struct session_chunk {
    uint32_t ordinal;
    journal *journal;
    bool has_jfr;        // bytes of the chunk itself, not only context records
    bool is_damaged;     // its JFR bytes cannot be read: only its context records count
    int64_t duration_ns; // by its latest header
    policy_file *policy; // a reference; NULL: the one the collector was started with
} session_chunk;

// A batch that came before one with a lower number.
typedef struct session_held {
    agent_socket_request *request; // NULL: the place is free
    uint64_t sequence;
} session_held;

typedef struct session session;
struct session {
    uint32_t place; // among sessions
    catalog_session row;
    bool is_greeted;   // its Hello came since this collector started
    bool has_ended;    // no more batches are expected; row.is_ended follows when all is compacted
    bool has_job;      // one of its chunks is being compacted
    bool is_unsaved;   // row differs from the catalog
    bool has_carry;    // carry has the catalog's carry-over
    uint64_t heard_ms; // loop time of the last message
    uint64_t retry_ms; // loop time before which no job is started, after one that failed
    // The agent's totals that are in the metrics already.
    uint64_t contexts_misclosed;
    uint64_t recordings_refused;
    uint64_t entries_dropped;
    uint64_t jfr_restarts;
    uint64_t filters_refused;
    lp_buf carry;                             // carry-over of the last compacted chunk
    struct session_making *making;            // the snapshot that is being made, NULL: none
    snapshot *kept;                           // the last one (snapshots.h), NULL: none
    uint64_t kept_at_ms;                      // loop time when it was there
    bool kept_has_ended;                      // has_ended when it was begun
    session_held held[WIRE_WINDOW_MAX];       // by sequence modulo size
    session_chunk chunks[SESSION_CHUNKS_MAX]; // not compacted, by ordinal
    size_t chunk_count;
};

// session_create copies row. NULL if memory ran out.
session *session_create(const catalog_session *row);

// session_destroy drops the batches that are held. NULL is fine.
void session_destroy(session *session);

// session_check asserts the order of a session between two calls: chunks wait in order, each with a
// journal, and none of them is compacted.
void session_check(const session *session);

// session_rename replaces a string of the row by a copy of text.
LP_MUST_USE lp_err session_rename(char **field, const char *text);

typedef enum session_admission {
    SESSION_NEXT,      // journal it
    SESSION_DUPLICATE, // it is in the journal already
    SESSION_EARLY,     // hold it until the ones before it are there
    SESSION_TOO_EARLY, // more than a window ahead: the two sides disagree
} session_admission;

session_admission session_admit(const session *session, uint64_t sequence);

// session_hold keeps request until session_take_held; one that was held under this number is
// dropped.
void session_hold(session *session, uint64_t sequence, agent_socket_request *request);

// session_take_held returns the held batch that is next, or one that is a duplicate by now; NULL if
// there is none. The caller owns it.
agent_socket_request *session_take_held(session *session);

// session_find_chunk finds a chunk that waits; NULL if there is none with this ordinal.
session_chunk *session_find_chunk(session *session, uint32_t ordinal);

// session_add_chunk takes over the caller's reference to journal. Errors: LP_ELIMIT
LP_MUST_USE lp_err session_add_chunk(session *session, uint32_t ordinal, journal *journal);

// session_remove_chunks forgets the first count chunks.
void session_remove_chunks(session *session, size_t count);

// session_note updates the session by a batch that is in the journal of chunk. That may be a later
// chunk than the batch's own, which was compacted before it came; only its context records count
// then.
void session_note(session *session, session_chunk *chunk, const Loupe__Wire__Batch *batch);

// Chunks are compacted in units: one with JFR bytes, and before it those that have nothing but
// context records. session_unit_end returns the index past the unit that starts at begin;
// chunk_count if there are no JFR bytes from there on (session_unit_has_jfr is then false).
size_t session_unit_end(const session *session, size_t begin);
bool session_unit_has_jfr(const session *session, size_t begin);

// session_get_waiting returns what waits to be compacted.
snapshot_waiting session_get_waiting(const session *session);

// session_is_due returns whether the first unit can be compacted: those behind it are wait_ns long,
// or more of them wait than SESSION_CHUNKS_HELD_MAX, or the session has ended.
bool session_is_due(const session *session, int64_t wait_ns);

#endif // LP_COLLECTOR_SERVER_SESSION_H
