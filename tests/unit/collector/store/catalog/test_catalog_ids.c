// SPDX-License-Identifier: Apache-2.0
// The ids of chunks in a catalog: a chunk is in a row, in a segment or uncovered, and changes
// between these in one transaction. A row is found by each of its ids. Sealing deletes exactly the
// segment's rows, and none for a leaving segment. An expired chunk's row is deleted.

#include "support/catalog_fixture.h"

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_ids.h"

#include <string.h>

static const catalog_ids_range all = {INT64_MIN, INT64_MAX, 1000};
static const uint64_t hashes[] = {0x1111111111111111u, 0x2222222222222222u, 0xff00ff00ff00ff00u};

static catalog_session
session_of(char digit)
{
    static char text[] = "x";
    catalog_session session = {
        .service = text, .instance = text, .jvm_name = text, .jvm_version = text};
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

// add adds a chunk with the first ids, written in an hour by a collector; NULL: by files.
static void
add(fixture *f, char digit, uint32_t ordinal, const char *collector, int64_t hour, uint64_t number,
    size_t id_count)
{
    const catalog_session session = session_of(digit);
    const catalog_chunk chunk = {
        .ordinal = ordinal,
        .start_wall_ns = 1000 + ordinal,
        .types_json = "{}",
        .ids = {.collector = collector,
            .is_left_out = id_count > 3,
            .hour = hour,
            .number = number,
            .hashes = hashes,
            .count = id_count},
    };
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
}

typedef struct listed {
    char text[400]; // "a1 b0 ..": the first digit of each session, and the ordinal
} listed;

static void
on_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    listed *l = arg;
    size_t len = strlen(l->text);
    (void)snprintf(l->text + len, sizeof(l->text) - len, "%c%u ", session_id[0], ordinal);
}

static void
on_group(void *arg, const catalog_ids_group *group)
{
    listed *l = arg;
    size_t len = strlen(l->text);
    (void)snprintf(l->text + len, sizeof(l->text) - len, "%s@%d:%d ", group->collector,
        (int)group->hour, (int)group->id_count);
}

static void
on_segment(void *arg, const catalog_segment *segment)
{
    listed *l = arg;
    size_t len = strlen(l->text);
    (void)snprintf(l->text + len, sizeof(l->text) - len, "%s ", segment->name);
}

static void
on_name(void *arg, const char *name)
{
    listed *l = arg;
    size_t len = strlen(l->text);
    (void)snprintf(l->text + len, sizeof(l->text) - len, "%s ", name);
}

static lp_err
on_row(void *arg, const catalog_ids_row *row)
{
    assert_int_equal(row->hashes.len % 8, 0);
    assert_memory_equal(row->hashes.ptr, hashes, row->hashes.len);
    on_chunk(arg, row->session_id, row->ordinal);
    return LP_OK;
}

static void
check_found(fixture *f, uint64_t hash, const char *expected)
{
    listed l = {""};
    assert_int_equal(catalog_ids_find(f->catalog, hash, &all, on_chunk, &l), LP_OK);
    assert_string_equal(l.text, expected);
}

static void
check_uncovered(fixture *f, const char *expected)
{
    listed l = {""};
    assert_int_equal(catalog_ids_list_uncovered(f->catalog, &all, on_chunk, &l), LP_OK);
    assert_string_equal(l.text, expected);
}

static void
check_groups(fixture *f, const char *expected)
{
    listed l = {""};
    assert_int_equal(catalog_ids_list_groups(f->catalog, on_group, &l), LP_OK);
    assert_string_equal(l.text, expected);
}

static void
check_segments(fixture *f, int64_t from, int64_t to, const char *expected)
{
    listed l = {""};
    assert_int_equal(catalog_segments_list(f->catalog, from, to, on_segment, &l), LP_OK);
    assert_string_equal(l.text, expected);
}

static void
check_leaving(fixture *f, const char *expected)
{
    listed l = {""};
    assert_int_equal(catalog_segments_list_leaving(f->catalog, on_name, &l), LP_OK);
    assert_string_equal(l.text, expected);
}

static catalog_segment
segment_of(const char *name, int64_t hour, int64_t from, int64_t to)
{
    catalog_segment segment = {.hour = hour,
        .from_wall_ns = from,
        .to_wall_ns = to,
        .head_bytes = 1,
        .size_bytes = 2,
        .entry_count = 3};
    (void)snprintf(segment.name, sizeof(segment.name), "%s", name);
    return segment;
}

