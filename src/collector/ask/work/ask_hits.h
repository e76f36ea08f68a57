// SPDX-License-Identifier: Apache-2.0

// ask_hits: the chunks that may have contexts with an id, as the index says (id_index.h).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask.c
// Memory:  40 bytes for each chunk, of which ASK_HITS_MAX are remembered that may be read

#ifndef LP_COLLECTOR_ASK_ASK_HITS_H
#define LP_COLLECTOR_ASK_ASK_HITS_H

#include "collector/index/id_index.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "query/select/selection.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ASK_HITS_MAX = 100000,
    ASK_REACH_S = 3600, // a context is stored no longer than this after it began
};

typedef struct ask_hit {
    char recording[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} ask_hit;

// {0} has not been looked for.
typedef struct ask_hits {
    bool is_known;
    LP_VEC(ask_hit) items;           // in order; one may be there twice
    size_t searched;                 // segments
    size_t unread;                   // segments that the store, or the disk, did not give
    size_t uncovered;                // hits that are so because no segment covers them
    bool is_whole;                   // the index has left out nothing, and there are no more hits
    bool is_eliminated;              // contexts with the id came in and were eliminated
    int64_t since_wall_ns;           // from when on is_eliminated is known; INT64_MAX: from now on
    lp_err err;                      // while they are looked for
    id_search_seen seen;             // segments, for looking again
    lp_err (*find_again)(void *arg); // replaces them by those that there are now
    void *arg;
} ask_hits;

// Whose hits count: may_read is asked once for each run of hits of a recording. NULL: all do.
typedef struct ask_hits_rights {
    bool (*may_read)(void *arg, const char *recording);
    void *arg;
} ask_hits_rights;

// ask_hits_find looks for the chunks that contexts which began in the selection's time range may be
// stored in; the selection has any_id or a trace. from is a reader.
// hits is {0}, or of the same selection: then these are replaced, and segments that were searched
// are not asked again. Errors: LP_ENOMEM; those of a catalog
LP_MUST_USE lp_err ask_hits_find(ask_hits *hits, id_index *known, catalog *from,
    const query_selection *selection, const ask_hits_rights *rights);
void ask_hits_fini(ask_hits *hits);

bool ask_hits_has_recording(const ask_hits *hits, const char *recording);
bool ask_hits_has_chunk(const ask_hits *hits, const char *recording, uint32_t ordinal);

#endif // LP_COLLECTOR_ASK_ASK_HITS_H
