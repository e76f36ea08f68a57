// SPDX-License-Identifier: Apache-2.0
#include "engine/show/shown_contexts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/contexts/contexts.h"
#include "engine/read/kind_values.h"
#include "engine/show/survey.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = COMPACT_CONTEXT_STACKS_NONE };

// In compact_reader.known.
enum {
    TYPE_NEW,
    TYPE_IGNORED,
    TYPE_FIRST, // plus an index of types
};

_Static_assert(
    (int)COMPACT_KINDS_MAX <= (int)COMPACT_CONTEXT_STACKS_TYPES_MAX, "kinds are its types");

static void
shown_check(const compact_shown_contexts *s)
{
    LP_ASSERT(s->arena != NULL && s->intervals.count == s->items.count);
}

// --- Reading contextual events

static lp_err
reader_init(compact_reader *reader, const compact_kinds *kinds, const compact_view *view,
    const compact_view *target)
{
    compact_view_check(view);
    compact_view_check(target);
    *reader = (compact_reader){
        .kinds = kinds,
        .view = view,
        .target = target,
        .known = calloc(view->schema->metadata.types.count + 1, sizeof(*reader->known)),
    };
    return reader->known == NULL ? LP_ENOMEM : LP_OK;
}

static void
reader_fini(compact_reader *reader)
{
    free(reader->known);
    LP_VEC_FINI(&reader->types);
}

static void
reader_check(const compact_reader *r)
{
    LP_ASSERT(r->known != NULL && r->view != NULL && r->target != NULL);
}

// find_lasting returns the target's pool of a type whose keys are the same in all chunks, or
// JFR_NONE.
static uint32_t
find_lasting(const compact_reader *r, const char *reference)
{
    reader_check(r);
    static const char *const names[] = {"java.lang.Class", "java.lang.Thread", "jdk.types.Method"};
    for (size_t i = 0; reference != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(reference, names[i]) == 0) {
            return jfr_metadata_find_type_named(&r->target->schema->metadata, reference);
        }
    }
    return JFR_NONE;
}

static lp_err
add_type(compact_reader *r, uint32_t type)
{
    reader_check(r);
    LP_ASSERT(r->known[type] == TYPE_NEW);
    const jfr_metadata *metadata = &r->view->schema->metadata;
    uint32_t kind = compact_kinds_find(r->kinds, jfr_metadata_type_name(metadata, type));
    if (kind == COMPACT_KINDS_MAX) {
        r->known[type] = TYPE_IGNORED;
        return LP_OK;
    }
    LP_REQUIRE(LP_VEC_ROOM(&r->types), LP_ENOMEM);
    const compact_kind *k = &r->kinds->items.items[kind];
    struct compact_reader_type new_type = {
        .kind = kind,
        .reading = compact_reading_make(k, metadata, type, &r->view->pools),
    };
    for (size_t i = 0; i < k->attribute_count; i++) {
        new_type.lasting[i] = find_lasting(r, k->attributes[i].reference);
    }
    r->known[type] = (uint32_t)r->types.count + TYPE_FIRST;
    r->types.items[r->types.count++] = new_type;
    return LP_OK;
}

// reader_find sets *out_kind to the kind of the contextual event at offset, COMPACT_KINDS_MAX if it
// is not among kinds.
static lp_err
reader_find(compact_reader *reader, uint32_t offset, uint32_t *out_kind)
{
    reader_check(reader);
    uint32_t type = compact_view_event(reader->view, offset).type;
    if (reader->known[type] == TYPE_NEW) {
        LP_TRY(add_type(reader, type));
    }
    *out_kind = reader->known[type] == TYPE_IGNORED
                    ? (uint32_t)COMPACT_KINDS_MAX
                    : reader->types.items[reader->known[type] - TYPE_FIRST].kind;
    return LP_OK;
}

