// SPDX-License-Identifier: Apache-2.0

#include "unit/collector/server/collector_rig.h"

#include "unit/collector/server/tick_chunk.h"

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_time_scale.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    AWAIT_LIMIT_S = 120, // under ThreadSanitizer on a busy core the end of the program took 11 s
    LOOK_AGAIN_NS = 5000000,
};

void
collector_rig_init(collector_rig *rig)
{
    lp_time_scale_set(COLLECTOR_RIG_DIVISOR);
    *rig = (collector_rig){
        .dir = temp_dir_make(),
        .sync = SYNC_SECOND,
        .idle_ms_max = SERVER_IDLE_MS_MAX,
        .killed_ms_max = SERVER_KILLED_MS_MAX,
        .lack_ms_max = SERVER_LACK_MS_MAX,
        .port = held_port_take(),
    };
    (void)snprintf(
        rig->agents_url, sizeof(rig->agents_url), "tcp://127.0.0.1:%d", rig->port.number);
}

void
collector_rig_fini(collector_rig *rig)
{
    collector_rig_stop(rig);
    if (rig->pid > 0) {
        (void)collector_rig_signal(rig, SIGKILL);
    }
    held_port_release(&rig->port);
    temp_dir_remove(&rig->dir);
}

void
collector_rig_start(collector_rig *rig)
{
    lp_problem problem = {0};
    if (rig->policies_path[0] != '\0' &&
        policy_dir_open(rig->policies_path, &rig->policies, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    memory_plan memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST);
    memory.jobs = rig->job_bytes > 0 ? rig->job_bytes : memory.jobs;
    const server_config config = {
        .agents_url = rig->agents_url,
        .data_dir = rig->dir.path,
        .log = rig->log,
        .policies = rig->policies,
        .policy = rig->policy,
        .access = rig->access,
        .node = rig->node,
        .sync = rig->sync,
        .idle_ms_max = rig->idle_ms_max,
        .killed_ms_max = rig->killed_ms_max,
        .linger_ms_max = rig->linger_ms_max,
        .lack_ms_max = rig->lack_ms_max,
        .presence = rig->presence,
        .snapshot_kept_ms = rig->snapshot_kept_ms,
        .memory = memory,
        .context_hold_ns = rig->context_hold_ns,
        .recall_ns = rig->recall_ns,
    };
    if (server_create(&config, &rig->server, &problem) != LP_OK ||
        server_join(rig->server, "http://rig", &problem) != LP_OK ||
        server_start(rig->server, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
}

void
collector_rig_stop(collector_rig *rig)
{
    if (rig->server != NULL) {
        server_stop(rig->server);
        server_destroy(rig->server);
        rig->server = NULL;
    }
    policy_dir_close(rig->policies);
    rig->policies = NULL;
}

void
collector_rig_spawn(collector_rig *rig, const char *program)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    rig->pid = fork();
    if (rig->pid == 0) {
        char divisor[12];
        (void)snprintf(divisor, sizeof(divisor), "%d", COLLECTOR_RIG_DIVISOR);
        (void)setenv("LOUPE_TIMES_DIVIDED_BY", divisor, 1);
        (void)dup2(fds[1], STDOUT_FILENO);
        (void)close(fds[0]);
        (void)close(fds[1]);
        (void)execl(program, "loupe", "collect", "--agents", rig->agents_url, "--http",
            "127.0.0.1:0", "--data", rig->dir.path, (char *)NULL);
        _exit(127);
    }
    assert_true(rig->pid > 0);
    (void)close(fds[1]);
    FILE *out = fdopen(fds[0], "r");
    char line[1000] = "";
    assert_non_null(fgets(line, sizeof(line), out)); // it says so when it is ready
    (void)fclose(out);
    assert_int_equal(strncmp(line, "loupe: agents ", 14), 0);
}

int
collector_rig_signal(collector_rig *rig, int signal_number)
{
    int status = -1;
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, rig->pid, 0), .events = POLLIN};
    assert_true(end.fd >= 0);
    assert_int_equal(kill(rig->pid, signal_number), 0);
    bool is_over = poll(&end, 1, AWAIT_LIMIT_S * 1000) == 1;
    if (!is_over) {
        (void)kill(rig->pid, SIGKILL);
    }
    (void)close(end.fd);
    assert_int_equal(waitpid(rig->pid, &status, 0), rig->pid);
    rig->pid = 0;
    if (!is_over) {
        fail_msg("signal %d does not end the collector", signal_number);
    }
    return status;
}

static catalog *
open_catalog(const collector_rig *rig)
{
    char path[300];
    catalog *opened;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", rig->dir.path);
    assert_int_equal(catalog_open_reader(path, &opened, NULL), LP_OK);
    return opened;
}

typedef struct wanted {
    bool (*is_there)(const struct wanted *want, const catalog_session *row);
    uint32_t next_chunk;
    bool is_ended;
    catalog_ended how;
    bool is_found;
} wanted;

static void
compare(void *arg, const catalog_session *row)
{
    wanted *want = arg;
    want->is_found = want->is_there(want, row);
}

static void
await(const collector_rig *rig, const char *session_id, wanted *want)
{
    catalog *opened = open_catalog(rig);
    struct timespec start;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        lp_err err = catalog_find(opened, session_id, compare, want);
        assert_true(err == LP_OK || (err == LP_ENOENT && rig->log != NULL)); // its Hello is in it
        if (want->is_found) {
            break;
        }
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > AWAIT_LIMIT_S) {
            fail_msg("session %s does not get to chunk %u", session_id, want->next_chunk);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
    }
    catalog_close(opened);
}

static bool
is_at_chunk(const wanted *want, const catalog_session *row)
{
    return row->next_chunk == want->next_chunk && row->is_ended == want->is_ended;
}

