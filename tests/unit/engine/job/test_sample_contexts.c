// SPDX-License-Identifier: Apache-2.0
// Contexts at samples: a type whose only thread is sampledThread gets eventThread after its other
// fields, with the same thread. If it is added to a compacted chunk, the result is the same as if
// it had been compacted with it, and nothing else changes. Adding it again changes nothing.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "engine/restyle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#include <cmocka.h>

static const compact_options without = {.refused = COMPACT_REFUSED_ALL};
static const compact_options with = {.refused = COMPACT_REFUSED_ALL, .has_sample_contexts = true};

static const uint64_t unknown_thread = 77; // no constant

static void
add_sample(jfr_build *build, int64_t start, uint64_t thread)
{
    (void)jfr_sample_event(
        build, &(jfr_sample){
                   .type = JFR_SAMPLE_EXECUTION, .start = start, .thread = thread, .stack = 100});
}

// fill_chunk makes a chunk with samples and with events of other types, all of which stay.
static lp_slice
fill_chunk(jfr_build *build)
{
    jfr_sample_begin(build, 1000);
    jfr_sample_thread(build, 1, 11);
    jfr_sample_stack(build, 100);
    (void)jfr_sample_event(
        build, &(jfr_sample){
                   .type = JFR_SAMPLE_TRACE, .start = 1010, .end = 1090, .thread = 1, .text = "t"});
    add_sample(build, 1020, 1);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = 1025, .thread = 1, .text = "m"});
    add_sample(build, 1030, 0);
    add_sample(build, 1040, unknown_thread);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_BOTH, .start = 1050, .end = 1060, .thread = 1});
    jfr_build_checkpoint(build);
    return jfr_build_finish(build);
}

static void
compact_one(lp_slice chunk, const compact_options *options, compact_result *out)
{
    const compact_source source = {.jfr = chunk};
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, options, out, NULL), LP_OK);
}

static void
assert_fields(const jfr_read *read, const char *type_name, const char *expected)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    assert_non_null(type);
    lp_buf names = {0};
    for (size_t i = 0; i < type->fields.count; i++) {
        lp_buf_append(&names, i == 0 ? "" : " ", i == 0 ? 0 : 1);
        lp_buf_append(&names, type->fields.items[i].name, strlen(type->fields.items[i].name));
    }
    lp_buf_append(&names, "", 1);
    assert_string_equal((const char *)names.ptr, expected);
    lp_buf_fini(&names);
}

static void
expect_threads(const jfr_read *read)
{
    static const uint64_t expected[] = {1, 0, 77};
    size_t samples = 0;
    for (size_t i = 0; i < read->events.count; i++) {
        const jfr_read_event *event = &read->events.items[i];
        if (strcmp(jfr_read_name(read, event), "jdk.ExecutionSample") == 0) {
            uint64_t key;
            assert_true(jfr_read_key(read, event, "eventThread", &key));
            assert_int_equal(key, expected[samples++]);
        }
    }
    assert_int_equal(samples, 3);
}

static void
test_samples_get_their_thread_as_the_last_field(void **state)
{
    (void)state;
    jfr_build build;
    compact_result result;
    jfr_read read;
    compact_one(fill_chunk(&build), &with, &result);
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    assert_fields(
        &read, "jdk.ExecutionSample", "startTime sampledThread stackTrace state eventThread");
    assert_fields(&read, "test.Both", "startTime duration sampledThread eventThread");
    assert_fields(&read, "test.Mark", "startTime eventThread text");
    expect_threads(&read);
    assert_int_equal(read.events.count, 6);
    assert_int_equal(result.stats.bytes_out, result.jfr.len);
    jfr_read_close(&read);
    compact_result_fini(&result);
    jfr_build_fini(&build);
}

// event_bytes gives everything but the header, the metadata event and the checkpoint, which are
// behind the events.
static lp_slice
event_bytes(const jfr_read *read)
{
    assert_true(read->metadata_offset < read->checkpoint_offset);
    return (lp_slice){read->chunk.ptr + 68, read->metadata_offset - 68};
}

static void
expect_same(const jfr_read *a, const jfr_read *b)
{
    assert_int_equal(a->start_ticks, b->start_ticks);
    assert_int_equal(a->start_wall_ns, b->start_wall_ns);
    assert_int_equal(a->duration_ns, b->duration_ns);
    assert_int_equal(event_bytes(a).len, event_bytes(b).len);
    assert_memory_equal(event_bytes(a).ptr, event_bytes(b).ptr, event_bytes(a).len);
    size_t constants = a->chunk.len - a->checkpoint_offset;
    assert_int_equal(constants, b->chunk.len - b->checkpoint_offset);
    assert_memory_equal(
        a->chunk.ptr + a->checkpoint_offset, b->chunk.ptr + b->checkpoint_offset, constants);
    assert_int_equal(a->types.count, b->types.count);
}