// means_the_same returns whether the event's chunk and the target both have the constant of a
// lasting reference.
static bool
means_the_same(
    const compact_reader *r, const struct compact_reader_type *type, size_t attribute, uint64_t key)
{
    reader_check(r);
    uint32_t own = type->reading.values[attribute].pool;
    uint32_t lasting = type->lasting[attribute];
    return type->reading.values[attribute].is_there && lasting != JFR_NONE &&
           jfr_pools_find(&r->view->pools, own, key) != NULL &&
           jfr_pools_find(&r->target->pools, lasting, key) != NULL;
}

static void
append_lasting(const compact_reader *r, const struct compact_reader_type *type,
    const compact_kind *kind, lp_slice values, lp_buf *out)
{
    reader_check(r);
    jfr_cursor cursor = jfr_cursor_over(values);
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        uint64_t key;
        lp_slice value = compact_kind_next_value(attribute, &cursor, &key);
        if (attribute->reference == NULL || means_the_same(r, type, i, key)) {
            lp_buf_append(out, value.ptr, value.len);
        } else {
            lp_buf_append(out, "", 1);
        }
    }
}

// reader_append appends the values of an event whose kind reader_find returned.
static lp_err
reader_append(const compact_reader *reader, uint32_t offset, lp_buf *out)
{
    reader_check(reader);
    const compact_event event = compact_view_event(reader->view, offset);
    LP_ASSERT(reader->known[event.type] >= TYPE_FIRST); // reader_find was called
    const struct compact_reader_type *type =
        &reader->types.items[reader->known[event.type] - TYPE_FIRST];
    const compact_kind *kind = &reader->kinds->items.items[type->kind];
    bool is_own = reader->view == reader->target;
    if (is_own) {
        compact_kind_append_event(kind, &type->reading, event.payload, true, out);
        return lp_buf_check(out);
    }
    lp_buf values = {0};
    compact_kind_append_event(kind, &type->reading, event.payload, false, &values);
    lp_err err = lp_buf_check(&values);
    if (err == LP_OK) {
        append_lasting(reader, type, kind, lp_buf_slice(&values), out);
        err = lp_buf_check(out);
    }
    lp_buf_fini(&values);
    return err;
}

// --- Kinds, and the contextual events of the next chunk

// list_kinds lists the kinds that events may show: all kinds of the file, if there is a survey.
static void
list_kinds(compact_shown_contexts *s, const compact_options *options, const compact_schema *schema)
{
    shown_check(s);
    for (size_t i = 0; i < s->type_count; i++) { // they are few, and come first
        compact_kinds_add_context(&s->kinds, &s->types[i]);
    }
    const compact_kinds *all = options->survey == NULL ? NULL : &options->survey->kinds;
    for (size_t i = 0; all != NULL && i < all->items.count; i++) {
        compact_kinds_add_copy(&s->kinds, &all->items.items[i]);
    }
    for (uint32_t i = 0; all == NULL && i < schema->metadata.types.count; i++) {
        if (compact_survey_may_have(schema, i)) {
            compact_kinds_add_event(&s->kinds, &schema->metadata, i);
        }
    }
    compact_kinds_sort(&s->kinds);
    s->api_kinds = LP_ARENA_ARRAY(s->arena, uint32_t, s->type_count);
    for (size_t i = 0; s->api_kinds != NULL && i < s->type_count; i++) {
        s->api_kinds[i] = compact_kinds_find(&s->kinds, s->types[i].name);
    }
    compact_columns_init(&s->columns, s->arena, &s->kinds, &schema->metadata);
}

// find_kind is reader_find; COMPACT_KINDS_MAX if memory ran out.
static uint32_t
find_kind(compact_shown_contexts *s, compact_reader *r, uint32_t offset)
{
    uint32_t kind = COMPACT_KINDS_MAX;
    lp_arena_note(s->arena, reader_find(r, offset, &kind));
    return kind;
}

