// SPDX-License-Identifier: Apache-2.0
// rollup_contexts: counts the contexts of the Loupe API for the rollup of a chunk.
//
// Tests: tests/unit/engine/job/test_rollup_make.c, tests/prop/test_rollup_prop.c

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_name.h"
#include "engine/carry/identities.h"
#include "engine/contexts/value.h"
#include "engine/job/rollup_make.h"
#include "engine/write/account.h"

#include <string.h>

// learn_text adds a key for the text in sums->text.
static uint32_t
learn_text(compact_sums *sums, compact_attribute_sums *attribute, uint64_t key)
{
    lp_arena_note(&sums->arena, lp_buf_check(&sums->text));
    return sums->arena.is_failed
               ? (uint32_t)COMPACT_VALUE_NONE
               : compact_sums_learn(sums, attribute, key, lp_buf_slice(&sums->text), false);
}

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

// The values of a context, and its trace id.
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
        compact_sums_add_id(sums, lp_buf_slice(&sums->text), ids == COMPACT_IDS_KEPT);
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
        known = learn_text(sums, attribute, key);
    }
    *out_value = (uint8_t)known;
}

static void
read_map(const compact_frame *frame, const compact_contexts *contexts,
    const compact_context *context, compact_type_sums *type, compact_id_use ids, found *out)
{
    compact_sums *sums = frame->view->sums;
    const ctx_recording *map =
        compact_recordings_find(frame->recordings, compact_recordings_id(contexts, context));
    for (size_t i = 0; map != NULL && i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        uint32_t attribute = compact_sums_attribute(sums, type, entry->key);
        if (attribute != LP_MAP_NONE) {
            const compact_value value = {
                .is_null = entry->is_null, .bytes = entry->value, .coder = COMPACT_CODER_UTF8};
            take_value(sums, type->attributes.items[attribute], CTX_STRING, &value, ids,
                &out->values.of[attribute], out->trace);
        }
    }
}

static void
read_values(const compact_frame *frame, const compact_contexts *contexts,
    const compact_context *context, const ctx_type *described, compact_type_sums *type,
    compact_id_use ids, found *out)
{
    compact_sums *sums = frame->view->sums;
    compact_values values = compact_contexts_values(contexts, context);
    compact_value value;
    for (size_t i = 0; i < described->attribute_count; i++) {
        const ctx_attribute *attribute = &described->attributes[i];
        uint32_t index = compact_sums_attribute(sums, type, attribute->name);
        if (!compact_values_read(&values, attribute->kind, &value)) {
            return;
        }
        if (index != LP_MAP_NONE) {
            take_value(sums, type->attributes.items[index], attribute->kind, &value, ids,
                &out->values.of[index], out->trace);
        }
    }
}

// A type of contexts in the output and in the policy.
typedef struct known_type {
    const char *name;          // in the output, where it is a valid name of Java
    const policy_index *index; // the policy's; NULL: none
} known_type;

// know_types returns the known types, parallel to frame->types, in the arena of sums.
static known_type *
know_types(const compact_frame *frame, compact_sums *sums)
{
    known_type *known = LP_ARENA_ARRAY(&sums->arena, known_type, frame->type_count);
    for (size_t i = 0; i < frame->type_count && !sums->arena.is_failed; i++) {
        lp_buf_clear(&sums->text);
        jfr_type_name_append(&sums->text, frame->types[i].name);
        lp_arena_note(&sums->arena, lp_buf_check(&sums->text));
        known[i].name = lp_arena_string(&sums->arena, lp_buf_slice(&sums->text));
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
    if (index == frame->type_count) {
        return NULL;
    }
    const ctx_type *described = &frame->types[index];
    compact_type_sums *type =
        compact_sums_type(frame->view->sums, types[index].name, types[index].index);
    if (type == NULL) {
        frame->view->sums->contexts_left_out += ids != COMPACT_IDS_IGNORED;
        return NULL;
    }
    if (described->is_recording) {
        read_map(frame, contexts, context, type, ids, out);
    } else {
        read_values(frame, contexts, context, described, type, ids, out);
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
    compact_sums_add_to_slice(sums, type, context->begin,
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
note_id(compact_sums *sums, const policy_index *index, const char *name, ctx_kind kind,
    const compact_value *value, bool is_kept)
{
    if (!value->is_null && compact_sums_is_id(index, name)) {
        make_text(sums, kind, value);
        compact_sums_add_id(sums, lp_buf_slice(&sums->text), is_kept);
    }
}

static void
note_ids_of_map(
    const compact_frame *frame, const known_type *type, const ctx_recording *map, bool is_kept)
{
    for (size_t i = 0; map != NULL && i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        const compact_value value = {
            .is_null = entry->is_null, .bytes = entry->value, .coder = COMPACT_CODER_UTF8};
        note_id(frame->view->sums, type->index, entry->key, CTX_STRING, &value, is_kept);
    }
}

static void
note_ids_of_values(const compact_frame *frame, const known_type *type, const ctx_type *described,
    compact_values values, bool is_kept)
{
    compact_value value;
    for (size_t i = 0; i < described->attribute_count; i++) {
        const ctx_attribute *attribute = &described->attributes[i];
        if (!compact_values_read(&values, attribute->kind, &value)) {
            return;
        }
        note_id(frame->view->sums, type->index, attribute->name, attribute->kind, &value, is_kept);
    }
}

static void
note_ids(const compact_frame *frame, const known_type *types, const compact_context *context,
    bool is_kept)
{
    const compact_contexts *contexts = frame->contexts;
    size_t index = ctx_type_find(frame->types, frame->type_count, context->type_id);
    if (index == frame->type_count) {
        return;
    }
    if (frame->types[index].is_recording) {
        uint64_t id = compact_recordings_id(contexts, context);
        note_ids_of_map(
            frame, &types[index], compact_recordings_find(frame->recordings, id), is_kept);
    } else {
        note_ids_of_values(frame, &types[index], &frame->types[index],
            compact_contexts_values(contexts, context), is_kept);
    }
}

// is_counted returns whether the context at index is one of known and is counted with this chunk.
static bool
is_counted(const compact_frame *frame, const compact_contexts *known, size_t index)
{
    return index < known->items.count &&
           compact_account_is_over(frame, &known->items.items[index], index);
}

// note_parts notes the ids of contexts that have a part in the chunk and go on after it. They may
// be open until the JVM ends, or the chunk in which they end may be missing.
static void
note_parts(const compact_frame *frame, const known_type *types, const compact_contexts *known,
    const compact_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        size_t index = parts->items[i].context;
        if (!is_counted(frame, known, index)) {
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
        while (next < parts->count && parts->items[next].context < i) {
            next++;
        }
        bool is_here = next < parts->count && parts->items[next].context == i;
        bool is_over = i < known->items.count && known->items.items[i].end < frame->window.hi;
        if (!is_here && !is_over) {
            note_ids(frame, types, context, context->is_written);
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
    compact_sums *sums = frame->view->sums;
    const known_type *types = know_types(frame, sums);
    size_t stride = compact_rollup_stride(parts->count);
    size_t next = 0; // they come in the order of the contexts
    for (size_t i = 0; i < known->items.count && !sums->arena.is_failed; i++) {
        const compact_context *context = &known->items.items[i];
        while (next < parts->count && parts->items[next].context < i) {
            next++;
        }
        const compact_part *part =
            next < parts->count && parts->items[next].context == i ? &parts->items[next] : NULL;
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
