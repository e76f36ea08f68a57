// SPDX-License-Identifier: Apache-2.0

// packs: compacted chunks of many sessions on their way into objects of the store: few and large
// ones cost few requests.
//
//   on a worker   journal -> compact_chunk -> the open pack, a file without a name (pack_files.h)
//   on the loop   the pack is closed: its first chunk has waited for as long as the option says, or
//                 it is full, or a session has many chunks here, or the collector ends
//   on a worker   footer (object_pack.h), PUT
//   on the loop   chunks, totals and carry-overs into the catalog, PACKS_COMMIT_MAX in a
//                 transaction; journals away
//
// Until it is committed a chunk waits as if it were not compacted: its journal is there, and
// snapshots are made of that. A crash at any time repeats the whole from the journals; bytes of an
// object that nobody has committed are dead, and an object of which nothing is committed is an
// orphan (pack_sweep.h). A session may have several chunks here, each of which is compacted with
// the carry-over of the one before from memory. Packs are stored and committed one after the other,
// so those chunks are committed in order.
//
// A chunk for which batches have come meanwhile is dropped, with those of its session behind it,
// and compacted again. So is one that the catalog refuses, as somebody else has committed for the
// session: the others of the pack are committed.
//
// A pack that cannot be stored or committed is tried again each PACKS_RETRY_MS. Meanwhile no chunk
// is compacted (packs_is_full), so disk and memory have some chunks of one more pack at most;
// journals grow. A name is used for PACKS_NAME_S_MAX; then the pack gets another one, and is stored
// again. So an object that is older than that, and that no catalog knows, is nobody's.
//
// Threads: the loop, but for packs_get_files.
// Tests:   tests/unit/collector/chunks/test_packs.c, tests/e2e/packs.py

#ifndef LP_COLLECTOR_SERVER_PACKS_H
#define LP_COLLECTOR_SERVER_PACKS_H

#include "collector/chunks/chunk_commit.h"
#include "collector/chunks/chunk_task.h"
#include "collector/chunks/pack_files.h"
#include "collector/store/catalog/catalog_objects.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    PACKS_BYTES_MAX = 64 << 20, // of a pack, and then what is being compacted
    PACKS_CHUNKS_MAX = 4096,    // of a pack
    PACKS_SESSION_CHUNKS_MAX =
        16, // of a session in all packs: SESSION_CHUNKS_MAX has room for more
    PACKS_HELD_BYTES_MAX = 64 << 20, // of carry-overs and statistics that wait for its commit
    PACKS_COMMIT_MAX = 64,           // chunks in a transaction: the loop waits for it
    PACKS_RETRY_MS = 10000,
    PACKS_NAME_S_MAX = 3600,
};

typedef struct packs packs;

typedef struct packs_config {
    uv_loop_t *loop;
    blobs *blobs;
    chunk_commit_to to;
    uint64_t wait_ms; // how long the first chunk of a pack waits
    // Is called when a session has fewer chunks here, and may drop the session.
    void (*on_session)(void *arg, session *session);
    void *arg;
} packs_config;

// packs_create borrows what config has until packs_destroy. NULL if memory ran out.
packs *packs_create(const packs_config *config);

// packs_stop has the packs stored and committed at once, once each: what fails is left to the next
// start. The loop runs until that is done.
void packs_stop(packs *packs);

// packs_end closes the handles of a packs that was stopped. The loop runs once more.
void packs_end(packs *packs);

// packs_destroy drops what was not committed; the sessions are there still. NULL is fine.
void packs_destroy(packs *packs);

// packs_get_files lends where workers put chunks. Threads: any thread.
pack_files *packs_get_files(const packs *packs);

// packs_is_full returns whether no more chunks should be compacted now.
bool packs_is_full(const packs *packs);

// packs_has_moves returns whether chunks of packs_add_move are not committed yet.
bool packs_has_moves(const packs *packs);

// packs_add takes what was compacted, and lies in a file of packs_get_files, of the session's first
// chunks that are not compacted yet. Errors: LP_ENOMEM, and it stays the caller's
LP_MUST_USE lp_err packs_add(
    packs *packs, session *session, chunk_task *task, chunk_task_output *output);

// packs_add_move takes a chunk that is in another object already, and lies in a file as well.
// Errors: LP_ENOMEM; the piece is settled in any case
LP_MUST_USE lp_err packs_add_move(
    packs *packs, const catalog_move *move, const object_pack_chunk *chunk, pack_piece *piece);

// packs_drop drops all chunks of a session that are not committed: they are compacted again, unless
// the session goes.
void packs_drop(packs *packs, session *session);

// packs_tick does what is due: now and then, and when a file of packs_get_files has one piece less
// that is not settled.
void packs_tick(packs *packs);

#endif // LP_COLLECTOR_SERVER_PACKS_H
