// SPDX-License-Identifier: Apache-2.0
// Downloads: the bytes are those of the stored chunks and what follows them, whole and in every
// part; tags follow the content and nothing else; many at once, clients that leave, and chunks that
// are replaced or lost meanwhile harm nobody.

#include "http_client.h"
#include "http_fixture.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "collector/base/metrics.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/compact.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char path_a[] = "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr";

// A recording whose content is known, of chunks with these sizes; the last may be the tail.
typedef struct known_content {
    lp_buf bytes;
    size_t borders[8]; // where chunks end
    size_t count;
} known_content;

static void
add_chunk(known_content *content, size_t size_bytes)
{
    http_fixture_make_chunk(&content->bytes, size_bytes, (unsigned)content->count);
    content->borders[content->count++] = content->bytes.len;
}

static lp_slice
chunk_of(const known_content *content, size_t index)
{
    size_t begin = index == 0 ? 0 : content->borders[index - 1];
    return (lp_slice){.ptr = content->bytes.ptr + begin, .len = content->borders[index] - begin};
}

static void
set_tail(http_fixture *f, uint32_t next_chunk, lp_slice bytes)
{
    f->server.err = LP_OK;
    f->server.next_chunk = next_chunk;
    lp_buf_clear(&f->server.tail);
    lp_buf_append(&f->server.tail, bytes.ptr, bytes.len);
}

// make_recording stores all chunks but the last, which the journal still has.
static known_content
make_recording(http_fixture *f, const size_t *sizes, size_t count, catalog_session *out_session)
{
    known_content made = {0};
    *out_session = http_fixture_session('a', "shop");
    out_session->is_ended = false;
    for (size_t i = 0; i < count; i++) {
        add_chunk(&made, sizes[i]);
        if (i < count - 1) {
            http_fixture_store(f, out_session, chunk_of(&made, i), "{}");
        }
    }
    set_tail(f, out_session->next_chunk, chunk_of(&made, count - 1));
    return made;
}

static known_content
make_small_recording(http_fixture *f, catalog_session *out_session)
{
    static const size_t sizes[] = {80, 68, 100, 90};
    return make_recording(f, sizes, 4, out_session);
}

static http_answer
ask(const http_fixture *f, const char *headers)
{
    return http_client_ask(f->port, "GET", path_a, headers);
}

static void
assert_body(const http_answer *answer, const known_content *content, size_t begin, size_t end)
{
    assert_true(answer->is_complete);
    assert_int_equal(answer->body.len, end - begin);
    assert_memory_equal(answer->body.ptr, content->bytes.ptr + begin, end - begin);
}

// copy_tag gives the ETag of the whole content.
static void
copy_tag(const http_fixture *f, char out_tag[64])
{
    http_answer answer = http_client_ask(f->port, "HEAD", path_a, "");
    assert_int_equal(answer.status, 200);
    const char *tag = http_client_find_header(&answer, "ETag");
    assert_non_null(tag);
    assert_int_equal(tag[0], '"'); // strong
    (void)snprintf(out_tag, 64, "%s", tag);
    http_answer_fini(&answer);
}

