// SPDX-License-Identifier: Apache-2.0
// What is kept: which chunks go, decided as a table; and that they do, while downloads and
// questions that began before still read them, a crash in between leaves nothing, and recordings go
// with their last chunk; what cannot be removed keeps nothing else from going.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/server/leaving_files.h"
#include "collector/server/retention.h"
#include "collector/store/catalog_expiry.h"
#include "collector/store/catalog_rollups.h"
#include "collector/store/removals.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t S = 1000000000;

// --- Deciding

// A case: the chunks as "service start end bytes", in the order of their starts; an upper case
// service has later chunks. Which go, as a mask.
typedef struct decision {
    const char *chunks[6];
    retention_service services[2];
    uint64_t bytes_max;
    const char *goes;
} decision;

#define ANY_AGE   INT64_MAX
#define ANY_BYTES UINT64_MAX

static void
test_decisions(void **state)
{
    (void)state;
    static const decision cases[] = {
        // Nothing is limited.
        {{"a 0 10 5", "b 1 11 5"}, {{5, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}}, ANY_BYTES,
            "--"},
        // An age of 20 at 40: what ended at 20 is as old as it may be.
        {{"a 0 19 5", "a 1 20 5", "a 2 21 5"}, {{15, 20, ANY_BYTES}}, ANY_BYTES, "x--"},
        // A long chunk does not keep those behind it.
        {{"a 0 30 5", "a 1 2 5", "a 2 3 5"}, {{15, 20, ANY_BYTES}}, ANY_BYTES, "-xx"},
        // Ages of services.
        {{"a 0 10 5", "b 0 10 5", "b 1 25 5"}, {{5, 100, ANY_BYTES}, {10, 20, ANY_BYTES}},
            ANY_BYTES, "-x-"},
        // Bytes of all: as many as are needed, the first to start.
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            15, "---"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            14, "x--"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            5, "xx-"},
        {{"a 0 10 5", "b 1 11 5", "a 2 12 5"}, {{10, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}},
            0, "xxx"},
        // Bytes of a service.
        {{"a 0 10 5", "b 1 11 5", "b 2 12 5"}, {{5, ANY_AGE, ANY_BYTES}, {10, ANY_AGE, 5}},
            ANY_BYTES, "-x-"},
        // What one limit takes counts for the other.
        {{"a 0 10 5", "b 1 39 5", "b 2 39 5"}, {{5, 20, ANY_BYTES}, {10, ANY_AGE, ANY_BYTES}}, 10,
            "x--"},
        // Behind the last that is known of a service no other goes for the bytes of all.
        {{"A 0 10 5", "b 9 39 5"}, {{100, ANY_AGE, ANY_BYTES}, {5, ANY_AGE, ANY_BYTES}}, 50, "x-"},
        // A clock that was set back: what ends in the future is not old.
        {{"a 0 90 5"}, {{5, 20, ANY_BYTES}}, ANY_BYTES, "-"},
        {{"a 0 -9223372036854775808 5"}, {{5, 20, ANY_BYTES}}, ANY_BYTES, "-"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const decision *d = &cases[i];
        retention_candidate candidates[6] = {0};
        retention_service services[2];
        memcpy(services, d->services, sizeof(services));
        size_t count = strlen(d->goes);
        size_t expected = 0;
        for (size_t k = 0; k < count; k++) {
            char service;
            assert_int_equal(
                sscanf(d->chunks[k], "%c %ld %ld %lu", &service, &candidates[k].start_wall_ns,
                    &candidates[k].end_wall_ns, &candidates[k].bytes),
                4);
            candidates[k].has_more = service < 'a';
            candidates[k].service = (size_t)((service | 32) - 'a');
            expected += d->goes[k] == 'x';
        }
        size_t gone = retention_decide(candidates, count, services, 2, d->bytes_max, 40);
        for (size_t k = 0; k < count; k++) {
            if (candidates[k].goes != (d->goes[k] == 'x')) {
                fail_msg("case %zu, chunk %zu", i, k);
            }
        }
        assert_int_equal(gone, expected);
    }
}

// --- Doing

static const char *refused; // the end of a name that the disk does not remove

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
int __wrap_unlink(const char *path);
int __real_unlink(const char *path);

int
__wrap_unlink(const char *path)
{
    size_t size = refused == NULL ? SIZE_MAX : strlen(refused);
    if (strlen(path) >= size && strcmp(path + strlen(path) - size, refused) == 0) {
        errno = EIO;
        return -1;
    }
    return __real_unlink(path);
}

