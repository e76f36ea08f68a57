// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_metadata.h"

#include "common/base/lp_find.h"
#include "common/jfr/jfr_string.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where one event is being read. Its strings are those from string_base on.
typedef struct reader {
    jfr_metadata *metadata;
    jfr_cursor cursor;
    const uint8_t *begin;
    uint32_t string_base;
    uint32_t string_count;
    lp_problem *problem;
} reader;

static lp_err
corrupt(const reader *r, const char *what)
{
    return lp_problem_at(
        r->problem, LP_ECORRUPT, (uint64_t)(r->cursor.at - r->begin), "metadata: %s", what);
}

// add_string makes text, which lies at the end of metadata->text from offset on, the next string.
static bool
add_string(jfr_metadata *metadata, size_t offset)
{
    lp_buf_append(&metadata->text, "", 1);
    uint32_t *string = LP_VEC_PUSH(&metadata->strings);
    LP_REQUIRE(
        string != NULL && !metadata->text.is_failed && metadata->text.len <= UINT32_MAX, false);
    *string = (uint32_t)offset;
    return true;
}

static lp_err
read_strings(reader *r)
{
    uint64_t count;
    LP_REQUIRE(jfr_varint_read(&r->cursor, &count) && count <= jfr_cursor_left(&r->cursor),
        corrupt(r, "the number of strings does not fit"));
    r->string_base = (uint32_t)r->metadata->strings.count;
    r->string_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        size_t offset = r->metadata->text.len;
        LP_REQUIRE(jfr_string_read_utf8(&r->cursor, &r->metadata->text),
            corrupt(r, "a string does not fit or has an unknown encoding"));
        LP_REQUIRE(add_string(r->metadata, offset), LP_ENOMEM);
    }
    return LP_OK;
}

// read_number is jfr_varint_read for numbers like those before.
static inline bool
read_number(jfr_cursor *cursor, uint64_t *out_number)
{
    if (jfr_cursor_left(cursor) < JFR_VARINT_BYTES_MAX) {
        return jfr_varint_read(cursor, out_number);
    }
    cursor->at = jfr_varint_read_guessed(cursor->at, out_number);
    return true;
}

static inline bool
read_string_index(reader *r, uint32_t *out_index)
{
    uint64_t index;
    LP_REQUIRE(read_number(&r->cursor, &index) && index < r->string_count, false);
    *out_index = r->string_base + (uint32_t)index;
    return true;
}

// link_child puts element behind the other children of parent.
static void
link_child(jfr_metadata *metadata, uint32_t parent, uint32_t element)
{
    jfr_element *p = &metadata->elements.items[parent];
    if (p->first_child == JFR_NONE) {
        p->first_child = element;
    } else {
        metadata->elements.items[p->last_child].next_sibling = element;
    }
    p->last_child = element;
}

static uint32_t
push_element(jfr_metadata *metadata, uint32_t parent, uint32_t name)
{
    jfr_element *element = LP_VEC_PUSH(&metadata->elements);
    LP_REQUIRE(element != NULL, JFR_NONE);
    *element = (jfr_element){
        .name = name,
        .attribute_begin = (uint32_t)metadata->attributes.count,
        .first_child = JFR_NONE,
        .last_child = JFR_NONE,
        .next_sibling = JFR_NONE,
    };
    uint32_t index = (uint32_t)(metadata->elements.count - 1);
    if (parent != JFR_NONE) {
        link_child(metadata, parent, index);
    }
    return index;
}