static void
test_a_download_is_stored_chunks_and_what_follows(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_small_recording(f, &session);
    for (int is_threaded = 0; is_threaded <= 1; is_threaded++) {
        f->server.is_threaded = is_threaded == 1;
        http_answer answer = ask(f, "");
        assert_int_equal(answer.status, 200);
        assert_body(&answer, &content, 0, 338);
        assert_string_equal(http_client_find_header(&answer, "Content-Length"), "338");
        assert_string_equal(http_client_find_header(&answer, "Accept-Ranges"), "bytes");
        assert_string_equal(http_client_find_header(&answer, "Cache-Control"), "no-cache");
        assert_string_equal(
            http_client_find_header(&answer, "Content-Type"), "application/octet-stream");
        assert_string_equal(http_client_find_header(&answer, "Content-Disposition"),
            "attachment; filename=\"shop-host_1-20260102T030405Z.jfr\"");
        assert_null(http_client_find_header(&answer, "Content-Range"));
        http_answer_fini(&answer);
    }
    // A chunk that was stored after the snapshot was made is in the snapshot already.
    http_fixture_store(f, &session, chunk_of(&content, 3), "{}");
    http_answer answer = ask(f, "");
    assert_body(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    f->server.err = LP_ENOENT; // the server is done with the session
    answer = ask(f, "");
    assert_body(&answer, &content, 0, 338);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_head_tells_what_get_would_send(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_small_recording(f, &session);
    http_answer answer = http_client_ask(f->port, "HEAD", path_a, "Range: bytes=0-1\r\n");
    assert_int_equal(answer.status, 200); // ranges are for GET
    assert_string_equal(http_client_find_header(&answer, "Content-Length"), "338");
    assert_non_null(http_client_find_header(&answer, "ETag"));
    assert_int_equal(answer.body.len, 0);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// ask_range asks on a connection that stays, and checks the part.
static void
ask_range(int fd, const char *range, const known_content *content, size_t begin, size_t end)
{
    char request[300];
    (void)snprintf(request, sizeof(request),
        "GET %s HTTP/1.1\r\nHost: x\r\nRange: bytes=%s\r\n\r\n", path_a, range);
    http_client_send(fd, request);
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, 206);
    assert_body(&answer, content, begin, end);
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
    known_content content = make_small_recording(f, &session);
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
    known_content content = make_small_recording(f, &session);
    static const char *const beyond[] = {"338-", "338-400", "99999999999999999999-", "-0"};
    for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
        char header[100];
        (void)snprintf(header, sizeof(header), "Range: bytes=%s\r\n", beyond[i]);
        http_answer answer = ask(f, header);
        assert_int_equal(answer.status, 416);
        assert_string_equal(http_client_find_header(&answer, "Content-Range"), "bytes */338");
        assert_int_equal(answer.body.len, 0);
        http_answer_fini(&answer);
    }
    static const char *const ignored[] = {"bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "items=0-1"};
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        char header[100];
        (void)snprintf(header, sizeof(header), "Range: %s\r\n", ignored[i]);
        http_answer answer = ask(f, header);
        assert_int_equal(answer.status, 200);
        assert_body(&answer, &content, 0, 338);
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
    http_answer answer = ask(f, headers);
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
    known_content content = make_small_recording(f, &session);
    char tag[64];
    copy_tag(f, tag);
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
    known_content content = make_small_recording(f, &session);
    char first[64];
    char again[64];
    copy_tag(f, first);
    copy_tag(f, again);
    assert_string_equal(first, again);

    // The tail is stored: the same bytes, the same tag, though nothing is pending now.
    http_fixture_store(f, &session, chunk_of(&content, 3), "{}");
    set_tail(f, session.next_chunk, (lp_slice){0});
    copy_tag(f, again);
    assert_string_equal(first, again);

    // More comes, of two chunks; then the first of them is stored.
    add_chunk(&content, 70);
    add_chunk(&content, 75);
    lp_slice both = {.ptr = chunk_of(&content, 4).ptr, .len = 145};
    set_tail(f, session.next_chunk, both);
    copy_tag(f, again);
    assert_string_not_equal(first, again);
    http_fixture_store(f, &session, chunk_of(&content, 4), "{}");
    set_tail(f, session.next_chunk, chunk_of(&content, 5));
    copy_tag(f, first);
    assert_string_equal(first, again);

    // One byte of the tail is another one.
    f->server.tail.ptr[74]++;
    copy_tag(f, again);
    assert_string_not_equal(first, again);
    // A tail that is no chunk is sent and tagged as it is.
    set_tail(f, session.next_chunk, (lp_slice){.ptr = (const uint8_t *)"FLR", .len = 3});
    http_answer answer = ask(f, "Range: bytes=-3\r\n");
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
        http_answer answer = ask(f, "");
        assert_int_equal(answer.status, 503);
        assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
        assert_non_null(strstr((const char *)answer.body.ptr, "try again later"));
        http_answer_fini(&answer);
        f->server.err = LP_OK; // the server knows it, and has nothing yet
    }
    session.is_ended = true;
    http_fixture_put(f, &session);
    http_answer answer = ask(f, "");
    assert_int_equal(answer.status, 404);
    assert_non_null(strstr((const char *)answer.body.ptr, "no content"));
    http_answer_fini(&answer);
}

// flip changes a byte of a file.
static void
flip(const char *path, off_t offset)
{
    uint8_t byte;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, &byte, 1, offset), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
    assert_int_equal(close(fd), 0);
}

