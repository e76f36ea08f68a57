// SPDX-License-Identifier: Apache-2.0
// The pusher against a receiver that answers what a test says, over real connections: what is sent
// again and when, what is not, and what the log and the metrics say of it; that neither a receiver
// that is away nor one that never answers holds up the end; and how the signals share the thread,
// with chunks of the test.

#include "collector/base/gzip.h"
#include "collector/base/metrics.h"
#include "collector/otlp/otlp_chunk.h"
#include "collector/otlp/otlp_pusher.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <arpa/inet.h>
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
#include <unistd.h>

#include <cmocka.h>

#define PROTOBUF      "Content-Type: application/x-protobuf\r\n"
#define LATER         "503 Later\r\nRetry-After: 1\r\n"
#define LATER_AT_ONCE "503 Later\r\n"

enum { LIMIT_MS = 60000, REQUEST_BYTES_MAX = 64 << 10, LOG_BYTES = 4096 };

// --- The log

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static char log_text[LOG_BYTES];

void __wrap_lp_log(lp_log_level level, const char *format, ...);

void
__wrap_lp_log(lp_log_level level, const char *format, ...)
{
    (void)level;
    va_list arguments;
    va_start(arguments, format);
    (void)pthread_mutex_lock(&log_mutex);
    size_t len = strlen(log_text);
    (void)vsnprintf(log_text + len, sizeof(log_text) - len, format, arguments);
    len = strlen(log_text);
    (void)snprintf(log_text + len, sizeof(log_text) - len, "\n");
    (void)pthread_mutex_unlock(&log_mutex);
    va_end(arguments);
}

// assert_logged expects this many lines with a text.
static void
assert_logged(const char *text, size_t count)
{
    (void)pthread_mutex_lock(&log_mutex);
    size_t found = 0;
    for (const char *at = log_text; (at = strstr(at, text)) != NULL; at++) {
        found++;
    }
    if (found != count) {
        fail_msg("%zu times \"%s\" in\n%s", found, text, log_text);
    }
    (void)pthread_mutex_unlock(&log_mutex);
}

// --- The receiver

// Answers of a receiver, in order: status line and headers, as one text. The last one repeats. ""
// never answers.
typedef struct receiver {
    const char *const *answers;
    int fd;
    unsigned port;
    atomic_uint requests;
    atomic_uint turns;     // of the signals: a request after one of the other signal
    bool has_no_profiles;  // they are answered by LATER_AT_ONCE
    bool is_after_profile; // the last request
    int64_t at_ms[16];     // of the first requests
    atomic_bool is_stopping;
    pthread_t thread;
} receiver;

// read_request reads a request to its end. Returns its length.
static size_t
read_request(int fd, char request[REQUEST_BYTES_MAX + 1])
{
    size_t len = 0, whole = SIZE_MAX;
    ssize_t count;
    while (len < whole && (count = read(fd, request + len, REQUEST_BYTES_MAX - len)) > 0) {
        len += (size_t)count;
        request[len] = '\0';
        const char *body = strstr(request, "\r\n\r\n");
        const char *length = strstr(request, "Content-Length: ");
        if (body != NULL && length != NULL) {
            whole = (size_t)(body + 4 - request) + strtoul(length + 16, NULL, 10);
        }
    }
    return len;
}

static void
answer(receiver *self, int fd)
{
    static char request[REQUEST_BYTES_MAX + 1];
    size_t len = read_request(fd, request);
    unsigned number = atomic_load(&self->requests);
    if (len == 0) {
        return;
    }
    lp_buf body = {0};
    const char *gzip = strstr(request, "\r\n\r\n") + 4;
    const lp_slice packed = {(const uint8_t *)gzip, (size_t)(request + len - gzip)};
    assert_int_equal(gzip_expand(packed, &body), LP_OK);
    assert_true(body.len > 0);
    lp_buf_fini(&body);
    if (number < sizeof(self->at_ms) / sizeof(self->at_ms[0])) {
        self->at_ms[number] = lp_time_mono_ms();
    }
    unsigned at = 0;
    while (at < number && self->answers[at + 1] != NULL) {
        at++;
    }
    bool is_profile = strstr(request, "/v1development/profiles") != NULL;
    atomic_fetch_add(&self->turns, is_profile != self->is_after_profile ? 1 : 0);
    self->is_after_profile = is_profile;
    atomic_store(&self->requests, number + 1);
    const char *says = is_profile && self->has_no_profiles ? LATER_AT_ONCE : self->answers[at];
    if (says[0] == '\0') {
        (void)!read(fd, request, 1); // until the pusher gives up
        return;
    }
    (void)dprintf(fd, "HTTP/1.1 %sContent-Length: 0\r\nConnection: close\r\n\r\n", says);
}

