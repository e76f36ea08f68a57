// SPDX-License-Identifier: Apache-2.0
// How questions over HTTP are answered, against a server over stored chunks made by hand: which
// chunks are opened, what is not stored yet counts, and chunks that cannot be read are left out and
// counted. However many ask and however slow what they wait for, other requests are answered, those
// beyond the limit are refused, and those whose client has left are given up.

#include "support/files.h"
#include "support/large.h"
#include "unit/collector/ask/ask_fixture.h"

#include "collector/ask/ask_service.h"
#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_pending.h"
#include "collector/base/metrics.h"
#include "query/select/frame_filter.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FREE_CLIENTS = 20 };

// What a chunk of make_sampled has.
typedef struct sampled {
    bool is_set; // the period
    const char *id;
} sampled;

// make_sampled makes a chunk with a context of 100 ms with a sample, if it has an id.
static void
make_sampled(lp_buf *out, int64_t start_wall_ns, const sampled *has)
{
    enum { SETTING = 203 };
    jfr_build build;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    types[count++] = (jfr_build_type){.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime",
                       .type = JFR_SAMPLE_LONG,
                       .annotation = JFR_SAMPLE_TIMESTAMP,
                       .annotation_value = "TICKS"},
            {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING}}};
    ask_fixture_begin_chunk(&build, start_wall_ns, types, count);
    if (has->is_set) {
        jfr_build_varint(&build.payload, (uint64_t)start_wall_ns);
        jfr_build_varint(&build.payload, JFR_SAMPLE_EXECUTION);
        jfr_build_string(&build.payload, "period");
        jfr_build_string(&build.payload, "20 ms");
        (void)jfr_build_event(&build, SETTING);
    }
    if (has->id != NULL) {
        jfr_sample_stack(&build, 1);
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION,
                                     .start = start_wall_ns + 50 * MS,
                                     .thread = 1,
                                     .stack = 1});
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_wall_ns,
                                     .end = start_wall_ns + 100 * MS,
                                     .thread = 1,
                                     .text = has->id});
    }
    ask_fixture_end_chunk(&build, out);
}

// store_sampled stores such a chunk; with what its rollup knows of it, if is_known.
static void
store_sampled(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    const sampled *has, bool is_known)
{
    lp_buf bytes = {0};
    rollup sums;
    rollup_init(&sums);
    sums.has_period = has->is_set;
    if (has->id != NULL) {
        rollup_note_begin(&sums, start_wall_ns);
        rollup_note_commits(&sums, start_wall_ns, start_wall_ns + 100 * MS);
    }
    make_sampled(&bytes, start_wall_ns, has);
    ask_fixture_store_bytes(f, session, start_wall_ns, bytes, is_known ? &sums : NULL);
    rollup_fini(&sums);
}

static void
test_chunks_that_cannot_be_read_are_left_out_and_counted(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    for (int i = 0; i < 4; i++) {
        char id[] = {(char)('0' + i), '\0'};
        ask_fixture_store(
            f, &a, a.start_wall_ns + i * SECOND_NS, (ask_trace[]){{0, (4 - i) * MS, id}}, 1);
    }
    ask_fixture_expect_list(f, "", "0 1 2 3", 0);
    uint64_t left_out = metrics_get(METRICS_ask_chunks_left_out);
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1.jfr.zst");
    const char damage[] = "not what the catalog knows";
    assert_int_equal(
        blobs_put(f->blobs, a.id, 3, (lp_slice){(const uint8_t *)damage, sizeof(damage)}, NULL),
        LP_OK);
    ask_fixture_expect_list(f, "", "0 2", 2);
    assert_int_equal(metrics_get(METRICS_ask_chunks_left_out), left_out + 2);
    json_t *why = ask_fixture_json(f, "/api/v1/why", 200);
    assert_int_equal(json_integer_value(json_object_get(why, "requests")), 2);
    json_decref(why);
}

