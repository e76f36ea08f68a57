// SPDX-License-Identifier: Apache-2.0
// What goes again when chunks are sent again, and what is kept for that: within limits, and no
// longer than its chunk. test_ship.c has the rest.

#include "agent/ship/batch/ship_known.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    DRAINS = 10,        // more than what was released waits for
    VALUE_BYTES = 1000, // of a map
    MANY = 7000,        // maps of this size, of which the application may have so many alive
    NO_BLOCKS = 0,      // maps that no record names
};

typedef struct fixture {
    ship_known known;
    unsigned map_count; // that were added
} fixture;

static ctx_registry *registry; // of all tests, without types; in a JVM it stays

static int
set_up(void **state)
{
    static fixture f;
    f = (fixture){.known = {.registry = registry,
                      .recordings = ctx_recordings_create(),
                      .filters = ctx_filters_create(),
                      .own = ship_own_create()}};
    *state = &f;
    return f.known.recordings == NULL || f.known.filters == NULL || f.known.own == NULL;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    ship_known_release(&f->known, UINT32_MAX);
    LP_VEC_FINI(&f->known.next_recordings);
    LP_VEC_FINI(&f->known.next_filters);
    LP_VEC_FINI(&f->known.ended);
    LP_VEC_FINI(&f->known.ended_after);
    LP_VEC_FINI(&f->known.kept);
    LP_VEC_FINI(&f->known.kept_chunks);
    LP_VEC_FINI(&f->known.kept_filters);
    LP_VEC_FINI(&f->known.kept_filter_chunks);
    ctx_recordings_destroy(f->known.recordings);
    ctx_filters_destroy(f->known.filters);
    lp_buf_fini(&f->known.own_next.zstd);
    ship_own_destroy(f->known.own);
    return 0;
}

static void
add_maps(fixture *f, unsigned count)
{
    char value[VALUE_BYTES];
    memset(value, 'v', sizeof(value));
    ctx_entry entry = {.key = "key", .value = {(const uint8_t *)value, sizeof(value)}};
    const ctx_recording map = {.entry_count = 1, .entries = &entry};
    for (unsigned i = 0; i < count; i++) {
        uint64_t id;
        (void)snprintf(value, sizeof(value), "%08u", f->map_count++);
        value[8] = 'v'; // like no other
        assert_int_equal(ctx_recordings_add(f->known.recordings, &map, &id), LP_OK);
        ctx_recordings_release(f->known.recordings, id);
    }
    for (int i = 0; i < DRAINS; i++) { // taken, and known to be named by no more records
        ship_known_note_drained(&f->known, NO_BLOCKS);
    }
}

// What went with some batches.
typedef struct gone {
    size_t maps;
    size_t ends;
    char filters[200]; // "ID ID "
} gone;

// send makes batches of a chunk until there is nothing more to add.
static gone
send(fixture *f, uint32_t chunk)
{
    gone all = {0};
    const tail_piece piece = {.place = {.chunk = chunk}};
    size_t count = 1;
    for (bool is_all = false; !is_all || count > 0;) {
        ship_batch batch = {.piece = &piece};
        assert_int_equal(ship_known_list_recordings(&f->known, &is_all), LP_OK);
        assert_int_equal(ship_known_add_to(&f->known, 0, &batch), LP_OK);
        count = batch.recording_count + batch.recordings_ended_count + batch.filter_count;
        all.maps += batch.recording_count;
        all.ends += batch.recordings_ended_count;
        assert_true(batch.filter_count <= CTX_FILTERS_BATCH_MAX);
        for (size_t i = 0; i < batch.filter_count && strlen(all.filters) < 100; i++) {
            size_t len = strlen(all.filters);
            (void)snprintf(
                all.filters + len, sizeof(all.filters) - len, "%d ", (int)batch.filters[i].id);
        }
        ship_known_note_sent(&f->known, &batch);
    }
    return all;
}

static void
assert_gone(gone found, size_t maps, size_t ends, const char *filters)
{
    assert_int_equal(found.maps, maps);
    assert_int_equal(found.ends, ends);
    assert_string_equal(found.filters, filters);
}

