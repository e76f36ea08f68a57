// SPDX-License-Identifier: Apache-2.0
// Chunk stores: the same tests with files and with a real object store. Chunks are read back at
// once and concurrently. A replaced or removed chunk stays readable while it is open. A removal
// removes exactly its objects, also more than a page of a list. A missing chunk is LP_ENOENT. An
// object has its chunks in their places, and retries store it once. A store that rejects, hangs or
// has other keys never counts as lacking a chunk, and does not delay the end of the collector. Nor
// does a chunk of an object store count as lost if the collector's own disk fails.
//
// LOUPE_TEST_STORE names the object store (tests/e2e/object_store.py starts one). Without it, its
// tests are skipped.

#include "support/held_port.h"
#include "support/temp_dir.h"

#include "collector/store/blob_pack.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/chunk_objects.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT_MS = 60 * 1000 };

static bool is_disk_bad; // no file without a name can be made

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
int __wrap_openat(int fd, const char *path, int flags, mode_t mode);
int __real_openat(int fd, const char *path, int flags, mode_t mode);

int
__wrap_openat(int fd, const char *path, int flags, mode_t mode)
{
    if (is_disk_bad && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EIO;
        return -1;
    }
    return __real_openat(fd, path, flags, mode);
}

static atomic_uint_fast64_t counts[S3_COUNT_RECEIVED_BYTES + 1];

static void
on_count(s3_count what, uint64_t amount)
{
    atomic_fetch_add(&counts[what], amount);
}

typedef struct fixture {
    temp_dir dir;
    blobs *blobs;
    bool is_skipped;                     // it needs an object store, and there is none
    char id[BLOBS_SESSION_ID_CHARS + 1]; // a session of this test only
    char other[BLOBS_SESSION_ID_CHARS + 1];
} fixture;