static void
test_added_later_it_is_the_same(void **state)
{
    (void)state;
    jfr_build build;
    lp_slice chunk = fill_chunk(&build);
    compact_result at_once;
    compact_result plain;
    compact_one(chunk, &with, &at_once);
    compact_one(chunk, &without, &plain);
    lp_buf later = {0};
    lp_buf again = {0};
    assert_int_equal(compact_sample_contexts_add(lp_buf_slice(&plain.jfr), &later, NULL), LP_OK);
    assert_int_equal(compact_sample_contexts_add(lp_buf_slice(&later), &again, NULL), LP_OK);
    jfr_read expected;
    jfr_read found;
    jfr_read before;
    jfr_read_open(&before, lp_buf_slice(&plain.jfr));
    jfr_read_open(&expected, lp_buf_slice(&at_once.jfr));
    jfr_read_open(&found, lp_buf_slice(&later));
    expect_same(&expected, &found);
    expect_threads(&found);
    assert_true(found.metadata_id != before.metadata_id);
    assert_int_equal(again.len, later.len);
    assert_memory_equal(again.ptr, later.ptr, later.len);
    jfr_read_close(&before);
    jfr_read_close(&expected);
    jfr_read_close(&found);
    lp_buf_fini(&again);
    lp_buf_fini(&later);
    compact_result_fini(&plain);
    compact_result_fini(&at_once);
    jfr_build_fini(&build);
}

static void
test_a_chunk_without_samples_stays_as_it_is(void **state)
{
    (void)state;
    jfr_build build;
    compact_result first; // describes the types of samples as well
    compact_one(fill_chunk(&build), &without, &first);
    jfr_build_fini(&build);
    jfr_sample_begin(&build, 2000);
    jfr_sample_thread(&build, 1, 11);
    (void)jfr_sample_event(
        &build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = 2025, .thread = 1, .text = "m"});
    jfr_build_checkpoint(&build);
    const compact_source source = {.jfr = jfr_build_finish(&build)};
    compact_result plain;
    assert_int_equal(compact_chunk(&source, NULL, 0, first.carry, &without, &plain, NULL), LP_OK);
    compact_result_fini(&first);
    lp_buf later = {0};
    assert_int_equal(compact_sample_contexts_add(lp_buf_slice(&plain.jfr), &later, NULL), LP_OK);
    assert_int_equal(later.len, plain.jfr.len);
    assert_memory_equal(later.ptr, plain.jfr.ptr, later.len);
    lp_buf_fini(&later);
    compact_result_fini(&plain);
    jfr_build_fini(&build);
}

static void
test_a_damaged_chunk_is_refused(void **state)
{
    (void)state;
    jfr_build build;
    compact_result plain;
    compact_one(fill_chunk(&build), &without, &plain);
    lp_problem problem = {.text = ""};
    for (size_t len = 0; len < plain.jfr.len; len += 41) {
        lp_buf later = {0};
        lp_slice cut = {plain.jfr.ptr, len};
        assert_int_equal(compact_sample_contexts_add(cut, &later, &problem), LP_ECORRUPT);
        assert_string_not_equal(problem.text, "");
        lp_buf_fini(&later);
    }
    compact_result_fini(&plain);
    jfr_build_fini(&build);
}

// Downloads with the same ETag have the same bytes. If the bytes of a chunk change, raise
// COMPACT_SAMPLE_CONTEXTS_VERSION and write both here.
static void
test_a_version_stands_for_its_bytes(void **state)
{
    (void)state;
    jfr_build build;
    lp_buf added = {0};
    assert_int_equal(compact_sample_contexts_add(fill_chunk(&build), &added, NULL), LP_OK);
    assert_int_equal(COMPACT_SAMPLE_CONTEXTS_VERSION, 1);
    assert_int_equal(XXH3_64bits(added.ptr, added.len), 0xa88984145e887325);
    lp_buf_fini(&added);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_get_their_thread_as_the_last_field),
        cmocka_unit_test(test_added_later_it_is_the_same),
        cmocka_unit_test(test_a_chunk_without_samples_stays_as_it_is),
        cmocka_unit_test(test_a_damaged_chunk_is_refused),
        cmocka_unit_test(test_a_version_stands_for_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
