// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/chunk.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_clock.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"
#include "common/rollup/rollup_id.h"
#include "engine/read/kind_values.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"

#include <stdlib.h>
#include <string.h>

struct query_fields {
    compact_kind kind;
    compact_reading reading;
    bool are_ids[COMPACT_KIND_ATTRIBUTES_MAX]; // parallel to kind.attributes
};

static const char active_setting[] = "jdk.ActiveSetting";

static void
chunk_check(const query_chunk *chunk)
{
    LP_ASSERT(chunk->names != NULL);
    LP_ASSERT(chunk->view.schema != NULL);
}

// --- Types

query_allocation
query_allocation_find(const char *type_name)
{
    static const struct known {
        const char *type;
        query_allocation of;
    } known[] = {
        {"jdk.ObjectAllocationInNewTLAB", {.bytes = "tlabSize"}},
        {"jdk.ObjectAllocationOutsideTLAB", {.bytes = "allocationSize"}},
        {"jdk.ObjectAllocationSample", {.bytes = "weight", .is_sample = true}},
    };
    const struct known *found = LP_FIND(known, LP_COUNT(known), strcmp(type_name, at->type) == 0);
    return found == NULL ? (query_allocation){0} : found->of;
}

static const char *
type_name(const query_chunk *chunk, uint32_t type)
{
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    return jfr_metadata_text(metadata, metadata->types.items[type].name);
}

query_place
query_chunk_place(const query_chunk *chunk, uint32_t type, const char *name)
{
    chunk_check(chunk);
    LP_ASSERT(type < chunk->view.schema->metadata.types.count);
    const compact_schema *schema = chunk->view.schema;
    uint32_t field =
        jfr_metadata_find_field(&schema->metadata, &schema->metadata.types.items[type], name);
    if (field == JFR_NONE) {
        return (query_place){0};
    }
    const jfr_field *f = &schema->metadata.fields.items[field];
    return (query_place){
        .is_there = f->type != JFR_NONE && f->is_constant != f->is_array,
        .type = f->type,
        .before = {.begin = schema->layout.types.items[type].begin,
            .end = schema->layout.field_ops.items[field]},
    };
}

static query_place
place_of_context_id(const query_chunk *chunk, uint32_t type)
{
    LP_ASSERT(type < chunk->view.schema->metadata.types.count);
    const jfr_layout *layout = &chunk->view.schema->layout;
    jfr_program program = layout->types.items[type];
    for (uint32_t i = program.begin; i < program.end; i++) {
        if (layout->ops.items[i].code == JFR_OP_CONTEXT_ID) {
            return (query_place){.is_there = true, .before = {program.begin, i}};
        }
    }
    return (query_place){0};
}

static query_role
role_of(const char *name, bool is_contextual)
{
    static const struct known {
        const char *name;
        query_role role;
    } known[] = {
        {active_setting, QUERY_ROLE_SETTING},
        {JFR_REQUEST_TYPE, QUERY_ROLE_REQUEST},
        {JFR_HAND_OVER_TYPE, QUERY_ROLE_HAND_OVER},
    };
    const struct known *found = LP_FIND(known, LP_COUNT(known), strcmp(name, at->name) == 0);
    return is_contextual ? QUERY_ROLE_CONTEXT : found == NULL ? QUERY_ROLE_EVENT : found->role;
}

// find_thread finds the thread field. The engine leaves it out for the events that describe
// requests, as no context applies to them.
static void
find_thread(const query_chunk *chunk, uint32_t index, query_type *type)
{
    LP_ASSERT(index < chunk->view.schema->metadata.types.count);
    const compact_plan *plan = &chunk->view.schema->plans[index];
    bool is_of_requests = type->role == QUERY_ROLE_REQUEST || type->role == QUERY_ROLE_HAND_OVER;
    type->has_thread = plan->thread_field != COMPACT_THREAD_NONE;
    type->before_thread = plan->before_thread;
    if (is_of_requests && !type->has_thread) {
        const query_place place = query_chunk_place(chunk, index, "eventThread");
        type->has_thread = place.is_there && place.type == chunk->view.schema->thread_type;
        type->before_thread = place.before;
        type->before_thread.begin += plan->has_time + plan->has_duration; // a number is one op
    }
}

