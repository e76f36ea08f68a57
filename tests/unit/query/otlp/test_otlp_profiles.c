// SPDX-License-Identifier: Apache-2.0
// Answers by hand, as OTLP profiles. Each sample becomes a line with the texts of the dictionary;
// the expected lines are written by hand, and each index is checked. That the numbers of fields are
// OpenTelemetry's is tested in tests/e2e/ask_requests.py.
//
// Cost: each of some 200 allocations fails once; some 100 MB are written.

#include "otlp.pb-c.h"
#include "support/failing_alloc.h"

#include "query/otlp/otlp_pieces.h"
#include "query/otlp/otlp_profiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES = 1 << 14, ATTRIBUTES = 4 };

#define TRACE "4BF92F3577B34DA6A3CE929D0E0E4736"

// --- A request: main works, then pool-1 waits for a lock, is sampled, and allocates.

typedef struct world {
    query_names names;
    query_otlp_profiles *profiles;
    query_question question;
    query_contexts contexts;
    query_stay stays[2];
    uint32_t stays_of[2];
    query_request_stay times[2];
    query_request request;
    query_context context;
    query_row rows[5];
    time_span spans[5];
    query_row pause;
    time_span pause_span;
    query_attribute attributes[ATTRIBUTES];
    query_known_attribute known[ATTRIBUTES];
    query_answer answer;
    // The pieces
    char *lines;
    bool is_quiet; // only sums
    size_t pieces;
    size_t largest;
    size_t bytes; // of all
    uint64_t samples;
    int64_t sums[QUERY_OTLP_MEASURES]; // of values times periods
    lp_err err;                        // of on_piece
} world;