// use_objects stores the chunks in an object store at a URL.
static void
use_objects(blobs *of, const char *text)
{
    chunk_store *store;
    lp_problem problem = {.text = ""};
    s3_client_config config = {.on_count = on_count};
    if (s3_url_parse(text, NULL, &config.url, &problem) != LP_OK ||
        chunk_objects_open(&config, blobs_get_directory(of), &store, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    blobs_take_chunk_store(of, store);
}

static fixture *
make_fixture(void)
{
    static unsigned number;
    char path[300];
    struct timespec now;
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(path, sizeof(path), "%s/chunks", f->dir.path);
    (void)snprintf(f->id, sizeof(f->id), "%016llx%08x%08x", (unsigned long long)now.tv_nsec,
        (unsigned)getpid(), ++number);
    memcpy(f->other, f->id, sizeof(f->id));
    f->other[BLOBS_SESSION_ID_CHARS - 1] ^= 1;
    assert_int_equal(blobs_open(path, &f->blobs, NULL), LP_OK);
    blobs_set_durable(f->blobs, false); // no power cuts here
    return f;
}

static int
setup_files(void **state)
{
    *state = make_fixture();
    return 0;
}

static int
setup_objects(void **state)
{
    const char *url = getenv("LOUPE_TEST_STORE");
    fixture *f = make_fixture();
    *state = f;
    f->is_skipped = url == NULL;
    if (url != NULL) {
        use_objects(f->blobs, url);
    }
    return 0;
}

// need skips a test without an object store.
static void
need(const fixture *f)
{
    if (f->is_skipped) {
        skip();
    }
}

static int
teardown(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// make_content makes bytes that differ by seed, and hardly pack.
static lp_buf
make_content(size_t size_bytes, uint64_t seed)
{
    lp_buf made = {0};
    uint8_t *to = lp_buf_extend(&made, size_bytes);
    assert_true(size_bytes == 0 || to != NULL);
    for (size_t i = 0; i < size_bytes; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        to[i] = (uint8_t)(seed >> 56);
    }
    return made;
}

static blob_name
name_of(const char *id, uint32_t ordinal, const lp_buf *content)
{
    return (blob_name){.session_id = id,
        .ordinal = ordinal,
        .size_bytes = content->len,
        .content_hash = blobs_hash(lp_buf_slice(content))};
}

static blobs_stored
put(const fixture *f, const char *id, uint32_t ordinal, const lp_buf *content)
{
    blobs_stored stored;
    assert_int_equal(blobs_put(f->blobs, id, ordinal, lp_buf_slice(content), &stored), LP_OK);
    return stored;
}

static void
put_text(const fixture *f, const char *id, uint32_t ordinal, const char *text)
{
    const lp_slice bytes = {(const uint8_t *)text, strlen(text)};
    assert_int_equal(blobs_put(f->blobs, id, ordinal, bytes, NULL), LP_OK);
}

static void
check_content(const fixture *f, const char *id, uint32_t ordinal, const lp_buf *content)
{
    const blob_name name = name_of(id, ordinal, content);
    lp_buf bytes = {0};
    assert_int_equal(blobs_read_chunk(f->blobs, &name, &bytes), LP_OK);
    assert_int_equal(bytes.len, content->len);
    assert_memory_equal(bytes.ptr, content->ptr, content->len);
    lp_buf_fini(&bytes);
}

static void
check_missing(const fixture *f, const char *id, uint32_t ordinal)
{
    blob *chunk;
    const blob_name name = {.session_id = id, .ordinal = ordinal, .size_bytes = 1};
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_ENOENT);
}

static uint64_t
now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// removed repeats a removal until it has a result.
static lp_err
removed(const fixture *f, const char *id, int64_t ordinal)
{
    uint64_t end_ms = now_ms() + LIMIT_MS;
    lp_err err;
    do {
        assert_true(now_ms() < end_ms);
        err = ordinal < 0 ? blobs_remove_session(f->blobs, id)
                          : blobs_remove(f->blobs, id, (uint32_t)ordinal);
        if (err == LP_EAGAIN) {
            (void)usleep(1000); // there is no event to wait for
        }
    } while (err == LP_EAGAIN);
    return err;
}

// --- Over both

static void
test_what_was_put_is_read_back(void **state)
{
    static const size_t sizes[] = {1, 67, 68, 100000, 3000000};
    const fixture *f = *state;
    need(f);
    check_missing(f, f->id, 0);
    for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        lp_buf content = make_content(sizes[i], i);
        blobs_stored stored = put(f, f->id, i * 1000000000u, &content);
        assert_int_equal(stored.content_hash, blobs_hash(lp_buf_slice(&content)));
        assert_true(stored.stored_bytes > 0);
        assert_true(blobs_has_chunk(f->blobs, f->id, i * 1000000000u, stored.stored_bytes));
        check_content(f, f->id, i * 1000000000u, &content);
        lp_buf_fini(&content);
    }
    check_missing(f, f->id, 1);
    check_missing(f, f->other, 0);
}

static void
test_it_is_read_from_anywhere(void **state)
{
    const fixture *f = *state;
    need(f);
    lp_buf content = make_content(200000, 1);
    (void)put(f, f->id, 5, &content);
    const blob_name name = name_of(f->id, 5, &content);
    static const size_t offsets[] = {199999, 0, 100000, 68, 67};
    blob *chunk;
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_OK);
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        uint8_t byte;
        assert_int_equal(blob_read(chunk, offsets[i], &byte, 1), LP_OK);
        assert_int_equal(byte, content.ptr[offsets[i]]);
    }
    blob_close(chunk);
    lp_buf_fini(&content);
}

static void
test_who_has_it_open_keeps_it(void **state)
{
    const fixture *f = *state;
    need(f);
    lp_buf old = make_content(5000, 1);
    lp_buf later = make_content(6000, 2);
    uint8_t bytes[5000];
    (void)put(f, f->id, 1, &old);
    (void)put(f, f->id, 2, &old);
    blob *replaced;
    blob *gone;
    blob_name name = name_of(f->id, 1, &old);
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &replaced), LP_OK);
    name = name_of(f->id, 2, &old);
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &gone), LP_OK);
    (void)put(f, f->id, 1, &later);
    assert_int_equal(removed(f, f->id, 2), LP_OK);
    check_content(f, f->id, 1, &later);
    check_missing(f, f->id, 2);
    assert_int_equal(blob_read(replaced, 0, bytes, sizeof(bytes)), LP_OK);
    assert_memory_equal(bytes, old.ptr, sizeof(bytes));
    assert_int_equal(blob_read(gone, 0, bytes, sizeof(bytes)), LP_OK);
    assert_memory_equal(bytes, old.ptr, sizeof(bytes));
    blob_close(replaced);
    blob_close(gone);
    lp_buf_fini(&old);
    lp_buf_fini(&later);
}

