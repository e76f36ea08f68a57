// SPDX-License-Identifier: Apache-2.0
// Shipping: whatever happens to the connection and to the collector, each byte that JFR published
// and each record that was in a ring arrives once, in order, contexts no later than the events they
// cover.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "support/temp_dir.h"
#include "unit/agent/ship/received.h"
#include "unit/agent/ship/ship_rig.h"

#include "agent/ship/ship.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_everything_arrives(void **state)
{
    ship_rig *f = *state;
    fake_collector_start(f->collector);
    ship_rig_start(f);
    ship_rig_add_type(f);
    ship_rig_put_record(f, CTX_RECORD_SET, 7, 0);
    chunk_writer chunk = ship_rig_write_chunk(f, 0, 1500000);
    fake_collector_wait(f->collector, &f->collector->batch_count, 6); // of 256 KiB at most
    ship_rig_put_record(f, CTX_RECORD_UNSET, 7, 1);
    chunk_writer_append(&chunk, 100);
    chunk_writer_finish(&chunk);
    chunk_writer_delete(&chunk); // as the JVM does before its death
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);

    assert_string_equal(f->collector->service, "checkout");
    assert_string_equal(f->collector->instance, "host:1");
    fake_collector_stop(f->collector);
    received r = received_assemble(f->collector, NULL, NULL);
    assert_int_equal(r.chunk_count, 1);
    received_check_chunk(&r, 0, &chunk);
    received_check_contexts(&r, 2);
    assert_int_equal(r.type_count, 1);
    assert_int_equal(r.last_count, 1);
    assert_int_equal(f->collector->hello_count, 1);
    received_release(&r);
}

static void
test_empty_session_says_its_end(void **state)
{
    ship_rig *f = *state;
    fake_collector_start(f->collector);
    ship_rig_start(f);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    fake_collector_stop(f->collector);
    assert_int_equal(f->collector->batch_count, 1);
    assert_true(f->collector->has_last);
}

static void
test_late_collector_gets_everything(void **state)
{
    ship_rig *f = *state;
    ship_rig_add_type(f);
    ship_rig_start(f);
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = ship_rig_write_chunk(f, i, 400000);
        ship_rig_put_record(f, CTX_RECORD_SET, 7, i);
        chunk_writer_finish(&chunks[i]);
    }
    fake_collector_start(f->collector);
    fake_collector_wait(f->collector, &f->collector->batch_count, 1);
    received r = ship_rig_finish_all(f, chunks, 3);
    received_check_contexts(&r, 3);
    received_release(&r);
}