static void
describe_type(query_chunk *chunk, uint32_t index)
{
    const compact_plan *plan = &chunk->view.schema->plans[index];
    query_type *type = &chunk->types[index];
    if (plan->rule == COMPACT_RULE_NONE || !plan->has_time) {
        return;
    }
    const char *name = type_name(chunk, index);
    const time_category_of of = time_category_find(name);
    uint32_t counted =
        of.counted == NULL ? (uint32_t)QUERY_NAME_NONE : query_names_add(chunk->names, of.counted);
    *type = (query_type){
        .role = role_of(name, plan->rule == COMPACT_RULE_CONTEXTUAL),
        .of = of,
        .allocation = query_allocation_find(name),
        .name = query_names_add(chunk->names, name),
        .counted = counted,
        .has_duration = plan->has_duration,
        .stack = query_chunk_place(chunk, index, "stackTrace"),
        .context_id = place_of_context_id(chunk, index),
    };
    find_thread(chunk, index, type);
    if (type->of.method != NULL) {
        chunk->traced_type = index;
        chunk->traced = compact_traced_find(&chunk->view, index, type->of.method);
        chunk->waiting = *type;
        chunk->waiting.role = QUERY_ROLE_EVENT;
    }
}

// find_type returns the type of an event: `waiting` for a traced method that waits.
static const query_type *
find_type(query_chunk *chunk, uint32_t index, jfr_cursor payload)
{
    if (index != chunk->traced_type) {
        return &chunk->types[index];
    }
    time_category category =
        compact_traced_category(&chunk->view, &chunk->traced, payload, &chunk->method);
    lp_arena_note(&chunk->view.arena, lp_buf_check(&chunk->method));
    chunk->waiting.of.category = category;
    return category == TIME_OTHER ? &chunk->types[index] : &chunk->waiting;
}

lp_err
query_chunk_open_again(
    query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like, bool is_chained)
{
    LP_ASSERT(names != NULL);
    *chunk = (query_chunk){.names = names, .traced_type = JFR_NONE};
    LP_TRY(is_chained ? compact_view_open_chained(&chunk->view, bytes, NULL, like)
                      : compact_view_open_constants(&chunk->view, bytes, NULL, like));
    compact_threads_list(&chunk->view);
    size_t count = chunk->view.schema->metadata.types.count;
    chunk->types = LP_ARENA_ARRAY(&chunk->view.arena, query_type, count);
    for (uint32_t i = 0; i < count && chunk->types != NULL; i++) {
        describe_type(chunk, i);
    }
    lp_err err = query_chunk_err(chunk);
    if (err != LP_OK) {
        query_chunk_close(chunk);
    }
    return err;
}

lp_err
query_chunk_open(query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like)
{
    return query_chunk_open_again(chunk, bytes, names, like, false);
}

void
query_chunk_close(query_chunk *chunk)
{
    for (size_t i = 0; chunk->knows_ids && i < chunk->view.schema->metadata.types.count; i++) {
        free(chunk->types[i].index);
    }
    compact_view_close(&chunk->view);
    lp_buf_fini(&chunk->values);
    lp_buf_fini(&chunk->text);
    lp_buf_fini(&chunk->method);
    *chunk = (query_chunk){0};
}

lp_err
query_chunk_err(const query_chunk *chunk)
{
    chunk_check(chunk);
    LP_TRY(lp_arena_err(&chunk->view.arena));
    return lp_arena_err(&chunk->names->arena);
}

// --- Events

jfr_cursor
query_chunk_events(const query_chunk *chunk)
{
    chunk_check(chunk);
    const lp_slice bytes = chunk->view.chunk;
    return (jfr_cursor){bytes.ptr + JFR_CHUNK_HEADER_SIZE, bytes.ptr + bytes.len};
}

static uint64_t
identify(query_chunk *chunk, uint64_t key)
{
    uint32_t number = key == 0 ? compact_threads_find(&chunk->view, 0)
                               : compact_threads_number(&chunk->view, key);
    return number < chunk->view.threads.count ? chunk->view.threads.items[number].identity
                                              : (uint64_t)QUERY_NO_THREAD;
}