static json_int_t
count_events(const http_fixture *f)
{
    json_t *found = ask_fixture_json(f, "/api/v1/events?event=Trace", 200);
    json_int_t count = (json_int_t)json_array_size(json_object_get(found, "rows"));
    assert_int_equal(
        ask_fixture_number(json_object_get(found, "left_out"), "chunks"), count == 3 ? 0 : 1);
    assert_in_range(count, 2, 3);
    json_decref(found);
    return count;
}

// Whichever byte of a chunk changed, no answer has anything of it, and each says so.
static void
test_a_chunk_with_a_flipped_bit_is_left_out_and_counted(void **state)
{
    http_fixture *f = *state;
    char path[500];
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    for (int i = 0; i < 3; i++) {
        char id[] = {(char)('0' + i), '\0'};
        ask_fixture_store(
            f, &a, a.start_wall_ns + i * SECOND_NS, (ask_trace[]){{0, (4 - i) * MS, id}}, 1);
    }
    (void)snprintf(path, sizeof(path), "%s/blobs/%s/1.jfr.zst", f->dir.path, a.id);
    unsigned tries = 0;
    unsigned harmless = 0; // of which nothing depends
    for (off_t at = 0; at < files_size(path); at += is_large ? 3 : 31) {
        files_flip(path, at, 4);
        bool is_whole = count_events(f) == 3;
        ask_fixture_expect_list(f, "", is_whole ? "0 1 2" : "0 2", is_whole ? 0 : 1);
        files_flip(path, at, 4); // as it was
        harmless += is_whole ? 1 : 0;
        tries++;
    }
    assert_true(harmless < tries / 10);
    ask_fixture_expect_list(f, "", "0 1 2", 0);
    assert_int_equal(count_events(f), 3);
}

static void
test_a_chunk_over_the_limit_truncates_the_answer(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    ask_fixture_store(f, &a, a.start_wall_ns, (ask_trace[]){{0, 4 * MS, "0"}}, 1);
    const catalog_chunk large = {
        .ordinal = 1,
        .start_wall_ns = a.start_wall_ns + SECOND_NS,
        .duration_ns = SECOND_NS,
        .size_bytes = (uint64_t)ASK_CHUNK_BYTES_MAX + 1,
        .types_json = "{}",
        .ids = http_fixture_no_ids(f),
    };
    a.next_chunk = 2;
    assert_int_equal(catalog_add_chunk(f->catalog, &a, &large, (lp_slice){0}), LP_OK);
    json_t *found = ask_fixture_json(f, "/api/v1/contexts", 200);
    assert_int_equal(ask_fixture_number(json_object_get(found, "left_out"), "chunks"), 1);
    assert_int_equal(ask_fixture_number(found, "matched"), 1);
    assert_true(json_is_true(json_object_get(found, "is_truncated")));
    json_decref(found);
}

// Chunks that are far from the range are not looked at: those are not there.
static void
test_a_time_range_opens_the_chunks_around_it(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.end_wall_ns = a.start_wall_ns + 10 * HOUR_NS;
    http_fixture_put(f, &a);
    for (int i = 0; i < 10; i++) {
        char id[] = {(char)('0' + i), '\0'};
        ask_fixture_store(f, &a, a.start_wall_ns + i * HOUR_NS, (ask_trace[]){{0, MS, id}}, 1);
    }
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/2.jfr.zst");
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/7.jfr.zst");
    char query[200];
    (void)snprintf(query, sizeof(query), "sort=start&from=%" PRId64 "&to=%" PRId64,
        a.start_wall_ns + 4 * HOUR_NS, a.start_wall_ns + 5 * HOUR_NS + 1);
    ask_fixture_expect_list(f, query, "4 5", 0);
    (void)snprintf(query, sizeof(query), "sort=start&from=%" PRId64, a.start_wall_ns + 4 * HOUR_NS);
    ask_fixture_expect_list(f, query, "4 5 6 8 9", 1);
    (void)snprintf(query, sizeof(query), "sort=start&to=%" PRId64, a.start_wall_ns + 4 * HOUR_NS);
    ask_fixture_expect_list(f, query, "0 1 3", 1);
}

