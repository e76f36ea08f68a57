// SPDX-License-Identifier: Apache-2.0
// Two chunks through the engine, out of any bytes, with any policy and style, damaged or intact: a
// session, or two JVMs whose chunks go into one file. Whatever the engine writes has nothing
// damaged in it, with contexts at samples or without, and the same input gives the same bytes.
//
//   input: 1 byte: bits below; 2 bytes: how many bytes of context records follow behind the head;
//   2 bytes: how many of the first chunk; records; the first chunk; the second

#include "fuzz.h"
#include "fuzz_chunk.h"
#include "support/compact_run.h"

#include "common/base/lp_assert.h"
#include "engine/compact.h"
#include "engine/restyle.h"
#include "engine/write/merge.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEAD_BYTES = 5,
    POLICIES = 4,          // the low bits choose one
    BIT_STRICT = 1 << 2,   // damage is refused
    BIT_AS_IT_IS = 1 << 3, // size in the header, too: chunks may be cut off
    BIT_ALONE = 1 << 4,    // no look-ahead
    BIT_AGAIN = 1 << 5,    // a second time, for the same bytes; of a session, with pinned threads
    BIT_MERGE = 1 << 6,    // two JVMs
    BIT_STYLE = 1 << 7,    // contexts are fields, or constants: by the lowest bit
};

static const compact_also_thread threads[] = {
    {"main", 1, INT64_MIN, INT64_MAX}, {"thread-2", 2, 0, INT64_MAX}};
static const compact_also also = {.threads = threads, .thread_count = 2};

static const ctx_type types[1] = {{
    .id = 1,
    .name = (char[]){"tracer"},
    .label = (char[]){""},
    .description = (char[]){""},
    .attribute_count = 2,
    .attributes = {{CTX_STRING, (char[]){"id"}, (char[]){""}, (char[]){""}},
        {CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}},
}};

// Of the types of jfr_sample and alloc_build.
static const char *const policies[POLICIES] = {
    "",
    "<event name='test.Plain'><setting name='select'>if-context</setting></event>"
    "<event name='test.Mark'><setting name='enabled'>false</setting></event>",
    "<event name='test.Trace'><setting name='select'>all</setting>"
    "<setting name='context-throttle'>1/ms</setting></event>"
    "<event name='tracer'><setting name='context-throttle'>2/us</setting></event>"
    "<event name='test.Odd'><setting name='threshold'>5 ns</setting>"
    "<setting name='select'>if-context</setting></event>",
    "<event name='test.Mark'><setting name='contextual'>true</setting></event>"
    "<event name='test.Span'><setting name='enabled'>false</setting></event>"
    "<event name='jdk.ObjectAllocationSample'><setting name='enabled'>true</setting>"
    "<setting name='throttle'>2/s</setting></event>",
};

static policy *read_policies[POLICIES];

static const policy *
policy_of(uint8_t bits)
{
    size_t index = bits % POLICIES;
    if (index > 0 && read_policies[index] == NULL) {
        read_policies[index] = compact_run_policy(policies[index]);
    }
    return read_policies[index];
}

static compact_context_style
style_of(uint8_t bits)
{
    if ((bits & BIT_STYLE) == 0) {
        return COMPACT_STYLE_EVENTS;
    }
    return (bits & 1) == 0 ? COMPACT_STYLE_FIELDS : COMPACT_STYLE_REF;
}

static void
read_again(lp_slice jfr)
{
    const compact_source source = {.jfr = jfr};
    const compact_options strict = {.refused = COMPACT_REFUSED_ALL};
    compact_result again;
    LP_ASSERT(compact_chunk(&source, NULL, 0, NULL, &strict, &again, NULL) == LP_OK);
    LP_ASSERT(again.stats.unknown_events == 0);
    LP_ASSERT(again.damage.place_count == 0);
    compact_result_fini(&again);
}

// check_output expects an output that can be read, also with contexts at samples added.
static void
check_output(const compact_result *result)
{
    lp_buf jfr = {0};
    read_again(lp_buf_slice(&result->jfr));
    LP_ASSERT(compact_sample_contexts_add(lp_buf_slice(&result->jfr), &jfr, NULL) == LP_OK);
    read_again(lp_buf_slice(&jfr));
    lp_buf_fini(&jfr);
}

