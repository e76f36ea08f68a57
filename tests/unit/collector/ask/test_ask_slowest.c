// SPDX-License-Identifier: Apache-2.0
// Lists of the slowest contexts over HTTP, against chunks made by hand. A list that says that it is
// not truncated is the list that the test sorts itself, page by page, and row by row the same as
// when everything is read: with contexts that span chunks, chunks without statistics, uncompacted
// data, time ranges and durations. A truncated list has rows of that list. How many chunks are read
// does not depend on how many are stored.
//
// Cost: 3 s.

#include "support/chance.h"
#include "unit/collector/ask/ask_fixture.h"

#include "collector/ask/work/ask_slowest.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    PART = 204, // startTime duration eventThread contextId traceId
    CONTEXTS_MAX = 20000,
    SPANNING = 8, // contexts of a JVM that may span chunks, each on a thread of its own
    JVMS_MAX = 120,
};

static atomic_uint chunks_read;

lp_err __real_blobs_read_chunk(blobs *of, const blob_name *name, lp_buf *out_bytes);
lp_err __wrap_blobs_read_chunk(blobs *of, const blob_name *name, lp_buf *out_bytes);

lp_err
__wrap_blobs_read_chunk(blobs *of, const blob_name *name, lp_buf *out_bytes)
{
    atomic_fetch_add(&chunks_read, 1);
    return __real_blobs_read_chunk(of, name, out_bytes);
}

// What the list must have.
typedef struct known {
    int64_t begin_ns;
    int64_t duration_ns;
    char id[32];
} known;

static known all[CONTEXTS_MAX];
static size_t count;

static known *
know(int64_t begin_ns, int64_t duration_ns)
{
    assert_true(count < CONTEXTS_MAX);
    known *made = &all[count];
    *made = (known){.begin_ns = begin_ns, .duration_ns = duration_ns};
    (void)snprintf(made->id, sizeof(made->id), "%zu", count++);
    return made;
}

static int
compare(const void *a, const void *b)
{
    const known *one = a;
    const known *other = b;
    if (one->duration_ns != other->duration_ns) {
        return one->duration_ns > other->duration_ns ? -1 : 1;
    }
    return (one->begin_ns > other->begin_ns) - (one->begin_ns < other->begin_ns);
}

// --- Chunks

// A context that spans chunks of a JVM.
typedef struct spanning {
    int64_t begin_ns; // 0: none is open
    int64_t end_ns;
    int64_t parts_end_ns; // no part is kept after this time
    known *known;         // NULL: it has no part yet
} spanning;

typedef struct jvm {
    catalog_session session;
    int64_t at_ns; // the start of the next chunk
    spanning open[SPANNING];
} jvm;

static size_t
types_of(jfr_build_type out_types[JFR_SAMPLE_TYPES_MAX])
{
    size_t types = jfr_sample_types(out_types);
    out_types[types] = (jfr_build_type){.id = PART,
        .name = "shop.Part",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            {.name = "contextId", .type = JFR_SAMPLE_LONG},
            {.name = "traceId", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}};
    return types + 1;
}

static void
add_part(jfr_build *build, uint64_t thread, int64_t begin_ns, int64_t end_ns, const known *of)
{
    jfr_build_varint(&build->payload, (uint64_t)begin_ns);
    jfr_build_varint(&build->payload, (uint64_t)(end_ns - begin_ns));
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, (uint64_t)(of - all) + 1);
    jfr_build_string(&build->payload, of->id);
    (void)jfr_build_event(build, PART);
}

static void
note(rollup *sums, int64_t begin_ns, int64_t end_ns)
{
    rollup_note_begin(sums, begin_ns);
    rollup_note_commits(sums, end_ns, end_ns);
    rollup_note_length(sums, ROLLUP_CONTEXTS, end_ns - begin_ns);
}

