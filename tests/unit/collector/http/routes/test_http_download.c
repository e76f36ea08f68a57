// SPDX-License-Identifier: Apache-2.0
// Downloads: the bytes are those of the stored chunks and the snapshot, whole and in every range;
// the ETag follows the content and nothing else; changed, lost or unreadable chunks do not harm
// other downloads. Many at once are in test_http_download_many.c, contexts at samples in
// test_http_rewriter.c.

#include "support/files.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"
#include "unit/collector/http/known_recording.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_a_download_is_stored_chunks_and_what_follows(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    for (int is_threaded = 0; is_threaded <= 1; is_threaded++) {
        f->server.is_threaded = is_threaded == 1;
        http_answer answer = known_recording_ask(f, "");
        assert_int_equal(answer.status, 200);
        known_recording_check(&answer, &content, 0, 338);
        assert_string_equal(http_client_find_header(&answer, "Content-Length"), "338");
        assert_string_equal(http_client_find_header(&answer, "Accept-Ranges"), "bytes");
        assert_string_equal(http_client_find_header(&answer, "Cache-Control"), "private, no-cache");
        assert_string_equal(
            http_client_find_header(&answer, "Content-Type"), "application/octet-stream");
        assert_string_equal(http_client_find_header(&answer, "Content-Disposition"),
            "attachment; filename=\"shop-host_1-20260102T030405Z.jfr\"");
        assert_null(http_client_find_header(&answer, "Content-Range"));
        http_answer_fini(&answer);
    }
    // A chunk that was stored after the snapshot was made is in the snapshot already.
    http_fixture_store(f, &session, known_recording_chunk(&content, 3), "{}");
    http_answer answer = known_recording_ask(f, "");
    known_recording_check(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    f->server.err = LP_ENOENT; // the server is done with the session
    answer = known_recording_ask(f, "");
    known_recording_check(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_head_tells_what_get_would_send(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    http_answer answer =
        http_client_ask(f->port, "HEAD", KNOWN_RECORDING_PATH, "Range: bytes=0-1\r\n");
    assert_int_equal(answer.status, 200); // ranges are for GET
    assert_string_equal(http_client_find_header(&answer, "Content-Length"), "338");
    assert_non_null(http_client_find_header(&answer, "ETag"));
    assert_int_equal(answer.body.len, 0);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// ask_range asks on a connection that stays, and checks the part.
static void
ask_range(int fd, const char *range, const known_recording *content, size_t begin, size_t end)
{
    char request[300];
    (void)snprintf(request, sizeof(request),
        "GET %s HTTP/1.1\r\nHost: x\r\nRange: bytes=%s\r\n\r\n", KNOWN_RECORDING_PATH, range);
    http_client_send(fd, request);
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, 206);
    known_recording_check(&answer, content, begin, end);
    char expected[64];
    (void)snprintf(
        expected, sizeof(expected), "bytes %zu-%zu/%zu", begin, end - 1, content->bytes.len);
    assert_string_equal(http_client_find_header(&answer, "Content-Range"), expected);
    http_answer_fini(&answer);
}

static void
test_every_part(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    size_t total = content.bytes.len;
    int fd = http_client_connect(f->port);
    char range[64];
    // From every border, one before and one after it, to each of those at its right.
    size_t points[24];
    size_t point_count = 0;
    for (size_t i = 0; i <= content.count; i++) {
        size_t border = i == 0 ? 0 : content.borders[i - 1];
        for (size_t at = border == 0 ? 0 : border - 1; at <= border + 1 && at <= total; at++) {
            points[point_count++] = at;
        }
    }
    for (size_t i = 0; i < point_count; i++) {
        for (size_t k = i + 1; k < point_count; k++) {
            (void)snprintf(range, sizeof(range), "%zu-%zu", points[i], points[k] - 1);
            if (points[k] > points[i]) {
                ask_range(fd, range, &content, points[i], points[k]);
            }
        }
    }
    for (size_t begin = 0; begin < total; begin += 7) {
        (void)snprintf(range, sizeof(range), "%zu-", begin);
        ask_range(fd, range, &content, begin, total);
        (void)snprintf(range, sizeof(range), "-%zu", total - begin);
        ask_range(fd, range, &content, begin, total);
    }
    ask_range(fd, "0-", &content, 0, total);
    ask_range(fd, "300-99999", &content, 300, total);
    ask_range(fd, "-99999", &content, 0, total);
    assert_int_equal(close(fd), 0);
    lp_buf_fini(&content.bytes);
}

static void
test_parts_that_are_none(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    static const char *const beyond[] = {"338-", "338-400", "99999999999999999999-", "-0"};
    for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
        char header[100];
        (void)snprintf(header, sizeof(header), "Range: bytes=%s\r\n", beyond[i]);
        http_answer answer = known_recording_ask(f, header);
        assert_int_equal(answer.status, 416);
        assert_string_equal(http_client_find_header(&answer, "Content-Range"), "bytes */338");
        assert_int_equal(answer.body.len, 0);
        http_answer_fini(&answer);
    }
    static const char *const ignored[] = {"bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "items=0-1"};
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        char header[100];
        (void)snprintf(header, sizeof(header), "Range: %s\r\n", ignored[i]);
        http_answer answer = known_recording_ask(f, header);
        assert_int_equal(answer.status, 200);
        known_recording_check(&answer, &content, 0, 338);
        http_answer_fini(&answer);
    }
    lp_buf_fini(&content.bytes);
}

// status_with asks with headers in which each '@' stands for tag.
static int
status_with(const http_fixture *f, const char *pattern, const char *tag)
{
    char headers[300] = "";
    for (size_t len = 0; *pattern != '\0'; pattern++, len = strlen(headers)) {
        (void)snprintf(headers + len, sizeof(headers) - len, "%.*s", *pattern == '@' ? 64 : 1,
            *pattern == '@' ? tag : pattern);
    }
    http_answer answer = known_recording_ask(f, headers);
    assert_true(answer.is_complete);
    int status = answer.status;
    if (status == 304) {
        assert_string_equal(http_client_find_header(&answer, "ETag"), tag);
        assert_int_equal(answer.body.len, 0);
    }
    http_answer_fini(&answer);
    return status;
}

static void
test_conditions_are_heeded(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    char tag[64];
    known_recording_copy_tag(f, tag);
    assert_int_equal(status_with(f, "If-None-Match: @\r\n", tag), 304);
    assert_int_equal(status_with(f, "If-None-Match: \"x\", @\r\n", tag), 304);
    assert_int_equal(status_with(f, "If-None-Match: @\r\nRange: bytes=0-1\r\n", tag), 304);
    assert_int_equal(status_with(f, "If-None-Match: \"x\"\r\n", tag), 200);
    assert_int_equal(status_with(f, "If-Range: @\r\nRange: bytes=0-1\r\n", tag), 206);
    assert_int_equal(status_with(f, "If-Range: W/@\r\nRange: bytes=0-1\r\n", tag), 200);
    assert_int_equal(status_with(f, "If-Range: \"x\"\r\nRange: bytes=0-1\r\n", tag), 200);
    assert_int_equal(status_with(f, "If-Range: \"x\"\r\nRange: bytes=9999-\r\n", tag), 200);
    assert_int_equal(
        status_with(f, "If-Range: Wed, 21 Oct 2026 07:28:00 GMT\r\nRange: bytes=0-1\r\n", tag),
        200);
    lp_buf_fini(&content.bytes);
}

static void
test_tags_follow_the_content(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    char first[64];
    char again[64];
    known_recording_copy_tag(f, first);
    known_recording_copy_tag(f, again);
    assert_string_equal(first, again);

    // The tail is stored: the same bytes, the same tag, though nothing is pending now.
    http_fixture_store(f, &session, known_recording_chunk(&content, 3), "{}");
    known_recording_set_tail(f, session.next_chunk, (lp_slice){0});
    known_recording_copy_tag(f, again);
    assert_string_equal(first, again);

    // More comes, of two chunks; then the first of them is stored.
    known_recording_add(&content, 70);
    known_recording_add(&content, 75);
    lp_slice both = {.ptr = known_recording_chunk(&content, 4).ptr, .len = 145};
    known_recording_set_tail(f, session.next_chunk, both);
    known_recording_copy_tag(f, again);
    assert_string_not_equal(first, again);
    http_fixture_store(f, &session, known_recording_chunk(&content, 4), "{}");
    known_recording_set_tail(f, session.next_chunk, known_recording_chunk(&content, 5));
    known_recording_copy_tag(f, first);
    assert_string_equal(first, again);

    // One byte of the tail is another one.
    f->server.tail.ptr[74]++;
    known_recording_copy_tag(f, again);
    assert_string_not_equal(first, again);
    // A tail that is no chunk is sent and tagged as it is.
    known_recording_set_tail(
        f, session.next_chunk, (lp_slice){.ptr = (const uint8_t *)"FLR", .len = 3});
    http_answer answer = known_recording_ask(f, "Range: bytes=-3\r\n");
    assert_int_equal(answer.status, 206);
    assert_memory_equal(answer.body.ptr, "FLR", 3);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_recordings_without_content(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    session.is_ended = false;
    http_fixture_put(f, &session);
    for (int i = 0; i < 2; i++) {
        http_answer answer = known_recording_ask(f, "");
        assert_int_equal(answer.status, 503);
        assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
        assert_non_null(strstr((const char *)answer.body.ptr, "try again later"));
        http_answer_fini(&answer);
        f->server.err = LP_OK; // the server knows it, and has nothing yet
    }
    session.is_ended = true;
    http_fixture_put(f, &session);
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 404);
    assert_non_null(strstr((const char *)answer.body.ptr, "no content"));
    http_answer_fini(&answer);
}

static void
test_a_changed_chunk_ends_the_connection_early(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    files_flip(path, 40, 1);
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 200); // said before the chunk was looked at
    assert_false(answer.is_complete);
    assert_true(answer.body.len <= 80);
    http_answer_fini(&answer);
    answer = known_recording_ask(f, "Range: bytes=148-\r\n"); // the rest is still served
    assert_int_equal(answer.status, 206);
    known_recording_check(&answer, &content, 148, 338);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// Whichever byte of a chunk changed, nothing is sent that is not right.
static void
test_nothing_of_a_changed_chunk_is_wrong(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    struct stat info;
    off_t harmless = 0; // bytes of which nothing depends
    known_recording content = known_recording_make_small(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    assert_int_equal(stat(path, &info), 0);
    for (off_t at = 0; at < info.st_size; at++) {
        files_flip(path, at, 1);
        http_answer answer = known_recording_ask(f, "");
        assert_true(answer.body.len < 80 + 68 || answer.is_complete);
        assert_true(answer.body.len == content.bytes.len || !answer.is_complete);
        assert_memory_equal(answer.body.ptr, content.bytes.ptr, answer.body.len);
        harmless += answer.is_complete ? 1 : 0;
        http_answer_fini(&answer);
        files_flip(path, at, 1);
    }
    assert_true(harmless < info.st_size / 10);
    http_answer answer = known_recording_ask(f, "");
    assert_true(answer.is_complete);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// expect_without_1 expects everything but the second chunk, which is named.
static void
expect_without_1(const http_fixture *f, const known_recording *content)
{
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Loupe-Missing-Chunks"), "1");
    assert_true(answer.is_complete);
    assert_int_equal(answer.body.len, 338 - 68);
    assert_memory_equal(answer.body.ptr, content->bytes.ptr, 80);
    assert_memory_equal(answer.body.ptr + 80, content->bytes.ptr + 148, 190);
    http_answer_fini(&answer);
    answer = known_recording_ask(f, "Range: bytes=80-89\r\n");
    assert_int_equal(answer.status, 206);
    assert_string_equal(http_client_find_header(&answer, "Content-Range"), "bytes 80-89/270");
    assert_memory_equal(answer.body.ptr, content->bytes.ptr + 148, 10);
    http_answer_fini(&answer);
}

static void
test_missing_chunks_are_left_out_and_named(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    char path[600];
    char whole[64];
    char tag[64];
    known_recording_copy_tag(f, whole);
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    assert_int_equal(truncate(path, 20), 0);
    expect_without_1(f, &content);
    assert_int_equal(unlink(path), 0);
    expect_without_1(f, &content);
    known_recording_copy_tag(f, tag);
    assert_string_not_equal(tag, whole);
    assert_int_equal(
        blobs_put(f->blobs, session.id, 1, known_recording_chunk(&content, 1), NULL), LP_OK);
    known_recording_copy_tag(f, tag);
    assert_string_equal(tag, whole);
    bool is_changed;
    assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 1, true, &is_changed), LP_OK);
    assert_true(is_changed);
    expect_without_1(f, &content);
    known_recording_set_tail(f, session.next_chunk, (lp_slice){0});
    for (uint32_t i = 0; i < session.next_chunk; i++) {
        assert_int_equal(catalog_lose_chunk(f->catalog, session.id, i, true, &is_changed), LP_OK);
    }
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 404); // also while it runs: waiting brings none of it
    assert_non_null(strstr((const char *)answer.body.ptr, "lost"));
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// --- A disk that does not return a file

static atomic_ulong bad_inode; // of the file; 0: none
static atomic_uint bad_reads;  // number of reads that still fail

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
ssize_t __wrap_pread(int fd, void *out, size_t size, off_t offset);
ssize_t __real_pread(int fd, void *out, size_t size, off_t offset);

ssize_t
__wrap_pread(int fd, void *out, size_t size, off_t offset)
{
    struct stat info;
    unsigned left = atomic_load(&bad_reads);
    bool is_bad = left > 0 && fstat(fd, &info) == 0 && info.st_ino == atomic_load(&bad_inode);
    if (is_bad) {
        atomic_fetch_sub(&bad_reads, 1);
        errno = EIO;
        return -1;
    }
    return __real_pread(fd, out, size, offset);
}

// spoil_1 makes this number of reads of the second chunk fail.
static void
spoil_1(const http_fixture *f, const catalog_session *session, unsigned reads)
{
    struct stat info;
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session->id);
    assert_int_equal(stat(path, &info), 0);
    atomic_store(&bad_inode, info.st_ino);
    atomic_store(&bad_reads, reads);
}

