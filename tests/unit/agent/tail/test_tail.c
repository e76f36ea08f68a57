// SPDX-License-Identifier: Apache-2.0
// The tail: whatever the JVM does to its repository, what comes out is the published bytes of every
// chunk, once, in order of time, each with the header that makes it readable.
//
// The repository is a directory in which the test plays HotSpot's part step by step.

#include "support/chunk_writer.h"
#include "support/temp_dir.h"

#include "agent/tail/tail.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ANY_SIZE = 1 << 20 };

typedef struct fixture {
    temp_dir dir;
    tail *tail;
    lp_buf bytes;
    int open_fds; // before the test
} fixture;

static int
count_fds(void)
{
    int count = 0;
    DIR *entries = opendir("/proc/self/fd");
    assert_non_null(entries);
    while (readdir(entries) != NULL) {
        count++;
    }
    (void)closedir(entries);
    return count;
}

static int
set_up_with(void **state, const tail_limits *limits)
{
    static fixture f;
    f = (fixture){.open_fds = count_fds(), .dir = temp_dir_make()};
    assert_int_equal(tail_open(f.dir.path, limits, &f.tail, NULL), LP_OK);
    *state = &f;
    return 0;
}

static int
set_up(void **state)
{
    return set_up_with(state, &TAIL_LIMITS_DEFAULT);
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    tail_close(f->tail);
    lp_buf_fini(&f->bytes);
    temp_dir_remove(&f->dir);
    assert_int_equal(count_fds(), f->open_fds);
    return 0;
}

static void
look(fixture *f)
{
    assert_int_equal(tail_look(f->tail, false), LP_OK);
}

static void
assert_nothing(fixture *f)
{
    tail_piece piece;
    lp_buf_clear(&f->bytes);
    assert_int_equal(tail_next(f->tail, ANY_SIZE, &f->bytes, &piece), LP_EEND);
    assert_int_equal(f->bytes.len, 0);
}

// assert_piece takes one piece and checks it against what chunk has had published.
static tail_piece
assert_piece(fixture *f, const chunk_writer *chunk, uint32_t number, uint64_t begin, uint64_t end)
{
    tail_piece piece;
    lp_buf_clear(&f->bytes);
    assert_int_equal(tail_next(f->tail, ANY_SIZE, &f->bytes, &piece), LP_OK);
    assert_int_equal(piece.place.chunk, number);
    assert_int_equal(piece.place.offset, begin);
    assert_int_equal(piece.size, end - begin);
    assert_int_equal(f->bytes.len, end - begin);
    for (uint64_t i = begin; i < end; i++) {
        uint8_t want =
            i < sizeof(chunk->header) ? chunk->header[i] : chunk_writer_byte(chunk->seed, i);
        assert_int_equal(f->bytes.ptr[i - begin], want);
    }
    assert_true(piece.has_header);
    assert_memory_equal(piece.header, chunk->header, sizeof(piece.header));
    return piece;
}

static void
test_only_what_is_published_comes_out(void **state)
{
    fixture *f = *state;
    chunk_writer chunk = chunk_writer_create(f->dir.path, "2026_01_01_00_00_00.jfr", 1, 100);
    look(f);
    assert_nothing(f); // an empty file
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 1000);
    look(f);
    assert_nothing(f); // statics are there, nothing was flushed
    chunk_writer_flush(&chunk);
    chunk_writer_append(&chunk, 500);
    look(f);
    assert_piece(f, &chunk, 0, 0, 1068);
    assert_nothing(f);
    chunk_writer_flush(&chunk);
    assert_nothing(f); // not before the next look
    look(f);
    assert_piece(f, &chunk, 0, 1068, 1568);
    chunk_writer_append(&chunk, 10);
    chunk_writer_finish(&chunk);
    look(f);
    tail_piece last = assert_piece(f, &chunk, 0, 1568, 1578);
    assert_int_equal(last.header[JFR_CHUNK_STATE_OFFSET], JFR_CHUNK_STATE_FINISHED);
    look(f);
    assert_nothing(f); // the file is still there and is not told again
    assert_int_equal(tail_get_unread(f->tail), 0);
}

