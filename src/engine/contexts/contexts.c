// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/contexts.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

#include <string.h>

static void
contexts_check(const compact_contexts *contexts)
{
    LP_ASSERT(contexts->arena != NULL);
    LP_ASSERT(contexts->open_min <= contexts->items.count);
}

// A thread has at most one open context of a type.
static uint64_t
key_of(int64_t thread_id, uint16_t type_id)
{
    return (uint64_t)thread_id << 16 | type_id; // Java thread ids count from 1: 48 bits are plenty
}

static void
end_context(const compact_contexts *contexts, int64_t thread_id, uint16_t type_id, int64_t ticks)
{
    uint32_t index = lp_map_find(&contexts->open, key_of(thread_id, type_id));
    if (index != LP_MAP_NONE && contexts->items.items[index].end == COMPACT_OPEN_END) {
        contexts->items.items[index].end = ticks;
    }
}

static void
end_thread(const compact_contexts *contexts, int64_t thread_id, int64_t ticks)
{
    // NOLINTNEXTLINE(bugprone-too-small-loop-variable): ids of types are up to CTX_TYPES_MAX
    for (uint16_t type_id = 1; type_id <= CTX_TYPES_MAX; type_id++) {
        end_context(contexts, thread_id, type_id, ticks);
    }
}

// end_all ends all contexts at CTX_THREAD_ALL: records were lost from ticks on. Because open_min
// moves past the ended items, many such records cost no more than one.
static void
end_all(compact_contexts *contexts, int64_t ticks)
{
    contexts_check(contexts);
    for (; contexts->open_min < contexts->items.count; contexts->open_min++) {
        compact_context *context = &contexts->items.items[contexts->open_min];
        if (context->end == COMPACT_OPEN_END) {
            context->end = ticks > context->begin ? ticks : context->begin;
            context->is_unmeasured = true;
        }
    }
}

void
compact_contexts_init(compact_contexts *contexts, lp_arena *arena)
{
    *contexts = (compact_contexts){.arena = arena, .next_id = 1, .until = INT64_MAX};
}

void
compact_contexts_fini(compact_contexts *contexts)
{
    LP_VEC_FINI(&contexts->items);
    lp_buf_fini(&contexts->values);
    lp_map_fini(&contexts->open);
    compact_contexts_init(contexts, contexts->arena);
}

// note_replaced marks the previous context of the same thread and type, if this one replaces it.
static void
note_replaced(compact_contexts *contexts, const compact_context *context)
{
    contexts_check(contexts);
    uint32_t before = lp_map_find(&contexts->open, key_of(context->thread_id, context->type_id));
    if (before != LP_MAP_NONE && contexts->items.items[before].end == context->begin) {
        contexts->items.items[before].is_replaced = true;
    }
}

uint32_t
compact_contexts_append(compact_contexts *contexts, lp_slice bytes)
{
    contexts_check(contexts);
    size_t offset = contexts->values.len;
    if (bytes.len > UINT32_MAX - offset) {
        contexts->is_full = true;
        return 0;
    }
    lp_buf_append(&contexts->values, bytes.ptr, bytes.len);
    lp_arena_note(contexts->arena, lp_buf_check(&contexts->values));
    return (uint32_t)offset;
}

void
compact_contexts_add(
    compact_contexts *contexts, const compact_context *context, const uint8_t *values)
{
    uint32_t offset = compact_contexts_append(contexts, (lp_slice){values, context->values_bytes});
    if (!LP_VEC_ROOM(&contexts->items)) {
        lp_arena_fail(contexts->arena);
    }
    if (compact_contexts_err(contexts) != LP_OK) {
        return;
    }
    size_t count = contexts->items.count;
    LP_ASSERT(count == 0 || contexts->items.items[count - 1].id < context->id);
    note_replaced(contexts, context);
    compact_context *slot = &contexts->items.items[contexts->items.count++];
    *slot = *context;
    slot->late = 0;
    slot->values_offset = offset;
    lp_arena_put(contexts->arena, &contexts->open, key_of(context->thread_id, context->type_id),
        (uint32_t)(contexts->items.count - 1));
}

