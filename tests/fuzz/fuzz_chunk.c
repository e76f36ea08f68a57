// SPDX-License-Identifier: Apache-2.0
// A whole session of two chunks through the engine, out of any bytes: both are the same bytes, the
// second comes with the look-ahead of nothing and with the carry-over of the first, saved and
// loaded. Whatever the engine writes, it also has to read.
//
//   input: 2 bytes: how many bytes of context records follow; records; a chunk, whose header's
//   magic and size are put right

#include "fuzz.h"

#include "collector/compact/compact.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

static const ctx_type types[1] = {{
    .id = 1,
    .name = (char[]){"tracer"},
    .label = (char[]){""},
    .description = (char[]){""},
    .attribute_count = 2,
    .attributes = {{CTX_STRING, (char[]){"id"}, (char[]){""}, (char[]){""}},
        {CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}},
}};

static compact_carry *
through_bytes(const compact_carry *carry)
{
    lp_buf bytes = {0};
    compact_carry *loaded;
    LP_ASSERT(compact_carry_save(carry, &bytes) == LP_OK);
    LP_ASSERT(compact_carry_load(lp_buf_slice(&bytes), &loaded) == LP_OK);
    lp_buf_fini(&bytes);
    return loaded;
}

static void
read_again(const compact_result *result)
{
    compact_source source = {.jfr = lp_buf_slice(&result->jfr)};
    compact_result again;
    LP_ASSERT(compact_chunk(&source, NULL, NULL, NULL, &again, NULL) == LP_OK);
    LP_ASSERT(again.stats.unknown_events == 0);
    compact_result_fini(&again);
}

static void
compact_twice(const compact_source *chunk)
{
    compact_result first;
    compact_result second;
    lp_problem problem;
    if (compact_chunk(chunk, chunk, NULL, NULL, &first, &problem) != LP_OK) {
        return;
    }
    read_again(&first);
    compact_carry *carry = through_bytes(first.carry);
    if (compact_chunk(chunk, NULL, carry, NULL, &second, &problem) == LP_OK) {
        read_again(&second);
        compact_result_fini(&second);
    }
    compact_carry_destroy(carry);
    compact_result_fini(&first);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    size_t record_bytes = count < 2 ? 0 : (size_t)bytes[0] | (size_t)bytes[1] << 8;
    if (count < 2 + record_bytes + 68) {
        return 0;
    }
    size_t size = count - 2 - record_bytes;
    uint8_t *chunk = malloc(size);
    LP_ASSERT(chunk != NULL);
    memcpy(chunk, bytes + 2 + record_bytes, size);
    memcpy(chunk, "FLR\0\0\2\0\1", 8);
    for (size_t i = 0; i < 8; i++) {
        chunk[8 + i] = (uint8_t)((uint64_t)size >> (56 - 8 * i));
    }
    compact_source source = {.jfr = {chunk, size},
        .records = {bytes + 2, record_bytes},
        .types = types,
        .type_count = 1};
    compact_twice(&source);
    free(chunk);
    return 0;
}