typedef struct fixture {
    temp_dir dir;
    char catalog_path[300];
    char blobs_path[300];
    char journals_path[300];
    char damaged_path[300];
    data_dir *data;
    catalog *catalog;
    blobs *blobs;
    sessions *sessions;
    uv_loop_t loop;
    sync_rounds *rounds;
    id_store ids;
    retention *retention;
} fixture;

static void
on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    (void)arg;
    (void)session_id;
    (void)sequence;
}

static void
on_end(void *arg, uint64_t round, bool is_catalog_durable)
{
    (void)arg;
    (void)round;
    (void)is_catalog_durable;
}

static void
start(fixture *f, policy_keep keep, sync_mode mode)
{
    const sync_rounds_config rounds = {.loop = &f->loop,
        .mode = mode,
        .journals_path = f->journals_path,
        .damaged_path = f->damaged_path,
        .catalog = f->catalog,
        .blobs = f->blobs,
        .on_durable = on_durable,
        .on_end = on_end};
    assert_int_equal(sync_rounds_create(&rounds, &f->rounds, NULL), LP_OK);
    const retention_config config = {.keep = keep,
        .dir = f->data,
        .catalog = f->catalog,
        .blobs = f->blobs,
        .sessions = f->sessions,
        .rounds = f->rounds,
        .ids = &f->ids};
    assert_int_equal(retention_create(&config, &f->retention), LP_OK);
}