// expect_cpu expects a sample of 20 ms in a context of 100 ms.
static void
expect_cpu(const http_fixture *f, const char *query)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/why?%s", query);
    json_t *why = ask_fixture_json(f, path, 200);
    assert_int_equal(ask_fixture_number(why, "requests"), 1);
    assert_int_equal(ask_fixture_number(json_object_get(why, "left_out"), "chunks"), 0);
    const json_t *slices = json_object_get(why, "slices");
    assert_int_equal(json_array_size(slices), 2);
    const json_t *cpu = json_array_get(slices, 0);
    assert_string_equal(json_string_value(json_object_get(cpu, "category")), "cpu");
    assert_int_equal(ask_fixture_number(cpu, "total_ns"), 20 * MS);
    json_decref(why);
}

// expect_slice checks a row of why.
static void
expect_slice(const json_t *why, size_t index, const char *category, int64_t total_ns)
{
    const json_t *slice = json_array_get(json_object_get(why, "slices"), index);
    assert_string_equal(json_string_value(json_object_get(slice, "category")), category);
    assert_int_equal(ask_fixture_number(slice, "total_ns"), total_ns);
}

static void
test_why_has_the_rows_of_frames(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    store_sampled(f, &a, a.start_wall_ns, &(sampled){true, "a"}, true);
    json_t *why = ask_fixture_json(f, "/api/v1/why?frame=method1$", 200);
    expect_slice(why, 0, "cpu", 20 * MS);
    expect_slice(why, 1, "other_frames", 0);
    expect_slice(why, 2, "unaccounted", 80 * MS);
    json_decref(why);
    why = ask_fixture_json(f, "/api/v1/why?frame=method2&app=pack", 200);
    expect_slice(why, 0, "other_frames", 20 * MS);
    expect_slice(why, 1, "unaccounted", 80 * MS);
    json_decref(why);
}

// A JVM has its settings in its first chunk alone. Only that and those of the range are opened: the
// others are not there.
static void
test_the_period_of_samples_is_that_of_a_chunk_far_before(void **state)
{
    http_fixture *f = *state;
    const sampled kinds[] = {{.is_set = true}, {.id = "a"}, {.id = "b"}, {.id = "c"}};
    for (int session = 0; session < 2; session++) {
        catalog_session a = http_fixture_session((char)('a' + session), "shop");
        a.end_wall_ns = a.start_wall_ns + 10 * HOUR_NS;
        http_fixture_put(f, &a);
        for (int i = 0; i < 4; i++) {
            int64_t start_wall_ns = a.start_wall_ns + 3 * i * HOUR_NS;
            store_sampled(f, &a, start_wall_ns, &kinds[i], session == 0);
        }
        char name[100];
        for (int i = 1; i < 3; i++) {
            (void)snprintf(name, sizeof(name), "%s/%d.jfr.zst", a.id, i);
            ask_fixture_remove_chunk(f, name);
        }
        char query[200];
        (void)snprintf(query, sizeof(query),
            "recording=%s&max_duration_ns=1000000000&from=%" PRId64, a.id,
            a.start_wall_ns + 9 * HOUR_NS);
        expect_cpu(f, query);
    }
}

static void
test_what_is_not_stored_yet_counts(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    ask_fixture_store(f, &a, a.start_wall_ns, (ask_trace[]){{0, 5 * MS, "stored"}}, 1);
    // It is in the snapshot as well, which is as old as the first chunk.
    ask_fixture_store(
        f, &a, a.start_wall_ns + SECOND_NS, (ask_trace[]){{0, 4 * MS, "committed"}}, 1);
    ask_fixture_make_chunk(
        &f->server.tail, a.start_wall_ns + SECOND_NS, (ask_trace[]){{0, 4 * MS, "committed"}}, 1);
    ask_fixture_make_chunk(
        &f->server.tail, a.start_wall_ns + 2 * SECOND_NS, (ask_trace[]){{0, 3 * MS, "pending"}}, 1);
    f->server.err = LP_OK;
    f->server.next_chunk = 1;
    ask_fixture_expect_list(f, "", "stored committed pending", 0);
    ask_fixture_expect_list(f, "service=shop&where=traceId%3Dpending", "pending", 0);

    f->server.err = LP_EIO; // what is pending is left out then
    ask_fixture_expect_list(f, "", "stored committed", 1);
    f->server.err = LP_ENOENT; // it ended: all of it is stored
    ask_fixture_expect_list(f, "", "stored committed", 0);
    f->server.err = LP_ENOMEM;
    json_decref(ask_fixture_json(f, "/api/v1/contexts", 503));
}

