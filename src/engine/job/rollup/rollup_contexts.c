// SPDX-License-Identifier: Apache-2.0
// rollup_contexts: counts the contexts of the Loupe API for the rollup of a chunk.
//
// Tests: tests/unit/engine/job/rollup/test_rollup_make.c, tests/prop/test_rollup_prop.c

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/context/ctx_type.h"
#include "engine/carry/identities.h"
#include "engine/contexts/value.h"
#include "engine/job/context_walk.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/write/account.h"
#include "engine/write/describe.h"

#include <string.h>

// make_text sets sums->text to a value that is not null.
static void
make_text(compact_sums *sums, ctx_kind kind, const compact_value *value)
{
    compact_value_text(kind, value, &sums->value, &sums->text);
    lp_arena_note(&sums->arena, lp_buf_check(&sums->value));
}

static uint64_t
key_of(ctx_kind kind, const compact_value *value)
{
    return kind == CTX_STRING
               ? lp_hash_bytes(lp_hash_number(lp_hash_seed(), value->coder) | 1, value->bytes)
               : value->bits;
}

typedef struct found {
    compact_sums_values values;
    char trace[ROLLUP_EXEMPLAR_BYTES_MAX + 1];
} found;

static void
take_value(compact_sums *sums, compact_attribute_sums *attribute, ctx_kind kind,
    const compact_value *value, compact_id_use ids, uint8_t *out_value, char *out_trace)
{
    if (value->is_null) {
        return;
    }
    if (attribute->is_id && ids != COMPACT_IDS_IGNORED) {
        make_text(sums, kind, value);
        compact_sums_add_id(
            sums, lp_buf_slice(&sums->text), attribute->is_trace, ids == COMPACT_IDS_KEPT);
        if (attribute->is_trace) {
            compact_longest_set_trace(out_trace, lp_buf_slice(&sums->text));
        }
    }
    if (attribute->has_too_many) {
        return;
    }
    uint64_t key = key_of(kind, value);
    uint32_t known = compact_sums_find_key(attribute, key);
    if (known == LP_MAP_NONE) {
        make_text(sums, kind, value);
        lp_arena_note(&sums->arena, lp_buf_check(&sums->text));
        known = sums->arena.is_failed
                    ? (uint32_t)COMPACT_VALUE_NONE
                    : compact_sums_learn(sums, attribute, key, lp_buf_slice(&sums->text), false);
    }
    *out_value = (uint8_t)known;
}

typedef struct known_type {
    const char *name;          // in the output, where it is a valid name of Java
    const policy_index *index; // the policy's; NULL: none
} known_type;

static known_type *
know_types(const compact_frame *frame, compact_sums *sums)
{
    compact_sums_check(sums);
    known_type *known = LP_ARENA_ARRAY(&sums->arena, known_type, frame->type_count);
    for (size_t i = 0; i < frame->type_count && !sums->arena.is_failed; i++) {
        known[i].name = compact_context_class_name(&sums->arena, &frame->types[i]);
        known[i].index =
            policy_find(frame->options->policy, frame->types[i].name, true).context_index;
    }
    return known;
}

// find returns the type of a context and finds its values. NULL if the type is unknown or left out.
static compact_type_sums *
find(const compact_frame *frame, const known_type *types, const compact_contexts *contexts,
    const compact_context *context, compact_id_use ids, found *out)
{
    size_t index = ctx_type_find(frame->types, frame->type_count, context->type_id);
    memset(out->values.of, COMPACT_VALUE_NONE, sizeof(out->values.of));
    out->trace[0] = '\0';
    LP_REQUIRE(index != frame->type_count, NULL);
    compact_sums *sums = frame->view->sums;
    compact_type_sums *type = compact_sums_type(sums, types[index].name, types[index].index);
    if (type == NULL) {
        sums->contexts_left_out += ids != COMPACT_IDS_IGNORED;
        return NULL;
    }
    compact_context_walk w =
        compact_context_walk_begin(frame, contexts, context, &frame->types[index]);
    while (compact_context_walk_next(&w)) {
        uint32_t attribute = compact_sums_attribute(sums, type, w.name);
        if (attribute != LP_MAP_NONE && !w.is_damaged) {
            take_value(sums, type->attributes.items[attribute], w.kind, &w.value, ids,
                &out->values.of[attribute], out->trace);
        }
    }
    return type;
}

static void
count_over(const compact_frame *frame, const compact_context *context, compact_type_sums *type,
    const found *f, bool is_kept)
{
    compact_sums *sums = frame->view->sums;
    int64_t duration_ns = compact_sums_duration_ns(sums, context->begin, context->end);
    compact_sums_count(type, &f->values, duration_ns, is_kept);
    compact_sums_add_to_slice(sums, type, compact_sums_slice(sums, context->begin),
        (size_t)(histogram_bucket(duration_ns) - HISTOGRAM_ZERO),
        is_kept ? COMPACT_COUNT_KEPT : COMPACT_COUNT_DROPPED);
    if (!is_kept || context->begin < frame->window.lo) {
        return; // answers use the begin of its first written part, which may differ
    }
    compact_longest *longest = compact_sums_find_longest(sums, type, duration_ns, context->begin);
    if (longest != NULL) {
        longest->thread = compact_identity_java(context->thread_id);
        memcpy(longest->trace, f->trace, sizeof(f->trace));
    }
}

