// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/rollup_bytes.h"

#include "rollup.pb-c.h"

#include "common/base/lp_proto.h"

#include <string.h>

// --- Encoding: a tree of messages in an arena, which borrows everything else

typedef Loupe__Rollup__Histogram histogram_message;
typedef Loupe__Rollup__Numbers numbers_message;
typedef Loupe__Rollup__Value value_message;
typedef Loupe__Rollup__Attribute attribute_message;
typedef Loupe__Rollup__Exemplar exemplar_message;
typedef Loupe__Rollup__Slice slice_message;
typedef Loupe__Rollup__Type type_message;
typedef Loupe__Rollup__Rollup rollup_message;

// NEW_LIST makes count messages, and an array of pointers to them. NULL where memory ran out.
#define NEW_LIST(arena, type, count, out_pointers)                                                 \
    new_list(arena, count, sizeof(type), (void ***)(out_pointers))

static void *
new_list(lp_arena *arena, size_t count, size_t bytes, void ***out_pointers)
{
    uint8_t *items = lp_arena_array(arena, count, bytes, alignof(max_align_t));
    *out_pointers = LP_ARENA_ARRAY(arena, void *, count);
    for (size_t i = 0; i < count && !arena->is_failed; i++) {
        (*out_pointers)[i] = items + i * bytes;
    }
    return arena->is_failed ? NULL : items;
}

static histogram_message *
make_histogram(lp_arena *arena, const histogram *lengths)
{
    histogram_message *message = LP_ARENA_NEW(arena, histogram_message);
    if (message == NULL || lengths->count == 0) {
        return NULL;
    }
    loupe__rollup__histogram__init(message);
    message->zero_count = lengths->zero_count;
    message->sum_ns = lengths->sum_ns;
    uint32_t begin = 0;
    uint32_t end = lengths->bucket_count;
    while (end > 0 && lengths->counts[end - 1] == 0) {
        end--;
    }
    while (begin < end && lengths->counts[begin] == 0) {
        begin++;
    }
    if (end > begin) {
        message->first = lengths->first + begin;
        message->n_counts = end - begin;
        message->counts = lengths->counts + begin;
    }
    return message;
}

static numbers_message *
make_numbers(lp_arena *arena, const rollup_numbers *numbers)
{
    numbers_message *message = LP_ARENA_NEW(arena, numbers_message);
    uint64_t *time_ns = LP_ARENA_ARRAY(arena, uint64_t, TIME_CATEGORY_COUNT);
    LP_REQUIRE(message != NULL && time_ns != NULL, NULL);
    loupe__rollup__numbers__init(message);
    message->all = make_histogram(arena, &numbers->all);
    message->kept = make_histogram(arena, &numbers->kept);
    message->left_ns = numbers->left_ns;
    message->time_ns = time_ns;
    for (size_t i = 0; i < TIME_CATEGORY_COUNT; i++) {
        time_ns[i] = numbers->time_ns[i];
        message->n_time_ns = time_ns[i] != 0 ? i + 1 : message->n_time_ns;
    }
    return message;
}

// text_of returns a text for a message. protobuf-c has no const here; packing does not write.
static char *
text_of(const char *text)
{
    return (char *)(uintptr_t)text;
}

static void
make_values(lp_arena *arena, const rollup_attribute *attribute, attribute_message *message)
{
    value_message *values =
        NEW_LIST(arena, value_message, attribute->values.count, &message->values);
    for (size_t i = 0; i < attribute->values.count && values != NULL; i++) {
        const rollup_value *value = &attribute->values.items[i];
        loupe__rollup__value__init(&values[i]);
        values[i].text.data = (uint8_t *)text_of((const char *)value->text.ptr);
        values[i].text.len = value->text.len;
        values[i].numbers = make_numbers(arena, &value->numbers);
    }
    message->n_values = values == NULL ? 0 : attribute->values.count;
}