// add_span continues or begins a spanning context in a chunk that ends at end_ns.
static void
add_span(uint64_t *dice, jvm *of, size_t index, int64_t end_ns, int64_t longest_ns,
    jfr_build *build, rollup *sums)
{
    spanning *span = &of->open[index];
    if (span->begin_ns == 0) {
        span->begin_ns = of->at_ns + 1 + (int64_t)chance_below(dice, (uint64_t)SECOND_NS - 2);
        span->end_ns = span->begin_ns + 1 + (int64_t)chance_below(dice, (uint64_t)longest_ns);
        span->parts_end_ns = chance_below(dice, 4) > 0 ? INT64_MAX : span->begin_ns + SECOND_NS;
        span->known = NULL;
    }
    int64_t part_begin_ns = span->begin_ns > of->at_ns ? span->begin_ns : of->at_ns;
    int64_t part_end_ns = span->end_ns < end_ns ? span->end_ns : end_ns;
    if (part_begin_ns <= span->parts_end_ns) {
        span->known = span->known == NULL ? know(span->begin_ns, 0) : span->known;
        span->known->duration_ns = part_end_ns - span->begin_ns;
        add_part(build, 2 + index, part_begin_ns, part_end_ns, span->known);
        note(sums, span->begin_ns, part_end_ns);
        if (chance_below(dice, 2) == 0) {
            jfr_sample_mark(build, 2 + index, part_begin_ns);
            rollup_note_commits(sums, part_begin_ns, part_begin_ns);
        }
    }
    if (span->end_ns <= end_ns) {
        span->begin_ns = 0;
    }
}

// make_chunk makes the next chunk of a JVM, a second long, and what its rollup says.
static void
make_chunk(uint64_t *dice, jvm *of, int64_t longest_ns, lp_buf *out, rollup *sums)
{
    jfr_build build;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    int64_t end_ns = of->at_ns + SECOND_NS;
    rollup_init(sums);
    ask_fixture_begin_chunk(&build, of->at_ns, types, types_of(types));
    for (uint64_t i = 0; i < SPANNING; i++) {
        jfr_sample_thread(&build, 2 + i, (int64_t)(20 + i));
    }
    for (uint64_t i = chance_below(dice, 3); i > 0; i--) {
        int64_t begin_ns = of->at_ns + (int64_t)chance_below(dice, (uint64_t)SECOND_NS / 2);
        int64_t duration_ns = (int64_t)chance_below(dice, (uint64_t)SECOND_NS / 4);
        const known *made = know(begin_ns, duration_ns);
        jfr_sample_trace(&build, 1, begin_ns, begin_ns + duration_ns, made->id);
        note(sums, begin_ns, begin_ns + duration_ns);
    }
    for (size_t i = 0; longest_ns > 0 && i < SPANNING; i++) {
        add_span(dice, of, i, end_ns, longest_ns, &build, sums);
    }
    ask_fixture_end_chunk(&build, out);
    of->at_ns = end_ns;
}

static void
store_chunk(const http_fixture *f, uint64_t *dice, jvm *of, int64_t longest_ns, bool has_rollup)
{
    lp_buf bytes = {0};
    rollup sums;
    int64_t start_ns = of->at_ns;
    make_chunk(dice, of, longest_ns, &bytes, &sums);
    ask_fixture_store_bytes(f, &of->session, start_ns, bytes, has_rollup ? &sums : NULL);
    rollup_fini(&sums);
}

static jvm
begin_jvm(http_fixture *f, unsigned number, bool is_ended)
{
    jvm made = {.session = http_fixture_session('a', "shop")};
    (void)snprintf(made.session.id, sizeof(made.session.id), "%032x", number);
    made.session.is_ended = is_ended;
    made.session.start_wall_ns += (int64_t)number;
    made.at_ns = made.session.start_wall_ns;
    made.session.end_wall_ns = made.at_ns + HOUR_NS;
    http_fixture_put(f, &made.session);
    return made;
}

static void
begin_test(void)
{
    count = 0;
    atomic_store(&chunks_read, 0);
}

