// SPDX-License-Identifier: Apache-2.0

#include "common/wire/wire.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { ZSTD_LEVEL = 1 }; // on JFR bytes level 3 gains 1 % and costs a fifth of the speed

lp_err
wire_compress(lp_slice bytes, lp_buf *out)
{
    wire_compressor *compressor = NULL;
    lp_err err = wire_compress_often(&compressor, bytes, out);
    wire_compressor_free(compressor);
    return err;
}

void
wire_compressor_free(wire_compressor *compressor)
{
    (void)ZSTD_freeCCtx(compressor);
}

lp_err
wire_compress_often(wire_compressor **compressor, lp_slice bytes, lp_buf *out)
{
    *compressor = *compressor != NULL ? *compressor : ZSTD_createCCtx();
    LP_REQUIRE(*compressor != NULL, LP_ENOMEM);
    size_t before = out->len;
    size_t room = ZSTD_compressBound(bytes.len);
    uint8_t *frame = lp_buf_extend(out, room);
    LP_REQUIRE(frame != NULL, LP_ENOMEM);
    size_t size = ZSTD_compressCCtx(*compressor, frame, room, bytes.ptr, bytes.len, ZSTD_LEVEL);
    if (ZSTD_isError(size)) { // with enough room only where memory ran out
        out->len = before;
        return LP_ENOMEM;
    }
    out->len = before + size;
    return LP_OK;
}

lp_err
wire_decompress(lp_slice frame, size_t size_bytes, lp_buf *out)
{
    LP_REQUIRE(size_bytes <= WIRE_BULK_BYTES_MAX, LP_ELIMIT);
    size_t before = out->len;
    uint8_t *bytes = lp_buf_extend(out, size_bytes);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    size_t size = ZSTD_decompress(bytes, size_bytes, frame.ptr, frame.len);
    if (ZSTD_isError(size) || size != size_bytes) {
        out->len = before;
        bool is_short = ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation;
        return is_short ? LP_ENOMEM : LP_ECORRUPT;
    }
    return LP_OK;
}

void
wire_type_encode(const ctx_type *type, wire_type *out_type)
{
    LP_ASSERT(type->attribute_count <= CTX_TYPE_ATTRIBUTES_MAX);

    loupe__wire__context_type__init(&out_type->message);
    out_type->message.id = type->id;
    out_type->message.name = type->name;
    out_type->message.label = type->label;
    out_type->message.description = type->description;
    out_type->message.is_recording = type->is_recording;
    out_type->message.is_hand_over = type->is_hand_over;
    out_type->message.is_root = type->is_root;
    out_type->message.completes = type->completes;
    out_type->message.n_attributes = type->attribute_count;
    out_type->message.attributes = out_type->pointers;
    for (size_t i = 0; i < type->attribute_count; i++) {
        Loupe__Wire__ContextType__Attribute *attribute = &out_type->attributes[i];
        loupe__wire__context_type__attribute__init(attribute);
        attribute->kind = (uint32_t)type->attributes[i].kind;
        attribute->name = type->attributes[i].name;
        attribute->label = type->attributes[i].label;
        attribute->description = type->attributes[i].description;
        attribute->is_root = type->attributes[i].is_root_key;
        out_type->pointers[i] = attribute;
    }
}

lp_err
wire_type_decode(const Loupe__Wire__ContextType *message, ctx_type *out_type)
{
    if (message->id > UINT16_MAX || message->n_attributes > CTX_TYPE_ATTRIBUTES_MAX ||
        message->completes > UINT16_MAX) {
        return LP_ECORRUPT;
    }
    ctx_type type = {
        .id = (uint16_t)message->id,
        .name = message->name,
        .label = message->label,
        .description = message->description,
        .is_recording = message->is_recording,
        .is_hand_over = message->is_hand_over,
        .is_root = message->is_root,
        .completes = (uint16_t)message->completes,
        .attribute_count = message->n_attributes,
    };
    for (size_t i = 0; i < message->n_attributes; i++) {
        const Loupe__Wire__ContextType__Attribute *attribute = message->attributes[i];
        type.attributes[i] = (ctx_attribute){
            .kind = (ctx_kind)attribute->kind,
            .name = attribute->name,
            .label = attribute->label,
            .description = attribute->description,
            .is_root_key = attribute->is_root,
        };
    }
    return ctx_type_is_sound(&type) ? ctx_type_copy(&type, out_type) : LP_ECORRUPT;
}

void
wire_recording_encode(const ctx_recording *map, wire_recording *out_recording)
{
    LP_ASSERT(map->entry_count <= CTX_RECORDING_ENTRIES_MAX);

    loupe__wire__recording_context__init(&out_recording->message);
    out_recording->message.id = map->id;
    out_recording->message.n_entries = map->entry_count;
    out_recording->message.entries = out_recording->pointers;
    for (size_t i = 0; i < map->entry_count; i++) {
        Loupe__Wire__RecordingContext__Entry *entry = &out_recording->entries[i];
        loupe__wire__recording_context__entry__init(entry);
        // protobuf-c has no const here; packing does not write.
        entry->key = (char *)(uintptr_t)map->entries[i].key;
        entry->value.data = (uint8_t *)(uintptr_t)map->entries[i].value.ptr;
        entry->value.len = map->entries[i].value.len;
        entry->is_null = map->entries[i].is_null;
        out_recording->pointers[i] = entry;
    }
}