static void
test_a_changed_chunk_ends_the_connection_early(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_small_recording(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    flip(path, 40);
    http_answer answer = ask(f, "");
    assert_int_equal(answer.status, 200); // said before the chunk was looked at
    assert_false(answer.is_complete);
    assert_true(answer.body.len <= 80);
    http_answer_fini(&answer);
    answer = ask(f, "Range: bytes=148-\r\n"); // what is there can still be had
    assert_int_equal(answer.status, 206);
    assert_body(&answer, &content, 148, 338);
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
    known_content content = make_small_recording(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    assert_int_equal(stat(path, &info), 0);
    for (off_t at = 0; at < info.st_size; at++) {
        flip(path, at);
        http_answer answer = ask(f, "");
        assert_true(answer.body.len < 80 + 68 || answer.is_complete);
        assert_true(answer.body.len == content.bytes.len || !answer.is_complete);
        assert_memory_equal(answer.body.ptr, content.bytes.ptr, answer.body.len);
        harmless += answer.is_complete ? 1 : 0;
        http_answer_fini(&answer);
        flip(path, at);
    }
    assert_true(harmless < info.st_size / 10);
    http_answer answer = ask(f, "");
    assert_true(answer.is_complete);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// expect_without_1 expects everything but the second chunk, which is named.
static void
expect_without_1(const http_fixture *f, const known_content *content)
{
    http_answer answer = ask(f, "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Loupe-Missing-Chunks"), "1");
    assert_true(answer.is_complete);
    assert_int_equal(answer.body.len, 338 - 68);
    assert_memory_equal(answer.body.ptr, content->bytes.ptr, 80);
    assert_memory_equal(answer.body.ptr + 80, content->bytes.ptr + 148, 190);
    http_answer_fini(&answer);
    answer = ask(f, "Range: bytes=80-89\r\n");
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
    known_content content = make_small_recording(f, &session);
    char path[600];
    char whole[64];
    char tag[64];
    copy_tag(f, whole);
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    assert_int_equal(truncate(path, 20), 0);
    expect_without_1(f, &content);
    assert_int_equal(unlink(path), 0);
    expect_without_1(f, &content);
    copy_tag(f, tag);
    assert_string_not_equal(tag, whole);
    assert_int_equal(blobs_put(f->blobs, session.id, 1, chunk_of(&content, 1), NULL), LP_OK);
    copy_tag(f, tag);
    assert_string_equal(tag, whole);
    bool is_changed;
    assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 1, true, &is_changed), LP_OK);
    assert_true(is_changed);
    expect_without_1(f, &content);
    set_tail(f, session.next_chunk, (lp_slice){0});
    for (uint32_t i = 0; i < session.next_chunk; i++) {
        assert_int_equal(catalog_lose_chunk(f->catalog, session.id, i, true, &is_changed), LP_OK);
    }
    http_answer answer = ask(f, "");
    assert_int_equal(answer.status, 404); // also while it runs: waiting brings none of it
    assert_non_null(strstr((const char *)answer.body.ptr, "lost"));
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
wait_for_no_downloads(const http_fixture *f)
{
    bool is_over = false;
    while (!is_over) { // ctest's time limit ends it
        http_answer answer = http_client_ask(f->port, "GET", "/metrics", "");
        assert_int_equal(answer.status, 200);
        is_over =
            strstr((const char *)answer.body.ptr, "\nloupe_http_downloads_active 0\n") != NULL;
        http_answer_fini(&answer);
    }
}

static int
connect_slowly(const http_fixture *f, const char *path)
{
    int fd = http_client_connect(f->port);
    int small = 4096;
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    char request[200];
    (void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    http_client_send(fd, request);
    return fd;
}

// --- Contexts at samples.

static const char with_contexts[] =
    "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr?sample-contexts=true";
static const char without_contexts[] =
    "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr?sample-contexts=false";

// append_compacted appends a compacted chunk with a sample, or without; last is what became of the
// chunk before it.
static void
append_compacted(lp_buf *out, int64_t start, bool has_sample, compact_result *last)
{
    jfr_build build;
    jfr_sample_begin(&build, start);
    jfr_sample_thread(&build, 1, 11);
    (void)jfr_sample_event(
        &build, &(jfr_sample){.type = has_sample ? JFR_SAMPLE_EXECUTION : JFR_SAMPLE_MARK,
                    .start = start + 10,
                    .thread = 1});
    jfr_build_checkpoint(&build);
    const compact_source source = {.jfr = jfr_build_finish(&build)};
    compact_result result;
    assert_int_equal(compact_chunk(&source, NULL, 0, last->carry, NULL, &result, NULL), LP_OK);
    lp_buf_append(out, result.jfr.ptr, result.jfr.len);
    compact_result_fini(last);
    *last = result;
    jfr_build_fini(&build);
}

// make_sampled stores two chunks, and puts one into the journal.
static known_content
make_sampled(http_fixture *f, catalog_session *out_session)
{
    known_content made = {0};
    compact_result last = {0};
    *out_session = http_fixture_session('a', "shop");
    out_session->is_ended = false;
    for (size_t i = 0; i < 3; i++) {
        append_compacted(&made.bytes, 1000 * (int64_t)(i + 1), i != 1, &last);
        made.borders[made.count++] = made.bytes.len;
        if (i < 2) {
            http_fixture_store(f, out_session, chunk_of(&made, i), "{}");
        }
    }
    compact_result_fini(&last);
    set_tail(f, out_session->next_chunk, chunk_of(&made, 2));
    return made;
}

// expect_contexts expects the three chunks, of which the first and the last have a sample with its
// thread in a field more.
static void
expect_contexts(lp_slice content, const known_content *plain)
{
    for (size_t i = 0; i < 3; i++) {
        jfr_chunk_info info;
        jfr_read read;
        assert_int_equal(jfr_chunk_parse(content, &info, NULL), LP_OK);
        jfr_read_open(&read, (lp_slice){content.ptr, (size_t)info.size_bytes});
        assert_int_equal(read.events.count, 1);
        uint64_t key;
        bool has_sample = jfr_read_count(&read, "jdk.ExecutionSample") == 1;
        assert_int_equal(has_sample, i != 1);
        assert_true(jfr_read_key(&read, &read.events.items[0], "eventThread", &key));
        assert_int_equal(key, 1);
        if (!has_sample) {
            assert_int_equal(read.size_bytes, chunk_of(plain, i).len);
            assert_memory_equal(content.ptr, chunk_of(plain, i).ptr, read.size_bytes);
        }
        content.ptr += read.size_bytes;
        content.len -= (size_t)read.size_bytes;
        jfr_read_close(&read);
    }
    assert_int_equal(content.len, 0);
}

static void
copy_header(const http_answer *answer, const char *name, char out[64])
{
    const char *value = http_client_find_header(answer, name);
    assert_non_null(value);
    (void)snprintf(out, 64, "%s", value);
}

static void
test_a_download_with_contexts_at_samples(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    char plain_tag[64];
    char tag[64];
    char headers[128];
    copy_tag(f, plain_tag);
    http_answer answer = http_client_ask(f->port, "GET", without_contexts, "");
    assert_body(&answer, &plain, 0, plain.bytes.len);
    assert_string_equal(http_client_find_header(&answer, "ETag"), plain_tag);
    http_answer_fini(&answer);

    http_answer whole = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(whole.status, 200);
    assert_true(whole.is_complete);
    expect_contexts(lp_buf_slice(&whole.body), &plain);
    copy_header(&whole, "ETag", tag);
    assert_string_not_equal(tag, plain_tag);

    answer = http_client_ask(f->port, "HEAD", with_contexts, "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "ETag"), tag);
    http_answer_fini(&answer);

    // Parts of one content never continue the other.
    (void)snprintf(headers, sizeof(headers), "Range: bytes=100-\r\nIf-Range: %s\r\n", tag);
    answer = http_client_ask(f->port, "GET", with_contexts, headers);
    assert_int_equal(answer.status, 206);
    assert_int_equal(answer.body.len, whole.body.len - 100);
    assert_memory_equal(answer.body.ptr, whole.body.ptr + 100, answer.body.len);
    http_answer_fini(&answer);
    answer = http_client_ask(f->port, "GET", path_a, headers);
    assert_int_equal(answer.status, 200);
    assert_body(&answer, &plain, 0, plain.bytes.len);
    http_answer_fini(&answer);
    (void)snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", tag);
    answer = http_client_ask(f->port, "GET", with_contexts, headers);
    assert_int_equal(answer.status, 304);
    http_answer_fini(&answer);

    // What was in the journal is stored: the same content, the same tag.
    http_fixture_store(f, &session, chunk_of(&plain, 2), "{}");
    f->server.err = LP_ENOENT;
    answer = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(answer.body.len, whole.body.len);
    assert_memory_equal(answer.body.ptr, whole.body.ptr, whole.body.len);
    assert_string_equal(http_client_find_header(&answer, "ETag"), tag);
    http_answer_fini(&answer);
    http_answer_fini(&whole);
    lp_buf_fini(&plain.bytes);
}

static void
test_parameters_of_a_download(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    static const char *const refused[] = {"?sample-contexts",
        "?sample-contexts=", "?sample-contexts=yes", "?sample-contexts=true&sample-contexts=true",
        "?sample_contexts=true", "?from=1"};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        char path[160];
        (void)snprintf(path, sizeof(path), "%s%s", path_a, refused[i]);
        http_answer answer = http_client_ask(f->port, "GET", path, "");
        assert_int_equal(answer.status, 400);
        assert_non_null(strstr((const char *)answer.body.ptr, "sample-contexts"));
        http_answer_fini(&answer);
    }
    lp_buf_fini(&plain.bytes);
}

static void
expect_status(const http_fixture *f, const char *method, const char *path, int status)
{
    http_answer answer = http_client_ask(f->port, method, path, "");
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
}

static void
test_changed_chunks_get_no_contexts(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    for (off_t at = 30; at < 200; at += 50) {
        flip(path, at);
        expect_status(f, "GET", with_contexts, 500);
        flip(path, at);
    }
    expect_status(f, "GET", with_contexts, 200);
    assert_int_equal(unlink(path), 0);
    http_answer answer = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Loupe-Missing-Chunks"), "1");
    http_answer_fini(&answer);
    lp_buf_fini(&plain.bytes);
}

enum {
    REWRITTEN_MAX = 8, // what docs/operations/http-api.md says
    LONG_MS = 120 * 1000,
};

// replace_by_fifo puts a FIFO in the place of the first chunk: whoever opens it for reading waits
// until release_readers.
static void
replace_by_fifo(const http_fixture *f, const catalog_session *session, char out_path[600])
{
    (void)snprintf(out_path, 600, "%s/blobs/%s/0.jfr.zst", f->dir.path, session->id);
    assert_int_equal(unlink(out_path), 0);
    assert_int_equal(mkfifo(out_path, 0600), 0);
}

// release_readers lets those go on who wait for the FIFO, and whoever opens it until the file that
// is returned is closed. They find that they cannot read it.
static int
release_readers(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static int
ask_and_leave(const http_fixture *f, const char *path)
{
    int fd = http_client_connect(f->port);
    char request[200];
    (void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    http_client_send(fd, request);
    return fd;
}

// receive_status receives the answer to a GET, and closes the connection.
static int
receive_status(int fd)
{
    http_answer answer = http_client_receive(fd, false);
    int status = answer.status;
    if (status == 503) {
        assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
        assert_non_null(strstr((const char *)answer.body.ptr, "try again later"));
    }
    http_answer_fini(&answer);
    assert_int_equal(close(fd), 0);
    return status;
}

// ask_all_that_may asks for as many rewritten contents as may be, and for one more: that one,
// whichever it is, is refused, and by then the others wait.
static void
ask_all_that_may(const http_fixture *f, int out_fds[REWRITTEN_MAX])
{
    struct pollfd asked[REWRITTEN_MAX + 1];
    for (size_t i = 0; i <= REWRITTEN_MAX; i++) {
        asked[i] = (struct pollfd){.fd = ask_and_leave(f, with_contexts), .events = POLLIN};
    }
    assert_int_equal(poll(asked, REWRITTEN_MAX + 1, LONG_MS), 1);
    size_t count = 0;
    for (size_t i = 0; i <= REWRITTEN_MAX; i++) {
        if (asked[i].revents != 0) {
            assert_int_equal(receive_status(asked[i].fd), 503);
        } else {
            out_fds[count++] = asked[i].fd;
        }
    }
}

static void
test_rewriting_holds_up_nobody(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    char path[600];
    int asked[REWRITTEN_MAX];
    replace_by_fifo(f, &session, path);
    uint64_t refused = metrics_get(METRICS_http_rewritings_refused);
    ask_all_that_may(f, asked);
    assert_int_equal(metrics_get(METRICS_http_rewritings_refused), refused + 1);
    expect_status(f, "GET", with_contexts, 503);
    assert_int_equal(metrics_get(METRICS_http_rewritings_refused), refused + 2);
    expect_status(f, "GET", "/healthz", 200);
    expect_status(f, "GET", "/metrics", 200);
    http_answer answer = ask(f, "Range: bytes=-100\r\n"); // of the tail
    assert_int_equal(answer.status, 206);
    http_answer_fini(&answer);

    int fifo = release_readers(path);
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        assert_int_equal(receive_status(asked[i]), 500);
    }
    assert_int_equal(close(fifo), 0);
    assert_int_equal(blobs_put(f->blobs, session.id, 0, chunk_of(&plain, 0), NULL), LP_OK);
    for (size_t i = 0; i < 2 * REWRITTEN_MAX; i++) { // one after the other
        expect_status(f, "GET", with_contexts, 200);
        wait_for_no_downloads(f);
    }
    lp_buf_fini(&plain.bytes);
}

static void *
run_stop(void *arg)
{
    http_server_stop(arg);
    return NULL;
}

static void
test_a_stop_gives_up_what_is_rewritten(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    char path[600];
    replace_by_fifo(f, &session, path);
    int asked[REWRITTEN_MAX];
    ask_all_that_may(f, asked);
    pthread_t stopper;
    assert_int_equal(pthread_create(&stopper, NULL, run_stop, f->http), 0);
    f->http = NULL;
    for (size_t i = 0; i < REWRITTEN_MAX; i++) { // 503, or the connection just ends
        int status = receive_status(asked[i]);
        assert_true(status == 503 || status == 0);
    }
    int fifo = release_readers(path); // the stop waits for the chunk that is read
    assert_int_equal(pthread_join(stopper, NULL), 0);
    assert_int_equal(close(fifo), 0);
    lp_buf_fini(&plain.bytes);
}

static void
test_answers_without_content_need_no_rewriting(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content plain = make_sampled(f, &session);
    http_answer answer = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(answer.status, 200);
    char tag[64];
    char headers[128];
    copy_header(&answer, "ETag", tag);
    http_answer_fini(&answer);

    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/0.jfr.zst", f->dir.path, session.id);
    flip(path, 100); // whoever rewrites now fails
    expect_status(f, "GET", with_contexts, 500);
    (void)snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", tag);
    answer = http_client_ask(f->port, "GET", with_contexts, headers);
    assert_int_equal(answer.status, 304);
    assert_string_equal(http_client_find_header(&answer, "ETag"), tag);
    http_answer_fini(&answer);
    answer = http_client_ask(f->port, "HEAD", with_contexts, "Range: bytes=0-1\r\n");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "ETag"), tag);
    assert_null(http_client_find_header(&answer, "Content-Length")); // not known
    assert_string_equal(http_client_find_header(&answer, "Content-Disposition"),
        "attachment; filename=\"shop-host_1-20260102T030405Z.jfr\"");
    http_answer_fini(&answer);
    lp_buf_fini(&plain.bytes);
}

// store_large_chunk stores a compacted chunk of 6 MB, more than sockets take.
static void
store_large_chunk(http_fixture *f, catalog_session *out_session)
{
    enum { TEXT_BYTES = 60000, EVENT_COUNT = 100 };
    *out_session = http_fixture_session('a', "shop");
    char *text = malloc(TEXT_BYTES + 1);
    assert_non_null(text);
    memset(text, 'x', TEXT_BYTES);
    text[TEXT_BYTES] = '\0';
    jfr_build build;
    jfr_sample_begin(&build, 1000);
    jfr_sample_thread(&build, 1, 11);
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        (void)jfr_sample_event(&build,
            &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = 1010, .thread = 1, .text = text});
    }
    jfr_build_checkpoint(&build);
    const compact_source source = {.jfr = jfr_build_finish(&build)};
    compact_result result;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, NULL), LP_OK);
    assert_true(result.jfr.len > (size_t)TEXT_BYTES * EVENT_COUNT);
    http_fixture_store(f, out_session, lp_buf_slice(&result.jfr), "{}");
    compact_result_fini(&result);
    jfr_build_fini(&build);
    free(text);
}

