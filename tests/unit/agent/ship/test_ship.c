// SPDX-License-Identifier: Apache-2.0
// Shipping: whatever happens to the connection and to the collector, each byte that JFR published
// and each record that was in a ring arrives once, in order, contexts no later than the events they
// cover.
//
// The rings, the tail and NNG are the real ones; the test plays the JVM (chunk files, ring writers)
// and the collector. A ship is never freed, as in a JVM, so each test leaves its own behind.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "support/temp_dir.h"

#include "agent/ship/ship.h"
#include "agent/ship/ship_spool.h"
#include "common/context/ctx_pack.h"
#include "common/jfr/jfr_chunk.h"

#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LONG_MS = 60 * 1000,    // more than any test needs
    NEVER_MS = 3600 * 1000, // a test that waits so long has failed
    CHUNKS_MAX = 8,
    SHIPS_MAX = 64,
    MAPS_MAX = 4096, // of RecordingContexts
};

static void *left_behind[4 * SHIPS_MAX]; // so that it counts as reachable
static size_t left_behind_count;

typedef struct fixture {
    temp_dir dir;
    fake_collector *collector;
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    ship *ship;
} fixture;

// What the batches come to when they are put together.
typedef struct received {
    lp_buf chunks[CHUNKS_MAX];
    uint8_t headers[CHUNKS_MAX][JFR_CHUNK_HEADER_SIZE];
    uint32_t chunk_count;
    lp_buf contexts;
    size_t contexts_begin[CHUNKS_MAX]; // where those of a chunk begin
    size_t type_count;
    bool has_gone_back; // a chunk began again: everything counts from there
    uint64_t map_count; // their ids count from 1
    bool is_known[MAPS_MAX];
    bool is_ended[MAPS_MAX];
    size_t ended_count;
    uint64_t last_count;
} received;

static void
leave_behind(void *object)
{
    assert_true(left_behind_count < sizeof(left_behind) / sizeof(left_behind[0]));
    left_behind[left_behind_count++] = object;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    f->collector = fake_collector_create();
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->registry = ctx_registry_create();
    assert_non_null(f->registry);
    leave_behind(f->registry);
    f->recordings = ctx_recordings_create();
    assert_non_null(f->recordings);
    leave_behind(f->recordings);
    f->filters = ctx_filters_create();
    assert_non_null(f->filters);
    leave_behind(f->filters);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    fake_collector_destroy(f->collector);
    temp_dir_remove(&f->dir);
    free(f); // rings and registry belong to the ship now
    return 0;
}

static ship_config
config_of(const fixture *f)
{
    return (ship_config){
        .collector = f->collector->url,
        .service = "checkout",
        .instance = "host:1",
        .jvm_name = "a JVM",
        .jvm_version = "25",
        .repository = f->dir.path,
        .rings = f->rings,
        .registry = f->registry,
        .recordings = f->recordings,
        .filters = f->filters,
    };
}

static void
start(fixture *f)
{
    const ship_config config = config_of(f);
    lp_problem problem;
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_OK);
    leave_behind(f->ship);
}

// put_record writes a record without values into the first ring, as a Java thread would.
static void
put_record(fixture *f, ctx_record_kind kind, int64_t thread, int64_t ticks)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(f->rings);
    ctx_rings_control *control = &layout->controls[0];
    const ctx_record_header record = {
        .size_bytes = sizeof(record),
        .type_id = 1,
        .kind = (uint8_t)kind,
        .thread_id = thread,
        .time_ticks = ticks,
    };
    uint32_t head = atomic_load(&control->head);
    while (head + sizeof(record) - atomic_load(&control->tail) > CTX_RINGS_RING_BYTES) {
        sched_yield();
    }
    memcpy(control->ring + head % CTX_RINGS_RING_BYTES, &record, sizeof(record));
    atomic_store(&control->head, head + (uint32_t)sizeof(record));
}

// peek reads a count of a collector that runs.
static uint64_t
peek(fake_collector *c, const uint64_t *count)
{
    (void)pthread_mutex_lock(&c->mutex);
    uint64_t value = *count;
    (void)pthread_mutex_unlock(&c->mutex);
    return value;
}