static void
take_ahead(compact_shown_contexts *s, compact_reader *r, const compact_span *span, uint32_t thread)
{
    shown_check(s);
    uint32_t kind = find_kind(s, r, span->offset);
    if (kind == COMPACT_KINDS_MAX) {
        return;
    }
    size_t begin = s->values.len;
    lp_arena_note(s->arena, reader_append(r, span->offset, &s->values));
    LP_ARENA_PUSH(s->arena, &s->ahead,
        (struct compact_shown_contexts_ahead){
            .interval = {span->begin, span->commit, thread, kind},
            .values = begin,
            .size_bytes = (uint32_t)(s->values.len - begin),
        });
}

// is_known_ahead returns whether a context of the next chunk is certainly kept if it applies to a
// kept event. If it ends before recent_min, that event may have been forgotten.
static bool
is_known_ahead(const compact_frame *frame, const compact_decided *decided, size_t index)
{
    const compact_span *span = &frame->aheads[0].view->spans.items[index];
    return compact_decided_matters_ahead(decided, 0, index) && span->thread != COMPACT_NO_THREAD &&
           span->fate != COMPACT_DROPPED && span->begin <= frame->view->commit_max &&
           span->begin <= span->commit && span->commit >= frame->recent_min;
}

static void
collect_ahead(compact_shown_contexts *s, const compact_frame *frame, const compact_decided *decided)
{
    shown_check(s);
    const compact_ahead *ahead = &frame->aheads[0];
    compact_reader r;
    lp_err err = reader_init(&r, &s->kinds, ahead->view, frame->view);
    lp_arena_note(s->arena, err);
    for (size_t i = 0; i < ahead->view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &ahead->view->spans.items[i];
        if (!is_known_ahead(frame, decided, i) || !compact_view_fits(ahead->view, span->offset)) {
            continue;
        }
        uint32_t thread = lp_map_find(&s->threads, ahead->identities[span->thread]);
        if (thread != LP_MAP_NONE) {
            take_ahead(s, &r, span, thread);
        }
    }
    reader_fini(&r);
}

void
compact_shown_contexts_begin(compact_shown_contexts *s, lp_arena *arena, const compact_frame *frame,
    const compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame));
    *s = (compact_shown_contexts){
        .arena = arena,
        .kinds = {.arena = arena, .has_numbers = true},
        .identities = frame->identities,
        .contexts = frame->contexts,
        .types = decided->types,
        .type_count = frame->type_count,
        .horizon = frame->window.hi,
    };
    compact_identities_map(frame->view, frame->identities, arena, &s->threads);
    list_kinds(s, frame->options, frame->view->schema);
    if (frame->ahead_count > 0) { // the policy decides how many more are known
        collect_ahead(s, frame, decided);
    }
}

void
compact_shown_contexts_fini(compact_shown_contexts *shown)
{
    lp_map_fini(&shown->threads);
    lp_buf_fini(&shown->values);
    lp_buf_fini(&shown->scratch);
    LP_VEC_FINI(&shown->intervals);
    LP_VEC_FINI(&shown->items);
    reader_fini(&shown->reader);
    for (size_t i = 0; i < COMPACT_SHOWN_CONTEXTS_POOLS; i++) {
        compact_constants_fini(&shown->constants[i]);
    }
    *shown = (compact_shown_contexts){0};
}

// --- All contexts

static void
add_item(compact_shown_contexts *s, compact_stack_moments_context interval,
    struct compact_shown_contexts_item item)
{
    if (!LP_VEC_ROOM(&s->intervals) || !LP_VEC_ROOM(&s->items)) {
        lp_arena_fail(s->arena);
        return;
    }
    s->intervals.items[s->intervals.count++] = interval;
    s->items.items[s->items.count++] = item;
}