uint64_t
query_chunk_identity(query_chunk *chunk, const query_event *event)
{
    return event->has_thread ? identify(chunk, event->thread_key) : (uint64_t)QUERY_NO_THREAD;
}

// decode reads time and thread. Returns false if the event is too short.
static bool
decode(query_chunk *chunk, const jfr_event *event, uint32_t type, query_event *out)
{
    const compact_schema *schema = chunk->view.schema;
    const compact_plan *plan = &schema->plans[type];
    jfr_cursor cursor = event->payload;
    uint64_t begin;
    uint64_t duration = 0;
    uint64_t key = 0;
    if (!jfr_varint_read(&cursor, &begin) ||
        (plan->has_duration && !jfr_varint_read(&cursor, &duration))) {
        return false;
    }
    const query_type *known = &chunk->types[type];
    if (known->has_thread && (!jfr_layout_walk(&schema->layout, known->before_thread, &cursor) ||
                                 !jfr_varint_read(&cursor, &key))) {
        return false;
    }
    *out = (query_event){
        .type = find_type(chunk, type, event->payload),
        .type_index = type,
        .offset = (uint32_t)(event->begin - chunk->view.chunk.ptr),
        .begin = (int64_t)begin,
        .commit = (int64_t)(begin + duration), // absurd values wrap
        .has_thread = known->has_thread,
        .thread_key = key,
        .payload = event->payload,
    };
    out->begin = out->begin < out->commit ? out->begin : out->commit;
    return true;
}

// note_rest records damage if bytes are left behind the last readable event. A checkpoint that was
// cut off there is already recorded.
static void
note_rest(query_chunk *chunk, const jfr_cursor *rest)
{
    compact_damage *damage = &chunk->view.damage;
    lp_problem problem;
    bool is_noted = rest->at == rest->end;
    for (size_t i = 0; i < damage->notes.count && !is_noted; i++) {
        is_noted =
            damage->notes.items[i].problem.offset >= (uint64_t)(rest->at - chunk->view.chunk.ptr);
    }
    if (!is_noted) {
        (void)jfr_event_problem(chunk->view.chunk, rest, &problem);
        compact_damage_add(damage, &problem, jfr_cursor_left(rest));
    }
}

bool
query_chunk_next(query_chunk *chunk, jfr_cursor *rest, query_event *out_event)
{
    chunk_check(chunk);
    jfr_event event;
    while (jfr_event_next(rest, &event) == LP_OK) {
        if (event.type_id <= JFR_TYPE_ID_CHECKPOINT) {
            continue;
        }
        uint32_t type = jfr_metadata_find_type(&chunk->view.schema->metadata, event.type_id);
        query_role role = type == JFR_NONE ? QUERY_ROLE_NONE : chunk->types[type].role;
        bool is_skipped =
            chunk->skips_contexts && role != QUERY_ROLE_EVENT && role != QUERY_ROLE_SETTING;
        if (role == QUERY_ROLE_NONE || (is_skipped && type != chunk->traced_type)) {
            continue;
        }
        if (!decode(chunk, &event, type, out_event)) {
            chunk->unreadable_events++;
        } else if (!is_skipped || out_event->type->role != QUERY_ROLE_CONTEXT) {
            return true;
        }
    }
    note_rest(chunk, rest);
    return false;
}

bool
query_chunk_next_of(
    query_chunk *chunk, const char *type_name, jfr_cursor *rest, query_event *out_event)
{
    chunk_check(chunk);
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    uint32_t type = jfr_metadata_find_type_named(metadata, type_name);
    jfr_event event;
    LP_REQUIRE(type != JFR_NONE && chunk->types[type].role != QUERY_ROLE_NONE, false);
    while (jfr_event_next(rest, &event) == LP_OK) {
        if (event.type_id == metadata->types.items[type].id &&
            decode(chunk, &event, type, out_event)) {
            return true;
        }
    }
    return false;
}

