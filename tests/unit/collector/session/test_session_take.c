// SPDX-License-Identifier: Apache-2.0
// Two collectors share a catalog. A session that comes to the other one is as its last chunk left
// it, and lacks what was acknowledged behind that; what the first one had of it goes when it is
// noticed, but not while it is compacted or read; and when it comes back to the first one, nothing
// of before is used. What a collector owns is there after its restart, with its journals; those of
// a session that has gone meanwhile are removed. A session of a collector that is gone is taken by
// another one in the end.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/session/session_settle.h"
#include "collector/session/session_take.h"
#include "collector/start/recovery.h"
#include "collector/store/catalog/catalog_owners.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/wire/wire.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NODES = 2 };

static const char session_id[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

typedef struct collector {
    data_dir *dir;
    catalog *catalog;
    sessions *sessions;
} collector;

typedef struct fixture {
    temp_dir dir;
    collector of[NODES];
    bool was_cut; // the power, before a start
} fixture;

static void
open_collector(fixture *f, size_t i)
{
    collector *c = &f->of[i];
    char id[CATALOG_NODE_ID_CHARS + 1] = {0};
    char path[300];
    char place[300];
    memset(id, "12"[i], CATALOG_NODE_ID_CHARS);
    (void)snprintf(path, sizeof(path), "%s/%zu", f->dir.path, i);
    (void)snprintf(place, sizeof(place), "%s/catalog.db", f->dir.path);
    assert_int_equal(data_dir_open(path, &c->dir, NULL), LP_OK);
    assert_int_equal(catalog_open_shared(place, id, &c->catalog, NULL), LP_OK);
    c->sessions = sessions_create(c->dir, c->catalog);
    assert_non_null(c->sessions);
}

static lp_err
recover(fixture *f, size_t i)
{
    const recovery_config config = {.was_cut = f->was_cut};
    return recovery_run(f->of[i].sessions, &config, NULL);
}

static void
start(fixture *f, size_t i)
{
    open_collector(f, i);
    assert_int_equal(recover(f, i), LP_OK);
}

static void
end(fixture *f, size_t i)
{
    collector *c = &f->of[i];
    sessions_destroy(c->sessions);
    catalog_close(c->catalog);
    data_dir_close(c->dir);
    *c = (collector){0};
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    for (size_t i = 0; i < NODES; i++) {
        start(f, i);
    }
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < NODES; i++) {
        end(f, i);
    }
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// begin has a new session come to a collector.
static session *
begin(collector *c)
{
    static char nothing[1];
    session *s = NULL;
    uint64_t term;
    assert_int_equal(session_take(c->sessions, session_id, &s, &term), LP_ENOENT);
    assert_int_equal(term, 1);
    catalog_session row = {.service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .term = term};
    memcpy(row.id, session_id, sizeof(row.id));
    assert_int_equal(sessions_add(c->sessions, &row, &s), LP_OK);
    s->is_unsaved = true;
    sessions_save(c->sessions, s);
    assert_false(s->is_unsaved || s->standing == SESSION_LOST);
    return s;
}

static void
append_batch(journal *to, uint32_t ordinal, uint64_t sequence, bool begins_again)
{
    uint8_t id[16];
    memset(id, 0xaa, sizeof(id));
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(id), id};
    batch.chunk = ordinal;
    batch.sequence = sequence;
    batch.begins_again = begins_again;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    uint8_t bytes[200];
    size_t size = loupe__wire__request__pack(&request, bytes);
    assert_int_equal(journal_append(to, (lp_slice){bytes, size}), LP_OK);
}

// receive has so many batches of a chunk come.
static void
receive(collector *c, session *s, uint32_t ordinal, uint64_t count)
{
    session_chunk *chunk;
    assert_int_equal(sessions_open_chunk(c->sessions, s, ordinal, &chunk), LP_OK);
    for (uint64_t i = 0; i < count; i++) {
        append_batch(chunk->journal, ordinal, s->row.next_sequence, false);
        lp_ranges_add(&chunk->batches, s->row.next_sequence, s->row.next_sequence + 1);
        s->row.next_sequence++;
    }
    s->is_unsaved = true;
}

// store commits the first chunk, which has all but the last of the batches.
static void
store(collector *c, session *s)
{
    catalog_session row = s->row;
    row.next_chunk = s->chunks[0].ordinal + 1;
    lp_ranges_add(&row.settled, 0, lp_ranges_end(&s->chunks[0].batches));
    const catalog_chunk chunk = {.ordinal = s->chunks[0].ordinal, .types_json = "{}"};
    assert_int_equal(catalog_add_chunk(c->catalog, &row, &chunk, (lp_slice){NULL, 0}), LP_OK);
    s->row = row;
    session_note_stored(s);
    sessions_discard_chunks(c->sessions, s, 1);
    sessions_save(c->sessions, s);
}