// --- Lists

static json_t *
ask(const http_fixture *f, const char *query, const char *more)
{
    char path[500];
    (void)snprintf(path, sizeof(path), "/api/v1/contexts?%s%s", query, more);
    return ask_fixture_json(f, path, 200);
}

static int64_t
unread(const json_t *list, const char *name)
{
    return ask_fixture_number(json_object_get(list, "not_looked_at"), name);
}

// check_row checks that a row is what is known of a context. Returns its index in all.
static size_t
check_row(const json_t *list, const json_t *row)
{
    const char *id =
        json_string_value(json_array_get(row, ask_fixture_column(list, "attr.traceId")));
    int64_t duration_ns =
        json_integer_value(json_array_get(row, ask_fixture_column(list, "duration")));
    size_t i = 0;
    while (i < count && strcmp(all[i].id, id) != 0) {
        i++;
    }
    assert_true(i < count);
    assert_int_equal(duration_ns, all[i].duration_ns);
    return i;
}

// The contexts that began in [from, to) and lasted at least min_ns.
typedef struct expected {
    int64_t from_ns;
    int64_t to_ns;
    int64_t min_ns;
} expected;

static bool
is_expected(const expected *e, const known *one)
{
    return one->begin_ns >= e->from_ns && one->begin_ns < e->to_ns && one->duration_ns >= e->min_ns;
}

// expect_page compares a page with the contexts since *at, and with the page of an answer for which
// everything is read.
static void
expect_page(const expected *e, const json_t *list, const json_t *whole, size_t limit, size_t *at)
{
    const json_t *rows = json_object_get(list, "rows");
    size_t i = 0;
    assert_false(json_is_true(json_object_get(list, "is_truncated")));
    for (; *at < count && i < limit; (*at)++) {
        if (is_expected(e, &all[*at])) {
            assert_int_equal(check_row(list, json_array_get(rows, i)), *at);
            i++;
        }
    }
    assert_int_equal(json_array_size(rows), i);
    assert_true(json_equal(rows, json_object_get(whole, "rows")));
    assert_true(json_equal(json_object_get(list, "next"), json_object_get(whole, "next")));
}

// expect_pages does that for the first pages; expect_all for all.
static void
expect_pages(
    const http_fixture *f, const char *query, const expected *e, size_t limit, size_t pages)
{
    char more[200];
    char next[200] = "";
    size_t at = 0;
    qsort(all, count, sizeof(all[0]), compare);
    for (bool has_next = true; has_next && pages > 0; pages--) {
        (void)snprintf(more, sizeof(more), "&limit=%zu%s", limit, next);
        json_t *list = ask(f, query, more);
        (void)snprintf(more, sizeof(more), "&limit=%zu%s&whole=1", limit, next);
        json_t *whole = ask(f, query, more);
        expect_page(e, list, whole, limit, &at);
        const char *cursor = json_string_value(json_object_get(list, "next"));
        has_next = cursor != NULL;
        (void)snprintf(next, sizeof(next), "&cursor=%s", has_next ? cursor : "");
        json_decref(list);
        json_decref(whole);
    }
}

static void
expect_all(const http_fixture *f, const char *query, const expected *e, size_t limit)
{
    expect_pages(f, query, e, limit, SIZE_MAX);
}

// --- Tests

static const expected everything = {INT64_MIN, INT64_MAX, 0};

