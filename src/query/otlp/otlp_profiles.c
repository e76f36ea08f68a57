// SPDX-License-Identifier: Apache-2.0
#include "query/otlp/otlp_profiles.h"

#include "common/base/lp_assert.h"
#include "query/frames/leaves.h"
#include "query/otlp/otlp_pieces.h"

#include <stdlib.h>
#include <string.h>

struct query_otlp_profiles {
    query_otlp_wish wish;
    query_names *names;
    query_stacks stacks;
    query_leaves leaves;
    query_attributes attributes;
    query_otlp_pieces pieces;
    uint64_t left_out;
    bool is_truncated;
    uint32_t categories[TIME_CATEGORY_COUNT]; // their names

    bool has_session;
    uint32_t session; // the first source of the JVM at hand

    // Of the answer at hand:
    const query_answer *answer;
    int64_t end_wall_ns;
    bool is_described; // in this piece: the next members are valid
    int32_t link;
    int32_t described[QUERY_OTLP_ATTRIBUTES_MAX];
    size_t described_count;
};

static void
profiles_check(const query_otlp_profiles *p)
{
    LP_ASSERT(p->names != NULL && p->pieces.wish == &p->wish);
    LP_ASSERT(p->described_count <= QUERY_REQUEST_ATTRIBUTES_MAX + 1);
}

query_otlp_profiles *
query_otlp_profiles_create(const query_otlp_wish *wish, query_names *names)
{
    LP_ASSERT(wish->describe != NULL && wish->on_piece != NULL);
    query_otlp_profiles *made = malloc(sizeof(*made));
    if (made == NULL) {
        return NULL;
    }
    *made = (query_otlp_profiles){
        .wish = *wish,
        .names = names,
        .stacks = {.has_lines = true},
        .leaves = query_leaves_begin(names),
        .pieces = {.wish = &made->wish, .dictionary = {.names = names, .stacks = &made->stacks}},
    };
    for (unsigned i = 0; i < TIME_CATEGORY_COUNT; i++) {
        made->categories[i] = query_names_add(names, time_category_name((time_category)i));
    }
    return made;
}

void
query_otlp_profiles_destroy(query_otlp_profiles *p)
{
    if (p != NULL) {
        query_otlp_pieces_fini(&p->pieces);
        query_leaves_fini(&p->leaves);
        query_stacks_fini(&p->stacks);
        query_attributes_fini(&p->attributes);
        free(p);
    }
}

static bool
has_stack(const query_row *row)
{
    return row->category != TIME_QUEUED; // its frame would be a pool
}

void
query_otlp_profiles_prepare(query_otlp_profiles *p, query_question *question)
{
    profiles_check(p);
    question->wants_thread_names = true;
    question->wants_bytes = true;
    question->stacks = &p->stacks;
    question->wants_stack = has_stack;
    question->attributes = &p->attributes;
}

// --- What all samples of an answer share

static bool
has_key(const int32_t *keys, size_t count, int32_t key)
{
    for (size_t i = 0; i < count; i++) {
        if (keys[i] == key) {
            return true;
        }
    }
    return false;
}

// describe_attribute adds an attribute of the answer, unless it has the key of another one.
static lp_err
describe_attribute(query_otlp_profiles *p, const query_known_attribute *known,
    int32_t keys[QUERY_OTLP_ATTRIBUTES_MAX], size_t *key_count)
{
    const query_attribute *attribute = &known->attribute;
    const query_key *key = &p->attributes.keys.items[known->key];
    bool is_shown = !attribute->is_null && known->value != QUERY_NO_VALUE && !key->is_search_only &&
                    key->value_count <= QUERY_OTLP_VALUES_MAX;
    if (!is_shown || p->described_count >= QUERY_REQUEST_ATTRIBUTES_MAX) {
        return LP_OK;
    }
    const lp_slice name = {(const uint8_t *)key->name, strlen(key->name)};
    int32_t index;
    LP_TRY(query_otlp_dictionary_text(&p->pieces.dictionary, name, &index));
    if (index == 0 || has_key(keys, *key_count, index)) {
        return LP_OK;
    }
    keys[(*key_count)++] = index;
    return query_otlp_dictionary_attribute(&p->pieces.dictionary, index, attribute->value,
        attribute->is_number, &p->described[p->described_count++]);
}

