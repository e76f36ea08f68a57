// SPDX-License-Identifier: Apache-2.0

// A collector that lacks what was acknowledged asks for it, and takes chunks that begin again: each
// event is there once, and what came again is no loss. The test is the agent.

#include "support/files.h"
#include "unit/collector/server/again_rig.h"

#include "collector/journal/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// send_first_two sends the chunks 0 and 1 to a collector that lacks nothing.
static void
send_first_two(again_rig *f)
{
    again_rig_hello(f, 0);
    again_rig_send_whole(f, 0, false);
    again_rig_send_whole(f, 1, false);
}

// What the agent had on its way when it changed over comes first.
static void
test_a_new_collector_gets_the_chunk_from_its_start(void **state)
{
    again_rig *f = *state;
    f->sequence = 2;
    again_rig_hello(f, 1);
    again_rig_send_pieces(f, 0, 2, 3, false);
    again_rig_send_whole(f, 0, true);
    again_rig_send_whole(f, 1, false);
    again_rig_send_whole(f, 2, false);
    again_rig_end_and_check(f, 0, 0);
}

// A collector that is killed right after that, and finds the batch in a journal, could not tell.
static void
test_that_it_is_no_loss_is_in_the_catalog_when_it_is_answered(void **state)
{
    again_rig *f = *state;
    f->sequence = 2;
    again_rig_hello(f, 1);
    const uint64_t lost[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LOST] = 2};
    collector_rig_check_losses(&f->rig, f->id, lost);
    again_rig_send_pieces(f, 0, 0, 1, true);
    const uint64_t none[CATALOG_LOSS_COUNT] = {0};
    collector_rig_check_losses(&f->rig, f->id, none);
}

// Nobody can say how many of the batches are of the chunks that do not come.
static void
test_what_only_another_collector_has_is_lost_here(void **state)
{
    again_rig *f = *state;
    f->sequence = 7;
    again_rig_hello(f, 1);
    again_rig_send_pieces(f, 1, 3, 4, false);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, true);
    again_rig_end_and_check(f, 1, 7);
}

// stop_at_journal stops the collector, and names the journal of chunk 1.
static void
stop_at_journal(again_rig *f, char out_path[300])
{
    collector_rig_stop(&f->rig);
    (void)snprintf(out_path, 300, "%s/journal/%s/1.log", f->rig.dir.path, f->id);
}

// stop_amid_chunks stops the collector while the agent is at chunk 2, and names the journal of
// chunk
// 1. No chunk is long enough to be compacted.
static void
stop_amid_chunks(again_rig *f, char out_path[300])
{
    f->duration_ns = 1;
    send_first_two(f);
    again_rig_send_pieces(f, 2, 0, 1, false);
    stop_at_journal(f, out_path);
}

// As after a power failure: the ends of two journals are gone. Chunk 1 is not compacted before it
// has come again, though the one behind it is long.
static void
test_what_was_cut_off_comes_again(void **state)
{
    again_rig *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(truncate(path, files_size(path) - 10), 0);
    collector_rig_start(&f->rig);
    f->duration_ns = again_rig_chunk_ns;
    again_rig_hello(f, 2);
    again_rig_send_pieces(f, 2, 1, 2, false);
    collector_rig_await(&f->rig, f->id, 1, false);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, true);
    again_rig_end_and_check(f, 0, 0);
}

// A collector that was started again, before the agent heard of it and after, still knows what
// lacks. What came again does not lack any more.
static void
test_what_lacks_is_known_after_each_start(void **state)
{
    again_rig *f = *state;
    send_first_two(f);
    f->duration_ns = 1;
    again_rig_send_pieces(f, 2, 0, 1, false);
    collector_rig_await(&f->rig, f->id, 1, false);
    char path[300];
    stop_at_journal(f, path);
    assert_int_equal(remove(path), 0);
    collector_rig_start(&f->rig);
    again_rig_start(f);
    again_rig_hello(f, 2);
    again_rig_start(f);
    again_rig_hello(f, 2);
    f->duration_ns = again_rig_chunk_ns;
    again_rig_send_whole(f, 1, true);
    again_rig_send_pieces(f, 2, 0, 1, true);
    again_rig_start(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 2, 1, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 0);
}