static void
check_same(const compact_result *result, const compact_source *chunk, const compact_source *next,
    const compact_carry *carry, const compact_options *options)
{
    compact_result again;
    LP_ASSERT(
        compact_chunk(chunk, next, next == NULL ? 0 : 1, carry, options, &again, NULL) == LP_OK);
    LP_ASSERT(again.jfr.len == result->jfr.len);
    LP_ASSERT(memcmp(again.jfr.ptr, result->jfr.ptr, again.jfr.len) == 0);
    compact_result_fini(&again);
}

// run compacts a chunk; its carry, or NULL.
static compact_carry *
run(const compact_source *chunk, const compact_source *next, const compact_carry *carry,
    const compact_options *options, bool is_again)
{
    compact_result result;
    lp_problem problem;
    if (compact_chunk(chunk, next, next == NULL ? 0 : 1, carry, options, &result, &problem) !=
        LP_OK) {
        LP_ASSERT(problem.text[0] != '\0');
        return NULL;
    }
    LP_ASSERT(options->refused != COMPACT_REFUSED_ALL || result.damage.place_count == 0);
    check_output(&result);
    if (is_again) {
        check_same(&result, chunk, next, carry, options);
    }
    compact_carry *left = compact_run_through_bytes(result.carry);
    compact_result_fini(&result);
    return left;
}

static void
run_session(const compact_source *chunk, const compact_source *next, const compact_options *options,
    uint8_t bits)
{
    bool is_again = (bits & BIT_AGAIN) != 0;
    bool is_alone = (bits & BIT_ALONE) != 0;
    compact_carry *carry = run(chunk, is_alone ? NULL : next, NULL, options, is_again);
    compact_carry *last = run(next, NULL, carry, options, is_again);
    compact_carry_destroy(carry);
    compact_carry_destroy(last);
}

static void
run_merge(
    compact_source *first, compact_source *second, const compact_options *options, uint8_t bits)
{
    compact_merge *merge = compact_merge_create(2);
    LP_ASSERT(merge != NULL);
    lp_err first_err = compact_run_add_to_merge(merge, 0, first->jfr, options->policy);
    lp_err second_err = compact_run_add_to_merge(merge, 1, second->jfr, options->policy);
    LP_ASSERT(compact_merge_number(merge) == LP_OK);
    first->merge = second->merge = merge;
    second->merge_source = 1;
    bool is_again = (bits & BIT_AGAIN) != 0;
    if (first_err == LP_OK) {
        compact_carry_destroy(run(first, NULL, NULL, options, is_again));
    }
    if (second_err == LP_OK) {
        compact_carry_destroy(run(second, NULL, NULL, options, is_again));
    }
    compact_merge_destroy(merge);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES) {
        return 0;
    }
    uint8_t bits = bytes[0];
    bool is_sized = (bits & BIT_AS_IT_IS) == 0;
    size_t record_bytes = (size_t)bytes[1] | (size_t)bytes[2] << 8;
    size_t first_bytes = (size_t)bytes[3] | (size_t)bytes[4] << 8;
    if (first_bytes < FUZZ_CHUNK_BYTES_MIN || count < HEAD_BYTES + record_bytes + first_bytes) {
        return 0;
    }
    const uint8_t *at = bytes + HEAD_BYTES + record_bytes;
    size_t second_bytes = (size_t)(bytes + count - at) - first_bytes;
    lp_slice first = fuzz_chunk(at, first_bytes, is_sized);
    lp_slice second = second_bytes < FUZZ_CHUNK_BYTES_MIN
                          ? fuzz_chunk(at, first_bytes, is_sized)
                          : fuzz_chunk(at + first_bytes, second_bytes, is_sized);
    compact_source chunk = {.jfr = first,
        .records = {bytes + HEAD_BYTES, record_bytes},
        .types = types,
        .type_count = 1};
    compact_source next = {.jfr = second, .records = {bytes + HEAD_BYTES, record_bytes / 2}};
    const compact_options options = {
        .policy = policy_of(bits),
        .refused = (bits & BIT_STRICT) != 0 ? COMPACT_REFUSED_ALL : COMPACT_REFUSED_NONE,
        .has_settings = (bits & (BIT_MERGE | BIT_STYLE)) == 0,
        .has_rollup = true,
        .style = style_of(bits),
        .also = (bits & (BIT_AGAIN | BIT_MERGE)) == BIT_AGAIN ? &also : NULL,
    };
    if ((bits & BIT_MERGE) != 0) {
        run_merge(&chunk, &next, &options, bits);
    } else {
        run_session(&chunk, &next, &options, bits);
    }
    fuzz_chunk_free(first);
    fuzz_chunk_free(second);
    return 0;
}