// Few chunks: all pages are exact.
static void
test_a_list_that_is_not_truncated_is_the_sorted_whole(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 1;
    begin_test();
    for (unsigned i = 0; i < 4; i++) {
        jvm made = begin_jvm(f, i, true);
        for (uint64_t chunks = 1 + chance_below(&dice, 8); chunks > 0; chunks--) {
            store_chunk(f, &dice, &made, 3 * SECOND_NS, chance_below(&dice, 5) > 0);
        }
    }
    int64_t start_ns = http_fixture_session('a', "shop").start_wall_ns;
    char query[200];
    expect_all(f, "service=shop", &everything, 7);
    expect_all(f, "service=shop", &everything, 1000);
    expect_all(f, "sort=duration", &everything, 50);
    const expected in_range = {start_ns + 2 * SECOND_NS, start_ns + 4 * SECOND_NS, 300 * MS};
    (void)snprintf(query, sizeof(query),
        "service=shop&from=%" PRId64 "&to=%" PRId64 "&min_duration_ns=%d", in_range.from_ns,
        in_range.to_ns, 300 * MS);
    expect_all(f, query, &in_range, 5);
}

// A context that spans more chunks than are read before one of many.
static void
test_long_contexts_of_few_chunks_are_exact(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 6;
    begin_test();
    jvm made = begin_jvm(f, 1, true);
    for (unsigned i = 0; i < 40; i++) {
        store_chunk(f, &dice, &made, 30 * SECOND_NS, true);
    }
    expect_all(f, "service=shop", &everything, 40);
}

// Most chunks are not looked at.
static void
test_the_first_pages_of_many_chunks_are_exact(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 5;
    begin_test();
    for (unsigned i = 0; i < 30; i++) {
        jvm made = begin_jvm(f, i, true);
        for (unsigned k = 0; k < 8; k++) {
            store_chunk(f, &dice, &made, (int64_t)(1 + i % 4) * SECOND_NS, i != 7 || k != 2);
        }
    }
    int64_t start_ns = http_fixture_session('a', "shop").start_wall_ns;
    char query[200];
    expect_pages(f, "service=shop", &everything, 5, 4);
    expect_pages(f, "sort=duration", &everything, 20, 1);
    expect_pages(f, "service=shop&version=", &everything, 5, 2);
    const expected in_range = {start_ns + 3 * SECOND_NS, start_ns + 5 * SECOND_NS, 0};
    (void)snprintf(query, sizeof(query), "service=shop&from=%" PRId64 "&to=%" PRId64,
        in_range.from_ns, in_range.to_ns);
    expect_pages(f, query, &in_range, 5, 3);
    json_t *list = ask(f, query, "&limit=5");
    assert_true(unread(list, "chunks") > 0);
    json_decref(list);
}

// The uncompacted chunks of a running JVM have no statistics, and go on with its contexts.
static void
test_uncompacted_data_is_looked_at(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 2;
    rollup sums;
    begin_test();
    jvm ended = begin_jvm(f, 1, true);
    jvm runs = begin_jvm(f, 2, false);
    for (unsigned i = 0; i < 5; i++) {
        store_chunk(f, &dice, &ended, 3 * SECOND_NS, true);
        store_chunk(f, &dice, &runs, 3 * SECOND_NS, true);
    }
    f->server.next_chunk = 5;
    f->server.err = LP_OK;
    for (unsigned i = 0; i < 2; i++) {
        make_chunk(&dice, &runs, 3 * SECOND_NS, &f->server.tail, &sums);
        rollup_fini(&sums);
    }
    expect_all(f, "service=shop", &everything, 9);
    json_t *list = ask(f, "service=shop", "");
    assert_int_equal(unread(list, "recordings"), 0);
    json_decref(list);
}

// fill stores chunks of so many JVMs, whose first contexts are the longest.
static void
fill(http_fixture *f, unsigned first, unsigned jvms, unsigned chunks)
{
    uint64_t dice = first;
    for (unsigned i = 0; i < jvms; i++) {
        jvm made = begin_jvm(f, first + i, true);
        for (unsigned k = 0; k < chunks; k++) {
            store_chunk(f, &dice, &made, 0, true);
        }
    }
}