static void *
serve(void *arg)
{
    receiver *self = arg;
    while (!atomic_load(&self->is_stopping)) {
        int fd = accept(self->fd, NULL, NULL);
        if (fd >= 0) {
            answer(self, fd);
            (void)close(fd);
        }
    }
    return NULL;
}

static void
receiver_start(receiver *self, const char *const *answers)
{
    *self = (receiver){.answers = answers, .fd = socket(AF_INET, SOCK_STREAM, 0)};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    assert_int_equal(bind(self->fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(self->fd, 8), 0);
    assert_int_equal(getsockname(self->fd, (struct sockaddr *)&address, &size), 0);
    self->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&self->thread, NULL, serve, self), 0);
}

static void
receiver_stop(receiver *self)
{
    atomic_store(&self->is_stopping, true);
    (void)shutdown(self->fd, SHUT_RDWR);
    assert_int_equal(pthread_join(self->thread, NULL), 0);
    (void)close(self->fd);
}

// wait_until waits until a counter has reached a number.
static void
wait_until(uint64_t (*get)(const void *arg), const void *arg, uint64_t number)
{
    for (int64_t end_ms = lp_time_mono_ms() + LIMIT_MS; get(arg) < number;) {
        assert_true(lp_time_mono_ms() < end_ms);
        (void)usleep(1000);
    }
}

static uint64_t
requests_of(const void *arg)
{
    return atomic_load(&((const receiver *)arg)->requests);
}

static uint64_t
metric_of(const void *arg)
{
    return metrics_get(*(const metrics_id *)arg);
}

static void
wait_for_requests(const receiver *self, unsigned count)
{
    wait_until(requests_of, self, count);
}

// --- Chunks

// What becomes of a chunk that is sent, by its ordinal.
enum {
    CHUNK_GOOD,    // a piece
    CHUNK_DELETED, // a piece, but it is deleted before it can be sent again
    CHUNK_SLOW,    // two pieces, and no time for the second at first
    CHUNK_BUSY,    // a piece, but too many read the catalog at first
};

static atomic_uint chunk_waits; // of the pusher

void __wrap_client_http_wait(client_http *http, uint64_t ms);
void __real_client_http_wait(client_http *http, uint64_t ms);
lp_err __wrap_otlp_chunk_send(otlp_chunk *chunk, const otlp_chunk_to *to);

void
__wrap_client_http_wait(client_http *http, uint64_t ms)
{
    atomic_fetch_add(&chunk_waits, 1);
    __real_client_http_wait(http, ms);
}

static lp_err
send_next(otlp_chunk *chunk, const otlp_chunk_to *to)
{
    lp_err err = to->on_piece(to->arg, (lp_slice){(const uint8_t *)"piece", 5});
    chunk->done += err == LP_OK ? 1 : 0;
    return err;
}

lp_err
__wrap_otlp_chunk_send(otlp_chunk *chunk, const otlp_chunk_to *to)
{
    if (chunk->item.ordinal == CHUNK_DELETED && chunk->tries > 0) {
        return LP_ENOENT;
    }
    if (chunk->item.ordinal == CHUNK_BUSY && chunk->tries == 0) {
        return LP_ELIMIT;
    }
    lp_err err = send_next(chunk, to);
    return err == LP_OK && chunk->item.ordinal == CHUNK_SLOW && chunk->done < 2 ? LP_ECLOSED : err;
}

// --- The pusher

typedef struct rig {
    char dir[64];
    char catalog_path[80];
    service_metrics *services;
    chunk_feed *feed;
    ask_store store;
    otlp_target target;
    otlp_pusher *pusher;
} rig;