// --- Ids of contexts that are not counted

static void
note_ids(const compact_frame *frame, const known_type *types, const compact_context *context,
    bool is_kept)
{
    compact_sums *sums = frame->view->sums;
    size_t index = ctx_type_find(frame->types, frame->type_count, context->type_id);
    if (index == frame->type_count) {
        return;
    }
    compact_context_walk w =
        compact_context_walk_begin(frame, frame->contexts, context, &frame->types[index]);
    while (compact_context_walk_next(&w)) {
        if (!w.is_damaged && !w.value.is_null && compact_sums_is_id(types[index].index, w.name)) {
            make_text(sums, w.kind, &w.value);
            compact_sums_add_id(
                sums, lp_buf_slice(&sums->text), rollup_id_is_trace(w.name), is_kept);
        }
    }
}

// note_before notes the trace ids of a dropped context, if it began before the chunk.
static void
note_before(const compact_frame *frame, const compact_context *context)
{
    compact_sums *sums = frame->view->sums;
    size_t index = ctx_type_find(frame->types, frame->type_count, context->type_id);
    if (!sums->has_traces || context->begin >= frame->window.lo || index == frame->type_count) {
        return;
    }
    compact_context_walk w =
        compact_context_walk_begin(frame, frame->contexts, context, &frame->types[index]);
    while (compact_context_walk_next(&w)) {
        if (!w.is_damaged && !w.value.is_null && rollup_id_is_trace(w.name)) {
            make_text(sums, w.kind, &w.value);
            compact_sums_add_before(sums, lp_buf_slice(&sums->text));
        }
    }
}

// note_parts notes the ids of contexts that have a part in the chunk and go on after it. They may
// be open until the JVM ends, or the chunk in which they end may be missing.
static void
note_parts(const compact_frame *frame, const known_type *types, const compact_contexts *known,
    const compact_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        size_t index = parts->items[i].context;
        bool is_counted = index < known->items.count &&
                          compact_account_is_over(frame, &known->items.items[index], index);
        if (!is_counted) {
            note_ids(frame, types, &frame->contexts->items.items[index], true);
        }
    }
}

// note_left notes the ids of contexts without a part in the last chunk, if they are open at its end
// or their records came after it: nothing more may ever be known of them. A later chunk that cannot
// be read does not count here: an id that is noted too often costs a search a chunk, but one that
// is not noted is never found.
static void
note_left(const compact_frame *frame, const known_type *types, const compact_contexts *known,
    const compact_parts *parts)
{
    size_t next = 0;
    for (size_t i = 0; i < frame->contexts->items.count; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        bool is_here = compact_parts_find(parts, &next, i) != NULL;
        bool is_over = i < known->items.count && known->items.items[i].end < frame->window.hi;
        if (!is_here && !is_over) {
            note_ids(frame, types, context, context->is_written);
            if (!context->is_written) {
                note_before(frame, context);
            }
        }
    }
}

// --- All of them

void
compact_rollup_contexts_count(
    const compact_frame *frame, const compact_contexts *known, const compact_parts *parts)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(frame->view->sums != NULL);
    LP_ASSERT(known->items.count <= frame->contexts->items.count);
    compact_sums *sums = frame->view->sums;
    const known_type *types = know_types(frame, sums);
    size_t stride = compact_rollup_stride(parts->count);
    size_t next = 0; // they come in the order of the contexts
    for (size_t i = 0; i < known->items.count && !sums->arena.is_failed; i++) {
        const compact_context *context = &known->items.items[i];
        const compact_part *part = compact_parts_find(parts, &next, i);
        bool is_over = compact_account_is_over(frame, context, i);
        bool is_divided = part != NULL && next % stride == 0;
        if (!is_over && !is_divided) {
            continue;
        }
        bool is_kept = context->is_written || part != NULL;
        compact_id_use ids = !is_over  ? COMPACT_IDS_IGNORED
                             : is_kept ? COMPACT_IDS_KEPT
                                       : COMPACT_IDS_DROPPED;
        found f;
        compact_type_sums *type = find(frame, types, known, context, ids, &f);
        if (type != NULL && is_over) {
            count_over(frame, context, type, &f, is_kept);
        }
        if (ids == COMPACT_IDS_DROPPED) {
            note_before(frame, context);
        }
        if (type != NULL && is_divided) {
            const compact_divided divided = {
                type, f.values, compact_identity_java(context->thread_id), part->begin, part->end};
            LP_ARENA_PUSH_BESIDE(&sums->arena, &sums->divided, divided);
        }
    }
    if (!sums->arena.is_failed) {
        note_parts(frame, types, known, parts);
    }
    if (!sums->arena.is_failed && frame->ahead_count == 0) {
        note_left(frame, types, known, parts);
    }
}