static lp_err
read_element(reader *r, uint32_t parent, unsigned depth, uint32_t *out_element)
{
    uint32_t name;
    uint64_t count;
    LP_REQUIRE(depth < JFR_ELEMENT_DEPTH_MAX, corrupt(r, "elements are nested too deep"));
    if (!read_string_index(r, &name) || !jfr_varint_read(&r->cursor, &count) ||
        count > jfr_cursor_left(&r->cursor)) {
        return corrupt(r, "an element does not fit");
    }
    uint32_t element = push_element(r->metadata, parent, name);
    LP_REQUIRE(element != JFR_NONE, LP_ENOMEM);
    for (; count > 0; count--) {
        jfr_attribute *attribute = LP_VEC_PUSH(&r->metadata->attributes);
        LP_REQUIRE(attribute != NULL, LP_ENOMEM);
        LP_REQUIRE(read_string_index(r, &attribute->key) && read_string_index(r, &attribute->value),
            corrupt(r, "an attribute does not fit"));
        r->metadata->elements.items[element].attribute_count++;
    }
    LP_REQUIRE(jfr_varint_read(&r->cursor, &count), corrupt(r, "an element does not fit"));
    for (; count > 0; count--) {
        uint32_t child;
        LP_TRY(read_element(r, element, depth + 1, &child));
    }
    *out_element = element;
    return LP_OK;
}

void
jfr_metadata_init(jfr_metadata *metadata)
{
    *metadata = (jfr_metadata){.root = JFR_NONE};
    memset(metadata->type_by_small_id, 0xff, sizeof(metadata->type_by_small_id)); // JFR_NONE
}

void
jfr_metadata_fini(jfr_metadata *metadata)
{
    lp_buf_fini(&metadata->source);
    lp_buf_fini(&metadata->text);
    LP_VEC_FINI(&metadata->strings);
    LP_VEC_FINI(&metadata->attributes);
    LP_VEC_FINI(&metadata->elements);
    LP_VEC_FINI(&metadata->types);
    LP_VEC_FINI(&metadata->fields);
    lp_map_fini(&metadata->type_by_id);
    jfr_metadata_init(metadata);
}

// copy_items copies the items of a vector; NULL if memory ran out.
static void *
copy_items(const void *items, size_t count, size_t item_bytes)
{
    void *copy = malloc((count + 1) * item_bytes);
    if (copy != NULL && count > 0) {
        memcpy(copy, items, count * item_bytes);
    }
    return copy;
}

#define COPY_VEC(from, to)                                                                         \
    ((to)->items = copy_items((from)->items, (from)->count, sizeof(*(from)->items)),               \
        (to)->count = (from)->count, (to)->capacity = (from)->count, (to)->items != NULL)

lp_err
jfr_metadata_copy(const jfr_metadata *metadata, jfr_metadata *out_copy)
{
    jfr_metadata copy = *metadata;
    copy.source = (lp_buf){0};
    copy.source_count = 0;
    copy.text = (lp_buf){0};
    lp_buf_append(&copy.text, metadata->text.ptr, metadata->text.len);
    copy.type_by_id.slots = copy_items(metadata->type_by_id.slots, metadata->type_by_id.capacity,
        sizeof(*metadata->type_by_id.slots));
    bool is_copied = COPY_VEC(&metadata->strings, &copy.strings);
    is_copied &= COPY_VEC(&metadata->attributes, &copy.attributes);
    is_copied &= COPY_VEC(&metadata->elements, &copy.elements);
    is_copied &= COPY_VEC(&metadata->types, &copy.types);
    is_copied &= COPY_VEC(&metadata->fields, &copy.fields);
    if (!is_copied || copy.text.is_failed || copy.type_by_id.slots == NULL) {
        jfr_metadata_fini(&copy);
        return LP_ENOMEM;
    }
    *out_copy = copy;
    return LP_OK;
}

lp_err
jfr_metadata_add(jfr_metadata *metadata, lp_slice payload, lp_problem *out_problem)
{
    reader r = {
        .metadata = metadata,
        .cursor = jfr_cursor_over(payload),
        .begin = payload.ptr,
        .problem = out_problem,
    };
    uint64_t id;
    uint32_t root;
    if (!jfr_varint_skip(&r.cursor) || !jfr_varint_skip(&r.cursor) ||
        !jfr_varint_read(&r.cursor, &id)) {
        return corrupt(&r, "the event is cut short");
    }
    lp_buf_append(&metadata->source, r.cursor.at, jfr_cursor_left(&r.cursor));
    metadata->source_count++;
    lp_err err = read_strings(&r);
    LP_THEN(err, read_element(&r, JFR_NONE, 0, &root));
    LP_REQUIRE(err == LP_OK, err);
    if (metadata->root != JFR_NONE) { // the roots form a list, newest first
        metadata->elements.items[root].next_sibling = metadata->root;
    }
    metadata->root = root;
    metadata->id = id;
    return lp_buf_check(&metadata->source);
}

