// SPDX-License-Identifier: Apache-2.0

// chunk_commit: commits a compacted chunk: makes its rows for the catalog, and updates the session
// once the catalog has them.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/server/test_server.c, test_packs.c

#pragma once

#include "collector/base/chunk_feed.h"
#include "collector/base/service_metrics.h"
#include "collector/chunks/chunk_task.h"
#include "collector/index/id_index.h"
#include "collector/keep/retention.h"
#include "collector/session/sessions.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct chunk_commit chunk_commit;

// Notes in the journals of chunks how they were compacted. {0}: nobody needs that.
typedef struct chunk_seal {
    bool (*wants)(void *arg, const session *session); // whether it needs that of this session
    void (*write)(void *arg, const chunk_commit *commit);
    bool (*wants_traces)(void *arg); // whether chunks list the ids of traces; NULL: no
    void *arg;
} chunk_seal;

// chunk_seal_wants returns whether a seal needs the chunks of a session.
bool chunk_seal_wants(const chunk_seal *seal, const session *session);

// The objects that a committed chunk changes. All are borrowed.
typedef struct chunk_commit_to {
    sessions *sessions;        // with the catalog
    id_index *ids;             // of the chunks' contexts
    retention *retention;      // limits the stored chunks
    service_metrics *services; // NULL: none
    chunk_feed *feed;          // NULL: none
    policy_unmet_log *unmet;   // of names in JVMs' policies that match no type
    chunk_seal seal;
} chunk_commit_to;

// The losses that the commit of a chunk adds.
typedef struct chunk_losses {
    uint64_t by[CATALOG_LOSS_COUNT];
} chunk_losses;

// The rows of a chunk. Until chunk_commit_finish they share memory with the session, the task and
// the output, which must not change. Only the sets of batches are copies.
struct chunk_commit {
    session *session;
    const chunk_task *task;
    chunk_task_output *output;
    catalog_session row;
    catalog_chunk chunk;
    chunk_losses losses;
    lp_ranges lost; // batches that count as resent, but that the chunk lacks
};

// chunk_commit_is_grown returns whether the session's waiting chunks differ from the task's first
// unit, because batches arrived for them meanwhile. begin is the index of the first such chunk.
bool chunk_commit_is_grown(const chunk_task *task, const session *session, size_t begin);

// chunk_commit_init makes the rows of the session's first unit, compacted by the task.
void chunk_commit_init(chunk_commit *commit, const chunk_commit_to *to, session *session,
    const chunk_task *task, chunk_task_output *output, const blob_place *place);

// chunk_commit_fini ends a commit that the catalog does not have.
void chunk_commit_fini(chunk_commit *commit);

// chunk_commit_finish ends a commit that the catalog has: it updates the session and discards the
// journals.
void chunk_commit_finish(chunk_commit *commit, const chunk_commit_to *to);
