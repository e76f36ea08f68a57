// SPDX-License-Identifier: Apache-2.0

// A journal that a start put aside makes its chunk when later ones are compacted already: all that
// it has, no less than the collector would have made of it. What it lacks is counted, and it goes
// only when nothing of it is lost by that.

#include "support/files.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/mend/fsck.h"
#include "collector/store/catalog/catalog.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    CHUNKS = 3,
    PIECES = 4, // of each chunk
    EVENTS = 5, // of each piece
    NUMBERS = CHUNKS * PIECES * EVENTS,
};

static const int64_t START_NS = 1700000000000000000;
static const int64_t CHUNK_NS = 600 * (int64_t)1000000000; // longer than any look-ahead

static const char *refused; // a file that the disk does not take once this one is there

// The code under test calls this one in place of the C library's.
int
fdatasync(int fd)
{
    char link[40];
    char path[500] = "";
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof(path) - 1);
    const char *name = size < 0 ? NULL : strrchr(path, '/');
    if (refused != NULL && access(refused, F_OK) == 0 && name != NULL &&
        strcmp(name, "/catalog.db-wal") == 0) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fdatasync, fd);
}

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    char aside[400];   // the journal of the first chunk, where it was put
    uint64_t sequence; // of the next batch
    // Of the first chunk
    uint64_t piece_bytes[PIECES];
    uint64_t records[PIECES + 1]; // where they begin in the journal
    fsck_counts counts;
} fixture;

static void
hello(fixture *f)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
}

static void
journal_path(const fixture *f, char path[400])
{
    (void)snprintf(path, 400, "%s/journal/%s/0.log", f->rig.dir.path, f->id);
}

static uint64_t
journal_size(const fixture *f)
{
    char path[400];
    struct stat info;
    journal_path(f, path);
    return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

// send_pieces sends the pieces of a chunk below end.
static void
send_pieces(fixture *f, uint32_t chunk, unsigned end, bool is_again)
{
    tick_chunk ticks;
    tick_chunk_init(&ticks, START_NS + chunk * CHUNK_NS);
    for (unsigned piece = 0; piece < end; piece++) {
        wire_piece next = wire_piece_take(&ticks, (chunk * PIECES + piece) * EVENTS, EVENTS);
        next.sequence = f->sequence++;
        next.chunk = chunk;
        next.begins_event = piece > 0;
        next.duration_ns = CHUNK_NS;
        next.begins_again = is_again && piece == 0;
        next.is_last = chunk == CHUNKS - 1 && piece == PIECES - 1;
        if (chunk == 0) {
            f->records[piece] = journal_size(f);
            f->piece_bytes[piece] = ticks.sent - next.from;
        }
        assert_int_equal(wire_client_send(&f->client, &next).status, OK);
    }
    if (chunk == 0) {
        f->records[end] = journal_size(f);
    }
    tick_chunk_fini(&ticks);
}

// start has a collector that has the first chunk in a journal.
static int
start(void **state, fixture *f)
{
    f->rig.lack_ms_max = 1; // what is lost does not come again
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    (void)snprintf(f->aside, sizeof(f->aside), "%s/damaged/%s-0.log", f->rig.dir.path, f->id);
    hello(f);
    send_pieces(f, 0, PIECES, false);
    *state = f;
    return 0;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    return start(state, f);
}

// set_up_with_policy is the same, with a policy that drops all events.
static int
set_up_with_policy(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[400];
    collector_rig_init(&f->rig);
    (void)snprintf(
        f->rig.policies_path, sizeof(f->rig.policies_path), "%s/policies", f->rig.dir.path);
    assert_int_equal(mkdir(f->rig.policies_path, 0700), 0);
    (void)snprintf(path, sizeof(path), "%s/default.jfc", f->rig.policies_path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(
        fprintf(file, "<configuration><event name='test.Tick'>"
                      "<setting name='enabled'>false</setting></event></configuration>") > 0);
    assert_int_equal(fclose(file), 0);
    return start(state, f);
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    refused = NULL;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

// send_others has the other chunks compacted, where the first one is not there.
static void
send_others(fixture *f)
{
    collector_rig_start(&f->rig);
    hello(f);
    send_pieces(f, 1, PIECES, false);
    send_pieces(f, 2, PIECES, false);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
    collector_rig_stop(&f->rig);
}

// pass_first puts the journal of the first chunk aside, and has the others compacted without it.
static void
pass_first(fixture *f)
{
    char path[400];
    journal_path(f, path);
    collector_rig_stop(&f->rig);
    assert_int_equal(rename(path, f->aside), 0);
    send_others(f);
}

// spoil_first has the journal of the first chunk be one that cannot be read, and keeps what it was.
static void
spoil_first(fixture *f, const char *kept)
{
    char path[400];
    journal_path(f, path);
    collector_rig_stop(&f->rig);
    assert_int_equal(rename(path, kept), 0);
    assert_int_equal(mkdir(path, 0700), 0);
}

// restore_first has the disk return what is in the journal that was put aside meanwhile.
static void
restore_first(const fixture *f, const char *kept)
{
    char aside[400];
    (void)snprintf(aside, sizeof(aside), "%s/damaged/%s-0.unread.log", f->rig.dir.path, f->id);
    assert_int_equal(rmdir(aside), 0);
    assert_int_equal(rename(kept, aside), 0);
}

static lp_err
repair(fixture *f)
{
    const fsck_config config = {.data_dir = f->rig.dir.path, .is_repairing = true};
    lp_problem problem;
    return fsck_run(&config, &f->counts, &problem);
}

// check_ticks checks that each event is there once, but for those of a piece of the first chunk.
static void
check_ticks(const fixture *f, unsigned missing)
{
    unsigned counts[NUMBERS] = {0};
    assert_int_equal(collector_rig_count(&f->rig, f->id, CHUNKS, counts, NUMBERS), 0);
    for (unsigned i = 0; i < NUMBERS; i++) {
        assert_int_equal(counts[i], i / EVENTS == missing ? 0 : 1);
    }
}

static void
test_what_came_before_a_chunk_came_again_in_part_is_used(void **state)
{
    fixture *f = *state;
    send_pieces(f, 0, 1, true);
    pass_first(f);
    assert_int_equal(repair(f), LP_OK);
    assert_int_equal(f->counts.findings, 1);
    assert_int_equal(f->counts.repaired, 1);
    check_ticks(f, UINT32_MAX);
    assert_int_equal(access(f->aside, F_OK), -1);
}

static void
open_catalog(const fixture *f, catalog **out_catalog)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open(path, out_catalog, NULL), LP_OK);
}

static void
read_losses(const fixture *f, uint64_t losses[CATALOG_LOSS_COUNT])
{
    const catalog_session row = collector_rig_look(&f->rig, f->id);
    memcpy(losses, row.losses, sizeof(row.losses));
}

typedef struct edit {
    catalog *catalog;
    uint32_t next_chunk;
    uint64_t unreadable;
    lp_err err;
} edit;

static void
count_others(void *arg, const catalog_session *found)
{
    edit *e = arg;
    catalog_session row = *found;
    row.next_chunk = e->next_chunk;
    row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE] = e->unreadable;
    e->unreadable = 0;
    e->err = catalog_put_session(e->catalog, &row);
}