// take_tag_keys makes keys begin with those of the tags: an attribute must not repeat them.
static lp_err
take_tag_keys(query_otlp_profiles *p, int32_t keys[QUERY_OTLP_TAGS])
{
    lp_err err = LP_OK;
    for (unsigned i = 0; i < QUERY_OTLP_TAGS && err == LP_OK; i++) {
        const char *key = query_otlp_tag_key((query_otlp_tag)i);
        const lp_slice text = {(const uint8_t *)key, strlen(key)};
        err = query_otlp_dictionary_text(&p->pieces.dictionary, text, &keys[i]);
    }
    return err;
}

// describe adds the link and the attributes of the answer to the dictionary of the piece.
static lp_err
describe(query_otlp_profiles *p)
{
    const query_answer *answer = p->answer;
    query_otlp_ids ids = {.has_trace = false};
    int32_t keys[QUERY_OTLP_TAGS + QUERY_OTLP_ATTRIBUTES_MAX];
    size_t key_count = QUERY_OTLP_TAGS;
    uint32_t type = answer->request != NULL ? answer->request->facts.type : answer->context->type;
    p->described_count = 0;
    LP_TRY(take_tag_keys(p, keys));
    for (size_t i = 0; i < answer->attribute_count; i++) {
        if (!query_otlp_ids_read(&ids, &answer->attributes[i].attribute)) {
            LP_TRY(describe_attribute(p, &answer->attributes[i], keys, &key_count));
        }
    }
    LP_TRY(query_otlp_dictionary_link(&p->pieces.dictionary, &ids, &p->link));
    if (type != QUERY_NAME_NONE) {
        LP_TRY(query_otlp_dictionary_tag(
            &p->pieces.dictionary, QUERY_OTLP_CONTEXT, type, &p->described[p->described_count++]));
    }
    p->is_described = true;
    return LP_OK;
}

// --- Samples

// A sample before its indexes are known.
typedef struct found {
    query_otlp_measure measure;
    int64_t period_ns;
    int64_t value;
    int64_t wall_ns;
    uint32_t node;     // of its stack trace
    uint32_t thread;   // its name, or QUERY_NAME_NONE
    uint32_t category; // its name, or QUERY_NAME_NONE
} found;

// make_room returns whether there is room for a sample. It may begin another piece.
static lp_err
make_room(query_otlp_profiles *p, bool *out_has_room)
{
    *out_has_room = query_otlp_pieces_has_room(&p->pieces);
    if (!*out_has_room && !p->wish.is_file) {
        p->is_described = false;
        *out_has_room = true;
        LP_TRY(query_otlp_pieces_pass(&p->pieces));
    }
    *out_has_room &= p->pieces.bytes + QUERY_OTLP_PIECE_BYTES_MAX <= QUERY_OTLP_ALL_BYTES_MAX;
    return LP_OK;
}

static lp_err
add_tag(query_otlp_profiles *p, query_otlp_tag tag, uint32_t name,
    int32_t indexes[QUERY_OTLP_ATTRIBUTES_MAX], size_t *count)
{
    return name == QUERY_NAME_NONE
               ? LP_OK
               : query_otlp_dictionary_tag(&p->pieces.dictionary, tag, name, &indexes[(*count)++]);
}