static bool
is_never_gone(void *arg)
{
    (void)arg;
    return false;
}

static void
on_answer(void *arg, ask_answer *answer)
{
    atomic_store((_Atomic(ask_answer *) *)arg, answer);
}

// answer_by answers a question by a service; name may be NULL, for no parameter.
static ask_answer *
answer_by(ask_service *service, const char *path, const char *name, const char *value)
{
    const char *rest;
    ask_query *query;
    _Atomic(ask_answer *) given = NULL;
    ask_answer *answer;
    lp_problem problem;
    const ask_route *route = ask_routes_find(path, &rest);
    assert_int_equal(ask_query_create(route, rest, false, &query, NULL), LP_OK);
    if (name != NULL) {
        assert_int_equal(ask_query_set(query, name, value, &problem), LP_OK);
    }
    ask_service_ask(service, query,
        (ask_client){.is_gone = is_never_gone, .on_answer = on_answer, .arg = &given});
    while ((answer = atomic_load(&given)) == NULL) { // ctest's time limit ends it
        (void)usleep(1000);
    }
    return answer;
}

// answer_with answers a question by a service of its own.
static ask_answer *
answer_with(const ask_store *store, const char *path, const char *name, const char *value)
{
    ask_service *service;
    assert_int_equal(ask_service_start(store, &service), LP_OK);
    ask_answer *answer = answer_by(service, path, name, value);
    ask_service_stop(service);
    return answer;
}

// No file is written, and nothing is read, for a slice that is refused: it does not find out that
// its chunk is gone.
static void
test_a_slice_is_refused_before_its_chunks_are_read(void **state)
{
    http_fixture *f = *state;
    const ask_store store = {.answer_ns_max = INT64_MAX / 2,
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .snapshots = f->snapshots,
        .ids = f->ids};
    catalog_session a = http_fixture_session('a', "shop");
    ask_service *service;
    ask_answer *answers[ASK_FILES_MAX];
    http_fixture_put(f, &a);
    ask_fixture_store(f, &a, a.start_wall_ns, (ask_trace[]){{0, MS, "t"}}, 1);
    assert_int_equal(ask_service_start(&store, &service), LP_OK);
    for (size_t i = 0; i < ASK_FILES_MAX; i++) {
        answers[i] =
            answer_by(service, "slice.jfr", "context-style", i % 2 == 0 ? "ref" : "events");
        assert_int_equal(answers[i]->err, LP_OK);
    }
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/0.jfr.zst");
    uint64_t refused = metrics_get(METRICS_asks_refused);
    ask_answer *last = answer_by(service, "slice.jfr", "context-style", "fields");
    assert_int_equal(last->err, LP_EAGAIN);
    assert_int_equal(metrics_get(METRICS_asks_refused), refused + 1);
    ask_answer_destroy(last);
    ask_answer_destroy(answers[0]);
    for (size_t i = 0; i < 2; i++) { // one that finds nothing leaves its place
        last = answer_by(service, "slice.jfr", "context-style", "fields");
        assert_int_equal(last->err, LP_ENOENT);
        ask_answer_destroy(last);
    }
    for (size_t i = 1; i < ASK_FILES_MAX; i++) {
        ask_answer_destroy(answers[i]);
    }
    ask_service_stop(service);
}

static void
test_a_question_that_takes_too_long_is_given_up(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    const ask_store too_long = {.answer_ns_max = -1,
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .snapshots = f->snapshots};
    ask_answer *answer = answer_with(&too_long, "why", NULL, NULL);
    assert_int_equal(answer->err, LP_ELIMIT);
    assert_string_equal(answer->problem.text, "answering takes longer than 120 s: ask for less");
    ask_answer_destroy(answer);
}

