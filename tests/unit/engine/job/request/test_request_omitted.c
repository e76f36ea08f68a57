// SPDX-License-Identifier: Apache-2.0
// Promised: leaving out contextual events whose requests only count, or are local, changes neither
// the output nor the numbers nor the statistics. Random sessions of three chunks are compacted with
// all parts, as options.also wants them, and without those, with statistics and without. Their
// events have attributes of all kinds, with few values and with many, null, of a name that others
// have, and more than a request may have. Some are left out by context-throttle. Costs 1 s.

#include "support/chance.h"
#include "support/jfr_sample.h"

#include "common/rollup/rollup_bytes.h"
#include "engine/compact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 150, CHUNKS = 3, THREADS = 3, SPANS = 40, SPANS_MAX = 400, CHUNK_TICKS = 3000 };

// Contextual types beside those of jfr_sample.h. Three types with WIDE attributes each have more
// than a request may have.
enum { REQUEST = 200, QUERY, WIDE, WIDE_TYPES = 3, WIDE_FIELDS = 14 };

typedef struct span {
    int64_t begin;
    int64_t end;
    uint64_t thread;
    uint64_t type; // its contexts are dropped but for those of JFR_SAMPLE_TRACE
} span;

typedef struct world {
    jfr_build builds[CHUNKS];
    compact_source sources[CHUNKS];
    policy *rules;
    uint64_t seed;
    size_t span_count; // of a chunk
    bool has_wide;
} world;

static int64_t
below(world *w, int64_t limit)
{
    return (int64_t)chance_below(&w->seed, (uint64_t)limit);
}

// random_span makes events of which some nest, some cross, few share a tick, and few end before
// they begin. Some are stored with the chunk after the one in which they began.
static span
random_span(world *w, int64_t from, const span *before)
{
    span s = {.thread = 1 + (uint64_t)below(w, THREADS)};
    s.type = below(w, 25) == 0                 ? JFR_SAMPLE_PLAIN
             : below(w, 4) == 0                ? JFR_SAMPLE_SPAN
             : below(w, 3) == 0                ? JFR_SAMPLE_TRACE
             : w->has_wide && below(w, 4) == 0 ? WIDE + (uint64_t)below(w, WIDE_TYPES)
                                               : REQUEST + (uint64_t)below(w, 2);
    s.begin = from + below(w, CHUNK_TICKS);
    s.end = s.begin + below(w, below(w, 20) == 0 ? CHUNK_TICKS : w->has_wide ? 200 : 8);
    if (before != NULL && before->begin <= before->end && below(w, 2) == 0) {
        s.thread = before->thread;
        s.begin = before->begin + below(w, before->end - before->begin + 1);
        s.end = s.begin + below(w, before->end - s.begin + 1) + (below(w, 4) == 0 ? 50 : 0);
    } else if (below(w, 10) == 0) {
        s.begin = from - below(w, 100);
        s.end = from + below(w, 100);
    }
    if (s.type == JFR_SAMPLE_PLAIN) {
        s.end = s.begin;
    } else if (below(w, 40) == 0) {
        s.end = s.begin - below(w, 300);
    }
    return s;
}

static int
by_end(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->end != y->end ? (x->end < y->end ? -1 : 1) : x->begin > y->begin ? -1 : 1;
}

static int
by_thread(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : by_end(a, b);
}

typedef enum order {
    BY_END,
    BY_THREAD, // and then by end
    IN_NONE,
    ORDERS,
} order;

#define HEAD JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD

static const jfr_build_type request_type = {.id = REQUEST,
    .name = "test.Request",
    .super = "jdk.jfr.Event",
    .annotation = JFR_SAMPLE_CONTEXTUAL,
    .fields = {HEAD, {.name = "path", .type = JFR_SAMPLE_STRING},
        {.name = "number", .type = JFR_SAMPLE_LONG}, {.name = "flag", .type = JFR_SAMPLE_BOOLEAN},
        {.name = "class", .type = JFR_SAMPLE_CLASS, .is_constant = true},
        {.name = "ratio", .type = JFR_SAMPLE_DOUBLE},
        {.name = "pooled", .type = JFR_SAMPLE_STRING, .is_constant = true},
        {.name = "many", .type = JFR_SAMPLE_INT}}};

static const jfr_build_type query_type = {.id = QUERY,
    .name = "test.Query",
    .super = "jdk.jfr.Event",
    .annotation = JFR_SAMPLE_CONTEXTUAL,
    .fields = {HEAD, {.name = "number", .type = JFR_SAMPLE_INT},
        {.name = "sql", .type = JFR_SAMPLE_STRING}, {.name = "path", .type = JFR_SAMPLE_STRING},
        {.name = "flag", .type = JFR_SAMPLE_INT}}};