static void
rig_start(rig *self, unsigned port)
{
    *self = (rig){.dir = "/tmp/test_otlp_pusher.XXXXXX"};
    assert_non_null(mkdtemp(self->dir));
    (void)snprintf(self->catalog_path, sizeof(self->catalog_path), "%s/none", self->dir);
    log_text[0] = '\0';
    self->services = service_metrics_create();
    self->feed = chunk_feed_create();
    service_metrics_add(self->services, "shop", "r", &(compact_stats){0}, NULL);
    self->store = (ask_store){.catalog_path = self->catalog_path};
    char url[64];
    lp_problem problem;
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u", port);
    assert_int_equal(otlp_target_open(url, NULL, &self->target, &problem), LP_OK);
    const otlp_pusher_config config = {.target = &self->target,
        .interval_ms = 1,
        .collector = "here",
        .services = self->services,
        .feed = self->feed,
        .store = &self->store};
    assert_int_equal(otlp_pusher_start(&config, &self->pusher), LP_OK);
}

static void
rig_stop(rig *self)
{
    otlp_pusher_stop(self->pusher);
    otlp_target_close(&self->target);
    chunk_feed_destroy(self->feed);
    service_metrics_destroy(self->services);
    assert_int_equal(rmdir(self->dir), 0);
}

static bool
push(chunk_feed *feed, const char *session_id, uint32_t ordinal)
{
    chunk_feed_item item = {.ordinal = ordinal};
    (void)snprintf(item.session_id, sizeof(item.session_id), "%s", session_id);
    return chunk_feed_push(feed, &item);
}

static uint64_t
counted(metrics_id id)
{
    return metrics_get(id);
}

static void
test_exports_are_sent_again_after_the_wait(void **state)
{
    (void)state;
    static const char *const answers[] = {LATER, "502 Bad\r\n", "200 OK\r\n" PROTOBUF, NULL};
    uint64_t retries = counted(METRICS_otlp_retries_metrics);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    rig_start(&r, to.port);
    wait_for_requests(&to, 5);
    retries = counted(METRICS_otlp_retries_metrics) - retries; // the end can interrupt an export
    rig_stop(&r);
    receiver_stop(&to);
    assert_int_equal(retries, 2);
    assert_true(to.at_ms[1] - to.at_ms[0] >= 1000); // Retry-After is not divided
    assert_logged("sends metrics to http://127.0.0.1:", 1);
    assert_logged("asks to send metrics later, with 503", 1);
    assert_logged("asks to send metrics later, with 502", 1);
    assert_logged("takes metrics again", 1);
}

static void
test_refusals_are_told_once(void **state)
{
    (void)state;
    static const char *const answers[] = {"404 No\r\n", "404 No\r\n", "404 No\r\n", "415 No\r\n",
        "200 OK\r\nContent-Type: text/html\r\n", "204 None\r\n", "204 None\r\n", "400 Bad\r\n",
        "200 OK\r\n" PROTOBUF, NULL};
    uint64_t refused = counted(METRICS_otlp_refused_metrics);
    uint64_t unconfirmed = counted(METRICS_otlp_unconfirmed_metrics);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    rig_start(&r, to.port);
    wait_for_requests(&to, 10);
    rig_stop(&r);
    receiver_stop(&to);
    assert_int_equal(counted(METRICS_otlp_refused_metrics) - refused, 5);
    assert_int_equal(counted(METRICS_otlp_unconfirmed_metrics) - unconfirmed, 2);
    assert_logged("refuses metrics with 404: it has no such path", 1);
    assert_logged("refuses metrics with 415: it does not read protobuf", 1);
    assert_logged("answered metrics with 204, but not as OTLP says", 1);
    assert_logged("refuses metrics with 400", 1);
    assert_logged("takes metrics again", 2); // an empty body of 200 counts, whatever its type
}

static void
test_a_receiver_that_is_away_holds_nobody_up(void **state)
{
    (void)state;
    static const char *const answers[] = {"200 OK\r\n", NULL};
    receiver to;
    rig r;
    receiver_start(&to, answers);
    receiver_stop(&to); // nobody has the port
    uint64_t retries = counted(METRICS_otlp_retries_metrics);
    rig_start(&r, to.port);
    const metrics_id counter = METRICS_otlp_retries_metrics;
    wait_until(metric_of, &counter, retries + 3);
    rig_stop(&r);
    assert_logged("cannot send metrics to http://127.0.0.1:", 1);
}