static void
test_removal_takes_what_it_is_told(void **state)
{
    const fixture *f = *state;
    need(f);
    put_text(f, f->id, 1, "a");
    put_text(f, f->id, 10, "b"); // its name begins like that of 1
    put_text(f, f->other, 1, "c");
    lp_buf b = {0};
    lp_buf c = {0};
    lp_buf_append(&b, "b", 1);
    lp_buf_append(&c, "c", 1);
    assert_int_equal(removed(f, f->id, 1), LP_OK);
    assert_int_equal(removed(f, f->id, 1), LP_OK); // once more
    check_missing(f, f->id, 1);
    check_content(f, f->id, 10, &b);
    assert_int_equal(removed(f, f->id, -1), LP_OK);
    assert_int_equal(removed(f, f->id, -1), LP_OK);
    check_missing(f, f->id, 10);
    check_content(f, f->other, 1, &c);
    assert_int_equal(removed(f, f->other, -1), LP_OK);
    check_missing(f, f->other, 1);
    lp_buf_fini(&b);
    lp_buf_fini(&c);
}

static void
test_a_session_of_more_than_a_page_is_removed(void **state)
{
    enum { CHUNK_COUNT = 1003 }; // a page has a thousand
    const fixture *f = *state;
    need(f);
    for (uint32_t i = 0; i < CHUNK_COUNT; i++) {
        put_text(f, f->id, i, "x");
    }
    assert_int_equal(removed(f, f->id, -1), LP_OK);
    for (uint32_t i = 0; i < CHUNK_COUNT; i++) {
        check_missing(f, f->id, i);
    }
}

static void
test_many_removals_at_once(void **state)
{
    enum { CHUNK_COUNT = CHUNK_OBJECTS_REMOVALS_MAX + 50 };
    const fixture *f = *state;
    need(f);
    for (uint32_t i = 0; i < CHUNK_COUNT; i++) {
        put_text(f, f->id, i, "x");
    }
    size_t left = CHUNK_COUNT;
    bool is_gone[CHUNK_COUNT] = {false};
    for (uint64_t end_ms = now_ms() + LIMIT_MS; left > 0; (void)usleep(1000)) {
        assert_true(now_ms() < end_ms);
        for (uint32_t i = 0; i < CHUNK_COUNT; i++) {
            lp_err err = is_gone[i] ? LP_EAGAIN : blobs_remove(f->blobs, f->id, i);
            assert_true(err == LP_OK || err == LP_EAGAIN);
            is_gone[i] = is_gone[i] || err == LP_OK;
            left -= err == LP_OK ? 1 : 0;
        }
    }
    for (uint32_t i = 0; i < CHUNK_COUNT; i++) {
        check_missing(f, f->id, i);
    }
}

typedef struct writer {
    const fixture *f;
    uint32_t begin;
} writer;

enum { WRITER_COUNT = 8, WRITER_CHUNKS = 10 };

static void *
write_and_read(void *arg)
{
    const writer *w = arg;
    for (uint32_t i = w->begin; i < w->begin + WRITER_CHUNKS; i++) {
        lp_buf content = make_content(20000 + i, i);
        (void)put(w->f, w->f->id, i, &content);
        check_content(w->f, w->f->id, i, &content);
        lp_buf_fini(&content);
    }
    return NULL;
}

static void
test_many_at_once(void **state)
{
    const fixture *f = *state;
    need(f);
    pthread_t threads[WRITER_COUNT];
    writer writers[WRITER_COUNT];
    for (uint32_t i = 0; i < WRITER_COUNT; i++) {
        writers[i] = (writer){f, i * WRITER_CHUNKS};
        assert_int_equal(pthread_create(&threads[i], NULL, write_and_read, &writers[i]), 0);
    }
    for (uint32_t i = 0; i < WRITER_COUNT; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < WRITER_COUNT * WRITER_CHUNKS; i++) {
        lp_buf content = make_content(20000 + i, i);
        check_content(f, f->id, i, &content);
        lp_buf_fini(&content);
    }
}