// description_of returns payload without its time and its id, which do not describe types.
static lp_slice
description_of(lp_slice payload)
{
    jfr_cursor cursor = jfr_cursor_over(payload);
    bool is_whole = jfr_varint_skip(&cursor)     // start
                    && jfr_varint_skip(&cursor)  // duration
                    && jfr_varint_skip(&cursor); // metadata id
    return is_whole ? (lp_slice){cursor.at, jfr_cursor_left(&cursor)} : payload;
}

bool
jfr_metadata_is_same_payload(lp_slice payload, lp_slice other)
{
    lp_slice a = description_of(payload);
    lp_slice b = description_of(other);
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

bool
jfr_metadata_is_made_of(const jfr_metadata *metadata, const lp_slice *payloads, size_t count)
{
    const uint8_t *at = metadata->source.ptr;
    size_t left = metadata->source.len;
    for (size_t i = 0; i < count && count == metadata->source_count; i++) {
        lp_slice description = description_of(payloads[i]);
        if (description.len > left || memcmp(at, description.ptr, description.len) != 0) {
            return false;
        }
        at += description.len;
        left -= description.len;
    }
    return left == 0 && count == metadata->source_count;
}

bool
jfr_metadata_is_same(const jfr_metadata *metadata, const jfr_metadata *other)
{
    return metadata->source_count == other->source_count &&
           metadata->source.len == other->source.len &&
           memcmp(metadata->source.ptr, other->source.ptr, metadata->source.len) == 0;
}

static jfr_attribute *
find_attribute_of(const jfr_metadata *metadata, uint32_t element, const char *key)
{
    const jfr_element *e = &metadata->elements.items[element];
    return LP_FIND(&metadata->attributes.items[e->attribute_begin], e->attribute_count,
        jfr_metadata_is_text(metadata, at->key, key));
}

static uint32_t
find_attribute_index(const jfr_metadata *metadata, uint32_t element, const char *key)
{
    const jfr_attribute *attribute = find_attribute_of(metadata, element, key);
    return attribute == NULL ? JFR_NONE : attribute->value;
}

const char *
jfr_metadata_find_attribute(const jfr_metadata *metadata, uint32_t element, const char *key)
{
    uint32_t value = find_attribute_index(metadata, element, key);
    return value == JFR_NONE ? NULL : jfr_metadata_text(metadata, value);
}

bool
jfr_metadata_parse_number(const char *text, int64_t *out_number)
{
    bool is_negative = *text == '-';
    text += is_negative || *text == '+';
    int64_t number = 0; // not by strtoll: metadata has thousands, and it takes more than these
    bool is_number = *text != '\0';
    for (; is_number && *text != '\0'; text++) {
        int digit = *text - '0';
        is_number = digit >= 0 && digit <= 9 && !__builtin_mul_overflow(number, 10, &number) &&
                    !__builtin_add_overflow(number, is_negative ? -digit : digit, &number);
    }
    *out_number = number;
    return is_number;
}

bool
jfr_metadata_find_id(
    const jfr_metadata *metadata, uint32_t element, const char *key, uint64_t *out_id)
{
    int64_t id;
    const char *text = jfr_metadata_find_attribute(metadata, element, key);
    bool is_id = text != NULL && jfr_metadata_parse_number(text, &id);
    *out_id = is_id ? (uint64_t)id : 0;
    return is_id;
}

// find_annotation_type returns the type of an element that is an annotation, or JFR_NONE.
static uint32_t
find_annotation_type(const jfr_metadata *metadata, uint32_t element)
{
    uint64_t id;
    bool is_annotation = jfr_metadata_is_named(metadata, element, "annotation") &&
                         jfr_metadata_find_id(metadata, element, "class", &id);
    return is_annotation ? jfr_metadata_find_type(metadata, id) : (uint32_t)JFR_NONE;
}

bool
jfr_metadata_is_annotation(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    uint32_t type = find_annotation_type(metadata, element);
    return type != JFR_NONE &&
           jfr_metadata_is_text(metadata, metadata->types.items[type].name, name);
}

jfr_annotation
jfr_metadata_annotation_of(const jfr_metadata *metadata, uint32_t element)
{
    uint32_t type = find_annotation_type(metadata, element);
    return type == JFR_NONE ? JFR_ANNOTATION_OTHER : metadata->types.items[type].annotation;
}

const char *
jfr_metadata_find_annotation(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (jfr_metadata_is_annotation(metadata, child, name)) {
            return jfr_metadata_find_attribute(metadata, child, "value");
        }
    }
    return NULL;
}