static void
test_a_row_is_found_by_each_of_its_ids(void **state)
{
    fixture *f = *state;
    add(f, 'a', 0, "one", 5, 10, 3);
    add(f, 'a', 1, "one", 5, 11, 2);
    add(f, 'a', 2, "one", 5, 12, 0);
    add(f, 'b', 3, NULL, 0, 0, 0);
    add(f, 'b', 4, "one", 5, 13, 4); // too many
    check_found(f, hashes[0], "a0 a1 ");
    check_found(f, hashes[2], "a0 ");
    check_found(f, 0x3333333333333333u, "");
    check_uncovered(f, "b3 b4 ");
    listed l = {""};
    const catalog_ids_range some = {1001, 1002, 1000};
    assert_int_equal(catalog_ids_find(f->catalog, hashes[0], &some, on_chunk, &l), LP_OK);
    assert_string_equal(l.text, "a1 ");
    add(f, 'a', 0, "one", 6, 14, 1); // again
    check_found(f, hashes[2], "");
    check_groups(f, "one@5:2 one@6:1 ");
}

static void
test_each_of_many_ids_is_found(void **state)
{
    enum { MANY = 1000 };
    fixture *f = *state;
    uint64_t many[MANY];
    const catalog_session session = session_of('c');
    for (uint64_t i = 0; i < MANY; i++) {
        many[i] = (i + 1) * 0x9e3779b97f4a7c15u;
    }
    const catalog_chunk chunk = {.ordinal = 7,
        .start_wall_ns = 1,
        .types_json = "{}",
        .ids = {.collector = "one", .hour = 5, .number = 1, .hashes = many, .count = MANY}};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    add(f, 'a', 0, "one", 5, 10, 3);
    for (size_t i = 0; i < MANY; i++) {
        check_found(f, many[i], "c7 ");
        check_found(f, ~many[i], "");
    }
}

static void
test_sealing_drops_what_the_segment_has(void **state)
{
    fixture *f = *state;
    add(f, 'a', 0, "one", 5, 10, 3);
    add(f, 'a', 1, "one", 5, 11, 3);
    add(f, 'a', 2, "one", 5, 12, 3);
    add(f, 'b', 0, "two", 5, 10, 3);
    add(f, 'b', 1, "one", 6, 13, 3);
    const catalog_ids_group group = {.collector = "one", .hour = 5};
    const catalog_segment segment = segment_of("h5/one", 5, 1000, 1001);
    listed l = {""};
    assert_int_equal(catalog_ids_read(f->catalog, &group, on_row, &l), LP_OK);
    assert_string_equal(l.text, "a0 a1 a2 ");
    const catalog_sealed one = {group, 11, 1}; // and a later row
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &one), LP_EAGAIN);
    check_segments(f, INT64_MIN, INT64_MAX, "");
    check_groups(f, "one@5:9 two@5:3 one@6:3 ");
    const catalog_sealed rows = {group, 11, 2};
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_OK);
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_OK); // the same
    check_found(f, hashes[0], "a2 b0 b1 ");
    check_groups(f, "one@5:3 two@5:3 one@6:3 ");
    check_segments(f, 1001, 2000, "h5/one ");
    check_segments(f, 0, 1001, "h5/one ");
    check_segments(f, 1002, 2000, "");
    check_segments(f, 0, 1000, "");
    check_uncovered(f, "");
}

static void
test_a_segment_that_is_damaged_covers_nothing(void **state)
{
    fixture *f = *state;
    add(f, 'a', 0, "one", 5, 10, 3);
    add(f, 'a', 1, "two", 5, 10, 3);
    add(f, 'a', 2, "one", 6, 11, 3);
    const catalog_ids_group group = {.collector = "one", .hour = 5};
    const catalog_segment segment = segment_of("h5/one", 5, 1000, 1000);
    const catalog_sealed rows = {group, 10, 1};
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_OK);
    listed l = {""};
    assert_int_equal(catalog_ids_list_hour(f->catalog, 5, &all, on_chunk, &l), LP_OK);
    assert_string_equal(l.text, "a0 a1 ");
    assert_int_equal(catalog_ids_uncover(f->catalog, &segment), LP_OK);
    check_uncovered(f, "a0 a1 ");
    check_segments(f, INT64_MIN, INT64_MAX, "");
    check_leaving(f, "h5/one ");
    const catalog_chunk again = {.ordinal = 0,
        .start_wall_ns = 1000,
        .ids = {.collector = "new", .hour = 0, .number = 1, .hashes = hashes, .count = 2}};
    const catalog_session session = session_of('a');
    assert_int_equal(catalog_ids_add(f->catalog, session.id, &again), LP_OK);
    check_uncovered(f, "a1 ");
    check_found(f, hashes[1], "a1 a2 a0 ");
}