// receive_again forgets the batch's chunk, which begins again. A collector that goes back to an
// earlier one may be another: all that records name comes again.
static void
receive_again(received *r, const Loupe__Wire__Batch *batch)
{
    assert_int_equal(batch->chunk_offset, 0);
    if (batch->chunk < r->chunk_count) {
        r->has_gone_back = true;
        r->chunk_count = batch->chunk + 1;
        r->contexts.len = r->contexts_begin[batch->chunk];
        r->type_count = 0;
        r->ended_count = 0;
        r->last_count = 0;
        memset(r->is_known, 0, sizeof(r->is_known));
        memset(r->is_ended, 0, sizeof(r->is_ended));
    }
    lp_buf_clear(&r->chunks[batch->chunk]);
}

static void
receive_jfr(received *r, const Loupe__Wire__Batch *batch)
{
    assert_true(batch->chunk < CHUNKS_MAX);
    lp_buf *chunk = &r->chunks[batch->chunk];
    // Batches of a chunk follow each other, and so do the chunks.
    assert_true(batch->chunk + 1 == r->chunk_count || batch->chunk == r->chunk_count);
    if (batch->chunk == r->chunk_count) {
        r->contexts_begin[batch->chunk] = r->contexts.len;
    }
    r->chunk_count = batch->chunk + 1;
    assert_int_equal(batch->chunk_offset, chunk->len);
    assert_true(batch->jfr_size <= WIRE_BULK_BYTES_MAX);
    if (batch->jfr_size > 0) {
        assert_int_equal(wire_decompress((lp_slice){batch->jfr_zstd.data, batch->jfr_zstd.len},
                             batch->jfr_size, chunk),
            LP_OK);
    }
    if (batch->chunk_header.len > 0) {
        assert_int_equal(batch->chunk_header.len, JFR_CHUNK_HEADER_SIZE);
        jfr_chunk_info info;
        assert_int_equal(
            jfr_chunk_parse(
                (lp_slice){batch->chunk_header.data, batch->chunk_header.len}, &info, NULL),
            LP_OK);
        assert_int_equal(info.size_bytes, chunk->len);
        memcpy(r->headers[batch->chunk], batch->chunk_header.data, JFR_CHUNK_HEADER_SIZE);
    }
}

static void
receive_contexts(received *r, const Loupe__Wire__Batch *batch)
{
    if (batch->contexts_size == 0) {
        return;
    }
    assert_int_equal(ctx_unpack((lp_slice){batch->contexts_packed.data, batch->contexts_packed.len},
                         batch->contexts_size, &r->contexts),
        LP_OK);
    assert_true(r->type_count > 0); // before their use
}

// receive_maps expects every map once, in order, and before the first record that names it: those
// of this test have the id for a time. Behind one that has ended no record names it.
static void
receive_maps(received *r, const Loupe__Wire__Batch *batch, size_t contexts_before)
{
    for (size_t i = 0; i < batch->n_recording_contexts; i++) {
        uint64_t id = batch->recording_contexts[i]->id;
        if (r->has_gone_back) {
            r->map_count = id > r->map_count ? id : r->map_count;
        } else {
            assert_int_equal(id, ++r->map_count);
        }
        assert_in_range(id, 1, MAPS_MAX - 1);
        assert_false(r->is_known[id]);
        r->is_known[id] = true;
        assert_int_equal(batch->recording_contexts[i]->n_entries, 1);
        assert_string_equal(batch->recording_contexts[i]->entries[0]->key, "key");
    }
    for (size_t at = contexts_before; r->map_count > 0 && at < r->contexts.len;) {
        ctx_record_header record;
        memcpy(&record, r->contexts.ptr + at, sizeof(record));
        assert_in_range(record.time_ticks, 1, r->map_count);
        assert_true(r->is_known[record.time_ticks]);
        assert_false(r->is_ended[record.time_ticks]);
        at += record.size_bytes;
    }
    for (size_t i = 0; i < batch->n_recording_contexts_ended; i++) {
        uint64_t id = batch->recording_contexts_ended[i];
        assert_in_range(id, 1, r->map_count);
        assert_true(r->is_known[id]);
        assert_false(r->is_ended[id]);
        r->is_ended[id] = true;
        r->ended_count++;
    }
}