void
collector_rig_await(
    const collector_rig *rig, const char *session_id, uint32_t next_chunk, bool is_ended)
{
    wanted want = {.is_there = is_at_chunk, .next_chunk = next_chunk, .is_ended = is_ended};
    await(rig, session_id, &want);
}

static bool
has_ended_so(const wanted *want, const catalog_session *row)
{
    return row->ended_how == want->how && !row->is_ended;
}

void
collector_rig_await_end(const collector_rig *rig, const char *session_id, catalog_ended how)
{
    wanted want = {.is_there = has_ended_so, .how = how};
    await(rig, session_id, &want);
}

static void
copy_row(void *arg, const catalog_session *row)
{
    catalog_session *out_row = arg;
    *out_row = *row;
    out_row->service = NULL;
    out_row->instance = NULL;
    out_row->jvm_name = NULL;
    out_row->jvm_version = NULL;
    out_row->version = NULL;
}

catalog_session
collector_rig_look(const collector_rig *rig, const char *session_id)
{
    catalog_session row;
    catalog *opened = open_catalog(rig);
    assert_int_equal(catalog_find(opened, session_id, copy_row, &row), LP_OK);
    catalog_close(opened);
    return row;
}

void
collector_rig_check_losses(
    const collector_rig *rig, const char *session_id, const uint64_t expected[CATALOG_LOSS_COUNT])
{
    const catalog_session row = collector_rig_look(rig, session_id);
    for (catalog_loss i = 0; i < CATALOG_LOSS_COUNT; i++) {
        if (row.losses[i] != expected[i]) {
            fail_msg("%s: %u, not %u", catalog_loss_name(i), (unsigned)row.losses[i],
                (unsigned)expected[i]);
        }
    }
}

// What collector_rig_count counts.
typedef struct counting {
    const char *session_id;
    blobs *store;
    uint32_t next_chunk;
    unsigned *counts;
    uint64_t limit;
    uint64_t dropped;
    tick_losses *losses; // where these are wanted alone
} counting;

static void
count_chunk(void *arg, const catalog_chunk *chunk)
{
    counting *c = arg;
    if (chunk->ordinal >= c->next_chunk) {
        return;
    }
    const blob_name name = {.session_id = c->session_id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .place = chunk->place};
    lp_buf bytes = {0};
    assert_int_equal(blobs_read_chunk(c->store, &name, &bytes), LP_OK);
    if (c->losses != NULL) {
        tick_chunk_list_losses(bytes.ptr, bytes.len, c->losses);
    } else {
        c->dropped += tick_chunk_count(bytes.ptr, bytes.len, c->counts, c->limit);
    }
    lp_buf_fini(&bytes);
}

static void
read_stored(const collector_rig *rig, counting c, uint64_t *out_dropped)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/chunks", rig->dir.path);
    assert_int_equal(blobs_open(path, &c.store, NULL), LP_OK);
    catalog *opened = open_catalog(rig);
    assert_int_equal(catalog_list_chunks(opened, c.session_id, count_chunk, &c), LP_OK);
    catalog_close(opened);
    blobs_close(c.store);
    *out_dropped = c.dropped;
}

uint64_t
collector_rig_count(const collector_rig *rig, const char *session_id, uint32_t next_chunk,
    unsigned *counts, uint64_t limit)
{
    uint64_t dropped;
    const counting c = {
        .session_id = session_id, .next_chunk = next_chunk, .counts = counts, .limit = limit};
    read_stored(rig, c, &dropped);
    return dropped;
}

void
collector_rig_list_losses(const collector_rig *rig, const char *session_id, tick_losses *out)
{
    uint64_t dropped;
    const counting c = {.session_id = session_id, .next_chunk = UINT32_MAX, .losses = out};
    read_stored(rig, c, &dropped);
}

typedef struct waiter {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    bool is_done;
    snapshot *snapshot;
} waiter;

static void
on_snapshot(void *arg, snapshot *taken)
{
    waiter *w = arg;
    pthread_mutex_lock(&w->mutex);
    w->snapshot = taken;
    w->is_done = true;
    pthread_cond_signal(&w->condition);
    pthread_mutex_unlock(&w->mutex);
}

snapshot *
collector_rig_snapshot(const collector_rig *rig, const char *session_id, snapshot_kind kind)
{
    waiter w = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += AWAIT_LIMIT_S;
    (void)server_request_snapshot(rig->server, session_id, kind, on_snapshot, &w);
    pthread_mutex_lock(&w.mutex);
    while (!w.is_done) {
        if (pthread_cond_timedwait(&w.condition, &w.mutex, &until) != 0) {
            fail_msg("no snapshot of session %s comes", session_id);
        }
    }
    pthread_mutex_unlock(&w.mutex);
    assert_non_null(w.snapshot);
    return w.snapshot;
}

unsigned
collector_rig_count_messages(const char *path)
{
    journal *file;
    journal_cursor cursor;
    lp_slice message;
    unsigned count = 0;
    assert_int_equal(journal_open(path, &file), LP_OK);
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while (journal_cursor_next(&cursor, &message) == LP_OK) {
        count++;
    }
    journal_cursor_fini(&cursor);
    journal_unref(file);
    return count;
}

uint64_t
collector_rig_count_pending(const snapshot *taken, unsigned *counts, uint64_t limit)
{
    lp_buf bytes = {0};
    for (size_t i = 0; i < taken->chunks.count; i++) {
        assert_int_equal(snapshot_read_chunk(taken, i, &bytes), LP_OK);
    }
    uint64_t dropped = tick_chunk_count(bytes.ptr, bytes.len, counts, limit);
    lp_buf_fini(&bytes);
    return dropped;
}
