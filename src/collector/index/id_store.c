// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_store.h"

lp_err
id_store_open(id_store *opened, const char *dir, lp_problem *out_problem)
{
    *opened = (id_store){.eliminated = id_filter_create()};
    if (opened->eliminated == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", dir);
    }
    return id_index_open(dir, &opened->index, out_problem);
}

void
id_store_close(id_store *opened)
{
    id_index_close(opened->index);
    id_filter_destroy(opened->eliminated);
    *opened = (id_store){0};
}

void
id_store_add(const id_store *known, const char *session_id, uint32_t ordinal, int64_t start_wall_ns,
    const rollup_ids *added)
{
    const id_run_chunk chunk = {
        .session_id = session_id,
        .ordinal = ordinal,
        .start_wall_ns = start_wall_ns,
        .hashes = added->kept.items,
        .hash_count = added->kept.count,
    };
    if (chunk.hash_count > 0) {
        id_index_add(known->index, &chunk);
    }
    for (size_t i = 0; i < added->dropped.count; i++) {
        id_filter_add(known->eliminated, added->dropped.items[i], start_wall_ns);
    }
}
