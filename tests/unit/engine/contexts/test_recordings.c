// SPDX-License-Identifier: Apache-2.0
// RecordingContexts in the engine: a record names a map, and the output has its entries, as long as
// the map may be named.

#include "support/ctx_build.h"
#include "unit/engine/compact_session.h"

#include "engine/contexts/recordings.h"
#include "engine/read/view.h"

#include <stdlib.h>

static ctx_entry pay_entries[] = {
    {.key = "endpoint", .value = SESSION_VALUE("/pay")},
    {.key = "user.name", .is_null = true},
};
static ctx_entry cart_entries[] = {
    {.key = "endpoint", .value = SESSION_VALUE("/cart")},
    {.key = "class", .value = SESSION_VALUE("\xc3\xbc\xff")}, // no UTF-8 at its end
};
static const ctx_recording pay = {7, 2, pay_entries};
static const ctx_recording cart = {8, 2, cart_entries};
static const uint64_t pay_ended[] = {7};

static void
end_pay(session *s)
{
    s->recordings_ended[s->count - 1] = pay_ended;
    s->recordings_ended_count[s->count - 1] = 1;
}

static void
test_entries_become_fields(void **state)
{
    session *s = *state;
    const ctx_recording maps[] = {pay, cart};
    session_chunk(s, 0);
    session_define(s, maps, 2);
    session_install(s, 10, 1, 7);
    session_install(s, 20, 1, 8);
    session_uninstall(s, 30, 1);
    session_install(s, 10, 2, 8);
    session_uninstall(s, 20, 2);
    session_install(s, 10, 3, 7); // nothing happens in it
    session_uninstall(s, 20, 3);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 25, 1);
    session_mark(s, KEPT, 15, 2);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..19 @1 endpoint=\"/pay\" user_name=\"null\" class_=\"null\", "
        "#2 20..30 @1 endpoint=\"/cart\" user_name=\"null\" class_=\"\xc3\xbc\xef\xbf\xbd\", "
        "#3 10..20 @2 endpoint=\"/cart\" user_name=\"null\" class_=\"\xc3\xbc\xef\xbf\xbd\"");
    assert_int_equal(s->results[0].stats.contexts_in, 4);
    assert_int_equal(s->results[0].stats.contexts_out, 3);
    assert_int_equal(s->results[0].stats.contexts_lost, 0);
}

static void
test_a_map_stays_while_a_context_names_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    session_install(s, 10, 1, 7);
    end_pay(s);
    session_chunk(s, 2000000000);
    session_mark(s, KEPT, 2000000010, 1);
    session_chunk(s, 4000000000);
    session_mark(s, KEPT, 4000000010, 1);
    session_uninstall(s, 4000000020, 1);
    session_chunk(s, 6000000000);
    session_chunk(s, 8000000000);
    session_install(s, 8000000010, 1, 7); // this thread has no map for it
    session_mark(s, KEPT, 8000000015, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
    session_expect_parts(s, 1, "#1 2000000000..3999999999 @1 endpoint=\"/pay\" user_name=\"null\"");
    session_expect_parts(s, 2, "#1 4000000000..4000000020 @1 endpoint=\"/pay\" user_name=\"null\"");
    session_expect_parts(s, 4, "");
    assert_int_equal(s->results[4].stats.contexts_lost, 1);
}

// The agent had no room for its map, and gave it the id 0: its entries are unknown.
static void
test_a_context_without_a_map_has_no_entries(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    session_install(s, 10, 1, 0);
    session_install(s, 20, 2, 7);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 25, 2);
    session_uninstall(s, 30, 1);
    session_uninstall(s, 30, 2);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..30 @1 endpoint=\"null\" user_name=\"null\", "
        "#2 20..30 @2 endpoint=\"/pay\" user_name=\"null\"");
    assert_int_equal(s->results[0].stats.contexts_in, 2);
    assert_int_equal(s->results[0].stats.contexts_out, 2);
    assert_int_equal(s->results[0].stats.contexts_lost, 0);
}

// A session without a key has a type without attributes, which is one of contexts all the same.
static void
test_contexts_without_keys_are_contexts(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_install(s, 10, 1, 0);
    session_mark(s, KEPT, 15, 1);
    session_uninstall(s, 30, 1);
    session_run(s);
    assert_int_equal(jfr_read_count(&s->outputs[0], "loupe.RecordingContext"), 1);
    compact_view view;
    assert_int_equal(
        compact_view_open(&view, lp_buf_slice(&s->results[0].jfr), NULL, false, NULL, NULL), LP_OK);
    uint32_t type = jfr_metadata_find_type_named(&view.schema->metadata, "loupe.RecordingContext");
    assert_true(type != JFR_NONE);
    assert_int_equal(view.schema->plans[type].rule, COMPACT_RULE_CONTEXTUAL);
    compact_view_close(&view);
}