static void
make_attributes(lp_arena *arena, const rollup_type *type, type_message *message)
{
    attribute_message *attributes =
        NEW_LIST(arena, attribute_message, type->attributes.count, &message->attributes);
    for (size_t i = 0; i < type->attributes.count && attributes != NULL; i++) {
        const rollup_attribute *attribute = &type->attributes.items[i];
        loupe__rollup__attribute__init(&attributes[i]);
        attributes[i].name = text_of(attribute->name);
        attributes[i].has_too_many = attribute->has_too_many;
        make_values(arena, attribute, &attributes[i]);
    }
    message->n_attributes = attributes == NULL ? 0 : type->attributes.count;
}

static void
make_exemplars(lp_arena *arena, const rollup_type *type, type_message *message)
{
    exemplar_message *exemplars =
        NEW_LIST(arena, exemplar_message, type->exemplars.count, &message->exemplars);
    for (size_t i = 0; i < type->exemplars.count && exemplars != NULL; i++) {
        const rollup_exemplar *exemplar = &type->exemplars.items[i];
        loupe__rollup__exemplar__init(&exemplars[i]);
        exemplars[i].duration_ns = exemplar->duration_ns;
        exemplars[i].begin_wall_ns = exemplar->begin_wall_ns;
        exemplars[i].begin_ticks = exemplar->ref.begin;
        exemplars[i].id_hash = exemplar->ref.hash;
        exemplars[i].request = exemplar->request;
        exemplars[i].trace = text_of(exemplar->trace);
        exemplars[i].recording = text_of(exemplar->recording);
    }
    message->n_exemplars = exemplars == NULL ? 0 : type->exemplars.count;
}

static void
make_slices(lp_arena *arena, const rollup_type *type, type_message *message)
{
    slice_message *slices = NEW_LIST(arena, slice_message, type->slices.count, &message->slices);
    for (size_t i = 0; i < type->slices.count && slices != NULL; i++) {
        const rollup_slice *slice = &type->slices.items[i];
        loupe__rollup__slice__init(&slices[i]);
        slices[i].begin_wall_ns = slice->begin_wall_ns;
        slices[i].all = make_histogram(arena, &slice->all);
        slices[i].kept = make_histogram(arena, &slice->kept);
    }
    message->n_slices = slices == NULL ? 0 : type->slices.count;
}

// make_types makes the types of a unit; *out_count of them.
static type_message **
make_types(lp_arena *arena, const rollup_types *from, size_t *out_count)
{
    type_message **places;
    type_message *types = NEW_LIST(arena, type_message, from->count, &places);
    for (size_t i = 0; i < from->count && types != NULL; i++) {
        const rollup_type *type = &from->items[i];
        loupe__rollup__type__init(&types[i]);
        types[i].name = text_of(type->name);
        types[i].has_more_attributes = type->has_more_attributes;
        types[i].numbers = make_numbers(arena, &type->numbers);
        make_attributes(arena, type, &types[i]);
        make_exemplars(arena, type, &types[i]);
        make_slices(arena, type, &types[i]);
    }
    *out_count = types == NULL ? 0 : from->count;
    return places;
}

lp_err
rollup_bytes_encode(const rollup *sums, lp_buf *out)
{
    lp_arena arena = {0};
    rollup_message message = LOUPE__ROLLUP__ROLLUP__INIT;
    message.version = ROLLUP_VERSION;
    message.contexts_left_out = sums->contexts_left_out;
    message.requests_left_out = sums->requests_left_out;
    message.chunks_left_out = sums->chunks_left_out;
    message.slice_ns = sums->slice_ns;
    Loupe__Rollup__Times begin = LOUPE__ROLLUP__TIMES__INIT;
    begin.min_wall_ns = sums->begin_min_ns;
    message.begin = sums->begin_min_ns == INT64_MAX ? NULL : &begin;
    Loupe__Rollup__Times commits = LOUPE__ROLLUP__TIMES__INIT;
    commits.min_wall_ns = sums->commit_min_ns;
    commits.max_wall_ns = sums->commit_max_ns;
    message.commits = sums->commit_min_ns > sums->commit_max_ns ? NULL : &commits;
    message.types = make_types(&arena, &sums->types, &message.n_types);
    message.requests = make_types(&arena, &sums->requests, &message.n_requests);
    lp_err err = lp_arena_err(&arena);
    LP_THEN(err, lp_proto_append(&message.base, out));
    lp_arena_fini(&arena);
    return err;
}

