// SPDX-License-Identifier: Apache-2.0
// id_store: where contexts with an id are (id_index.h), and which ids had eliminated contexts alone
// (id_filter.h).
//
// Threads: any, but for open and close.
// Tests:   tests/unit/collector/index/test_id_index.c, tests/unit/collector/index/test_id_filter.c

#ifndef LP_COLLECTOR_INDEX_ID_STORE_H
#define LP_COLLECTOR_INDEX_ID_STORE_H

#include "collector/index/id_filter.h"
#include "collector/index/id_index.h"
#include "common/rollup/rollup_id.h"

typedef struct id_store {
    id_index *index;
    id_filter *eliminated;
} id_store;

// id_store_open opens the index in dir, and an empty filter. Either way id_store_close ends it.
// Errors: as id_index_open
LP_MUST_USE lp_err id_store_open(id_store *opened, const char *dir, lp_problem *out_problem);
void id_store_close(id_store *opened);

// id_store_add adds the ids of a chunk's contexts, which are tidy (rollup_id.h). What cannot be
// added is counted by the index.
void id_store_add(const id_store *known, const char *session_id, uint32_t ordinal,
    int64_t start_wall_ns, const rollup_ids *added);

#endif // LP_COLLECTOR_INDEX_ID_STORE_H