static void
test_a_map_stays_while_a_context_may_name_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    session_chunk(s, 2000000000);
    session_chunk(s, 4000000000);
    session_install(s, 4000000010, 1, 7);
    session_uninstall(s, 4000000020, 1);
    session_mark(s, KEPT, 4000000015, 1);
    session_run(s);
    session_expect_parts(s, 2, "#1 4000000010..4000000020 @1 endpoint=\"/pay\" user_name=\"null\"");
}

static void
test_maps_of_the_next_chunk_leave_it_its_place(void **state)
{
    session *s = *state;
    ctx_recording *many = calloc(CTX_RECORDINGS_LIVE_MAX, sizeof(*many));
    assert_non_null(many);
    for (size_t i = 0; i < CTX_RECORDINGS_LIVE_MAX; i++) {
        many[i] = (ctx_recording){100 + i, 2, cart_entries};
    }
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    session_chunk(s, 2000000000);
    session_define(s, many, CTX_RECORDINGS_LIVE_MAX);
    session_install(s, 2000000010, 1, 7);
    session_uninstall(s, 2000000020, 1);
    session_mark(s, KEPT, 2000000015, 1);
    session_run(s);
    session_expect_parts(
        s, 1, "#1 2000000010..2000000020 @1 endpoint=\"/pay\" user_name=\"null\" class_=\"null\"");
    free(many);
}

static void
test_the_next_chunk_may_define_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 100, 1);
    session_chunk(s, 2000000000);
    session_define(s, &cart, 1);
    session_install(s, 90, 1, 8);
    session_uninstall(s, 2000000010, 1);
    session_mark(s, KEPT, 2000000005, 1);
    session_run(s);
    session_expect_parts(
        s, 0, "#1 90..1999999999 @1 endpoint=\"/cart\" class_=\"\xc3\xbc\xef\xbf\xbd\"");
    session_expect_parts(
        s, 1, "#1 2000000000..2000000010 @1 endpoint=\"/cart\" class_=\"\xc3\xbc\xef\xbf\xbd\"");
}

static void
test_keys_of_earlier_chunks_stay_in_their_places(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    end_pay(s);
    session_chunk(s, 2000000000);
    session_define(s, &cart, 1);
    session_install(s, 2000000010, 1, 8);
    session_uninstall(s, 2000000020, 1);
    session_mark(s, KEPT, 2000000015, 1);
    session_run(s);
    session_expect_parts(s, 1,
        "#1 2000000010..2000000020 @1 endpoint=\"/cart\" user_name=\"null\" "
        "class_=\"\xc3\xbc\xef\xbf\xbd\"");
}

// A record whose map is not known, or that is too short for an id, is no context of any entries.
static void
test_what_names_no_map_is_counted(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_define(s, &pay, 1);
    session_install(s, 10, 1, 99);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SESSION_RECORDING, 2, 10, NULL);
    session_install(s, 10, 3, 7);
    for (uint64_t thread = 1; thread <= 3; thread++) {
        session_uninstall(s, 20, (int64_t)thread);
        session_mark(s, KEPT, 15, thread);
    }
    session_run(s);
    session_expect_parts(s, 0, "#3 10..20 @3 endpoint=\"/pay\" user_name=\"null\"");
    assert_int_equal(s->results[0].stats.contexts_lost, 2);
}

static void
test_a_context_names_its_map_and_its_request(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        uint64_t id;
        uint64_t request;
    } cases[] = {{16, 7, 9}, {8, 7, 0}, {12, 7, 0}, {4, 0, 0}, {0, 0, 0}};
    const uint64_t values[2] = {7, 9};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_arena arena = {0};
        compact_contexts contexts;
        compact_contexts_init(&contexts, &arena);
        const compact_context context = {
            .id = 1, .type_id = SESSION_RECORDING, .values_bytes = (uint32_t)cases[i].bytes};
        compact_contexts_add(&contexts, &context, (const uint8_t *)values);
        assert_int_equal(contexts.items.count, 1);
        const compact_context *added = &contexts.items.items[0];
        assert_int_equal(compact_recordings_id(&contexts, added), cases[i].id);
        assert_int_equal(compact_recordings_request(&contexts, added), cases[i].request);
        compact_contexts_fini(&contexts);
        lp_arena_fini(&arena);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_entries_become_fields),
        SESSION_TEST(test_a_map_stays_while_a_context_names_it),
        SESSION_TEST(test_a_map_stays_while_a_context_may_name_it),
        SESSION_TEST(test_a_context_without_a_map_has_no_entries),
        SESSION_TEST(test_contexts_without_keys_are_contexts),
        SESSION_TEST(test_maps_of_the_next_chunk_leave_it_its_place),
        SESSION_TEST(test_the_next_chunk_may_define_it),
        SESSION_TEST(test_keys_of_earlier_chunks_stay_in_their_places),
        SESSION_TEST(test_what_names_no_map_is_counted),
        cmocka_unit_test(test_a_context_names_its_map_and_its_request),
    };
    return cmocka_run_group_tests_name("compact_recordings", tests, NULL, NULL);
}