// assemble puts all batches together, calling on_batch after each.
static received
assemble(fake_collector *c,
    void (*on_batch)(received *r, const Loupe__Wire__Batch *batch, void *arg), void *arg)
{
    received r = {0};
    bool is_last = false;
    assert_int_equal(c->different_count, 0);
    for (uint64_t i = 0; i < c->batch_count; i++) {
        Loupe__Wire__Batch *batch =
            loupe__wire__batch__unpack(NULL, c->batches[i].len, c->batches[i].ptr);
        assert_non_null(batch);
        assert_int_equal(batch->sequence, i);
        assert_int_equal(batch->session.len, WIRE_SESSION_BYTES);
        if (batch->begins_again) {
            receive_again(&r, batch);
        }
        r.type_count += batch->n_context_types;
        receive_jfr(&r, batch);
        size_t contexts_before = r.contexts.len;
        receive_contexts(&r, batch);
        receive_maps(&r, batch, contexts_before);
        r.last_count += batch->is_last != 0;
        if (on_batch != NULL) {
            on_batch(&r, batch, arg);
        }
        is_last = batch->is_last;
        loupe__wire__batch__free_unpacked(batch, NULL);
    }
    assert_true(r.last_count == 0 || is_last);
    return r;
}

static void
release(received *r)
{
    for (size_t i = 0; i < CHUNKS_MAX; i++) {
        lp_buf_fini(&r->chunks[i]);
    }
    lp_buf_fini(&r->contexts);
}

static void
assert_chunk(const received *r, uint32_t number, const chunk_writer *chunk)
{
    const lp_buf *bytes = &r->chunks[number];
    assert_int_equal(bytes->len, chunk->published);
    assert_memory_equal(r->headers[number], chunk->header, JFR_CHUNK_HEADER_SIZE);
    for (uint64_t i = JFR_CHUNK_HEADER_SIZE; i < bytes->len; i++) {
        if (bytes->ptr[i] != chunk_writer_byte(chunk->seed, i)) {
            fail_msg("chunk %u differs at %llu", number, (unsigned long long)i);
        }
    }
}

// assert_contexts checks that the records of put_record with ticks 0 to count - 1 are there in
// order.
static void
assert_contexts(const received *r, size_t count)
{
    assert_int_equal(r->contexts.len, count * sizeof(ctx_record_header));
    for (size_t i = 0; i < count; i++) {
        ctx_record_header record;
        memcpy(&record, r->contexts.ptr + i * sizeof(record), sizeof(record));
        assert_int_equal(record.time_ticks, i);
    }
}

static void
add_type(fixture *f)
{
    static char name[] = "trace";
    static char empty[] = "";
    ctx_type type = {.name = name, .label = empty, .description = empty, .attribute_count = 1};
    type.attributes[0] = (ctx_attribute){CTX_LONG, name, empty, empty};
    uint16_t id;
    assert_int_equal(ctx_registry_add(f->registry, &type, &id), LP_OK);
    assert_int_equal(id, 1);
}

static chunk_writer
write_chunk_in(const char *directory, unsigned number, size_t bytes)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "%u.jfr", number);
    chunk_writer chunk = chunk_writer_create(directory, name, number, 1000 + number);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, bytes);
    chunk_writer_flush(&chunk);
    return chunk;
}

static chunk_writer
write_chunk(fixture *f, unsigned number, size_t bytes)
{
    return write_chunk_in(f->dir.path, number, bytes);
}

static void
test_everything_arrives(void **state)
{
    fixture *f = *state;
    fake_collector_start(f->collector);
    start(f);
    add_type(f);
    put_record(f, CTX_RECORD_SET, 7, 0);
    chunk_writer chunk = write_chunk(f, 0, 1500000);
    fake_collector_wait(f->collector, &f->collector->batch_count, 6); // of 256 KiB at most
    put_record(f, CTX_RECORD_UNSET, 7, 1);
    chunk_writer_append(&chunk, 100);
    chunk_writer_finish(&chunk);
    chunk_writer_delete(&chunk); // as the JVM does before its death
    ship_finish(f->ship, NEVER_MS);

    assert_string_equal(f->collector->service, "checkout");
    assert_string_equal(f->collector->instance, "host:1");
    fake_collector_stop(f->collector);
    received r = assemble(f->collector, NULL, NULL);
    assert_int_equal(r.chunk_count, 1);
    assert_chunk(&r, 0, &chunk);
    assert_contexts(&r, 2);
    assert_int_equal(r.type_count, 1);
    assert_int_equal(r.last_count, 1);
    assert_int_equal(f->collector->hello_count, 1);
    release(&r);
}

static void
test_empty_session_says_its_end(void **state)
{
    fixture *f = *state;
    fake_collector_start(f->collector);
    start(f);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(f->collector);
    assert_int_equal(f->collector->batch_count, 1);
    assert_true(f->collector->has_last);
}