static void
test_large_ranges_come_in_pieces(void **state)
{
    fixture *f = *state;
    chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", 2, 100);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 2500 - 68);
    chunk_writer_flush(&chunk);
    look(f);
    uint64_t offset = 0;
    while (offset < 2500) {
        tail_piece piece;
        lp_buf_clear(&f->bytes);
        // 30 bytes at first, so that a border lies within the header.
        assert_int_equal(tail_next(f->tail, offset == 0 ? 30 : 1000, &f->bytes, &piece), LP_OK);
        assert_int_equal(piece.place.offset, offset);
        for (size_t i = 0; i < piece.size; i++) {
            uint64_t at = offset + i;
            assert_int_equal(
                f->bytes.ptr[i], at < 68 ? chunk.header[at] : chunk_writer_byte(chunk.seed, at));
        }
        offset += piece.size;
        assert_int_equal(piece.has_header, offset == 2500);
    }
    assert_int_equal(offset, 2500);
    assert_nothing(f);
    (void)close(chunk.fd);
}

static void
test_deleted_file_is_read_to_its_end(void **state)
{
    fixture *f = *state;
    chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", 3, 100);
    look(f); // as soon as the file appears, before it has a header
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 5000);
    chunk_writer_finish(&chunk);
    chunk_writer_delete(&chunk);
    assert_int_equal(rmdir(f->dir.path), 0);
    assert_int_equal(tail_look(f->tail, true), LP_OK);
    assert_piece(f, &chunk, 0, 0, 5068);
    assert_nothing(f);
    assert_int_equal(tail_get_counts(f->tail).missed_chunks, 0);
}

static void
test_finishing_without_news_still_tells_the_header(void **state)
{
    fixture *f = *state;
    chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", 4, 100);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 100);
    chunk_writer_flush(&chunk);
    look(f);
    assert_piece(f, &chunk, 0, 0, 168);
    chunk_writer_finish(&chunk);
    look(f);
    assert_piece(f, &chunk, 0, 168, 168);
    assert_nothing(f);
}

static void
test_torn_header_is_not_believed(void **state)
{
    fixture *f = *state;
    chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", 5, 100);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 100);
    chunk_writer_flush(&chunk);
    look(f);
    assert_piece(f, &chunk, 0, 0, 168);

    chunk_writer_append(&chunk, 100);
    chunk_writer_guard(&chunk);
    look(f);
    assert_nothing(f);
    chunk_writer_publish(&chunk, 9);
    look(f);
    assert_piece(f, &chunk, 0, 168, 268);
    (void)close(chunk.fd);
}

static void
test_new_chunk_under_guard_keeps_the_order(void **state)
{
    fixture *f = *state;
    chunk_writer old = chunk_writer_create(f->dir.path, "a.jfr", 6, 100);
    chunk_writer_begin(&old);
    chunk_writer_append(&old, 100);
    chunk_writer_guard(&old);
    // The JVM itself does not get so far; the order must not depend on it.
    chunk_writer next = chunk_writer_create(f->dir.path, "b.jfr", 7, 200);
    chunk_writer_begin(&next);
    chunk_writer_append(&next, 50);
    chunk_writer_flush(&next);
    look(f);
    assert_nothing(f);
    chunk_writer_publish(&old, 0);
    (void)close(old.fd);
    look(f);
    assert_piece(f, &old, 0, 0, 168);
    assert_piece(f, &next, 1, 0, 118);
    (void)close(next.fd);
}

static void
test_rotations_between_two_looks_lose_nothing(void **state)
{
    fixture *f = *state;
    enum { CHUNKS = 20 };
    chunk_writer chunks[CHUNKS];
    for (unsigned i = 0; i < CHUNKS; i++) {
        char name[64];
        // Names that sort against the order of time.
        (void)snprintf(name, sizeof(name), "2026_01_01_00_00_%02u.jfr", 59 - i);
        chunks[i] = chunk_writer_create(f->dir.path, name, i, 1000 + i);
        if (i > 0) {
            chunk_writer_append(&chunks[i - 1], 10);
            chunk_writer_finish(&chunks[i - 1]);
        }
        chunk_writer_begin(&chunks[i]);
        chunk_writer_append(&chunks[i], 100 + i);
        chunk_writer_flush(&chunks[i]);
    }
    look(f);
    assert_int_equal(tail_get_growing(f->tail), CHUNKS - 1);
    for (unsigned i = 0; i < CHUNKS; i++) {
        assert_piece(f, &chunks[i], i, 0, chunks[i].written);
    }
    assert_nothing(f);
    (void)close(chunks[CHUNKS - 1].fd);
}

