// SPDX-License-Identifier: Apache-2.0
// Chunks by their longest context or request. The list has every chunk with a context that a
// selection may want, which the test finds itself among the contexts of all chunks: by service,
// version, session, time range and duration. It is sorted, and its beginning does not depend on how
// long it is. Chunks without contexts are not in it, and those without statistics come first.
//
// Cost: less than a second.

#include "support/catalog_fixture.h"
#include "support/chance.h"

#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/catalog/catalog_longest.h"

#include <string.h>

static const int64_t SECOND = 1000000000;
static const int64_t T0 = 1700000000 * (int64_t)1000000000;

enum { SESSIONS = 9, CHUNKS = 40, CONTEXTS_MAX = 4, ALL = SESSIONS * CHUNKS };

static const char *const services[] = {"", "bank", "shop"};
static const char *const versions[] = {"1", "2"};

typedef struct span {
    int64_t begin_ns;
    int64_t end_ns;
} span;

// A chunk, and the contexts that end in it.
typedef struct stored {
    unsigned session;
    uint32_t ordinal;
    bool is_known;
    size_t span_count;
    span spans[CONTEXTS_MAX];
} stored;

static stored all[ALL];

static catalog_session
session_of(unsigned number)
{
    static char names[][8] = {"", "bank", "shop", "1", "2"};
    catalog_session session = {.service = names[number % 3],
        .version = names[3 + number % 2],
        .instance = names[0],
        .jvm_name = names[0],
        .jvm_version = names[0],
        .start_wall_ns = T0 + number};
    memset(session.id, 'a' + (int)number, CATALOG_ID_CHARS);
    return session;
}

static int64_t
start_of(const stored *chunk)
{
    return T0 + chunk->ordinal * 60 * SECOND + chunk->session * SECOND;
}

static void
store(const fixture *f, uint64_t *dice, stored *chunk)
{
    rollup sums;
    rollup_init(&sums);
    int64_t start_ns = start_of(chunk);
    for (size_t i = 0; i < chunk->span_count; i++) {
        int64_t end_ns = start_ns + (int64_t)chance_below(dice, (uint64_t)(60 * SECOND));
        int64_t length_ns = (int64_t)chance_below(dice, (uint64_t)SECOND << chance_below(dice, 12));
        chunk->spans[i] = (span){end_ns - length_ns, end_ns};
        rollup_note_length(&sums, ROLLUP_CONTEXTS, length_ns);
        rollup_note_length(&sums, ROLLUP_REQUESTS, length_ns / 2);
    }
    const catalog_session session = session_of(chunk->session);
    const catalog_chunk row = {.ordinal = chunk->ordinal,
        .start_wall_ns = start_ns,
        .duration_ns = 60 * SECOND,
        .types_json = "{}",
        .rollup = chunk->is_known ? &sums : NULL};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &row, (lp_slice){0}), LP_OK);
    rollup_fini(&sums);
}

static void
store_all(const fixture *f)
{
    uint64_t dice = 1;
    for (size_t i = 0; i < ALL; i++) {
        all[i] = (stored){.session = (unsigned)i / CHUNKS,
            .ordinal = (uint32_t)i % CHUNKS,
            .is_known = chance_below(&dice, 10) > 0,
            .span_count = chance_below(&dice, CONTEXTS_MAX + 1)};
        store(f, &dice, &all[i]);
    }
}

typedef struct listed {
    size_t count;
    catalog_longest items[ALL];
} listed;

static void
on_chunk(void *arg, const catalog_longest *chunk)
{
    listed *l = arg;
    assert_true(l->count < ALL);
    l->items[l->count++] = *chunk;
}

static listed list;
static listed first;

static bool
is_listed(const stored *chunk)
{
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].session_id[0] == 'a' + (char)chunk->session &&
            list.items[i].ordinal == chunk->ordinal) {
            return true;
        }
    }
    return false;
}

static bool
is_of(const catalog_longest_query *query, const stored *chunk)
{
    const catalog_session session = session_of(chunk->session);
    bool is_session = query->session_id != NULL && strcmp(query->session_id, session.id) == 0;
    bool is_service = query->session_id == NULL && strcmp(query->service, session.service) == 0;
    return (is_session || is_service) &&
           (query->version == NULL || strcmp(query->version, session.version) == 0);
}