static session *
take(collector *c, uint64_t expected_term)
{
    session *s;
    uint64_t term;
    assert_int_equal(session_take(c->sessions, session_id, &s, &term), LP_OK);
    assert_int_equal(term, expected_term);
    assert_int_equal(s->row.term, expected_term);
    return s;
}

static bool
has_journal(const collector *c, uint32_t ordinal)
{
    return access(data_dir_at(c->dir, DATA_DIR_JOURNAL, session_id, ordinal).text, F_OK) == 0;
}

// come_to_first has a session with a stored chunk of five batches, and four behind it, come to the
// first collector.
static session *
come_to_first(fixture *f)
{
    session *s = begin(&f->of[0]);
    receive(&f->of[0], s, 0, 5);
    receive(&f->of[0], s, 1, 4);
    store(&f->of[0], s);
    assert_int_equal(s->durable_sequence, 5);
    s->is_unsaved = true;
    sessions_save(f->of[0].sessions, s);
    assert_true(has_journal(&f->of[0], 1));
    return s;
}

static void
test_what_is_not_stored_lacks_at_the_other(void **state)
{
    fixture *f = *state;
    (void)come_to_first(f);
    const session *s = take(&f->of[1], 2);
    assert_int_equal(s->row.next_chunk, 1);
    assert_int_equal(s->row.next_sequence, 9);
    assert_int_equal(s->durable_sequence, 5);
    assert_int_equal(s->lack.chunk, 1 + 1);
    assert_int_equal(lp_ranges_count(&s->lack.batches), 4);
    assert_int_equal(s->row.losses[CATALOG_LOSS_BATCHES_LOST], 4);
    assert_int_equal(s->chunk_count, 0);
    assert_ptr_equal(take(&f->of[1], 2), s); // it is here: nothing changes
    assert_int_equal(s->row.losses[CATALOG_LOSS_BATCHES_LOST], 4);
}

static void
test_the_first_one_gives_it_up(void **state)
{
    fixture *f = *state;
    session *s = come_to_first(f);
    (void)take(&f->of[1], 2);
    uint64_t lost = metrics_get(METRICS_sessions_lost);
    s->is_unsaved = true;
    sessions_save(f->of[0].sessions, s);
    assert_true(s->standing == SESSION_LOST);
    assert_int_equal(metrics_get(METRICS_sessions_lost), lost + 1);

    s->has_job = true;
    assert_false(sessions_remove(f->of[0].sessions, s));
    s->has_job = false;
    journal *read = journal_begin_reading(s->chunks[0].journal);
    assert_false(sessions_remove(f->of[0].sessions, s));
    assert_true(has_journal(&f->of[0], 1));
    journal_end_reading(read);
    assert_true(sessions_remove(f->of[0].sessions, s));
    assert_null(sessions_find(f->of[0].sessions, session_id));
    assert_false(has_journal(&f->of[0], 1));
}

static void
test_nothing_of_before_is_used_when_it_comes_back(void **state)
{
    fixture *f = *state;
    session *first = come_to_first(f);
    session *second = take(&f->of[1], 2);
    receive(&f->of[1], second, 1, 7);
    store(&f->of[1], second);
    // It does not know yet, and a compaction is under way.
    session *again;
    uint64_t term;
    first->has_job = true;
    assert_int_equal(session_take(f->of[0].sessions, session_id, &again, &term), LP_EAGAIN);
    assert_true(first->standing == SESSION_LOST);
    first->has_job = false;
    again = take(&f->of[0], 3);
    assert_int_equal(again->row.next_chunk, 2);
    assert_int_equal(again->chunk_count, 0);
    assert_false(has_journal(&f->of[0], 1));
    assert_int_equal(again->durable_sequence, lp_ranges_end(&second->row.settled));
}

static void
test_a_restart_keeps_what_is_its_own(void **state)
{
    fixture *f = *state;
    (void)come_to_first(f);
    end(f, 0);
    start(f, 0);
    const session *s = sessions_find(f->of[0].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->row.term, 1);
    assert_int_equal(s->chunk_count, 1);
    assert_int_equal(s->durable_sequence, 5);
    assert_null(sessions_find(f->of[1].sessions, session_id));

    (void)take(&f->of[1], 2);
    end(f, 0);
    start(f, 0);
    assert_null(sessions_find(f->of[0].sessions, session_id));
    assert_false(has_journal(&f->of[0], 1));
    end(f, 1);
    start(f, 1);
    s = sessions_find(f->of[1].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->row.term, 2);
    assert_int_equal(s->lack.chunk, 1 + 1);
}

