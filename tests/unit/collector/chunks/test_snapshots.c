// SPDX-License-Identifier: Apache-2.0

// Snapshots: totals are read without compacting anything. All requests share one snapshot while it
// is made or kept, but none that was made before the session ended. A cancelled request is answered
// at once, without effect on others, and cancelled requests leave no work behind. A failed snapshot
// is empty.
// Wide snapshots, however many or slow, and however little memory there is, delay neither other
// requests nor the compaction of batches. While a narrow one is made, few wide ones start.
//
// The metric of snapshots counts the compactions.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/chunks/chunk_task.h"
#include "collector/chunks/snapshots.h"
#include "collector/session/session.h"
#include "collector/store/catalog/catalog_owners.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { EVENTS_MAX = 20 };

static const int64_t START_NS = 1700000000000000000;
static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    uint64_t sequence;  // of the next batch
    uint64_t number;    // of the next event
    uint64_t compacted; // the metric, as the test knows it
} fixture;

static int
set_up_with(void **state, uint64_t snapshot_kept_ms, uint64_t job_bytes, const char *node)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    f->rig.snapshot_kept_ms = snapshot_kept_ms;
    f->rig.job_bytes = job_bytes;
    f->rig.node = node;
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    f->compacted = metrics_get(METRICS_snapshots);
    *state = f;
    return 0;
}

static int
set_up(void **state)
{
    return set_up_with(state, 0, 0, NULL);
}

// set_up_keeping keeps snapshots longer than the test takes.
static int
set_up_keeping(void **state)
{
    return set_up_with(state, 3600 * 1000, 0, NULL);
}

// set_up_short gives memory for four jobs.
static int
set_up_short(void **state)
{
    return set_up_with(state, 0, 9 * (uint64_t)CHUNK_TASK_BYTES_LEAST / 2, NULL);
}

// set_up_shared begins one of several collectors.
static int
set_up_shared(void **state)
{
    return set_up_with(state, 0, 0, "one");
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

// send_events adds count events to the chunk and sends them.
static void
send_events(fixture *f, uint32_t chunk, tick_chunk *ticks, unsigned count, int64_t duration_ns)
{
    if (ticks->bytes.len == 0) {
        tick_chunk_init(ticks, START_NS + chunk * SECOND_NS);
    }
    wire_piece piece = wire_piece_take(ticks, f->number, count);
    f->number += count;
    piece.sequence = f->sequence++;
    piece.chunk = chunk;
    piece.duration_ns = duration_ns;
    assert_int_equal(wire_client_send(&f->client, &piece).status, OK);
}

// expect_events takes a snapshot, expects this number of further compactions, and expects all
// events sent since the first `stored`, in next_chunk chunks.
static snapshot *
expect_events(fixture *f, uint32_t next_chunk, uint64_t stored, unsigned compacted)
{
    unsigned counts[EVENTS_MAX] = {0};
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    f->compacted += compacted;
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(taken->next_chunk, next_chunk);
    assert_int_equal(collector_rig_count_pending(taken, counts, EVENTS_MAX), 0);
    for (uint64_t i = 0; i < EVENTS_MAX; i++) {
        assert_int_equal(counts[i], i >= stored && i < f->number);
    }
    return taken;
}

static void
test_totals_are_read_without_compacting(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    tick_chunk_fini(&ticks);
    snapshot *totals = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_TOTALS);
    assert_int_equal(totals->err, LP_OK);
    assert_int_equal(totals->next_chunk, 0);
    assert_int_equal(totals->totals.events_in, 0);
    assert_int_equal(totals->waiting.chunks, 1);
    assert_int_equal(totals->waiting.duration_ns, SECOND_NS);
    assert_true(totals->waiting.journal_bytes > 0);
    assert_int_equal(totals->chunks.count, 0);
    snapshot_unref(totals);

    ticks = (tick_chunk){0};
    send_events(f, 1, &ticks, 4, SESSION_LOOK_AHEAD_NS); // the chunk before is due by now
    tick_chunk_fini(&ticks);
    collector_rig_await(&f->rig, f->id, 1, false);
    totals = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_TOTALS);
    assert_int_equal(totals->next_chunk, 1);
    assert_int_equal(totals->totals.events_in, 5);
    assert_int_equal(totals->waiting.chunks, 1);
    assert_int_equal(totals->waiting.duration_ns, SESSION_LOOK_AHEAD_NS);
    snapshot_unref(totals);
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted);
    snapshot_unref(expect_events(f, 1, 5, 1));
}