static void
stop(fixture *f)
{
    retention_destroy(f->retention);
    f->retention = NULL;
    sync_rounds_stop(f->rounds);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    sync_rounds_destroy(f->rounds);
    f->rounds = NULL;
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    assert_int_equal(data_dir_open(f->dir.path, &f->data, NULL), LP_OK);
    (void)snprintf(f->catalog_path, sizeof(f->catalog_path), "%s/catalog.db", f->dir.path);
    (void)snprintf(f->blobs_path, sizeof(f->blobs_path), "%s/chunks", f->dir.path);
    (void)snprintf(f->journals_path, sizeof(f->journals_path), "%s/journal", f->dir.path);
    (void)snprintf(f->damaged_path, sizeof(f->damaged_path), "%s/damaged", f->dir.path);
    char ids_path[300];
    (void)snprintf(ids_path, sizeof(ids_path), "%s/ids", f->dir.path);
    assert_int_equal(catalog_open(f->catalog_path, &f->catalog, NULL), LP_OK);
    assert_int_equal(blobs_open(f->blobs_path, &f->blobs, NULL), LP_OK);
    blobs_set_durable(f->blobs, false);
    assert_int_equal(id_store_open(&f->ids, ids_path, NULL), LP_OK);
    f->sessions = sessions_create(f->data, f->catalog);
    assert_non_null(f->sessions);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    if (f->retention != NULL) {
        stop(f);
    }
    assert_int_equal(uv_loop_close(&f->loop), 0);
    sessions_destroy(f->sessions);
    id_store_close(&f->ids);
    blobs_close(f->blobs);
    catalog_close(f->catalog);
    data_dir_close(f->data);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static char *
text_of(const char *literal)
{
    return (char *)(uintptr_t)literal; // nobody writes to it
}

static catalog_session
session_of(char digit, const char *service)
{
    catalog_session row = {.service = text_of(service),
        .instance = text_of("i"),
        .jvm_name = text_of("j"),
        .jvm_version = text_of("v"),
        .is_ended = true};
    memset(row.id, digit, CATALOG_ID_CHARS);
    return row;
}

// add stores a chunk that lasts a second, with statistics. Its content differs from any other's.
static catalog_chunk
add(fixture *f, catalog_session *row, int64_t start_s)
{
    char content[64];
    (void)snprintf(content, sizeof(content), "%s %ld", row->id, start_s);
    lp_slice bytes = {(const uint8_t *)content, strlen(content)};
    blobs_stored stored;
    rollup sums;
    rollup_init(&sums);
    rollup_note_commits(&sums, start_s * S, start_s * S);
    catalog_chunk chunk = {.ordinal = row->next_chunk++,
        .start_wall_ns = start_s * S,
        .duration_ns = S,
        .size_bytes = bytes.len,
        .content_hash = blobs_hash(bytes),
        .rollup = &sums,
        .types_json = "{\"a\":{\"in\":5,\"out\":3}}"};
    assert_int_equal(blobs_put(f->blobs, row->id, chunk.ordinal, bytes, &stored), LP_OK);
    chunk.stored_bytes = stored.stored_bytes;
    assert_int_equal(catalog_add_chunk(f->catalog, row, &chunk, bytes), LP_OK);
    rollup_fini(&sums);
    return chunk;
}

static void
note_ordinal(void *arg, const catalog_chunk *chunk)
{
    char *text = arg;
    (void)snprintf(text + strlen(text), 8, "%u ", chunk->ordinal);
}

// assert_chunks asserts the chunks that the catalog has of a session, and those with files.
static void
assert_chunks(const fixture *f, const char *id, const char *rows, const char *files)
{
    char found[200] = "";
    assert_int_equal(catalog_list_chunks(f->catalog, id, note_ordinal, found), LP_OK);
    assert_string_equal(found, rows);
    found[0] = '\0';
    for (unsigned i = 0; i < 10; i++) {
        char path[500];
        (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, i);
        if (access(path, F_OK) == 0) {
            (void)snprintf(found + strlen(found), 8, "%u ", i);
        }
    }
    assert_string_equal(found, files);
}

static void
copy_session(void *arg, const catalog_session *row)
{
    *(catalog_session *)arg = *row;
}

static lp_err
count_rollup(void *arg, const catalog_rollup *found)
{
    (void)found;
    ++*(unsigned *)arg;
    return LP_OK;
}

// count_sums returns how many sums of an hour, or rollups of chunks, there are of all time.
static unsigned
count_rollups(const fixture *f, int64_t step_ns)
{
    unsigned count = 0;
    const catalog_rollup_query all = {
        .from_wall_ns = 0, .to_wall_ns = 1000 * CATALOG_LONG_SUM_NS, .step_ns = step_ns};
    assert_int_equal(catalog_rollups_list(f->catalog, &all, count_rollup, &count), LP_OK);
    return count;
}

static void
test_chunks_go_with_all_that_is_theirs(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    uint64_t expired = metrics_get(METRICS_chunks_expired);
    for (int64_t i = 0; i < 4; i++) {
        (void)add(f, &row, i * 3600);
    }
    start(f, (policy_keep){.age_ns = 5000 * S}, SYNC_NEVER);
    retention_tick(f->retention, 10000 * S); // what ended before 5000 s
    assert_chunks(f, row.id, "2 3 ", "2 3 ");
    assert_int_equal(metrics_get(METRICS_chunks_expired), expired + 2);
    catalog_session found;
    assert_int_equal(catalog_find(f->catalog, row.id, copy_session, &found), LP_OK);
    assert_int_equal(found.expired_chunks, 2);
    assert_true(found.kept_wall_ns == 7200 * S);
    assert_int_equal(count_rollups(f, 0), 2);
    assert_int_equal(count_rollups(f, CATALOG_LONG_SUM_NS), 2);
    retention_tick(f->retention, 12201 * S); // 2 ended at 7201 s: it is as old as it may be
    assert_chunks(f, row.id, "2 3 ", "2 3 ");
    retention_tick(f->retention, 12202 * S);
    assert_chunks(f, row.id, "3 ", "3 ");
}

static void
test_a_recording_goes_with_its_last_chunk(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    catalog_session running = session_of('b', "shop");
    catalog_session empty = session_of('c', "shop");
    running.is_ended = false;
    (void)add(f, &row, 0);
    (void)add(f, &running, 0);
    assert_int_equal(catalog_put_session(f->catalog, &empty), LP_OK);
    assert_int_equal(blobs_put_hello(f->blobs, row.id, (lp_slice){0}), LP_OK);
    start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    retention_tick(f->retention, 101 * S);
    char path[500];
    catalog_session found;
    uint8_t *carry;
    size_t carry_bytes;
    assert_int_equal(catalog_find(f->catalog, row.id, copy_session, &found), LP_ENOENT);
    assert_int_equal(catalog_get_carry(f->catalog, row.id, &carry, &carry_bytes), LP_OK);
    assert_null(carry);
    (void)snprintf(path, sizeof(path), "%s/%s", f->blobs_path, row.id);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(catalog_find(f->catalog, empty.id, copy_session, &found), LP_ENOENT);
    assert_int_equal(catalog_find(f->catalog, running.id, copy_session, &found), LP_OK);
    assert_int_equal(found.expired_chunks, 1);
    assert_true(found.kept_wall_ns == S); // when the last one ended
}

static void
test_bytes_are_kept_after_each_commit(void **state)
{
    fixture *f = *state;
    catalog_session one = session_of('a', "shop");
    catalog_session other = session_of('b', "mail");
    catalog_chunk first = add(f, &one, 0);
    start(f, (policy_keep){.bytes = 3 * first.stored_bytes + 20}, SYNC_NEVER);
    for (int64_t i = 1; i < 6; i++) {
        catalog_chunk chunk = add(f, i % 2 == 0 ? &one : &other, i);
        retention_note(f->retention, i % 2 == 0 ? "shop" : "mail", &chunk, 100 * S);
        assert_true(metrics_get(METRICS_stored_bytes_KEPT) <= 3 * first.stored_bytes + 20);
    }
    retention_tick(f->retention, 100 * S);
    assert_chunks(f, one.id, "2 ", "2 ");       // 4 s
    assert_chunks(f, other.id, "1 2 ", "1 2 "); // 3 s and 5 s
}

static void
test_many_go_for_the_bytes_of_all(void **state)
{
    fixture *f = *state;
    catalog_session rows[3] = {
        session_of('a', "shop"), session_of('b', "mail"), session_of('c', "shop")};
    for (int64_t i = 0; i < 60; i++) { // a second each, in turn
        (void)add(f, &rows[i % 3], i);
    }
    catalog_chunk last = add(f, &rows[0], 60);
    start(f, (policy_keep){.bytes = 3 * last.stored_bytes + 20}, SYNC_NEVER);
    for (unsigned i = 0; i < 100; i++) { // a tick ends when it has taken too long
        retention_tick(f->retention, 100 * S);
    }
    char found[200] = "";
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(catalog_list_chunks(f->catalog, rows[i].id, note_ordinal, found), LP_OK);
    }
    assert_string_equal(found, "20 19 19 "); // 60 s, 58 s and 59 s
}