static void
test_rewritten_contents_count_until_they_are_sent(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    store_large_chunk(f, &session);
    int fds[REWRITTEN_MAX];
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        char bytes[1000];
        fds[i] = connect_slowly(f, with_contexts);
        assert_true(recv(fds[i], bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes));
    }
    expect_status(f, "GET", with_contexts, 503);
    expect_status(f, "GET", path_a, 200); // needs no file
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    wait_for_no_downloads(f);
    expect_status(f, "GET", with_contexts, 200);
}

// --- Large downloads.

enum { LARGE_CHUNK_BYTES = 1500000, CLIENT_COUNT = 64 };

static known_content
make_large_recording(http_fixture *f, catalog_session *out_session)
{
    static const size_t sizes[] = {
        LARGE_CHUNK_BYTES, 68, LARGE_CHUNK_BYTES + 1, LARGE_CHUNK_BYTES - 1, LARGE_CHUNK_BYTES};
    return make_recording(f, sizes, 5, out_session);
}

typedef struct download_client {
    pthread_t thread;
    const http_fixture *fixture;
    const known_content *content;
    bool is_right;
} download_client;

static void *
run_client(void *arg)
{
    download_client *client = arg;
    http_answer answer = ask(client->fixture, "");
    client->is_right = answer.status == 200 && answer.is_complete &&
                       answer.body.len == client->content->bytes.len &&
                       memcmp(answer.body.ptr, client->content->bytes.ptr, answer.body.len) == 0;
    http_answer_fini(&answer);
    return NULL;
}

