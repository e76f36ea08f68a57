// SPDX-License-Identifier: Apache-2.0
// A carry-over as bytes: the format is written byte by byte, and other versions and damaged bytes
// are refused. tests/prop covers the round trip.

#include "unit/engine/compact_session.h"

#include "common/jfr/jfr_varint.h"
#include "engine/carry/carry.h"

#include <stdio.h>
#include <string.h>

static const uint8_t saved[] = {
    1, 1, 2, 7, 8, 10, // version, border, limit, sampled, judged, period of samples
    3, 4, 5, 6,        // clock, start
    1, 2, 4, 'W', 'o', 'r', 'k', 0, 0, 0, 0, 1,     // a type: id, texts, no recording, attributes
    16 + CTX_LONG, 1, 'n', 0, 0,                    // its attribute, a key of requests
    2, 3, 1, 'H', 0, 0, 0, 3, 2,                    // a type of hand-overs: it completes itself
    CTX_LONG, 1, 'a', 0, 0, CTX_LONG, 1, 'b', 0, 0, // its attributes
    4, 1, 'R', 0, 0, 2, 0, 2,                       // a type of roots
    CTX_LONG, 1, 'k', 0, 0, CTX_BOOLEAN, 1, 'e', 0, 0, // its attributes
    1, 1, 'k',                                         // keys
    1, 9, 1, 1, 1, 'k', 0, 1, 'v',                     // a map: id, ended, entries
    1, 7, 11, 1, 3, 'j', 'd', 'k', 1, 'f',             // a filter: id, begin, rules
    1, 1, 'E', 50, 0x80, 0xb0, 0x9d, 0xc2, 0xdf, 0x01, // a throttle: type, 50/m
    1, 9, 4,                                           // its slot, kept
    12, 5, 7, 2, 20, 30, 1, 8, // its load: 12 in the unit, 5 of them in the part
    0,                         // what was decided early
    9,                         // pending bytes
    0, 0,                      // quotas
    2, 1, 1, 21, 22, 23, 2, 1, 0, 2, 2, 'x', 'y', 0, // a context, without late texts
    1, 5, 2, 31, 2,                                  // past: a thread with two times
    1, 5, 40, 3,                                     // a trigger
    1, 5, 41, 42,                                    // an interval
    1, 3,                                            // written ahead
    1, 4, 2,                                         // standings ahead
    1, 8, 5, 77,                                     // a thread; prune_at
    1, 43, 44,                                       // a border
    45, 46, 47,                                      // next sign, signs and contexts seen
    1, 48, 49, 50, 51, 52, 3,                        // a sign
    1, 53, 54, 55, 56, 57, 58, 59, 60, 61,           // a request: key, id, thread, times, parts
    2, 0xf9, 3, 1, 1, 1, 'k', 1, 'v', 1, 'T', // source, flags, why it is kept, attributes, type
    1, 62, 63, 64, 65, 1,                     // a joined key
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0,             // rules: settings, latest, budget, groups
};

static void
add_requests(compact_carry *carry)
{
    static compact_request_attribute attribute = {"k", {(const uint8_t *)"v", 1}};
    const compact_sign sign = {48, 49, 50, {51, 52}, 3};
    const compact_request request = {.key = 53,
        .id = 54,
        .thread = 55,
        .begin = 56,
        .end = 57,
        .busy_ticks = 58,
        .queued_ticks = 59,
        .worked_until = 60,
        .part_count = 61,
        .source = COMPACT_REQUEST_BY_API,
        .has_root = true,
        .is_kept = true,
        .has_event = true,
        .is_decided = true,
        .is_counted = true,
        .dropped_by = COMPACT_REQUEST_DROPPED_BUDGET,
        .kept_by = COMPACT_REQUEST_KEPT_PARTS,
        .type = "T",
        .attributes = &attribute,
        .attribute_count = 1};
    carry->next_sign = 45;
    carry->signs_seen = 46;
    carry->contexts_seen = 47;
    LP_ARENA_PUSH(&carry->arena, &carry->signs, sign);
    LP_ARENA_PUSH(&carry->arena, &carry->requests.items, request);
    LP_ARENA_PUSH(
        &carry->arena, &carry->requests.joined, (compact_joined_key){62, 63, 64, 65, true});
}