static void
begin_context(compact_contexts *contexts, const ctx_record_header *header, const uint8_t *values)
{
    end_context(contexts, header->thread_id, header->type_id, header->time_ticks);
    const compact_context context = {
        .id = contexts->next_id++,
        .thread_id = header->thread_id,
        .begin = header->time_ticks,
        .end = COMPACT_OPEN_END,
        .values_bytes = header->size_bytes - CTX_RECORD_HEADER_BYTES,
        .type_id = header->type_id,
    };
    compact_contexts_add(contexts, &context, values);
}

// set applies a record of kind CTX_RECORD_SET. Returns false over 4 GiB of values or texts.
static bool
set(compact_contexts *contexts, const ctx_record_header *header, const uint8_t *values,
    compact_completions *completions)
{
    if (compact_completions_has(completions, header->type_id)) {
        return compact_completions_add(
            completions, header, (lp_slice){values, header->size_bytes - CTX_RECORD_HEADER_BYTES});
    }
    begin_context(contexts, header, values);
    return !contexts->is_full;
}

// skip counts the context or the sign that a record would add.
static void
skip(compact_contexts *contexts, const ctx_record_header *header, compact_completions *completions)
{
    if (header->kind != CTX_RECORD_SET) {
        return;
    }
    if (compact_completions_has(completions, header->type_id)) {
        compact_completions_skip(completions, header->type_id);
    } else {
        contexts->next_id++;
    }
}

lp_err
compact_contexts_feed(compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *out_problem)
{
    contexts_check(contexts);
    LP_ASSERT(completions->arena != NULL);
    size_t offset = 0;
    while (offset < records.len) {
        ctx_record_header header;
        LP_REQUIRE(records.len - offset >= sizeof(header),
            lp_problem_at(out_problem, LP_ECORRUPT, offset, "a context record is cut off"));
        memcpy(&header, records.ptr + offset, sizeof(header));
        if (header.size_bytes < sizeof(header) || header.size_bytes % 8 != 0 ||
            header.size_bytes > records.len - offset) {
            return lp_problem_at(out_problem, LP_ECORRUPT, offset,
                "a context record of %u bytes, with %zu left", header.size_bytes,
                records.len - offset);
        }
        if (header.time_ticks > contexts->until) {
            skip(contexts, &header, completions);
            offset += header.size_bytes;
            continue;
        }
        switch ((ctx_record_kind)header.kind) {
        case CTX_RECORD_SET:
            LP_REQUIRE(set(contexts, &header, records.ptr + offset + sizeof(header), completions),
                lp_problem_at(out_problem, LP_ELIMIT, offset, "context records of over 4 GiB"));
            break;
        case CTX_RECORD_UNSET:
            end_context(contexts, header.thread_id, header.type_id, header.time_ticks);
            break;
        case CTX_RECORD_THREAD_END:
            if (header.thread_id == CTX_THREAD_ALL) {
                end_all(contexts, header.time_ticks);
            } else {
                end_thread(contexts, header.thread_id, header.time_ticks);
            }
            break;
        default:
            return lp_problem_at(out_problem, LP_ECORRUPT, offset,
                "a context record of unknown kind %u", header.kind);
        }
        offset += header.size_bytes;
    }
    return lp_arena_err(contexts->arena);
}

lp_slice
compact_contexts_recorded(const compact_contexts *contexts, const compact_context *context)
{
    static const uint8_t none[1];
    LP_ASSERT((size_t)context->values_offset + context->values_bytes <= contexts->values.len);
    return (lp_slice){
        context->values_bytes == 0 ? none : contexts->values.ptr + context->values_offset,
        context->values_bytes};
}