typedef struct chunk_replacer {
    http_fixture *fixture;
    const known_content *content;
    const char *session_id;
    atomic_bool is_over;
} chunk_replacer;

// run_replacer puts the same chunks again and again, as a collector that was killed between blob
// and catalog does when it comes back.
static void *
run_replacer(void *arg)
{
    chunk_replacer *replacer = arg;
    while (!atomic_load(&replacer->is_over)) {
        for (uint32_t i = 0; i < 4; i++) {
            if (blobs_put(replacer->fixture->blobs, replacer->session_id, i,
                    chunk_of(replacer->content, i), NULL) != LP_OK) {
                abort();
            }
        }
    }
    return NULL;
}

static void
test_many_downloads_at_once_while_chunks_are_replaced(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_large_recording(f, &session);
    f->server.is_threaded = true;
    static download_client clients[CLIENT_COUNT];
    chunk_replacer replacer = {.fixture = f, .content = &content, .session_id = session.id};
    pthread_t replacer_thread;
    assert_int_equal(pthread_create(&replacer_thread, NULL, run_replacer, &replacer), 0);
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        clients[i] = (download_client){.fixture = f, .content = &content};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, run_client, &clients[i]), 0);
    }
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
        assert_true(clients[i].is_right);
    }
    atomic_store(&replacer.is_over, true);
    assert_int_equal(pthread_join(replacer_thread, NULL), 0);
    lp_buf_fini(&content.bytes);
}