static void
test_what_is_not_kept_has_all_that_came(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    snapshot_unref(expect_events(f, 0, 0, 0)); // nothing is there
    send_events(f, 0, &ticks, 5, SECOND_NS);
    snapshot_unref(expect_events(f, 0, 0, 1));
    send_events(f, 0, &ticks, 3, SECOND_NS);
    snapshot_unref(expect_events(f, 0, 0, 1));
    tick_chunk_fini(&ticks);
}

static void
test_a_snapshot_is_kept_for_those_who_come_soon(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    snapshot *first = expect_events(f, 0, 0, 1);
    send_events(f, 0, &ticks, 3, SECOND_NS);
    for (int i = 0; i < 3; i++) {
        snapshot *again = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
        assert_ptr_equal(again, first);
        snapshot_unref(again);
    }
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted);
    snapshot_unref(first);
    tick_chunk_fini(&ticks);
}

static void
test_those_of_wide_questions_are_in_files(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        snapshot *made =
            collector_rig_snapshot(&f->rig, f->id, is_wide ? SNAPSHOT_WIDE : SNAPSHOT_JFR);
        assert_int_equal(made->err, LP_OK);
        assert_int_equal(made->chunks.count, 1);
        assert_true((snapshot_lend_chunk(made, 0).ptr == NULL) == is_wide);
        assert_true((made->fd >= 0) == is_wide);
        snapshot_unref(made);
    }
    tick_chunk_fini(&ticks);
}

// block_storing puts a file in place of the session's directory of chunks: no chunk can be stored,
// and all stay.
static void
block_storing(const fixture *f)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/chunks/%s", f->rig.dir.path, f->id);
    FILE *in_the_way = fopen(path, "w");
    assert_non_null(in_the_way);
    (void)fclose(in_the_way);
}