// Batches 5 to 8 lacked here, and came again as batches 9 to 12, of chunks 1 to 4. A power cut
// took those but the last, which began chunk 4 again: they lack, though what was missing before a
// chunk began again came with that as a rule. The agent has what is not stored.
static void
test_what_a_power_cut_took_lacks_once_more(void **state)
{
    fixture *f = *state;
    session_chunk *chunk;
    (void)come_to_first(f);
    session *s = take(&f->of[1], 2);
    session_make_good(s, 1);
    s->row.next_sequence = 13;
    s->is_unsaved = true;
    sessions_save(f->of[1].sessions, s);
    assert_int_equal(s->row.losses[CATALOG_LOSS_BATCHES_LOST], 0);
    assert_int_equal(sessions_open_chunk(f->of[1].sessions, s, 4, &chunk), LP_OK);
    append_batch(chunk->journal, 4, 12, true);
    end(f, 1);
    f->was_cut = true;
    start(f, 1);
    s = sessions_find(f->of[1].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->chunk_count, 1);
    assert_int_equal(s->lack.chunk, 1 + 1);
    assert_int_equal(lp_ranges_count(&s->lack.batches), 3);
    assert_int_equal(s->row.losses[CATALOG_LOSS_BATCHES_LOST], 3);
}

static sqlite3 *
open_database(const fixture *f)
{
    sqlite3 *db;
    char place[300];
    (void)snprintf(place, sizeof(place), "%s/catalog.db", f->dir.path);
    assert_int_equal(sqlite3_open(place, &db), SQLITE_OK);
    return db;
}

static void
run_sql(sqlite3 *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static void
test_journals_of_before_it_was_shared_stay(void **state)
{
    fixture *f = *state;
    session *s = come_to_first(f);
    assert_int_equal(s->chunk_count, 1);
    end(f, 0);
    sqlite3 *db = open_database(f);
    run_sql(db, "DELETE FROM session_owner");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    start(f, 0);
    s = sessions_find(f->of[0].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->chunk_count, 1);
    assert_int_equal(s->row.term, 1);
    assert_true(has_journal(&f->of[0], 1));
}

// The catalog cannot say whose a session with journals is: it is not there without them.
static void
test_a_start_without_the_catalog_leaves_no_journal_out(void **state)
{
    fixture *f = *state;
    (void)come_to_first(f);
    end(f, 0);
    open_collector(f, 0);
    sqlite3 *db = open_database(f);
    run_sql(db, "DELETE FROM session_owner; BEGIN IMMEDIATE");
    (void)sqlite3_busy_timeout(catalog_sqlite_get_db(f->of[0].catalog), 0);
    assert_int_equal(recover(f, 0), LP_EAGAIN);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    end(f, 0);
    start(f, 0);
    const session *s = sessions_find(f->of[0].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->chunk_count, 1);
}

static void
test_what_is_left_is_taken_in_the_end(void **state)
{
    fixture *f = *state;
    bool is_draining;
    const catalog_node node = {.name = "first", .url = "", .key = "", .version = "", .log = ""};
    (void)come_to_first(f);
    assert_int_equal(catalog_nodes_join(f->of[0].catalog, &node, 100000), LP_OK);
    session_take_left(f->of[1].sessions, 1000, 77);
    assert_null(sessions_find(f->of[1].sessions, session_id));
    assert_int_equal(catalog_nodes_renew(f->of[0].catalog, -500, &is_draining), LP_OK);
    session_take_left(f->of[1].sessions, 100000, 77);
    assert_null(sessions_find(f->of[1].sessions, session_id));
    assert_int_equal(catalog_nodes_renew(f->of[0].catalog, -2000000, &is_draining), LP_OK);
    session_take_left(f->of[1].sessions, 100000, 77);
    const session *s = sessions_find(f->of[1].sessions, session_id);
    assert_non_null(s);
    assert_int_equal(s->row.term, 2);
    assert_int_equal(s->heard_ms, 77);
    assert_false(session_has_ended(s));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_not_stored_lacks_at_the_other),
        TEST(test_the_first_one_gives_it_up),
        TEST(test_nothing_of_before_is_used_when_it_comes_back),
        TEST(test_a_restart_keeps_what_is_its_own),
        TEST(test_what_a_power_cut_took_lacks_once_more),
        TEST(test_journals_of_before_it_was_shared_stay),
        TEST(test_a_start_without_the_catalog_leaves_no_journal_out),
        TEST(test_what_is_left_is_taken_in_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