// --- Decoding

static bool
is_histogram(const histogram_message *message)
{
    return message == NULL || (message->n_counts <= HISTOGRAM_BUCKETS &&
                                  message->first <= HISTOGRAM_BUCKETS - message->n_counts);
}

static bool
is_numbers(const numbers_message *message)
{
    return message == NULL || (is_histogram(message->all) && is_histogram(message->kept));
}

static bool
is_type(const type_message *message)
{
    bool is = is_numbers(message->numbers);
    for (size_t i = 0; i < message->n_attributes && is; i++) {
        const attribute_message *attribute = message->attributes[i];
        for (size_t k = 0; k < attribute->n_values && is; k++) {
            is = is_numbers(attribute->values[k]->numbers);
        }
    }
    for (size_t i = 0; i < message->n_slices && is; i++) {
        is = is_histogram(message->slices[i]->all) && is_histogram(message->slices[i]->kept);
    }
    return is;
}

static bool
are_types(type_message *const *types, size_t count)
{
    bool are = true;
    for (size_t i = 0; i < count && are; i++) {
        are = is_type(types[i]);
    }
    return are;
}

static void
add_histogram(rollup *total, histogram *to, const histogram_message *message)
{
    if (message == NULL) {
        return;
    }
    const histogram read = {
        .zero_count = message->zero_count,
        .sum_ns = message->sum_ns,
        .counts = message->counts,
        .first = message->first,
        .bucket_count = (uint32_t)message->n_counts,
    };
    histogram_merge(to, &total->arena, &read);
}

static void
add_numbers(rollup *total, rollup_numbers *to, const numbers_message *message)
{
    if (message == NULL) {
        return;
    }
    add_histogram(total, &to->all, message->all);
    add_histogram(total, &to->kept, message->kept);
    for (size_t i = 0; i < message->n_time_ns; i++) { // of later versions some are not known
        size_t category = i < TIME_CATEGORY_COUNT ? i : TIME_OTHER;
        rollup_add_ns(&to->time_ns[category], message->time_ns[i]);
    }
    rollup_add_ns(&to->left_ns, message->left_ns);
}

static void
add_attribute(rollup *total, rollup_type *type, const attribute_message *message)
{
    rollup_attribute *attribute = rollup_add_attribute(total, type, message->name);
    if (attribute == NULL) {
        return;
    }
    if (message->has_too_many) {
        rollup_attribute_drop(attribute);
    }
    for (size_t i = 0; i < message->n_values && !attribute->has_too_many; i++) {
        const value_message *from = message->values[i];
        const lp_slice text = {from->text.data, from->text.len};
        rollup_value *value = rollup_add_value(total, attribute, text);
        if (value != NULL) {
            add_numbers(total, &value->numbers, from->numbers);
        }
    }
}

// copy_text copies a text of an exemplar; one that is too long is none.
static void
copy_text(char out[ROLLUP_EXEMPLAR_BYTES_MAX + 1], const char *text)
{
    size_t len = strlen(text);
    memcpy(out, text, len <= ROLLUP_EXEMPLAR_BYTES_MAX ? len + 1 : 0);
}

static void
add_exemplar(
    rollup *total, rollup_type *type, const exemplar_message *message, const char *recording)
{
    rollup_exemplar exemplar = {
        .duration_ns = message->duration_ns,
        .begin_wall_ns = message->begin_wall_ns,
        .ref = {.begin = message->begin_ticks, .hash = message->id_hash},
        .request = message->request,
    };
    copy_text(exemplar.trace, message->trace);
    copy_text(exemplar.recording, message->recording[0] != '\0' ? message->recording : recording);
    rollup_add_exemplar(total, type, &exemplar);
}

// count_all returns how many contexts, or requests, there are, kept or not.
static uint64_t
count_all(const numbers_message *message)
{
    uint64_t count = 0;
    if (message != NULL && message->all != NULL) {
        count = message->all->zero_count;
        for (size_t i = 0; i < message->all->n_counts; i++) {
            rollup_add_ns(&count, message->all->counts[i]);
        }
    }
    return count;
}