static lp_err
add_sample(query_otlp_profiles *p, const found *one)
{
    bool has_room;
    int32_t attributes[QUERY_OTLP_ATTRIBUTES_MAX];
    LP_TRY(make_room(p, &has_room));
    if (!has_room) {
        p->left_out++;
        return LP_OK;
    }
    LP_TRY(p->is_described ? LP_OK : describe(p));
    int64_t begin_ns = p->answer->begin_wall_ns;
    int64_t wall_ns = one->wall_ns > p->end_wall_ns ? p->end_wall_ns : one->wall_ns;
    query_otlp_sample sample = {
        .measure = one->measure,
        .period_ns = one->period_ns,
        .value = one->value,
        .wall_ns = wall_ns < begin_ns ? begin_ns : wall_ns,
        .link = p->link,
        .attributes = attributes,
        .attribute_count = p->described_count,
        .begin_wall_ns = begin_ns,
        .end_wall_ns = p->end_wall_ns,
    };
    memcpy(attributes, p->described, p->described_count * sizeof(*attributes));
    LP_TRY(add_tag(p, QUERY_OTLP_THREAD, one->thread, attributes, &sample.attribute_count));
    LP_TRY(add_tag(p, QUERY_OTLP_CATEGORY, one->category, attributes, &sample.attribute_count));
    LP_TRY(query_otlp_dictionary_stack(&p->pieces.dictionary, one->node, &sample.stack));
    return query_otlp_pieces_add(&p->pieces, &sample);
}

// add_at_leaf adds a sample whose stack trace is a leaf.
static lp_err
add_at_leaf(query_otlp_profiles *p, found one, unsigned kind)
{
    LP_TRY(query_stacks_add_spare(&p->stacks, p->leaves.of[kind], &one.node));
    return add_sample(p, &one);
}

// found_of returns what the samples of a row have in common.
static found
found_of(const query_otlp_profiles *p, const query_row *row, uint32_t thread)
{
    return (found){
        .wall_ns = jfr_clock_wall_ns(&p->answer->clock, row->commit),
        .node = row->stack,
        .thread = thread,
        .category = p->categories[row->category],
    };
}

// add_cpu adds a sample of a running thread: to its profile, and to that of the time as far as no
// event explains it.
static lp_err
add_cpu(query_otlp_profiles *p, const query_row *row, const time_span *span, uint32_t thread,
    int64_t *left_ns)
{
    found one = found_of(p, row, thread);
    one.value = 1;
    one.period_ns = row->period_ns;
    if (row->stack == QUERY_STACK_ROOT) {
        LP_TRY(query_stacks_add_spare(&p->stacks, p->leaves.of[TIME_CPU], &one.node));
    }
    LP_TRY(add_sample(p, &one));
    int64_t own_ns = row->period_ns < *left_ns ? row->period_ns : *left_ns;
    if (!span->is_left || own_ns <= 0) {
        return LP_OK;
    }
    *left_ns -= own_ns;
    one.measure = QUERY_OTLP_WALL;
    one.value = own_ns;
    return add_sample(p, &one);
}

static lp_err
add_allocation(query_otlp_profiles *p, const query_row *row, uint32_t thread)
{
    found one = found_of(p, row, thread);
    one.measure = QUERY_OTLP_ALLOC;
    one.value = row->bytes;
    return row->stack != QUERY_STACK_ROOT ? add_sample(p, &one)
                                          : add_at_leaf(p, one, QUERY_KIND_ALLOC);
}

// measure_of returns the profile of the time of a category, besides that of all time;
// QUERY_OTLP_WALL: none.
static query_otlp_measure
measure_of(time_category category)
{
    return category == TIME_LOCK   ? QUERY_OTLP_LOCK
           : category == TIME_PARK ? QUERY_OTLP_PARK
           : category == TIME_IO   ? QUERY_OTLP_IO
                                   : QUERY_OTLP_WALL;
}

// add_event adds the time of an event, or one that takes no time.
static lp_err
add_event(query_otlp_profiles *p, const query_row *row, uint32_t thread, int64_t own_ns)
{
    bool is_instant = row->category == TIME_OTHER && !row->has_duration && row->bytes == 0;
    if (own_ns <= 0 && !is_instant) {
        return LP_OK;
    }
    found one = found_of(p, row, thread);
    LP_TRY(query_leaves_add_below(
        &p->leaves, &p->stacks, row->stack, (time_category)row->category, row->type, &one.node));
    one.measure = is_instant ? QUERY_OTLP_EVENTS : QUERY_OTLP_WALL;
    one.value = is_instant ? 1 : own_ns;
    LP_TRY(add_sample(p, &one));
    one.measure = measure_of((time_category)row->category);
    return one.measure == QUERY_OTLP_WALL ? LP_OK : add_sample(p, &one);
}