compact_values
compact_contexts_values(const compact_contexts *contexts, const compact_context *context)
{
    return (compact_values){
        .recorded = jfr_cursor_over(compact_contexts_recorded(contexts, context)),
        .contexts = contexts,
        .late = context->late,
    };
}

bool
compact_values_read(compact_values *values, ctx_kind kind, compact_value *out_value)
{
    const uint16_t attribute = values->attribute++;
    LP_REQUIRE(compact_value_read(kind, &values->recorded, out_value), false);
    for (uint32_t late = values->late; late != 0;) {
        const compact_late_text *text = &values->contexts->late_texts.items[late - 1];
        if (text->attribute == attribute) {
            const uint8_t *begin = values->contexts->values.ptr + text->offset;
            jfr_cursor cursor = {begin, begin + text->bytes};
            return compact_value_read(CTX_STRING, &cursor, out_value);
        }
        late = text->next;
    }
    return true;
}

// --- Late texts

void
compact_contexts_complete(
    compact_contexts *contexts, compact_context *context, const compact_late_text *text)
{
    contexts_check(contexts);
    uint32_t last = 0;
    for (uint32_t late = context->late; late != 0;) {
        LP_ASSERT(late <= contexts->late_texts.count);
        compact_late_text *other = &contexts->late_texts.items[late - 1];
        if (other->attribute == text->attribute) {
            other->offset = text->offset;
            other->bytes = text->bytes;
            return;
        }
        last = late;
        late = other->next;
    }
    size_t count = contexts->late_texts.count;
    contexts->is_full |= count == UINT32_MAX;
    if (contexts->is_full || !LP_ARENA_RESERVE(contexts->arena, &contexts->late_texts, 1)) {
        return;
    }
    contexts->late_texts.items[count] = *text;
    contexts->late_texts.items[count].next = 0;
    contexts->late_texts.count++;
    *(last == 0 ? &context->late : &contexts->late_texts.items[last - 1].next) =
        (uint32_t)(count + 1);
}

// copy_late copies the late texts of context to the last context of out. copies maps offsets of
// texts to the offsets of their copies: contexts that share a text share the copy.
static void
copy_late(const compact_contexts *contexts, const compact_context *context, compact_contexts *out,
    lp_map *copies)
{
    for (uint32_t late = context->late; late != 0;) {
        compact_late_text text = contexts->late_texts.items[late - 1];
        late = text.next;
        const lp_slice bytes = {contexts->values.ptr + text.offset, text.bytes};
        const uint64_t original = text.offset;
        text.offset = lp_map_find(copies, original);
        if (text.offset == LP_MAP_NONE) {
            text.offset = compact_contexts_append(out, bytes);
            lp_arena_put(out->arena, copies, original, text.offset);
        }
        compact_contexts_complete(out, &out->items.items[out->items.count - 1], &text);
    }
}

void
compact_contexts_copy(const compact_contexts *contexts, int64_t end_min, compact_contexts *out)
{
    LP_ASSERT(out != contexts);
    contexts_check(contexts);
    contexts_check(out);
    lp_map copies = {0};
    out->next_id = contexts->next_id;
    for (size_t i = 0; i < contexts->items.count && compact_contexts_err(out) == LP_OK; i++) {
        const compact_context *context = &contexts->items.items[i];
        if (context->end < end_min) {
            continue;
        }
        compact_contexts_add(out, context, compact_contexts_recorded(contexts, context).ptr);
        if (compact_contexts_err(out) == LP_OK) {
            copy_late(contexts, context, out, &copies);
        }
    }
    lp_map_fini(&copies);
}

// --- Completions

// How to apply the completions of one type to the contexts of another.
typedef struct plan {
    const compact_completions *from;
    const ctx_type *type;  // the completed type
    size_t key;            // the index of its attribute with the key
    size_t text;           // the index of its attribute with the text
    lp_map by_key;         // to the last completion of the key
    uint32_t texts_offset; // of the copy of from->texts in the contexts' values
} plan;

