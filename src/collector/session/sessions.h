// SPDX-License-Identifier: Apache-2.0

// sessions: the sessions in memory, which are those that have not ended or still wait for
// compaction, with the catalog and the data directory that keep them.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_SESSIONS_H
#define LP_COLLECTOR_SERVER_SESSIONS_H

#include "collector/base/peers.h"
#include "collector/base/presence.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/late_journals.h"
#include "collector/journal/sync_rounds.h"
#include "collector/session/session.h"
#include "collector/session/session_log.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

enum {
    SESSIONS_MAX = 16384, // in memory; an agent whose session would be one more is put off
    // The same where batches come from a log: all that run in the partitions that this collector
    // reads, be they of its own agents or not.
    SESSIONS_LOG_MAX = 4 * SESSIONS_MAX,
    SESSIONS_SAVED_AT_ONCE = 256,
    // What one address, or one token, may have of these, unless sessions_set_peer_max says
    // otherwise, and begin; that of many JVMs may be the same one.
    SESSIONS_PEER_MAX = SESSIONS_MAX / 2,
    SESSIONS_BEGUN_MAX = 1024,  // at once, and then
    SESSIONS_BEGUN_PER_S = 200, // so many a second
    // A session of which no batch came for so long makes room for others where there is none.
    SESSIONS_EMPTY_MS = 2000,
    SESSIONS_LOOKED_AT_MAX = 256, // by one sessions_find_empty
};

typedef struct sessions sessions;

// sessions_create borrows dir and catalog until sessions_destroy. NULL if memory ran out.
sessions *sessions_create(data_dir *dir, catalog *catalog);
void sessions_destroy(sessions *sessions);

// sessions_set_presence borrows what is told whether sessions are connected. Before, nothing is.
void sessions_set_presence(sessions *sessions, presence *presence);

// sessions_set_max sets how many there may be, instead of SESSIONS_MAX.
void sessions_set_max(sessions *sessions, size_t count);

// sessions_set_peer_max sets how many sessions one address, or one token, may have.
void sessions_set_peer_max(sessions *sessions, uint64_t count);

// sessions_set_rounds borrows what brings journals to the disk, and has those of discarded chunks
// wait for it. Before, and with NULL again, they do not wait.
void sessions_set_rounds(sessions *sessions, sync_rounds *rounds);

// sessions_get_late returns the open files of batches that were late.
late_journals *sessions_get_late(sessions *sessions);

// sessions_get_log returns what decides how loud lines about sessions are.
session_log *sessions_get_log(sessions *sessions);

data_dir *sessions_get_dir(sessions *sessions);
catalog *sessions_get_catalog(sessions *sessions);

// sessions_find finds a session in memory; NULL if it is not there.
session *sessions_find(sessions *sessions, const char *session_id);

// sessions_add puts a new session into memory that has the content of row.
// Errors: LP_ELIMIT over their number, or where the hash of its id is another one's; LP_ENOMEM
LP_MUST_USE lp_err sessions_add(
    sessions *sessions, const catalog_session *row, session **out_session);

// sessions_get_peers returns who has how many of the sessions.
peers *sessions_get_peers(sessions *sessions);

// sessions_set_holders notes whose a session is now.
void sessions_set_holders(sessions *sessions, session *session, const uint64_t holders[2]);

bool sessions_are_full(const sessions *sessions);

// sessions_is_of returns whether a session is this holder's; with PEERS_NONE: anybody's, which it
// is.
bool sessions_is_of(const session *session, uint64_t holder);

// sessions_note_begun notes that a session has come into memory by a Hello, or is back by one.
void sessions_note_begun(sessions *sessions, session *session, uint64_t now_ms);

// sessions_find_empty returns the oldest session of which no batch came, if that was begun
// SESSIONS_EMPTY_MS ago; of this holder, or of anybody with PEERS_NONE, and none for which
// is_waiting says that a batch of it waits. NULL: there is none among the SESSIONS_LOOKED_AT_MAX
// oldest.
session *sessions_find_empty(sessions *sessions, uint64_t holder, uint64_t now_ms,
    bool (*is_waiting)(const void *arg, const char *session_id), const void *arg);

// sessions_load finds a session in memory or else brings it there from the catalog.
// Errors: LP_ENOENT, and as sessions_add
LP_MUST_USE lp_err sessions_load(sessions *sessions, const char *session_id, session **out_session);

// sessions_drop forgets a session; it stays in the catalog.
void sessions_drop(sessions *sessions, session *session);

// sessions_remove forgets a session and removes its journals. Returns false where somebody reads
// one of them: nothing is done then. It has no job.
bool sessions_remove(sessions *sessions, session *session);
// sessions_leave forgets a session, with what of it is not committed: its journals go.
void sessions_leave(sessions *sessions, session *session);

// sessions_save writes the row to the catalog if it has changed; a failure is logged and tried
// again with the next call.
void sessions_save(sessions *sessions, session *session);

// sessions_save_part does that for one of so many parts of all sessions, SESSIONS_SAVED_AT_ONCE in
// a transaction. Sessions may change their part when others are dropped.
void sessions_save_part(sessions *sessions, size_t part, size_t part_count);

// sessions_get_fault returns the errno with which the catalog refused the last row; 0: it did not.
int sessions_get_fault(const sessions *sessions);

// sessions_hear notes at now_ms that something came of the session, which is not SESSION_LEAVING,
// over a connection. The catalog is told where the session counted as killed or timed out.
void sessions_hear(sessions *sessions, session *session, uint64_t connection, uint64_t now_ms);

// sessions_note_connected notes whether the session is connected.
void sessions_note_connected(sessions *sessions, session *session, bool is_connected);

// sessions_load_carry reads the carry-over of the session's last compacted chunk into
// session->carry, once.
// Errors: as catalog_get_carry
LP_MUST_USE lp_err sessions_load_carry(sessions *sessions, session *session);

// sessions_open_chunk finds the waiting chunk with this ordinal or makes it, with its journal.
// Errors: LP_EIO with errno; LP_ELIMIT over SESSION_CHUNKS_MAX; LP_ENOMEM
LP_MUST_USE lp_err sessions_open_chunk(
    sessions *sessions, session *session, uint32_t ordinal, session_chunk **out_chunk);

// sessions_discard_chunks removes the first count chunks. Their journals go, too, once the disk has
// what the catalog has now; those of damaged ones are put aside.
void sessions_discard_chunks(sessions *sessions, session *session, size_t count);

// sessions_remove_journals removes the journals of discarded chunks whose round is over and that
// nobody reads any more.
void sessions_remove_journals(sessions *sessions);

// sessions_close_journals closes the descriptors of journals that were not written to for a while.
// They are opened again when they are. now_ms is the loop's time.
void sessions_close_journals(sessions *sessions, uint64_t now_ms);

// sessions_each calls on_session for every session in memory, which may drop it.
void sessions_each(sessions *sessions, void (*on_session)(void *arg, session *session), void *arg);

#endif // LP_COLLECTOR_SERVER_SESSIONS_H
