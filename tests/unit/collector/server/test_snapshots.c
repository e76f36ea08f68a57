// SPDX-License-Identifier: Apache-2.0

// Snapshots of counts: they say what a snapshot with the chunks says, and while nothing comes of a
// session it is compacted for them once, however often they are asked for; whatever comes, or is
// committed, is in the next one. A snapshot that fails half-way is empty.
//
// How often it was compacted is what the metric of snapshots counts.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "collector/server/session.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { OK = LOUPE__WIRE__REPLY__STATUS__OK };

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
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    assert_int_equal(wire_client_hello(&f->client, 0).status, OK);
    f->compacted = metrics_get(METRICS_snapshots);
    *state = f;
    return 0;
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
    size_t from = ticks->bytes.len;
    if (from == 0) {
        tick_chunk_init(ticks, START_NS + chunk * SECOND_NS);
    }
    for (unsigned i = 0; i < count; i++) {
        tick_chunk_add(ticks, f->number++);
    }
    const wire_piece piece = {
        .sequence = f->sequence++,
        .chunk = chunk,
        .ticks = ticks,
        .from = from,
        .duration_ns = duration_ns,
    };
    assert_int_equal(wire_client_send(&f->client, &piece).status, OK);
}

// assert_counts takes a snapshot of counts that compacted the session as many times more as said,
// and checks all that it says against one with the chunks.
static void
assert_counts(fixture *f, uint32_t next_chunk, unsigned compacted)
{
    snapshot *counts = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_COUNTS);
    f->compacted += compacted;
    assert_int_equal(metrics_get(METRICS_snapshots), f->compacted);
    assert_int_equal(counts->err, LP_OK);
    assert_int_equal(counts->jfr.len, 0);
    assert_int_equal(counts->next_chunk, next_chunk);
    assert_int_equal(counts->totals.events_in, f->number);

    snapshot *full = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    f->compacted = metrics_get(METRICS_snapshots);
    assert_int_equal(counts->size_bytes, full->jfr.len);
    assert_int_equal(counts->size_bytes, full->size_bytes);
    assert_int_equal(counts->next_chunk, full->next_chunk);
    assert_memory_equal(&counts->totals, &full->totals, sizeof(counts->totals));
    assert_int_equal(counts->stats.start_wall_ns, full->stats.start_wall_ns);
    assert_int_equal(counts->stats.duration_ns, full->stats.duration_ns);
    assert_int_equal(counts->stats.type_count, full->stats.type_count);
    for (size_t i = 0; i < counts->stats.type_count; i++) {
        const compact_type_stats *one = &counts->stats.types[i];
        const compact_type_stats *other = &full->stats.types[i];
        assert_string_equal(one->name, other->name);
        assert_int_equal(one->events_in, other->events_in);
        assert_int_equal(one->events_out, other->events_out);
        assert_int_equal(one->bytes_in, other->bytes_in);
        assert_int_equal(one->bytes_out, other->bytes_out);
        assert_memory_equal(&one->dropped, &other->dropped, sizeof(one->dropped));
    }
    snapshot_destroy(counts);
    snapshot_destroy(full);
}

static void
test_counts_are_compacted_once_for_each_change(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    assert_counts(f, 0, 0); // nothing is there

    send_events(f, 0, &ticks, 5, SECOND_NS);
    assert_counts(f, 0, 1);
    assert_counts(f, 0, 0);
    assert_counts(f, 0, 0);
    send_events(f, 0, &ticks, 3, SECOND_NS);
    assert_counts(f, 0, 1);
    assert_counts(f, 0, 0);
    tick_chunk_fini(&ticks);

    ticks = (tick_chunk){0};
    send_events(f, 1, &ticks, 4, SECOND_NS); // not enough for the chunk before to be due
    assert_counts(f, 0, 1);
    send_events(f, 1, &ticks, 4, SESSION_LOOK_AHEAD_NS); // which it is by now
    collector_rig_await(&f->rig, f->id, 1, false);
    assert_counts(f, 1, 1);
    assert_counts(f, 1, 0);
    tick_chunk_fini(&ticks);
}

static void
test_a_snapshot_with_chunks_counts_for_those_without(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    snapshot_destroy(collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR));
    f->compacted++;
    assert_counts(f, 0, 0);
    tick_chunk_fini(&ticks);
}

static void
test_an_ended_session_is_not_compacted_for_its_counts(void **state)
{
    fixture *f = *state;
    tick_chunk ticks = {0};
    send_events(f, 0, &ticks, 5, SECOND_NS);
    const wire_piece last = {.sequence = f->sequence, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_counts(f, 1, 0);
    tick_chunk_fini(&ticks);
}

// break_reading has every read from the open file whose path ends in suffix fail.
static void
break_reading(const char *suffix)
{
    DIR *open_files = opendir("/proc/self/fd");
    assert_non_null(open_files);
    int found = -1;
    for (const struct dirent *entry; (entry = readdir(open_files)) != NULL;) {
        char link[sizeof("/proc/self/fd/") + NAME_MAX];
        char path[PATH_MAX];
        (void)snprintf(link, sizeof(link), "/proc/self/fd/%s", entry->d_name);
        ssize_t len = readlink(link, path, sizeof(path) - 1);
        path[len < 0 ? 0 : len] = '\0';
        if (strlen(path) >= strlen(suffix) &&
            strcmp(path + strlen(path) - strlen(suffix), suffix) == 0) {
            assert_int_equal(found, -1);
            found = (int)strtol(entry->d_name, NULL, 10);
        }
    }
    (void)closedir(open_files);
    assert_true(found >= 0);
    int unreadable = open("/dev/null", O_WRONLY | O_CLOEXEC);
    assert_int_equal(dup2(unreadable, found), found);
    (void)close(unreadable);
}

static void
test_a_snapshot_that_fails_half_way_is_empty(void **state)
{
    fixture *f = *state;
    // A file where the session's directory of chunks would be: the first chunk cannot be stored and
    // stays with the two that come after it.
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/chunks/%s", f->rig.dir.path, f->id);
    FILE *in_the_way = fopen(path, "w");
    assert_non_null(in_the_way);
    (void)fclose(in_the_way);
    for (uint32_t chunk = 0; chunk < 3; chunk++) {
        tick_chunk ticks = {0};
        send_events(f, chunk, &ticks, 5, SECOND_NS);
        tick_chunk_fini(&ticks);
    }
    snapshot *whole = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(whole->err, LP_OK);
    assert_int_equal(whole->totals.events_in, 15);
    snapshot_destroy(whole);

    // The first chunk is compacted with the second as look-ahead, before the third is read.
    break_reading("/2.log");
    snapshot *failed = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(failed->err, LP_EIO);
    assert_int_equal(failed->jfr.len, 0);
    assert_int_equal(failed->size_bytes, 0);
    assert_int_equal(failed->stats.type_count, 0);
    snapshot_destroy(failed);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_counts_are_compacted_once_for_each_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_snapshot_with_chunks_counts_for_those_without, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_an_ended_session_is_not_compacted_for_its_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_snapshot_that_fails_half_way_is_empty, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