// expect_few checks that the first page is exact, and returns how many chunks were read for it.
static unsigned
expect_few(const http_fixture *f, size_t stored)
{
    qsort(all, count, sizeof(all[0]), compare);
    atomic_store(&chunks_read, 0);
    json_t *list = ask(f, "service=shop", "&limit=10");
    const json_t *rows = json_object_get(list, "rows");
    assert_false(json_is_true(json_object_get(list, "is_truncated")));
    assert_true(json_is_string(json_object_get(list, "next")));
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(check_row(list, json_array_get(rows, i)), i);
    }
    int64_t chunks = unread(list, "chunks");
    assert_true(chunks > 0 && (size_t)chunks < stored);
    int64_t last_ns = all[9].duration_ns;
    assert_true(unread(list, "longest_ns") <= last_ns);
    json_decref(list);
    return atomic_load(&chunks_read);
}

static void
test_the_work_does_not_depend_on_what_is_stored(void **state)
{
    http_fixture *f = *state;
    begin_test();
    fill(f, 0, 20, 10);
    unsigned before = expect_few(f, 200);
    fill(f, 1000, 40, 20);
    unsigned after = expect_few(f, 1000);
    // Each is read twice for its contexts and events, and once for the rows' attributes.
    enum { READ_MAX = 3 * 24 * 3 };
    assert_in_range(before, 10, READ_MAX);
    assert_in_range(after, 10, READ_MAX);
}

// A chunk that is made by hand.
typedef struct hand_made {
    jfr_build build;
    rollup sums;
    int64_t start_ns;
} hand_made;

static void
begin_by_hand(hand_made *chunk, const jvm *of)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    chunk->start_ns = of->at_ns;
    rollup_init(&chunk->sums);
    ask_fixture_begin_chunk(&chunk->build, of->at_ns, types, types_of(types));
    jfr_sample_thread(&chunk->build, 2, 20);
    jfr_sample_thread(&chunk->build, 3, 21);
}

// add_by_hand adds a part of a context, which makes it as long as its latest part says.
static void
add_by_hand(hand_made *chunk, uint64_t thread, known *of, int64_t from_ns, int64_t to_ns)
{
    add_part(&chunk->build, thread, chunk->start_ns + from_ns, chunk->start_ns + to_ns, of);
    of->duration_ns = chunk->start_ns + to_ns - of->begin_ns;
    note(&chunk->sums, of->begin_ns, chunk->start_ns + to_ns);
}

static void
store_by_hand(const http_fixture *f, hand_made *chunk, jvm *of)
{
    lp_buf bytes = {0};
    ask_fixture_end_chunk(&chunk->build, &bytes);
    ask_fixture_store_bytes(f, &of->session, chunk->start_ns, bytes, &chunk->sums);
    rollup_fini(&chunk->sums);
    of->at_ns += SECOND_NS;
}

// store_broken stores the chunks of a JVM with a context that is open at the end of chunk 0, leaves
// nothing in chunk 1, and ends in chunk 3. Chunk `longest` has a context of 30 s besides.
static void
store_broken(http_fixture *f, unsigned number, unsigned longest)
{
    jvm made = begin_jvm(f, number, true);
    known *broken = know(made.at_ns + 900 * MS, 0);
    for (unsigned i = 0; i < 4; i++) {
        hand_made chunk;
        begin_by_hand(&chunk, &made);
        if (i == 0) {
            add_by_hand(&chunk, 2, broken, 900 * MS, SECOND_NS);
        } else if (i == 3) {
            add_by_hand(&chunk, 2, broken, 0, 500 * MS);
        }
        if (i == longest) {
            int64_t from_ns = -30 * SECOND_NS + 900 * MS;
            add_by_hand(&chunk, 3, know(made.at_ns + from_ns, 0), from_ns, 900 * MS);
        }
        store_by_hand(f, &chunk, &made);
    }
}

