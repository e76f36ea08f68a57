// SPDX-License-Identifier: Apache-2.0
// Downloads with contexts at samples: the content has them and its own ETag; a damaged chunk is not
// rewritten; the number of rewritings at once is limited and does not delay other requests.

#include "support/files.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"
#include "unit/collector/http/known_recording.h"

#include "collector/base/metrics.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/compact.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char with_contexts[] = KNOWN_RECORDING_PATH "?sample-contexts=true";
static const char without_contexts[] = KNOWN_RECORDING_PATH "?sample-contexts=false";

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
static known_recording
make_sampled(http_fixture *f, catalog_session *out_session)
{
    known_recording made = {0};
    compact_result last = {0};
    *out_session = http_fixture_session('a', "shop");
    out_session->is_ended = false;
    for (size_t i = 0; i < 3; i++) {
        append_compacted(&made.bytes, 1000 * (int64_t)(i + 1), i != 1, &last);
        made.borders[made.count++] = made.bytes.len;
        if (i < 2) {
            http_fixture_store(f, out_session, known_recording_chunk(&made, i), "{}");
        }
    }
    compact_result_fini(&last);
    known_recording_set_tail(f, out_session->next_chunk, known_recording_chunk(&made, 2));
    return made;
}

// expect_contexts expects the three chunks, of which the first and the last have a sample with its
// thread in a field more.
static void
expect_contexts(lp_slice content, const known_recording *plain)
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
            assert_int_equal(read.size_bytes, known_recording_chunk(plain, i).len);
            assert_memory_equal(content.ptr, known_recording_chunk(plain, i).ptr, read.size_bytes);
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
    known_recording plain = make_sampled(f, &session);
    char plain_tag[64];
    char tag[64];
    char headers[128];
    known_recording_copy_tag(f, plain_tag);
    http_answer answer = http_client_ask(f->port, "GET", without_contexts, "");
    known_recording_check(&answer, &plain, 0, plain.bytes.len);
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
    answer = http_client_ask(f->port, "GET", KNOWN_RECORDING_PATH, headers);
    assert_int_equal(answer.status, 200);
    known_recording_check(&answer, &plain, 0, plain.bytes.len);
    http_answer_fini(&answer);
    (void)snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", tag);
    answer = http_client_ask(f->port, "GET", with_contexts, headers);
    assert_int_equal(answer.status, 304);
    http_answer_fini(&answer);

    // What was in the journal is stored: the same content, the same tag.
    http_fixture_store(f, &session, known_recording_chunk(&plain, 2), "{}");
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
    known_recording plain = make_sampled(f, &session);
    static const char *const refused[] = {"?sample-contexts",
        "?sample-contexts=", "?sample-contexts=yes", "?sample-contexts=true&sample-contexts=true",
        "?sample_contexts=true", "?from=1"};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        char path[160];
        (void)snprintf(path, sizeof(path), "%s%s", KNOWN_RECORDING_PATH, refused[i]);
        http_answer answer = http_client_ask(f->port, "GET", path, "");
        assert_int_equal(answer.status, 400);
        assert_non_null(strstr((const char *)answer.body.ptr, "sample-contexts"));
        http_answer_fini(&answer);
    }
    lp_buf_fini(&plain.bytes);
}

static void
test_changed_chunks_get_no_contexts(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording plain = make_sampled(f, &session);
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, session.id);
    for (off_t at = 30; at < 200; at += 50) {
        files_flip(path, at, 1);
        http_client_expect(f->port, "GET", with_contexts, 500);
        files_flip(path, at, 1);
    }
    http_client_expect(f->port, "GET", with_contexts, 200);
    assert_int_equal(unlink(path), 0);
    http_answer answer = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Loupe-Missing-Chunks"), "1");
    http_answer_fini(&answer);
    lp_buf_fini(&plain.bytes);
}