bool
query_chunk_event(query_chunk *chunk, uint32_t offset, query_event *out_event)
{
    chunk_check(chunk);
    LP_ASSERT(offset >= JFR_CHUNK_HEADER_SIZE);
    const lp_slice bytes = chunk->view.chunk;
    LP_REQUIRE(offset < bytes.len, false);
    jfr_cursor rest = {bytes.ptr + offset, bytes.ptr + bytes.len};
    return query_chunk_next(chunk, &rest, out_event) && out_event->offset == offset;
}

// --- Fields

static void
read_fields(
    query_chunk *chunk, const struct query_fields *fields, jfr_cursor payload, query_attribute *out)
{
    const compact_kind *kind = &fields->kind;
    size_t ends[COMPACT_KIND_ATTRIBUTES_MAX];
    lp_buf_clear(&chunk->values);
    lp_buf_clear(&chunk->text);
    compact_kind_append_event(kind, &fields->reading, payload, false, &chunk->values);
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&chunk->values));
    for (size_t i = 0; i < kind->attribute_count && !chunk->values.is_failed; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        const struct compact_reading_value *value = &fields->reading.values[i];
        uint64_t key;
        jfr_cursor text = jfr_cursor_over(compact_kind_next_value(attribute, &cursor, &key));
        out[i] = (query_attribute){
            .name = attribute->name,
            .label = attribute->label == NULL ? "" : attribute->label,
            .is_null = attribute->reference != NULL || *text.at == JFR_STRING_NULL,
            .is_number = value->is_there && value->pool == JFR_NONE &&
                         value->primitive != CTX_STRING && value->primitive != CTX_BOOLEAN &&
                         value->primitive != CTX_CHAR,
            .is_id = fields->are_ids[i],
        };
        out[i].is_null |= !out[i].is_null && !jfr_string_read_utf8(&text, &chunk->text);
        ends[i] = chunk->text.len;
    }
    if (chunk->values.is_failed || chunk->text.is_failed) {
        lp_arena_fail(&chunk->view.arena);
        memset(out, 0, kind->attribute_count * sizeof(*out));
        return;
    }
    for (size_t i = 0; i < kind->attribute_count; i++) { // text no longer grows
        size_t begin = i == 0 ? 0 : ends[i - 1];
        out[i].value = (lp_slice){chunk->text.ptr + begin, ends[i] - begin};
    }
}

// make_fields prepares kind for the events of a type. Returns NULL if memory ran out.
static struct query_fields *
make_fields(query_chunk *chunk, const query_event *event, const compact_kind *kind)
{
    LP_ASSERT(kind->attribute_count <= COMPACT_KIND_ATTRIBUTES_MAX);
    struct query_fields *fields = LP_ARENA_NEW(&chunk->view.arena, struct query_fields);
    if (fields != NULL) {
        fields->kind = *kind;
        fields->reading = compact_reading_make(
            kind, &chunk->view.schema->metadata, event->type_index, &chunk->view.pools);
        query_type *own = &chunk->types[event->type_index];
        (event->type == &chunk->waiting ? &chunk->waiting : own)->fields = fields;
    }
    return fields;
}

static struct query_fields *
make_attributes(query_chunk *chunk, const query_event *event, const compact_kind *kind)
{
    struct query_fields *fields = make_fields(chunk, event, kind);
    for (size_t i = 0; fields != NULL && chunk->knows_ids && i < kind->attribute_count; i++) {
        const char *name = kind->attributes[i].name;
        fields->are_ids[i] = rollup_id_is_trace(name) || rollup_id_is_span(name) ||
                             policy_index_has(event->type->index, name);
    }
    return fields;
}

size_t
query_chunk_attributes(query_chunk *chunk, const query_event *event,
    query_attribute out_attributes[COMPACT_KIND_ATTRIBUTES_MAX])
{
    chunk_check(chunk);
    LP_ASSERT(event->type == &chunk->types[event->type_index]);
    const struct query_fields *fields = event->type->fields;
    if (fields == NULL) {
        compact_kinds kinds = {.arena = &chunk->view.arena};
        compact_kinds_add_event(&kinds, &chunk->view.schema->metadata, event->type_index);
        fields =
            kinds.items.count == 0 ? NULL : make_attributes(chunk, event, &kinds.items.items[0]);
    }
    if (fields == NULL) {
        return 0;
    }
    read_fields(chunk, fields, event->payload, out_attributes);
    return chunk->view.arena.is_failed ? 0 : fields->kind.attribute_count;
}

