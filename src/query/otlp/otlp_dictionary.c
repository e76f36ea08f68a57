// SPDX-License-Identifier: Apache-2.0
#include "query/otlp/otlp_dictionary.h"

#include "otlp.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"
#include "common/jfr/jfr_string.h"
#include "common/rollup/rollup_id.h"
#include "engine/read/text.h"
#include "query/chunk/chunk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the caller's number is of.
typedef enum kind {
    OF_TEXT,
    OF_FUNCTION,
    OF_LOCATION,
    OF_STACK,
    OF_TAG, // and the tag
} kind;

enum { NAME_BYTES = 64 }; // of the text by which an attribute is found; of a number

lp_err
query_otlp_text_make(lp_buf *out, lp_slice text, bool *out_is_cut)
{
    const size_t enough = QUERY_OTLP_TEXT_BYTES_MAX + 4; // with a last character that is too much
    text.len = text.len > enough ? enough : text.len;
    lp_buf_clear(out);
    jfr_utf8_append_valid(out, text);
    LP_TRY(lp_buf_check(out));
    if (out->len > QUERY_OTLP_TEXT_BYTES_MAX) {
        out->len = compact_text_cut(lp_buf_slice(out), QUERY_OTLP_TEXT_BYTES_MAX);
        *out_is_cut = true;
    }
    lp_buf_append(out, "", 1);
    return lp_buf_check(out);
}

static void
dictionary_check(const query_otlp_dictionary *d)
{
    LP_ASSERT(d->names != NULL && d->stacks != NULL);
    LP_ASSERT(d->bytes.len == 0 || d->texts.items.count > 0);
}

void
query_otlp_dictionary_reset(query_otlp_dictionary *d)
{
    lp_buf_clear(&d->bytes);
    lp_names_fini(&d->texts);
    lp_names_fini(&d->links);
    lp_names_fini(&d->attributes);
    lp_arena_reset(&d->arena);
    lp_map_clear(&d->number_of);
    d->function_count = d->location_count = d->stack_count = 0;
}

void
query_otlp_dictionary_fini(query_otlp_dictionary *d)
{
    query_otlp_dictionary_reset(d);
    lp_buf_fini(&d->bytes);
    lp_buf_fini(&d->text);
    lp_arena_fini(&d->arena);
    lp_map_fini(&d->number_of);
    LP_VEC_FINI(&d->locations);
    *d = (query_otlp_dictionary){0};
}

static lp_err
append(query_otlp_dictionary *d, const Loupe__Otlp__ProfilesDictionary *item)
{
    return lp_proto_append(&item->base, &d->bytes);
}

static ProtobufCBinaryData
data_of(lp_slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)(uintptr_t)bytes.ptr};
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

// --- Items by a text of their own

// find_or_add writes the index of a name, and whether it is new: the caller writes the item then.
static lp_err
find_or_add(query_otlp_dictionary *d, lp_names *names, const char *name, int32_t *out_index,
    bool *out_is_new)
{
    uint32_t index = lp_names_find(names, name);
    *out_is_new = index == LP_MAP_NONE;
    if (*out_is_new) {
        index = (uint32_t)names->items.count;
        const char *copy = lp_arena_text(&d->arena, name);
        LP_TRY(lp_arena_err(&d->arena));
        LP_TRY(lp_names_add(names, copy));
    }
    LP_ASSERT(index <= INT32_MAX);
    *out_index = (int32_t)index;
    return LP_OK;
}

// write_empty writes the item 0 of each list.
static lp_err
write_empty(query_otlp_dictionary *d)
{
    Loupe__Otlp__ProfilesDictionary items = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__Mapping mapping = LOUPE__OTLP__MAPPING__INIT;
    Loupe__Otlp__Location location = LOUPE__OTLP__LOCATION__INIT;
    Loupe__Otlp__Function function = LOUPE__OTLP__FUNCTION__INIT;
    Loupe__Otlp__Link link = LOUPE__OTLP__LINK__INIT;
    Loupe__Otlp__KeyValueAndUnit attribute = LOUPE__OTLP__KEY_VALUE_AND_UNIT__INIT;
    Loupe__Otlp__Stack stack = LOUPE__OTLP__STACK__INIT;
    ProtobufCBinaryData text = {0};
    int32_t index;
    bool is_new;
    LP_TRY(find_or_add(d, &d->texts, "", &index, &is_new));
    LP_TRY(find_or_add(d, &d->links, "", &index, &is_new));
    LP_TRY(find_or_add(d, &d->attributes, "", &index, &is_new));
    items.n_mapping_table = items.n_location_table = items.n_function_table = 1;
    items.n_link_table = items.n_string_table = items.n_attribute_table = items.n_stack_table = 1;
    items.mapping_table = &(Loupe__Otlp__Mapping *){&mapping};
    items.location_table = &(Loupe__Otlp__Location *){&location};
    items.function_table = &(Loupe__Otlp__Function *){&function};
    items.link_table = &(Loupe__Otlp__Link *){&link};
    items.string_table = &text;
    items.attribute_table = &(Loupe__Otlp__KeyValueAndUnit *){&attribute};
    items.stack_table = &(Loupe__Otlp__Stack *){&stack};
    return append(d, &items);
}

