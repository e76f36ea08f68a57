// SPDX-License-Identifier: Apache-2.0
// Uploads of the page: who may send them, that the shown file has the sent bytes and name, that one
// upload does not delay other requests, and that no file is left behind.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/base/metrics.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_strict.h"
#include "common/base/lp_io.h"

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LIMIT_MS = 60000,
    LOOK_MS = 5,
    SLOW_MS = 100,   // for a body
    CONNECTIONS = 8, // more than HTTP has threads
};

#define PAGE  "Loupe-Page: 1\r\n"
#define PLACE "/api/v1/uploads?name=a%20%2Fb.jfr"

// What show is asked, and what it says.
typedef struct taker {
    uploads uploads;
    char directory[300];
    lp_err err;
    atomic_uint count;
    pthread_mutex_t held; // by a test that has show wait
    char name[64];
    char content[64];
    size_t size;
} taker;

typedef struct fixture {
    http_fixture *http;
    taker taker;
} fixture;

static lp_err
show(void *arg, const char *path, const char *name, uploads_shown *out, lp_problem *out_problem)
{
    taker *self = arg;
    atomic_fetch_add(&self->count, 1);
    (void)pthread_mutex_lock(&self->held);
    (void)pthread_mutex_unlock(&self->held);
    (void)snprintf(self->name, sizeof(self->name), "%s", name);
    struct stat status;
    size_t size = 0;
    if (stat(path, &status) != 0 ||
        lp_io_read_file(path, self->content, sizeof(self->content), &size) != LP_OK) {
        abort();
    }
    self->size = (size_t)status.st_size;
    if (self->err != LP_OK) {
        return lp_problem_set(out_problem, self->err, "there is no recording in it");
    }
    *out = (uploads_shown){.service = "a \"b\"",
        .from_wall_ns = 1,
        .to_wall_ns = INT64_MAX,
        .note_count = 7,
        .notes = {"offset 1: cut off", "2", "3", "4"}};
    return LP_OK;
}

static int
set_up(void **state)
{
    void *http;
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    assert_int_equal(http_fixture_setup(&http), 0);
    f->http = http;
    (void)snprintf(f->taker.directory, sizeof(f->taker.directory), "%s/uploads", f->http->dir.path);
    assert_int_equal(mkdir(f->taker.directory, 0700), 0);
    (void)pthread_mutex_init(&f->taker.held, NULL);
    f->taker.uploads = (uploads){.directory = f->taker.directory, .show = show, .arg = &f->taker};
    f->http->uploads = &f->taker.uploads;
    http_fixture_serve(f->http, NULL, true);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    void *http = f->http;
    int result = http_fixture_teardown(&http);
    (void)pthread_mutex_destroy(&f->taker.held);
    free(f);
    return result;
}

static unsigned
count_files(const fixture *f)
{
    unsigned count = 0;
    DIR *directory = opendir(f->taker.directory);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(directory);
    return count;
}

// expect_files waits for this number of files.
static void
expect_files(const fixture *f, unsigned count)
{
    for (unsigned ms = 0; ms < LIMIT_MS && count_files(f) != count; ms += LOOK_MS) {
        (void)poll(NULL, 0, LOOK_MS);
    }
    assert_int_equal(count_files(f), count);
}

// start_post sends the head of a POST with a body of length, and the body's beginning.
static int
start_post(
    const fixture *f, const char *path, const char *headers, uint64_t length, const char *body)
{
    char request[1024];
    int fd = http_client_connect(f->http->port);
    (void)snprintf(request, sizeof(request),
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Length: %" PRIu64 "\r\n\r\n%s", path,
        headers, length, body);
    http_client_send(fd, request);
    return fd;
}

static http_answer
post(const fixture *f, const char *path, const char *headers, const char *body)
{
    int fd = start_post(f, path, headers, strlen(body), body);
    http_answer answer = http_client_receive(fd, false);
    (void)close(fd);
    return answer;
}

static void
expect_post(const fixture *f, const char *path, const char *headers, int status)
{
    http_answer answer = post(f, path, headers, "FLR");
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
}

