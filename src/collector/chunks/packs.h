// SPDX-License-Identifier: Apache-2.0

// packs: gathers compacted chunks of many sessions into objects of the store: few large objects
// cost few requests.
//
//   on a worker   journal -> compact_chunk -> the open pack, a file without a name (pack_files.h)
//   on the loop   close the pack if its first chunk is older than wait_ms, the pack is full, a
//                 session has many chunks in it, or the collector ends
//   on a worker   footer (object_pack.h), PUT
//   on the loop   chunks, totals and carry-overs into the catalog, PACKS_COMMIT_MAX in a
//                 transaction; delete the journals
//
// An uncommitted chunk counts as not compacted: its journal exists, and snapshots use the journal.
// A crash at any time repeats everything from the journals. Uncommitted bytes of an object are
// dead, and an object without committed chunks is an orphan (pack_sweep.h). A session may have
// several chunks here: each is compacted with the previous carry-over from memory. Packs are stored
// and committed one after the other, so the chunks of a session are committed in order.
//
// If batches arrive for an uncommitted chunk, packs drops it and the session's later chunks, and
// they are compacted again. The same happens to a chunk that the catalog refuses because another
// process committed for the session; the other chunks of the pack are committed.
//
// packs retries a pack that cannot be stored or committed each PACKS_RETRY_MS. Meanwhile no chunk
// is compacted (packs_is_full): disk and memory hold at most some chunks of one more pack, and
// journals grow. A pack uses a name for PACKS_NAME_S_MAX; then it gets a new name and is stored
// again. So an older object that no catalog knows can be deleted.
//
// Threads: the loop, except for packs_get_files.
// Tests:   tests/unit/collector/chunks/test_packs.c, tests/e2e/packs.py

#pragma once

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
    PACKS_BYTES_MAX = 64 << 20,      // of a pack; chunks in work may exceed it
    PACKS_CHUNKS_MAX = 4096,         // of a pack
    PACKS_SESSION_CHUNKS_MAX = 16,   // of a session in all packs; below SESSION_CHUNKS_MAX
    PACKS_HELD_BYTES_MAX = 64 << 20, // uncommitted carry-overs and statistics of a pack
    PACKS_COMMIT_MAX = 64,           // chunks in a transaction, which blocks the loop
    PACKS_RETRY_MS = 10000,
    PACKS_NAME_S_MAX = 3600,
};

typedef struct packs packs;

typedef struct packs_config {
    uv_loop_t *loop;
    blobs *blobs;
    chunk_commit_to to;
    uint64_t wait_ms; // how long the first chunk of a pack waits
    // Called when a session has fewer chunks here; may drop the session.
    void (*on_session)(void *arg, session *session);
    void *arg;
} packs_config;

// packs_create borrows the members of config until packs_destroy. NULL if memory ran out.
packs *packs_create(const packs_config *config);

// packs_stop tries once to store and commit the packs now; the next start repeats the rest. Run the
// loop until this is done.
void packs_stop(packs *packs);

// packs_end closes the handles of stopped packs. Run the loop once more.
void packs_end(packs *packs);

// packs_destroy drops uncommitted chunks; their sessions must still exist. NULL is fine.
void packs_destroy(packs *packs);

// packs_get_files returns the files for the workers' chunks, borrowed. Threads: any.
pack_files *packs_get_files(const packs *packs);

// packs_is_full returns whether no more chunks should be compacted now.
bool packs_is_full(const packs *packs);

// packs_has_moves returns whether chunks of packs_add_move are uncommitted.
bool packs_has_moves(const packs *packs);

// packs_add takes the output of a task for the session's first uncompacted chunks; its piece is in
// a file of packs_get_files. Errors: LP_ENOMEM: task and output stay the caller's
LP_MUST_USE lp_err packs_add(
    packs *packs, session *session, chunk_task *task, chunk_task_output *output);

// packs_add_move takes a chunk that was copied from another object into a file. Errors: LP_ENOMEM;
// the piece is settled in any case
LP_MUST_USE lp_err packs_add_move(
    packs *packs, const catalog_move *move, const object_pack_chunk *chunk, pack_piece *piece);

// packs_drop drops all uncommitted chunks of a session. They are compacted again if the session
// stays.
void packs_drop(packs *packs, session *session);

// packs_tick closes, stores and commits packs that are due. Call it regularly, and after settling a
// piece of packs_get_files.
void packs_tick(packs *packs);
