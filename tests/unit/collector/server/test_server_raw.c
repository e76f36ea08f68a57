// SPDX-License-Identifier: Apache-2.0
// Raw data: a chunk that is compacted again from its kept journal has the bytes that are stored,
// which is the proof that nothing of it was lost; by a policy that keeps everything it has every
// event that was sent. A collector that stops between the steps keeps the journal all the same. A
// pinned recording has every event, whenever the pin came, and after any restart. Five seconds of
// CPU.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/mend/fsck.h"
#include "collector/recall/edition/raw_task.h"
#include "collector/recall/recall.h"
#include "collector/session/session.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNKS = 4, EACH = 10 };

static const int64_t RECALL_NS = 900 * SERVER_RIG_SECOND_NS;

static const char some_events[] =
    "<configuration><event name='test.Tick'><setting name='throttle'>3/s</setting></event>"
    "</configuration>";
static const char no_events[] =
    "<configuration><event name='test.Tick'><setting name='enabled'>false</setting>"
    "</event></configuration>";

static int
set_up(void **state)
{
    return server_rig_set_up_recall(state, RECALL_NS, some_events);
}

// send_chunks sends chunks that are compacted one after the other. own: the JVM's settings; NULL:
// none.
static void
send_chunks(server_rig *f, const char *own)
{
    for (int i = 0; i < CHUNKS; i++) {
        wire_piece piece = server_rig_next_piece(f, EACH);
        piece.duration_ns = SESSION_LOOK_AHEAD_NS;
        piece.own_policy = own;
        server_rig_send(f, &piece);
        if (i + 1 < CHUNKS) {
            server_rig_rotate(f);
        }
    }
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    server_rig_send(f, &last);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
}

static bool
has_file(const server_rig *f, const char *folder, uint32_t ordinal)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s/%s/%u.log", f->rig.dir.path, folder, f->id, ordinal);
    return access(path, F_OK) == 0;
}

// A stopped collector's directory, to compact from.
typedef struct stopped {
    server_rig *of;
    data_dir *dir;
    blobs *blobs;
    catalog *catalog;
    uint32_t chunks;                             // that were compared
    unsigned counts[SERVER_RIG_NUMBERS_MAX];     // of the events that are stored
    unsigned raw_counts[SERVER_RIG_NUMBERS_MAX]; // by a policy that keeps everything
} stopped;

