// SPDX-License-Identifier: Apache-2.0

// The collector put together: what an agent has sent can be shown and downloaded over HTTP while
// its session goes on, and a collector that cannot serve both sides serves neither and leaves the
// data directory free.
//
// However long questions take, batches are acknowledged and compacted. Here they wait for a chunk
// that is a pipe into which nobody writes.
//
// The numbers are those of the events that the test sent.

#include "support/files.h"
#include "support/temp_dir.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/ask/ask_service.h"
#include "collector/base/metrics.h"
#include "collector/collect.h"
#include "collector/session/session.h"

#include <fcntl.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { EVENTS = 10, AWAIT_LIMIT_S = 60 };

static const int64_t START_NS = 1700000000000000000;
static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    temp_dir dir;
    collect *collect; // NULL: not running
} fixture;

static collect_config
make_config(const fixture *f)
{
    return (collect_config){
        .server =
            {
                .agents_url = "tcp://127.0.0.1:0",
                .data_dir = f->dir.path,
                .memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST),
                .idle_ms_max = SERVER_IDLE_MS_MAX,
                .killed_ms_max = SERVER_KILLED_MS_MAX,
                .linger_ms_max = SERVER_LINGER_MS_MAX,
                .lack_ms_max = SERVER_LACK_MS_MAX,
            },
        .http_address = "127.0.0.1:0",
    };
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    const collect_config config = make_config(f);
    lp_problem problem;
    if (collect_start(&config, &f->collect, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    collect_stop(f->collect);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static http_answer
ask(const fixture *f, const char *path, int status)
{
    http_answer answer = http_client_ask(collect_get_http_port(f->collect), "GET", path, "");
    assert_int_equal(answer.status, status);
    assert_true(answer.is_complete);
    return answer;
}

// start_session sends a batch of EVENTS events, acknowledged.
static void
start_session(const fixture *f, wire_client *client, tick_chunk *ticks)
{
    wire_client_open(client, collect_get_agents_url(f->collect), 0x5a);
    assert_int_equal(wire_client_hello(client, 0).status, OK);
    tick_chunk_init(ticks, START_NS);
    for (uint64_t i = 0; i < EVENTS; i++) {
        tick_chunk_add(ticks, i);
    }
    const wire_piece piece = {.ticks = ticks, .duration_ns = SECOND_NS};
    assert_int_equal(wire_client_send(client, &piece).status, OK);
}

static void
test_a_running_session_is_shown_and_downloaded(void **state)
{
    const fixture *f = *state;
    wire_client client = {0};
    tick_chunk ticks;
    start_session(f, &client, &ticks);
    char id[33];
    wire_client_id(&client, id);
    char path[80];
    (void)snprintf(path, sizeof(path), "/api/v1/recordings/%s", id);
    http_answer answer = ask(f, path, 200);
    json_t *json = json_loadb((const char *)answer.body.ptr, answer.body.len, 0, NULL);
    assert_non_null(json);
    assert_true(json_is_true(json_object_get(json, "is_running")));
    assert_true(json_is_true(json_object_get(json, "connected")));
    assert_true(json_integer_value(json_object_get(json, "last_heard_ns")) > START_NS);
    assert_true(json_is_null(json_object_get(json, "ended_how")));
    const json_t *waiting = json_object_get(json, "waiting"); // nothing is compacted for that
    assert_int_equal(json_integer_value(json_object_get(waiting, "chunks")), 1);
    assert_int_equal(json_integer_value(json_object_get(waiting, "duration_ns")), SECOND_NS);
    assert_int_equal(json_integer_value(json_object_get(json, "events_in")), 0);
    json_decref(json);
    http_answer_fini(&answer);

    answer = ask(f, "/api/v1/collector", 200);
    json = json_loadb((const char *)answer.body.ptr, answer.body.len, 0, NULL);
    assert_string_equal(
        json_string_value(json_object_get(json, "agents")), collect_get_agents_url(f->collect));
    json_decref(json);
    http_answer_fini(&answer);

    (void)snprintf(path, sizeof(path), "/api/v1/recordings/%s.jfr", id);
    answer = ask(f, path, 200);
    unsigned counts[EVENTS] = {0};
    assert_int_equal(tick_chunk_count(answer.body.ptr, answer.body.len, counts, EVENTS), 0);
    for (size_t i = 0; i < EVENTS; i++) {
        assert_int_equal(counts[i], 1);
    }
    http_answer_fini(&answer);
    tick_chunk_fini(&ticks);
    wire_client_close(&client);
}

// send_chunk sends a chunk of the session with one event, acknowledged.
static void
send_chunk(wire_client *client, uint32_t chunk, uint64_t sequence, uint64_t number)
{
    tick_chunk ticks = {0};
    tick_chunk_init(&ticks, START_NS + chunk * SESSION_LOOK_AHEAD_NS);
    tick_chunk_add(&ticks, number);
    const wire_piece piece = {.sequence = sequence,
        .chunk = chunk,
        .ticks = &ticks,
        .duration_ns = SESSION_LOOK_AHEAD_NS};
    assert_int_equal(wire_client_send(client, &piece).status, OK);
    tick_chunk_fini(&ticks);
}

// await_chunks returns once so many chunks of the session are stored.
static void
await_chunks(const fixture *f, const char *id, size_t count)
{
    char path[80];
    (void)snprintf(path, sizeof(path), "/api/v1/recordings/%s", id);
    for (size_t found = 0; found != count;) { // ctest's time limit ends it
        http_answer answer = ask(f, path, 200);
        json_t *json = json_loadb((const char *)answer.body.ptr, answer.body.len, 0, NULL);
        found = json_array_size(json_object_get(json, "chunks"));
        json_decref(json);
        http_answer_fini(&answer);
        (void)usleep(1000);
    }
}

// check_described expects that a collector that does not end would say what runs.
static void
check_described(int questions)
{
    char text[400];
    char expected[80];
    collect_describe(text, sizeof(text));
    (void)snprintf(expected, sizeof(expected), "; %d questions; ", questions);
    // A compaction may run as well.
    if (strncmp(text, "serving; ", strlen("serving; ")) != 0 || !strstr(text, expected) ||
        !strstr(text, "HTTP connections")) {
        fail_msg("%s", text);
    }
}

static void
test_questions_hold_up_no_agent(void **state)
{
    const fixture *f = *state;
    wire_client client = {0};
    tick_chunk ticks;
    char id[33];
    char pipe_path[400];
    start_session(f, &client, &ticks);
    tick_chunk_fini(&ticks);
    wire_client_id(&client, id);
    send_chunk(&client, 1, 1, EVENTS);
    await_chunks(f, id, 1);
    (void)snprintf(pipe_path, sizeof(pipe_path), "%s/chunks/%s/0.jfr.zst", f->dir.path, id);
    assert_int_equal(unlink(pipe_path), 0);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);

    int fds[ASK_WORKERS_MAX];
    for (size_t i = 0; i < ASK_WORKERS_MAX; i++) {
        fds[i] = http_client_connect(collect_get_http_port(f->collect));
        http_client_send(fds[i], "GET /api/v1/contexts?whole=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    while (metrics_get(METRICS_asks_running) < ASK_WORKERS_MAX) {
        (void)usleep(1000);
    }
    check_described(ASK_WORKERS_MAX);
    for (uint32_t chunk = 2; chunk < 5; chunk++) {
        send_chunk(&client, chunk, chunk, EVENTS + chunk);
        await_chunks(f, id, chunk);
        http_answer answer = ask(f, "/healthz", 200);
        http_answer_fini(&answer);
    }
    assert_int_equal(metrics_get(METRICS_asks_running), ASK_WORKERS_MAX);

    int writer = open(pipe_path, O_RDWR | O_CLOEXEC); // now they can go on
    assert_true(writer >= 0);
    for (size_t i = 0; i < ASK_WORKERS_MAX; i++) {
        http_answer answer = http_client_receive(fds[i], false);
        assert_int_equal(answer.status, 200);
        json_t *json = json_loadb((const char *)answer.body.ptr, answer.body.len, 0, NULL);
        const json_t *left_out = json_object_get(json, "left_out");
        assert_int_equal(json_integer_value(json_object_get(left_out, "chunks")), 1);
        json_decref(json);
        http_answer_fini(&answer);
        (void)close(fds[i]);
    }
    (void)close(writer);
    wire_client_close(&client);
}

static void
test_it_is_ready_once_it_is_started(void **state)
{
    http_answer answer = ask(*state, "/readyz", 200);
    http_answer_fini(&answer);
}

// await_ready asks until /readyz has this status, and returns the answer.
static http_answer
await_ready(const fixture *f, int status)
{
    for (time_t end = time(NULL) + AWAIT_LIMIT_S; time(NULL) < end;) {
        http_answer answer =
            http_client_ask(collect_get_http_port(f->collect), "GET", "/readyz", "");
        if (answer.status == status) {
            return answer;
        }
        http_answer_fini(&answer);
    }
    fail_msg("/readyz does not become %d", status);
    return (http_answer){0};
}

static void
test_it_is_not_ready_while_no_journal_can_be_written(void **state)
{
    const fixture *f = *state;
    char path[300];
    char moved[300];
    (void)snprintf(path, sizeof(path), "%s/journal", f->dir.path);
    (void)snprintf(moved, sizeof(moved), "%s/elsewhere", f->dir.path);
    assert_int_equal(rename(path, moved), 0);
    http_answer answer = await_ready(f, 503);
    lp_buf_append(&answer.body, "", 1);
    assert_non_null(strstr((const char *)answer.body.ptr, "No such file or directory"));
    http_answer_fini(&answer);
    answer = ask(f, "/healthz", 200);
    http_answer_fini(&answer);
    assert_int_equal(rename(moved, path), 0);
    answer = await_ready(f, 200);
    http_answer_fini(&answer);
}

static void
test_an_address_that_cannot_be_had_leaves_nothing_running(void **state)
{
    fixture *f = *state;
    fixture other = {.dir = temp_dir_make()};
    char used[80];
    lp_problem problem;
    collect_config config = make_config(&other);
    (void)snprintf(used, sizeof(used), "127.0.0.1:%u", collect_get_http_port(f->collect));
    config.http_address = used;
    assert_int_equal(collect_start(&config, &other.collect, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, used));

    config = make_config(&other);
    config.server.agents_url = collect_get_agents_url(f->collect);
    assert_int_equal(collect_start(&config, &other.collect, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, config.server.agents_url));
    config.server.agents_url = "nonsense";
    assert_int_equal(collect_start(&config, &other.collect, &problem), LP_ECORRUPT);

    config = make_config(&other); // nobody holds its directory
    assert_int_equal(collect_start(&config, &other.collect, &problem), LP_OK);
    collect_stop(other.collect);
    temp_dir_remove(&other.dir);
}

static bool
has_file(const fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, name);
    return access(path, F_OK) == 0;
}

static void
restart(fixture *f)
{
    const collect_config config = make_config(f);
    lp_problem problem;
    collect_stop(f->collect);
    assert_int_equal(collect_start(&config, &f->collect, &problem), LP_OK);
}

// Otherwise the next start would skip what this one could not compare.
static void
test_a_clean_end_is_noted_if_the_start_compared_all(void **state)
{
    fixture *f = *state;
    char path[400];
    collect_stop(f->collect);
    f->collect = NULL;
    assert_true(has_file(f, "running.ended") && has_file(f, "chunks/ended"));
    (void)snprintf(path, sizeof(path), "%s/chunks/%032x", f->dir.path, 1);
    files_write(path, "", 0); // instead of a directory
    restart(f);
    assert_false(has_file(f, "running.ended"));
    restart(f);
    assert_false(has_file(f, "running.ended"));
    assert_int_equal(unlink(path), 0);
    restart(f);
    collect_stop(f->collect);
    f->collect = NULL;
    assert_true(has_file(f, "running.ended"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_running_session_is_shown_and_downloaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_questions_hold_up_no_agent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_it_is_ready_once_it_is_started, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_it_is_not_ready_while_no_journal_can_be_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_an_address_that_cannot_be_had_leaves_nothing_running, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_clean_end_is_noted_if_the_start_compared_all, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