static void
test_a_segment_that_leaves_is_not_sealed_again(void **state)
{
    fixture *f = *state;
    add(f, 'a', 0, "one", 5, 10, 3);
    const catalog_sealed rows = {{.collector = "one", .hour = 5}, 10, 1};
    const catalog_segment segment = segment_of("h5/one", 5, 1000, 1000);
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_OK);
    assert_int_equal(catalog_ids_uncover(f->catalog, &segment), LP_OK);
    const catalog_chunk again = {.ordinal = 0,
        .start_wall_ns = 1000,
        .ids = {.collector = "one", .hour = 5, .number = 10, .hashes = hashes, .count = 3}};
    const catalog_session session = session_of('a');
    assert_int_equal(catalog_ids_add(f->catalog, session.id, &again), LP_OK);
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_EAGAIN);
    check_found(f, hashes[0], "a0 ");
    check_segments(f, INT64_MIN, INT64_MAX, "");
    check_leaving(f, "h5/one ");
    assert_int_equal(catalog_segments_drop(f->catalog, "h5/one"), LP_OK);
    assert_int_equal(catalog_ids_seal(f->catalog, &segment, &rows), LP_OK);
    check_found(f, hashes[0], "");
    check_segments(f, INT64_MIN, INT64_MAX, "h5/one ");
    check_leaving(f, "");
}

static void
test_what_expires_takes_its_row_with_it(void **state)
{
    fixture *f = *state;
    int64_t first_wall_ns;
    assert_int_equal(catalog_ids_first_start(f->catalog, &first_wall_ns), LP_ENOENT);
    add(f, 'a', 0, "one", 5, 10, 3);
    add(f, 'a', 1, "one", 5, 11, 3);
    add(f, 'b', 2, "one", 5, 12, 3);
    assert_int_equal(catalog_ids_first_start(f->catalog, &first_wall_ns), LP_OK);
    assert_int_equal(first_wall_ns, 1000);
    catalog_old_chunk old = {.ordinal = 0};
    memset(old.session_id, 'a', CATALOG_ID_CHARS);
    assert_int_equal(catalog_expire(f->catalog, &old, 1), LP_OK);
    check_found(f, hashes[0], "a1 b2 ");
    assert_int_equal(catalog_ids_first_start(f->catalog, &first_wall_ns), LP_OK);
    assert_int_equal(first_wall_ns, 1001);
}

static void
test_segments_leave_before_they_are_gone(void **state)
{
    fixture *f = *state;
    const catalog_sealed none = {.group = {.collector = "one", .hour = 1}};
    const catalog_segment segments[] = {
        segment_of("1/a", 1, 0, 99), segment_of("2/a", 2, 0, 100), segment_of("3/a", 3, 50, 200)};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(catalog_ids_seal(f->catalog, &segments[i], &none), LP_OK);
    }
    check_segments(f, INT64_MIN, INT64_MAX, "1/a 2/a 3/a ");
    assert_int_equal(catalog_segments_leave(f->catalog, "1/a"), LP_OK);
    check_segments(f, INT64_MIN, INT64_MAX, "2/a 3/a ");
    check_leaving(f, "1/a ");
    assert_int_equal(catalog_segments_drop(f->catalog, "2/a"), LP_OK); // it is not leaving
    assert_int_equal(catalog_segments_drop(f->catalog, "1/a"), LP_OK);
    check_segments(f, INT64_MIN, INT64_MAX, "2/a 3/a ");
    check_leaving(f, "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_row_is_found_by_each_of_its_ids, setup, teardown),
        cmocka_unit_test_setup_teardown(test_each_of_many_ids_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sealing_drops_what_the_segment_has, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_segment_that_is_damaged_covers_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_segment_that_leaves_is_not_sealed_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_expires_takes_its_row_with_it, setup, teardown),
        cmocka_unit_test_setup_teardown(test_segments_leave_before_they_are_gone, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