// A context in chunks that different rounds read, without the chunk between.
static void
test_a_context_of_several_rounds_is_listed_once(void **state)
{
    http_fixture *f = *state;
    enum { OTHERS = 70 };
    static const int64_t lengths_ns[] = {20 * 1000000000LL, 1000000000, 10 * MS};
    for (unsigned longest = 0; longest < 4; longest += 3) {
        begin_test();
        for (unsigned i = 0; i < OTHERS; i++) { // between the rounds
            jvm made = begin_jvm(f, 1000 * (longest + 1) + i, true);
            hand_made chunk;
            begin_by_hand(&chunk, &made);
            int64_t from_ns = 950 * MS - lengths_ns[i < OTHERS - 2 ? 0 : i + 3 - OTHERS];
            add_by_hand(&chunk, 2, know(made.at_ns + from_ns, 0), from_ns, 950 * MS);
            store_by_hand(f, &chunk, &made);
        }
        store_broken(f, 1000 * (longest + 1) + OTHERS, longest);
        expect_all(f, "service=shop", &everything, 200);
        expect_all(f, "service=shop", &everything, OTHERS + 1); // the last page has the shortest
        http_fixture_teardown(state);
        assert_int_equal(http_fixture_setup(state), 0);
        f = *state;
    }
}

// Contexts that are longer than what is read before a chunk are not listed, and the answer says so.
static void
test_a_truncated_list_has_rows_of_the_whole(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 3;
    begin_test();
    for (unsigned i = 0; i < 20; i++) {
        jvm made = begin_jvm(f, i, true);
        for (unsigned k = 0; k < 30; k++) {
            store_chunk(f, &dice, &made, 20 * SECOND_NS, true);
        }
    }
    qsort(all, count, sizeof(all[0]), compare);
    atomic_store(&chunks_read, 0);
    json_t *list = ask(f, "service=shop", "");
    const json_t *rows = json_object_get(list, "rows");
    assert_true(json_is_true(json_object_get(list, "is_truncated")));
    assert_in_range(json_array_size(rows), 10, 100);
    size_t last = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        size_t at = check_row(list, json_array_get(rows, i));
        assert_true(i == 0 || at > last);
        last = at;
    }
    assert_int_equal(unread(list, "longest_ns"), all[0].duration_ns);
    assert_true(unread(list, "chunks") > 0);
    enum { SOURCES_MAX = ASK_SLOWEST_CHUNKS_MAX + 64 * (ASK_SLOWEST_BACK_MAX + 2) };
    assert_in_range(atomic_load(&chunks_read), 10, 3 * SOURCES_MAX);
    json_decref(list);
}

// Too many JVMs run: none is asked for its uncompacted data, and the answer counts them.
static void
test_uncompacted_data_of_many_jvms_is_not_looked_at(void **state)
{
    http_fixture *f = *state;
    uint64_t dice = 4;
    begin_test();
    for (unsigned i = 0; i <= ASK_SLOWEST_RUNNING_MAX; i++) {
        jvm made = begin_jvm(f, i, false);
        store_chunk(f, &dice, &made, 0, true);
    }
    uint64_t ticket = f->server.last_ticket;
    qsort(all, count, sizeof(all[0]), compare);
    json_t *list = ask(f, "service=shop", "");
    assert_int_equal(f->server.last_ticket, ticket);
    assert_int_equal(unread(list, "recordings"), ASK_SLOWEST_RUNNING_MAX + 1);
    assert_int_equal(unread(list, "chunks"), 0);
    assert_true(json_is_true(json_object_get(list, "is_truncated")));
    const json_t *rows = json_object_get(list, "rows");
    assert_int_equal(json_array_size(rows), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(check_row(list, json_array_get(rows, i)), i);
    }
    json_decref(list);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_list_that_is_not_truncated_is_the_sorted_whole),
        TEST(test_long_contexts_of_few_chunks_are_exact),
        TEST(test_the_first_pages_of_many_chunks_are_exact),
        TEST(test_uncompacted_data_is_looked_at),
        TEST(test_the_work_does_not_depend_on_what_is_stored),
        TEST(test_a_context_of_several_rounds_is_listed_once),
        TEST(test_a_truncated_list_has_rows_of_the_whole),
        TEST(test_uncompacted_data_of_many_jvms_is_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