// Others were counted, and not this one: two more chunks are missing.
static void
test_what_others_lack_is_not_taken_back(void **state)
{
    fixture *f = *state;
    uint64_t losses[CATALOG_LOSS_COUNT];
    pass_first(f);
    edit e = {.next_chunk = CHUNKS + 2, .unreadable = 2};
    open_catalog(f, &e.catalog);
    catalog *reader;
    open_catalog(f, &reader);
    assert_int_equal(catalog_find(reader, f->id, count_others, &e), LP_OK);
    assert_int_equal(e.err, LP_OK);
    catalog_close(reader);
    catalog_close(e.catalog);
    assert_int_equal(repair(f), LP_OK);
    check_ticks(f, UINT32_MAX);
    read_losses(f, losses);
    assert_int_equal(losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 2);
}

// What counts as lost because a journal could not be read is none once it was.
static void
test_a_journal_that_can_be_read_again_is_no_loss(void **state)
{
    fixture *f = *state;
    char kept[400];
    uint64_t losses[CATALOG_LOSS_COUNT];
    (void)snprintf(kept, sizeof(kept), "%s/kept", f->rig.dir.path);
    spoil_first(f, kept);
    send_others(f);
    read_losses(f, losses);
    assert_int_equal(losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_int_equal(losses[CATALOG_LOSS_BATCHES_LOST], PIECES);
    restore_first(f, kept);
    assert_int_equal(repair(f), LP_OK);
    assert_int_equal(f->counts.repaired, 1);
    check_ticks(f, UINT32_MAX);
    read_losses(f, losses);
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        assert_int_equal(losses[i], 0);
    }
}

// The same where it is put back, as the session waits for it.
static void
test_a_journal_that_is_put_back_is_no_loss(void **state)
{
    fixture *f = *state;
    char kept[400];
    uint64_t losses[CATALOG_LOSS_COUNT];
    (void)snprintf(kept, sizeof(kept), "%s/kept", f->rig.dir.path);
    spoil_first(f, kept);
    collector_rig_start(&f->rig);
    hello(f);
    collector_rig_stop(&f->rig);
    read_losses(f, losses);
    assert_int_equal(losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_int_equal(losses[CATALOG_LOSS_BATCHES_LOST], PIECES);
    restore_first(f, kept);
    assert_int_equal(repair(f), LP_OK);
    assert_int_equal(f->counts.repaired, 1);
    send_others(f);
    check_ticks(f, UINT32_MAX);
    read_losses(f, losses);
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        assert_int_equal(losses[i], 0);
    }
}

static void
note_first(void *arg, const catalog_chunk *chunk)
{
    if (chunk->ordinal == 0) {
        *(catalog_chunk *)arg = *chunk;
        ((catalog_chunk *)arg)->types_json = "{}";
    }
}