// has_names returns whether prepared fields have these names.
static bool
has_names(const struct query_fields *fields, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && i < fields->kind.attribute_count &&
           (fields->kind.attributes[i].name == names[i] ||
               strcmp(fields->kind.attributes[i].name, names[i]) == 0)) {
        i++;
    }
    return i == count && i == fields->kind.attribute_count;
}

void
query_chunk_fields(query_chunk *chunk, const query_event *event, const char *const *names,
    size_t count, query_attribute *out_attributes)
{
    chunk_check(chunk);
    LP_ASSERT(count <= COMPACT_KIND_ATTRIBUTES_MAX);
    const struct query_fields *fields = event->type->fields;
    if (fields == NULL || !has_names(fields, names, count)) {
        compact_kind kind = {.attribute_count = count};
        for (size_t i = 0; i < count; i++) {
            kind.attributes[i].name = names[i];
        }
        fields = make_fields(chunk, event, &kind);
    }
    if (fields == NULL) {
        memset(out_attributes, 0, count * sizeof(*out_attributes));
        return;
    }
    read_fields(chunk, fields, event->payload, out_attributes);
}

// note_index records a setting that declares ids of a type.
static void
note_index(query_chunk *chunk, const query_event *event)
{
    const query_setting setting = query_chunk_setting(chunk, event);
    if (setting.type == JFR_NONE || !query_setting_is(setting.name, "context-index")) {
        return;
    }
    const char *text = lp_arena_string(&chunk->view.arena, setting.value);
    policy_index *index;
    if (text != NULL && policy_index_parse(text, &index)) {
        free(chunk->types[setting.type].index);
        chunk->types[setting.type].index = index;
    }
}

void
query_chunk_find_ids(query_chunk *chunk)
{
    chunk_check(chunk);
    query_event setting;
    if (chunk->knows_ids) {
        return;
    }
    chunk->knows_ids = true;
    jfr_cursor rest = query_chunk_events(chunk);
    while (query_chunk_next_setting(chunk, &rest, &setting)) {
        note_index(chunk, &setting);
    }
}

bool
query_number_read(lp_slice text, int64_t *out_number)
{
    bool is_negative = text.len > 0 && text.ptr[0] == '-';
    int64_t number = 0;
    for (size_t i = is_negative; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, is_negative ? -digit : digit, &number)) {
            return false;
        }
    }
    *out_number = number;
    return text.len > is_negative;
}

int64_t
query_chunk_number(query_chunk *chunk, const query_event *event, const char *name)
{
    query_attribute field;
    int64_t number = 0;
    query_chunk_fields(chunk, event, &name, 1, &field);
    bool is_whole = field.is_number && query_number_read(field.value, &number);
    return is_whole && number > 0 ? number : 0;
}

int64_t
query_chunk_length_ns(query_chunk *chunk, const query_event *event, const char *name)
{
    const compact_schema *schema = chunk->view.schema;
    int64_t length = query_chunk_number(chunk, event, name);
    uint32_t at = jfr_metadata_find_field(
        &schema->metadata, &schema->metadata.types.items[event->type_index], name);
    bool is_ticks = at != JFR_NONE && schema->metadata.fields.items[at].ticks == JFR_TICKS_LENGTH;
    const jfr_clock clock = jfr_clock_make(0, 0, schema->ticks_per_s);
    return is_ticks ? jfr_clock_length_ns(&clock, length) : length;
}

bool
query_chunk_counts(query_chunk *chunk, const query_event *event)
{
    const char *const name = event->type->of.only_if;
    query_attribute field;
    if (name == NULL) {
        return true;
    }
    query_chunk_fields(chunk, event, &name, 1, &field);
    return !field.is_null && query_setting_is(field.value, "true");
}

// read_number reads the number behind the fields of a program; 0 if the event ends before it.
static uint64_t
read_number(const query_chunk *chunk, jfr_program before, jfr_cursor cursor)
{
    uint64_t number;
    bool is_whole = jfr_layout_walk(&chunk->view.schema->layout, before, &cursor) &&
                    jfr_varint_read(&cursor, &number);
    return is_whole ? number : 0;
}

