// SPDX-License-Identifier: Apache-2.0
// The maps of RecordingContexts in the agent: numbered, copied, one for all that have the same
// entries, within every limit, and there until they are forgotten.

#include "agent/context/ctx_recordings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = 1 << 30 };

static int
set_up(void **state)
{
    *state = ctx_recordings_create();
    return *state == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
    ctx_recordings_destroy(*state);
    return 0;
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static lp_err
add(ctx_recordings *recordings, const char *key, const char *value, uint64_t *out_id)
{
    ctx_entry entry = {key, value == NULL ? (lp_slice){0} : slice_of(value), value == NULL};
    const ctx_recording map = {.entry_count = 1, .entries = &entry};
    return ctx_recordings_add(recordings, &map, out_id);
}

// add_number adds a map that is like no other.
static lp_err
add_number(ctx_recordings *recordings, uint64_t number, uint64_t *out_id)
{
    char value[24];
    (void)snprintf(value, sizeof(value), "%llu", (unsigned long long)number);
    return add(recordings, "a", value, out_id);
}

static void
drop(ctx_recordings *recordings, uint64_t id)
{
    ctx_recording map = ctx_recordings_take(recordings, id);
    assert_int_equal(map.id, id);
    ctx_recording_fini(&map);
}

static ctx_recording_list
list_all(ctx_recordings *recordings, uint64_t after)
{
    ctx_recording_list list = {0};
    bool is_all = false;
    assert_int_equal(ctx_recordings_list(recordings, after, ALL, ALL, &list, &is_all), LP_OK);
    assert_true(is_all);
    return list;
}

static void
test_maps_are_copied_and_numbered(void **state)
{
    ctx_recordings *recordings = *state;
    char value[] = "first";
    uint64_t id = 0;
    assert_int_equal(add(recordings, "a", value, &id), LP_OK);
    assert_int_equal(id, 1);
    value[0] = '?';
    assert_int_equal(add(recordings, "b", NULL, &id), LP_OK);
    assert_int_equal(id, 2);
    ctx_recording_list list = list_all(recordings, 0);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].id, 1);
    assert_string_equal(list.items[0].entries[0].key, "a");
    assert_memory_equal(list.items[0].entries[0].value.ptr, "first", 5);
    assert_int_equal(list.items[0].entries[0].value.len, 5);
    assert_true(list.items[1].entries[0].is_null);
    LP_VEC_FINI(&list);
    list = list_all(recordings, 1);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].id, 2);
    LP_VEC_FINI(&list);
}

static void
test_released_maps_stay_until_they_are_forgotten(void **state)
{
    ctx_recordings *recordings = *state;
    uint64_t id = 0;
    for (uint64_t i = 1; i <= 100; i++) {
        assert_int_equal(add_number(recordings, i, &id), LP_OK);
        assert_int_equal(id, i);
    }
    for (uint64_t i = 1; i <= 100; i++) {
        if (i % 10 != 0) {
            ctx_recordings_release(recordings, i);
        }
    }
    ctx_recording_ids ids = {0};
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 90);
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 90); // each once
    ctx_recording_list list = list_all(recordings, 0);
    assert_int_equal(list.count, 100);
    for (size_t i = 0; i < ids.count; i++) {
        drop(recordings, ids.items[i]);
    }
    LP_VEC_FINI(&list);
    list = list_all(recordings, 15);
    assert_int_equal(list.count, 9);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(list.items[i].id, 20 + 10 * i);
    }
    assert_int_equal(add_number(recordings, 1, &id), LP_OK);
    assert_int_equal(id, 101); // never one that was there
    LP_VEC_FINI(&list);
    LP_VEC_FINI(&ids);
}