static void
test_more_go_than_at_once(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    for (int64_t i = 0; i < 2 * RETENTION_BATCH + 6; i++) {
        (void)add(f, &row, i);
    }
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    retention_tick(f->retention, 102 * S); // 0 ended at 1 s
    assert_int_equal(count_rollups(f, 0), 2 * RETENTION_BATCH + 5);
    for (unsigned i = 0; i < 100; i++) {
        retention_tick(f->retention, (2 * RETENTION_BATCH + 6 + 100) * S);
    }
    char found[400] = "";
    assert_int_equal(catalog_list_chunks(f->catalog, row.id, note_ordinal, found), LP_OK);
    assert_string_equal(found, "133 "); // which ended 100 s before
}

static void
test_who_reads_is_waited_for(void **state)
{
    fixture *f = *state;
    catalog_session one = session_of('a', "shop");
    catalog_session other = session_of('b', "shop");
    (void)add(f, &one, 0);
    (void)add(f, &one, 1000);
    (void)add(f, &other, 0);
    (void)add(f, &other, 1000);
    blobs_reader download = {0};
    blobs_reader question = {0};
    blobs_reader late = {0};
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    blobs_reader_begin(&download, f->blobs, one.id);
    retention_tick(f->retention, 1000 * S);
    assert_chunks(f, one.id, "1 ", "0 1 ");
    assert_chunks(f, other.id, "1 ", "1 ");
    assert_true(metrics_get(METRICS_stored_bytes_LEAVING) > 0);
    blobs_reader_begin(&late, f->blobs, one.id); // which does not know of it
    blobs_reader_end(&download);
    retention_tick(f->retention, 1000 * S);
    assert_chunks(f, one.id, "1 ", "1 ");
    assert_int_equal(metrics_get(METRICS_stored_bytes_LEAVING), 0);

    blobs_reader_begin(&question, f->blobs, NULL);
    retention_tick(f->retention, 2000 * S);
    assert_chunks(f, one.id, "", "1 ");
    assert_chunks(f, other.id, "", "1 ");
    blobs_reader_end(&question);
    blobs_reader_end(&late);
    retention_tick(f->retention, 2000 * S);
    assert_chunks(f, one.id, "", "");
    assert_chunks(f, other.id, "", "");
}

