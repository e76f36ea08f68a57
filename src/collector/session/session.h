// SPDX-License-Identifier: Apache-2.0

// session: the collector's state of one run of one JVM: its batches, the chunks that wait for
// compaction, and when a chunk is due. The functions here decide; they do no I/O.
//
// Threads: the loop that owns it.

#pragma once

#include "collector/base/snapshot.h"
#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_buf.h"
#include "common/wire/wire.h"
#include "engine/job/reach.h"
#include "policy/policy_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    SESSION_CHUNKS_MAX = 64,       // that wait for compaction; batches of further ones are put off
    SESSION_CHUNKS_HELD_MAX = 32,  // with more later chunks, a chunk is compacted without a wait
    SESSION_NAME_BYTES_MAX = 1024, // of each string in a Hello
};

// A chunk is compacted once the later chunks are this long. By then its samples are complete, and
// the events that JFR stores late have arrived.
static const int64_t SESSION_LOOK_AHEAD_NS = COMPACT_REACH_SAMPLES_MS * (int64_t)1000000;

typedef struct session_chunk {
    uint32_t ordinal;
    journal *journal;
    bool has_jfr;          // bytes of the chunk, not only context records
    bool has_own;          // batches of this chunk, not only late ones of compacted chunks
    bool is_damaged;       // its JFR bytes cannot be read; only its context records count
    uint64_t jfr_bytes;    // offset of the end of the last bytes received, unpacked
    uint64_t record_bytes; // of its context records, unpacked
    uint64_t map_bytes;    // of the maps of RecordingContexts (wire_recordings_measure)
    int64_t duration_ns;   // from its latest header
    lp_ranges batches;     // in its journal
    bool has_begun_again;  // the agent resent it from the beginning, last from again_sequence on
    uint64_t again_sequence;
    uint64_t damaged_bytes; // known damage of its journal, behind batch again_sequence
    uint64_t came_bytes;    // its bytes received since batch again_sequence, each counted once
    uint64_t came_end;      // offset of the end of the came_bytes
    uint64_t before_bytes; // the highest came_bytes of earlier copies; 0: these copies are unusable
    uint64_t before_end;   // batch with which the chunk began again after the copy of before_bytes
    policy_file *policy;   // a reference; NULL: the collector's policy
    bool is_policy_own;    // from the JVM's own settings: later settings replace it
    bool is_own_refused;   // the JVM's own settings could not be read
    int64_t log_begin;     // 1 + the lowest log offset of a record in its journal (log_worker.h);
                           // 0: none
} session_chunk;

// Batches that were acknowledged and are missing, and that the agent may resend (proto/loupe.proto,
// lacking_chunk).
typedef struct session_lack {
    uint32_t chunk;    // 1 + the lowest chunk that they may belong to; 0: no batches are missing
    bool is_given_up;  // the collector no longer waits; they may still arrive
    lp_ranges batches; // those counted in the session's losses
    uint64_t journal_bytes; // counted in the session's losses
    uint64_t chunks;        // with unreadable journals; counted in the session's losses
    // If a batch with this number or a higher one begins no chunk again, the missing batches do not
    // come.
    uint64_t until_sequence;
} session_lack;

// The phases of a session. Only session_enter changes the phase, and only session_withdraw the
// standing.
//
//    a row that    a row of a session that runs,
//    has ended     or a first Hello
//        |              |       the collector starts
//        |              v      --------------------->
//        |           RUNNING                           LEFT
//        |            ^   |    <---------------------   |
//        |    Hello,  |   |     Hello or batch          |
//        |    or a    |   |                             |
//        |    batch   |   | last batch, or silent for   | silent for too long
//        v            |   v too long                    |
//        +------->    ENDED    <------------------------+
//
// Readers see row.ended_how. A silent session counts as killed or timed out before it is ENDED, and
// continues if its agent sends again. row.is_ended is set once all its chunks are compacted.
typedef enum session_phase {
    SESSION_RUNNING,
    SESSION_LEFT,  // it ran before this start, and its agent has not returned yet
    SESSION_ENDED, // no more batches are expected
} session_phase;

//    OURS ---> LOST ---> LEAVING
//      |                    ^
//      +--------------------+
typedef enum session_standing {
    SESSION_OURS,
    SESSION_LOST,    // another collector owns it (session_take.h): nothing of it is accepted or
                     // stored
    SESSION_LEAVING, // its log partition went to another collector, or is read again
} session_standing;