static void
test_a_list_has_its_limits(void **state)
{
    ctx_recordings *recordings = *state;
    uint64_t id;
    for (uint64_t i = 0; i < 10; i++) {
        assert_int_equal(add_number(recordings, i, &id), LP_OK);
    }
    ctx_recording_list list = {0};
    bool is_all = true;
    assert_int_equal(ctx_recordings_list(recordings, 0, 4, ALL, &list, &is_all), LP_OK);
    assert_int_equal(list.count, 4);
    assert_false(is_all);
    assert_int_equal(ctx_recordings_list(recordings, 0, ALL, 1, &list, &is_all), LP_OK);
    assert_int_equal(list.count, 1); // it gets on, whatever a map's size
    assert_false(is_all);
    assert_int_equal(ctx_recordings_list(recordings, 6, 4, ALL, &list, &is_all), LP_OK);
    assert_int_equal(list.count, 4);
    assert_true(is_all);
    LP_VEC_FINI(&list);
}

// release releases a map for all who have added it, and has it forgotten.
static void
release(ctx_recordings *recordings, uint64_t id)
{
    ctx_recording_ids ids = {0};
    ctx_recordings_release(recordings, id);
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 1);
    assert_int_equal(ids.items[0], id);
    drop(recordings, id);
    LP_VEC_FINI(&ids);
}

static void
test_only_so_many_are_alive(void **state)
{
    ctx_recordings *recordings = *state;
    uint64_t id = 0;
    for (uint64_t i = 1; i <= CTX_RECORDINGS_LIVE_MAX; i++) {
        assert_int_equal(add_number(recordings, i, &id), LP_OK);
    }
    assert_int_equal(add_number(recordings, 0, &id), LP_ELIMIT);
    assert_int_equal(ctx_recordings_get_counts(recordings).refused, 1);
    assert_int_equal(add_number(recordings, 8, &id), LP_OK); // it takes no place
    assert_int_equal(id, 8);
    release(recordings, 7);
    assert_int_equal(add_number(recordings, 0, &id), LP_OK);
    assert_int_equal(add_number(recordings, 7, &id), LP_ELIMIT);
    assert_int_equal(ctx_recordings_get_counts(recordings).refused, 2);
}

static void
test_only_so_many_bytes_are_alive(void **state)
{
    ctx_recordings *recordings = *state;
    char value[CTX_RECORDING_TEXT_BYTES_MAX + 1];
    memset(value, 'v', sizeof(value) - 1);
    value[sizeof(value) - 1] = '\0';
    uint64_t id = 0;
    size_t count = 0;
    do {
        (void)snprintf(value, sizeof(value), "%06zu", count);
        value[6] = 'v';
    } while (add(recordings, "a", value, &id) == LP_OK && ++count > 0);
    assert_in_range(
        count, CTX_RECORDINGS_LIVE_BYTES_MAX / 1100, CTX_RECORDINGS_LIVE_BYTES_MAX / 1024);
    release(recordings, id);
    assert_int_equal(add(recordings, "a", value, &id), LP_OK);
}

static void
test_maps_with_the_same_entries_are_one(void **state)
{
    ctx_recordings *recordings = *state;
    const ctx_entry pairs[][2] = {
        {{"a", slice_of("x"), false}, {"b", slice_of("y"), false}},
        {{"b", slice_of("y"), false}, {"a", slice_of("x"), false}}, // in another order
        {{"a", slice_of("xb"), false}, {"", slice_of("y"), false}},
        {{"a", slice_of("x"), false}, {"b", slice_of(""), false}},
        {{"a", slice_of("x"), false}, {"b", {0}, true}},
    };
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
            ctx_entry entries[] = {pairs[i][0], pairs[i][1]};
            const ctx_recording map = {.entry_count = 2, .entries = entries};
            uint64_t id;
            assert_int_equal(ctx_recordings_add(recordings, &map, &id), LP_OK);
            assert_int_equal(id, i + 1);
        }
    }
    ctx_recording_list list = list_all(recordings, 0);
    assert_int_equal(list.count, 5);
    LP_VEC_FINI(&list);
}