// is_array_field reads the dimension of a field, as the JDK does: more than one is one as well.
static bool
is_array_field(const jfr_metadata *metadata, uint32_t element, bool *out_is_array)
{
    const char *text = jfr_metadata_find_attribute(metadata, element, "dimension");
    int64_t dimension = 0;
    bool is_number = text == NULL || jfr_metadata_parse_number(text, &dimension);
    *out_is_array = dimension > 0;
    return is_number && dimension >= 0 && dimension <= INT32_MAX;
}

// annotation_named returns the meaning of the annotation type with this name.
static jfr_annotation
annotation_named(const char *name)
{
    size_t simple = strlen(name);
    while (simple > 0 && name[simple - 1] != '.' && name[simple - 1] != '$') {
        simple--;
    }
    if (strcmp(name + simple, "Contextual") == 0) {
        return JFR_ANNOTATION_CONTEXTUAL;
    }
    if (strcmp(name + simple, "ContextAware") == 0) {
        return JFR_ANNOTATION_CONTEXT_AWARE;
    }
    if (strcmp(name, "jdk.jfr.Timestamp") == 0) {
        return JFR_ANNOTATION_TIMESTAMP;
    }
    return strcmp(name, "jdk.jfr.Timespan") == 0 ? JFR_ANNOTATION_TIMESPAN : JFR_ANNOTATION_OTHER;
}

// remember_id makes the type findable by its id.
static lp_err
remember_id(jfr_metadata *metadata, uint64_t id, uint32_t type)
{
    if (id < JFR_SMALL_TYPE_IDS) {
        metadata->type_by_small_id[id] = type;
    }
    return lp_map_put(&metadata->type_by_id, id, type);
}

static lp_err
add_type(jfr_metadata *metadata, uint32_t element, lp_problem *problem)
{
    uint64_t id;
    uint32_t name = find_attribute_index(metadata, element, "name");
    LP_REQUIRE(name != JFR_NONE && jfr_metadata_find_id(metadata, element, "id", &id),
        lp_problem_set(problem, LP_ECORRUPT, "metadata: a class without a name or an id"));
    if (lp_map_find(&metadata->type_by_id, id) != LP_MAP_NONE) { // a later event described it
        return LP_OK;
    }
    const char *super = jfr_metadata_find_attribute(metadata, element, "superType");
    const jfr_type type = {
        .id = id,
        .name = name,
        .element = element,
        .annotation = annotation_named(jfr_metadata_text(metadata, name)),
        .is_event =
            id > JFR_TYPE_ID_CHECKPOINT && super != NULL && strcmp(super, "jdk.jfr.Event") == 0,
    };
    LP_TRY(LP_VEC_ADD(&metadata->types, type));
    return remember_id(metadata, id, (uint32_t)(metadata->types.count - 1));
}

static lp_err
add_types_of(jfr_metadata *metadata, uint32_t root, lp_problem *problem)
{
    uint32_t child = metadata->elements.items[root].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (!jfr_metadata_is_named(metadata, child, "metadata")) {
            continue;
        }
        uint32_t class = metadata->elements.items[child].first_child;
        for (; class != JFR_NONE; class = metadata->elements.items[class].next_sibling) {
            if (!jfr_metadata_is_named(metadata, class, "class")) {
                continue;
            }
            LP_TRY(add_type(metadata, class, problem));
        }
    }
    return LP_OK;
}