// hold_post sends a file, and returns its connection once show has begun, which waits.
static int
hold_post(fixture *f)
{
    (void)pthread_mutex_lock(&f->taker.held);
    int fd = start_post(f, PLACE, PAGE, 3, "FLR");
    for (unsigned ms = 0; ms < LIMIT_MS && atomic_load(&f->taker.count) == 0; ms += LOOK_MS) {
        (void)poll(NULL, 0, LOOK_MS);
    }
    assert_int_equal(f->taker.count, 1);
    return fd;
}

static void
expect_answer(int fd, int status)
{
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
}

static void
test_a_file_is_shown_as_it_came(void **state)
{
    fixture *f = *state;
    const uint64_t taken = metrics_get(METRICS_uploads);
    int fd = start_post(f, PLACE, PAGE, 6, "FLR");
    expect_files(f, 1);
    http_client_send(fd, "abc");
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, 200);
    lp_buf_append(&answer.body, "", 1);
    const char *text = (const char *)answer.body.ptr;
    assert_non_null(strstr(text, "\"service\": \"a \\\"b\\\"\""));
    assert_non_null(strstr(text, "\"from_ns\": \"1\""));
    assert_non_null(strstr(text, "\"to_ns\": \"9223372036854775807\""));
    static const char notes[] =
        "\"notes\": [\n    \"offset 1: cut off\",\n    \"2\",\n    \"3\",\n    \"4\"\n  ]";
    assert_non_null(strstr(text, notes));
    assert_non_null(strstr(text, "\"note_count\": 7"));
    http_answer_fini(&answer);
    (void)close(fd);
    assert_int_equal(f->taker.count, 1);
    assert_string_equal(f->taker.name, "a /b.jfr");
    assert_int_equal(f->taker.size, 6);
    assert_memory_equal(f->taker.content, "FLRabc", 6);
    assert_int_equal(metrics_get(METRICS_uploads), taken + 1);
    expect_files(f, 0);
}

static void
test_what_is_refused(void **state)
{
    fixture *f = *state;
    const uint64_t refused = metrics_get(METRICS_uploads_refused);
    expect_post(f, PLACE, "", 403);
    expect_post(f, "/api/v1/uploads", PAGE, 400);
    expect_post(f, "/api/v1/uploads?name=", PAGE, 400);
    expect_post(f, PLACE, PAGE "Sec-Fetch-Site: cross-site\r\n", 403);
    int fd = start_post(f, PLACE, PAGE, HTTP_UPLOAD_BYTES_MAX + 1, "");
    expect_answer(fd, 413);
    (void)close(fd);
    assert_int_equal(metrics_get(METRICS_uploads_refused), refused + 5);
    http_client_expect(f->http->port, "GET", PLACE, 405);
    http_client_expect(f->http->port, "DELETE", PLACE, 405);
    assert_int_equal(f->taker.count, 0);
    expect_files(f, 0);
}

static void
test_what_cannot_be_shown(void **state)
{
    fixture *f = *state;
    static const struct {
        lp_err err;
        int status;
    } cases[] = {{LP_EAGAIN, 503}, {LP_ECLOSED, 503}, {LP_ECORRUPT, 400}, {LP_EIO, 500}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        f->taker.err = cases[i].err;
        http_answer answer = post(f, PLACE, PAGE, "FLR");
        assert_int_equal(answer.status, cases[i].status);
        lp_buf_append(&answer.body, "", 1);
        assert_non_null(strstr((const char *)answer.body.ptr, "there is no recording in it"));
        http_answer_fini(&answer);
        expect_files(f, 0);
    }
    assert_int_equal(rmdir(f->taker.directory), 0);
    expect_post(f, PLACE, PAGE, 500);
    expect_post(f, PLACE, PAGE, 500); // the place is free again
}

static void
test_one_file_at_a_time_comes(void **state)
{
    fixture *f = *state;
    int fd = start_post(f, PLACE, PAGE, 6, "FLR");
    expect_files(f, 1);
    expect_post(f, PLACE, PAGE, 503);
    assert_int_equal(count_files(f), 1);
    http_client_send(fd, "abc");
    expect_answer(fd, 200);
    (void)close(fd);
    expect_post(f, PLACE, PAGE, 200); // at once
    assert_int_equal(f->taker.count, 2);
}