static void say(world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
say(world *w, const char *format, ...)
{
    va_list values;
    size_t len = strlen(w->lines);
    if (w->is_quiet) {
        return;
    }
    va_start(values, format);
    (void)vsnprintf(w->lines + len, TEXT_BYTES - len, format, values);
    va_end(values);
    assert_true(strlen(w->lines) < TEXT_BYTES - 1);
}

// --- Reading a piece

typedef Loupe__Otlp__ProfilesDictionary dictionary;

static const ProtobufCBinaryData *
text_of(const dictionary *d, int32_t index)
{
    assert_in_range(index, 0, d->n_string_table - 1);
    assert_true(d->string_table[index].len <= QUERY_OTLP_TEXT_BYTES_MAX);
    return &d->string_table[index];
}

static void
say_text(world *w, const char *before, const dictionary *d, int32_t index)
{
    const ProtobufCBinaryData *text = text_of(d, index);
    say(w, "%s%.*s", before, (int)text->len, (const char *)text->data);
}

static void
say_value(world *w, const Loupe__Otlp__AnyValue *value)
{
    if (value->value_case == LOUPE__OTLP__ANY_VALUE__VALUE_STRING_VALUE) {
        say(w, "=%s", value->string_value);
    } else if (value->value_case == LOUPE__OTLP__ANY_VALUE__VALUE_INT_VALUE) {
        say(w, "=#%lld", (long long)value->int_value);
    } else {
        say(w, "=#%g", value->double_value);
    }
}

static void
say_stack(world *w, const dictionary *d, int32_t index)
{
    assert_in_range(index, 0, d->n_stack_table - 1);
    const Loupe__Otlp__Stack *stack = d->stack_table[index];
    for (size_t i = stack->n_location_indices; i-- > 0;) {
        assert_in_range(stack->location_indices[i], 1, d->n_location_table - 1);
        const Loupe__Otlp__Location *at = d->location_table[stack->location_indices[i]];
        assert_int_equal(at->n_lines, 1);
        assert_in_range(at->lines[0]->function_index, 1, d->n_function_table - 1);
        say_text(w, " ", d, d->function_table[at->lines[0]->function_index]->name_strindex);
        if (at->lines[0]->line > 0) {
            say(w, ":%d", (int)at->lines[0]->line);
        }
    }
}

static void
say_bytes(world *w, const char *before, ProtobufCBinaryData bytes)
{
    say(w, "%s", before);
    for (size_t i = 0; i < bytes.len; i++) {
        say(w, "%02x", bytes.data[i]);
    }
}

static void
say_sample(world *w, const dictionary *d, const Loupe__Otlp__Sample *sample)
{
    assert_int_equal(sample->n_values, 1);
    assert_int_equal(sample->n_timestamps_unix_nano, 1);
    say(w, "%lld at %llu:", (long long)sample->values[0],
        (unsigned long long)sample->timestamps_unix_nano[0]);
    say_stack(w, d, sample->stack_index);
    for (size_t i = 0; i < sample->n_attribute_indices; i++) {
        assert_in_range(sample->attribute_indices[i], 1, d->n_attribute_table - 1);
        const Loupe__Otlp__KeyValueAndUnit *at = d->attribute_table[sample->attribute_indices[i]];
        say_text(w, " ", d, at->key_strindex);
        say_value(w, at->value);
    }
    assert_in_range(sample->link_index, 0, d->n_link_table - 1);
    if (sample->link_index > 0) {
        say_bytes(w, " of ", d->link_table[sample->link_index]->trace_id);
        say_bytes(w, "-", d->link_table[sample->link_index]->span_id);
    }
    say(w, "\n");
}

// The measure of a profile: here the types of its period differ.
static query_otlp_measure
measure_of(const dictionary *d, const Loupe__Otlp__Profile *profile)
{
    static const char *const names[QUERY_OTLP_MEASURES] = {
        "cpu", "wall", "memory", "mutex", "block", "io", "events"};
    const ProtobufCBinaryData *text = text_of(d, profile->period_type->type_strindex);
    unsigned i = 0;
    while (strlen(names[i]) != text->len || memcmp(names[i], text->data, text->len) != 0) {
        i++;
        assert_true(i < QUERY_OTLP_MEASURES);
    }
    return (query_otlp_measure)i;
}

static void
read_profile(world *w, const dictionary *d, ProtobufCBinaryData bytes)
{
    Loupe__Otlp__Profile *profile = loupe__otlp__profile__unpack(NULL, bytes.len, bytes.data);
    assert_non_null(profile);
    query_otlp_measure measure = measure_of(d, profile);
    say_text(w, "- ", d, profile->sample_type->type_strindex);
    say_text(w, "/", d, profile->sample_type->unit_strindex);
    say_text(w, " ", d, profile->period_type->type_strindex);
    say_text(w, "/", d, profile->period_type->unit_strindex);
    say(w, " %lld, %llu for %llu\n", (long long)profile->period,
        (unsigned long long)profile->time_unix_nano, (unsigned long long)profile->duration_nano);
    assert_true(profile->n_samples > 0);
    for (size_t i = 0; i < profile->n_samples; i++) {
        say_sample(w, d, profile->samples[i]);
        w->sums[measure] += profile->samples[i]->values[0] * profile->period;
    }
    w->samples += profile->n_samples;
    loupe__otlp__profile__free_unpacked(profile, NULL);
}

static void
read_jvm(world *w, const dictionary *d, ProtobufCBinaryData bytes)
{
    Loupe__Otlp__ResourceProfiles *jvm =
        loupe__otlp__resource_profiles__unpack(NULL, bytes.len, bytes.data);
    assert_non_null(jvm);
    Loupe__Otlp__Resource *resource =
        loupe__otlp__resource__unpack(NULL, jvm->resource.len, jvm->resource.data);
    assert_non_null(resource);
    say(w, "jvm");
    for (size_t i = 0; i < resource->n_attributes; i++) {
        say(w, " %s", resource->attributes[i]->key);
        say_value(w, resource->attributes[i]->value);
    }
    say(w, "\n");
    assert_int_equal(jvm->n_scope_profiles, 1);
    Loupe__Otlp__ScopeProfiles *scope = loupe__otlp__scope_profiles__unpack(
        NULL, jvm->scope_profiles[0].len, jvm->scope_profiles[0].data);
    assert_non_null(scope);
    assert_string_equal(scope->scope->name, "loupe");
    for (size_t i = 0; i < scope->n_profiles; i++) {
        read_profile(w, d, scope->profiles[i]);
    }
    loupe__otlp__scope_profiles__free_unpacked(scope, NULL);
    loupe__otlp__resource__free_unpacked(resource, NULL);
    loupe__otlp__resource_profiles__free_unpacked(jvm, NULL);
}

static void
check_first_items(const dictionary *d)
{
    assert_int_equal(d->n_mapping_table, 1);
    assert_int_equal(d->string_table[0].len, 0);
    assert_int_equal(d->location_table[0]->n_lines, 0);
    assert_int_equal(d->function_table[0]->name_strindex, 0);
    assert_int_equal(d->link_table[0]->trace_id.len, 0);
    assert_int_equal(d->stack_table[0]->n_location_indices, 0);
    assert_int_equal(d->attribute_table[0]->key_strindex, 0);
}

static lp_err
on_piece(void *arg, const query_otlp_piece *piece)
{
    world *w = arg;
    size_t allocations = allocations_left; // those of the test do not fail
    allocations_left = 0;
    w->pieces++;
    w->bytes += piece->bytes.len;
    w->largest = piece->bytes.len > w->largest ? piece->bytes.len : w->largest;
    uint64_t before = w->samples;
    Loupe__Otlp__ProfilesData *data =
        loupe__otlp__profiles_data__unpack(NULL, piece->bytes.len, piece->bytes.ptr);
    assert_non_null(data);
    dictionary *d =
        loupe__otlp__profiles_dictionary__unpack(NULL, data->dictionary.len, data->dictionary.data);
    assert_non_null(d);
    check_first_items(d);
    for (size_t i = 0; i < data->n_resource_profiles; i++) {
        read_jvm(w, d, data->resource_profiles[i]);
    }
    assert_int_equal(w->samples - before, piece->samples);
    loupe__otlp__profiles_dictionary__free_unpacked(d, NULL);
    loupe__otlp__profiles_data__free_unpacked(data, NULL);
    allocations_left = allocations;
    return w->err;
}

static size_t
describe(const void *arg, uint32_t source, query_otlp_fact out_facts[QUERY_OTLP_FACTS_MAX])
{
    (void)arg;
    out_facts[0] = (query_otlp_fact){.key = "service", .text = source == 0 ? "shop" : "a\xff"};
    out_facts[1] = (query_otlp_fact){.key = "pid", .number = 70 + source};
    out_facts[2] = (query_otlp_fact){.key = "unknown", .text = ""};
    out_facts[3] = (query_otlp_fact){.key = "unknown", .number = 0};
    return 4;
}

// --- The world

static query_attribute
attribute(const char *name, const char *value)
{
    return (query_attribute){
        .name = name,
        .label = "",
        .is_null = value == NULL,
        .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)},
    };
}