static void
test_moved_repository_is_followed(void **state)
{
    ship_rig *f = *state;
    temp_dir elsewhere = temp_dir_make();
    fake_collector_start(f->collector);
    ship_rig_start(f);
    ship_move(f->ship, "/nonexistent/loupe"); // logged, and nothing changes
    chunk_writer chunks[3];
    for (unsigned i = 0; i < 3; i++) {
        chunks[i] = ship_rig_write_chunk_in(i < 2 ? f->dir.path : elsewhere.path, i, 1000);
        chunk_writer_finish(&chunks[i]);
        if (i == 1) {
            ship_move(f->ship, elsewhere.path);
        }
    }
    received r = ship_rig_finish_all(f, chunks, 3);
    received_release(&r);
    temp_dir_remove(&elsewhere);
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
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    order_check check = {.count = 100};
    ship_rig_add_type(f);
    chunk_writer chunk = ship_rig_begin(f, 10);
    for (size_t i = 0; i < check.count; i++) {
        uint64_t before =
            fake_collector_peek(c, &c->batch_count); // nobody knows of this record yet
        ship_rig_put_record(f, CTX_RECORD_SET, 7, (int64_t)i);
        chunk_writer_append(&chunk, 1000);
        chunk_writer_flush(&chunk);
        check.flushed_at[i] = chunk.published;
        if (i % 10 == 9) {
            fake_collector_wait(c, &c->batch_count, before + (i < 50));
        }
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    fake_collector_stop(c);
    received r = received_assemble(c, check_order, &check);
    received_check_chunk(&r, 0, &chunk);
    received_check_contexts(&r, check.count);
    received_release(&r);
}

static void
test_many_contexts_come_in_blocks(void **state)
{
    ship_rig *f = *state;
    enum { COUNT = 100000 };
    ship_rig_add_type(f);
    chunk_writer chunk = ship_rig_begin(f, 10);
    for (int64_t i = 0; i < COUNT; i++) {
        ship_rig_put_record(f, CTX_RECORD_SET, 7, i);
    }
    received r = ship_rig_finish(f, &chunk);
    received_check_contexts(&r, COUNT);
    received_release(&r);
}

// More maps than go with one batch, each with a record, and released at once but for every tenth.
static void
test_maps_come_before_their_records_and_end_after_them(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    enum { COUNT = 3000 };
    ship_rig_add_type(f);
    chunk_writer chunk = ship_rig_begin(f, 10);
    for (unsigned i = 1; i <= COUNT; i++) {
        uint64_t id = ship_rig_add_map(f);
        ship_rig_put_record(f, CTX_RECORD_SET, 7, (int64_t)id);
        if (i % 10 != 0) {
            ctx_recordings_release(f->recordings, id);
        }
        if (i % 500 == 0) {
            chunk_writer_append(&chunk, 1000);
            chunk_writer_flush(&chunk);
        }
    }
    while (ship_rig_count_maps(f) > COUNT / 10) { // what has ended is forgotten here, too
        uint64_t before = fake_collector_peek(c, &c->batch_count);
        chunk_writer_append(&chunk, 1000);
        chunk_writer_flush(&chunk);
        fake_collector_wait(c, &c->batch_count, before + 1);
    }
    received r = ship_rig_finish(f, &chunk);
    assert_int_equal(r.contexts.len, COUNT * sizeof(ctx_record_header));
    assert_int_equal(r.map_count, COUNT);
    assert_int_equal(r.ended_count, COUNT - COUNT / 10);
    received_release(&r);
}

static void
set_filter(ship_rig *f, int64_t ticks)
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

// list_own writes the settings in all batches: "CHUNK TEXT ".
static void
list_own(const fake_collector *c, char *out, size_t size)
{
    out[0] = '\0';
    for (uint64_t i = 0; i < c->batch_count; i++) {
        Loupe__Wire__Batch *batch =
            loupe__wire__batch__unpack(NULL, c->batches[i].len, c->batches[i].ptr);
        assert_non_null(batch);
        if (batch->own_policy != NULL) {
            lp_slice zstd = {batch->own_policy->text_zstd.data, batch->own_policy->text_zstd.len};
            lp_buf text = {0};
            assert_int_equal(wire_decompress(zstd, batch->own_policy->text_size, &text), LP_OK);
            size_t len = strlen(out);
            (void)snprintf(out + len, size - len, "%u %.*s ", batch->chunk, (int)text.len,
                (const char *)text.ptr);
            lp_buf_fini(&text);
        }
        loupe__wire__batch__free_unpacked(batch, NULL);
    }
}

// A chunk has the settings that it began with, also if others came while it waited.
static void
test_settings_of_the_jvm_go_with_the_chunks_that_begin_with_them(void **state)
{
    ship_rig *f = *state;
    ship_rig_start(f);
    chunk_writer chunks[4];
    static const char *const texts[] = {"<a/>", "<b/>", "", "<d/>"};
    for (unsigned i = 0; i < 4; i++) {
        chunks[i] = ship_rig_write_chunk(f, i, 1000); // begins at 1000 + i
        chunk_writer_finish(&chunks[i]);
        assert_true(ship_set_own_policy(f->ship, 1000 + (int64_t)i, texts[i]));
    }
    fake_collector_start(f->collector);
    received r = ship_rig_finish_all(f, chunks, 4);
    char all[200];
    list_own(f->collector, all, sizeof(all));
    assert_string_equal(all, "0 <a/> 1 <b/> 3 <d/> ");
    received_release(&r);
}

// Once, and the one that holds again for a collector that does not know the session any more.
static void
test_filters_go_with_the_next_batch(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    set_filter(f, 10);
    set_filter(f, 20);
    chunk_writer chunk = ship_rig_begin(f, 1000);
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
    received r = ship_rig_finish(f, &chunk);
    received_release(&r);
    char got[100];
    list_filters(c, got, sizeof(got));
    assert_string_equal(got, "[1 2][2 3]");
}

// The application changes them while the ship looks for those that are new.
static void
test_filters_change_while_batches_are_made(void **state)
{
    enum { CHANGES = 200 };
    ship_rig *f = *state;
    char listed[2000];
    chunk_writer chunk = ship_rig_begin(f, 1000);
    for (int i = 1; i <= CHANGES; i++) {
        set_filter(f, 10 * i);
        if (i % 20 == 0) {
            chunk_writer_append(&chunk, 1000);
            chunk_writer_flush(&chunk);
        }
    }
    received r = ship_rig_finish(f, &chunk);
    received_release(&r);
    list_filters(f->collector, listed, sizeof(listed));
    int last = 0;
    for (const char *at = listed; *at != '\0';) {
        char *end;
        assert_int_equal(strtol(at + 1, &end, 10), ++last); // each once, in order
        at = *end == ']' ? end + 1 : end;
    }
    assert_int_equal(last, CHANGES);
    assert_int_equal(ctx_filters_get_refused(f->filters), 0);
}

static void *
finish(void *arg)
{
    const ship_rig *f = arg;
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    return NULL;
}

// Threads of the application run on while the JVM ends. What they record then comes too late.
static void
test_nothing_follows_the_last_batch(void **state)
{
    ship_rig *f = *state;
    fake_collector *c = f->collector;
    c->answer = LOUPE__WIRE__REPLY__STATUS__BUSY;
    ship_rig_add_type(f);
    fake_collector_start(c);
    ship_rig_start(f);
    pthread_t finishing;
    assert_int_equal(pthread_create(&finishing, NULL, finish, f), 0);
    fake_collector_wait(c, &c->request_count, 1); // there was nothing to send but the last batch
    ship_rig_put_record(f, CTX_RECORD_SET, 7, 0);
    fake_collector_wait(c, &c->request_count, 4); // that takes longer than any two looks are apart
    fake_collector_set_answer(c, LOUPE__WIRE__REPLY__STATUS__OK);
    assert_int_equal(pthread_join(finishing, NULL), 0);
    fake_collector_stop(c);
    received r = received_assemble(c, NULL, NULL);
    assert_int_equal(r.last_count, 1);
    received_check_contexts(&r, 0);
    received_release(&r);
}

static void
test_finish_without_collector_returns(void **state)
{
    ship_rig *f = *state;
    ship_rig_start(f);
    chunk_writer chunk = ship_rig_write_chunk(f, 0, 100000);
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
}

static void
test_finish_with_a_silent_collector_returns(void **state)
{
    ship_rig *f = *state;
    f->collector->hello_answer = FAKE_COLLECTOR_SILENT;
    chunk_writer chunk = ship_rig_begin(f, 100000);
    chunk_writer_finish(&chunk);
    fake_collector_wait(f->collector, &f->collector->hello_count, 1);
    ship_finish(f->ship, 100);
    fake_collector_stop(f->collector);
    assert_int_equal(f->collector->batch_count, 0);
}

static void
test_bad_address_and_directory_are_errors(void **state)
{
    ship_rig *f = *state;
    ship_config config = ship_rig_config(f);
    const char *url = "carrier-pigeon://roof";
    config.collectors = &url;
    lp_problem problem;
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "carrier-pigeon://roof"));
    const char *const both[] = {f->collector->url, url}; // also of one that may never be dialled
    config.collectors = both;
    config.collector_count = 2;
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "carrier-pigeon://roof"));
    config.collector_count = 1;
    config.repository = "/nonexistent/loupe";
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "/nonexistent/loupe"));
    ctx_rings_destroy(f->rings);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, ship_rig_set_up, ship_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_everything_arrives),
        TEST(test_empty_session_says_its_end),
        TEST(test_late_collector_gets_everything),
        TEST(test_moved_repository_is_followed),
        TEST(test_contexts_come_no_later_than_their_events),
        TEST(test_many_contexts_come_in_blocks),
        TEST(test_maps_come_before_their_records_and_end_after_them),
        TEST(test_filters_go_with_the_next_batch),
        TEST(test_filters_change_while_batches_are_made),
        TEST(test_settings_of_the_jvm_go_with_the_chunks_that_begin_with_them),
        TEST(test_nothing_follows_the_last_batch),
        TEST(test_finish_without_collector_returns),
        TEST(test_finish_with_a_silent_collector_returns),
        TEST(test_bad_address_and_directory_are_errors),
    };
    return cmocka_run_group_tests_name("ship", tests, NULL, NULL);
}