// The same of damage, which each start finds.
static void
test_damage_that_came_again_is_no_loss_after_each_start(void **state)
{
    again_rig *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    files_flip(path, 100, 0x10);
    collector_rig_start(&f->rig);
    again_rig_start(f);
    f->duration_ns = again_rig_chunk_ns;
    again_rig_hello(f, 1); // of which chunk the numbers are that the damage took nobody knows
    again_rig_send_whole(f, 0, true);
    again_rig_send_whole(f, 1, true);
    again_rig_send_pieces(f, 2, 0, 1, true);
    again_rig_start(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 2, 1, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 0);
}

// A journal that cannot be read at all is a chunk that is lost, until that comes again.
static void
test_a_journal_that_cannot_be_read_comes_again(void **state)
{
    again_rig *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    collector_rig_start(&f->rig);
    f->duration_ns = again_rig_chunk_ns;
    again_rig_hello(f, 1); // of which chunk the numbers are nobody knows
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, true);
    again_rig_end_and_check(f, 0, 0);
}

// The same, where the collector is started again before that comes, and another time behind it.
static void
test_a_journal_that_cannot_be_read_is_no_loss_after_each_start(void **state)
{
    again_rig *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    collector_rig_start(&f->rig);
    collector_rig_stop(&f->rig);
    (void)snprintf(path, sizeof(path), "%s/damaged/%s-1.unread.log", f->rig.dir.path, f->id);
    assert_int_equal(rmdir(path), 0); // what the disk did not return is a file
    files_write(path, "", 0);
    collector_rig_start(&f->rig);
    again_rig_start(f);
    f->duration_ns = again_rig_chunk_ns;
    again_rig_hello(f, 1);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, true);
    again_rig_start(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, true);
    again_rig_end_and_check(f, 0, 0);
}

// The data directory is an older copy: the session is there, but not the last batches.
static void
test_an_older_copy_asks_from_where_it_ends(void **state)
{
    again_rig *f = *state;
    again_rig_hello(f, 0);
    again_rig_send_whole(f, 0, false);
    again_rig_send_pieces(f, 1, 0, 1, false);
    f->sequence += 3;
    again_rig_start(f);
    again_rig_hello(f, 2);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, false);
    again_rig_end_and_check(f, 0, 0);
}

// The JVM died while it sent a chunk again: what came of that before counts, and lacks what it
// lacked.
static void
test_a_chunk_that_came_again_in_part_is_what_it_was(void **state)
{
    again_rig *f = *state;
    send_first_two(f);
    again_rig_send_whole(f, 2, false);
    f->sequence += 2;
    again_rig_start(f);
    again_rig_hello(f, 3);
    again_rig_send_pieces(f, 2, 0, 1, true);
    again_rig_send_pieces(f, 2, 0, 2, true); // and once more
    again_rig_end_and_check(f, 0, 2);
}

// Chunk 0 was compacted meanwhile: it is there, and nothing of it is late.
static void
test_a_compacted_chunk_that_begins_again_is_there_once(void **state)
{
    again_rig *f = *state;
    send_first_two(f);
    collector_rig_await(&f->rig, f->id, 1, false);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES - 1, true);
    again_rig_start(f); // in the middle of it
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, AGAIN_RIG_PIECES - 1, AGAIN_RIG_PIECES, false);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, false);
    again_rig_end_and_check(f, 0, 0);
}

// Of an agent that goes on without what lacks, what came is compacted.
static void
test_what_does_not_come_again_is_lost(void **state)
{
    again_rig *f = *state;
    f->sequence = 4;
    again_rig_hello(f, 1);
    again_rig_send_whole(f, 1, false);
    again_rig_send_whole(f, 2, false);
    again_rig_send_empty(f, 2, 1);
    again_rig_end_and_check(f, 1, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, again_rig_set_up, again_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_new_collector_gets_the_chunk_from_its_start),
        TEST(test_that_it_is_no_loss_is_in_the_catalog_when_it_is_answered),
        TEST(test_what_only_another_collector_has_is_lost_here),
        TEST(test_what_was_cut_off_comes_again),
        TEST(test_what_lacks_is_known_after_each_start),
        TEST(test_damage_that_came_again_is_no_loss_after_each_start),
        TEST(test_a_journal_that_cannot_be_read_comes_again),
        TEST(test_a_journal_that_cannot_be_read_is_no_loss_after_each_start),
        TEST(test_an_older_copy_asks_from_where_it_ends),
        TEST(test_a_chunk_that_came_again_in_part_is_what_it_was),
        TEST(test_a_compacted_chunk_that_begins_again_is_there_once),
        TEST(test_what_does_not_come_again_is_lost),
    };
    return cmocka_run_group_tests_name("server_again", tests, NULL, NULL);
}