// take_attributes makes the attributes those of the answer.
static void
take_attributes(world *w, size_t count)
{
    uint32_t first;
    assert_int_equal(
        query_attributes_keep(w->question.attributes, w->attributes, count, &first), count);
    query_attributes_read(w->question.attributes, first, count, w->known);
    w->answer.attributes = w->known;
    w->answer.attribute_count = count;
}

static void
set_request(world *w)
{
    uint32_t type = query_names_add(&w->names, "shop.Order");
    uint32_t main_name = query_names_add(&w->names, "main");
    w->stays[0] = (query_stay){.begin = 10, .end = 30, .thread_name = main_name};
    w->stays[1] =
        (query_stay){.begin = 40, .end = 90, .thread_name = query_names_add(&w->names, "pool-1")};
    w->stays_of[1] = 1;
    w->times[1].span_count = 4;
    w->contexts.requests.stays.items = w->stays;
    w->contexts.requests.stays_of.items = w->stays_of;
    w->request = (query_request){.facts = {.id = 7, .type = type}, .stay_count = 2};
    w->context =
        (query_context){.parent = QUERY_NO_CONTEXT, .type = type, .thread_name = main_name};
}

static uint32_t
stack_of(world *w, uint32_t below, const char *frame, uint32_t line)
{
    uint32_t node;
    assert_int_equal(
        query_stacks_add(w->question.stacks, below, query_names_add(&w->names, frame), line, &node),
        LP_OK);
    return node;
}