// The meaning of the annotations of an element.
typedef struct annotations {
    bool is_contextual; // so says the last one that says anything of it
    bool is_denied;     // it says `false`
    jfr_ticks ticks;
} annotations;

static bool
has_value(const jfr_metadata *metadata, uint32_t annotation, const char *expected)
{
    const char *value = jfr_metadata_find_attribute(metadata, annotation, "value");
    return value != NULL && strcmp(value, expected) == 0;
}

static void
read_annotation(const jfr_metadata *metadata, uint32_t element, annotations *out)
{
    uint32_t type = find_annotation_type(metadata, element);
    if (type == JFR_NONE) {
        return;
    }
    switch (metadata->types.items[type].annotation) {
    case JFR_ANNOTATION_OTHER:
    case JFR_ANNOTATION_CONTEXT_AWARE:
        break;
    case JFR_ANNOTATION_CONTEXTUAL:
        out->is_denied = has_value(metadata, element, "false");
        out->is_contextual = !out->is_denied;
        break;
    case JFR_ANNOTATION_TIMESTAMP:
        out->ticks = has_value(metadata, element, "TICKS") ? JFR_TICKS_POINT : out->ticks;
        break;
    case JFR_ANNOTATION_TIMESPAN:
        out->ticks = has_value(metadata, element, "TICKS") ? JFR_TICKS_LENGTH : out->ticks;
        break;
    }
}

static annotations
annotations_of(const jfr_metadata *metadata, uint32_t element)
{
    annotations out = {0};
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        read_annotation(metadata, child, &out);
    }
    return out;
}

static lp_err
add_field(jfr_metadata *metadata, uint32_t element, annotations says, lp_problem *problem)
{
    uint64_t id;
    uint32_t name = find_attribute_index(metadata, element, "name");
    LP_REQUIRE(name != JFR_NONE && jfr_metadata_find_id(metadata, element, "class", &id),
        lp_problem_set(problem, LP_ECORRUPT, "metadata: a field without a name or a class"));
    bool is_array;
    LP_REQUIRE(is_array_field(metadata, element, &is_array),
        lp_problem_set(problem, LP_ECORRUPT, "metadata: a field whose dimension is none"));
    const jfr_field field = {
        .name = name,
        .type = lp_map_find(&metadata->type_by_id, id), // LP_MAP_NONE is JFR_NONE
        .element = element,
        .ticks = says.ticks,
        .is_contextual = says.is_contextual,
        .is_constant = jfr_metadata_find_attribute(metadata, element, "constantPool") != NULL,
        .is_array = is_array,
    };
    return LP_VEC_ADD(&metadata->fields, field);
}

_Static_assert((uint32_t)LP_MAP_NONE == (uint32_t)JFR_NONE, "one word for none");

static lp_err
resolve_type(jfr_metadata *metadata, jfr_type *type, lp_problem *problem)
{
    type->field_begin = (uint32_t)metadata->fields.count;
    annotations of_type = annotations_of(metadata, type->element);
    bool may_be_contextual =
        type->is_event && !jfr_metadata_is_text(metadata, type->name, JFR_REQUEST_TYPE);
    type->is_contextual = may_be_contextual && of_type.is_contextual;
    type->is_denied = type->is_event && of_type.is_denied;
    uint32_t child = metadata->elements.items[type->element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (!jfr_metadata_is_named(metadata, child, "field")) {
            continue;
        }
        annotations says = annotations_of(metadata, child);
        LP_TRY(add_field(metadata, child, says, problem));
        type->field_count++;
        type->is_contextual |= may_be_contextual && says.is_contextual && !type->is_denied;
    }
    return LP_OK;
}

// forget_types leaves the elements alone.
static void
forget_types(jfr_metadata *metadata)
{
    metadata->types.count = 0;
    metadata->fields.count = 0;
    lp_map_fini(&metadata->type_by_id);
    memset(metadata->type_by_small_id, 0xff, sizeof(metadata->type_by_small_id)); // JFR_NONE
}

