// SPDX-License-Identifier: Apache-2.0
// Chunks that are opened ahead come in order, each with its own content or error. As many as said
// are opened at once, and none beyond. A reader that ends early leaves no file open. The store is
// one whose opens wait for the test.

#include "support/temp_dir.h"

#include "collector/base/chunk_ahead.h"
#include "collector/store/blob_pack.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNKS = 30, MISSING = 3, FAILING = 5, CONTENT_BYTES = sizeof("chunk 4294967295") };

static const char session_id[] = "0123456789abcdef0123456789abcdef";

typedef struct fixture {
    chunk_store store; // first
    temp_dir dir;
    blobs *blobs;
    pthread_mutex_t mutex; // of the fields below
    pthread_cond_t changed;
    bool is_open; // opens go on
    size_t begun;
    size_t running;
    size_t most;          // running at once
    size_t first_skipped; // of the list: from here
    size_t skipped_end;   // up to here
} fixture;

static size_t
write_content(size_t index, char out_text[CONTENT_BYTES])
{
    return (size_t)snprintf(out_text, CONTENT_BYTES, "chunk %zu", index);
}

// --- The store

static lp_err
store_open(chunk_store *store, const blob_name *name, int *out_fd)
{
    fixture *f = (fixture *)store;
    (void)pthread_mutex_lock(&f->mutex);
    f->begun++;
    f->running++;
    f->most = f->running > f->most ? f->running : f->most;
    (void)pthread_cond_broadcast(&f->changed);
    while (!f->is_open) {
        (void)pthread_cond_wait(&f->changed, &f->mutex);
    }
    f->running--;
    (void)pthread_mutex_unlock(&f->mutex);
    if (name->ordinal == MISSING) {
        return LP_ENOENT;
    }
    if (name->ordinal == FAILING) {
        errno = ECONNREFUSED;
        return LP_EIO;
    }
    char text[CONTENT_BYTES];
    const lp_slice bytes = {(const uint8_t *)text, write_content(name->ordinal, text)};
    uint64_t ignored;
    LP_TRY(blobs_make_file(f->blobs, out_fd));
    return blob_pack_write(*out_fd, bytes, &ignored);
}

static void
store_close(chunk_store *store)
{
    (void)store;
}

static const chunk_store_ops ops = {.is_remote = true, .open = store_open, .close = store_close};

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->store.ops = &ops;
    f->dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/chunks", f->dir.path);
    assert_int_equal(pthread_mutex_init(&f->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&f->changed, NULL), 0);
    assert_int_equal(blobs_open(path, &f->blobs, NULL), LP_OK);
    blobs_take_chunk_store(f->blobs, &f->store);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    (void)pthread_cond_destroy(&f->changed);
    (void)pthread_mutex_destroy(&f->mutex);
    free(f);
    return 0;
}

// --- The reader

static blob_name
name_of(size_t index)
{
    char text[CONTENT_BYTES];
    const lp_slice bytes = {(const uint8_t *)text, write_content(index, text)};
    return (blob_name){.session_id = session_id,
        .ordinal = (uint32_t)index,
        .size_bytes = bytes.len,
        .content_hash = blobs_hash(bytes)};
}

static bool
get_name(const void *arg, size_t index, blob_name *out_name)
{
    const fixture *f = arg;
    *out_name = name_of(index);
    return index < f->first_skipped || index >= f->skipped_end;
}

static chunk_ahead *
begin(const fixture *f, size_t count)
{
    const chunk_ahead_list list = {
        .blobs = f->blobs, .count = count, .get_name = get_name, .arg = f};
    chunk_ahead *begun = chunk_ahead_begin(&list);
    assert_non_null(begun);
    return begun;
}

static void
let_open(fixture *f)
{
    (void)pthread_mutex_lock(&f->mutex);
    f->is_open = true;
    (void)pthread_cond_broadcast(&f->changed);
    (void)pthread_mutex_unlock(&f->mutex);
}