static void
test_what_was_made_before_the_end_is_not_kept(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    block_storing(f);
    send_events(f, 0, &ticks, 5, SECOND_NS);
    snapshot_unref(expect_events(f, 0, 0, 1));
    send_events(f, 0, &ticks, 3, SECOND_NS);
    const wire_piece last = {.sequence = f->sequence, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    snapshot_unref(expect_events(f, 0, 0, 1));
    snapshot_unref(expect_events(f, 0, 0, 0));
    tick_chunk_fini(&ticks);
}

// A request and its answers.
typedef struct asked {
    atomic_int answer_count;
    _Atomic(snapshot *) snapshot; // the last answer
} asked;

static void
on_snapshot(void *arg, snapshot *taken)
{
    asked *a = arg;
    atomic_store(&a->snapshot, taken);
    atomic_fetch_add(&a->answer_count, 1);
}

static snapshot *
await_answer(asked *a)
{
    while (atomic_load(&a->answer_count) == 0) { // ctest's time limit ends it
        (void)usleep(1000);
    }
    assert_int_equal(atomic_load(&a->answer_count), 1);
    return atomic_load(&a->snapshot);
}

static void
test_a_request_that_is_taken_back_disturbs_nobody(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    asked requests[6] = {0};
    uint64_t tickets[6];
    for (size_t i = 0; i < 6; i++) {
        tickets[i] =
            server_request_snapshot(f->rig.server, f->id, SNAPSHOT_JFR, on_snapshot, &requests[i]);
    }
    for (size_t i = 0; i < 6; i += 2) {
        server_cancel_snapshot(f->rig.server, f->id, tickets[i]);
        server_cancel_snapshot(f->rig.server, f->id, tickets[i]); // it is answered by then
    }
    for (size_t i = 0; i < 6; i++) {
        snapshot *taken = await_answer(&requests[i]);
        // A cancelled request may have been answered before.
        assert_true(taken->err == LP_OK || (taken->err == LP_ECLOSED && i % 2 == 0));
        snapshot_unref(taken);
    }
    // All are cancelled, and the next request gets a whole snapshot.
    asked left = {0};
    uint64_t ticket =
        server_request_snapshot(f->rig.server, f->id, SNAPSHOT_JFR, on_snapshot, &left);
    server_cancel_snapshot(f->rig.server, f->id, ticket);
    snapshot *whole = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(whole->err, LP_OK);
    unsigned counts[EVENTS_MAX] = {0};
    assert_int_equal(collector_rig_count_pending(whole, counts, EVENTS_MAX), 0);
    assert_int_equal(counts[4], 1);
    snapshot_unref(whole);
    snapshot_unref(await_answer(&left));
    tick_chunk_fini(&ticks);
}

// break_reading makes every read of a chunk's journal fail: it replaces it by a directory.
static void
break_reading(const fixture *f, uint32_t chunk)
{
    char path[sizeof(f->rig.dir.path) + 2 * CATALOG_ID_CHARS];
    char aside[sizeof(path) + 10];
    (void)snprintf(path, sizeof(path), "%s/journal/%s/%u.log", f->rig.dir.path, f->id, chunk);
    (void)snprintf(aside, sizeof(aside), "%s/aside", f->rig.dir.path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void
test_a_snapshot_that_fails_half_way_is_empty(void **state)
{
    fixture *f = *state;
    block_storing(f); // the first chunk stays with the two that come after it
    for (uint32_t chunk = 0; chunk < 3; chunk++) {
        tick_chunk ticks = {0};
        send_events(f, chunk, &ticks, 5, SECOND_NS);
        tick_chunk_fini(&ticks);
    }
    snapshot_unref(expect_events(f, 0, 0, 1));

    // The first chunk is compacted with the second as look-ahead, before the third is read.
    break_reading(f, 2);
    snapshot *failed = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(failed->err, LP_EIO);
    assert_int_equal(failed->chunks.count, 0);
    snapshot_unref(failed);
}

// A session whose snapshot blocks until the test continues: its journal is a pipe, which opens once
// the test writes to it.
typedef struct stuck {
    wire_client client;
    char id[33];
    char path[300];
    char aside[310];
    int writer; // of the pipe
    asked request;
} stuck;

// begin_session begins another session, with an event.
static void
begin_session(const fixture *f, wire_client *client, uint8_t session_byte, char out_id[33])
{
    tick_chunk ticks = {0};
    wire_client_open(client, f->rig.agents_url, session_byte);
    wire_client_id(client, out_id);
    assert_int_equal(wire_client_hello(client, 0).status, OK);
    tick_chunk_init(&ticks, START_NS);
    tick_chunk_add(&ticks, 0);
    const wire_piece piece = {.ticks = &ticks, .duration_ns = SECOND_NS};
    assert_int_equal(wire_client_send(client, &piece).status, OK);
    tick_chunk_fini(&ticks);
}

static void
stick(const fixture *f, stuck *s, uint8_t session_byte)
{
    begin_session(f, &s->client, session_byte, s->id);
    (void)snprintf(s->path, sizeof(s->path), "%s/journal/%s/0.log", f->rig.dir.path, s->id);
    (void)snprintf(s->aside, sizeof(s->aside), "%s.aside", s->path);
    assert_int_equal(rename(s->path, s->aside), 0);
    assert_int_equal(mkfifo(s->path, 0600), 0);
}

// unstick lets the snapshot continue, which fails because of the pipe, and waits for it.
static void
unstick(stuck *s)
{
    s->writer = open(s->path, O_RDWR | O_CLOEXEC);
    assert_true(s->writer >= 0);
    snapshot *failed = await_answer(&s->request);
    assert_int_equal(failed->err, LP_EIO);
    snapshot_unref(failed);
    assert_int_equal(rename(s->aside, s->path), 0);
    assert_int_equal(close(s->writer), 0);
    wire_client_close(&s->client);
}

static void
test_a_storm_of_requests_that_are_taken_back_leaves_nothing(void **state)
{
    enum { STORM = 200 };
    fixture *f = *state;
    stuck others[SNAPSHOTS_AT_ONCE] = {0};
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    for (uint8_t i = 0; i < SNAPSHOTS_AT_ONCE; i++) {
        stick(f, &others[i], (uint8_t)(0x10 + i));
        (void)server_request_snapshot(
            f->rig.server, others[i].id, SNAPSHOT_JFR, on_snapshot, &others[i].request);
    }
    while (metrics_get(METRICS_snapshots) != f->compacted + SNAPSHOTS_AT_ONCE) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    f->compacted += SNAPSHOTS_AT_ONCE;
    uint64_t given_up = metrics_get(METRICS_snapshots_given_up);
    asked storm[STORM] = {0};
    for (size_t i = 0; i < STORM; i++) {
        uint64_t ticket =
            server_request_snapshot(f->rig.server, f->id, SNAPSHOT_JFR, on_snapshot, &storm[i]);
        server_cancel_snapshot(f->rig.server, f->id, ticket);
        snapshot *taken = await_answer(&storm[i]);
        assert_int_equal(taken->err, LP_ECLOSED);
        snapshot_unref(taken);
    }
    asked last = {0}; // gets the snapshot of the others
    (void)server_request_snapshot(f->rig.server, f->id, SNAPSHOT_JFR, on_snapshot, &last);
    snapshot *none = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_TOTALS); // it was heard
    snapshot_unref(none);
    for (size_t i = 0; i < SNAPSHOTS_AT_ONCE; i++) {
        unstick(&others[i]);
    }
    snapshot *taken = await_answer(&last);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(taken->chunks.count, 1);
    snapshot_unref(taken);
    f->compacted++;
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted);
    assert_int_equal(metrics_get(METRICS_snapshots_given_up), given_up);
    tick_chunk_fini(&ticks);
}

// check_nobody_waits requests more wide snapshots than run at once. None ends before others are
// made and a chunk is compacted.
static void
check_nobody_waits(fixture *f, uint64_t at_once)
{
    enum { OTHERS = 8 }; // more than libuv has workers
    stuck others[OTHERS] = {0};
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    for (uint8_t i = 0; i < OTHERS; i++) {
        stick(f, &others[i], (uint8_t)(0x10 + i));
        (void)server_request_snapshot(
            f->rig.server, others[i].id, SNAPSHOT_WIDE, on_snapshot, &others[i].request);
    }
    asked last = {0}; // a wide request for this session too
    (void)server_request_snapshot(f->rig.server, f->id, SNAPSHOT_WIDE, on_snapshot, &last);
    while (metrics_get(METRICS_snapshots) != f->compacted + at_once) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    f->compacted += at_once;
    snapshot_unref(expect_events(f, 0, 0, 1));
    tick_chunk_fini(&ticks);
    ticks = (tick_chunk){0};
    send_events(f, 1, &ticks, 4, SESSION_LOOK_AHEAD_NS); // the chunk before is due by now
    collector_rig_await(&f->rig, f->id, 1, false);
    assert_int_equal(metrics_get(METRICS_jobs_running), at_once); // not more at once
    assert_int_equal(atomic_load(&last.answer_count), 0);
    for (size_t i = 0; i < OTHERS; i++) {
        unstick(&others[i]);
    }
    snapshot *taken = await_answer(&last);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(taken->next_chunk, 1);
    assert_int_equal(taken->chunks.count, 1);
    snapshot_unref(taken);
    tick_chunk_fini(&ticks);
}

static void
test_nobody_waits_for_a_wide_question(void **state)
{
    check_nobody_waits(*state, SNAPSHOTS_AT_ONCE);
}

static void
test_nobody_waits_for_the_memory_of_a_wide_question(void **state)
{
    check_nobody_waits(*state, 2); // which have half of it
}

static void
test_nobody_waits_for_what_jvms_send(void **state)
{
    enum { OTHERS = 8 }; // more than libuv has workers
    fixture *f = *state;
    stuck others[OTHERS] = {0};
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    for (uint8_t i = 0; i < OTHERS; i++) {
        tick_chunk next = {0};
        stick(f, &others[i], (uint8_t)(0x10 + i));
        tick_chunk_init(&next, START_NS + SECOND_NS);
        tick_chunk_add(&next, 1);
        const wire_piece piece = {
            .sequence = 1, .chunk = 1, .ticks = &next, .duration_ns = SESSION_LOOK_AHEAD_NS};
        assert_int_equal(wire_client_send(&others[i].client, &piece).status, OK);
        tick_chunk_fini(&next);
    }
    while (metrics_get(METRICS_jobs_running) != OTHERS) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    snapshot_unref(expect_events(f, 0, 0, 1));
    for (size_t i = 0; i < OTHERS; i++) {
        (void)server_request_snapshot(
            f->rig.server, others[i].id, SNAPSHOT_JFR, on_snapshot, &others[i].request);
        unstick(&others[i]);
    }
    tick_chunk_fini(&ticks);
}

static void
test_few_wide_snapshots_begin_beside_a_narrow_one(void **state)
{
    enum { WIDE = SNAPSHOTS_AT_ONCE + 1 };
    fixture *f = *state;
    stuck others[1 + WIDE] = {0}; // the first is the narrow one
    for (uint8_t i = 0; i <= WIDE; i++) {
        stick(f, &others[i], (uint8_t)(0x10 + i));
        (void)server_request_snapshot(f->rig.server, others[i].id,
            i == 0 ? SNAPSHOT_JFR : SNAPSHOT_WIDE, on_snapshot, &others[i].request);
    }
    snapshot *none = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_TOTALS); // all were heard
    snapshot_unref(none);
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted + 1 + SNAPSHOTS_WIDE_BESIDE);
    unstick(&others[0]);
    while (metrics_get(METRICS_snapshots) != f->compacted + 1 + SNAPSHOTS_AT_ONCE) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    for (size_t i = 1; i <= WIDE; i++) {
        unstick(&others[i]);
    }
}