// make_carry makes the carry-over of these bytes.
static compact_carry *
make_carry(void)
{
    uint32_t index;
    compact_carry *carry = compact_carry_create();
    assert_non_null(carry);
    const ctx_type type = {.id = 2,
        .name = "Work",
        .attribute_count = 1,
        .attributes = {{CTX_LONG, "n", .is_root_key = true}}};
    ctx_entry entry = {.key = "k", .value = {(const uint8_t *)"v", 1}};
    const ctx_type hand_over = {.id = 3,
        .name = "H",
        .is_hand_over = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, "a"}, {CTX_LONG, "b"}}};
    const ctx_type root = {.id = 4,
        .name = "R",
        .is_root = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, "k"}, {CTX_BOOLEAN, "e"}}};
    const ctx_recording map = {.id = 9, .entry_count = 1, .entries = &entry};
    ctx_filter_rule rule = {.type = "jdk", .terms = "f"};
    const ctx_filter filter = {.id = 7, .begin_ticks = 11, .rule_count = 1, .rules = &rule};
    const compact_context context = {.id = 1,
        .thread_id = 21,
        .begin = 22,
        .end = 23,
        .type_id = 2,
        .is_written = true,
        .standing = COMPACT_STANDING_CHOSEN,
        .values_bytes = 2};
    const int64_t times[] = {31, 33};
    carry->border_ticks = 1;
    carry->limit_ticks = 2;
    carry->sampled_end_ns = 7;
    carry->judged_end_ns = 8;
    carry->period_ns = 10;
    carry->pending_bytes = 9;
    carry->clock = (compact_clock){3, 4, 5};
    carry->start_wall_ns = 6;
    carry->prune_at = 77;
    carry->contexts.next_id = 2;
    assert_int_equal(compact_carry_add_types(carry, &type, 1), LP_OK);
    assert_int_equal(compact_carry_add_types(carry, &hand_over, 1), LP_OK);
    assert_int_equal(compact_carry_add_types(carry, &root, 1), LP_OK);
    assert_int_equal(compact_throttles_add(&carry->throttles, "E",
                         (policy_throttle){.count = 50, .per_ns = 60000000000}, &index),
        LP_OK);
    compact_sampler *sampler = &carry->throttles.items.items[index].sampler;
    sampler->is_started = true;
    sampler->slot = 9;
    sampler->kept = 4;
    sampler->load = (compact_load){12, 5, 7, 2, 20, 30, true, 8};
    compact_recordings_add_key(&carry->recordings, "k");
    compact_recordings_add(&carry->recordings, &map, true);
    compact_filters_add(&carry->filters, &filter);
    compact_contexts_add(&carry->contexts, &context, (const uint8_t *)"xy");
    assert_int_equal(
        compact_kept_times_add(&carry->past, 5, (compact_times){times, 2}, (compact_times){0}, 0),
        LP_OK);
    *LP_VEC_PUSH(&carry->triggers) = (compact_trigger){5, 40, 37};
    *LP_VEC_PUSH(&carry->intervals) = (compact_interval){5, 41, 42};
    *LP_VEC_PUSH(&carry->written_ahead) = 3;
    *LP_VEC_PUSH(&carry->standings_ahead) = (compact_standing_ahead){4, COMPACT_STANDING_CHOSEN};
    *LP_VEC_PUSH(&carry->borders) = (compact_border){43, 44};
    LP_ARENA_PUSH(&carry->arena, &carry->threads, (compact_known_thread){8, 5});
    add_requests(carry);
    return carry;
}

static void
test_the_format_is_what_it_was(void **state)
{
    (void)state;
    compact_carry *carry = make_carry();
    lp_buf bytes = {0};
    assert_int_equal(compact_carry_save(carry, &bytes), LP_OK);
    assert_int_equal(bytes.len, sizeof(saved));
    assert_memory_equal(bytes.ptr, saved, sizeof(saved));

    compact_carry *loaded = NULL;
    assert_int_equal(compact_carry_load(lp_buf_slice(&bytes), &loaded, NULL), LP_OK);
    lp_buf_clear(&bytes);
    assert_int_equal(compact_carry_save(loaded, &bytes), LP_OK);
    assert_int_equal(bytes.len, sizeof(saved));
    assert_memory_equal(bytes.ptr, saved, sizeof(saved));
    compact_carry_destroy(loaded);
    compact_carry_destroy(carry);
    lp_buf_fini(&bytes);
}

// expect_refusal expects that a carry-over is not read, and why.
static void
expect_refusal(lp_slice bytes, lp_err expected, const char *why)
{
    compact_carry *carry = NULL;
    lp_problem problem = {.text = ""};
    assert_int_equal(compact_carry_load(bytes, &carry, &problem), expected);
    assert_string_equal(problem.text, why);
    assert_null(carry);
}

// find returns where these bytes are in the expected ones.
static size_t
find(const uint8_t *bytes, size_t count)
{
    const uint8_t *at = memmem(saved, sizeof(saved), bytes, count);
    assert_non_null(at);
    return (size_t)(at - saved);
}