static void
test_clients_that_leave_in_mid_download(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_large_recording(f, &session);
    for (int round = 0; round < 3; round++) {
        int fds[16];
        for (size_t i = 0; i < 16; i++) {
            fds[i] = connect_slowly(f, path_a);
        }
        for (size_t i = 0; i < 16; i++) {
            char bytes[1000];
            assert_true(recv(fds[i], bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes));
            if (i % 2 == 0) { // half of them with a reset rather than an end
                struct linger none = {.l_onoff = 1, .l_linger = 0};
                assert_int_equal(setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &none, sizeof(none)), 0);
            }
            assert_int_equal(close(fds[i]), 0);
        }
        wait_for_no_downloads(f);
    }
    http_answer answer = ask(f, "");
    assert_body(&answer, &content, 0, content.bytes.len);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_slow_clients_hold_up_nobody(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_content content = make_large_recording(f, &session);
    int fds[CLIENT_COUNT];
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        fds[i] = connect_slowly(f, path_a); // and reads nothing
    }
    http_answer answer = ask(f, "");
    assert_body(&answer, &content, 0, content.bytes.len);
    http_answer_fini(&answer);
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    wait_for_no_downloads(f);
    lp_buf_fini(&content.bytes);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
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
        TEST(test_a_download_with_contexts_at_samples),
        TEST(test_parameters_of_a_download),
        TEST(test_changed_chunks_get_no_contexts),
        TEST(test_rewriting_holds_up_nobody),
        TEST(test_a_stop_gives_up_what_is_rewritten),
        TEST(test_answers_without_content_need_no_rewriting),
        TEST(test_rewritten_contents_count_until_they_are_sent),
        TEST(test_many_downloads_at_once_while_chunks_are_replaced),
        TEST(test_clients_that_leave_in_mid_download),
        TEST(test_slow_clients_hold_up_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