// The sets of batches below never contain a wrong batch (lp_ranges.h). If an agent spreads its
// batches over chunks on purpose, the sets may miss their highest numbers. The effect is:
// - row.settled and the batches of chunks: some stored batches count as lost, and are requested
//   again. Batches that are not stored never count as durable.
// - row.lost and row.late: a loss may count again after the next start.
// - lack.batches and made_good: a loss is not taken back, or not found again.
typedef struct session session;
struct session {
    uint32_t place;   // index in sessions.items
    uint64_t id_hash; // in sessions.by_id
    catalog_session row;
    uint32_t at_chunk;    // the chunk of the batch with the highest number
    uint32_t again_chunk; // 1 + the compacted chunk that the agent last resent; 0: none
    uint32_t cut_chunk;   // 1 + the last chunk that was compacted while the agent wrote it, or that
                          // had late batches; 0: none
    uint64_t late_end;    // 1 + the last late batch that was counted; 0: none
    uint64_t late_kept;   // 1 + the last late batch that was put aside; 0: none
    uint64_t late_round;  // the sync round that makes the count of late_end durable; UINT64_MAX:
                          // unknown yet
    session_lack lack;
    lp_ranges made_good; // resent batches; lost after all if the chunk is incomplete
    lp_ranges rest;      // batches of compacted chunks that are in journals
    bool is_greeted;     // its Hello arrived since this collector started
    session_phase phase;
    session_standing standing;
    bool is_lost_counted;      // the metric sessions_lost counts it
    bool has_job;              // a compaction of its chunks runs
    bool is_unsaved;           // row differs from the catalog
    bool has_carry;            // carry is loaded from the catalog
    bool is_connected;         // as in presence
    uint64_t heard_ms;         // loop time of the last message
    uint64_t logged_ms;        // loop time when its Hello was last logged; 0: never
    uint64_t gone_ms;          // loop time when its connection was found closed; valid while
                               // !is_connected
    uint64_t connection;       // the connection of its last Hello; 0: none yet
    uint64_t durable_sequence; // batches below are on the disk; with a shared catalog: in stored
                               // chunks, which other collectors can read
    uint64_t begun_ms;         // loop time of the Hello that created or reloaded it
    uint64_t holders[2];       // its holders: an address and a token (peers.h)
    int32_t partition;         // of the log, if batches come from one
    bool is_fresh;             // in the list of sessions without batches (sessions.c)
    TAILQ_ENTRY(session) fresh;
    uint64_t hello_hash; // of the stored Hello; 0: none yet
    uint64_t retry_ms;   // loop time before which a failed job is not retried
    // The agent's totals that the metrics include already.
    uint64_t contexts_misclosed;
    uint64_t context_ends_lost;
    uint64_t entries_dropped;
    uint64_t jfr_restarts;
    uint64_t filters_refused;
    uint64_t collector_moves;
    // Losses that no journal shows: the next compacted chunk reports them.
    uint64_t untold[CATALOG_LOSS_COUNT];
    lp_buf carry; // carry-over of the last compacted chunk
    // Chunks that are compacted and wait in a pack (packs.h): the first chunks of this session.
    uint32_t packed_end;                      // 1 + the ordinal of the last one; 0: none
    lp_slice packed_carry;                    // the carry-over of the last one; lent by packs
    uint64_t packed_told[CATALOG_LOSS_COUNT]; // the part of untold that these chunks report
    struct session_making *making;            // the snapshot in progress; NULL: none
    struct session_making *making_wide;       // the same for wide queries (snapshots.h)
    snapshot *kept;                           // the last snapshot; NULL: none
    uint64_t kept_begun_ms;                   // loop time when it was started
    uint64_t kept_at_ms;                      // loop time when it was ready
    unsigned kept_end;                        // how the session had ended when `kept` was started
                                              // (snapshots.c)
    session_chunk chunks[SESSION_CHUNKS_MAX]; // that wait for compaction, by ordinal
    size_t chunk_count;
};

// session_create copies row. Returns NULL if memory ran out.
session *session_create(const catalog_session *row);

void session_destroy(session *session); // NULL is fine

// session_own_row replaces all that a row borrows by copies, which session_free_row frees, also
// after LP_ENOMEM. Texts that are NULL become "".
LP_MUST_USE lp_err session_own_row(catalog_session *row);
void session_free_row(catalog_session *row);

// session_check asserts what holds between two calls: the waiting chunks are in order, each with a
// journal, and none of them is compacted.
void session_check(const session *session);

// session_enter sets the phase, which may be the present one.
void session_enter(session *session, session_phase phase);

// session_withdraw sets the standing, which never returns to an earlier one.
void session_withdraw(session *session, session_standing standing);

// session_has_ended returns whether no more batches are expected.
bool session_has_ended(const session *session);

// The silence of a session that has not ended.
typedef struct session_silence {
    catalog_ended ended_how; // as readers see it so far
    bool is_gone;            // its agent had a connection, and has none now
    uint64_t gone_ms;        // since then
    uint64_t silent_ms;      // since its last message
} session_silence;