// expect_broken expects a download that breaks off in the second chunk at the latest.
static void
expect_broken(const http_fixture *f, const known_recording *content)
{
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 200); // said before the chunk was looked at
    assert_string_equal(http_client_find_header(&answer, "Content-Length"), "338");
    assert_false(answer.is_complete);
    assert_true(answer.body.len <= 80);
    assert_memory_equal(answer.body.ptr, content->bytes.ptr, answer.body.len);
    http_answer_fini(&answer);
}

static void
test_a_chunk_that_the_disk_does_not_return_is_left_out_afterwards(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    spoil_1(f, &session, UINT_MAX);
    expect_broken(f, &content);
    assert_true(atomic_load(&f->lost.count) > 0);
    assert_int_equal(atomic_load(&f->lost.ordinal), 1);
    http_answer answer =
        known_recording_ask(f, "Range: bytes=148-\r\n"); // the rest is still served
    assert_int_equal(answer.status, 206);
    known_recording_check(&answer, &content, 148, 338);
    http_answer_fini(&answer);
    bool is_changed; // as the collector does when it is told
    assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 1, true, &is_changed), LP_OK);
    expect_without_1(f, &content);
    // The file is as it was: once the disk returns it again, a start finds it.
    spoil_1(f, &session, 0);
    assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 1, false, &is_changed), LP_OK);
    answer = known_recording_ask(f, "");
    known_recording_check(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_a_disk_that_fails_once_costs_one_download(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = known_recording_make_small(f, &session);
    spoil_1(f, &session, 1);
    expect_broken(f, &content);
    assert_int_equal(atomic_load(&bad_reads), 0);
    assert_int_equal(atomic_load(&f->lost.count), 0);
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 200);
    known_recording_check(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_download_is_stored_chunks_and_what_follows),
        TEST(test_head_tells_what_get_would_send),
        TEST(test_every_part),
        TEST(test_parts_that_are_none),
        TEST(test_conditions_are_heeded),
        TEST(test_tags_follow_the_content),
        TEST(test_recordings_without_content),
        TEST(test_a_changed_chunk_ends_the_connection_early),
        TEST(test_nothing_of_a_changed_chunk_is_wrong),
        TEST(test_missing_chunks_are_left_out_and_named),
        TEST(test_a_chunk_that_the_disk_does_not_return_is_left_out_afterwards),
        TEST(test_a_disk_that_fails_once_costs_one_download),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
