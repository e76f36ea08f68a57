// SPDX-License-Identifier: Apache-2.0
// fuzz_rounds: rounds of a fuzz_collector for which no answer waits, and the chunks' files.

#pragma once

#include "fuzz/fuzz_collector.h"

#include "collector/journal/sync_rounds.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_assert.h"

#include <stdio.h>
#include <uv.h>

static inline void
fuzz_rounds_on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    (void)arg;
    (void)session_id;
    (void)sequence;
}

static inline void
fuzz_rounds_on_end(void *arg, uint64_t round, bool is_catalog_durable)
{
    (void)arg;
    (void)round;
    (void)is_catalog_durable;
}

// fuzz_rounds_make initialises loop, too. The caller ends all three.
static inline sync_rounds *
fuzz_rounds_make(const fuzz_collector *c, uv_loop_t *loop, blobs **out_files)
{
    char chunks[300];
    static char journals[300]; // the rounds borrow it
    sync_rounds *rounds;
    (void)snprintf(chunks, sizeof(chunks), "%s/chunks", fuzz_collector_root.path);
    (void)snprintf(journals, sizeof(journals), "%s/journal", fuzz_collector_root.path);
    LP_ASSERT(uv_loop_init(loop) == 0);
    LP_ASSERT(blobs_open(chunks, out_files, NULL) == LP_OK);
    const sync_rounds_config config = {
        .loop = loop,
        .mode = SYNC_NEVER,
        .journals_path = journals,
        .catalog = c->catalog,
        .blobs = *out_files,
        .on_durable = fuzz_rounds_on_durable,
        .on_end = fuzz_rounds_on_end,
    };
    LP_ASSERT(sync_rounds_create(&config, &rounds, NULL) == LP_OK);
    return rounds;
}