static void
test_a_map_is_there_until_all_have_released_it(void **state)
{
    ctx_recordings *recordings = *state;
    ctx_recording_ids ids = {0};
    uint64_t id;
    assert_int_equal(add(recordings, "a", "x", &id), LP_OK);
    assert_int_equal(add(recordings, "a", "x", &id), LP_OK);
    ctx_recordings_release(recordings, 1);
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 0);
    ctx_recordings_release(recordings, 1);
    assert_int_equal(add(recordings, "a", "x", &id), LP_OK); // before its end is on its way
    assert_int_equal(id, 1);
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 0);
    ctx_recordings_release(recordings, 1);
    assert_int_equal(ctx_recordings_take_released(recordings, &ids), LP_OK);
    assert_int_equal(ids.count, 1);
    assert_int_equal(add(recordings, "a", "x", &id), LP_OK); // and after
    assert_int_equal(id, 2);
    drop(recordings, 1);
    assert_int_equal(add(recordings, "a", "x", &id), LP_OK);
    assert_int_equal(id, 2);
    LP_VEC_FINI(&ids);
}

static void
test_keys_and_entries_are_limited(void **state)
{
    ctx_recordings *recordings = *state;
    char names[CTX_RECORDING_KEYS_MAX + 1][8];
    ctx_entry entries[CTX_RECORDING_ENTRIES_MAX + 2];
    uint64_t id;
    for (size_t i = 0; i <= CTX_RECORDING_KEYS_MAX; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "k%zu", i);
    }
    for (size_t i = 0; i < CTX_RECORDING_ENTRIES_MAX + 2; i++) {
        entries[i] = (ctx_entry){.key = names[i], .value = slice_of("v")};
    }
    const ctx_recording map = {.entry_count = CTX_RECORDING_ENTRIES_MAX + 2, .entries = entries};
    assert_int_equal(ctx_recordings_add(recordings, &map, &id), LP_OK);
    assert_int_equal(ctx_recordings_get_counts(recordings).entries_dropped, 2);
    for (size_t i = 0; i <= CTX_RECORDING_KEYS_MAX; i++) {
        assert_int_equal(add(recordings, names[i], "v", &id), LP_OK);
    }
    assert_int_equal(ctx_recordings_get_counts(recordings).entries_dropped, 3);
    ctx_recording_list list = list_all(recordings, 0);
    assert_int_equal(list.items[0].entry_count, CTX_RECORDING_ENTRIES_MAX);
    assert_int_equal(list.items[list.count - 1].entry_count, 0);
    assert_int_equal(list.items[list.count - 2].entry_count, 1);
    LP_VEC_FINI(&list);
}

// Cut where a code point begins, wherever in one the limit falls.
static void
test_texts_are_cut_at_a_code_point(void **state)
{
    ctx_recordings *recordings = *state;
    static const char *const points[] = {"x", "\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    uint64_t id;
    for (size_t p = 0; p < 4; p++) {
        for (size_t shift = 0; shift < 4; shift++) {
            char text[2 * CTX_RECORDING_TEXT_BYTES_MAX] = "yyyy";
            size_t len = shift;
            while (len <= CTX_RECORDING_TEXT_BYTES_MAX) {
                memcpy(text + len, points[p], p + 1);
                len += p + 1;
            }
            text[len] = '\0';
            assert_int_equal(add(recordings, text, text, &id), LP_OK);
            ctx_recording_list list = list_all(recordings, id - 1);
            size_t kept = shift + (CTX_RECORDING_TEXT_BYTES_MAX - shift) / (p + 1) * (p + 1);
            assert_int_equal(list.items[0].entries[0].value.len, kept);
            assert_memory_equal(list.items[0].entries[0].value.ptr, text, kept);
            assert_int_equal(strlen(list.items[0].entries[0].key), kept);
            LP_VEC_FINI(&list);
        }
    }
    assert_int_equal(ctx_recordings_get_counts(recordings).texts_cut, 2 * 16);
}

int
main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_maps_are_copied_and_numbered),
        TEST(test_released_maps_stay_until_they_are_forgotten),
        TEST(test_a_list_has_its_limits),
        TEST(test_only_so_many_are_alive),
        TEST(test_only_so_many_bytes_are_alive),
        TEST(test_maps_with_the_same_entries_are_one),
        TEST(test_a_map_is_there_until_all_have_released_it),
        TEST(test_keys_and_entries_are_limited),
        TEST(test_texts_are_cut_at_a_code_point),
    };
    return cmocka_run_group_tests_name("ctx_recordings", tests, NULL, NULL);
}