static void
test_late_collector_gets_everything(void **state)
{
    fixture *f = *state;
    add_type(f);
    start(f);
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = write_chunk(f, i, 400000);
        put_record(f, CTX_RECORD_SET, 7, i);
        chunk_writer_finish(&chunks[i]);
    }
    fake_collector_start(f->collector);
    fake_collector_wait(f->collector, &f->collector->batch_count, 1);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(f->collector);
    received r = assemble(f->collector, NULL, NULL);
    assert_int_equal(r.chunk_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_chunk(&r, i, &chunks[i]);
    }
    assert_contexts(&r, 3);
    assert_int_equal(r.last_count, 1);
    release(&r);
}

static void
test_moved_repository_is_followed(void **state)
{
    fixture *f = *state;
    temp_dir elsewhere = temp_dir_make();
    fake_collector_start(f->collector);
    start(f);
    ship_move(f->ship, "/nonexistent/loupe"); // logged, and nothing changes
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = write_chunk_in(i < 2 ? f->dir.path : elsewhere.path, i, 1000);
        chunk_writer_finish(&chunks[i]);
        if (i == 1) {
            ship_move(f->ship, elsewhere.path);
        }
    }
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(f->collector);
    received r = assemble(f->collector, NULL, NULL);
    assert_int_equal(r.chunk_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_chunk(&r, i, &chunks[i]);
    }
    assert_int_equal(r.last_count, 1);
    release(&r);
    temp_dir_remove(&elsewhere);
}

// run_collector is the collector as a process of its own, to be killed: `test_ship collector URL
// FILE`.
static int
run_collector(const char *url, const char *path)
{
    fake_collector *c = calloc(1, sizeof(*c));
    fake_collector_must(c != NULL, "no memory");
    (void)pthread_mutex_init(&c->mutex, NULL);
    (void)pthread_cond_init(&c->changed, NULL);
    (void)snprintf(c->url, sizeof(c->url), "%s", url);
    c->version = WIRE_VERSION;
    FILE *journal = fopen(path, "a+");
    fake_collector_must(journal != NULL, path);
    rewind(journal);
    fake_collector_must(truncate(path, fake_collector_load(c, journal)) == 0, path);
    c->journal = journal;
    fake_collector_start(c);
    (void)pthread_join(c->thread, NULL);
    return 1; // it should have been killed
}

static pid_t
spawn_collector(const fixture *f, char *path)
{
    char program[] = "/proc/self/exe";
    char mode[] = "collector";
    char *arguments[] = {program, mode, f->collector->url, path, NULL};
    pid_t pid;
    assert_int_equal(posix_spawn(&pid, program, NULL, NULL, arguments, environ), 0);
    return pid;
}

// wait_for_bytes returns once the file at path has more than size bytes, and returns how many.
static off_t
wait_for_bytes(const char *path, off_t size)
{
    struct stat found = {0};
    for (int i = 0; i < FAKE_COLLECTOR_WAIT_S_MAX * 1000 && found.st_size <= size; i++) {
        (void)poll(NULL, 0, 1);
        (void)stat(path, &found);
    }
    assert_true(found.st_size > size);
    return found.st_size;
}

static void
test_killed_collector_misses_nothing(void **state)
{
    fixture *f = *state;
    temp_dir journal_dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/journal", journal_dir.path);
    add_type(f);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 1000000);
    off_t size = 0;
    pid_t pid = 0;
    for (int64_t i = 0; i < 10; i++) {
        pid = spawn_collector(f, path);
        put_record(f, CTX_RECORD_SET, 7, i);
        chunk_writer_append(&chunk, 3000000);
        chunk_writer_flush(&chunk);
        size = wait_for_bytes(path, size);
        if (i < 9) { // in the middle of things
            assert_int_equal(kill(pid, SIGKILL), 0);
            assert_int_equal(waitpid(pid, NULL, 0), pid);
        }
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);

    FILE *journal = fopen(path, "r");
    assert_non_null(journal);
    (void)fake_collector_load(f->collector, journal);
    (void)fclose(journal);
    received r = assemble(f->collector, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    assert_contexts(&r, 10);
    assert_int_equal(r.last_count, 1);
    release(&r);
    temp_dir_remove(&journal_dir);
}

static void
test_unknown_session_is_introduced_again(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 100000);
    fake_collector_wait(c, &c->batch_count, 1);
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    chunk_writer_append(&chunk, 2000000);
    chunk_writer_finish(&chunk);
    fake_collector_wait(c, &c->hello_count, 2);
    assert_int_equal(peek(c, &c->hello_next_sequence), 1);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    assert_true(r.type_count >= 1);
    release(&r);
}