// compact_raw compacts a chunk from raw data.
static void
compact_raw(const raw_task *task, lp_buf *out_jfr)
{
    chunk_task_output output;
    lp_problem problem;
    if (chunk_task_compact(&task->task, &output, out_jfr, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    chunk_task_output_fini(&output);
}

// compare_chunk compares a stored chunk with raw data.
static void
compare_chunk(void *arg, const catalog_chunk *chunk)
{
    stopped *all = arg;
    const raw_task_from from = {.dir = all->dir};
    const blob_name name = {.session_id = all->of->id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash};
    lp_buf stored = {0};
    lp_buf again = {0};
    raw_task task;
    assert_int_equal(blobs_read_chunk(all->blobs, &name, &stored), LP_OK);
    assert_int_equal(raw_task_open(&from, all->of->id, chunk->ordinal, &task), LP_OK);
    assert_true(task.content_hash == chunk->content_hash);
    compact_raw(&task, &again);
    assert_int_equal(again.len, stored.len);
    assert_memory_equal(again.ptr, stored.ptr, stored.len);
    (void)tick_chunk_count(stored.ptr, stored.len, all->counts, SERVER_RIG_NUMBERS_MAX);
    lp_buf_fini(&again);

    size_t last = chunk_task_unit_end(&task.task, 0) - 1;
    policy_file_unref(task.task.policies[last]);
    task.task.policies[last] = NULL;
    compact_raw(&task, &again);
    (void)tick_chunk_count(again.ptr, again.len, all->raw_counts, SERVER_RIG_NUMBERS_MAX);
    raw_task_close(&task);
    lp_buf_fini(&again);
    lp_buf_fini(&stored);
    all->chunks++;
}

// check_raw stops the collector and compares all chunks. Returns how many events are stored.
static unsigned
check_raw(server_rig *f)
{
    collector_rig_stop(&f->rig);
    stopped *all = calloc(1, sizeof(*all));
    assert_non_null(all);
    all->of = f;
    assert_int_equal(data_dir_open(f->rig.dir.path, &all->dir, NULL), LP_OK);
    assert_int_equal(
        blobs_open(data_dir_at(all->dir, DATA_DIR_CHUNKS).text, &all->blobs, NULL), LP_OK);
    assert_int_equal(
        catalog_open_reader(data_dir_at(all->dir, DATA_DIR_CATALOG).text, &all->catalog, NULL),
        LP_OK);
    assert_int_equal(catalog_list_chunks(all->catalog, f->id, compare_chunk, all), LP_OK);
    assert_int_equal(all->chunks, CHUNKS);
    unsigned count = 0;
    for (uint64_t i = 0; i < f->number; i++) {
        assert_int_equal(all->raw_counts[i], 1);
        assert_true(all->counts[i] <= 1);
        count += all->counts[i];
    }
    catalog_close(all->catalog);
    blobs_close(all->blobs);
    data_dir_close(all->dir);
    free(all);
    return count;
}

static void
test_raw_data_compacts_to_the_stored_bytes(void **state)
{
    server_rig *f = *state;
    uint64_t unsealed = metrics_get(METRICS_recall_unsealed);
    send_chunks(f, NULL);
    unsigned count = check_raw(f);
    assert_true(count > 0 && count < f->number); // the throttle's state crosses chunks
    assert_int_equal(metrics_get(METRICS_recall_unsealed), unsealed);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        assert_true(has_file(f, "recall", i) && !has_file(f, "journal", i));
    }
}

static void
test_the_own_settings_of_a_jvm_decide_raw_data_too(void **state)
{
    server_rig *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/default.jfc", f->rig.policies_path);
    assert_int_equal(unlink(path), 0);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    server_rig_hello(f, 0);
    send_chunks(f, no_events);
    assert_int_equal(check_raw(f), 0);
}

// As if the collector had been killed between the commit and the rename.
static void
test_a_start_keeps_journals_of_committed_chunks(void **state)
{
    server_rig *f = *state;
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    char from[400];
    char to[400];
    (void)snprintf(to, sizeof(to), "%s/journal/%s", f->rig.dir.path, f->id);
    (void)mkdir(to, 0700);
    for (uint32_t i = 1; i < CHUNKS; i += 2) {
        (void)snprintf(from, sizeof(from), "%s/recall/%s/%u.log", f->rig.dir.path, f->id, i);
        (void)snprintf(to, sizeof(to), "%s/journal/%s/%u.log", f->rig.dir.path, f->id, i);
        assert_int_equal(rename(from, to), 0);
    }
    collector_rig_start(&f->rig);
    (void)check_raw(f);
    assert_true(has_file(f, "recall", 1) && !has_file(f, "journal", 1));
    const uint64_t none[CATALOG_LOSS_COUNT] = {0};
    collector_rig_check_losses(&f->rig, f->id, none);
}

static void
test_without_the_option_journals_are_deleted(void **state)
{
    server_rig *f = *state;
    collector_rig_stop(&f->rig);
    f->rig.recall_ns = 0;
    collector_rig_start(&f->rig);
    server_rig_hello(f, 0);
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        assert_false(has_file(f, "recall", i) || has_file(f, "journal", i));
    }
}

// find_run returns which run of the collector compacted chunk 0, if its journals are the same.
static uint64_t
find_run(const server_rig *f)
{
    data_dir *dir;
    raw_task task;
    assert_int_equal(data_dir_open(f->rig.dir.path, &dir, NULL), LP_OK);
    const raw_task_from from = {.dir = dir};
    assert_int_equal(raw_task_open(&from, f->id, 0, &task), LP_OK);
    uint64_t run = task.run;
    raw_task_close(&task);
    data_dir_close(dir);
    return run;
}

// The next chunk's journal was written again, as when a session moves away and comes back: the
// first compaction read another one.
static void
test_a_journal_that_was_written_again_is_noticed(void **state)
{
    server_rig *f = *state;
    char path[400];
    char other[410];
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    assert_true(find_run(f) != 0);
    (void)snprintf(path, sizeof(path), "%s/recall/%s/1.log", f->rig.dir.path, f->id);
    (void)snprintf(other, sizeof(other), "%s.other", path);
    lp_buf bytes = {0};
    size_t size;
    uint8_t *room = lp_buf_extend(&bytes, 1 << 20);
    assert_int_equal(lp_io_read_file(path, (char *)room, 1 << 20, &size), LP_OK);
    int fd = open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(lp_io_write_all(fd, (lp_slice){room, size}), LP_OK);
    (void)close(fd);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(find_run(f), 0);
    lp_buf_fini(&bytes);
}