static void
test_name_used_again_is_another_chunk(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < 50; i++) {
        chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", i, 100 + i);
        chunk_writer_begin(&chunk);
        chunk_writer_append(&chunk, 100);
        chunk_writer_finish(&chunk);
        look(f);
        assert_piece(f, &chunk, i, 0, 168);
        assert_nothing(f);
        chunk_writer_delete(&chunk);
    }
}

static void
test_chunk_left_unfinished_ends_with_its_successor(void **state)
{
    fixture *f = *state;
    chunk_writer old = chunk_writer_create(f->dir.path, "a.jfr", 8, 100);
    chunk_writer_begin(&old);
    chunk_writer_append(&old, 100);
    chunk_writer_flush(&old);
    chunk_writer next = chunk_writer_create(f->dir.path, "b.jfr", 9, 200);
    chunk_writer_begin(&next);
    chunk_writer_append(&next, 100);
    chunk_writer_finish(&next);
    look(f);
    assert_piece(f, &old, 0, 0, 168);
    assert_piece(f, &next, 1, 0, 168);
    assert_nothing(f);
    (void)close(old.fd);
}

static void
test_what_is_no_streamable_chunk_is_left_alone(void **state)
{
    fixture *f = *state;
    chunk_writer old_version = chunk_writer_create(f->dir.path, "old.jfr", 1, 100);
    old_version.minor = 0;
    chunk_writer_begin(&old_version);
    chunk_writer_append(&old_version, 100);
    chunk_writer_finish(&old_version);
    chunk_writer garbage = chunk_writer_create(f->dir.path, "garbage.jfr", 1, 100);
    chunk_writer_append(&garbage, 4096);
    (void)close(garbage.fd);
    chunk_writer text = chunk_writer_create(f->dir.path, "notes.txt", 1, 100);
    chunk_writer_begin(&text);
    chunk_writer_append(&text, 100);
    chunk_writer_finish(&text);
    char probe[300];
    (void)snprintf(probe, sizeof(probe), "%s/directory.jfr", f->dir.path);
    assert_int_equal(mkdir(probe, 0700), 0);
    chunk_writer good = chunk_writer_create(f->dir.path, "good.jfr", 2, 50);
    chunk_writer_begin(&good);
    chunk_writer_append(&good, 10);
    chunk_writer_finish(&good);
    look(f);
    assert_piece(f, &good, 0, 0, 78);
    assert_nothing(f);
}

static void
test_file_gone_before_it_was_opened_is_counted(void **state)
{
    fixture *f = *state;
    look(f);
    chunk_writer gone = chunk_writer_create(f->dir.path, "gone.jfr", 1, 100);
    chunk_writer_begin(&gone);
    chunk_writer_append(&gone, 100);
    chunk_writer_finish(&gone);
    chunk_writer_delete(&gone);
    look(f);
    assert_nothing(f);
    assert_int_equal(tail_get_counts(f->tail).missed_chunks, 1);
}

static void
test_appearing_file_is_announced(void **state)
{
    fixture *f = *state;
    struct pollfd wait = {.fd = tail_get_fd(f->tail), .events = POLLIN};
    assert_true(wait.fd >= 0);
    look(f);
    assert_int_equal(poll(&wait, 1, 0), 0);
    chunk_writer chunk = chunk_writer_create(f->dir.path, "a.jfr", 1, 100);
    assert_int_equal(poll(&wait, 1, 10 * 1000), 1);
    look(f);
    assert_int_equal(poll(&wait, 1, 0), 0);
    (void)close(chunk.fd);
}