// --- An object store that fails

// check_refuses checks that all calls fail with an errno, and that no chunk counts as lost.
static void
check_refuses(const fixture *f, int error)
{
    blob *chunk;
    const lp_slice bytes = {(const uint8_t *)"x", 1};
    const blob_name name = {.session_id = f->id, .ordinal = 1, .size_bytes = 1};
    assert_int_equal(blobs_check(f->blobs), LP_OK); // not known so far
    errno = 0;
    assert_int_equal(blobs_put(f->blobs, f->id, 1, bytes, NULL), LP_EIO);
    assert_int_equal(errno, error);
    errno = 0;
    assert_int_equal(blobs_check(f->blobs), LP_EIO); // now it is
    assert_int_equal(errno, error);
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_EIO);
    assert_int_equal(blobs_read_chunk(f->blobs, &name, &(lp_buf){0}), LP_EIO);
    assert_true(blobs_has_chunk(f->blobs, f->id, 1, 1));
    assert_int_equal(removed(f, f->id, 1), LP_EIO);
    assert_int_equal(removed(f, f->id, -1), LP_EIO);
}

static void
note_lost(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    *(bool *)arg = true;
}

static void
check_refuses_at(const fixture *f, const char *url, int error)
{
    bool is_lost = false;
    blobs_set_on_lost(f->blobs, note_lost, &is_lost);
    use_objects(f->blobs, url);
    check_refuses(f, error);
    assert_false(is_lost);
}

// replaced_in makes the URL of the store with one part replaced.
static void
replaced_in(const char *part, const char *by, char out_url[400])
{
    const char *url = getenv("LOUPE_TEST_STORE");
    const char *at = strstr(url, part);
    assert_non_null(at);
    (void)snprintf(out_url, 400, "%.*s%s%s", (int)(at - url), url, by, at + strlen(part));
}

static void
set_keys(const char *key_id, const char *secret)
{
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", key_id, 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", secret, 1), 0);
}

static void
test_a_wrong_secret_is_refused(void **state)
{
    const fixture *f = *state;
    need(f);
    char *key_id = strdup(getenv("AWS_ACCESS_KEY_ID"));
    char *secret = strdup(getenv("AWS_SECRET_ACCESS_KEY"));
    set_keys(key_id, "of-somebody-else");
    check_refuses_at(f, getenv("LOUPE_TEST_STORE"), EACCES);
    set_keys(key_id, secret);
    free(key_id);
    free(secret);
}

static void
test_a_session_token_goes_along(void **state)
{
    const fixture *f = *state;
    need(f);
    // The store rejects session tokens: it has none.
    assert_int_equal(setenv("AWS_SESSION_TOKEN", "of/a+session==", 1), 0);
    check_refuses_at(f, getenv("LOUPE_TEST_STORE"), EACCES);
    assert_int_equal(unsetenv("AWS_SESSION_TOKEN"), 0);
}

static void
test_a_bucket_that_is_not_there_is_no_missing_chunk(void **state)
{
    const fixture *f = *state;
    need(f);
    char url[400];
    replaced_in("s3://", "s3://no-such-", url);
    check_refuses_at(f, url, EREMOTEIO);
}

static void
test_nobody_listens(void **state)
{
    const fixture *f = *state;
    held_port port = held_port_take();
    char url[100];
    (void)snprintf(url, sizeof(url), "s3://loupe?endpoint=http://127.0.0.1:%u", port.number);
    if (getenv("LOUPE_TEST_STORE") == NULL) {
        set_keys("key", "secret");
    }
    check_refuses_at(f, url, ECONNREFUSED);
    (void)close(port.fd);
}