static void
test_files_wait_for_the_disk(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    (void)add(f, &row, 0);
    (void)add(f, &row, 1000);
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    retention_tick(f->retention, 1000 * S);
    assert_chunks(f, row.id, "1 ", "0 1 "); // no round has run
    retention_remove_files(f->retention);
    assert_chunks(f, row.id, "1 ", "0 1 ");
    sync_rounds_stop(f->rounds); // makes one
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    retention_remove_files(f->retention);
    assert_chunks(f, row.id, "1 ", "1 ");
    retention_destroy(f->retention);
    f->retention = NULL;
    sync_rounds_destroy(f->rounds);
}

// --- What fails

static lp_err
remove_nothing(void *arg, const char *session_id)
{
    (void)arg;
    (void)session_id;
    return LP_OK;
}

static void
finish_removals(const fixture *f)
{
    const removals_rest rest = {.remove = remove_nothing};
    removal_list left = {0};
    int error;
    assert_int_equal(removals_finish(f->catalog, f->blobs, rest, &left, &error), LP_OK);
    assert_int_equal(left.count, 0);
    LP_VEC_FINI(&left);
}

static void
on_nothing(uv_timer_t *timer)
{
    (void)timer;
}

// run_round runs the loop until the end of the coming round.
static void
run_round(fixture *f)
{
    uint64_t round = sync_rounds_get_coming(f->rounds);
    uv_timer_t alive; // rounds do not keep the loop alive
    assert_int_equal(uv_timer_init(&f->loop, &alive), 0);
    assert_int_equal(uv_timer_start(&alive, on_nothing, 1000, 1000), 0);
    sync_rounds_hurry(f->rounds);
    while (!sync_rounds_is_over(f->rounds, round)) { // ctest's time limit ends it
        (void)uv_run(&f->loop, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&alive, NULL);
    (void)uv_run(&f->loop, UV_RUN_NOWAIT);
}

static void
count_note(void *arg, const char *session_id, int64_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    ++*(unsigned *)arg;
}

static unsigned
count_notes(const fixture *f)
{
    unsigned count = 0;
    assert_int_equal(catalog_list_removals(f->catalog, count_note, &count), LP_OK);
    return count;
}

// A power failure may bring a file back until the disk has it that it is gone.
static void
test_a_note_goes_when_the_disk_knows(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    catalog_session removed = session_of('b', "shop");
    (void)add(f, &row, 0);
    (void)add(f, &row, 1000);
    (void)add(f, &removed, 1000);
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    assert_int_equal(retention_remove(f->retention, removed.id), LP_OK);
    retention_tick(f->retention, 1000 * S);
    run_round(f);
    assert_chunks(f, row.id, "1 ", "0 1 ");
    retention_remove_files(f->retention);
    assert_chunks(f, row.id, "1 ", "1 ");
    assert_chunks(f, removed.id, "", "");
    assert_int_equal(count_notes(f), 3);
    assert_true(retention_is_removing(f->retention, removed.id));
    run_round(f);
    retention_remove_files(f->retention);
    assert_int_equal(count_notes(f), 0);
    assert_false(retention_is_removing(f->retention, removed.id));
}

// block makes the file of a chunk one that nobody can remove, root included: a directory.
static void
block(const fixture *f, const char *id, unsigned ordinal)
{
    char path[500];
    (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, ordinal);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void
unblock(const fixture *f, const char *id, unsigned ordinal)
{
    char path[500];
    (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, ordinal);
    assert_int_equal(rmdir(path), 0);
}

static void
test_what_cannot_be_removed_keeps_nothing_else(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    uint64_t most = 2 * add(f, &row, 0).stored_bytes + 20;
    for (int64_t i = 1; i < 4; i++) {
        (void)add(f, &row, i);
    }
    block(f, row.id, 0);
    uint64_t errors = metrics_get(METRICS_removal_errors);
    start(f, (policy_keep){.bytes = most}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    assert_chunks(f, row.id, "2 3 ", "0 2 3 ");
    assert_int_equal(metrics_get(METRICS_removal_errors), errors + 1);
    assert_true(metrics_get(METRICS_stored_bytes_LEAVING) > 0);
    for (int64_t i = 4; i < 7; i++) { // the limit holds, also before it is tried again
        catalog_chunk chunk = add(f, &row, i);
        retention_note(f->retention, "shop", &chunk, 100 * S);
        assert_true(metrics_get(METRICS_stored_bytes_KEPT) <= most);
        retention_remove_files(f->retention);
    }
    assert_chunks(f, row.id, "5 6 ", "0 5 6 ");
    assert_int_equal(count_notes(f), 1);
    unblock(f, row.id, 0);
    stop(f);
    finish_removals(f);
    assert_chunks(f, row.id, "5 6 ", "5 6 ");
}

static void
test_what_could_not_be_removed_is_tried_again(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    (void)add(f, &row, 0);
    (void)add(f, &row, 1);
    start(f, (policy_keep){0}, SYNC_NEVER);
    leaving_files leaving = {.catalog = f->catalog,
        .blobs = f->blobs,
        .rounds = f->rounds,
        .rest = {.remove = remove_nothing}};
    block(f, row.id, 1);
    assert_int_equal(leaving_files_reserve(&leaving, 2), LP_OK);
    leaving_files_add(&leaving, row.id, 1, 10);
    leaving_files_add(&leaving, row.id, 0, 10);
    assert_int_equal(leaving_files_go_on(&leaving, 1000), LP_OK);
    assert_chunks(f, row.id, "0 1 ", "1 ");
    unblock(f, row.id, 1);
    assert_int_equal(leaving_files_go_on(&leaving, 1000 + LEAVING_FILES_RETRY_MS - 1), LP_OK);
    assert_int_equal(leaving.items.count, 1);
    assert_int_equal(leaving_files_go_on(&leaving, 1000 + LEAVING_FILES_RETRY_MS), LP_OK);
    assert_int_equal(leaving.items.count, 0);
    assert_int_equal(metrics_get(METRICS_stored_bytes_LEAVING), 0);
    leaving_files_fini(&leaving);
}

static void
test_a_crash_leaves_nothing(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    catalog_session removed = session_of('b', "shop");
    (void)add(f, &row, 0);
    (void)add(f, &row, 1000);
    for (int64_t i = 0; i < 3; i++) {
        (void)add(f, &removed, 1000);
    }
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    retention_tick(f->retention, 1000 * S);
    assert_int_equal(retention_remove(f->retention, removed.id), LP_OK);
    assert_chunks(f, row.id, "1 ", "0 1 ");
    assert_chunks(f, removed.id, "0 1 2 ", "0 1 2 ");
    stop(f); // which is a crash, as far as the files are concerned

    finish_removals(f);
    assert_chunks(f, row.id, "1 ", "1 ");
    assert_chunks(f, removed.id, "", "");
    finish_removals(f);
    assert_int_equal(count_rollups(f, 0), 1);
}

static void
test_a_recording_is_removed_on_demand(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    catalog_session running = session_of('b', "shop");
    catalog_session found;
    running.is_ended = false;
    for (int64_t i = 0; i < 3; i++) {
        (void)add(f, &row, i);
    }
    (void)add(f, &running, 0);
    struct session *in_memory;
    assert_int_equal(sessions_load(f->sessions, running.id, &in_memory), LP_OK);
    start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, running.id), LP_EAGAIN);
    assert_int_equal(retention_remove(f->retention, "cccccccccccccccccccccccccccccccc"), LP_ENOENT);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    assert_int_equal(catalog_find(f->catalog, row.id, copy_session, &found), LP_ENOENT);
    assert_true(retention_is_removing(f->retention, row.id));
    assert_false(retention_is_removing(f->retention, running.id));
    retention_tick(f->retention, 0);
    retention_tick(f->retention, 0);
    assert_false(retention_is_removing(f->retention, row.id));
    assert_chunks(f, row.id, "", "");
    assert_chunks(f, running.id, "0 ", "0 ");
    assert_int_equal(retention_remove(f->retention, row.id), LP_ENOENT);
}

// A question that began when the recording's row was gone and the rows of its chunks were not.
static void
test_who_reads_what_is_removed_is_waited_for(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    (void)add(f, &row, 0);
    (void)add(f, &row, 1);
    blobs_reader question = {0};
    start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    blobs_reader_begin(&question, f->blobs, NULL);
    retention_tick(f->retention, 0);
    retention_tick(f->retention, 0);
    assert_chunks(f, row.id, "", "0 1 ");
    assert_true(retention_is_removing(f->retention, row.id));
    blobs_reader_end(&question);
    retention_tick(f->retention, 0);
    assert_chunks(f, row.id, "", "");
    assert_false(retention_is_removing(f->retention, row.id));
}

static void
test_a_session_in_memory_knows_what_expired(void **state)
{
    fixture *f = *state;
    catalog_session running = session_of('b', "shop");
    running.is_ended = false;
    (void)add(f, &running, 0);
    (void)add(f, &running, 1000);
    struct session *in_memory;
    assert_int_equal(sessions_load(f->sessions, running.id, &in_memory), LP_OK);
    start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    retention_tick(f->retention, 1000 * S);
    assert_int_equal(in_memory->row.expired_chunks, 1);
    assert_true(in_memory->row.kept_wall_ns == 1000 * S);
}

static void
test_ids_of_a_time_without_chunks_are_forgotten(void **state)
{
    fixture *f = *state;
    const int64_t hour_s = 3600;
    catalog_session row = session_of('a', "shop");
    for (int64_t i = 0; i < 4; i++) { // the last hour is not put in order before the next begins
        uint64_t hash = 7;
        const id_run_chunk chunk = {.session_id = row.id,
            .ordinal = row.next_chunk,
            .start_wall_ns = i * hour_s * S,
            .hashes = &hash,
            .hash_count = 1};
        id_index_add(f->ids.index, &chunk);
        (void)add(f, &row, i * hour_s);
    }
    id_index_wait(f->ids.index);
    assert_int_equal(id_index_count(f->ids.index).entries, 4);
    start(f, (policy_keep){.age_ns = hour_s * S}, SYNC_NEVER);
    retention_tick(f->retention, (3 * hour_s + 2) * S); // 0, 1 and 2 go
    assert_int_equal(id_index_count(f->ids.index).entries, 1);
}

// --- What was put aside

static void
put_aside(const fixture *f, const char *name, size_t bytes)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, name);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(close(fd), 0);
}