// find_attribute returns the index of the attribute with this name and one of two kinds, or
// type->attribute_count.
static size_t
find_attribute(const ctx_type *type, const char *name, ctx_kind kind, ctx_kind other)
{
    size_t i = 0;
    while (i < type->attribute_count &&
           (strcmp(type->attributes[i].name, name) != 0 ||
               (type->attributes[i].kind != kind && type->attributes[i].kind != other))) {
        i++;
    }
    return i;
}

// make_plan looks up the completed type and its two attributes. Returns false if one is missing.
static bool
make_plan(plan *p, const ctx_type *by, const ctx_type *types, size_t type_count)
{
    LP_ASSERT(by->completes != 0 && by->attribute_count == 2); // ctx_type_is_sound checks it
    size_t index = ctx_type_find(types, type_count, by->completes);
    LP_REQUIRE(index != type_count, false);
    p->type = &types[index];
    p->key = find_attribute(p->type, by->attributes[0].name, CTX_LONG, CTX_HEX);
    p->text = find_attribute(p->type, by->attributes[1].name, CTX_STRING, CTX_STRING);
    return p->key < p->type->attribute_count && p->text < p->type->attribute_count;
}

static void
map_keys(plan *p, uint16_t type_id)
{
    LP_ASSERT(p->from->arena != NULL && p->by_key.count == 0);
    for (size_t i = 0; i < p->from->items.count; i++) {
        if (p->from->items.items[i].type_id == type_id) {
            lp_arena_put(p->from->arena, &p->by_key, p->from->items.items[i].key, (uint32_t)i);
        }
    }
}

// find_for returns the completion for a context; NULL if there is none or the values are damaged.
static const compact_completion *
find_for(const plan *p, compact_values values)
{
    uint64_t key = 0;
    for (size_t i = 0; i < p->type->attribute_count; i++) {
        compact_value value;
        LP_REQUIRE(compact_values_read(&values, p->type->attributes[i].kind, &value), NULL);
        key = i == p->key ? value.bits : key;
    }
    uint32_t index = lp_map_find(&p->by_key, key);
    return index == LP_MAP_NONE ? NULL : &p->from->items.items[index];
}

static void
complete(const plan *p, compact_contexts *contexts, compact_context *context)
{
    const compact_completion *by = find_for(p, compact_contexts_values(contexts, context));
    if (by != NULL) {
        const compact_late_text text = {
            .offset = p->texts_offset + by->text_offset,
            .bytes = by->text_bytes,
            .attribute = (uint16_t)p->text,
        };
        compact_contexts_complete(contexts, context, &text);
    }
}

static void
apply_type(const compact_completions *self, uint32_t texts_offset, const ctx_type *by,
    const ctx_type *types, size_t type_count, compact_contexts *contexts)
{
    plan p = {.from = self, .texts_offset = texts_offset};
    if (by->completes == 0 || !make_plan(&p, by, types, type_count)) {
        return;
    }
    map_keys(&p, by->id);
    for (size_t i = 0; i < contexts->items.count && p.by_key.count > 0; i++) {
        if (contexts->items.items[i].type_id == p.type->id) {
            complete(&p, contexts, &contexts->items.items[i]);
        }
    }
    lp_map_fini(&p.by_key);
}

void
compact_completions_apply(const compact_completions *self, const ctx_type *types, size_t type_count,
    compact_contexts *contexts)
{
    LP_ASSERT(type_count <= CTX_TYPES_MAX);
    contexts_check(contexts);
    if (self->items.count == 0) {
        return;
    }
    uint32_t texts_offset = compact_contexts_append(contexts, lp_buf_slice(&self->texts));
    for (size_t i = 0; i < self->type_count && compact_contexts_err(contexts) == LP_OK; i++) {
        apply_type(self, texts_offset, &self->types[i], types, type_count, contexts);
    }
}