static int
set_up_small(void **state)
{
    return set_up_with(state, &(tail_limits){.chunk_count_max = 4, .deleted_bytes_max = 1000});
}

// make_chunk makes the whole chunk with this number: its header and so many bytes.
static chunk_writer
make_chunk(const fixture *f, unsigned number, size_t bytes)
{
    char name[16];
    (void)snprintf(name, sizeof(name), "%u.jfr", number);
    chunk_writer chunk = chunk_writer_create(f->dir.path, name, number, 100 + number);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, bytes);
    chunk_writer_finish(&chunk);
    return chunk;
}

static void
test_oldest_unread_is_given_up_over_the_count(void **state)
{
    fixture *f = *state;
    chunk_writer chunks[7];
    for (unsigned i = 0; i < 7; i++) {
        chunks[i] = make_chunk(f, i, 32);
        look(f);
        if (i == 0) { // begun: it stays whatever happens
            tail_piece piece;
            assert_int_equal(tail_next(f->tail, 10, &f->bytes, &piece), LP_OK);
        }
    }
    tail_counts counts = tail_get_counts(f->tail);
    assert_int_equal(counts.dropped_chunks, 3);
    assert_int_equal(counts.dropped_bytes, 300);
    assert_piece(f, &chunks[0], 0, 10, 100);
    assert_piece(f, &chunks[4], 1, 0, 100); // numbers have no gap
    assert_piece(f, &chunks[5], 2, 0, 100);
    assert_piece(f, &chunks[6], 3, 0, 100);
    assert_nothing(f);
}

static void
test_chunks_that_were_read_are_read_again(void **state)
{
    fixture *f = *state;
    chunk_writer chunks[3];
    uint32_t number;
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = make_chunk(f, i, 532);
    }
    look(f);
    assert_false(tail_go_back(f->tail, 0, &number)); // nothing was begun
    assert_piece(f, &chunks[0], 0, 0, 600);
    assert_piece(f, &chunks[1], 1, 0, 600);
    chunk_writer_delete(&chunks[1]);
    assert_true(tail_go_back(f->tail, 1, &number));
    assert_int_equal(number, 1);
    assert_piece(f, &chunks[1], 1, 0, 600);
    assert_piece(f, &chunks[2], 2, 0, 600);
    assert_nothing(f);
    tail_release(f->tail, 1);
    assert_true(tail_go_back(f->tail, 0, &number));
    assert_int_equal(number, 1);
    assert_piece(f, &chunks[1], 1, 0, 600);
    assert_piece(f, &chunks[2], 2, 0, 600);
    tail_release(f->tail, 3);
    assert_false(tail_go_back(f->tail, 0, &number));
    assert_nothing(f);
}

static void
test_what_was_read_goes_before_what_was_not(void **state)
{
    fixture *f = *state;
    chunk_writer chunks[6];
    uint32_t number;
    for (unsigned i = 0; i < 6; i++) {
        chunks[i] = make_chunk(f, i, 32);
        look(f);
        if (i < 3) {
            assert_piece(f, &chunks[i], i, 0, 100);
        }
    }
    assert_int_equal(tail_get_counts(f->tail).dropped_chunks, 0);
    assert_true(tail_go_back(f->tail, 0, &number));
    assert_int_equal(number, 2); // of six, four are here
    for (unsigned i = 2; i < 6; i++) {
        assert_piece(f, &chunks[i], i, 0, 100);
    }
    assert_nothing(f);
}

static void
test_oldest_deleted_is_given_up_over_the_bytes(void **state)
{
    fixture *f = *state;
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = make_chunk(f, i, 532);
    }
    look(f);
    assert_int_equal(tail_get_counts(f->tail).dropped_bytes, 0); // on disk they cost nothing more
    chunk_writer_delete(&chunks[0]);
    chunk_writer_delete(&chunks[1]);
    look(f);
    assert_int_equal(tail_get_counts(f->tail).dropped_bytes, 600);
    assert_piece(f, &chunks[1], 0, 0, 600);
    assert_piece(f, &chunks[2], 1, 0, 600);
}

// A JVM's thread that flushes and rotates as fast as it can.
typedef struct busy_jvm {
    const char *directory;
    atomic_bool is_over;
} busy_jvm;