static void
add_span(compact_shown_contexts *s, size_t index)
{
    shown_check(s);
    const compact_span *span = &s->view->kept_spans.items[index];
    s->span_items[index] = NONE;
    if (span->thread == COMPACT_NO_THREAD || span->begin > span->commit ||
        !compact_view_fits(s->view, span->offset)) {
        return;
    }
    uint32_t kind = find_kind(s, &s->reader, span->offset);
    if (kind == COMPACT_KINDS_MAX) {
        return;
    }
    s->span_items[index] = (uint32_t)s->items.count;
    const compact_stack_moments_context interval = {
        span->begin, span->commit, compact_shown_contexts_thread(s, span->thread), kind};
    add_item(s, interval,
        (struct compact_shown_contexts_item){
            .origin = COMPACT_SHOWN_CONTEXTS_SPAN, .index = (uint32_t)index});
}

static void
add_ahead(compact_shown_contexts *s)
{
    shown_check(s);
    for (size_t i = 0; i < s->ahead.count; i++) {
        add_item(s, s->ahead.items[i].interval,
            (struct compact_shown_contexts_item){
                .origin = COMPACT_SHOWN_CONTEXTS_AHEAD, .index = (uint32_t)i});
    }
}

// visible_end returns COMPACT_OPEN_END for an end after the chunk: whether that is known yet
// depends on where the records of later chunks are cut.
static int64_t
visible_end(const compact_shown_contexts *s, int64_t end)
{
    return end < s->horizon || end <= s->view->commit_max ? end : COMPACT_OPEN_END;
}

static void
add_api(compact_shown_contexts *s)
{
    shown_check(s);
    for (size_t i = 0; i < s->contexts->items.count; i++) {
        const compact_context *c = &s->contexts->items.items[i];
        uint32_t thread = lp_map_find(&s->threads, compact_identity_java(c->thread_id));
        size_t type = ctx_type_find(s->types, s->type_count, c->type_id);
        if (c->is_ignored || thread == LP_MAP_NONE || type == s->type_count || c->begin > c->end ||
            c->begin > s->view->commit_max || s->api_kinds[type] == COMPACT_KINDS_MAX) {
            continue;
        }
        const compact_stack_moments_context interval = {
            c->begin, visible_end(s, c->end), thread, s->api_kinds[type]};
        add_item(s, interval,
            (struct compact_shown_contexts_item){
                .origin = COMPACT_SHOWN_CONTEXTS_API, .index = (uint32_t)i});
    }
}

// salt_constants gives constants the same keys in all chunks, except float and double: if the
// previous chunk has the key, JDK 17's reader skips the constant, and for these types 32 or 64
// bytes.
static void
salt_constants(compact_shown_contexts *s, const jfr_chunk_info *info)
{
    shown_check(s);
    const uint64_t chunk[] = {
        (uint64_t)info->start_wall_ns, (uint64_t)info->start_ticks, s->rewrite->source};
    for (size_t i = 0; i < COMPACT_SHOWN_CONTEXTS_POOLS; i++) {
        s->constants[i].salt = LP_HASH_FIXED;
        if (i == CTX_FLOAT || i == CTX_DOUBLE) {
            compact_constants_salt(
                &s->constants[i], (lp_slice){(const uint8_t *)chunk, sizeof(chunk)});
        }
    }
}

lp_err
compact_shown_contexts_list(
    compact_shown_contexts *shown, compact_view *view, const jfr_rewrite *rewrite)
{
    shown_check(shown);
    LP_ASSERT(shown->items.count == 0 && rewrite != NULL); // once
    shown->view = view;
    shown->rewrite = rewrite;
    salt_constants(shown, &view->info);
    shown->span_items = LP_ARENA_ARRAY(shown->arena, uint32_t, view->kept_spans.count);
    lp_err err = reader_init(&shown->reader, &shown->kinds, view, view);
    LP_REQUIRE(err == LP_OK && shown->span_items != NULL, LP_ENOMEM);
    for (size_t i = 0; i < view->kept_spans.count; i++) {
        add_span(shown, i);
    }
    add_ahead(shown);
    add_api(shown);
    return lp_arena_err(shown->arena);
}