static void
test_an_expression_for_frames_has_a_limit(void **state)
{
    static const char *const paths[] = {"flamegraph", "slice.collapsed", "slice.pprof", "why"};
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    store_sampled(f, &a, a.start_wall_ns, &(sampled){true, "a"}, true);
    ask_store store = {.answer_ns_max = INT64_MAX / 2,
        .frame_steps_max = 10,
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .snapshots = f->snapshots,
        .ids = f->ids};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        uint64_t before = metrics_get(METRICS_ask_frames_exceeded);
        ask_answer *answer = answer_with(&store, paths[i], "frame", "x*y");
        assert_int_equal(answer->err, LP_ELIMIT);
        assert_non_null(strstr(answer->problem.text, "takes more than 10 steps"));
        assert_int_equal(metrics_get(METRICS_ask_frames_exceeded), before + 1);
        ask_answer_destroy(answer);
    }
    store.frame_steps_max = QUERY_FRAME_FILTER_STEPS_MAX;
    ask_answer *answer = answer_with(&store, paths[0], "frame", "x*y");
    assert_int_equal(answer->err, LP_OK);
    ask_answer_destroy(answer);
}

// await returns once a metric has a value; ctest's time limit ends it.
static void
await(metrics_id id, uint64_t value)
{
    while (metrics_get(id) != value) {
        (void)usleep(1000);
    }
}

// put_running puts a running recording whose snapshots are held, so that questions about it take as
// long as the test wants.
static void
put_running(http_fixture *f)
{
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    f->server.is_held = true;
}

static unsigned
held_count(http_fixture *f)
{
    (void)pthread_mutex_lock(&f->server.mutex);
    unsigned count = f->server.held_count;
    (void)pthread_mutex_unlock(&f->server.mutex);
    return count;
}

static void
put_several_running(http_fixture *f, int count)
{
    for (int i = 0; i < count; i++) {
        catalog_session session = http_fixture_session((char)('a' + i), "shop");
        session.is_ended = false;
        http_fixture_put(f, &session);
    }
}

// expect_held waits until as many requests for snapshots are held, and checks of what kind they
// are.
static void
expect_held(http_fixture *f, unsigned count, snapshot_kind kind)
{
    while (held_count(f) < count) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    assert_int_equal(held_count(f), count);
    (void)pthread_mutex_lock(&f->server.mutex);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(f->server.held[i].kind, kind);
    }
    (void)pthread_mutex_unlock(&f->server.mutex);
}

static void
test_a_question_of_few_recordings_is_not_wide(void **state)
{
    http_fixture *f = *state;
    put_several_running(f, ASK_PENDING_AT_ONCE);
    f->server.err = LP_ENOENT;
    f->server.is_held = true;
    int fd = http_client_connect(f->port);
    http_client_send_get(fd, "/api/v1/why");
    expect_held(f, ASK_PENDING_AT_ONCE, SNAPSHOT_JFR);
    http_fixture_open(f);
    http_answer answer = http_client_receive(fd, false);
    json_decref(ask_fixture_take_json(&answer, 200));
    assert_int_equal(close(fd), 0);
}

static void
test_snapshots_are_made_side_by_side(void **state)
{
    enum { RUNNING = ASK_PENDING_AT_ONCE + 2 };
    http_fixture *f = *state;
    put_several_running(f, RUNNING);
    catalog_session first = http_fixture_session('a', "shop");
    ask_fixture_make_orders(&f->server.tail, first.start_wall_ns, true);
    f->server.err = LP_OK;
    f->server.is_held = true;
    int fd = http_client_connect(f->port);
    http_client_send_get(fd, "/api/v1/ids/43");
    expect_held(f, ASK_PENDING_AT_ONCE, SNAPSHOT_WIDE);
    http_fixture_open(f); // the others are asked for as soon as these are there
    http_answer answer = http_client_receive(fd, false);
    json_t *found = ask_fixture_take_json(&answer, 200);
    assert_int_equal(json_array_size(json_object_get(found, "rows")), RUNNING);
    json_decref(found);
    assert_int_equal(close(fd), 0);
}