// A chunk that the compaction looked at has expired, or was cut: the chunk is not compacted from
// the rest.
static void
test_missing_raw_data_is_reported(void **state)
{
    server_rig *f = *state;
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    data_dir *dir;
    raw_task task;
    char path[400];
    assert_int_equal(data_dir_open(f->rig.dir.path, &dir, NULL), LP_OK);
    const raw_task_from from = {.dir = dir};
    (void)snprintf(path, sizeof(path), "%s/recall/%s/2.log", f->rig.dir.path, f->id);
    assert_int_equal(truncate(path, 20), 0);
    assert_int_equal(raw_task_open(&from, f->id, 2, &task), LP_ENOENT); // no record
    assert_int_equal(raw_task_open(&from, f->id, 1, &task), LP_ENOENT); // it needs chunk 2
    assert_int_equal(unlink(path), 0);
    assert_int_equal(raw_task_open(&from, f->id, 1, &task), LP_ENOENT);
    assert_int_equal(raw_task_open(&from, f->id, 2, &task), LP_ENOENT);
    assert_int_equal(raw_task_open(&from, "7", 3, &task), LP_ENOENT);
    assert_int_equal(raw_task_open(&from, f->id, 3, &task), LP_OK);
    raw_task_close(&task);
    data_dir_close(dir);
}

// The only kind of finding that is expected.
typedef struct found_kind {
    finding_kind kind;
    unsigned count;
} found_kind;

static void
count_finding(void *arg, const finding *found)
{
    found_kind *of = arg;
    assert_int_equal(found->kind, of->kind);
    of->count++;
}

static void
check_fsck(const server_rig *f, finding_kind kind, unsigned count, bool is_repairing)
{
    found_kind of = {.kind = kind};
    const fsck_config config = {.data_dir = f->rig.dir.path,
        .is_repairing = is_repairing,
        .on_finding = count_finding,
        .arg = &of};
    fsck_counts counts;
    lp_problem problem;
    assert_int_equal(fsck_run(&config, &counts, &problem), LP_OK);
    assert_int_equal(of.count, count);
    assert_int_equal(counts.repaired, is_repairing ? count : 0);
}

static void
test_fsck_finds_bad_raw_data_and_deletes_it(void **state)
{
    server_rig *f = *state;
    char from[400];
    char to[400];
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    check_fsck(f, FINDING_RAW_DAMAGED, 0, false);
    (void)snprintf(from, sizeof(from), "%s/recall/%s/1.log", f->rig.dir.path, f->id);
    FILE *file = fopen(from, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 30, SEEK_SET), 0);
    assert_true(fputs("damage", file) >= 0);
    assert_int_equal(fclose(file), 0);
    check_fsck(f, FINDING_RAW_DAMAGED, 1, false);
    check_fsck(f, FINDING_RAW_DAMAGED, 1, true);
    assert_false(has_file(f, "recall", 1));
    check_fsck(f, FINDING_RAW_DAMAGED, 0, true);

    (void)snprintf(from, sizeof(from), "%s/recall/%s", f->rig.dir.path, f->id);
    (void)snprintf(to, sizeof(to), "%s/recall/%032d", f->rig.dir.path, 7);
    assert_int_equal(rename(from, to), 0);
    check_fsck(f, FINDING_RAW_LEFT, CHUNKS - 1, true);
    check_fsck(f, FINDING_RAW_LEFT, 0, true);
}

// --- Pins

// pin_all pins the recording's time, with chunks that exist, and waits until nothing waits.
static pin
pin_all(const server_rig *f, const char *key, uint32_t begin, uint32_t end)
{
    pin asked = {.from_wall_ns = SERVER_RIG_START_NS,
        .to_wall_ns = SERVER_RIG_START_NS + 3600 * SERVER_RIG_SECOND_NS,
        .made_wall_ns = lp_time_now()};
    pin_chunks chunks = {0};
    (void)snprintf(asked.key, sizeof(asked.key), "%s", key);
    (void)snprintf(asked.service, sizeof(asked.service), "%s", f->client.service);
    for (uint32_t i = begin; i < end; i++) {
        pin_chunk chunk = {.ordinal = i};
        memcpy(chunk.session_id, f->id, sizeof(chunk.session_id));
        assert_int_equal(LP_VEC_ADD(&chunks, chunk), LP_OK);
    }
    pin now = server_rig_pin(f, &asked, &chunks);
    LP_VEC_FINI(&chunks);
    return now;
}