enum { BUSY_CHUNKS = 60, BUSY_FLUSHES = 40, BUSY_BYTES = 700 };

static void *
run_busy_jvm(void *arg)
{
    busy_jvm *jvm = arg;
    chunk_writer chunk = {.fd = -1};
    for (unsigned i = 0; i < BUSY_CHUNKS; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "%u.jfr", i);
        chunk_writer next = chunk_writer_create(jvm->directory, name, i, 1000 + i);
        if (chunk.fd >= 0) {
            chunk_writer_finish(&chunk);
        }
        chunk = next;
        chunk_writer_begin(&chunk);
        for (unsigned j = 0; j < BUSY_FLUSHES; j++) {
            chunk_writer_append(&chunk, BUSY_BYTES);
            chunk_writer_flush(&chunk);
        }
    }
    chunk_writer_finish(&chunk);
    atomic_store(&jvm->is_over, true);
    return NULL;
}

static void
test_following_a_busy_jvm_gives_every_byte_once(void **state)
{
    fixture *f = *state;
    busy_jvm jvm = {.directory = f->dir.path};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_busy_jvm, &jvm), 0);
    uint64_t total = 0;
    uint64_t offset = 0;
    uint32_t number = 0;
    bool is_last = false;
    while (!is_last) {
        is_last = atomic_load(&jvm.is_over); // before the look that must then find everything
        assert_int_equal(tail_look(f->tail, false), LP_OK);
        tail_piece piece;
        lp_buf_clear(&f->bytes);
        while (tail_next(f->tail, 5000, &f->bytes, &piece) == LP_OK) {
            if (piece.place.chunk != number) {
                assert_int_equal(piece.place.chunk, number + 1);
                assert_int_equal(offset, 68 + BUSY_FLUSHES * BUSY_BYTES);
                number++;
                offset = 0;
            }
            assert_int_equal(piece.place.offset, offset);
            for (size_t i = 0; i < piece.size; i++) {
                if (offset + i >= 68 && f->bytes.ptr[i] != chunk_writer_byte(number, offset + i)) {
                    fail_msg("chunk %u differs at %llu", number, (unsigned long long)(offset + i));
                }
            }
            offset += piece.size;
            total += piece.size;
            lp_buf_clear(&f->bytes);
        }
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(total, (uint64_t)BUSY_CHUNKS * (68 + BUSY_FLUSHES * BUSY_BYTES));
}

static void
test_missing_directory_is_an_error(void **state)
{
    (void)state;
    tail *none;
    lp_problem problem;
    assert_int_equal(
        tail_open("/nonexistent/loupe", &TAIL_LIMITS_DEFAULT, &none, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "/nonexistent/loupe"));
}

#define TEST(name)       cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_SMALL(name) cmocka_unit_test_setup_teardown(name, set_up_small, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_only_what_is_published_comes_out),
        TEST(test_large_ranges_come_in_pieces),
        TEST(test_deleted_file_is_read_to_its_end),
        TEST(test_finishing_without_news_still_tells_the_header),
        TEST(test_torn_header_is_not_believed),
        TEST(test_new_chunk_under_guard_keeps_the_order),
        TEST(test_rotations_between_two_looks_lose_nothing),
        TEST(test_name_used_again_is_another_chunk),
        TEST(test_chunk_left_unfinished_ends_with_its_successor),
        TEST(test_what_is_no_streamable_chunk_is_left_alone),
        TEST(test_file_gone_before_it_was_opened_is_counted),
        TEST(test_appearing_file_is_announced),
        TEST_SMALL(test_oldest_unread_is_given_up_over_the_count),
        TEST_SMALL(test_what_was_read_goes_before_what_was_not),
        TEST_SMALL(test_chunks_that_were_read_are_read_again),
        TEST_SMALL(test_oldest_deleted_is_given_up_over_the_bytes),
        TEST(test_following_a_busy_jvm_gives_every_byte_once),
        cmocka_unit_test(test_missing_directory_is_an_error),
    };
    return cmocka_run_group_tests_name("tail", tests, NULL, NULL);
}
