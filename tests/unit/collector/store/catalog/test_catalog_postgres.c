// SPDX-License-Identifier: Apache-2.0
// A catalog in PostgreSQL, besides test_catalog.c: a lock costs a failure but no row; invalid texts
// are corrected; a commit whose answer was lost can be repeated.

#include "unit/collector/store/catalog/postgres_fixture.h"

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_objects.h"
#include "collector/store/catalog/catalog_waits.h"
#include "collector/store/catalog/postgres/catalog_postgres.h"
#include "collector/store/catalog/postgres/postgres_link.h"

#include <errno.h>
#include <string.h>

static lp_slice
slice_of(const char *literal)
{
    return (lp_slice){(const uint8_t *)literal, strlen(literal)};
}

// A statement that waits for a lock ends, and can be retried on the same connection; not at once,
// because the loop would wait again.
static void
test_a_lock_that_is_held_costs_a_failure_and_no_connection(void **state)
{
    fixture *f = *state;
    open_impatient(f, 1250); // the server's limit is a second
    uint64_t reconnects = catalog_get_counts().reconnects;
    PGconn *other = PQconnectdb(f->place.path);
    PQclear(PQexec(other, "BEGIN; LOCK TABLE session"));
    errno = 0;
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    assert_int_equal(errno, 0); // the server has ended it
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    assert_int_equal(errno, ETIMEDOUT); // without asking the server
    PQfinish(other);
    put_at_last(f->catalog, 'a');
    assert_int_equal(catalog_get_counts().reconnects, reconnects);
}

static void
note_service(void *arg, const catalog_session *row)
{
    (void)snprintf(arg, 40, "%s", row->service);
}

static void
test_texts_that_are_not_utf_8_are_replaced(void **state)
{
    const fixture *f = *state;
    char found[40] = "";
    const catalog_session session = session_of('a', "sh\xff\xc3(p\xed\xa0\x80");
    assert_int_equal(catalog_put_session(f->catalog, &session), LP_OK);
    assert_int_equal(catalog_find(f->catalog, session.id, note_service, found), LP_OK);
    assert_string_equal(found, "sh\xef\xbf\xbd\xef\xbf\xbd(p\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    found[0] = '\0';
    const catalog_query same = {.service = session.service};
    assert_int_equal(catalog_list(f->catalog, &same, note_service, found), LP_OK);
    assert_string_equal(found, "sh\xef\xbf\xbd\xef\xbf\xbd(p\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void
append_name(void *arg, const catalog_type *type)
{
    strncat(arg, type->name, 10);
}

// The server's default order is a language's.
static void
test_names_are_in_the_order_of_their_bytes(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {
        .types_json =
            "{\"b\":{\"in\":1},\"B\":{\"in\":1},\"\xc3\xa4\":{\"in\":1},\"a\":{\"in\":1}}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    char names[40] = "";
    const catalog_chunk_range range = {session.id, 1, INT64_MIN, INT64_MAX};
    assert_int_equal(catalog_list_types(f->catalog, &range, append_name, names), LP_OK);
    assert_string_equal(names, "Bab\xc3\xa4");
}

static void
test_a_large_carry_comes_back(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {.types_json = "{}"};
    static const size_t sizes[] = {(3 << 20) + 7, 2 << 20, 1, 0};
    uint8_t *bytes = malloc(sizes[0]);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizes[0]; i++) {
        bytes[i] = (uint8_t)(i * 31 + i / 1000);
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint8_t *found;
        size_t size;
        assert_int_equal(
            catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){bytes, sizes[i]}), LP_OK);
        assert_int_equal(catalog_get_carry(f->catalog, session.id, &found, &size), LP_OK);
        assert_int_equal(size, sizes[i]);
        assert_int_equal(size == 0 ? 0 : memcmp(found, bytes, size), 0);
        free(found);
    }
    free(bytes);
}

// As after a commit whose answer was lost.
static void
test_what_is_done_again_has_the_same_effect(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {.types_json = "{\"b\":{\"in\":5}}"};
    const catalog_old_chunk old = {.session_id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    bool is_new;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 0, true, &is_new), LP_OK);
        assert_int_equal(is_new, i == 0);
        assert_int_equal(find(f->catalog, 'a').losses[CATALOG_LOSS_CHUNKS_LOST], 1);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_expire(f->catalog, &old, 1), LP_OK);
        assert_int_equal(find(f->catalog, 'a').expired_chunks, 1);
    }
}