static void
test_what_has_ended_goes_again_until_its_chunk_is_released(void **state)
{
    fixture *f = *state;
    add_maps(f, 3000);
    assert_gone(send(f, 0), 3000, 3000, "");
    add_maps(f, 10);
    assert_gone(send(f, 1), 10, 10, "");
    ship_known_forget(&f->known); // that it lost the session is not to say that it asks for chunks
    assert_gone(send(f, 1), 0, 0, "");
    for (int i = 0; i < 2; i++) {
        ship_known_go_back(&f->known);
        assert_gone(send(f, 1), 3010, 3010, "");
    }
    ship_known_release(&f->known, 1);
    ship_known_go_back(&f->known); // the end of all went with chunk 1 the last time
    assert_gone(send(f, 2), 3010, 3010, "");
    ship_known_release(&f->known, 3);
    ship_known_go_back(&f->known);
    assert_gone(send(f, 3), 0, 0, "");
    assert_int_equal(f->known.kept_bytes, 0);
    assert_int_equal(f->known.whole_from, 0);
}

static void
test_only_so_many_bytes_are_kept(void **state)
{
    fixture *f = *state;
    for (uint32_t chunk = 0; chunk < 4; chunk++) {
        add_maps(f, MANY);
        assert_gone(send(f, chunk), MANY, MANY, "");
        assert_true(f->known.kept_bytes <= SHIP_KNOWN_KEPT_BYTES_MAX);
    }
    assert_int_equal(f->known.whole_from, 2); // chunks 0 and 1 lack some: two and a bit have room
    ship_known_go_back(&f->known);
    gone again = send(f, 4);
    assert_in_range(again.maps, 2 * MANY, 3 * MANY);
    assert_int_equal(again.ends, again.maps);
}

static void
set_filter(fixture *f, int64_t ticks)
{
    ctx_filter_rule rule = {"", "has-context"};
    const ctx_filter filter = {.begin_ticks = ticks, .rule_count = 1, .rules = &rule};
    ctx_filters_set(f->known.filters, &filter);
}

static void
test_filters_that_were_replaced_go_again(void **state)
{
    fixture *f = *state;
    set_filter(f, 1);
    set_filter(f, 2);
    assert_gone(send(f, 0), 0, 0, "1 2 ");
    set_filter(f, 3);
    assert_gone(send(f, 1), 0, 0, "3 ");
    ship_known_go_back(&f->known);
    set_filter(f, 4);
    assert_gone(send(f, 1), 0, 0, "1 2 3 4 ");
    ship_known_release(&f->known, 1); // 1 was replaced with chunk 0, 2 and 3 with chunk 1
    ship_known_go_back(&f->known);
    assert_gone(send(f, 1), 0, 0, "2 3 4 ");
    ship_known_release(&f->known, 2);
    ship_known_go_back(&f->known);
    assert_gone(send(f, 2), 0, 0, "4 ");
}

static void
test_only_so_many_filters_are_kept(void **state)
{
    fixture *f = *state;
    for (uint32_t i = 0; i < SHIP_KNOWN_KEPT_FILTERS_MAX + 10; i++) {
        set_filter(f, i);
        (void)send(f, i);
    }
    // That of chunk 0 was replaced with chunk 1.
    assert_int_equal(f->known.kept_filters.count, SHIP_KNOWN_KEPT_FILTERS_MAX);
    assert_int_equal(f->known.whole_from, 10);
}

static void
test_only_so_many_bytes_of_filters_are_kept(void **state)
{
    fixture *f = *state;
    enum { COUNT = 20, TERMS = CTX_FILTER_BYTES_MAX - 1000 };
    char *terms = malloc(TERMS + 1);
    assert_non_null(terms);
    memset(terms, 't', TERMS);
    terms[TERMS] = '\0';
    ctx_filter_rule rule = {"", terms};
    for (uint32_t i = 0; i < COUNT; i++) {
        const ctx_filter filter = {.rule_count = 1, .rules = &rule};
        ctx_filters_set(f->known.filters, &filter);
        (void)send(f, i);
    }
    size_t kept = SHIP_KNOWN_KEPT_FILTERS_BYTES_MAX / TERMS;
    assert_int_equal(f->known.kept_filters.count, kept);
    assert_int_equal(f->known.whole_from, COUNT - kept);
    free(terms);
}