static void
set_rows(world *w)
{
    uint32_t stack = stack_of(w, QUERY_STACK_ROOT, "shop.Main.main", 5);
    stack = stack_of(w, stack, "shop.Stock.take", 41);
    w->rows[0] = (query_row){.commit = 70, .stack = stack, .category = TIME_LOCK};
    w->rows[1] = (query_row){.commit = 75, .stack = stack, .category = TIME_CPU, .period_ns = 20};
    w->rows[2] = (query_row){.commit = 80,
        .category = TIME_OTHER,
        .bytes = 4096,
        .type = query_names_add(&w->names, "jdk.ObjectAllocationSample")};
    w->rows[3] = (query_row){.commit = 95,
        .category = TIME_OTHER, // behind the end: moved to it
        .type = query_names_add(&w->names, "shop.Note")};
    w->rows[4] = (query_row){.commit = 40, .category = TIME_QUEUED, .has_duration = true};
    w->spans[0] = (time_span){.event = 0, .own_ns = 10};
    w->spans[1] = (time_span){.event = 1, .is_left = true};
    w->spans[2] = (time_span){.event = 2};
    w->spans[3] = (time_span){.event = 3};
    w->spans[4] = (time_span){.event = 4, .own_ns = 15};
    w->pause = (query_row){.commit = 25, .category = TIME_GC};
    w->pause_span = (time_span){.own_ns = 5};
}

static world *
begin_as(bool is_file)
{
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    const query_otlp_wish wish = {
        .describe = describe, .on_piece = on_piece, .arg = w, .is_file = is_file};
    w->lines = calloc(1, TEXT_BYTES);
    assert_non_null(w->lines);
    w->profiles = query_otlp_profiles_create(&wish, &w->names);
    assert_non_null(w->profiles);
    query_otlp_profiles_prepare(w->profiles, &w->question);
    set_request(w);
    set_rows(w);
    w->answer = (query_answer){
        .contexts = &w->contexts,
        .context = &w->context,
        .request = &w->request,
        .in = QUERY_IN_SELECTION,
        .clock = jfr_clock_make(1000, 0, 1000000000),
        .begin_wall_ns = 1010,
        .duration_ns = 80,
        .rows = w->rows,
        .row_count = 5,
        .spans = w->spans,
        .stays = w->times,
        .pause_rows = &w->pause,
        .pauses = &w->pause_span,
        .pause_count = 1,
        .left_ns = 50,
    };
    w->attributes[0] = attribute("trace_id", TRACE);
    w->attributes[1] = attribute("spanId", "00f067aa0ba902b7");
    w->attributes[2] = attribute("route", "/a");
    w->attributes[3] = attribute("items", "12");
    w->attributes[3].is_number = true;
    take_attributes(w, ATTRIBUTES);
    return w;
}

static world *
begin(void)
{
    return begin_as(false);
}

static void
end(world *w)
{
    query_otlp_profiles_destroy(w->profiles);
    query_names_fini(&w->names);
    free(w->lines);
    free(w);
}

static void
add(world *w)
{
    assert_int_equal(query_otlp_profiles_add(w->profiles, &w->answer), LP_OK);
}

static query_otlp_counts
finish(world *w)
{
    assert_int_equal(query_otlp_profiles_finish(w->profiles), LP_OK);
    query_otlp_counts counts = query_otlp_profiles_count(w->profiles);
    assert_int_equal(counts.samples, w->samples);
    return counts;
}

// --- Tests

#define LINK   " of 4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7\n"
#define SHARED " route=/a items=#12 loupe.context=shop.Order"

static void
test_a_request_has_a_profile_for_each_measure(void **state)
{
    (void)state;
    world *w = begin();
    add(w);
    query_otlp_counts counts = finish(w);
    assert_false(counts.is_truncated);
    assert_string_equal(w->lines,
        "jvm service=shop pid=#70\n"
        "- wall/nanoseconds wall/nanoseconds 1, 1010 for 80\n"
        "10 at 1070: shop.Main.main:5 shop.Stock.take:41 [lock]" SHARED
        " thread.name=pool-1 loupe.category=lock" LINK
        "20 at 1075: shop.Main.main:5 shop.Stock.take:41" SHARED
        " thread.name=pool-1 loupe.category=cpu" LINK "15 at 1040: [queued]" SHARED
        " loupe.category=queued" LINK "5 at 1025: [gc]" SHARED " loupe.category=gc" LINK
        "30 at 1010: [not accounted]" SHARED LINK "- delay/nanoseconds mutex/count 1, 1010 for 80\n"
        "10 at 1070: shop.Main.main:5 shop.Stock.take:41 [lock]" SHARED
        " thread.name=pool-1 loupe.category=lock" LINK
        "- samples/count cpu/nanoseconds 20, 1010 for 80\n"
        "1 at 1075: shop.Main.main:5 shop.Stock.take:41" SHARED
        " thread.name=pool-1 loupe.category=cpu" LINK
        "- alloc_space/bytes memory/bytes 1, 1010 for 80\n"
        "4096 at 1080: [alloc]" SHARED " thread.name=pool-1 loupe.category=other" LINK
        "- events/count events/count 1, 1010 for 80\n"
        "1 at 1090: [other: shop.Note]" SHARED " thread.name=pool-1 loupe.category=other" LINK);
    assert_int_equal(w->sums[QUERY_OTLP_WALL], w->answer.duration_ns);
    end(w);
}