lp_err
jfr_metadata_resolve(jfr_metadata *metadata, lp_problem *out_problem)
{
    LP_REQUIRE(metadata->root != JFR_NONE,
        lp_problem_set(out_problem, LP_ECORRUPT, "no metadata event in the chunk"));
    forget_types(metadata);
    uint32_t root = metadata->root; // the newest first, so that the first description of an id wins
    for (; root != JFR_NONE; root = metadata->elements.items[root].next_sibling) {
        LP_TRY(add_types_of(metadata, root, out_problem));
    }
    for (size_t i = 0; i < metadata->types.count; i++) {
        LP_TRY(resolve_type(metadata, &metadata->types.items[i], out_problem));
    }
    return LP_OK;
}

uint32_t
jfr_metadata_find_type_named(const jfr_metadata *metadata, const char *name)
{
    const jfr_type *type = LP_FIND(metadata->types.items, metadata->types.count,
        jfr_metadata_is_text(metadata, at->name, name));
    return type == NULL ? JFR_NONE : (uint32_t)(type - metadata->types.items);
}

uint32_t
jfr_metadata_find_field(const jfr_metadata *metadata, const jfr_type *type, const char *name)
{
    for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
        if (jfr_metadata_is_text(metadata, metadata->fields.items[i].name, name)) {
            return i;
        }
    }
    return JFR_NONE;
}

static uint32_t
append_text(jfr_metadata *metadata, const char *text)
{
    size_t offset = metadata->text.len;
    lp_buf_append(&metadata->text, text, strlen(text));
    return add_string(metadata, offset) ? (uint32_t)(metadata->strings.count - 1) : JFR_NONE;
}

lp_err
jfr_metadata_set_attribute(
    jfr_metadata *metadata, uint32_t element, const char *key, const char *value)
{
    uint32_t string = append_text(metadata, value);
    jfr_attribute *attribute = find_attribute_of(metadata, element, key);
    LP_REQUIRE(string != JFR_NONE, LP_ENOMEM);
    attribute->value = string;
    return LP_OK;
}

void
jfr_metadata_remove_attribute(jfr_metadata *metadata, uint32_t element, const char *key)
{
    jfr_element *e = &metadata->elements.items[element];
    jfr_attribute *attribute;
    while ((attribute = find_attribute_of(metadata, element, key)) != NULL) {
        const jfr_attribute *end =
            &metadata->attributes.items[e->attribute_begin] + --e->attribute_count;
        memmove(attribute, attribute + 1, (size_t)(end - attribute) * sizeof(*attribute));
    }
}

void
jfr_metadata_remove_children(jfr_metadata *metadata, uint32_t parent,
    bool (*is_removed)(void *arg, uint32_t element), void *arg)
{
    uint32_t before = JFR_NONE;
    uint32_t child = metadata->elements.items[parent].first_child;
    while (child != JFR_NONE) {
        bool is_gone = is_removed(arg, child);
        jfr_element *p = &metadata->elements.items[parent];
        uint32_t next = metadata->elements.items[child].next_sibling;
        if (!is_gone) {
            before = child;
        } else if (before == JFR_NONE) {
            p->first_child = next;
        } else {
            metadata->elements.items[before].next_sibling = next;
        }
        p->last_child = before;
        child = next;
    }
}

uint32_t
jfr_metadata_append_element(jfr_metadata *metadata, uint32_t parent, const char *name,
    const char *const *attributes, size_t count)
{
    uint32_t name_index = append_text(metadata, name);
    LP_REQUIRE(name_index != JFR_NONE, JFR_NONE);
    uint32_t element = push_element(metadata, parent, name_index);
    LP_REQUIRE(element != JFR_NONE, JFR_NONE);
    for (size_t i = 0; i < count; i++) {
        uint32_t key = append_text(metadata, attributes[2 * i]);
        uint32_t value = append_text(metadata, attributes[2 * i + 1]);
        jfr_attribute *attribute = LP_VEC_PUSH(&metadata->attributes);
        LP_REQUIRE(key != JFR_NONE && value != JFR_NONE && attribute != NULL, JFR_NONE);
        *attribute = (jfr_attribute){.key = key, .value = value};
        metadata->elements.items[element].attribute_count++;
    }
    return element;
}

