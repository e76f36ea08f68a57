// SPDX-License-Identifier: Apache-2.0

// session: one run of one JVM as the collector sees it while it goes on: which batches are there,
// which chunks wait for compaction, and when one is due. It decides, and does nothing itself.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_SESSION_H
#define LP_COLLECTOR_SERVER_SESSION_H

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
    bool has_jfr;          // bytes of the chunk itself, not only context records
    bool has_own;          // batches of the chunk itself, not only of one that is compacted
    bool is_damaged;       // its JFR bytes cannot be read: only its context records count
    uint64_t jfr_bytes;    // of it up to the last that came, unpacked
    uint64_t record_bytes; // of the context records that came with it, unpacked
    uint64_t map_bytes;    // of the maps of RecordingContexts (wire_recordings_measure)
    int64_t duration_ns;   // by its latest header
    lp_ranges batches;     // in its journal
    bool has_begun_again;  // with batch again_sequence, the last time
    uint64_t again_sequence;
    uint64_t damaged_bytes; // of its journal, as far as it was counted, and behind that batch
    uint64_t came_bytes;    // of the chunk, since it began again last, each once
    uint64_t came_end;      // up to the last of these
    uint64_t before_bytes;  // the most of these before that; 0: none that can be used
    uint64_t before_end;    // number of the batch with which the chunk began again behind those
    policy_file *policy;    // a reference; NULL: the one the collector was started with
    bool is_policy_own;     // it has the JVM's own settings: later settings replace it
    bool is_own_refused;    // own settings of the JVM could not be read
    int64_t log_begin;      // 1 + the lowest offset of a record of the log (log_worker.h) that is
                            // in its journal; 0: none is
} session_chunk;

// What was acknowledged and is not here, but may come again (proto/loupe.proto, lacking_chunk).
typedef struct session_lack {
    uint32_t chunk;          // 1 + the lowest chunk that it may be of; 0: there is no such thing
    bool is_given_up;        // nobody waits for it any more, and it may come all the same
    lp_ranges batches;       // counted as losses of the session
    uint64_t journal_bytes;  // the same
    uint64_t chunks;         // the same, of which the journals could not be read
    uint64_t until_sequence; // a batch from here on that begins nothing again: it does not come
} session_lack;

// Where a session is, which session_enter and session_withdraw alone change:
//
//    a row that    a row of one that runs,
//    has ended     or a first Hello
//        |              |       the collector starts
//        |              v      --------------------->
//        |           RUNNING                           LEFT
//        |            ^   |    <---------------------   |
//        |    Hello,  |   |     Hello, or its batch     |
//        |    or a    |   |                             |
//        |    batch   |   | last batch, or silent for   | silent for too long
//        v            |   v too long                    |
//        +------->    ENDED    <------------------------+
//
// What readers are told is row.ended_how: a session that is silent counts as killed or timed out
// before it is ENDED, and goes on where something comes of it. row.is_ended follows once all that
// came is compacted.
typedef enum session_phase {
    SESSION_RUNNING,
    SESSION_LEFT,  // it ran when the collector started, and its agent has not come yet
    SESSION_ENDED, // no more batches are expected
} session_phase;

//    OURS ---> LOST ---> LEAVING
//      |                    ^
//      +--------------------+
typedef enum session_standing {
    SESSION_OURS,
    SESSION_LOST,    // another collector has it (session_take.h): nothing of it is taken or stored
    SESSION_LEAVING, // its partition of the log is another collector's, or is read again
} session_standing;