// The collector is one of the version before, and then it is upgraded.
static void
test_an_earlier_version_is_spoken(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    c->version = WIRE_VERSION_MIN;
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 100000);
    fake_collector_wait(c, &c->batch_count, 1);
    fake_collector_stop(c);
    c->version = WIRE_VERSION;
    c->answer = LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION;
    uint64_t batches = c->batch_count;
    chunk_writer_append(&chunk, 2000000);
    chunk_writer_flush(&chunk);
    fake_collector_start(c);
    fake_collector_wait(c, &c->batch_count, batches + 1);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    assert_int_equal(r.last_count, 1);
    release(&r);
}

// await_policy waits for another policy.
static void
await_policy(fixture *f, uint64_t id)
{
    ship_policy policy;
    for (int i = 0; !ship_take_policy(f->ship, &policy); i++) {
        assert_true(i < LONG_MS);
        (void)poll(NULL, 0, 1);
    }
    assert_true(policy.id == id);
    assert_true((policy.settings != NULL) == (id != 0));
    if (id != 0) {
        char value[32];
        (void)snprintf(value, sizeof(value), "%llu ns", (unsigned long long)id);
        assert_int_equal(policy.settings->n_settings, 1);
        assert_string_equal(policy.settings->settings[0]->event, "jdk.*");
        assert_string_equal(policy.settings->settings[0]->setting, "threshold");
        assert_string_equal(policy.settings->settings[0]->value, value);
    }
    ship_policy_fini(&policy);
}

static void
set_policy(fake_collector *c, uint64_t id)
{
    (void)pthread_mutex_lock(&c->mutex);
    c->policy_id = id;
    (void)pthread_mutex_unlock(&c->mutex);
}

static void
test_each_policy_is_given_once(void **state)
{
    static const uint64_t ids[] = {1, UINT64_MAX, 0, 1};
    fixture *f = *state;
    fake_collector *c = f->collector;
    ship_policy none;
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    assert_false(ship_take_policy(f->ship, &none));
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        set_policy(c, ids[i]);
        chunk_writer_append(&chunk, 1000); // an answer to a batch tells that there is another
        chunk_writer_flush(&chunk);
        await_policy(f, ids[i]);
    }
    // With the session the policy is sent again; it is the same.
    uint64_t batches = peek(c, &c->batch_count);
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_flush(&chunk);
    fake_collector_wait(c, &c->batch_count, batches + 1);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    assert_false(ship_take_policy(f->ship, &none));
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    release(&r);
}

static void
test_busy_collector_is_asked_again(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    c->answer = LOUPE__WIRE__REPLY__STATUS__BUSY;
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 2000000);
    fake_collector_wait(c, &c->request_count, 10); // more than the window: some came again
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__OK);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    release(&r);
}

static void
test_window_is_respected(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    c->answer = FAKE_COLLECTOR_SILENT;
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 8 << 20); // 32 pieces
    fake_collector_wait(c, &c->request_count, WIRE_WINDOW_MAX - 1);
    ship_finish(f->ship, 500); // time to send too much in
    assert_int_equal(peek(c, &c->request_count), WIRE_WINDOW_MAX - 1);
    fake_collector_stop(c);
    (void)close(chunk.fd);
}

typedef struct order_check {
    uint64_t flushed_at[100]; // size of the chunk that was published after record i was put
    size_t count;
} order_check;

static void
check_order(received *r, const Loupe__Wire__Batch *batch, void *arg)
{
    (void)batch;
    const order_check *check = arg;
    size_t contexts = r->contexts.len / sizeof(ctx_record_header);
    for (size_t i = contexts; i < check->count; i++) {
        // The record has not come: neither must what was published after it.
        assert_true(r->chunks[0].len < check->flushed_at[i]);
    }
}

static void
test_contexts_come_no_later_than_their_events(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    order_check check = {.count = 100};
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 10);
    for (size_t i = 0; i < check.count; i++) {
        uint64_t before = peek(c, &c->batch_count); // nobody knows of this record yet
        put_record(f, CTX_RECORD_SET, 7, (int64_t)i);
        chunk_writer_append(&chunk, 1000);
        chunk_writer_flush(&chunk);
        check.flushed_at[i] = chunk.published;
        if (i % 10 == 9) {
            fake_collector_wait(c, &c->batch_count, before + (i < 50));
        }
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, check_order, &check);
    assert_chunk(&r, 0, &chunk);
    assert_contexts(&r, check.count);
    release(&r);
}