static bool
wants(const catalog_longest_query *query, const stored *chunk)
{
    bool is_near = start_of(chunk) >= query->from_wall_ns - 3600 * SECOND &&
                   start_of(chunk) < query->to_wall_ns + 3600 * SECOND;
    for (size_t i = 0; is_near && i < chunk->span_count; i++) {
        const span *s = &chunk->spans[i];
        int64_t length_ns = (s->end_ns - s->begin_ns) / (query->unit == ROLLUP_REQUESTS ? 2 : 1);
        int64_t begin_ns = s->end_ns - length_ns;
        if (begin_ns >= query->from_wall_ns && begin_ns < query->to_wall_ns &&
            length_ns >= query->longest_min_ns) {
            return true;
        }
    }
    return false;
}

static int64_t
longest_of(const catalog_longest_query *query, const catalog_longest *chunk)
{
    const stored *of = &all[(unsigned)(chunk->session_id[0] - 'a') * CHUNKS + chunk->ordinal];
    int64_t longest_ns = of->is_known ? -1 : INT64_MAX;
    for (size_t i = 0; of->is_known && i < of->span_count; i++) {
        int64_t length_ns = of->spans[i].end_ns - of->spans[i].begin_ns;
        length_ns /= query->unit == ROLLUP_REQUESTS ? 2 : 1;
        longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
    }
    assert_true(is_of(query, of));
    return longest_ns;
}

static void
check(const fixture *f, catalog_longest_query query)
{
    uint64_t count;
    list.count = first.count = 0;
    query.count_max = ALL;
    assert_int_equal(catalog_longest_list(f->catalog, &query, on_chunk, &list, &count), LP_OK);
    assert_int_equal(count, list.count);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].longest_ns, longest_of(&query, &list.items[i]));
        assert_true(list.items[i].longest_ns >= 0);
        assert_true(i == 0 || list.items[i - 1].longest_ns >= list.items[i].longest_ns);
    }
    for (size_t i = 0; i < ALL; i++) {
        assert_true(is_listed(&all[i]) || !is_of(&query, &all[i]) || !wants(&query, &all[i]));
    }
    query.count_max = 5;
    assert_int_equal(catalog_longest_list(f->catalog, &query, on_chunk, &first, &count), LP_OK);
    assert_int_equal(count, list.count);
    assert_int_equal(first.count, list.count < 5 ? list.count : 5);
    for (size_t i = 0; i < first.count; i++) {
        assert_string_equal(first.items[i].session_id, list.items[i].session_id);
        assert_int_equal(first.items[i].ordinal, list.items[i].ordinal);
    }
}

static void
test_the_list_has_every_chunk_that_a_selection_may_want(void **state)
{
    const fixture *f = *state;
    uint64_t dice = 2;
    store_all(f);
    for (unsigned i = 0; i < 300; i++) {
        const catalog_session session = session_of((unsigned)chance_below(&dice, SESSIONS));
        bool is_of_session = chance_below(&dice, 3) == 0;
        int64_t from_ns = T0 + (int64_t)chance_below(&dice, 2400) * SECOND;
        bool has_range = chance_below(&dice, 3) > 0;
        check(f,
            (catalog_longest_query){
                .unit = chance_below(&dice, 2) == 0 ? ROLLUP_CONTEXTS : ROLLUP_REQUESTS,
                .service = is_of_session ? NULL : services[chance_below(&dice, 3)],
                .session_id = is_of_session ? session.id : NULL,
                .version = chance_below(&dice, 2) == 0 ? NULL : versions[i % 2],
                .from_wall_ns = has_range ? from_ns : INT64_MIN,
                .to_wall_ns = has_range ? from_ns + (1 + (int64_t)chance_below(&dice, 900)) * SECOND
                                        : INT64_MAX,
                .longest_min_ns =
                    chance_below(&dice, 2) == 0 ? 0 : (int64_t)chance_below(&dice, 20) * SECOND,
            });
    }
}

static void
on_service(void *arg, const char *service)
{
    size_t *count = arg;
    assert_true(*count < 3);
    assert_string_equal(service, services[(*count)++]);
}

static void
test_services_are_those_with_chunks(void **state)
{
    const fixture *f = *state;
    size_t count = 0;
    int64_t start_ns;
    assert_int_equal(catalog_longest_services(f->catalog, on_service, &count), LP_OK);
    assert_int_equal(count, 0);
    assert_int_equal(catalog_ids_first_start(f->catalog, &start_ns), LP_ENOENT);
    store_all(f);
    assert_int_equal(catalog_longest_services(f->catalog, on_service, &count), LP_OK);
    assert_int_equal(count, 3);
    assert_int_equal(catalog_ids_first_start(f->catalog, &start_ns), LP_OK);
    assert_int_equal(start_ns, T0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_the_list_has_every_chunk_that_a_selection_may_want, setup, teardown),
        cmocka_unit_test_setup_teardown(test_services_are_those_with_chunks, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