static void
test_a_chunk_is_not_lost_because_of_the_own_disk(void **state)
{
    const fixture *f = *state;
    const blob_name name = {.session_id = f->id, .ordinal = 1, .size_bytes = 1};
    blob *chunk;
    bool is_lost = false;
    if (getenv("LOUPE_TEST_STORE") == NULL) {
        set_keys("key", "secret");
    }
    blobs_set_on_lost(f->blobs, note_lost, &is_lost);
    use_objects(f->blobs, "s3://loupe?endpoint=http://127.0.0.1:1"); // it is never asked
    is_disk_bad = true;
    lp_err err = blobs_open_chunk(f->blobs, &name, &chunk);
    is_disk_bad = false;
    assert_int_equal(err, LP_EIO);
    assert_false(is_lost);
}

static void *
interrupt_soon(void *arg)
{
    // Once a call waits for an answer.
    int listener = *(const int *)((void **)arg)[0];
    int fd = accept(listener, NULL, NULL);
    blobs_interrupt(((void **)arg)[1]);
    return (void *)(intptr_t)fd;
}

static void
test_a_store_that_hangs_holds_nobody_who_ends(void **state)
{
    const fixture *f = *state;
    held_port port = held_port_take();
    char url[100];
    (void)snprintf(url, sizeof(url), "s3://loupe?endpoint=http://127.0.0.1:%u", port.number);
    assert_int_equal(listen(port.fd, 10), 0);
    if (getenv("LOUPE_TEST_STORE") == NULL) {
        set_keys("key", "secret");
    }
    use_objects(f->blobs, url);
    pthread_t interrupter;
    void *args[] = {&port.fd, f->blobs};
    assert_int_equal(pthread_create(&interrupter, NULL, interrupt_soon, args), 0);
    const lp_slice bytes = {(const uint8_t *)"x", 1};
    // Otherwise each of several tries would take CLIENT_HTTP_SLOW_S_MAX.
    assert_int_equal(blobs_put(f->blobs, f->id, 1, bytes, NULL), LP_EIO);
    assert_int_equal(errno, ECANCELED);
    void *fd;
    assert_int_equal(pthread_join(interrupter, &fd), 0);
    (void)close((int)(intptr_t)fd);
    (void)close(port.fd);
}

// --- Objects with several chunks

// A file of two chunks, in the form of an object, and their names.
typedef struct packed {
    int fd;
    uint64_t footer_at;
    uint64_t size_bytes;
    lp_buf contents[2];
    blob_place places[2];
    uint64_t stored_bytes[2];
} packed;

// name_object makes a unique name of an object.
static void
name_object(const fixture *f, char out_name[BLOB_OBJECT_CHARS + 1])
{
    static uint32_t number;
    object_pack_format_name(
        1764313529000000000, strtoull(f->id + 16, NULL, 16), ++number, out_name);
}

static packed
make_packed(const fixture *f, const char *object, uint64_t seed)
{
    packed made = {.contents = {make_content(5000, seed), make_content(300000, seed + 1)}};
    lp_buf footer = {0};
    assert_int_equal(blobs_make_file(f->blobs, &made.fd), LP_OK);
    for (size_t i = 0; i < 2; i++) {
        object_pack_chunk chunk = {.ordinal = (uint32_t)i, .offset = made.footer_at};
        memcpy(chunk.session_id, f->id, sizeof(chunk.session_id));
        assert_int_equal(
            blob_pack_write(made.fd, lp_buf_slice(&made.contents[i]), &made.stored_bytes[i]),
            LP_OK);
        chunk.stored_bytes = made.stored_bytes[i];
        chunk.content_hash = seed;
        object_pack_append(&footer, &chunk);
        made.places[i].offset = made.footer_at;
        (void)snprintf(made.places[i].object, sizeof(made.places[i].object), "%s", object);
        made.footer_at += made.stored_bytes[i];
    }
    object_pack_finish(&footer, made.footer_at);
    assert_int_equal(lp_io_write_all(made.fd, lp_buf_slice(&footer)), LP_OK);
    made.size_bytes = made.footer_at + footer.len;
    lp_buf_fini(&footer);
    return made;
}

static lp_err
put_packed(const fixture *f, const char *object, const packed *of)
{
    return blobs_put_object(f->blobs, object, of->fd, of->size_bytes, of->footer_at);
}

