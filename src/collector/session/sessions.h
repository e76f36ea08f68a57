// SPDX-License-Identifier: Apache-2.0

// sessions: the sessions in memory: those that run, and those that still have chunks to compact.
// The catalog and the data directory store them.
//
// Threads: the loop that owns it.

#pragma once

#include "collector/base/peers.h"
#include "collector/base/presence.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/journal_files.h"
#include "collector/journal/late_journals.h"
#include "collector/journal/sync_rounds.h"
#include "collector/session/session.h"
#include "collector/session/session_log.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

enum {
    SESSIONS_MAX = 16384, // in memory; the agent of a further session must wait
    // The limit if batches come from a log: all sessions of the partitions that this collector
    // reads, also of agents that other collectors serve.
    SESSIONS_LOG_MAX = 4 * SESSIONS_MAX,
    SESSIONS_SAVED_AT_ONCE = 256,
    // The limit on sessions of one address or one token, which many JVMs may share. The owner may
    // set another limit in peers.held_max.
    SESSIONS_PEER_MAX = SESSIONS_MAX / 2,
    // The limits on sessions that one address or one token begins:
    SESSIONS_BEGUN_MAX = 1024,  // at once, then
    SESSIONS_BEGUN_PER_S = 200, // per second
    // A session without a batch for this long gives its place to a new session if no other place is
    // free.
    SESSIONS_EMPTY_MS = 2000,
    SESSIONS_LOOKED_AT_MAX = 256, // in one sessions_find_empty
};

// Keeps the journals of compacted chunks (recall/raw/raw_tail.h).
typedef struct sessions_raw {
    // Moves the journal's file away. Returns false if it is to be deleted. NULL: all are deleted
    bool (*take)(void *arg, const char *session_id, const char *service, uint32_t ordinal);
    void *arg;
} sessions_raw;

// Other files use only the members above `files`. They may set peers.held_max, max, presence, raw
// and rounds. They may read the others and pass them to functions, but not set them.
typedef struct sessions {
    data_dir *dir;
    catalog *catalog;
    peers peers; // the number of sessions of each address and token
    session_log log;
    late_journals late;  // the open files of late batches
    int fault;           // the errno with which the catalog refused the last row; 0: none
    size_t max;          // the limit; SESSIONS_MAX at first
    presence *presence;  // borrowed, and kept up to date; NULL: none
    sessions_raw raw;    // {0}: nothing is kept
    sync_rounds *rounds; // borrowed: journals of discarded chunks are deleted after the coming
                         // round; NULL: at once
    journal_files files;
    LP_VEC(struct sessions_removal) removals;
    LP_VEC(session *) items;     // by place, in no order
    lp_map by_id;                // hash of an id to a place
    TAILQ_HEAD(, session) fresh; // without batches, the oldest first
} sessions;

// sessions_create borrows dir and catalog until sessions_destroy. Returns NULL if memory ran out.
sessions *sessions_create(data_dir *dir, catalog *catalog);
void sessions_destroy(sessions *sessions);

// sessions_find returns the session in memory with this id, or NULL.
session *sessions_find(sessions *sessions, const char *session_id);

// sessions_has returns whether a session is in memory.
bool sessions_has(const sessions *sessions, const session *session);

// sessions_add creates a session in memory from row. Errors: LP_ELIMIT too many, or another id has
// the same hash; LP_ENOMEM
LP_MUST_USE lp_err sessions_add(
    sessions *sessions, const catalog_session *row, session **out_session);

void sessions_set_holders(sessions *sessions, session *session, const uint64_t holders[2]);

bool sessions_are_full(const sessions *sessions);

// sessions_is_of returns whether the session counts for holder, an address or a token (peers.h).
// PEERS_NONE matches every session.
bool sessions_is_of(const session *session, uint64_t holder);

// sessions_note_begun notes that a Hello created or reloaded the session.
void sessions_note_begun(sessions *sessions, session *session, uint64_t now_ms);

// sessions_find_empty returns the oldest session without batches that began SESSIONS_EMPTY_MS ago
// or earlier, and that belongs to holder (PEERS_NONE: any). It skips sessions for which is_waiting
// returns true: one of their batches waits. Returns NULL if no such session is among the
// SESSIONS_LOOKED_AT_MAX oldest.
session *sessions_find_empty(sessions *sessions, uint64_t holder, uint64_t now_ms,
    bool (*is_waiting)(const void *arg, const char *session_id), const void *arg);

// sessions_load finds a session in memory, or loads it from the catalog. Errors: LP_ENOENT, as
// sessions_add, as catalog_find
LP_MUST_USE lp_err sessions_load(sessions *sessions, const char *session_id, session **out_session);

// sessions_drop removes a session from memory; it stays in the catalog. The session must have no
// job.
void sessions_drop(sessions *sessions, session *session);

// sessions_remove drops a lost session (session_note_lost), and deletes its journals, or keeps them
// beside the raw data of earlier chunks, whose compaction may have read them. Returns false
// without doing anything while a job, a pack or a reader uses them.
bool sessions_remove(sessions *sessions, session *session);

// sessions_leave drops a session that is SESSION_LEAVING or has ended, and discards its journals.
// Those of a leaving one are kept as in sessions_remove.
void sessions_leave(sessions *sessions, session *session);

// sessions_save writes the row to the catalog if it has changed. A failure is logged; the next call
// tries again.
void sessions_save(sessions *sessions, session *session);

// sessions_save_part saves one of part_count parts of all sessions, SESSIONS_SAVED_AT_ONCE per
// transaction. Sessions may move to another part when others are dropped.
void sessions_save_part(sessions *sessions, size_t part, size_t part_count);

// sessions_hear is session_hear. It also notes the connection, and saves the row if the session
// counted as killed or timed out.
void sessions_hear(sessions *sessions, session *session, uint64_t connection, uint64_t now_ms);

void sessions_note_connected(sessions *sessions, session *session, bool is_connected);

// sessions_load_carry loads the carry-over of the last compacted chunk into session->carry, once.
// Errors: as catalog_get_carry
LP_MUST_USE lp_err sessions_load_carry(sessions *sessions, session *session);

// sessions_open_chunk finds the waiting chunk with this ordinal, or creates it with its journal.
// Errors: LP_EIO with errno; LP_ELIMIT over SESSION_CHUNKS_MAX; LP_ENOMEM
LP_MUST_USE lp_err sessions_open_chunk(
    sessions *sessions, session *session, uint32_t ordinal, session_chunk **out_chunk);

// sessions_discard_chunks removes the first `count` chunks. Their journals are kept as raw data, or
// deleted, once the disk has the catalog's present state; the journals of damaged chunks move to
// damaged/.
void sessions_discard_chunks(sessions *sessions, session *session, size_t count);

// sessions_keep_raw keeps the journal of a compacted chunk, which nobody reads, as raw data.
// Returns false if it is to be deleted.
bool sessions_keep_raw(
    sessions *sessions, const char *session_id, const char *service, uint32_t ordinal);

// sessions_remove_journals removes the journals of discarded chunks whose round is over and that
// nobody reads, as sessions_discard_chunks says.
void sessions_remove_journals(sessions *sessions);

// sessions_tidy is called now and then. It closes the descriptors of idle journals, which reopen on
// the next write, removes journals that were being read, and forgets peers without sessions. now_ms
// is the loop's time.
void sessions_tidy(sessions *sessions, uint64_t now_ms);

// sessions_each calls on_session for every session in memory. on_session may drop its session.
void sessions_each(sessions *sessions, void (*on_session)(void *arg, session *session), void *arg);