// count_threads returns the number of this process's threads with a nice value, and with a name
// prefix unless that is empty.
static size_t
count_threads(const char *name, int nice)
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *one; (one = readdir(tasks)) != NULL;) {
        char path[300];
        char line[64] = "";
        (void)snprintf(path, sizeof(path), "/proc/self/task/%s/comm", one->d_name);
        FILE *comm = fopen(path, "r");
        if (comm == NULL) {
            continue;
        }
        bool is_named = fgets(line, sizeof(line), comm) != NULL;
        (void)fclose(comm);
        bool is_asked = is_named && strncmp(line, name, strlen(name)) == 0;
        id_t id = (id_t)strtoul(one->d_name, NULL, 10);
        count += is_asked && getpriority(PRIO_PROCESS, id) == nice ? 1 : 0;
    }
    (void)closedir(tasks);
    return count;
}

static void
test_compactions_have_a_lower_priority_than_narrow_questions(void **state)
{
    const int lowest = 19;
    const int normal = getpriority(PRIO_PROCESS, 0);
    const int behind =
        normal + WORKERS_BEHIND_NICE < lowest ? normal + WORKERS_BEHIND_NICE : lowest;
    const int low = normal + WORKERS_LOW_NICE < lowest ? normal + WORKERS_LOW_NICE : lowest;
    fixture *f = *state;
    for (uint32_t chunk = 0; chunk < 2; chunk++) {
        tick_chunk ticks = {0};
        send_events(f, chunk, &ticks, 4, SESSION_LOOK_AHEAD_NS); // the chunk before is due by now
        tick_chunk_fini(&ticks);
    }
    collector_rig_await(&f->rig, f->id, 1, false);
    assert_true(count_threads("", behind) > 0);
    assert_int_equal(count_threads("loupe-narrow", normal), SNAPSHOTS_AT_ONCE);
    // Threads do this as they start; ctest's time limit ends the wait.
    while (count_threads("loupe-wide", low) < SNAPSHOTS_AT_ONCE) {
        (void)usleep(1000);
    }
}