// is_entry returns whether entry index of a message is within the limits.
static bool
is_entry(const Loupe__Wire__RecordingContext *message, size_t index)
{
    const Loupe__Wire__RecordingContext__Entry *entry = message->entries[index];
    for (size_t i = 0; i < index; i++) {
        if (strcmp(message->entries[i]->key, entry->key) == 0) {
            return false;
        }
    }
    return entry->key[0] != '\0' && strlen(entry->key) <= CTX_RECORDING_TEXT_BYTES_MAX &&
           entry->value.len <= CTX_RECORDING_TEXT_BYTES_MAX &&
           (!entry->is_null || entry->value.len == 0);
}

lp_err
wire_recording_decode(
    const Loupe__Wire__RecordingContext *message, lp_arena *arena, ctx_recording *out_map)
{
    LP_REQUIRE(message->id != 0 && message->n_entries <= CTX_RECORDING_ENTRIES_MAX, LP_ECORRUPT);
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
    for (size_t i = 0; i < message->n_entries; i++) {
        LP_REQUIRE(is_entry(message, i), LP_ECORRUPT);
        const Loupe__Wire__RecordingContext__Entry *entry = message->entries[i];
        entries[i] = (ctx_entry){
            .key = entry->key,
            .value = {entry->value.data, entry->value.len},
            .is_null = entry->is_null,
        };
    }
    const ctx_recording map = {message->id, message->n_entries, entries};
    *out_map = ctx_recording_copy_in(arena, &map);
    return lp_arena_err(arena);
}

uint64_t
wire_recordings_measure(const Loupe__Wire__Batch *batch)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < batch->n_recording_contexts; i++) {
        const Loupe__Wire__RecordingContext *message = batch->recording_contexts[i];
        bytes += sizeof(ctx_recording) + message->n_entries * sizeof(ctx_entry);
        for (size_t k = 0; k < message->n_entries; k++) {
            bytes += strlen(message->entries[k]->key) + 1 + message->entries[k]->value.len;
        }
    }
    return bytes;
}

// make_filter makes a message of filter, with the rules from *next_rule on, which moves on.
static void
make_filter(wire_filters *all, size_t index, const ctx_filter *filter, size_t *next_rule)
{
    Loupe__Wire__ContextFilter *message = &all->messages[index];
    all->pointers[index] = message;
    loupe__wire__context_filter__init(message);
    message->id = filter->id;
    message->begin_ticks = filter->begin_ticks;
    message->n_rules = filter->rule_count;
    message->rules = &all->rule_pointers[*next_rule];
    for (size_t i = 0; i < filter->rule_count; i++) {
        Loupe__Wire__ContextFilter__Rule *rule = &all->rules[*next_rule];
        loupe__wire__context_filter__rule__init(rule);
        // protobuf-c has no const here; packing does not write.
        rule->type = (char *)(uintptr_t)filter->rules[i].type;
        rule->terms = (char *)(uintptr_t)filter->rules[i].terms;
        all->rule_pointers[(*next_rule)++] = rule;
    }
}

lp_err
wire_filters_encode(const ctx_filter *filters, size_t count, wire_filters *out_filters)
{
    size_t rules = 0;
    for (size_t i = 0; i < count; i++) {
        rules += filters[i].rule_count;
    }
    *out_filters = (wire_filters){
        .count = count,
        .pointers = calloc(count + 1, sizeof(Loupe__Wire__ContextFilter *)),
        .messages = calloc(count + 1, sizeof(Loupe__Wire__ContextFilter)),
        .rule_pointers = calloc(rules + 1, sizeof(Loupe__Wire__ContextFilter__Rule *)),
        .rules = calloc(rules + 1, sizeof(Loupe__Wire__ContextFilter__Rule)),
    };
    if (out_filters->pointers == NULL || out_filters->messages == NULL ||
        out_filters->rule_pointers == NULL || out_filters->rules == NULL) {
        return LP_ENOMEM;
    }
    size_t next_rule = 0;
    for (size_t i = 0; i < count; i++) {
        make_filter(out_filters, i, &filters[i], &next_rule);
    }
    return LP_OK;
}

void
wire_filters_fini(wire_filters *filters)
{
    free((void *)filters->pointers);
    free(filters->messages);
    free((void *)filters->rule_pointers);
    free(filters->rules);
    *filters = (wire_filters){0};
}

lp_err
wire_filter_decode(const Loupe__Wire__ContextFilter *message, ctx_filter *out_filter)
{
    LP_REQUIRE(message->id != 0, LP_ECORRUPT);
    ctx_filter_rule *rules = calloc(message->n_rules + 1, sizeof(*rules));
    LP_REQUIRE(rules != NULL, LP_ENOMEM);
    for (size_t i = 0; i < message->n_rules; i++) {
        rules[i] = (ctx_filter_rule){message->rules[i]->type, message->rules[i]->terms};
    }
    ctx_filter filter = {message->id, message->begin_ticks, message->n_rules, rules};
    if (ctx_filter_measure(&filter) > CTX_FILTER_BYTES_MAX) {
        filter.rule_count = 0;
    }
    lp_err err = ctx_filter_copy(&filter, out_filter);
    free(rules);
    return err;
}