// The sets of batches below have no number too many (lp_ranges.h), but where an agent spreads its
// batches over chunks, on purpose, they may lack their highest ones. Then
//    - row.settled, and the batches of chunks, which are settled with these, say too little:
//    nothing
//      counts as durable that is not stored. Some of what is here counts as lost, and is asked for
//      again;
//    - row.lost and row.late say too little: a loss may count again with a later start;
//    - lack.batches and made_good say too little: a loss is not taken back, or not found again.
typedef struct session session;
struct session {
    uint32_t place; // among sessions
    catalog_session row;
    uint32_t at_chunk;    // of the batch with the highest number
    uint32_t again_chunk; // 1 + the compacted chunk that was last begun again; 0: none was
    uint32_t cut_chunk;   // 1 + the last that was compacted while the agent was at it, or of which
                          // something was late; 0: none was
    uint64_t late_end;    // 1 + the number of the late batch that was counted last; 0: none was
    uint64_t late_kept;   // the same of the one that was put aside last
    uint64_t late_round;  // of sync_rounds, after which the disk has that; UINT64_MAX: unknown yet
    session_lack lack;
    lp_ranges made_good; // batches that came again, and are lost after all if not to the end
    lp_ranges rest;      // batches in journals that are of chunks which were compacted before
    bool is_greeted;     // its Hello came since this collector started
    session_phase phase;
    session_standing standing;
    bool is_lost_counted; // that another collector has it, also where it was SESSION_LEAVING then
    bool has_job;         // one of its chunks is being compacted
    bool is_unsaved;      // row differs from the catalog
    bool has_carry;       // carry has the catalog's carry-over
    bool is_connected;    // as presence has it
    uint64_t heard_ms;    // loop time of the last message
    uint64_t logged_ms;   // loop time when its Hello was last logged; 0: never
    uint64_t gone_ms;     // loop time when its connection was found to be gone; while !is_connected
    uint64_t connection;  // the number of the one over which its last Hello came; 0: none yet
    uint64_t durable_sequence; // batches below it are on the disk; where collectors share the
                               // catalog, in stored chunks, which others have as well
    uint64_t begun_ms;         // loop time when it came, or came back, by a Hello
    uint64_t holders[2];       // whose it is: the numbers of an address and a token (peers.h)
    int32_t partition;         // of the log, where its batches come from there
    bool is_fresh;             // in the list of those of which nothing came yet
    TAILQ_ENTRY(session) fresh;
    uint64_t hello_hash; // of the Hello as blobs_put_hello has it; 0: none yet
    uint64_t retry_ms;   // loop time before which no job is started, after one that failed
    // The agent's totals that are in the metrics already.
    uint64_t contexts_misclosed;
    uint64_t context_ends_lost;
    uint64_t entries_dropped;
    uint64_t jfr_restarts;
    uint64_t filters_refused;
    uint64_t collector_moves;
    // Losses of which nothing can be seen in journals, until a chunk that is compacted says so.
    uint64_t untold[CATALOG_LOSS_COUNT];
    lp_buf carry; // carry-over of the last compacted chunk
    // Of chunks that are compacted and not committed, as they wait in a pack (packs.h): the first
    // of those that wait here.
    uint32_t packed_end;                      // 1 + the ordinal of the last one; 0: there is none
    lp_slice packed_carry;                    // what it left; lent by packs
    uint64_t packed_told[CATALOG_LOSS_COUNT]; // of untold, what they say
    struct session_making *making;            // the snapshot that is being made, NULL: none
    struct session_making *making_wide;       // the same, for wide questions (snapshots.h)
    snapshot *kept;                           // the last one, NULL: none
    uint64_t kept_begun_ms;                   // loop time when it was begun
    uint64_t kept_at_ms;                      // and when it was there
    unsigned kept_end;                        // how it had ended when it was begun (snapshots.c)
    session_chunk chunks[SESSION_CHUNKS_MAX]; // not compacted, by ordinal
    size_t chunk_count;
};

// session_create copies row. NULL if memory ran out.
session *session_create(const catalog_session *row);

void session_destroy(session *session); // NULL is fine

// session_check asserts the order of a session between two calls: chunks wait in order, each with a
// journal, and none of them is compacted.
void session_check(const session *session);

// session_enter moves a session to a phase, where it may be already.
void session_enter(session *session, session_phase phase);

// session_withdraw moves it to a standing, from which it never comes back to an earlier one.
void session_withdraw(session *session, session_standing standing);