// --- Values

// take_value appends the key of a value; 0 for null.
static void
take_value(compact_shown_contexts *s, ctx_kind values, lp_slice value)
{
    bool is_null = *value.ptr == JFR_STRING_NULL;
    if (values != CTX_STRING) { // without the first byte
        value = (lp_slice){value.ptr + 1, value.len - 1};
    }
    jfr_varint_append(
        &s->values, is_null ? 0 : compact_constants_add(&s->constants[values], value));
}

// take_values appends the values of a context of this kind, translated for the output, and marks
// the constants that they refer to.
static void
take_values(compact_shown_contexts *s, uint32_t kind, lp_slice values, jfr_pools *pools)
{
    shown_check(s);
    jfr_cursor cursor = jfr_cursor_over(values);
    for (size_t i = 0; i < s->kinds.items.items[kind].attribute_count; i++) {
        const compact_column *column = &s->columns.items[s->columns.first[kind] + i];
        const compact_attribute *attribute = &s->kinds.items.items[kind].attributes[i];
        uint64_t key;
        lp_slice value = compact_kind_next_value(attribute, &cursor, &key);
        if (attribute->reference == NULL) {
            take_value(s, column->values, value);
        } else if (column->pool == JFR_NONE) { // a text that is always null
            lp_buf_append(&s->values, "", 1);
        } else {
            jfr_pools_mark(pools, column->pool, key);
            jfr_varint_append(&s->values, jfr_rewrite_key(s->rewrite, column->pool, key));
        }
    }
}

static void
append_raw(compact_shown_contexts *s, uint32_t index, lp_buf *out)
{
    shown_check(s);
    const struct compact_shown_contexts_item *item = &s->items.items[index];
    if (item->origin == COMPACT_SHOWN_CONTEXTS_SPAN) {
        uint32_t offset = s->view->kept_spans.items[item->index].offset;
        lp_arena_note(s->arena, reader_append(&s->reader, offset, out));
        return;
    }
    if (item->origin == COMPACT_SHOWN_CONTEXTS_AHEAD) {
        const struct compact_shown_contexts_ahead *ahead = &s->ahead.items[item->index];
        lp_buf_append(out, s->values.ptr + ahead->values, ahead->size_bytes);
        return;
    }
    const compact_kind *kind = &s->kinds.items.items[s->intervals.items[index].type];
    const compact_context *c = &s->contexts->items.items[item->index];
    const ctx_type *type = &s->types[ctx_type_find(s->types, s->type_count, c->type_id)];
    // A damaged one has null values; it is counted with the parts.
    (void)compact_kind_append_record(kind, type, compact_contexts_values(s->contexts, c), out);
}

void
compact_shown_contexts_render(compact_shown_contexts *shown, uint32_t context, jfr_pools *pools)
{
    shown_check(shown);
    LP_ASSERT(context < shown->items.count);
    struct compact_shown_contexts_item *item = &shown->items.items[context];
    if (item->is_rendered) {
        return;
    }
    lp_buf_clear(&shown->scratch);
    append_raw(shown, context, &shown->scratch);
    lp_arena_note(shown->arena, lp_buf_check(&shown->scratch));
    item->values = shown->values.len;
    if (!shown->scratch.is_failed) {
        take_values(
            shown, shown->intervals.items[context].type, lp_buf_slice(&shown->scratch), pools);
    }
    item->size_bytes = (uint32_t)(shown->values.len - item->values);
    item->is_rendered = true;
}

lp_err
compact_shown_contexts_err(const compact_shown_contexts *shown)
{
    shown_check(shown);
    lp_err err = lp_arena_err(shown->arena);
    LP_THEN(err, lp_buf_check(&shown->values));
    for (size_t i = 0; i < COMPACT_SHOWN_CONTEXTS_POOLS && err == LP_OK; i++) {
        err = compact_constants_check(&shown->constants[i]);
    }
    return err;
}