static void
test_wide_questions_are_answered_when_the_collector_stops(void **state)
{
    enum { OTHERS = 3 * SNAPSHOTS_AT_ONCE };
    fixture *f = *state;
    wire_client clients[OTHERS];
    asked requests[OTHERS] = {0};
    char ids[OTHERS][33];
    for (uint8_t i = 0; i < OTHERS; i++) {
        begin_session(f, &clients[i], (uint8_t)(0x10 + i), ids[i]);
    }
    for (size_t i = 0; i < OTHERS; i++) {
        (void)server_request_snapshot(
            f->rig.server, ids[i], SNAPSHOT_WIDE, on_snapshot, &requests[i]);
    }
    collector_rig_stop(&f->rig);
    for (size_t i = 0; i < OTHERS; i++) {
        snapshot *taken = atomic_load(&requests[i].snapshot);
        assert_int_equal(atomic_load(&requests[i].answer_count), 1);
        assert_true(taken->err == LP_ECLOSED || (taken->err == LP_OK && taken->chunks.count == 1));
        snapshot_unref(taken);
        wire_client_close(&clients[i]);
    }
}

// begin_elsewhere has another collector, at a port, own the running sessions of ids.
static void
begin_elsewhere(const fixture *f, int port, char (*ids)[CATALOG_ID_CHARS + 1], size_t count)
{
    static char nothing[1];
    char path[300];
    char url[64];
    catalog *other;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%d", port);
    const catalog_node node = {.name = "other", .url = url, .key = "", .version = "", .log = ""};
    assert_int_equal(
        catalog_open_shared(path, "ffffffffffffffffffffffffffffffff", &other, NULL), LP_OK);
    assert_int_equal(catalog_nodes_join(other, &node, 3600 * 1000), LP_OK);
    for (size_t i = 0; i < count; i++) {
        catalog_session row = {
            .service = nothing, .instance = nothing, .jvm_name = nothing, .jvm_version = nothing};
        (void)snprintf(ids[i], sizeof(ids[i]), "%032zx", i);
        memcpy(row.id, ids[i], sizeof(row.id));
        assert_int_equal(catalog_owners_take(other, row.id, &row.term), LP_OK);
        assert_int_equal(catalog_put_session(other, &row), LP_OK);
    }
    catalog_close(other);
}

