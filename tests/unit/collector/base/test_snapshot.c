// SPDX-License-Identifier: Apache-2.0
// The chunks of snapshots: they are in memory while the room has any, and else in a file, and
// either way, and with some in each, all of them are read back, by the chunk and from any offset
// on. What snapshots have of the room is what their blocks take; they give all of it back, also
// those that fail, and one without a room takes none. What finds no room is counted.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/base/snapshot.h"
#include "common/rollup/rollup_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNK_BYTES = 1000, CHUNKS = 5 };

typedef struct fixture {
    temp_dir dir;
    blobs *blobs;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(path, sizeof(path), "%s/blobs", f->dir.path);
    assert_int_equal(blobs_open(path, &f->blobs, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static char
byte_at(size_t offset)
{
    return (char)(offset * 31 + offset / CHUNK_BYTES);
}

// add_chunk adds the chunk of an index, whose block has capacity bytes, and returns whether its
// bytes were taken.
static bool
add_chunk(const fixture *f, snapshot *snap, size_t index, size_t capacity)
{
    lp_buf chunk = {0};
    lp_buf_reserve(&chunk, capacity);
    for (size_t i = 0; i < CHUNK_BYTES; i++) {
        char byte = byte_at(index * CHUNK_BYTES + i);
        lp_buf_append(&chunk, &byte, 1);
    }
    assert_int_equal(chunk.capacity, capacity);
    assert_int_equal(snapshot_add_chunk(snap, f->blobs, &chunk), LP_OK);
    bool is_taken = chunk.ptr == NULL;
    lp_buf_fini(&chunk);
    return is_taken;
}

static snapshot *
create_in(snapshot_room *room)
{
    snapshot *snap = snapshot_create(LP_OK);
    assert_non_null(snap);
    snap->room = room;
    return snap;
}

// check_content reads all chunks of a snapshot in each way.
static void
check_content(const snapshot *snap)
{
    char part[CHUNK_BYTES];
    lp_buf all = {0};
    snapshot_check(snap);
    assert_int_equal(snap->size_bytes, CHUNKS * CHUNK_BYTES);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(snapshot_read_chunk(snap, i, &all), LP_OK);
        lp_slice lent = snapshot_lend_chunk(snap, i);
        if (lent.ptr != NULL) {
            assert_int_equal(lent.len, CHUNK_BYTES);
            assert_memory_equal(lent.ptr, all.ptr + i * CHUNK_BYTES, CHUNK_BYTES);
        }
        const lp_slice chunk = {all.ptr + i * CHUNK_BYTES, CHUNK_BYTES};
        assert_true(blobs_hash(chunk) == snap->chunks.items[i].content_hash);
    }
    assert_int_equal(all.len, snap->size_bytes);
    for (size_t i = 0; i < all.len; i++) {
        assert_int_equal((char)all.ptr[i], byte_at(i));
    }
    for (size_t from = 0; from < snap->size_bytes; from += 7) {
        ssize_t count = snapshot_read(snap, from, part, sizeof(part));
        assert_true(count > 0 && (uint64_t)count <= snap->size_bytes - from);
        assert_memory_equal(part, all.ptr + from, (size_t)count);
    }
    assert_int_equal(snapshot_read(snap, 3, part, 5), 5);
    assert_int_equal(snapshot_read(snap, snap->size_bytes, part, sizeof(part)), 0);
    lp_buf_fini(&all);
}

static void
test_chunks_are_in_memory_while_there_is_room(void **state)
{
    const fixture *f = *state;
    // By how many chunks fit: none, some of each, all.
    for (size_t fit = 0; fit <= CHUNKS; fit++) {
        snapshot_room room = {.bytes_max = fit * 2 * CHUNK_BYTES + CHUNK_BYTES};
        snapshot *snap = create_in(&room);
        uint64_t in_files = metrics_get(METRICS_snapshot_chunks_in_files);
        for (size_t i = 0; i < CHUNKS; i++) {
            assert_true(add_chunk(f, snap, i, 2 * CHUNK_BYTES) == (i < fit));
            assert_true((snapshot_lend_chunk(snap, i).ptr != NULL) == (i < fit));
        }
        assert_int_equal(atomic_load(&room.bytes), fit * 2 * CHUNK_BYTES);
        assert_true((snap->fd >= 0) == (fit < CHUNKS));
        assert_int_equal(metrics_get(METRICS_snapshot_chunks_in_files) - in_files, CHUNKS - fit);
        check_content(snap);
        snapshot_unref(snap);
        assert_int_equal(atomic_load(&room.bytes), 0);
    }
}

// Statistics lie between chunks, in memory or in the file, and change nothing of them.
static void
test_statistics_are_where_there_is_room(void **state)
{
    const fixture *f = *state;
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "shop.Request");
    histogram_add(&type->numbers.all, &sums.arena, 100);
    for (int has_room = 0; has_room < 2; has_room++) {
        snapshot_room room = {.bytes_max = has_room ? UINT64_MAX / 2 : 0};
        snapshot *snap = create_in(&room);
        for (size_t i = 0; i < CHUNKS; i++) {
            (void)add_chunk(f, snap, i, 2 * CHUNK_BYTES);
            assert_int_equal(
                snapshot_add_statistics(snap, f->blobs, 1000 + (int64_t)i, 60, &sums), LP_OK);
        }
        check_content(snap);
        for (size_t i = 0; i < CHUNKS; i++) {
            lp_buf bytes = {0};
            rollup read;
            rollup_init(&read);
            assert_true((snap->chunks.items[i].statistics.ptr != NULL) == (has_room == 1));
            assert_true(snap->chunks.items[i].start_wall_ns == 1000 + (int64_t)i);
            assert_int_equal(snapshot_read_statistics(snap, i, &bytes), LP_OK);
            assert_int_equal(rollup_bytes_add(&read, lp_buf_slice(&bytes), ""), LP_OK);
            assert_true(rollup_find_type(&read, "shop.Request")->numbers.all.count == 1);
            rollup_fini(&read);
            lp_buf_fini(&bytes);
        }
        snapshot_unref(snap);
        assert_int_equal(atomic_load(&room.bytes), 0);
    }
    rollup_fini(&sums);
}

static void
test_statistics_that_are_too_large_are_left_out(void **state)
{
    const fixture *f = *state;
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "shop.Request");
    for (unsigned i = 0; i < 32 * 64; i++) {
        char text[200];
        memset(text, 'x', sizeof(text));
        (void)snprintf(text, 9, "key%05u", i / 64);
        rollup_attribute *attribute = rollup_add_attribute(&sums, type, text);
        (void)snprintf(text, sizeof(text), "%0199u", i);
        assert_non_null(
            rollup_add_value(&sums, attribute, (lp_slice){(const uint8_t *)text, strlen(text)}));
    }
    snapshot_room room = {.bytes_max = UINT64_MAX / 2};
    snapshot *snap = create_in(&room);
    uint64_t left_out = metrics_get(METRICS_snapshot_statistics_left_out);
    (void)add_chunk(f, snap, 0, 2 * CHUNK_BYTES);
    assert_int_equal(snapshot_add_statistics(snap, f->blobs, 1, 60, &sums), LP_OK);
    assert_int_equal(metrics_get(METRICS_snapshot_statistics_left_out) - left_out, 1);
    assert_int_equal(snap->chunks.items[0].statistics_bytes, 0);
    snapshot_unref(snap);
    rollup_fini(&sums);
}

