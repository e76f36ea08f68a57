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

lp_err
id_store_open_shared(id_store *opened, const id_shared_config *config, lp_problem *out_problem)
{
    *opened = (id_store){.eliminated = id_filter_create()};
    if (opened->eliminated == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", config->dir);
    }
    return id_shared_open(config, &opened->shared, out_problem);
}

void
id_store_close(id_store *opened)
{
    id_shared_close(opened->shared);
    id_index_close(opened->index);
    id_filter_destroy(opened->eliminated);
    *opened = (id_store){0};
}

static void
add_dropped(const id_store *known, int64_t start_wall_ns, const rollup_ids *added)
{
    for (size_t i = 0; i < added->dropped.count; i++) {
        id_filter_add(known->eliminated, added->dropped.items[i], start_wall_ns);
    }
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
    add_dropped(known, start_wall_ns, added);
}

catalog_chunk_ids
id_store_note(
    const id_store *known, int64_t start_wall_ns, const rollup_ids *noted, int64_t now_wall_ns)
{
    add_dropped(known, start_wall_ns, noted);
    return id_shared_note(known->shared, now_wall_ns, noted->kept.items, noted->kept.count);
}