static void
test_a_receiver_that_never_answers_does_not_hold_up_the_end(void **state)
{
    (void)state;
    static const char *const answers[] = {"", NULL};
    uint64_t left_out = counted(METRICS_otlp_chunks_left_out);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    rig_start(&r, to.port);
    wait_for_requests(&to, 1);
    metrics_add(METRICS_otlp_chunks_waiting, 2);
    assert_true(push(r.feed, "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b", 1));
    assert_true(push(r.feed, "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b", 2));
    rig_stop(&r);
    receiver_stop(&to);
    assert_int_equal(atomic_load(&to.requests), 1);
    assert_logged("Callback aborted", 1); // it did not wait for its own limit
    assert_logged("the collector ends with 2 unsent chunks", 1);
    assert_int_equal(counted(METRICS_otlp_chunks_left_out) - left_out, 2);
    assert_int_equal(counted(METRICS_otlp_chunks_waiting), 0);
}

// push_chunks pushes chunks of an ordinal, as a commit does.
static void
push_chunks(rig *r, uint32_t ordinal, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        metrics_add(METRICS_otlp_chunks_waiting, 1);
        assert_true(push(r->feed, "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b", ordinal));
    }
}

// wait_for_count waits until a metric has grown by count since before.
static void
wait_for_count(metrics_id id, uint64_t before, uint64_t count)
{
    wait_until(metric_of, &id, before + count);
    assert_int_equal(counted(id) - before, count);
}

static void
test_the_thread_rests_after_a_wait_with_nothing_to_send_again(void **state)
{
    (void)state;
    static const char *const answers[] = {"200 OK\r\n", NULL};
    uint64_t left_out = counted(METRICS_otlp_chunks_left_out);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    to.has_no_profiles = true;
    rig_start(&r, to.port);
    push_chunks(&r, CHUNK_DELETED, 1);
    wait_for_count(METRICS_otlp_chunks_left_out, left_out, 1);
    unsigned requests = atomic_load(&to.requests);
    unsigned waits = atomic_load(&chunk_waits);
    wait_for_requests(&to, requests + 20);
    assert_true(atomic_load(&chunk_waits) - waits < 200); // one or two for each export
    rig_stop(&r);
    receiver_stop(&to);
    assert_logged("asks to send profiles later, with 503", 1);
}

static void
test_many_chunks_do_not_hold_metrics_up(void **state)
{
    (void)state;
    enum { CHUNKS = 300 };
    static const char *const answers[] = {"200 OK\r\n", NULL};
    uint64_t sent = counted(METRICS_otlp_chunks_sent);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    rig_start(&r, to.port);
    push_chunks(&r, CHUNK_GOOD, CHUNKS);
    wait_for_count(METRICS_otlp_chunks_sent, sent, CHUNKS);
    assert_true(atomic_load(&to.turns) >= 8); // 3, if they were sent one after the other
    rig_stop(&r);
    receiver_stop(&to);
    assert_int_equal(counted(METRICS_otlp_chunks_waiting), 0);
}

static void
test_chunks_that_can_be_sent_later_are_sent(void **state)
{
    (void)state;
    static const char *const answers[] = {"200 OK\r\n", NULL};
    uint64_t sent = counted(METRICS_otlp_chunks_sent);
    uint64_t left_out = counted(METRICS_otlp_chunks_left_out);
    uint64_t taken = counted(METRICS_otlp_taken_profiles);
    receiver to;
    rig r;
    receiver_start(&to, answers);
    rig_start(&r, to.port);
    push_chunks(&r, CHUNK_SLOW, 1);
    push_chunks(&r, CHUNK_BUSY, 1);
    wait_for_count(METRICS_otlp_chunks_sent, sent, 2);
    rig_stop(&r);
    receiver_stop(&to);
    assert_int_equal(counted(METRICS_otlp_chunks_left_out), left_out);
    assert_int_equal(counted(METRICS_otlp_taken_profiles) - taken, 3);
}

int
main(void)
{
    lp_time_scale_set(100);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exports_are_sent_again_after_the_wait),
        cmocka_unit_test(test_refusals_are_told_once),
        cmocka_unit_test(test_a_receiver_that_is_away_holds_nobody_up),
        cmocka_unit_test(test_a_receiver_that_never_answers_does_not_hold_up_the_end),
        cmocka_unit_test(test_the_thread_rests_after_a_wait_with_nothing_to_send_again),
        cmocka_unit_test(test_many_chunks_do_not_hold_metrics_up),
        cmocka_unit_test(test_chunks_that_can_be_sent_later_are_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