static void
packed_fini(packed *of)
{
    (void)close(of->fd);
    lp_buf_fini(&of->contents[0]);
    lp_buf_fini(&of->contents[1]);
}

static blob_name
name_packed(const fixture *f, const packed *of, size_t index)
{
    blob_name name = name_of(f->id, (uint32_t)index, &of->contents[index]);
    name.stored_bytes = of->stored_bytes[index];
    name.place = of->places[index];
    return name;
}

static void
test_chunks_are_read_out_of_an_object(void **state)
{
    const fixture *f = *state;
    char object[BLOB_OBJECT_CHARS + 1];
    need(f);
    name_object(f, object);
    packed of = make_packed(f, object, 1);
    assert_int_equal(put_packed(f, object, &of), LP_OK);
    for (size_t i = 2; i-- > 0;) {
        const blob_name name = name_packed(f, &of, i);
        lp_buf bytes = {0};
        assert_int_equal(blobs_read_chunk(f->blobs, &name, &bytes), LP_OK);
        assert_int_equal(bytes.len, of.contents[i].len);
        assert_memory_equal(bytes.ptr, of.contents[i].ptr, bytes.len);
        lp_buf_fini(&bytes);
    }
    blob *chunk;
    blob_name behind = name_packed(f, &of, 0);
    behind.place.offset = of.size_bytes; // the object ends there
    assert_int_equal(blobs_open_chunk(f->blobs, &behind, &chunk), LP_ENOENT);
    int fd;
    assert_int_equal(blobs_make_file(f->blobs, &fd), LP_OK);
    assert_int_equal(blobs_get_object(f->blobs, object, fd), LP_OK);
    assert_int_equal(lseek(fd, 0, SEEK_END), of.size_bytes);
    (void)close(fd);
    packed_fini(&of);
}

// A try whose answer was lost: the retry finds the object stored.
static void
test_an_object_is_stored_once(void **state)
{
    const fixture *f = *state;
    char object[BLOB_OBJECT_CHARS + 1];
    need(f);
    name_object(f, object);
    packed ours = make_packed(f, object, 1);
    packed other = make_packed(f, object, 7);
    assert_int_equal(put_packed(f, object, &ours), LP_OK);
    assert_int_equal(put_packed(f, object, &ours), LP_OK);
    errno = 0;
    assert_int_equal(put_packed(f, object, &other), LP_EIO);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(blobs_check(f->blobs), LP_OK); // the store works
    const blob_name name = name_packed(f, &ours, 1);
    lp_buf bytes = {0};
    assert_int_equal(blobs_read_chunk(f->blobs, &name, &bytes), LP_OK);
    lp_buf_fini(&bytes);
    packed_fini(&ours);
    packed_fini(&other);
}

static lp_err
on_any_object(void *arg, const char *object)
{
    (void)object;
    ++*(unsigned *)arg;
    return LP_OK;
}