static void
test_a_context_within_another_has_no_samples(void **state)
{
    (void)state;
    world *w = begin();
    query_context inner = w->context;
    inner.parent = 0;
    w->answer.request = NULL;
    w->answer.pause_count = w->answer.attribute_count = 0;
    w->answer.row_count = 1;
    w->answer.left_ns = 0;
    w->answer.context = &inner;
    add(w);
    w->answer.context = &w->context;
    w->answer.in = QUERY_IN_BASE;
    add(w);
    w->answer.in = QUERY_IN_SELECTION | QUERY_IN_BASE;
    w->spans[0].own_ns = 0; // of an event within another one
    add(w);
    w->answer.left_ns = 80;
    add(w);
    (void)finish(w);
    assert_string_equal(w->lines, "jvm service=shop pid=#70\n"
                                  "- wall/nanoseconds wall/nanoseconds 1, 1010 for 80\n"
                                  "80 at 1010: [not accounted] loupe.context=shop.Order\n");
    end(w);
}

static void
test_jvms_share_a_piece(void **state)
{
    (void)state;
    world *w = begin();
    w->answer.row_count = w->answer.pause_count = w->answer.attribute_count = 0;
    add(w);
    w->answer.first_source = 2; // without samples: it is left out
    w->answer.left_ns = 0;
    add(w);
    w->answer.first_source = 3;
    w->answer.left_ns = 7;
    w->answer.begin_wall_ns = -5; // before 1970
    add(w);
    (void)finish(w);
    assert_string_equal(w->lines, "jvm service=shop pid=#70\n"
                                  "- wall/nanoseconds wall/nanoseconds 1, 1010 for 80\n"
                                  "50 at 1010: [not accounted] loupe.context=shop.Order\n"
                                  "jvm service=a\xef\xbf\xbd pid=#73\n"
                                  "- wall/nanoseconds wall/nanoseconds 1, 0 for 75\n"
                                  "7 at 0: [not accounted] loupe.context=shop.Order\n");
    end(w);
}

static void
test_nothing_is_no_piece(void **state)
{
    (void)state;
    world *w = begin();
    (void)finish(w);
    assert_int_equal(w->pieces, 0);
    end(w);
}

static void
test_ids_are_those_of_tracers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *value;
        bool is_number;
        const char *id; // NULL: none
    } cases[] = {
        {"trace_id", TRACE, false, "4bf92f3577b34da6a3ce929d0e0e4736"},
        {"traceId", "a3ce929d0e0e4736", false, "0000000000000000a3ce929d0e0e4736"},
        {"trace_id", "00000000000000000000000000000000", false, NULL},
        {"trace_id", "4bf92f3577b34da6a3ce929d0e0e473", false, NULL},
        {"trace_id", "4bf92f3577b34da6a3ce929d0e0e473g", false, NULL},
        {"trace_id", "", false, NULL},
        {"trace_id", NULL, false, NULL},
        {"span_id", "00F067AA0BA902B7", false, "00f067aa0ba902b7"},
        {"span-id", "-1", true, "ffffffffffffffff"},
        {"span_id", "258", true, "0000000000000102"},
        {"span_id", "0", true, NULL},
        {"span_id", "258", false, NULL},
        {"span_id", "0000000000000000", false, NULL},
        {"parent_id", "00f067aa0ba902b7", false, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        query_otlp_ids ids = {.has_trace = false};
        query_attribute one = attribute(cases[i].name, cases[i].value);
        char text[2 * QUERY_OTLP_TRACE_BYTES + 1] = "";
        one.is_number = cases[i].is_number;
        assert_int_equal(query_otlp_ids_read(&ids, &one), cases[i].id != NULL);
        const uint8_t *bytes = ids.has_trace ? ids.trace : ids.span;
        size_t count = ids.has_trace  ? QUERY_OTLP_TRACE_BYTES
                       : ids.has_span ? QUERY_OTLP_SPAN_BYTES
                                      : 0;
        for (size_t k = 0; k < count; k++) {
            (void)snprintf(text + 2 * k, 3, "%02x", bytes[k]);
        }
        assert_string_equal(text, cases[i].id == NULL ? "" : cases[i].id);
    }
}