// PostgreSQL's time is mostly round trips.
static void
test_round_trips_are_few(void **state)
{
    const fixture *f = *state;
    const catalog_session sessions[] = {session_of('a', "shop"), session_of('b', "shop")};
    const catalog_session *const both[] = {&sessions[0], &sessions[1]};
    rollup nothing;
    rollup_init(&nothing);
    catalog_chunk chunks[] = {{.types_json = "{}", .rollup = &nothing},
        {.types_json = "{}", .rollup = &nothing, .ordinal = 1}};
    catalog_commit commits[] = {
        {.session = both[0], .chunk = &chunks[1]}, {.session = both[1], .chunk = &chunks[1]}};
    const catalog_object object = {.name = "pack", .bytes = 10};
    (void)snprintf(chunks[1].place.object, sizeof(chunks[1].place.object), "pack");
    bool is_lost[2];
    uint64_t counts[4];
    counts[0] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_put_sessions(f->catalog, both, 2, is_lost), LP_OK);
    counts[1] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_add_chunk(f->catalog, both[0], &chunks[0], slice_of("carry")), LP_OK);
    counts[2] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_commit_object(f->catalog, &object, commits, 2, NULL, 0), LP_OK);
    counts[3] = catalog_waits_get().round_trips;
    assert_int_equal(counts[1] - counts[0], 1);
    assert_int_equal(counts[2] - counts[1], 2);
    assert_int_equal(counts[3] - counts[2], 2 * 3 + 1);
    rollup_fini(&nothing);
}

static lp_err
run_with_id(catalog *on, catalog_db_statement which, const char *id)
{
    return catalog_db_run(on, which, CATALOG_DB_VALUES(id), NULL);
}

// The caller rolls back a transaction while the answer to a failed statement is outstanding.
static void
test_what_is_undone_leaves_no_transaction_behind(void **state)
{
    const fixture *f = *state;
    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    // A piece has bytes.
    assert_int_equal(CATALOG_DB_RUN(f->catalog, PUT_CARRY, "a", 0, catalog_db_null()), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_ECORRUPT), LP_ECORRUPT);
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
}

// Two places of the queue are free before the last statement, which needs preparation. So does the
// streamed one that follows.
static void
test_a_full_queue_is_answered_first(void **state)
{
    enum { QUEUED = 512 - 2 }; // QUEUE_MAX
    const fixture *f = *state;
    catalog_db_call call;
    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_LOSSES, "a"), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_OK), LP_OK);

    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    for (int i = 1; i < QUEUED; i++) {
        assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_LOSSES, "a"), LP_OK);
    }
    assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_CARRY, "a"), LP_OK);
    CATALOG_DB_START(f->catalog, GET_CARRY, &call, "a");
    assert_false(catalog_db_step(&call));
    assert_int_equal(catalog_db_finish(&call), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_OK), LP_OK);
}

static void
test_readers_are_bounded(void **state)
{
    const fixture *f = *state;
    catalog *opened[CATALOG_POSTGRES_READERS_MAX];
    catalog *more;
    lp_problem problem;
    for (int round = 0; round < 2; round++) { // some of the second round were idle
        for (int i = 0; i < CATALOG_POSTGRES_READERS_MAX; i++) {
            assert_int_equal(catalog_open_reader(f->place.path, &opened[i], NULL), LP_OK);
        }
        assert_int_equal(catalog_open_reader(f->place.path, &more, &problem), LP_ELIMIT);
        assert_non_null(strstr(problem.text, "16 readers have the catalog already"));
        for (int i = 0; i < CATALOG_POSTGRES_READERS_MAX; i++) {
            catalog_close(opened[i]);
        }
    }
}

int
main(void)
{
    if (!catalog_place_is_postgres()) {
        (void)printf("skipped: with_postgres.sh runs this test\n");
        return 77;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, tear_down_patient)
    const struct CMUnitTest tests[] = {
        TEST(test_a_lock_that_is_held_costs_a_failure_and_no_connection),
        TEST(test_texts_that_are_not_utf_8_are_replaced),
        TEST(test_names_are_in_the_order_of_their_bytes),
        TEST(test_a_large_carry_comes_back),
        TEST(test_what_is_done_again_has_the_same_effect),
        TEST(test_round_trips_are_few),
        TEST(test_what_is_undone_leaves_no_transaction_behind),
        TEST(test_a_full_queue_is_answered_first),
        TEST(test_readers_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