uint64_t
query_chunk_context_id(const query_chunk *chunk, const query_event *event)
{
    const query_place *place = &event->type->context_id;
    return place->is_there ? read_number(chunk, place->before, event->payload) : 0;
}

uint32_t
query_chunk_named_type(const query_chunk *chunk, const query_event *event)
{
    chunk_check(chunk);
    LP_ASSERT(event->type->role == QUERY_ROLE_SETTING);
    const compact_plan *plan = &chunk->view.schema->plans[event->type_index];
    return plan->has_type_id ? jfr_metadata_find_type(&chunk->view.schema->metadata,
                                   read_number(chunk, plan->before_type_id, event->payload))
                             : (uint32_t)JFR_NONE;
}

query_setting
query_chunk_setting(query_chunk *chunk, const query_event *event)
{
    static const char *const names[] = {"name", "value"};
    query_attribute fields[2];
    query_chunk_fields(chunk, event, names, 2, fields);
    bool is_null = fields[0].is_null || fields[1].is_null;
    return (query_setting){
        .type = is_null ? (uint32_t)JFR_NONE : query_chunk_named_type(chunk, event),
        .name = fields[0].value,
        .value = fields[1].value,
    };
}

bool
query_chunk_next_setting(query_chunk *chunk, jfr_cursor *rest, query_event *out_event)
{
    return query_chunk_next_of(chunk, active_setting, rest, out_event) &&
           out_event->type->role == QUERY_ROLE_SETTING; // not if the recording says it is a context
}

bool
query_setting_is(lp_slice bytes, const char *text)
{
    return bytes.len == strlen(text) && memcmp(bytes.ptr, text, bytes.len) == 0;
}

// --- Threads

uint64_t
query_chunk_thread_in(
    query_chunk *chunk, const query_event *event, const char *name, uint64_t *out_key)
{
    const query_place place = query_chunk_place(chunk, event->type_index, name);
    bool is_thread = place.is_there && place.type == chunk->view.schema->thread_type;
    *out_key = is_thread ? read_number(chunk, place.before, event->payload) : 0;
    return *out_key == 0 ? (uint64_t)QUERY_NO_THREAD : identify(chunk, *out_key);
}

// add_thread_name returns the text in a field of a thread's constant, or QUERY_NAME_NONE.
static uint32_t
add_thread_name(query_chunk *chunk, const jfr_constant *constant, const char *field_name)
{
    const compact_schema *schema = chunk->view.schema;
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = field_name}}};
    const uint8_t *value = chunk->view.chunk.ptr + constant->offset;
    const struct query_fields fields = {
        .kind = kind,
        .reading =
            compact_reading_make(&kind, &schema->metadata, schema->thread_type, &chunk->view.pools),
    };
    query_attribute name;
    read_fields(chunk, &fields, (jfr_cursor){value, value + constant->size_bytes}, &name);
    lp_buf_append(&chunk->text, "", 1);
    bool is_there = !name.is_null && name.value.len > 0 && !chunk->text.is_failed;
    return is_there ? query_names_add(chunk->names, (const char *)chunk->text.ptr)
                    : (uint32_t)QUERY_NAME_NONE;
}

uint32_t
query_chunk_thread(query_chunk *chunk, uint64_t key, int64_t *out_java_id)
{
    chunk_check(chunk);
    uint64_t identity = identify(chunk, key);
    bool is_java = (identity & 3) == COMPACT_IDENTITY_JAVA;
    *out_java_id = is_java ? (int64_t)(identity >> 2) : 0;
    uint32_t type = chunk->view.schema->thread_type;
    const jfr_constant *constant =
        type == JFR_NONE ? NULL : jfr_pools_find(&chunk->view.pools, type, key);
    if (constant == NULL) {
        return QUERY_NAME_NONE;
    }
    uint32_t name = add_thread_name(chunk, constant, "javaName");
    return name != QUERY_NAME_NONE ? name : add_thread_name(chunk, constant, "osName");
}