static void
test_ids_that_are_none_are_attributes(void **state)
{
    (void)state;
    world *w = begin();
    w->answer.row_count = w->answer.pause_count = 0;
    w->attributes[0] = attribute("trace_id", "order 17");
    w->attributes[2] = attribute("thread.name", "mine"); // the thread's key
    w->attributes[3] = attribute("share", "0.25");
    w->attributes[3].is_number = true;
    take_attributes(w, ATTRIBUTES);
    add(w);
    w->attributes[0] = attribute("trace_id", TRACE); // a trace without a span
    w->attributes[1] = attribute("note", "a\xff\xe2\x82");
    w->attributes[2] = attribute("absent", NULL);
    take_attributes(w, 3);
    add(w);
    (void)finish(w);
    assert_string_equal(w->lines,
        "jvm service=shop pid=#70\n"
        "- wall/nanoseconds wall/nanoseconds 1, 1010 for 80\n"
        "50 at 1010: [not accounted] trace_id=order 17 share=#0.25 loupe.context=shop.Order\n"
        "50 at 1010: [not accounted] note=a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
        " loupe.context=shop.Order of 4bf92f3577b34da6a3ce929d0e0e4736-\n");
    end(w);
}

static void
test_attributes_of_many_values_are_left_out(void **state)
{
    (void)state;
    world *w = begin();
    char value[32];
    w->answer.row_count = w->answer.pause_count = 0;
    w->is_quiet = true;
    for (int i = 0; i <= QUERY_OTLP_VALUES_MAX; i++) {
        w->is_quiet = i < QUERY_OTLP_VALUES_MAX;
        (void)snprintf(value, sizeof(value), "%d", i);
        w->attributes[2] = attribute("order", value);
        take_attributes(w, ATTRIBUTES);
        w->answer.first_source = w->is_quiet ? 0 : 1;
        add(w);
    }
    w->is_quiet = false;
    (void)finish(w);
    const char *last = strstr(w->lines, "jvm service=a");
    assert_non_null(last);
    assert_null(strstr(last, "order"));
    assert_non_null(strstr(w->lines, " order=99 "));
    end(w);
}

static void
test_each_sampling_period_has_a_profile(void **state)
{
    (void)state;
    world *w = begin();
    int64_t sum = 0;
    w->answer.pause_count = w->answer.attribute_count = 0;
    w->answer.left_ns = 0;
    w->answer.row_count = 1;
    w->times[1].span_count = 1;
    w->rows[0] = w->rows[1];
    for (int64_t i = 0; i < 2 * QUERY_OTLP_PERIODS_MAX; i++) {
        w->rows[0].period_ns = 1000 + i % (QUERY_OTLP_PERIODS_MAX + 4);
        w->spans[0] = (time_span){.event = 0};
        sum += w->rows[0].period_ns;
        add(w);
    }
    w->rows[0].period_ns = 0; // unknown
    add(w);
    (void)finish(w);
    assert_int_equal(w->sums[QUERY_OTLP_CPU], sum);
    assert_non_null(strstr(w->lines, "cpu/nanoseconds 1000,"));
    assert_non_null(strstr(w->lines, "cpu/nanoseconds 1,"));
    assert_non_null(strstr(w->lines, "cpu/nanoseconds 0,"));
    assert_null(strstr(w->lines, "cpu/nanoseconds 1017,"));
    end(w);
}

// set_hostile makes the answer's stack trace the index-th of many of the greatest depth, whose
// frames have names that are far too long.
static void
set_hostile(world *w, char *name, size_t name_bytes, unsigned index)
{
    uint32_t stack = QUERY_STACK_ROOT;
    for (unsigned i = 0; i < QUERY_STACK_DEPTH_MAX; i++) {
        (void)snprintf(name, 16, "%07u", index * QUERY_STACK_DEPTH_MAX + i);
        name[7] = '\xe2'; // it is no UTF-8, and the cut falls into a character
        memset(name + 8, '\xff', name_bytes - 9);
        name[name_bytes - 1] = '\0';
        stack = stack_of(w, stack, name, i);
    }
    for (unsigned i = 0; i < 5; i++) {
        w->rows[i].stack = stack;
    }
}