// check_whole checks that each event is there once, and that the catalog counts them.
static void
check_whole(server_rig *f, uint64_t events)
{
    memset(f->counts, 0, sizeof(f->counts));
    assert_int_equal(
        collector_rig_count(&f->rig, f->id, CHUNKS, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(f);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.events_out, events);
}

static bool
has_all_events(const server_rig *f, uint32_t ordinal)
{
    char path[400];
    (void)snprintf(
        path, sizeof(path), "%s/chunks/%s/%u.all.jfr.zst", f->rig.dir.path, f->id, ordinal);
    return access(path, F_OK) == 0;
}

static void
test_a_pinned_recording_has_every_event(void **state)
{
    server_rig *f = *state;
    uint64_t recalled = metrics_get(METRICS_recall_chunks);
    send_chunks(f, NULL);
    pin now = pin_all(f, "first", 0, CHUNKS);
    assert_int_equal(now.outcomes[PIN_KEPT], CHUNKS);
    check_whole(f, f->number);
    assert_int_equal(metrics_get(METRICS_recall_chunks), recalled + CHUNKS);

    now = pin_all(f, "second", 0, CHUNKS + 1); // nothing changes, and no such chunk is made
    assert_int_equal(now.outcomes[PIN_KEPT], CHUNKS);
    assert_int_equal(now.outcomes[PIN_MISSING], 1);
    assert_int_equal(metrics_get(METRICS_recall_chunks), recalled + CHUNKS);
    collector_rig_stop(&f->rig);
    check_fsck(f, FINDING_FILE_LEFT, 0, true);
    collector_rig_start(&f->rig);
    check_whole(f, f->number);
}

// Which ids the chunks of an earlier run have is only known when they are compacted again.
static void
test_a_pin_of_a_trace_passes_over_chunks_without_it(void **state)
{
    server_rig *f = *state;
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    pin asked = {.key = "t",
        .selection = {PIN_TRACE, "4bf92f3577b34da6a3ce929d0e0e4736"},
        .to_wall_ns = INT64_MAX,
        .made_wall_ns = lp_time_now()};
    pin_chunks found = {0};
    raw_list_span span;
    pin now;
    bool is_new;
    raw_list *raw = recall_get_list(server_get_recall(f->rig.server));
    pins *all = recall_get_pins(server_get_recall(f->rig.server));
    assert_int_equal(raw_list_find(raw, &asked, &found, &span), LP_OK);
    assert_int_equal(found.count, CHUNKS);
    assert_true(span.from_wall_ns >= SERVER_RIG_START_NS && span.to_wall_ns > span.from_wall_ns);
    assert_int_equal(pins_add(all, &asked, &now, &is_new), LP_OK);
    pins_fill(all, now.id, &found, &now);
    LP_VEC_FINI(&found);
    while (now.waiting > 0) {
        assert_int_equal(pins_add(all, &asked, &now, &is_new), LP_OK);
        (void)poll(NULL, 0, 5);
    }
    assert_int_equal(now.outcomes[PIN_WITHOUT], CHUNKS);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        assert_false(has_all_events(f, i));
    }
}

static void
note_pin(void *arg, const pin *of)
{
    *(pin *)arg = *of;
}

// Nothing of a pin is done when its collector ends: the next one does it.
static void
test_a_pin_survives_a_restart(void **state)
{
    server_rig *f = *state;
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/pins.json", f->rig.dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file,
                    "{\"pins\":[{\"key\":\"k\",\"services\":\"%s\",\"recording\":\"\",\"kind\":0,"
                    "\"id\":\"\",\"reason\":\"\",\"owner\":\"\",\"from\":0,\"to\":%" PRId64
                    ",\"made\":%" PRId64 ",\"outcomes\":[],\"left_out\":0,\"is_settled\":false}]}",
                    f->client.service, INT64_MAX, lp_time_now()) > 0);
    assert_int_equal(fclose(file), 0);
    check_fsck(f, FINDING_PINS_DAMAGED, 0, false);
    collector_rig_start(&f->rig);
    pin now = {.waiting = 1};
    while (now.waiting > 0) {
        pins_each(recall_get_pins(server_get_recall(f->rig.server)), note_pin, &now);
        (void)poll(NULL, 0, 5);
    }
    assert_int_equal(now.outcomes[PIN_KEPT], CHUNKS);
    check_whole(f, f->number);
    collector_rig_stop(&f->rig);
    assert_int_equal(truncate(path, 20), 0);
    check_fsck(f, FINDING_PINS_DAMAGED, 1, true);
    check_fsck(f, FINDING_PINS_DAMAGED, 0, true);
    collector_rig_start(&f->rig);
}