static lp_err
add_row(query_otlp_profiles *p, const query_row *row, const time_span *span, uint32_t thread,
    int64_t *left_ns)
{
    LP_ASSERT(row->category < TIME_CATEGORY_COUNT);
    if (row->category == TIME_CPU) {
        return add_cpu(p, row, span, thread, left_ns);
    }
    LP_TRY(row->bytes > 0 ? add_allocation(p, row, thread) : LP_OK);
    return add_event(p, row, thread, span->own_ns);
}

// --- Answers

// thread_of returns the name of the thread of the index-th row. *stay is the stay of the row before
// and *end the index of the first row behind it.
static uint32_t
thread_of(const query_answer *answer, size_t index, uint32_t *stay, size_t *end)
{
    const query_request *request = answer->request;
    if (request == NULL) {
        return answer->context->thread_name;
    }
    while (index >= *end && *stay < request->stay_count) {
        *end += answer->stays[(*stay)++].span_count;
    }
    if (index >= *end) { // no thread works
        return QUERY_NAME_NONE;
    }
    const query_requests *requests = &answer->contexts->requests;
    uint32_t of = requests->stays_of.items[request->first_stay + *stay - 1];
    return requests->stays.items[of].thread_name;
}

static lp_err
add_rows(query_otlp_profiles *p)
{
    const query_answer *answer = p->answer;
    int64_t left_ns = answer->left_ns;
    uint32_t stay = 0;
    size_t end = 0;
    for (size_t i = 0; i < answer->row_count; i++) {
        uint32_t thread = thread_of(answer, i, &stay, &end);
        const time_span *span = &answer->spans[i]; // those of a stay have the places of its rows
        LP_TRY(add_row(p, &answer->rows[span->event], span, thread, &left_ns));
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        const time_span *span = &answer->pauses[i];
        LP_TRY(add_event(p, &answer->pause_rows[span->event], QUERY_NAME_NONE, span->own_ns));
    }
    const found rest = {
        .measure = QUERY_OTLP_WALL,
        .value = left_ns,
        .wall_ns = answer->begin_wall_ns,
        .thread = QUERY_NAME_NONE,
        .category = QUERY_NAME_NONE,
    };
    return left_ns > 0 ? add_at_leaf(p, rest, QUERY_KIND_UNACCOUNTED) : LP_OK;
}

lp_err
query_otlp_profiles_add(void *arg, const query_answer *answer)
{
    query_otlp_profiles *p = arg;
    profiles_check(p);
    if ((answer->in & QUERY_IN_SELECTION) == 0 ||
        query_answer_is_inner(answer, QUERY_IN_SELECTION)) {
        return LP_OK;
    }
    if (!p->has_session || p->session != answer->first_source) {
        p->has_session = true;
        p->session = answer->first_source;
        LP_TRY(query_otlp_pieces_begin_jvm(&p->pieces, p->session));
    }
    p->answer = answer;
    p->is_described = false;
    if (__builtin_add_overflow(answer->begin_wall_ns, answer->duration_ns, &p->end_wall_ns)) {
        p->end_wall_ns = INT64_MAX;
    }
    return add_rows(p);
}

lp_err
query_otlp_profiles_finish(query_otlp_profiles *p)
{
    profiles_check(p);
    LP_TRY(lp_arena_err(&p->names->arena));
    p->is_truncated = p->left_out > 0 || p->stacks.is_truncated || p->attributes.is_truncated ||
                      p->names->is_truncated || p->pieces.dictionary.is_truncated;
    return query_otlp_pieces_pass(&p->pieces);
}

query_otlp_counts
query_otlp_profiles_count(const query_otlp_profiles *p)
{
    profiles_check(p);
    return (query_otlp_counts){
        .samples = p->pieces.samples, .left_out = p->left_out, .is_truncated = p->is_truncated};
}