enum {
    REWRITTEN_MAX = 8, // what docs/reference/http-api.md says
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
        asked[i] = (struct pollfd){.fd = http_client_connect(f->port), .events = POLLIN};
        http_client_send_get(asked[i].fd, with_contexts);
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
    known_recording plain = make_sampled(f, &session);
    char path[600];
    int asked[REWRITTEN_MAX];
    replace_by_fifo(f, &session, path);
    uint64_t refused = metrics_get(METRICS_http_rewritings_refused);
    ask_all_that_may(f, asked);
    assert_int_equal(metrics_get(METRICS_http_rewritings_refused), refused + 1);
    http_client_expect(f->port, "GET", with_contexts, 503);
    assert_int_equal(metrics_get(METRICS_http_rewritings_refused), refused + 2);
    http_client_expect(f->port, "GET", "/healthz", 200);
    http_client_expect(f->port, "GET", "/metrics", 200);
    http_answer answer = known_recording_ask(f, "Range: bytes=-100\r\n"); // of the tail
    assert_int_equal(answer.status, 206);
    http_answer_fini(&answer);

    int fifo = release_readers(path);
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        assert_int_equal(receive_status(asked[i]), 500);
    }
    assert_int_equal(close(fifo), 0);
    assert_int_equal(
        blobs_put(f->blobs, session.id, 0, known_recording_chunk(&plain, 0), NULL), LP_OK);
    for (size_t i = 0; i < 2 * REWRITTEN_MAX; i++) { // one after the other
        http_client_expect(f->port, "GET", with_contexts, 200);
        known_recording_await_none(f);
    }
    lp_buf_fini(&plain.bytes);
}

static void
test_what_nobody_waits_for_is_not_rewritten(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording plain = make_sampled(f, &session);
    char path[600];
    int asked[REWRITTEN_MAX];
    replace_by_fifo(f, &session, path);
    uint64_t left = metrics_get(METRICS_http_clients_left);
    ask_all_that_may(f, asked);
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        assert_int_equal(close(asked[i]), 0);
    }
    while (metrics_get(METRICS_http_clients_left) != left + REWRITTEN_MAX) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    // Two of them were begun and read a chunk that never comes. The others would wait for it, too.
    uint64_t errors = metrics_get(METRICS_http_errors);
    int fifo = release_readers(path);
    while (metrics_get(METRICS_http_connections) > 0) {
        (void)usleep(1000);
    }
    assert_int_equal(metrics_get(METRICS_http_errors), errors); // not answered
    assert_int_equal(close(fifo), 0);
    assert_int_equal(
        blobs_put(f->blobs, session.id, 0, known_recording_chunk(&plain, 0), NULL), LP_OK);
    http_client_expect(f->port, "GET", with_contexts, 200);
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
    known_recording plain = make_sampled(f, &session);
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
    known_recording plain = make_sampled(f, &session);
    http_answer answer = http_client_ask(f->port, "GET", with_contexts, "");
    assert_int_equal(answer.status, 200);
    char tag[64];
    char headers[128];
    copy_header(&answer, "ETag", tag);
    http_answer_fini(&answer);

    char path[600];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/0.jfr.zst", f->dir.path, session.id);
    files_flip(path, 100, 1); // rewriting fails now
    http_client_expect(f->port, "GET", with_contexts, 500);
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
        fds[i] = http_client_ask_slowly(f->port, with_contexts);
        assert_true(recv(fds[i], bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes));
    }
    http_client_expect(f->port, "GET", with_contexts, 503);
    http_client_expect(f->port, "GET", KNOWN_RECORDING_PATH, 200); // needs no file
    for (size_t i = 0; i < REWRITTEN_MAX; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    known_recording_await_none(f);
    http_client_expect(f->port, "GET", with_contexts, 200);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_download_with_contexts_at_samples),
        TEST(test_parameters_of_a_download),
        TEST(test_changed_chunks_get_no_contexts),
        TEST(test_rewriting_holds_up_nobody),
        TEST(test_what_nobody_waits_for_is_not_rewritten),
        TEST(test_a_stop_gives_up_what_is_rewritten),
        TEST(test_answers_without_content_need_no_rewriting),
        TEST(test_rewritten_contents_count_until_they_are_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
