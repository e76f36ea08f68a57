// SPDX-License-Identifier: Apache-2.0
#include "query/graph/label_sets.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/rollup/rollup_id.h"

#include <string.h>

// How a group is remembered: this, its labels, its trace id, its span id.
typedef struct head {
    uint32_t session;
    uint32_t thread_name;
    uint32_t count;
    uint32_t trace_len;
    uint32_t span_len;
} head;

void
query_label_sets_fini(query_label_sets *sets)
{
    query_attributes_fini(&sets->attributes);
    lp_buf_fini(&sets->bytes);
    LP_VEC_FINI(&sets->begins);
    lp_map_fini(&sets->group_of);
    lp_buf_fini(&sets->made);
    *sets = (query_label_sets){0};
}

void
query_label_sets_prepare(query_label_sets *sets, query_question *question)
{
    LP_ASSERT(sets->begins.count == 0);
    question->attributes = &sets->attributes;
    question->wants_thread_names = true;
}

// make makes the bytes of a context's group.
static void
make(query_label_sets *sets, const query_answer *answer)
{
    query_label labels[COMPACT_KIND_ATTRIBUTES_MAX];
    head h = {.session = answer->first_source, .thread_name = answer->context->thread_name};
    lp_slice trace = {0};
    lp_slice span = {0};
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_known_attribute *known = &answer->attributes[i];
        if (known->attribute.is_null) {
            continue;
        }
        if (rollup_id_is_trace(known->attribute.name)) {
            trace = known->attribute.value;
        } else if (rollup_id_is_span(known->attribute.name)) {
            span = known->attribute.value;
        } else if (known->value != QUERY_NO_VALUE && h.count < COMPACT_KIND_ATTRIBUTES_MAX) {
            labels[h.count++] = (query_label){known->key, known->value};
        }
    }
    h.trace_len = (uint32_t)trace.len;
    h.span_len = (uint32_t)span.len;
    lp_buf_clear(&sets->made);
    lp_buf_append(&sets->made, &h, sizeof(h));
    lp_buf_append(&sets->made, labels, h.count * sizeof(*labels));
    lp_buf_append(&sets->made, trace.ptr, trace.len);
    lp_buf_append(&sets->made, span.ptr, span.len);
}

// find_slot returns the place of the bytes that were made in group_of, which is free where they
// have no group yet. Where two share a hash, the later one has the next free.
static uint64_t
find_slot(const query_label_sets *sets, uint32_t *out_group)
{
    const lp_buf *made = &sets->made;
    for (uint64_t slot = lp_hash_bytes(lp_hash_seed(), lp_buf_slice(made));; slot++) {
        *out_group = lp_map_find(&sets->group_of, slot);
        if (*out_group == LP_MAP_NONE) {
            return slot;
        }
        size_t begin = sets->begins.items[*out_group - 1];
        if (sets->bytes.len - begin >= made->len &&
            memcmp(sets->bytes.ptr + begin, made->ptr, made->len) == 0) {
            return slot;
        }
    }
}

lp_err
query_label_sets_group(query_label_sets *sets, const query_answer *answer, uint32_t *out_group)
{
    make(sets, answer);
    if (sets->made.is_failed) {
        return LP_ENOMEM;
    }
    uint64_t slot = find_slot(sets, out_group);
    if (*out_group != LP_MAP_NONE) {
        return LP_OK;
    }
    if (sets->bytes.len + sets->made.len > QUERY_LABEL_BYTES_MAX) {
        sets->is_truncated = true;
        *out_group = 0;
        return LP_OK;
    }
    uint32_t *begin = LP_VEC_PUSH(&sets->begins);
    if (begin == NULL) {
        return LP_ENOMEM;
    }
    *begin = (uint32_t)sets->bytes.len;
    *out_group = (uint32_t)sets->begins.count;
    lp_buf_append(&sets->bytes, sets->made.ptr, sets->made.len);
    lp_err err = lp_buf_check(&sets->bytes);
    return err == LP_OK ? lp_map_put(&sets->group_of, slot, *out_group) : err;
}

void
query_label_sets_get(const query_label_sets *sets, uint32_t group, query_label_set *out)
{
    LP_ASSERT(group != 0 && group <= sets->begins.count);
    const uint8_t *at = sets->bytes.ptr + sets->begins.items[group - 1];
    head h;
    memcpy(&h, at, sizeof(h));
    at += sizeof(h);
    *out = (query_label_set){.session = h.session, .thread_name = h.thread_name, .count = h.count};
    memcpy(out->items, at, h.count * sizeof(query_label));
    at += h.count * sizeof(query_label);
    out->trace = (lp_slice){at, h.trace_len};
    out->span = (lp_slice){at + h.trace_len, h.span_len};
}