// An edition is an object of its own, whose footer names the chunk. Its place says which one it is.
static void
test_an_edition_is_an_object(void **state)
{
    const fixture *f = *state;
    need(f);
    lp_buf content = make_content(5000, 3);
    const blob_name first = {.session_id = f->id, .ordinal = 4, .place.offset = BLOB_EDITION_ALL};
    blob_name name = first;
    blob_name again = first;
    unsigned before = 0;
    unsigned after = 0;
    assert_int_equal(blobs_list_objects(f->blobs, on_any_object, &before), LP_OK);
    assert_int_equal(blobs_put_edition(f->blobs, lp_buf_slice(&content), &name), LP_OK);
    assert_int_equal(blobs_put_edition(f->blobs, lp_buf_slice(&content), &again), LP_OK);
    assert_int_equal(blobs_list_objects(f->blobs, on_any_object, &after), LP_OK);
    assert_true(after >= before + 2 && strcmp(name.place.object, again.place.object) != 0);
    assert_int_equal(blob_place_get_edition(&name.place), BLOB_EDITION_ALL);
    lp_buf bytes = {0};
    assert_int_equal(blobs_read_chunk(f->blobs, &name, &bytes), LP_OK);
    assert_true(bytes.len == content.len && memcmp(bytes.ptr, content.ptr, bytes.len) == 0);
    lp_buf_fini(&bytes);
    int fd;
    object_pack_chunks chunks = {0};
    assert_int_equal(blobs_make_file(f->blobs, &fd), LP_OK);
    assert_int_equal(blobs_get_object(f->blobs, name.place.object, fd), LP_OK);
    off_t size = lseek(fd, 0, SEEK_END);
    uint8_t *object = lp_buf_extend(&bytes, (size_t)size);
    assert_int_equal(lp_io_pread_all(fd, object, (size_t)size, 0), LP_OK);
    assert_int_equal(object_pack_read(lp_buf_slice(&bytes), &chunks), LP_OK);
    assert_int_equal(chunks.count, 1);
    assert_string_equal(chunks.items[0].session_id, f->id);
    assert_int_equal(chunks.items[0].offset, BLOB_EDITION_ALL);
    assert_true(chunks.items[0].ordinal == 4 && chunks.items[0].content_hash == name.content_hash &&
                chunks.items[0].stored_bytes == name.stored_bytes);
    LP_VEC_FINI(&chunks);
    lp_buf_fini(&bytes);
    lp_buf_fini(&content);
    lp_io_close(fd);
}

typedef struct finding_object {
    const char *object;
    unsigned count;
} finding_object;

static lp_err
on_object(void *arg, const char *object)
{
    finding_object *f = arg;
    f->count += strcmp(f->object, object) == 0 ? 1 : 0;
    return LP_OK;
}

static unsigned
count_objects(const fixture *f, const char *object)
{
    finding_object found = {.object = object};
    assert_int_equal(blobs_list_objects(f->blobs, on_object, &found), LP_OK);
    return found.count;
}

static void
test_objects_are_listed_and_removed(void **state)
{
    const fixture *f = *state;
    char object[BLOB_OBJECT_CHARS + 1];
    need(f);
    name_object(f, object);
    packed of = make_packed(f, object, 1);
    put_text(f, f->id, 1, "alone"); // not an object with several
    assert_int_equal(count_objects(f, object), 0);
    assert_int_equal(put_packed(f, object, &of), LP_OK);
    assert_int_equal(count_objects(f, object), 1);
    for (unsigned i = 0; i < 2; i++) { // a missing object is fine
        uint64_t end_ms = now_ms() + LIMIT_MS;
        lp_err err;
        while ((err = blobs_remove_object(f->blobs, object)) == LP_EAGAIN) {
            assert_true(now_ms() < end_ms);
            (void)usleep(1000); // there is no event to wait for
        }
        assert_int_equal(err, LP_OK);
    }
    assert_int_equal(count_objects(f, object), 0);
    blob *chunk;
    const blob_name name = name_packed(f, &of, 0);
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_ENOENT);
    packed_fini(&of);
}

#define OVER(kind, test) cmocka_unit_test_setup_teardown(test, setup_##kind, teardown)
#define OVER_BOTH(test)  OVER(files, test), OVER(objects, test)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_BOTH(test_what_was_put_is_read_back),
        OVER_BOTH(test_it_is_read_from_anywhere),
        OVER_BOTH(test_who_has_it_open_keeps_it),
        OVER_BOTH(test_removal_takes_what_it_is_told),
        OVER_BOTH(test_a_session_of_more_than_a_page_is_removed),
        OVER_BOTH(test_many_removals_at_once),
        OVER_BOTH(test_many_at_once),
        OVER(objects, test_chunks_are_read_out_of_an_object),
        OVER(objects, test_an_object_is_stored_once),
        OVER(objects, test_objects_are_listed_and_removed),
        OVER(objects, test_an_edition_is_an_object),
        OVER(objects, test_a_wrong_secret_is_refused),
        OVER(objects, test_a_session_token_goes_along),
        OVER(objects, test_a_bucket_that_is_not_there_is_no_missing_chunk),
        OVER(objects, test_nobody_listens),
        OVER(files, test_a_chunk_is_not_lost_because_of_the_own_disk),
        OVER(objects, test_a_store_that_hangs_holds_nobody_who_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