static void
test_many_contexts_come_in_blocks(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    enum { COUNT = 100000 };
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 10);
    for (int64_t i = 0; i < COUNT; i++) {
        put_record(f, CTX_RECORD_SET, 7, i);
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    assert_contexts(&r, COUNT);
    release(&r);
}

static uint64_t
add_map(fixture *f)
{
    ctx_entry entry = {.key = "key", .value = {(const uint8_t *)"value", 5}};
    const ctx_recording map = {.entry_count = 1, .entries = &entry};
    uint64_t id = 0;
    assert_int_equal(ctx_recordings_add(f->recordings, &map, &id), LP_OK);
    return id;
}

static size_t
count_maps(fixture *f)
{
    ctx_recording_list list = {0};
    bool is_all;
    assert_int_equal(
        ctx_recordings_list(f->recordings, 0, SIZE_MAX, SIZE_MAX, &list, &is_all), LP_OK);
    size_t count = list.count;
    LP_VEC_FINI(&list);
    return count;
}

// More maps than go with one batch, each with a record, and released at once but for every tenth.
static void
test_maps_come_before_their_records_and_end_after_them(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    enum { COUNT = 3000 };
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 10);
    for (unsigned i = 1; i <= COUNT; i++) {
        uint64_t id = add_map(f);
        put_record(f, CTX_RECORD_SET, 7, (int64_t)id);
        if (i % 10 != 0) {
            ctx_recordings_release(f->recordings, id);
        }
        if (i % 500 == 0) {
            chunk_writer_append(&chunk, 1000);
            chunk_writer_flush(&chunk);
        }
    }
    while (count_maps(f) > COUNT / 10) { // what has ended is forgotten here, too
        uint64_t before = peek(c, &c->batch_count);
        chunk_writer_append(&chunk, 1000);
        chunk_writer_flush(&chunk);
        fake_collector_wait(c, &c->batch_count, before + 1);
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    assert_int_equal(r.contexts.len, COUNT * sizeof(ctx_record_header));
    assert_int_equal(r.map_count, COUNT);
    assert_int_equal(r.ended_count, COUNT - COUNT / 10);
    release(&r);
}

// ask_again has the collector lose the session, and ask for the chunks from this one on.
static void
ask_again(fake_collector *c, uint32_t chunk)
{
    (void)pthread_mutex_lock(&c->mutex);
    c->lacking_chunk = chunk + 1;
    c->answer = LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION;
    (void)pthread_mutex_unlock(&c->mutex);
}

// write_map writes a record that names a new map, which has ended.
static void
write_map(fixture *f)
{
    uint64_t id = add_map(f);
    put_record(f, CTX_RECORD_SET, 7, (int64_t)id);
    ctx_recordings_release(f->recordings, id);
}

// write_maps writes COUNT of them, over more than one batch, and returns once all were sent.
static void
write_maps(fixture *f, chunk_writer *chunk)
{
    enum { COUNT = 1500 };
    fake_collector *c = f->collector;
    for (unsigned i = 0; i < COUNT; i++) {
        write_map(f);
    }
    while (count_maps(f) > 0) {
        uint64_t before = peek(c, &c->batch_count);
        chunk_writer_append(chunk, 1000);
        chunk_writer_flush(chunk);
        fake_collector_wait(c, &c->batch_count, before + 1);
    }
}

// go_back_in_the_second_chunk asks for the chunks from this one on, in the middle of the second.
static received
go_back_in_the_second_chunk(fixture *f, uint64_t durable_sequence, uint32_t lacking_chunk)
{
    fake_collector *c = f->collector;
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 2; i++) {
        chunks[i] = write_chunk(f, i, 1000);
        write_maps(f, &chunks[i]);
        if (i == 0) {
            chunk_writer_finish(&chunks[i]);
        }
    }
    (void)pthread_mutex_lock(&c->mutex);
    c->durable_sequence = durable_sequence;
    (void)pthread_mutex_unlock(&c->mutex);
    uint64_t before = peek(c, &c->batch_count);
    chunk_writer_append(&chunks[1], 1000);
    chunk_writer_flush(&chunks[1]);
    fake_collector_wait(c, &c->batch_count, before + 1); // its answer says what is durable
    ask_again(c, lacking_chunk);
    write_map(f);
    chunk_writer_append(&chunks[1], 600000);
    chunk_writer_flush(&chunks[1]);
    fake_collector_wait(c, &c->hello_count, 2);
    chunk_writer_finish(&chunks[1]);
    chunks[2] = write_chunk(f, 2, 1000);
    chunk_writer_finish(&chunks[2]);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_int_equal(r.chunk_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_chunk(&r, i, &chunks[i]);
    }
    assert_int_equal(r.contexts.len, (2 * 1500 + 1) * sizeof(ctx_record_header));
    assert_int_equal(r.last_count, 1);
    return r;
}