static bool
is_aside(const fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, name);
    return access(path, F_OK) == 0;
}

static const char log_of_a[] = "damaged/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-3-2.log";
static const char piece_of_b[] = "damaged/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-0.12.piece";
static const char old_catalog[] = "catalog.db.damaged-20260101T000000Z";

static void
put_all_aside(const fixture *f)
{
    put_aside(f, log_of_a, 1000);
    put_aside(f, piece_of_b, 1000);
    put_aside(f, old_catalog, 1000);
    put_aside(f, "damaged/strange", 1000);
}

static void
test_what_was_put_aside_goes_by_its_age(void **state)
{
    fixture *f = *state;
    const catalog_session row = session_of('a', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_all_aside(f);
    int64_t now_ns = lp_time_now();
    start(f, (policy_keep){.age_ns = 3600 * S}, SYNC_NEVER);
    retention_tick(f->retention, now_ns + 3500 * S);
    assert_true(is_aside(f, log_of_a));
    assert_true(is_aside(f, piece_of_b));
    assert_true(is_aside(f, old_catalog));
    assert_true(is_aside(f, "damaged/strange"));
    retention_tick(f->retention, now_ns + 3700 * S);
    assert_false(is_aside(f, log_of_a));
    assert_false(is_aside(f, piece_of_b));
    assert_false(is_aside(f, old_catalog));
    assert_false(is_aside(f, "damaged/strange"));
    assert_true(is_aside(f, "catalog.db"));
}

static void
test_what_was_put_aside_stays_without_limits(void **state)
{
    fixture *f = *state;
    put_all_aside(f);
    start(f, (policy_keep){0}, SYNC_NEVER);
    retention_tick(f->retention, INT64_MAX);
    assert_true(is_aside(f, log_of_a));
    assert_true(is_aside(f, old_catalog));
}

// Its bytes count like those of chunks; the chunks are from long ago, and go first.
static void
test_what_was_put_aside_counts_among_the_bytes(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    (void)add(f, &row, 0);
    uint64_t more = add(f, &row, 1000).stored_bytes;
    put_aside(f, log_of_a, 5000);
    start(f, (policy_keep){.bytes = 5000 + more}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    assert_chunks(f, row.id, "1 ", "1 ");
    assert_true(is_aside(f, log_of_a));
    stop(f);
    start(f, (policy_keep){.bytes = 4999}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    assert_chunks(f, row.id, "", "");
    assert_false(is_aside(f, log_of_a));
}

static void
test_what_was_put_aside_goes_with_its_recording(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    (void)add(f, &row, 0);
    row.is_ended = true;
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_all_aside(f);
    start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, log_of_a));
    assert_true(is_aside(f, piece_of_b));
    assert_true(is_aside(f, old_catalog));
    assert_false(retention_is_removing(f->retention, row.id));
}

// Those of a chunk that was never counted, as memory had run out, are not taken from those of what
// was put aside: no limit is reached.
static void
test_bytes_of_chunks_and_of_what_was_put_aside_are_apart(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    catalog_session other = session_of('b', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_aside(f, log_of_a, 1000);
    start(f, (policy_keep){.bytes = 1 << 20}, SYNC_NEVER);
    (void)add(f, &row, 0); // no retention_note
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, log_of_a));
    (void)add(f, &other, 0);
    retention_tick(f->retention, lp_time_now());
    assert_chunks(f, other.id, "0 ", "0 ");
    assert_int_equal(metrics_get(METRICS_stored_bytes_KEPT), 0);
}