// copy_attributes adds the attributes of element to copy, the last element.
static bool
copy_attributes(jfr_metadata *metadata, uint32_t element, uint32_t copy)
{
    const jfr_element from = metadata->elements.items[element];
    for (uint32_t i = 0; i < from.attribute_count; i++) {
        jfr_attribute *attribute = LP_VEC_PUSH(&metadata->attributes);
        LP_REQUIRE(attribute != NULL, false);
        *attribute = metadata->attributes.items[from.attribute_begin + i];
        metadata->elements.items[copy].attribute_count++;
    }
    return true;
}

uint32_t
jfr_metadata_append_copy(jfr_metadata *metadata, uint32_t parent, uint32_t element)
{
    uint32_t copy = push_element(metadata, parent, metadata->elements.items[element].name);
    LP_REQUIRE(copy != JFR_NONE && copy_attributes(metadata, element, copy), JFR_NONE);
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        LP_REQUIRE(jfr_metadata_append_copy(metadata, copy, child) != JFR_NONE, JFR_NONE);
    }
    return copy;
}

lp_err
jfr_metadata_append_type(jfr_metadata *metadata, uint32_t element)
{
    lp_err err = add_type(metadata, element, NULL);
    return err == LP_OK
               ? resolve_type(metadata, &metadata->types.items[metadata->types.count - 1], NULL)
               : err;
}

// What jfr_metadata_renumber goes by.
typedef struct numbering {
    jfr_metadata *metadata;
    uint64_t (*id_of)(const void *arg, uint64_t id);
    const void *arg;
    lp_map texts; // new ids to strings
} numbering;

// string_of_id returns the string that is id in decimal, signed as everywhere.
static lp_err
string_of_id(numbering *n, uint64_t id, uint32_t *out_string)
{
    uint32_t string = lp_map_find(&n->texts, id);
    lp_err err = LP_OK;
    if (string == LP_MAP_NONE) {
        char text[21];
        (void)snprintf(text, sizeof(text), "%lld", (long long)id);
        string = append_text(n->metadata, text);
        err = string == JFR_NONE ? LP_ENOMEM : lp_map_put(&n->texts, id, string);
    }
    *out_string = string;
    return err;
}

static lp_err
renumber_element(numbering *n, uint32_t element)
{
    jfr_metadata *metadata = n->metadata;
    const jfr_element *e = &metadata->elements.items[element];
    bool is_class = jfr_metadata_is_named(metadata, element, "class");
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < e->attribute_count && err == LP_OK; i++) {
        jfr_attribute *attribute = &metadata->attributes.items[e->attribute_begin + i];
        const char *key = jfr_metadata_text(metadata, attribute->key);
        uint64_t id;
        if (strcmp(key, is_class ? "id" : "class") == 0 &&
            jfr_metadata_find_id(metadata, element, key, &id)) {
            err = string_of_id(n, n->id_of(n->arg, id), &attribute->value);
        }
    }
    return err;
}

lp_err
jfr_metadata_renumber(
    jfr_metadata *metadata, uint64_t (*id_of)(const void *arg, uint64_t id), const void *arg)
{
    numbering n = {.metadata = metadata, .id_of = id_of, .arg = arg};
    lp_err err = LP_OK;
    for (size_t i = 0; i < metadata->elements.count && err == LP_OK; i++) {
        err = renumber_element(&n, (uint32_t)i);
    }
    lp_map_fini(&n.texts);
    lp_map_fini(&metadata->type_by_id);
    memset(metadata->type_by_small_id, 0xff, sizeof(metadata->type_by_small_id)); // JFR_NONE
    for (size_t i = 0; i < metadata->types.count && err == LP_OK; i++) {
        jfr_type *type = &metadata->types.items[i];
        type->id = id_of(arg, type->id);
        err = remember_id(metadata, type->id, (uint32_t)i);
    }
    return err;
}

jfr_metadata_id
jfr_metadata_id_text(uint64_t id)
{
    jfr_metadata_id out;
    (void)snprintf(out.text, sizeof(out.text), "%" PRId64, (int64_t)id);
    return out;
}