// name_edition has the row of the first chunk name its edition with all events.
static void
name_edition(const fixture *f)
{
    char path[400];
    catalog *c;
    catalog_chunk chunk = {0};
    bool is_changed;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open(path, &c, NULL), LP_OK);
    assert_int_equal(catalog_list_chunks(c, f->id, note_first, &chunk), LP_OK);
    uint64_t before_hash = chunk.content_hash++;
    chunk.place.offset = BLOB_EDITION_ALL;
    const catalog_edition edition = {.before_hash = before_hash, .to = &chunk};
    assert_int_equal(catalog_put_edition(c, f->id, &edition, &is_changed), LP_OK);
    assert_true(is_changed);
    catalog_close(c);
}

static void
check_text(const fixture *f, const char *name, const char *expected)
{
    char path[400];
    char text[40] = "";
    (void)snprintf(path, sizeof(path), "%s/damaged/%s-%s", f->rig.dir.path, f->id, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof(text) - 1, file), strlen(expected));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
}

// The files of a chunk that is lost are nowhere else.
static void
test_a_damaged_file_stays_where_its_chunk_is_made_again(void **state)
{
    fixture *f = *state;
    static const char garbage[] = "what is left of it";
    static const char other[] = "of the second edition";
    char chunk[400];
    char kept[400];
    char log[400];
    pass_first(f);
    (void)snprintf(log, sizeof(log), "%s/journal.kept", f->rig.dir.path);
    assert_int_equal(link(f->aside, log), 0);
    assert_int_equal(repair(f), LP_OK);
    (void)snprintf(chunk, sizeof(chunk), "%s/chunks/%s/0.jfr.zst", f->rig.dir.path, f->id);
    (void)snprintf(kept, sizeof(kept), "%s/damaged/%s-0.jfr.zst", f->rig.dir.path, f->id);
    assert_int_equal(rename(chunk, kept), 0); // there is one of this name already
    files_write(chunk, garbage, strlen(garbage));
    (void)snprintf(chunk, sizeof(chunk), "%s/chunks/%s/0.all.jfr.zst", f->rig.dir.path, f->id);
    files_write(chunk, other, strlen(other));
    name_edition(f);
    assert_int_equal(rename(log, f->aside), 0);
    assert_int_equal(repair(f), LP_OK);
    check_ticks(f, UINT32_MAX);
    check_text(f, "0-2.jfr.zst", garbage);
    check_text(f, "0.all.jfr.zst", other);
}

static void
test_the_policy_of_a_journal_decides(void **state)
{
    fixture *f = *state;
    unsigned counts[NUMBERS] = {0};
    pass_first(f);
    assert_int_equal(repair(f), LP_OK);
    assert_int_equal(f->counts.repaired, 1);
    assert_int_equal(collector_rig_count(&f->rig, f->id, CHUNKS, counts, NUMBERS), NUMBERS);
    for (unsigned i = 0; i < NUMBERS; i++) {
        assert_int_equal(counts[i], 0);
    }
}

static void
test_what_a_damaged_journal_lacks_is_counted_and_it_stays(void **state)
{
    fixture *f = *state;
    enum { BAD = 2 };
    pass_first(f);
    files_flip(f->aside, (off_t)((f->records[BAD] + f->records[BAD + 1]) / 2), 0x10);
    catalog_session row = collector_rig_look(&f->rig, f->id);
    row.losses[CATALOG_LOSS_GAP_BYTES] += f->piece_bytes[BAD];
    row.losses[CATALOG_LOSS_JOURNAL_BYTES_LOST] += f->records[BAD + 1] - f->records[BAD];
    assert_int_equal(repair(f), LP_OK);
    check_ticks(f, BAD);
    assert_int_equal(access(f->aside, F_OK), 0);
    collector_rig_check_losses(&f->rig, f->id, row.losses);
    assert_int_equal(repair(f), LP_OK); // and once is enough
    assert_int_equal(f->counts.findings, 0);
    assert_int_equal(f->counts.kept, 1);
}

static void
test_a_journal_stays_until_the_row_is_on_the_disk(void **state)
{
    fixture *f = *state;
    char chunk[400];
    pass_first(f);
    (void)snprintf(chunk, sizeof(chunk), "%s/chunks/%s/0.jfr.zst", f->rig.dir.path, f->id);
    refused = chunk;
    assert_int_equal(repair(f), LP_EIO);
    assert_int_equal(access(f->aside, F_OK), 0);
    refused = NULL;
    assert_int_equal(repair(f), LP_OK);
    check_ticks(f, UINT32_MAX);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_what_came_before_a_chunk_came_again_in_part_is_used),
        TEST(test_what_a_damaged_journal_lacks_is_counted_and_it_stays),
        TEST(test_a_journal_stays_until_the_row_is_on_the_disk),
        TEST(test_what_others_lack_is_not_taken_back),
        TEST(test_a_journal_that_can_be_read_again_is_no_loss),
        TEST(test_a_journal_that_is_put_back_is_no_loss),
        TEST(test_a_damaged_file_stays_where_its_chunk_is_made_again),
        cmocka_unit_test_setup_teardown(
            test_the_policy_of_a_journal_decides, set_up_with_policy, tear_down),
    };
    return cmocka_run_group_tests_name("fsck", tests, NULL, NULL);
}