// await_begun waits until so many opens have begun.
static void
await_begun(fixture *f, size_t count)
{
    (void)pthread_mutex_lock(&f->mutex);
    while (f->begun < count) { // ctest's time limit ends it
        (void)pthread_cond_wait(&f->changed, &f->mutex);
    }
    (void)pthread_mutex_unlock(&f->mutex);
}

static void
check_chunk(const fixture *f, chunk_ahead *of, size_t index)
{
    blob *chunk;
    errno = 0;
    lp_err err = chunk_ahead_open(of, index, &chunk);
    if (index == MISSING) {
        assert_int_equal(err, LP_ENOENT);
        return;
    }
    if (index == FAILING) {
        assert_int_equal(err, LP_EIO);
        assert_int_equal(errno, ECONNREFUSED);
        return;
    }
    assert_int_equal(err, LP_OK);
    const blob_name name = name_of(index);
    char text[CONTENT_BYTES];
    lp_buf bytes = {0};
    assert_int_equal(blobs_read_opened(f->blobs, &name, chunk, &bytes), LP_OK);
    assert_int_equal(bytes.len, write_content(index, text));
    assert_memory_equal(bytes.ptr, text, bytes.len);
    lp_buf_fini(&bytes);
}

static size_t
count_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    size_t count = 0;
    while (readdir(dir) != NULL) {
        count++;
    }
    assert_int_equal(closedir(dir), 0);
    return count;
}

// --- Tests

static void
test_chunks_come_in_order_with_their_errors(void **state)
{
    fixture *f = *state;
    let_open(f);
    chunk_ahead *ahead = begin(f, CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++) {
        check_chunk(f, ahead, i);
    }
    chunk_ahead_end(ahead);
    assert_int_equal(f->begun, CHUNKS); // each once
    assert_true(f->most <= CHUNK_AHEAD_MAX);
}

static void
test_as_many_as_may_are_opened_at_once(void **state)
{
    fixture *f = *state;
    chunk_ahead *ahead = begin(f, CHUNKS);
    await_begun(f, CHUNK_AHEAD_MAX); // none has ended
    let_open(f);
    check_chunk(f, ahead, 0);
    await_begun(f, CHUNK_AHEAD_MAX + 1);
    chunk_ahead_end(ahead);
    assert_int_equal(f->begun, CHUNK_AHEAD_MAX + 1); // none before its time
    assert_true(f->most == CHUNK_AHEAD_MAX);
}

static void
test_few_chunks_are_all_opened_at_once(void **state)
{
    fixture *f = *state;
    chunk_ahead *ahead = begin(f, 2);
    await_begun(f, 2);
    let_open(f);
    check_chunk(f, ahead, 0);
    check_chunk(f, ahead, 1);
    chunk_ahead_end(ahead);
    assert_int_equal(f->begun, 2);
    const chunk_ahead_list none = {.blobs = f->blobs, .get_name = get_name, .arg = f};
    assert_null(chunk_ahead_begin(&none));
    chunk_ahead_end(NULL);
}

static void
test_skipped_chunks_are_not_opened(void **state)
{
    fixture *f = *state;
    f->first_skipped = 1;
    f->skipped_end = CHUNKS - 1; // more than are opened ahead
    let_open(f);
    chunk_ahead *ahead = begin(f, CHUNKS);
    check_chunk(f, ahead, 0);
    check_chunk(f, ahead, CHUNKS - 1);
    chunk_ahead_end(ahead);
    assert_int_equal(f->begun, 2);
}

static void
test_an_early_end_leaves_no_file(void **state)
{
    fixture *f = *state;
    size_t before = count_files();
    let_open(f);
    for (size_t taken = 0; taken < CHUNKS; taken += 7) {
        chunk_ahead *ahead = begin(f, CHUNKS);
        for (size_t i = 0; i < taken; i++) {
            check_chunk(f, ahead, i);
        }
        chunk_ahead_end(ahead);
        assert_int_equal(count_files(), before);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_come_in_order_with_their_errors),
        TEST(test_as_many_as_may_are_opened_at_once),
        TEST(test_few_chunks_are_all_opened_at_once),
        TEST(test_skipped_chunks_are_not_opened),
        TEST(test_an_early_end_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