static jfr_build_type
wide_type(uint64_t index)
{
    static char names[WIDE_TYPES][WIDE_FIELDS][8];
    static const char *const type_names[WIDE_TYPES] = {"test.Wide0", "test.Wide1", "test.Wide2"};
    jfr_build_type type = {.id = WIDE + index,
        .name = type_names[index],
        .super = "jdk.jfr.Event",
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {HEAD}};
    for (size_t i = 0; i < WIDE_FIELDS; i++) {
        (void)snprintf(names[index][i], sizeof(names[index][i]), "w%u", // some names are of all
            (unsigned)(i < 3 ? i : index * 100 + i));
        type.fields[3 + i] = (jfr_build_field){.name = names[index][i], .type = JFR_SAMPLE_STRING};
    }
    return type;
}

static void
begin(jfr_build *b, int64_t start_ticks)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    types[count++] = request_type;
    types[count++] = query_type;
    for (uint64_t i = 0; i < WIDE_TYPES; i++) {
        types[count++] = wide_type(i);
    }
    assert_true(count <= JFR_SAMPLE_TYPES_MAX);
    jfr_build_begin(b, &(jfr_build_clock){.start_ticks = start_ticks,
                           .start_wall_ns = 1700000000000000000 + start_ticks,
                           .duration_ns = 1000000000});
    jfr_build_metadata(b, 1, types, count);
    jfr_build_string(&b->payload, "first");
    jfr_build_constant(b, JFR_SAMPLE_STRING, 1);
    jfr_build_string(&b->payload, "second");
    jfr_build_constant(b, JFR_SAMPLE_STRING, 2);
    jfr_build_string(&b->payload, "first"); // a second key of this text
    jfr_build_constant(b, JFR_SAMPLE_STRING, 3);
}

static void
append_text(world *w, lp_buf *out)
{
    char text[400];
    const uint16_t units[] = {(uint16_t)('a' + below(w, 3)), 0x20ac};
    switch (below(w, 9)) {
    case 0:
        jfr_build_string(out, NULL);
        break;
    case 1:
        jfr_build_string(out, "");
        break;
    case 2:
        jfr_build_string_utf16(out, units, 1 + (size_t)below(w, 2));
        break;
    case 3:
        jfr_build_string_latin1(out, "caf\xe9");
        break;
    case 4: // key 4 has no constant
        jfr_build_string_constant(out, 1 + (uint64_t)below(w, 4));
        break;
    case 5: // cut after 256 bytes
        memset(text, 'x', sizeof(text));
        text[250 + below(w, 140)] = '\0';
        text[399] = '\0';
        jfr_build_string(out, text);
        break;
    default:
        (void)snprintf(text, sizeof(text), "/orders/%d", (int)below(w, 5));
        jfr_build_string(out, text);
        break;
    }
}

// append_fields appends the fields behind the thread of a type of this test.
static void
append_fields(world *w, uint64_t type, lp_buf *out)
{
    if (type == REQUEST) {
        append_text(w, out);
        jfr_build_varint(out, (uint64_t)below(w, 7) - 3);
        lp_buf_append(out, &(uint8_t){(uint8_t)below(w, 2)}, 1);
        jfr_build_varint(out, (uint64_t)below(w, 5));
        lp_buf_append(out, &(uint64_t){(uint64_t)below(w, 3) << 6}, 8);
        jfr_build_varint(out, (uint64_t)below(w, 5));
        jfr_build_varint(out, (uint64_t)below(w, w->has_wide ? 1000 : 66));
    } else if (type == QUERY) {
        jfr_build_varint(out, (uint64_t)below(w, 100));
        append_text(w, out);
        append_text(w, out);
        jfr_build_varint(out, (uint64_t)below(w, 3));
    } else {
        for (size_t i = 0; i < WIDE_FIELDS; i++) {
            append_text(w, out);
        }
    }
}

static void
append_event(world *w, jfr_build *b, const span *s)
{
    char text[8];
    if (s->type < REQUEST) {
        (void)snprintf(text, sizeof(text), "%d", (int)below(w, 90));
        jfr_sample_event(b, &(jfr_sample){.type = s->type,
                                .start = s->begin,
                                .end = s->end,
                                .thread = s->thread,
                                .text = text});
        return;
    }
    jfr_build_varint(&b->payload, (uint64_t)s->begin);
    jfr_build_varint(&b->payload, (uint64_t)(s->end - s->begin));
    jfr_build_varint(&b->payload, s->thread);
    append_fields(w, s->type, &b->payload);
    jfr_build_event(b, s->type);
}