// session_has_ended returns whether no more batches are expected.
bool session_has_ended(const session *session);

// session_rename replaces a string of the row by a copy of text.
LP_MUST_USE lp_err session_rename(char **field, const char *text);

// session_find_chunk finds a chunk that waits; NULL if there is none with this ordinal.
session_chunk *session_find_chunk(session *session, uint32_t ordinal);

// session_add_chunk takes over the caller's reference to journal. Errors: LP_ELIMIT
LP_MUST_USE lp_err session_add_chunk(session *session, uint32_t ordinal, journal *journal);

// session_remove_chunks forgets the first count chunks.
void session_remove_chunks(session *session, size_t count);

// session_forget_chunk forgets a chunk that waits; its journal stays as it is.
void session_forget_chunk(session *session, uint32_t ordinal);

// session_hear notes at now_ms that something came of the session, which is not SESSION_LEAVING,
// over a connection. Returns whether it counted as killed or timed out: then it goes on, and
// readers should know.
bool session_hear(session *session, uint64_t now_ms, uint64_t connection);

// session_lose counts what the session's recording lacks: in its row, which is unsaved then, and as
// session_report_loss.
void session_lose(session *session, catalog_loss loss, uint64_t amount, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// session_lose_more counts in the same way, without a line in the log, which has one about this
// kind already.
void session_lose_more(session *session, catalog_loss loss, uint64_t amount);

// session_report_loss counts a loss that is in the row already, in the metrics, and logs it with
// where and why: "chunk 7: the journal is damaged at offset 100".
void session_report_loss(const session *session, catalog_loss loss, uint64_t amount,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

// session_note_stored takes what is durable of a session from its row, where collectors share the
// catalog.
void session_note_stored(session *session);

// session_note_lost notes, counts and logs once that the session has become another collector's:
// nothing of it is taken or stored here any more.
void session_note_lost(session *session);

// session_get_lacking returns 1 + the lowest chunk of what lacks and is waited for; 0: nothing is.
uint32_t session_get_lacking(const session *session);

// session_get_ignored_from returns from which batch on bytes and records of a chunk do not count:
// it began again with that, and more of it had come before. 0: all count.
uint64_t session_get_ignored_from(const session_chunk *chunk);

// Ignores the bytes that came before the chunk began again.
void session_forget_before(session_chunk *chunk);

// What becomes of a batch that is of a chunk which is compacted.
typedef enum session_lateness {
    SESSION_IN_TIME, // its chunk is not
    SESSION_HERE,    // it is sent again: its bytes and context records are in the chunk
    SESSION_LATE,    // they may not be, and do not count
} session_lateness;

// session_get_lateness returns SESSION_LATE for a batch with bytes or context records of a chunk
// that the agent may not have left when it was compacted, as the session counted as ended: nobody
// knows what of them the chunk has.
session_lateness session_get_lateness(const session *session, const Loupe__Wire__Batch *batch);

// Chunks are compacted in units: one with JFR bytes, and before it those that have nothing but
// context records. session_unit_end returns the index past the unit that starts at begin;
// chunk_count if there are no JFR bytes from there on (session_unit_has_jfr is then false).
size_t session_unit_end(const session *session, size_t begin);
bool session_unit_has_jfr(const session *session, size_t begin);

// session_get_begin returns the index of the first chunk that is not compacted yet.
size_t session_get_begin(const session *session);

// session_count_missing returns how many of the chunks that the session went past are not there,
// where the catalog has so many rows of them: those that had no JFR bytes among them.
uint64_t session_count_missing(const session *session, uint64_t rows);

// session_get_waiting returns what waits to be compacted.
snapshot_waiting session_get_waiting(const session *session);

// session_is_due returns whether the first unit that is not can be compacted: those behind it are
// wait_ns long, or more of them wait than SESSION_CHUNKS_HELD_MAX, or the session has ended. While
// something of it may come again it cannot, and never without JFR bytes.
bool session_is_due(const session *session, int64_t wait_ns);

#endif // LP_COLLECTOR_SERVER_SESSION_H