static void
test_a_recording_goes_without_a_directory_of_damaged_files(void **state)
{
    fixture *f = *state;
    catalog_session row = session_of('a', "shop");
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/damaged", f->dir.path);
    (void)add(f, &row, 0);
    start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_chunks(f, row.id, "", "");
    assert_false(retention_is_removing(f->retention, row.id));
}

// Those behind a file that cannot be removed go, and it is tried again.
static void
test_a_file_that_cannot_be_removed_holds_up_no_other(void **state)
{
    fixture *f = *state;
    enum { FILES = 5 };
    catalog_session row = session_of('a', "shop");
    char names[FILES][60];
    char path[500];
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "damaged/%s-%d.log", row.id, i);
        put_aside(f, names[i], 10);
    }
    (void)add(f, &row, 0);
    for (int refused_one = 0; refused_one < FILES; refused_one++) {
        for (int i = 0; i < FILES; i++) {
            put_aside(f, names[i], 10);
        }
        assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
        start(f, (policy_keep){0}, SYNC_NEVER);
        assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
        refused = names[refused_one];
        retention_tick(f->retention, lp_time_now());
        retention_tick(f->retention, lp_time_now());
        refused = NULL;
        for (int i = 0; i < FILES; i++) {
            assert_int_equal(is_aside(f, names[i]), i == refused_one);
        }
        assert_true(retention_is_removing(f->retention, row.id));
        stop(f);
    }
    start(f, (policy_keep){0}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, names[FILES - 1]));
    assert_false(retention_is_removing(f->retention, row.id));
    stop(f);

    // The same of the files of chunks: here one is a directory.
    catalog_session other = session_of('b', "shop");
    for (int64_t i = 0; i < 4; i++) {
        (void)add(f, &other, i);
    }
    (void)snprintf(path, sizeof(path), "%s/%s/0.jfr.zst", f->blobs_path, other.id);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    assert_chunks(f, other.id, "", "0 ");
}