// build makes a chunk. With has_two_keys, two threads are one.
static void
build(world *w, size_t index, order in, bool has_two_keys)
{
    jfr_build *b = &w->builds[index];
    span spans[SPANS_MAX];
    size_t count = w->span_count;
    for (size_t i = 0; i < count; i++) {
        spans[i] = random_span(w, (int64_t)index * CHUNK_TICKS, i == 0 ? NULL : &spans[i - 1]);
    }
    qsort(spans, count, sizeof(*spans), in == BY_THREAD ? by_thread : by_end);
    for (size_t i = 1; i < count && in == IN_NONE; i++) {
        size_t other = (size_t)below(w, (int64_t)i);
        span moved = spans[i];
        spans[i] = spans[other];
        spans[other] = moved;
    }
    begin(b, (int64_t)index * CHUNK_TICKS);
    for (uint64_t thread = 1; thread <= THREADS; thread++) {
        jfr_sample_thread(b, thread, thread == 1 && has_two_keys ? 2 : (int64_t)thread);
    }
    for (size_t i = 0; i < count; i++) {
        append_event(w, b, &spans[i]);
    }
    jfr_build_checkpoint(b);
    w->sources[index] = (compact_source){.jfr = jfr_build_finish(b)};
}

static void
run(const world *w, const compact_also *also, bool has_rollup, compact_result *results)
{
    const compact_options options = {.policy = w->rules,
        .has_requests = true,
        .has_ended = true,
        .has_rollup = has_rollup,
        .also = also};
    const compact_carry *carry = NULL;
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(compact_chunk(&w->sources[i], &w->sources[i + 1], CHUNKS - i - 1, carry,
                             &options, &results[i], NULL),
            LP_OK);
        carry = results[i].carry;
    }
}

static void
expect_same_rollup(const rollup *some, const rollup *all)
{
    lp_buf bytes = {0};
    lp_buf wanted = {0};
    assert_int_equal(rollup_bytes_encode(some, &bytes), LP_OK);
    assert_int_equal(rollup_bytes_encode(all, &wanted), LP_OK);
    assert_int_equal(bytes.len, wanted.len);
    assert_memory_equal(bytes.ptr, wanted.ptr, wanted.len);
    lp_buf_fini(&bytes);
    lp_buf_fini(&wanted);
}

static uint64_t
compare(const world *w, bool has_rollup)
{
    static const compact_also nothing = {0};
    compact_result all[CHUNKS];
    compact_result some[CHUNKS];
    uint64_t dropped = 0;
    run(w, &nothing, has_rollup, all);
    run(w, NULL, has_rollup, some);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(some[i].stats.requests_in, all[i].stats.requests_in);
        assert_int_equal(some[i].stats.requests_out, all[i].stats.requests_out);
        assert_int_equal(some[i].jfr.len, all[i].jfr.len);
        assert_memory_equal(some[i].jfr.ptr, all[i].jfr.ptr, all[i].jfr.len);
        expect_same_rollup(&some[i].rollup, &all[i].rollup);
        dropped += some[i].stats.requests_in - some[i].stats.requests_out;
        compact_result_fini(&all[i]);
        compact_result_fini(&some[i]);
    }
    return dropped;
}

static policy *
parse_policy(const char *events)
{
    char text[256];
    int len = snprintf(text, sizeof(text), "<configuration>%s</configuration>", events);
    policy *rules = policy_create();
    assert_non_null(rules);
    assert_int_equal(
        policy_parse(rules, "test", (lp_slice){(const uint8_t *)text, (size_t)len}, NULL), LP_OK);
    return rules;
}

static void
test_leaving_out_dropped_requests_changes_nothing(void **state)
{
    (void)state;
    policy *rules[] = {parse_policy("<event name='test.Span'><setting name='threshold'>"
                                    "1 s</setting></event>"),
        parse_policy("<event name='test.Query'><setting name='context-throttle'>"
                     "5/s</setting></event>")};
    uint64_t dropped = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        world w = {.rules = rules[round % 4 == 3],
            .seed = round,
            .span_count = round % 10 == 9 ? SPANS_MAX : SPANS,
            .has_wide = round % 7 < 3};
        for (size_t i = 0; i < CHUNKS; i++) {
            build(&w, i, (order)(round % ORDERS), round / ORDERS % 3 == 0);
        }
        dropped += compare(&w, round % 2 != 0);
        for (size_t i = 0; i < CHUNKS; i++) {
            jfr_build_fini(&w.builds[i]);
        }
    }
    policy_destroy(rules[0]);
    policy_destroy(rules[1]);
    assert_true(dropped > ROUNDS * (uint64_t)CHUNKS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaving_out_dropped_requests_changes_nothing),
    };
    return cmocka_run_group_tests_name("request_omitted", tests, NULL, NULL);
}