static void
test_all_that_is_not_durable_goes_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, 0, 0);
    assert_true(r.has_gone_back);
    assert_int_equal(r.contexts_begin[0], 0);
    assert_true(r.map_count == 3001 && r.is_known[1] && r.is_known[3001]);
    release(&r);
}

// The chunk before is kept, as it is not durable, and not asked for.
static void
test_only_what_is_lacking_goes_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, 0, 1);
    assert_true(r.has_gone_back);
    assert_true(r.is_known[1] && r.is_known[3001]); // nobody knows who asks
    release(&r);
}

static void
test_what_is_durable_does_not_go_again(void **state)
{
    received r = go_back_in_the_second_chunk(*state, UINT64_MAX, 0);
    assert_true(r.has_gone_back);
    assert_true(r.map_count == 3001 && !r.is_known[1] && r.is_known[1501] && r.is_known[3001]);
    release(&r);
}

// The collector that takes the last batch is another one than before.
static void
test_it_goes_again_at_the_end(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    add_type(f);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    ask_again(c, 0);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_true(r.has_gone_back);
    assert_chunk(&r, 0, &chunk);
    assert_int_equal(r.last_count, 1);
    release(&r);
}

static void
read_not_resent(received *r, const Loupe__Wire__Batch *batch, void *arg)
{
    (void)r;
    *(uint64_t *)arg = batch->counters->chunks_not_resent;
}

// For a collector of the version before nothing is kept. The next one asks in vain, and knows it.
static void
test_what_was_not_kept_is_counted(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    c->version = WIRE_VERSION_MIN;
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    fake_collector_stop(c);
    c->version = WIRE_VERSION;
    ask_again(c, 0);
    fake_collector_start(c);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_flush(&chunk);
    fake_collector_wait(c, &c->batch_count, 2);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    uint64_t not_resent = 0;
    received r = assemble(c, read_not_resent, &not_resent);
    assert_false(r.has_gone_back);
    assert_chunk(&r, 0, &chunk);
    assert_int_equal(not_resent, 1);
    release(&r);
}

static void
set_filter(fixture *f, int64_t ticks)
{
    ctx_filter_rule rules[] = {{"", "has-context"}, {"some.Type", ""}};
    const ctx_filter filter = {.begin_ticks = ticks, .rule_count = 2, .rules = rules};
    ctx_filters_set(f->filters, &filter);
}

// list_filters writes the ids of the filters in all batches, with those of a batch in brackets.
static void
list_filters(const fake_collector *c, char *out, size_t size)
{
    out[0] = '\0';
    for (uint64_t i = 0; i < c->batch_count; i++) {
        Loupe__Wire__Batch *batch =
            loupe__wire__batch__unpack(NULL, c->batches[i].len, c->batches[i].ptr);
        assert_non_null(batch);
        for (size_t k = 0; k < batch->n_context_filters; k++) {
            const Loupe__Wire__ContextFilter *filter = batch->context_filters[k];
            assert_int_equal(filter->begin_ticks, filter->id * 10);
            assert_int_equal(filter->n_rules, 2);
            assert_string_equal(filter->rules[0]->type, "");
            assert_string_equal(filter->rules[0]->terms, "has-context");
            assert_string_equal(filter->rules[1]->type, "some.Type");
            assert_string_equal(filter->rules[1]->terms, "");
            size_t len = strlen(out);
            (void)snprintf(out + len, size - len, "%s%d%s", k == 0 ? "[" : " ", (int)filter->id,
                k + 1 == batch->n_context_filters ? "]" : "");
        }
        loupe__wire__batch__free_unpacked(batch, NULL);
    }
}