static void
test_damage_is_refused_with_the_byte(void **state)
{
    (void)state;
    uint8_t bytes[sizeof(saved)];
    static const uint8_t load[] = {12, 5, 7, 2};
    size_t part = find(load, sizeof(load)) + 1;
    char why[100];
    expect_refusal((lp_slice){bytes, 0}, LP_ECORRUPT, "it has no bytes");
    for (size_t len = 1; len < sizeof(saved); len++) { // cut off
        (void)snprintf(why, sizeof(why), "it is damaged at byte %zu of %zu", len, len);
        compact_carry *carry = NULL;
        lp_problem problem = {.text = ""};
        lp_err err = compact_carry_load((lp_slice){saved, len}, &carry, &problem);
        assert_int_equal(err, LP_ECORRUPT);
        assert_memory_equal(problem.text, "it is damaged at byte ", 22);
        assert_non_null(strstr(problem.text, strstr(why, " of ")));
    }
    memcpy(bytes, saved, sizeof(saved));
    bytes[0] = 2;
    expect_refusal((lp_slice){bytes, sizeof(bytes)}, LP_EVERSION,
        "its version is 2, and this version of Loupe reads 1");
    bytes[0] = saved[0];
    bytes[part] = 12;
    compact_carry *carry = NULL;
    assert_int_equal(compact_carry_load((lp_slice){bytes, sizeof(bytes)}, &carry, NULL), LP_OK);
    compact_carry_destroy(carry);
    bytes[part] = 13; // more in the part than in the unit
    (void)snprintf(why, sizeof(why), "it is damaged at byte %zu of %zu", part + 7, sizeof(saved));
    expect_refusal((lp_slice){bytes, sizeof(bytes)}, LP_ECORRUPT, why);
    static const uint8_t minute[] = {50, 0x80, 0xb0, 0x9d, 0xc2, 0xdf, 0x01};
    static const uint8_t no_time[] = {50, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
    size_t rate = find(minute, sizeof(minute));
    memcpy(bytes, saved, sizeof(saved));
    memcpy(bytes + rate, no_time, sizeof(no_time)); // a throttle with 0 ns
    (void)snprintf(why, sizeof(why), "it is damaged at byte %zu of %zu", rate + sizeof(no_time),
        sizeof(saved));
    expect_refusal((lp_slice){bytes, sizeof(bytes)}, LP_ECORRUPT, why);
}

// A map has no more entries than the agent sends.
static void
test_more_entries_than_a_map_has_are_refused(void **state)
{
    (void)state;
    static const uint8_t head[] = {1, [12] = 1, 1, 'k', 1, 9, 0}; // keys, and a map: id, not ended
    static const uint8_t entry[] = {1, 'k', 0, 0};                // key, not null, no bytes
    for (size_t count = CTX_RECORDING_ENTRIES_MAX; count <= CTX_RECORDING_ENTRIES_MAX + 1;
         count++) {
        const bool is_over = count > CTX_RECORDING_ENTRIES_MAX;
        lp_buf bytes = {0};
        compact_carry *carry = NULL;
        lp_buf_append(&bytes, head, sizeof(head));
        jfr_varint_append(&bytes, count);
        for (size_t i = 0; i < count; i++) {
            lp_buf_append(&bytes, entry, sizeof(entry));
        }
        for (size_t i = 0; i < 32; i++) { // nothing of anything else
            lp_buf_append(&bytes, "", 1);
        }
        assert_int_equal(
            compact_carry_load(lp_buf_slice(&bytes), &carry, NULL), is_over ? LP_ECORRUPT : LP_OK);
        compact_carry_destroy(carry);
        lp_buf_fini(&bytes);
    }
}

static void
test_there_are_so_many_types_of_both_kinds(void **state)
{
    (void)state;
    compact_carry *carry = compact_carry_create();
    assert_non_null(carry);
    for (uint16_t id = 1; id <= CTX_TYPES_MAX + 1; id++) {
        const ctx_type type = {.id = id,
            .name = "Work",
            .is_hand_over = id % 2 == 0, // one that begins no contexts
            .attribute_count = 2,
            .attributes = {{CTX_LONG, "n"}, {CTX_LONG, "m"}}};
        assert_int_equal(
            compact_carry_add_types(carry, &type, 1), id <= CTX_TYPES_MAX ? LP_OK : LP_ELIMIT);
    }
    assert_int_equal(carry->types.count + carry->completing.count, CTX_TYPES_MAX);
    compact_carry_destroy(carry);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_format_is_what_it_was),
        cmocka_unit_test(test_more_entries_than_a_map_has_are_refused),
        cmocka_unit_test(test_there_are_so_many_types_of_both_kinds),
        cmocka_unit_test(test_damage_is_refused_with_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