// A directory that cannot be listed keeps recordings no longer.
static void
test_recordings_go_where_damaged_files_cannot_be_listed(void **state)
{
    fixture *f = *state;
    char path[300];
    catalog_session found;
    const catalog_session empty = session_of('c', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &empty), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/damaged", f->dir.path);
    assert_int_equal(rmdir(path), 0);
    put_aside(f, "damaged", 1); // a file
    start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    assert_int_equal(catalog_find(f->catalog, empty.id, copy_session, &found), LP_ENOENT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
        TEST(test_chunks_go_with_all_that_is_theirs),
        TEST(test_a_recording_goes_with_its_last_chunk),
        TEST(test_bytes_are_kept_after_each_commit),
        TEST(test_many_go_for_the_bytes_of_all),
        TEST(test_more_go_than_at_once),
        TEST(test_who_reads_is_waited_for),
        TEST(test_files_wait_for_the_disk),
        TEST(test_a_note_goes_when_the_disk_knows),
        TEST(test_what_cannot_be_removed_keeps_nothing_else),
        TEST(test_what_could_not_be_removed_is_tried_again),
        TEST(test_a_crash_leaves_nothing),
        TEST(test_a_recording_is_removed_on_demand),
        TEST(test_who_reads_what_is_removed_is_waited_for),
        TEST(test_a_session_in_memory_knows_what_expired),
        TEST(test_ids_of_a_time_without_chunks_are_forgotten),
        TEST(test_what_was_put_aside_goes_by_its_age),
        TEST(test_what_was_put_aside_stays_without_limits),
        TEST(test_what_was_put_aside_counts_among_the_bytes),
        TEST(test_what_was_put_aside_goes_with_its_recording),
        TEST(test_bytes_of_chunks_and_of_what_was_put_aside_are_apart),
        TEST(test_a_recording_goes_without_a_directory_of_damaged_files),
        TEST(test_a_file_that_cannot_be_removed_holds_up_no_other),
        TEST(test_recordings_go_where_damaged_files_cannot_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
