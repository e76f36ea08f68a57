// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/pending_ids.h"

#include "common/base/lp_buf.h"
#include "query/chunk/chunk.h"

static bool
has_id(query_chunk *chunk, const query_event *event, const char *id)
{
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    size_t count = query_chunk_attributes(chunk, event, attributes);
    bool has = false;
    for (size_t i = 0; i < count && !has; i++) {
        has = attributes[i].is_id && query_attribute_has_id(&attributes[i], id);
    }
    return has;
}

static bool
bytes_have(lp_slice bytes, const char *id)
{
    query_names names = {0};
    query_chunk chunk;
    bool has = true;
    if (query_chunk_open(&chunk, bytes, &names, NULL) == LP_OK) {
        has = false;
        query_chunk_find_ids(&chunk);
        jfr_cursor rest = query_chunk_events(&chunk);
        query_event event;
        while (!has && query_chunk_next(&chunk, &rest, &event)) {
            has = event.type->role == QUERY_ROLE_CONTEXT && has_id(&chunk, &event, id);
        }
        has = has || query_chunk_err(&chunk) != LP_OK;
        query_chunk_close(&chunk);
    }
    query_names_fini(&names);
    return has;
}

static bool
chunk_has(const snapshot *pending, size_t index, const char *id)
{
    lp_slice lent = snapshot_lend_chunk(pending, index);
    if (lent.ptr != NULL) {
        return bytes_have(lent, id);
    }
    lp_buf bytes = {0};
    lp_err err = snapshot_read_chunk(pending, index, &bytes);
    bool has = err != LP_OK || bytes_have(lp_buf_slice(&bytes), id);
    lp_buf_fini(&bytes);
    return has;
}

bool
pending_ids_has(const snapshot *pending, const char *id)
{
    bool has = false;
    for (size_t i = 0; i < pending->chunks.count && !has; i++) {
        has = chunk_has(pending, i, id);
    }
    return has;
}