// add_slices adds the slices of a type of one chunk.
static void
add_slices(rollup *chunk, rollup_type *type, const type_message *message)
{
    for (size_t i = 0; i < message->n_slices; i++) {
        const slice_message *from = message->slices[i];
        rollup_slice *slice = rollup_add_slice(chunk, type, from->begin_wall_ns);
        if (slice != NULL) {
            add_histogram(chunk, &slice->all, from->all);
            add_histogram(chunk, &slice->kept, from->kept);
        }
    }
}

// The state of decoding.
typedef enum adding {
    ADDING_ONE, // the rollup is empty, and becomes that of the chunk
    ADDING_MORE,
} adding;

static void
add_type(
    rollup *total, rollup_unit unit, const type_message *message, const char *recording, adding how)
{
    rollup_type *type = rollup_add_type_of(total, unit, message->name);
    if (type == NULL) {
        rollup_leave_out(total, unit, count_all(message->numbers));
        return;
    }
    add_numbers(total, &type->numbers, message->numbers);
    type->has_more_attributes |= message->has_more_attributes;
    for (size_t i = 0; i < message->n_attributes; i++) {
        add_attribute(total, type, message->attributes[i]);
    }
    for (size_t i = 0; i < message->n_exemplars; i++) {
        add_exemplar(total, type, message->exemplars[i], recording);
    }
    if (how == ADDING_ONE) {
        add_slices(total, type, message);
    }
}

static void
add_message(rollup *total, const rollup_message *message, const char *recording, adding how)
{
    if (message->begin != NULL) {
        rollup_note_begin(total, message->begin->min_wall_ns);
    }
    if (message->commits != NULL) {
        rollup_note_commits(total, message->commits->min_wall_ns, message->commits->max_wall_ns);
    }
    if (how == ADDING_ONE && message->slice_ns > 0) {
        total->slice_ns = message->slice_ns;
    }
    rollup_leave_out(total, ROLLUP_CONTEXTS, message->contexts_left_out);
    rollup_leave_out(total, ROLLUP_REQUESTS, message->requests_left_out);
    rollup_add_ns(&total->chunks_left_out, message->chunks_left_out);
    for (size_t i = 0; i < message->n_types; i++) {
        add_type(total, ROLLUP_CONTEXTS, message->types[i], recording, how);
    }
    for (size_t i = 0; i < message->n_requests; i++) {
        add_type(total, ROLLUP_REQUESTS, message->requests[i], recording, how);
    }
}

static void *
allocate(void *arena, size_t bytes)
{
    return lp_arena_alloc(arena, bytes, alignof(max_align_t));
}

static void
release(void *arena, void *allocated)
{
    (void)arena;
    (void)allocated; // the arena ends with the message
}

// add_unpacked adds a message whose version and numbers are those of a rollup.
static lp_err
add_unpacked(rollup *total, const rollup_message *message, const char *recording, adding how)
{
    LP_REQUIRE(message->version > 0, LP_ECORRUPT);
    LP_REQUIRE(message->version <= ROLLUP_VERSION, LP_EVERSION);
    LP_REQUIRE(are_types(message->types, message->n_types) &&
                   are_types(message->requests, message->n_requests),
        LP_ECORRUPT);
    add_message(total, message, recording, how);
    return rollup_err(total);
}

// add unpacks into an arena: a message has hundreds of small parts.
static lp_err
add(rollup *total, lp_slice bytes, const char *recording, adding how)
{
    lp_arena arena = {0};
    ProtobufCAllocator allocator = {.alloc = allocate, .free = release, .allocator_data = &arena};
    const rollup_message *message = loupe__rollup__rollup__unpack(&allocator, bytes.len, bytes.ptr);
    lp_err err = message == NULL ? lp_proto_err(arena.is_failed)
                                 : add_unpacked(total, message, recording, how);
    lp_arena_fini(&arena);
    return err;
}

lp_err
rollup_bytes_add(rollup *total, lp_slice bytes, const char *recording)
{
    return add(total, bytes, recording, ADDING_MORE);
}

lp_err
rollup_bytes_read(rollup *chunk, lp_slice bytes, const char *recording)
{
    return add(chunk, bytes, recording, ADDING_ONE);
}
