// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/sources.h"

#include "common/base/lp_assert.h"

static bool
is_at_hand(const query_sources *sources, size_t source)
{
    return sources->open == NULL || sources->items[source].bytes.ptr != NULL;
}

lp_err
query_sources_open_again(const query_sources *sources, size_t source, query_names *names,
    compact_schema *like, bool is_chained, query_chunk *out_chunk, lp_problem *out_problem)
{
    LP_ASSERT(source < sources->count);
    lp_slice bytes = sources->items[source].bytes;
    *out_problem = (lp_problem){.text = ""};
    if (!is_at_hand(sources, source)) {
        LP_TRY(sources->open(sources->arg, source, &bytes, out_problem));
    }
    lp_err err = query_chunk_open_again(out_chunk, bytes, names, like, is_chained);
    if (err != LP_OK) {
        if (!is_at_hand(sources, source)) {
            sources->release(sources->arg, source, bytes);
        }
        return lp_problem_set(out_problem, err, "%s", lp_err_text(err));
    }
    return LP_OK;
}

lp_err
query_sources_open(const query_sources *sources, size_t source, query_names *names,
    compact_schema *like, query_chunk *out_chunk, lp_problem *out_problem)
{
    return query_sources_open_again(sources, source, names, like, false, out_chunk, out_problem);
}

void
query_sources_close(const query_sources *sources, size_t source, query_chunk *chunk)
{
    LP_ASSERT(source < sources->count);
    LP_ASSERT(chunk->names != NULL); // it is open
    lp_slice bytes = chunk->view.chunk;
    query_chunk_close(chunk);
    if (!is_at_hand(sources, source)) {
        sources->release(sources->arg, source, bytes);
    }
}