// Once, and the one that holds again for a collector that does not know the session any more.
static void
test_filters_go_with_the_next_batch(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    set_filter(f, 10);
    set_filter(f, 20);
    fake_collector_start(c);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 1000);
    fake_collector_wait(c, &c->batch_count, 1);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_flush(&chunk);
    fake_collector_wait(c, &c->batch_count, 2); // nothing new
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_flush(&chunk);
    fake_collector_wait(c, &c->hello_count, 2);
    fake_collector_wait(c, &c->batch_count, 3);
    set_filter(f, 30);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
    fake_collector_stop(c);
    char got[100];
    list_filters(c, got, sizeof(got));
    assert_string_equal(got, "[1 2][2 3]");
    received r = assemble(c, NULL, NULL);
    assert_chunk(&r, 0, &chunk);
    release(&r);
}

static void *
finish(void *arg)
{
    const fixture *f = arg;
    ship_finish(f->ship, NEVER_MS);
    return NULL;
}

// Threads of the application run on while the JVM ends. What they record then comes too late.
static void
test_nothing_follows_the_last_batch(void **state)
{
    fixture *f = *state;
    fake_collector *c = f->collector;
    c->answer = LOUPE__WIRE__REPLY__STATUS__BUSY;
    add_type(f);
    fake_collector_start(c);
    start(f);
    pthread_t finishing;
    assert_int_equal(pthread_create(&finishing, NULL, finish, f), 0);
    fake_collector_wait(c, &c->request_count, 1); // there was nothing to send but the last batch
    put_record(f, CTX_RECORD_SET, 7, 0);
    fake_collector_wait(c, &c->request_count, 4); // that takes longer than any two looks are apart
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__OK);
    assert_int_equal(pthread_join(finishing, NULL), 0);
    fake_collector_stop(c);
    received r = assemble(c, NULL, NULL);
    assert_int_equal(r.last_count, 1);
    assert_contexts(&r, 0);
    release(&r);
}

static void
test_finish_without_collector_returns(void **state)
{
    fixture *f = *state;
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 100000);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, NEVER_MS);
}

static void
test_finish_with_a_silent_collector_returns(void **state)
{
    fixture *f = *state;
    f->collector->hello_answer = FAKE_COLLECTOR_SILENT;
    fake_collector_start(f->collector);
    start(f);
    chunk_writer chunk = write_chunk(f, 0, 100000);
    chunk_writer_finish(&chunk);
    fake_collector_wait(f->collector, &f->collector->hello_count, 1);
    ship_finish(f->ship, 100);
    fake_collector_stop(f->collector);
    assert_int_equal(f->collector->batch_count, 0);
}

static void
test_bad_address_and_directory_are_errors(void **state)
{
    fixture *f = *state;
    ship_config config = config_of(f);
    config.collector = "carrier-pigeon://roof";
    lp_problem problem;
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "carrier-pigeon://roof"));
    config.collector = f->collector->url;
    config.repository = "/nonexistent/loupe";
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "/nonexistent/loupe"));
    ctx_rings_destroy(f->rings);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "collector") == 0) {
        return run_collector(argv[2], argv[3]);
    }
    const struct CMUnitTest tests[] = {
        TEST(test_everything_arrives),
        TEST(test_empty_session_says_its_end),
        TEST(test_late_collector_gets_everything),
        TEST(test_moved_repository_is_followed),
        TEST(test_unknown_session_is_introduced_again),
        TEST(test_an_earlier_version_is_spoken),
        TEST(test_each_policy_is_given_once),
        TEST(test_busy_collector_is_asked_again),
        TEST(test_window_is_respected),
        TEST(test_contexts_come_no_later_than_their_events),
        TEST(test_many_contexts_come_in_blocks),
        TEST(test_maps_come_before_their_records_and_end_after_them),
        TEST(test_all_that_is_not_durable_goes_again),
        TEST(test_only_what_is_lacking_goes_again),
        TEST(test_what_is_durable_does_not_go_again),
        TEST(test_it_goes_again_at_the_end),
        TEST(test_what_was_not_kept_is_counted),
        TEST(test_filters_go_with_the_next_batch),
        TEST(test_nothing_follows_the_last_batch),
        TEST(test_finish_without_collector_returns),
        TEST(test_finish_with_a_silent_collector_returns),
        TEST(test_bad_address_and_directory_are_errors),
        // The last one: it may leave NNG 1.5.2 unable to close a socket in this process.
        TEST(test_killed_collector_misses_nothing),
    };
    return cmocka_run_group_tests_name("ship", tests, NULL, NULL);
}