static void
check_has_events(void *arg, const catalog_chunk *chunk)
{
    assert_true(chunk->has_bounds && chunk->bounds.commit_min_ns <= chunk->bounds.commit_max_ns);
    ++*(unsigned *)arg;
}

// Questions skip chunks by the bounds in the catalog: these are of all events, too.
static void
test_questions_find_the_events_of_a_pinned_chunk(void **state)
{
    server_rig *f = *state;
    server_rig_write_rules(f, "default.jfc", no_events);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    server_rig_hello(f, 0);
    send_chunks(f, NULL);
    assert_int_equal(pin_all(f, "first", 0, CHUNKS).outcomes[PIN_KEPT], CHUNKS);
    check_whole(f, f->number);
    collector_rig_stop(&f->rig);
    char path[400];
    catalog *reader;
    unsigned count = 0;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &reader, NULL), LP_OK);
    assert_int_equal(catalog_list_chunks(reader, f->id, check_has_events, &count), LP_OK);
    assert_int_equal(count, CHUNKS);
    catalog_close(reader);
}

static void
test_a_pin_waits_for_what_is_to_come(void **state)
{
    server_rig *f = *state;
    pin now = pin_all(f, "early", 0, 0);
    assert_int_equal(now.outcomes[PIN_KEPT], 0);
    send_chunks(f, NULL);
    while (now.outcomes[PIN_KEPT] < CHUNKS) {
        now = pin_all(f, "early", 0, 0);
    }
    check_whole(f, f->number);
}

// As if the collector had been killed before the row was written, and before the second file was.
static void
test_files_without_a_row_are_deleted(void **state)
{
    server_rig *f = *state;
    char from[400];
    char to[400];
    send_chunks(f, NULL);
    collector_rig_stop(&f->rig);
    (void)snprintf(from, sizeof(from), "%s/chunks/%s/0.jfr.zst", f->rig.dir.path, f->id);
    (void)snprintf(to, sizeof(to), "%s/chunks/%s/0.all.jfr.zst", f->rig.dir.path, f->id);
    assert_int_equal(link(from, to), 0);
    (void)snprintf(to, sizeof(to), "%s/chunks/%s/1.all.jfr.zst.tmp", f->rig.dir.path, f->id);
    assert_int_equal(link(from, to), 0);
    check_fsck(f, FINDING_FILE_LEFT, 2, true);
    assert_false(has_all_events(f, 0));
    check_fsck(f, FINDING_FILE_LEFT, 0, true);
}

// The catalog is lost: it is made again from the files with all events, not from those beside them.
static void
test_a_lost_catalog_gets_all_events_back(void **state)
{
    server_rig *f = *state;
    char path[400];
    send_chunks(f, NULL);
    (void)pin_all(f, "first", 0, CHUNKS - 1); // one chunk stays as it is
    collector_rig_stop(&f->rig);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(unlink(path), 0);
    const fsck_config config = {.data_dir = f->rig.dir.path, .is_repairing = true};
    fsck_counts counts;
    lp_problem problem;
    assert_int_equal(fsck_run(&config, &counts, &problem), LP_OK);
    (void)collector_rig_count(&f->rig, f->id, CHUNKS, f->counts, SERVER_RIG_NUMBERS_MAX);
    for (uint64_t i = 0; i < CHUNKS * EACH; i++) {
        assert_true(f->counts[i] == 1 || (f->counts[i] == 0 && i >= (CHUNKS - 1) * EACH));
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, server_rig_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_raw_data_compacts_to_the_stored_bytes),
        TEST(test_the_own_settings_of_a_jvm_decide_raw_data_too),
        TEST(test_a_start_keeps_journals_of_committed_chunks),
        TEST(test_without_the_option_journals_are_deleted),
        TEST(test_a_journal_that_was_written_again_is_noticed),
        TEST(test_missing_raw_data_is_reported),
        TEST(test_fsck_finds_bad_raw_data_and_deletes_it),
        TEST(test_a_pinned_recording_has_every_event),
        TEST(test_a_pin_of_a_trace_passes_over_chunks_without_it),
        TEST(test_a_pin_survives_a_restart),
        TEST(test_questions_find_the_events_of_a_pinned_chunk),
        TEST(test_a_pin_waits_for_what_is_to_come),
        TEST(test_files_without_a_row_are_deleted),
        TEST(test_a_lost_catalog_gets_all_events_back),
    };
    return cmocka_run_group_tests_name("server_raw", tests, NULL, NULL);
}