// expect_own makes a batch of a chunk that begins at ten times its number, and expects what goes
// with it of the settings in the JVM; NULL: nothing; "": that there are none; "?": that they are
// lost.
static void
expect_own(fixture *f, uint32_t chunk, const char *want)
{
    const tail_piece piece = {.place = {.chunk = chunk, .start_wall_ns = 10 * (int64_t)chunk}};
    ship_batch batch = {.piece = &piece};
    bool is_all;
    lp_buf text = {0};
    assert_int_equal(ship_known_list_recordings(&f->known, &is_all), LP_OK);
    assert_int_equal(ship_known_add_to(&f->known, 0, &batch), LP_OK);
    assert_int_equal(batch.has_own_policy, want != NULL);
    if (want != NULL) {
        bool is_lost = strcmp(want, "?") == 0;
        assert_int_equal(batch.is_own_policy_lost, is_lost);
        assert_int_equal(batch.own_policy_size, is_lost ? 0 : strlen(want));
        assert_int_equal(batch.own_policy_zstd.len == 0, batch.own_policy_size == 0);
    }
    if (want != NULL && batch.own_policy_size > 0) {
        assert_int_equal(
            wire_decompress(batch.own_policy_zstd, batch.own_policy_size, &text), LP_OK);
        assert_memory_equal(text.ptr, want, strlen(want));
    }
    lp_buf_fini(&text);
    ship_known_note_sent(&f->known, &batch);
}

static void
test_settings_of_the_jvm_go_with_the_first_batch_of_each_chunk(void **state)
{
    fixture *f = *state;
    expect_own(f, 0, NULL);
    assert_int_equal(ship_own_add(f->known.own, 1, "<first/>"), LP_OK);
    expect_own(f, 0, NULL); // the chunk began without
    expect_own(f, 1, "<first/>");
    expect_own(f, 1, NULL);
    assert_int_equal(ship_own_add(f->known.own, 11, "<second/>"), LP_OK);
    expect_own(f, 1, NULL);
    expect_own(f, 2, "<second/>");
    ship_known_forget(&f->known); // the collector may have lost that batch
    expect_own(f, 2, "<second/>");
    expect_own(f, 1, "<first/>"); // the chunk is sent once more
    expect_own(f, 2, "<second/>");
    assert_int_equal(ship_own_add(f->known.own, 25, ""), LP_OK);
    expect_own(f, 3, NULL);
}

// The collector was away, and the chunks are sent after all these settings were there.
static void
test_chunks_that_have_waited_have_the_settings_they_began_with(void **state)
{
    fixture *f = *state;
    assert_int_equal(ship_own_add(f->known.own, INT64_MIN, "<a/>"), LP_OK);
    assert_int_equal(ship_own_add(f->known.own, 20, "<b/>"), LP_OK);
    assert_int_equal(ship_own_add(f->known.own, 39, ""), LP_OK);
    assert_int_equal(ship_own_add(f->known.own, 45, "<a/>"), LP_OK);
    static const char *const want[] = {"<a/>", "<a/>", "<b/>", "<b/>", NULL, "<a/>", "<a/>"};
    enum { CHUNKS = sizeof(want) / sizeof(want[0]), RELEASED = 3 };
    for (uint32_t i = 0; i < CHUNKS; i++) {
        expect_own(f, i, want[i]);
        expect_own(f, i, NULL);
    }
    ship_known_release(&f->known, RELEASED);
    ship_known_go_back(&f->known);
    for (uint32_t i = RELEASED; i < CHUNKS; i++) {
        expect_own(f, i, want[i]);
    }
}

