// SPDX-License-Identifier: Apache-2.0

// chunk_commit: a compacted chunk on its way into the catalog: what is written for it, and what
// follows once it is there.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/server/test_server.c, test_packs.c

#ifndef LP_COLLECTOR_SERVER_CHUNK_COMMIT_H
#define LP_COLLECTOR_SERVER_CHUNK_COMMIT_H

#include "collector/base/service_metrics.h"
#include "collector/chunks/chunk_task.h"
#include "collector/index/id_index.h"
#include "collector/keep/retention.h"
#include "collector/session/sessions.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Who gets to know of a chunk. All are borrowed.
typedef struct chunk_commit_to {
    sessions *sessions;        // with the catalog
    id_index *ids;             // of the chunks' contexts
    retention *retention;      // of stored chunks
    service_metrics *services; // NULL: none
    policy_unmet_log *unmet;   // of policies that JVMs told
} chunk_commit_to;

// What the recording lacks since the commit of a chunk.
typedef struct chunk_losses {
    uint64_t by[CATALOG_LOSS_COUNT];
} chunk_losses;

// The rows of a chunk. They share memory with the session, the task and the output, which stay as
// they are until chunk_commit_finish; the sets of batches are their own.
typedef struct chunk_commit {
    session *session;
    const chunk_task *task;
    chunk_task_output *output;
    catalog_session row;
    catalog_chunk chunk;
    chunk_losses losses;
    lp_ranges lost; // batches that were made good, and are lost after all
} chunk_commit;

// chunk_commit_is_grown returns whether the waiting chunks of a session from begin on are others
// than the task's first unit is made of: batches have come for them since.
bool chunk_commit_is_grown(const chunk_task *task, const session *session, size_t begin);

// chunk_commit_init makes the rows of the session's first unit, which the task has compacted.
void chunk_commit_init(chunk_commit *commit, const chunk_commit_to *to, session *session,
    const chunk_task *task, chunk_task_output *output, const blob_place *place);

// chunk_commit_fini is for when the catalog does not have them.
void chunk_commit_fini(chunk_commit *commit);

// chunk_commit_finish is for when it does: the journals go. It ends the commit.
void chunk_commit_finish(chunk_commit *commit, const chunk_commit_to *to);

#endif // LP_COLLECTOR_SERVER_CHUNK_COMMIT_H
