// SPDX-License-Identifier: Apache-2.0

// ask_hits: finds the chunks that may have contexts with an id, by the index (id_index.h).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask.c
// Memory:  40 bytes for each found chunk, up to ASK_HITS_MAX

#pragma once

#include "collector/index/id_index.h"
#include "collector/index/id_search.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "query/select/selection.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ASK_HITS_MAX = 100000,
    ASK_REACH_S = 3600, // contexts that last longer may not be found
};

typedef struct ask_hit {
    char recording[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} ask_hit;

// {0}: not searched yet.
typedef struct ask_hits {
    bool is_known;
    LP_VEC(ask_hit) items;           // sorted; may have duplicates
    size_t searched;                 // segments
    size_t unread;                   // segments that the store or the disk did not return
    size_t uncovered;                // chunks that are hits because no segment covers them
    bool is_whole;                   // no segment and no hit is missing
    bool is_eliminated;              // contexts with the id came in and were dropped
    int64_t since_wall_ns;           // is_eliminated is known since then; INT64_MAX: not yet
    lp_err err;                      // private
    id_search_seen seen;             // segments, for the next search
    lp_err (*find_again)(void *arg); // searches again
    void *arg;
} ask_hits;

// The recordings that the question's caller may read. may_read is called once for consecutive hits
// in one recording.
typedef struct ask_hits_rights {
    bool (*may_read)(void *arg, const char *recording); // NULL: all
    void *arg;
} ask_hits_rights;

// ask_hits_find searches for chunks that may have contexts in the selection's time range with its
// any_id or trace. from is a reader. hits is {0}, or the result of an earlier search for the same
// selection: the new result replaces it, and segments that were read are not read again. Errors:
// LP_ENOMEM; as the catalog
LP_MUST_USE lp_err ask_hits_find(ask_hits *hits, id_index *known, catalog *from,
    const query_selection *selection, const ask_hits_rights *rights);
void ask_hits_fini(ask_hits *hits);

bool ask_hits_has_recording(const ask_hits *hits, const char *recording);
bool ask_hits_has_chunk(const ask_hits *hits, const char *recording, uint32_t ordinal);