static void
test_a_smaller_chunk_fits_behind_one_in_the_file(void **state)
{
    const fixture *f = *state;
    snapshot_room room = {.bytes_max = 3 * CHUNK_BYTES};
    snapshot *snap = create_in(&room);
    const size_t capacities[CHUNKS] = {
        4 * CHUNK_BYTES, CHUNK_BYTES, 3 * CHUNK_BYTES, 2 * CHUNK_BYTES, CHUNK_BYTES};
    const bool are_taken[CHUNKS] = {false, true, false, true, false};
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_true(add_chunk(f, snap, i, capacities[i]) == are_taken[i]);
    }
    check_content(snap);
    snapshot_unref(snap);
    assert_int_equal(atomic_load(&room.bytes), 0);
}

static void
test_snapshots_share_the_room_and_give_it_back(void **state)
{
    const fixture *f = *state;
    snapshot_room room = {.bytes_max = CHUNK_BYTES};
    snapshot *first = create_in(&room);
    snapshot *second = create_in(&room);
    assert_true(add_chunk(f, first, 0, CHUNK_BYTES));
    assert_false(add_chunk(f, second, 0, CHUNK_BYTES));
    snapshot_unref(snapshot_ref(first)); // there is another owner
    assert_int_equal(atomic_load(&room.bytes), CHUNK_BYTES);
    snapshot_fail(first, LP_EIO);
    assert_int_equal(atomic_load(&room.bytes), 0);
    assert_true(add_chunk(f, second, 1, CHUNK_BYTES));
    snapshot_unref(first);
    snapshot_unref(second);
    assert_int_equal(atomic_load(&room.bytes), 0);
}

static void
test_one_without_a_room_is_in_a_file(void **state)
{
    const fixture *f = *state;
    snapshot *snap = create_in(NULL);
    uint64_t in_files = metrics_get(METRICS_snapshot_chunks_in_files);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_false(add_chunk(f, snap, i, CHUNK_BYTES));
    }
    assert_true(snap->fd >= 0);
    assert_int_equal(metrics_get(METRICS_snapshot_chunks_in_files), in_files); // it wants no room
    check_content(snap);
    snapshot_unref(snap);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_are_in_memory_while_there_is_room),
        cmocka_unit_test(test_statistics_are_where_there_is_room),
        cmocka_unit_test(test_statistics_that_are_too_large_are_left_out),
        cmocka_unit_test(test_a_smaller_chunk_fits_behind_one_in_the_file),
        cmocka_unit_test(test_snapshots_share_the_room_and_give_it_back),
        cmocka_unit_test(test_one_without_a_room_is_in_a_file),
    };
    return cmocka_run_group_tests_name("snapshot", tests, set_up, tear_down);
}