static lp_err
begin(query_otlp_dictionary *d)
{
    dictionary_check(d);
    return d->bytes.len == 0 ? write_empty(d) : LP_OK;
}

lp_err
query_otlp_dictionary_text(query_otlp_dictionary *d, lp_slice text, int32_t *out_index)
{
    bool is_new;
    LP_TRY(begin(d));
    LP_TRY(query_otlp_text_make(&d->text, text, &d->is_truncated));
    const char *made = (const char *)d->text.ptr;
    LP_TRY(find_or_add(d, &d->texts, made, out_index, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    ProtobufCBinaryData data = data_of(slice_of(made));
    item.n_string_table = 1;
    item.string_table = &data;
    return append(d, &item);
}

lp_err
query_otlp_dictionary_link(query_otlp_dictionary *d, const query_otlp_ids *ids, int32_t *out_index)
{
    dictionary_check(d);
    char digits[2 * (QUERY_OTLP_TRACE_BYTES + QUERY_OTLP_SPAN_BYTES) + 1];
    bool is_new;
    LP_TRY(begin(d));
    *out_index = 0;
    if (!ids->has_trace) {
        return LP_OK;
    }
    for (size_t i = 0; i < QUERY_OTLP_TRACE_BYTES; i++) {
        (void)snprintf(digits + 2 * i, 3, "%02x", ids->trace[i]);
    }
    for (size_t i = 0; ids->has_span && i < QUERY_OTLP_SPAN_BYTES; i++) {
        (void)snprintf(digits + 2 * (QUERY_OTLP_TRACE_BYTES + i), 3, "%02x", ids->span[i]);
    }
    LP_TRY(find_or_add(d, &d->links, digits, out_index, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__Link link = LOUPE__OTLP__LINK__INIT;
    link.trace_id = data_of((lp_slice){ids->trace, QUERY_OTLP_TRACE_BYTES});
    link.span_id = data_of((lp_slice){ids->span, ids->has_span ? QUERY_OTLP_SPAN_BYTES : 0});
    item.n_link_table = 1;
    item.link_table = &(Loupe__Otlp__Link *){&link};
    return append(d, &item);
}

// --- Items by the caller's number

// key_of returns the key of an item that the caller knows by a number.
static uint64_t
key_of(kind of, uint64_t number)
{
    LP_ASSERT(number >> 56 == 0); // a frame is a name of 20 bits and a line of 24
    return (uint64_t)of << 56 | number;
}

static lp_err
text_of_name(query_otlp_dictionary *d, uint32_t name, int32_t *out_index)
{
    uint64_t key = key_of(OF_TEXT, name);
    uint32_t known = lp_map_find(&d->number_of, key);
    if (known != LP_MAP_NONE) {
        *out_index = (int32_t)known;
        return LP_OK;
    }
    LP_TRY(query_otlp_dictionary_text(d, slice_of(query_names_text(d->names, name)), out_index));
    return lp_map_put(&d->number_of, key, (uint32_t)*out_index);
}

static lp_err
add_function(query_otlp_dictionary *d, uint32_t name, int32_t *out_index)
{
    dictionary_check(d);
    uint64_t key = key_of(OF_FUNCTION, name);
    uint32_t known = lp_map_find(&d->number_of, key);
    *out_index = (int32_t)known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__Function function = LOUPE__OTLP__FUNCTION__INIT;
    LP_TRY(text_of_name(d, name, &function.name_strindex));
    *out_index = ++d->function_count;
    item.n_function_table = 1;
    item.function_table = &(Loupe__Otlp__Function *){&function};
    LP_TRY(append(d, &item));
    return lp_map_put(&d->number_of, key, (uint32_t)*out_index);
}

static lp_err
add_location(query_otlp_dictionary *d, const query_stack_node *node, int32_t *out_index)
{
    dictionary_check(d);
    LP_ASSERT(node->line <= QUERY_STACK_LINE_MAX);
    uint64_t key = key_of(OF_LOCATION, (uint64_t)node->name << 24 | node->line);
    uint32_t known = lp_map_find(&d->number_of, key);
    *out_index = (int32_t)known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__Location location = LOUPE__OTLP__LOCATION__INIT;
    Loupe__Otlp__Line line = LOUPE__OTLP__LINE__INIT;
    LP_TRY(add_function(d, node->name, &line.function_index));
    *out_index = ++d->location_count;
    line.line = node->line;
    location.n_lines = 1;
    location.lines = &(Loupe__Otlp__Line *){&line};
    item.n_location_table = 1;
    item.location_table = &(Loupe__Otlp__Location *){&location};
    LP_TRY(append(d, &item));
    return lp_map_put(&d->number_of, key, (uint32_t)*out_index);
}

lp_err
query_otlp_dictionary_stack(query_otlp_dictionary *d, uint32_t node, int32_t *out_index)
{
    dictionary_check(d);
    LP_TRY(begin(d));
    *out_index = 0;
    if (node == QUERY_STACK_ROOT) {
        return LP_OK;
    }
    uint64_t key = key_of(OF_STACK, node);
    uint32_t known = lp_map_find(&d->number_of, key);
    *out_index = (int32_t)known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__Stack stack = LOUPE__OTLP__STACK__INIT;
    d->locations.count = 0;
    for (uint32_t at = node; at != QUERY_STACK_ROOT; at = d->stacks->nodes.items[at].parent) {
        int32_t location;
        LP_TRY(add_location(d, &d->stacks->nodes.items[at], &location));
        LP_TRY(LP_VEC_ADD(&d->locations, location));
    }
    LP_ASSERT(d->locations.count <= QUERY_STACK_LEVELS_MAX);
    *out_index = ++d->stack_count;
    stack.n_location_indices = d->locations.count;
    stack.location_indices = d->locations.items;
    item.n_stack_table = 1;
    item.stack_table = &(Loupe__Otlp__Stack *){&stack};
    LP_TRY(append(d, &item));
    return lp_map_put(&d->number_of, key, (uint32_t)*out_index);
}

// --- Attributes

// set_number sets a value as a number: Java's text of an integer or a floating-point number.
static void
set_number(lp_slice value, Loupe__Otlp__AnyValue *any)
{
    char text[NAME_BYTES] = "";
    any->value_case = LOUPE__OTLP__ANY_VALUE__VALUE_INT_VALUE;
    if (!query_number_read(value, &any->int_value)) {
        memcpy(text, value.ptr, value.len < sizeof(text) ? value.len : sizeof(text) - 1);
        any->double_value = strtod(text, NULL);
        any->value_case = LOUPE__OTLP__ANY_VALUE__VALUE_DOUBLE_VALUE;
    }
}

// name_attribute writes the text by which an attribute is found again.
static void
name_attribute(const Loupe__Otlp__AnyValue *any, int32_t key_index, int32_t text_index,
    char out_name[NAME_BYTES])
{
    int len;
    if (any->value_case == LOUPE__OTLP__ANY_VALUE__VALUE_INT_VALUE) {
        len = snprintf(out_name, NAME_BYTES, "%d i%" PRId64, key_index, any->int_value);
    } else if (any->value_case == LOUPE__OTLP__ANY_VALUE__VALUE_DOUBLE_VALUE) {
        len = snprintf(out_name, NAME_BYTES, "%d d%a", key_index, any->double_value);
    } else {
        len = snprintf(out_name, NAME_BYTES, "%d s%d", key_index, text_index);
    }
    LP_ASSERT(len > 0 && len < NAME_BYTES);
}

lp_err
query_otlp_dictionary_attribute(
    query_otlp_dictionary *d, int32_t key_index, lp_slice value, bool is_number, int32_t *out_index)
{
    dictionary_check(d);
    Loupe__Otlp__AnyValue any = LOUPE__OTLP__ANY_VALUE__INIT;
    char name[NAME_BYTES];
    int32_t text_index = 0;
    bool is_new;
    LP_TRY(begin(d));
    LP_ASSERT(key_index > 0 && (size_t)key_index < d->texts.items.count);
    if (is_number) {
        set_number(value, &any);
    } else {
        LP_TRY(query_otlp_dictionary_text(d, value, &text_index));
        any.value_case = LOUPE__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
        any.string_value = (char *)(uintptr_t)d->texts.items.items[text_index];
    }
    name_attribute(&any, key_index, text_index, name);
    LP_TRY(find_or_add(d, &d->attributes, name, out_index, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesDictionary item = LOUPE__OTLP__PROFILES_DICTIONARY__INIT;
    Loupe__Otlp__KeyValueAndUnit attribute = LOUPE__OTLP__KEY_VALUE_AND_UNIT__INIT;
    attribute.key_strindex = key_index;
    attribute.value = &any;
    item.n_attribute_table = 1;
    item.attribute_table = &(Loupe__Otlp__KeyValueAndUnit *){&attribute};
    return append(d, &item);
}

const char *
query_otlp_tag_key(query_otlp_tag tag)
{
    static const char *const keys[QUERY_OTLP_TAGS] = {
        [QUERY_OTLP_THREAD] = "thread.name",
        [QUERY_OTLP_CONTEXT] = "loupe.context",
        [QUERY_OTLP_CATEGORY] = "loupe.category",
    };
    LP_ASSERT(tag < QUERY_OTLP_TAGS);
    return keys[tag];
}

lp_err
query_otlp_dictionary_tag(
    query_otlp_dictionary *d, query_otlp_tag tag, uint32_t name, int32_t *out_index)
{
    dictionary_check(d);
    uint64_t key = key_of((kind)(OF_TAG + tag), name);
    uint32_t known = lp_map_find(&d->number_of, key);
    *out_index = (int32_t)known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    int32_t key_index;
    lp_slice value = slice_of(query_names_text(d->names, name));
    LP_TRY(query_otlp_dictionary_text(d, slice_of(query_otlp_tag_key(tag)), &key_index));
    LP_TRY(query_otlp_dictionary_attribute(d, key_index, value, false, out_index));
    return lp_map_put(&d->number_of, key, (uint32_t)*out_index);
}

// --- Ids of traces and spans

enum { NO_DIGIT = 16 };

static unsigned
digit_of(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - (unsigned)'0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10U
           : c >= 'A' && c <= 'F' ? c - 'A' + 10U
                                  : NO_DIGIT;
}

// read_hex reads an id of exactly count bytes. False for any other text, and for zeros.
static bool
read_hex(lp_slice text, uint8_t *out_bytes, size_t count)
{
    unsigned all = 0;
    LP_REQUIRE(text.len == 2 * count, false);
    for (size_t i = 0; i < count; i++) {
        unsigned high = digit_of(text.ptr[2 * i]);
        unsigned low = digit_of(text.ptr[2 * i + 1]);
        LP_REQUIRE(high != NO_DIGIT && low != NO_DIGIT, false);
        out_bytes[i] = (uint8_t)(high << 4 | low);
        all |= out_bytes[i];
    }
    return all != 0;
}

static bool
read_number(const query_attribute *attribute, uint8_t out_bytes[QUERY_OTLP_SPAN_BYTES])
{
    int64_t number;
    LP_REQUIRE(attribute->is_number && query_number_read(attribute->value, &number), false);
    for (int i = 0; i < QUERY_OTLP_SPAN_BYTES; i++) { // big endian, as tracers show it
        out_bytes[i] = (uint8_t)((uint64_t)number >> (8 * (QUERY_OTLP_SPAN_BYTES - 1 - i)));
    }
    return number != 0;
}

static bool
read_trace(query_otlp_ids *ids, lp_slice text)
{
    uint8_t bytes[QUERY_OTLP_TRACE_BYTES] = {0};
    size_t half = QUERY_OTLP_TRACE_BYTES / 2;
    LP_REQUIRE(read_hex(text, bytes, sizeof(bytes)) || read_hex(text, bytes + half, half), false);
    memcpy(ids->trace, bytes, sizeof(bytes));
    ids->has_trace = true;
    return true;
}

bool
query_otlp_ids_read(query_otlp_ids *ids, const query_attribute *attribute)
{
    LP_ASSERT(attribute->name != NULL);
    if (attribute->is_null) {
        return false;
    }
    if (rollup_id_is_trace(attribute->name)) {
        return read_trace(ids, attribute->value);
    }
    uint8_t bytes[QUERY_OTLP_SPAN_BYTES];
    bool is_span =
        rollup_id_is_span(attribute->name) &&
        (read_hex(attribute->value, bytes, sizeof(bytes)) || read_number(attribute, bytes));
    if (is_span) {
        memcpy(ids->span, bytes, sizeof(bytes));
        ids->has_span = true;
    }
    return is_span;
}