static void
test_questions_hold_up_nobody_else(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    int fds[ASK_WORKERS_MAX + ASK_WAITING_MAX];
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        fds[i] = http_client_connect(f->port);
        http_client_send_get(fds[i], "/api/v1/why");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, ASK_WAITING_MAX);
    for (int i = 0; i < FREE_CLIENTS; i++) {
        json_decref(ask_fixture_json(f, "/healthz", 200));
        json_decref(ask_fixture_json(f, "/api/v1/recordings", 200));
        json_decref(ask_fixture_json(f, "/api/v1/why?limit=1", 400)); // no place is needed for that
        json_decref(ask_fixture_json(f, "/api/v1/services", 200));
        json_decref(ask_fixture_json(f, "/api/v1/contexts?instance=another", 200));
    }
    http_answer refused = http_client_ask(f->port, "GET", "/api/v1/contexts", "");
    assert_int_equal(refused.status, 503);
    assert_string_equal(http_client_find_header(&refused, "Retry-After"), "1");
    json_decref(ask_fixture_take_json(&refused, 503));

    http_fixture_open(f);
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        http_answer answer = http_client_receive(fds[i], false);
        json_t *why = ask_fixture_take_json(&answer, 200);
        assert_int_equal(json_integer_value(json_object_get(why, "requests")), 0);
        json_decref(why);
        assert_int_equal(close(fds[i]), 0);
    }
    json_decref(ask_fixture_json(f, "/api/v1/contexts", 200));
    assert_int_equal(metrics_get(METRICS_asks_running), 0);
}

static void
test_questions_of_clients_that_leave_are_given_up(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    uint64_t cancelled = metrics_get(METRICS_asks_cancelled);
    int fds[ASK_WORKERS_MAX + 3];
    size_t count = sizeof(fds) / sizeof(fds[0]);
    for (size_t i = 0; i < count; i++) {
        fds[i] = http_client_connect(f->port);
        http_client_send_get(fds[i], "/api/v1/why");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    await(METRICS_asks_cancelled, cancelled + count); // although what they wait for never comes
    await(METRICS_asks_running, 0);
    http_fixture_open(f); // too late, and does no harm
    json_decref(ask_fixture_json(f, "/api/v1/why", 200));
}

static void
test_stopping_does_not_wait_for_questions(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    int fds[ASK_WORKERS_MAX + 1];
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        fds[i] = http_client_connect(f->port);
        http_client_send_get(fds[i], "/api/v1/contexts");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, 1);
    http_server_stop(f->http);
    f->http = NULL;
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        http_answer answer = http_client_receive(fds[i], false);
        assert_true(answer.status == 503 || answer.status == 0);
        http_answer_fini(&answer);
        assert_int_equal(close(fds[i]), 0);
    }
    http_fixture_open(f); // comes too late, and does no harm
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_that_cannot_be_read_are_left_out_and_counted),
        TEST(test_a_chunk_with_a_flipped_bit_is_left_out_and_counted),
        TEST(test_a_chunk_over_the_limit_truncates_the_answer),
        TEST(test_a_time_range_opens_the_chunks_around_it),
        TEST(test_why_has_the_rows_of_frames),
        TEST(test_the_period_of_samples_is_that_of_a_chunk_far_before),
        TEST(test_what_is_not_stored_yet_counts),
        TEST(test_a_question_that_takes_too_long_is_given_up),
        TEST(test_a_slice_is_refused_before_its_chunks_are_read),
        TEST(test_an_expression_for_frames_has_a_limit),
        TEST(test_a_question_of_few_recordings_is_not_wide),
        TEST(test_snapshots_are_made_side_by_side),
        TEST(test_questions_hold_up_nobody_else),
        TEST(test_questions_of_clients_that_leave_are_given_up),
        TEST(test_stopping_does_not_wait_for_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