// JFR begins a chunk with a recording, and its first bytes may be sent before the agent has looked
// at the settings.
static void
test_settings_that_are_known_late_go_with_a_later_batch(void **state)
{
    fixture *f = *state;
    assert_int_equal(ship_own_add(f->known.own, INT64_MIN, "<a/>"), LP_OK);
    expect_own(f, 1, "<a/>");
    assert_int_equal(ship_own_add(f->known.own, 10, "<b/>"), LP_OK);
    expect_own(f, 1, "<b/>");
    expect_own(f, 1, NULL);
    assert_int_equal(ship_own_add(f->known.own, 10, ""), LP_OK);
    expect_own(f, 1, "");
    expect_own(f, 2, NULL);
    // A look saw them first, and then the recording says when it began.
    assert_int_equal(ship_own_add(f->known.own, 35, "<c/>"), LP_OK);
    expect_own(f, 3, NULL);
    assert_int_equal(ship_own_add(f->known.own, 30, "<c/>"), LP_OK);
    expect_own(f, 3, "<c/>");
}

static void
test_only_so_many_settings_are_kept(void **state)
{
    fixture *f = *state;
    char text[32];
    for (uint32_t i = 0; i < SHIP_OWN_COUNT_MAX + 2; i++) {
        (void)snprintf(text, sizeof(text), "<a%u/>", i);
        assert_int_equal(ship_own_add(f->known.own, 10 * (int64_t)i, text), LP_OK);
    }
    expect_own(f, 0, "?");
    expect_own(f, 1, "?");
    expect_own(f, 2, "<a2/>");
    ship_known_release(&f->known, SHIP_OWN_COUNT_MAX);
    expect_own(f, SHIP_OWN_COUNT_MAX + 1, text);
    // Those that are released make room.
    ship_known_release(&f->known, SHIP_OWN_COUNT_MAX + 1);
    for (uint32_t i = SHIP_OWN_COUNT_MAX + 2; i < 2 * SHIP_OWN_COUNT_MAX + 1; i++) {
        (void)snprintf(text, sizeof(text), "<a%u/>", i);
        assert_int_equal(ship_own_add(f->known.own, 10 * (int64_t)i, text), LP_OK);
    }
    expect_own(f, SHIP_OWN_COUNT_MAX + 2, "<a258/>");
}

static void
test_only_so_many_bytes_of_settings_are_kept(void **state)
{
    fixture *f = *state;
    char *text = calloc(1, SHIP_OWN_POLICY_BYTES_MAX + 2);
    assert_non_null(text);
    uint64_t random = 1;
    enum { COUNT = 8, KEPT = 5 }; // each shrinks to some 3/4
    for (int64_t k = 0; k < COUNT; k++) {
        for (size_t i = 0; i < SHIP_OWN_POLICY_BYTES_MAX; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[i] = (char)('A' + (random >> 33) % 58);
        }
        assert_int_equal(ship_own_add(f->known.own, 10 * k, text), LP_OK);
    }
    expect_own(f, COUNT - KEPT - 1, "?");
    expect_own(f, COUNT - 1, text);
    text[SHIP_OWN_POLICY_BYTES_MAX] = 'A'; // one more is too long
    assert_int_equal(ship_own_add(f->known.own, 10 * COUNT, text), LP_OK);
    expect_own(f, COUNT, NULL);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_settings_of_the_jvm_go_with_the_first_batch_of_each_chunk),
        TEST(test_chunks_that_have_waited_have_the_settings_they_began_with),
        TEST(test_settings_that_are_known_late_go_with_a_later_batch),
        TEST(test_only_so_many_settings_are_kept),
        TEST(test_only_so_many_bytes_of_settings_are_kept),
        TEST(test_what_has_ended_goes_again_until_its_chunk_is_released),
        TEST(test_only_so_many_bytes_are_kept),
        TEST(test_filters_that_were_replaced_go_again),
        TEST(test_only_so_many_filters_are_kept),
        TEST(test_only_so_many_bytes_of_filters_are_kept),
    };
    registry = ctx_registry_create();
    assert_non_null(registry);
    return cmocka_run_group_tests_name("ship_known", tests, NULL, NULL);
}