static void
test_a_file_that_is_read_holds_up_nobody(void **state)
{
    fixture *f = *state;
    int fd = hold_post(f);
    expect_post(f, PLACE, PAGE, 503);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        http_client_expect(f->http->port, "GET", "/healthz", 200);
    }
    (void)pthread_mutex_unlock(&f->taker.held);
    expect_answer(fd, 200);
    (void)close(fd);
    assert_int_equal(f->taker.count, 1);
}

static void *
stop(void *arg)
{
    fixture *f = arg;
    http_server_stop(f->http->http);
    f->http->http = NULL;
    return NULL;
}

static void
test_the_end_waits_for_a_file_and_lets_its_client_go(void **state)
{
    fixture *f = *state;
    int fd = hold_post(f);
    pthread_t stopping;
    assert_int_equal(pthread_create(&stopping, NULL, stop, f), 0);
    http_answer answer = http_client_receive(fd, false); // while show still waits
    (void)pthread_mutex_unlock(&f->taker.held);
    assert_int_equal(pthread_join(stopping, NULL), 0);
    assert_true(answer.status == 503 || answer.status == 0); // it may be cut off before
    http_answer_fini(&answer);
    (void)close(fd);
    assert_int_equal(count_files(f), 0);
}

static void
test_a_file_that_does_not_come_is_removed(void **state)
{
    fixture *f = *state;
    const uint64_t refused = metrics_get(METRICS_uploads_refused);
    int fd = start_post(f, PLACE, PAGE, 100, "FLR");
    expect_files(f, 1);
    (void)close(fd);
    expect_files(f, 0);
    assert_int_equal(f->taker.count, 0);
    assert_int_equal(metrics_get(METRICS_uploads_refused), refused + 1);
}

static void
test_a_file_that_comes_too_slowly_is_cut_off(void **state)
{
    fixture *f = *state;
    http_gate_limits limits = http_gate_limits_usual;
    limits.body_ms = SLOW_MS;
    http_fixture_serve_within(f->http, &limits);
    const uint64_t refused = metrics_get(METRICS_uploads_refused);
    int fd = start_post(f, PLACE, PAGE, HTTP_UPLOAD_STEP_BYTES, "FLR");
    // Beside a full load the file may come and go between two looks.
    for (unsigned ms = 0; ms < LIMIT_MS && metrics_get(METRICS_uploads_refused) == refused;
         ms += LOOK_MS) {
        (void)send(fd, "x", 1, MSG_NOSIGNAL);
        (void)poll(NULL, 0, LOOK_MS);
    }
    assert_int_equal(metrics_get(METRICS_uploads_refused), refused + 1); // before the client ends
    (void)close(fd);
    expect_files(f, 0);
    assert_int_equal(f->taker.count, 0);
    assert_int_equal(metrics_get(METRICS_uploads_refused), refused + 1);
}

static void
test_other_collectors_take_none(void **state)
{
    fixture *f = *state;
    f->http->uploads = NULL;
    http_fixture_serve(f->http, NULL, true);
    http_answer answer = post(f, PLACE, PAGE, "FLR");
    assert_int_equal(answer.status, 404);
    lp_buf_append(&answer.body, "", 1);
    assert_non_null(strstr((const char *)answer.body.ptr, "loupe open"));
    http_answer_fini(&answer);
    static const char *const methods[] = {"POST", "PUT"};
    char headers[64];
    (void)snprintf(
        headers, sizeof(headers), PAGE "Content-Length: %d\r\n", HTTP_STRICT_BODY_BYTES_MAX + 1);
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        answer = http_client_ask(f->http->port, methods[i], PLACE, headers);
        assert_int_equal(answer.status, 413);
        http_answer_fini(&answer);
    }
    assert_int_equal(f->taker.count, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_file_is_shown_as_it_came, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_file_at_a_time_comes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_that_is_read_holds_up_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_end_waits_for_a_file_and_lets_its_client_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_that_does_not_come_is_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_that_comes_too_slowly_is_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_collectors_take_none, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
