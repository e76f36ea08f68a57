// SPDX-License-Identifier: Apache-2.0
// id_store: where contexts with an id are, by files (id_index.h) where chunks are files, or in the
// object store that has these (id_shared.h); and which ids had eliminated contexts alone
// (id_filter.h), of those that came to this collector.
//
// Threads: any, but for open and close, and id_store_note, which is for the thread that writes the
//          catalog.
// Tests:   tests/unit/collector/index/test_id_index.c, tests/unit/collector/index/test_id_filter.c,
//          tests/unit/collector/index/test_id_shared.c

#ifndef LP_COLLECTOR_INDEX_ID_STORE_H
#define LP_COLLECTOR_INDEX_ID_STORE_H

#include "collector/index/id_filter.h"
#include "collector/index/id_index.h"
#include "collector/index/id_shared.h"
#include "common/rollup/rollup_id.h"

typedef struct id_store {
    id_index *index;   // NULL: shared has the ids
    id_shared *shared; // NULL: index has them
    id_filter *eliminated;
} id_store;

// id_store_open opens the index in the files of dir, id_store_open_shared that of an object store,
// and an empty filter. Either way id_store_close ends it. Errors: as id_index_open, id_shared_open
LP_MUST_USE lp_err id_store_open(id_store *opened, const char *dir, lp_problem *out_problem);
LP_MUST_USE lp_err id_store_open_shared(
    id_store *opened, const id_shared_config *config, lp_problem *out_problem);
void id_store_close(id_store *opened);

// id_store_add adds the ids of a chunk, which are tidy (rollup_id.h), to files. What cannot be
// added is counted by the index.
void id_store_add(const id_store *known, const char *session_id, uint32_t ordinal,
    int64_t start_wall_ns, const rollup_ids *added);

// id_store_note is for a chunk on its way into the catalog where shared has the ids, which are
// tidy: it returns what is committed with the chunk, which borrows them.
catalog_chunk_ids id_store_note(
    const id_store *known, int64_t start_wall_ns, const rollup_ids *noted, int64_t now_wall_ns);

#endif // LP_COLLECTOR_INDEX_ID_STORE_H