static void
add_hostile(world *w, unsigned count)
{
    enum { NAME_BYTES = 1500 };
    char name[NAME_BYTES];
    w->is_quiet = true;
    for (unsigned i = 0; i < count; i++) {
        set_hostile(w, name, sizeof(name), i);
        add(w);
    }
}

static void
test_pieces_have_all_samples(void **state)
{
    (void)state;
    enum { ANSWERS = 10000 };
    world *w = begin();
    w->is_quiet = true;
    for (unsigned i = 0; i < ANSWERS; i++) {
        w->answer.first_source = i / (ANSWERS / 5);
        add(w);
    }
    query_otlp_counts counts = finish(w);
    assert_false(counts.is_truncated);
    assert_int_equal(counts.samples, ANSWERS * 9);
    assert_in_range(w->pieces, 2, 4);
    assert_int_equal(w->sums[QUERY_OTLP_WALL], ANSWERS * w->answer.duration_ns);
    assert_int_equal(w->sums[QUERY_OTLP_CPU], ANSWERS * 20);
    assert_int_equal(w->sums[QUERY_OTLP_ALLOC], ANSWERS * 4096);
    end(w);
}

static void
test_no_piece_is_larger_than_the_limit(void **state)
{
    (void)state;
    enum { ANSWERS = 5 };
    world *w = begin();
    add_hostile(w, ANSWERS);
    query_otlp_counts counts = finish(w);
    assert_true(counts.is_truncated);
    assert_true(counts.left_out > 0);
    assert_int_equal(counts.samples + counts.left_out, ANSWERS * 9);
    assert_in_range(w->largest, 1 << 20, QUERY_OTLP_PIECE_BYTES_MAX);
    assert_in_range(w->bytes, QUERY_OTLP_ALL_BYTES_MAX / 2, QUERY_OTLP_ALL_BYTES_MAX);
    end(w);
}

static void
test_a_file_leaves_out_what_has_no_room(void **state)
{
    (void)state;
    enum { ANSWERS = 16 };
    world *w = begin_as(true);
    add_hostile(w, ANSWERS);
    query_otlp_counts counts = finish(w);
    assert_true(counts.is_truncated);
    assert_true(counts.left_out > 0);
    assert_int_equal(counts.samples + counts.left_out, ANSWERS * 9);
    assert_int_equal(w->pieces, 1);
    assert_in_range(w->largest, QUERY_OTLP_FILE_BYTES_MAX / 2, QUERY_OTLP_FILE_BYTES_MAX);
    end(w);
}

static void
test_an_error_of_the_caller_ends_it(void **state)
{
    (void)state;
    world *w = begin();
    add(w);
    w->err = LP_EIO;
    assert_int_equal(query_otlp_profiles_finish(w->profiles), LP_EIO);
    assert_int_equal(query_otlp_profiles_count(w->profiles).samples, 0);
    end(w);
}

static void
test_out_of_memory_is_an_error(void **state)
{
    (void)state;
    bool has_failed = true;
    size_t failing = 1;
    for (; has_failed; failing++) {
        world *w = begin();
        allocations_left = failing;
        lp_err err = query_otlp_profiles_add(w->profiles, &w->answer);
        w->answer.first_source = 5;
        err = err == LP_OK ? query_otlp_profiles_add(w->profiles, &w->answer) : err;
        err = err == LP_OK ? query_otlp_profiles_finish(w->profiles) : err;
        has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
        end(w);
    }
    assert_true(failing > 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request_has_a_profile_for_each_measure),
        cmocka_unit_test(test_a_context_within_another_has_no_samples),
        cmocka_unit_test(test_jvms_share_a_piece),
        cmocka_unit_test(test_nothing_is_no_piece),
        cmocka_unit_test(test_ids_are_those_of_tracers),
        cmocka_unit_test(test_ids_that_are_none_are_attributes),
        cmocka_unit_test(test_attributes_of_many_values_are_left_out),
        cmocka_unit_test(test_each_sampling_period_has_a_profile),
        cmocka_unit_test(test_pieces_have_all_samples),
        cmocka_unit_test(test_no_piece_is_larger_than_the_limit),
        cmocka_unit_test(test_a_file_leaves_out_what_has_no_room),
        cmocka_unit_test(test_an_error_of_the_caller_ends_it),
        cmocka_unit_test(test_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