// The other collector takes connections and says nothing.
static void
test_questions_to_another_collector_are_answered_when_this_one_stops(void **state)
{
    enum { OTHERS = 3 * SNAPSHOTS_FETCHED_AT_ONCE };
    fixture *f = *state;
    char ids[OTHERS][CATALOG_ID_CHARS + 1];
    asked requests[OTHERS] = {0};
    held_port silent = held_port_take();
    assert_int_equal(listen(silent.fd, OTHERS), 0);
    begin_elsewhere(f, silent.number, ids, OTHERS);
    for (size_t i = 0; i < OTHERS; i++) {
        (void)server_request_snapshot(
            f->rig.server, ids[i], SNAPSHOT_JFR, on_snapshot, &requests[i]);
    }
    collector_rig_stop(&f->rig);
    for (size_t i = 0; i < OTHERS; i++) {
        snapshot *taken = await_answer(&requests[i]);
        bool is_running = i < SNAPSHOTS_FETCHED_AT_ONCE;
        assert_int_equal(taken->err, is_running ? LP_EAGAIN : LP_ECLOSED);
        snapshot_unref(taken);
    }
    held_port_release(&silent);
}

int
main(void)
{
#define TEST(name)    cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define KEEPING(name) cmocka_unit_test_setup_teardown(name, set_up_keeping, tear_down)
#define SHARED(name)  cmocka_unit_test_setup_teardown(name, set_up_shared, tear_down)
#define SHORT(name)   cmocka_unit_test_setup_teardown(name, set_up_short, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_totals_are_read_without_compacting),
        TEST(test_what_is_not_kept_has_all_that_came),
        TEST(test_those_of_wide_questions_are_in_files),
        KEEPING(test_a_snapshot_is_kept_for_those_who_come_soon),
        KEEPING(test_what_was_made_before_the_end_is_not_kept),
        TEST(test_a_request_that_is_taken_back_disturbs_nobody),
        KEEPING(test_a_request_that_is_taken_back_disturbs_nobody),
        TEST(test_a_snapshot_that_fails_half_way_is_empty),
        TEST(test_a_storm_of_requests_that_are_taken_back_leaves_nothing),
        TEST(test_nobody_waits_for_a_wide_question),
        SHORT(test_nobody_waits_for_the_memory_of_a_wide_question),
        TEST(test_nobody_waits_for_what_jvms_send),
        TEST(test_few_wide_snapshots_begin_beside_a_narrow_one),
        TEST(test_compactions_have_a_lower_priority_than_narrow_questions),
        TEST(test_wide_questions_are_answered_when_the_collector_stops),
        SHARED(test_questions_to_another_collector_are_answered_when_this_one_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