// How long to wait.
typedef struct session_patience {
    uint64_t gone_ms;   // longer without a connection counts as killed
    uint64_t silent_ms; // longer without a message counts as timed out
    uint64_t linger_ms; // for batches after that
} session_patience;

typedef struct session_verdict {
    catalog_ended ended_how;
    bool is_over; // no more batches are expected: it was silent for that long, and linger_ms
} session_verdict;

// session_judge decides what the silence of a session means.
session_verdict session_judge(const session_silence *silence, const session_patience *patience);

// session_rename replaces a string of the row by a copy of text.
LP_MUST_USE lp_err session_rename(char **field, const char *text);

// session_find_chunk returns the waiting chunk with this ordinal, or NULL.
session_chunk *session_find_chunk(session *session, uint32_t ordinal);

// session_add_chunk takes ownership of the reference to journal on LP_OK. Errors: LP_ELIMIT
LP_MUST_USE lp_err session_add_chunk(session *session, uint32_t ordinal, journal *journal);

// session_remove_chunks removes the first `count` chunks from memory.
void session_remove_chunks(session *session, size_t count);

// session_forget_chunk removes a waiting chunk from memory. Its journal stays as it is.
void session_forget_chunk(session *session, uint32_t ordinal);

// session_hear notes a message of the session over a connection at now_ms. The session must not be
// SESSION_LEAVING. Returns true if the session counted as killed or timed out: it continues, and
// the caller saves this.
bool session_hear(session *session, uint64_t now_ms, uint64_t connection);

// session_lose counts a loss in the row, which becomes unsaved, and reports the loss by
// session_report_loss.
void session_lose(session *session, catalog_loss loss, uint64_t amount, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// session_lose_more counts a loss without a log line: an earlier loss of its kind was logged.
void session_lose_more(session *session, catalog_loss loss, uint64_t amount);

// session_report_loss adds to the metrics a loss that the row counts already, and logs where and
// why: "chunk 7: the journal is damaged at offset 100".
void session_report_loss(const session *session, catalog_loss loss, uint64_t amount,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

// session_note_stored sets durable_sequence from the row if the catalog is shared.
void session_note_stored(session *session);

// session_note_lost notes that another collector owns the session, and counts and logs it once.
// From then on nothing of it is accepted or stored here.
void session_note_lost(session *session);

// session_get_lacking returns 1 + the lowest chunk whose missing batches the collector waits for;
// 0: none.
uint32_t session_get_lacking(const session *session);

// session_get_ignored_from returns the batch from which on bytes and records of a chunk do not
// count: the chunk began again with this batch, and more bytes had arrived before it. 0: all count.
uint64_t session_get_ignored_from(const session_chunk *chunk);

// session_forget_before discards the bytes from before the chunk began again.
void session_forget_before(session_chunk *chunk);

// How a batch relates to the compaction of its chunk.
typedef enum session_lateness {
    SESSION_IN_TIME, // the chunk is not compacted
    SESSION_HERE,    // a repeated batch: the compacted chunk has its content
    SESSION_LATE,    // the compacted chunk may lack its content, which is put aside
} session_lateness;

// session_get_lateness returns SESSION_LATE for a batch with bytes or context records if its chunk
// was compacted too early: the session counted as ended, but the agent may still have written to
// the chunk. How much of the batch the compacted chunk has is then unknown.
session_lateness session_get_lateness(const session *session, const Loupe__Wire__Batch *batch);

// Chunks are compacted in units: one chunk with JFR bytes, and the chunks before it that have only
// context records.
typedef struct session_unit {
    size_t begin; // indexes of chunks
    size_t end;
    bool has_jfr; // false: no chunk from begin on has JFR bytes, and end is chunk_count
} session_unit;

// session_get_unit returns the unit that starts at begin, session_next_unit the first one that is
// not compacted. Both are valid until chunks change.
session_unit session_get_unit(const session *session, size_t begin);
session_unit session_next_unit(const session *session);

// session_get_begin returns the index of the first chunk that is not compacted.
size_t session_get_begin(const session *session);

// session_count_missing returns how many compacted chunks have no row in the catalog, including
// chunks without JFR bytes. rows: how many have a row.
uint64_t session_count_missing(const session *session, uint64_t rows);

// session_get_waiting returns what waits for compaction.
snapshot_waiting session_get_waiting(const session *session);

// session_is_due returns whether a unit can be compacted: the later chunks are wait_ns long, more
// than SESSION_CHUNKS_HELD_MAX of them wait, or the session has ended. Returns false if the unit
// has no JFR bytes, or if bytes of the unit may come again.
bool session_is_due(const session *session, session_unit unit, int64_t wait_ns);
