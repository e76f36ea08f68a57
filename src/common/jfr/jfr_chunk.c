// SPDX-License-Identifier: Apache-2.0

#include "common/jfr/jfr_chunk.h"

#include "common/base/lp_assert.h"

#include <string.h>

static uint64_t
get_be(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void
put_be(uint8_t *bytes, uint64_t value, unsigned count)
{
    for (unsigned i = count; i > 0; i--) {
        bytes[i - 1] = (uint8_t)value;
        value >>= 8;
    }
}

lp_err
jfr_chunk_parse_cut(lp_slice bytes, jfr_chunk_info *out_info, lp_problem *out_problem)
{
    const uint8_t *header = bytes.ptr;
    LP_REQUIRE(bytes.len >= JFR_CHUNK_HEADER_SIZE,
        lp_problem_set(out_problem, LP_EEND, "%zu bytes are too few for a chunk header of %d",
            bytes.len, JFR_CHUNK_HEADER_SIZE));
    if (memcmp(header, "FLR", 4) != 0) { // the literal's own NUL is the fourth byte
        return lp_problem_set(out_problem, LP_ECORRUPT, "not a JFR chunk (no magic FLR\\0)");
    }

    const jfr_chunk_info info = {
        .major = (uint16_t)get_be(header + 4, 2),
        .minor = (uint16_t)get_be(header + 6, 2),
        .size_bytes = get_be(header + 8, 8),
        .checkpoint_offset = get_be(header + 16, 8),
        .metadata_offset = get_be(header + 24, 8),
        .start_wall_ns = (int64_t)get_be(header + 32, 8),
        .duration_ns = (int64_t)get_be(header + 40, 8),
        .start_ticks = (int64_t)get_be(header + 48, 8),
        .ticks_per_s = (int64_t)get_be(header + 56, 8),
        .state = header[JFR_CHUNK_STATE_OFFSET],
        .is_last = (get_be(header + 66, 2) & 0x2) != 0,
    };
    if (info.major != 1 && info.major != 2) {
        return lp_problem_set(out_problem, LP_EVERSION,
            "JFR version %u.%u is not supported (1.x and 2.x are)", info.major, info.minor);
    }
    if (info.ticks_per_s <= 0) { // we divide by it
        return lp_problem_set(
            out_problem, LP_ECORRUPT, "%lld ticks per second", (long long)info.ticks_per_s);
    }
    *out_info = info;
    return LP_OK;
}

lp_err
jfr_chunk_parse(lp_slice bytes, jfr_chunk_info *out_info, lp_problem *out_problem)
{
    jfr_chunk_info info;
    LP_TRY(jfr_chunk_parse_cut(bytes, &info, out_problem));
    LP_REQUIRE(info.size_bytes >= JFR_CHUNK_HEADER_SIZE && info.size_bytes <= INT64_MAX,
        lp_problem_set(
            out_problem, LP_ECORRUPT, "chunk size %llu", (unsigned long long)info.size_bytes));
    if (info.checkpoint_offset >= info.size_bytes || info.metadata_offset >= info.size_bytes) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "checkpoint offset %llu or metadata offset %llu lie outside the chunk of %llu bytes",
            (unsigned long long)info.checkpoint_offset, (unsigned long long)info.metadata_offset,
            (unsigned long long)info.size_bytes);
    }
    *out_info = info;
    return LP_OK;
}

void
jfr_chunk_encode(const jfr_chunk_info *info, uint8_t out_header[JFR_CHUNK_HEADER_SIZE])
{
    LP_ASSERT(info->size_bytes >= JFR_CHUNK_HEADER_SIZE);
    LP_ASSERT(info->ticks_per_s > 0);

    memcpy(out_header, "FLR", 4);
    put_be(out_header + 4, 2, 2);
    put_be(out_header + 6, 1, 2);
    put_be(out_header + 8, info->size_bytes, 8);
    put_be(out_header + 16, info->checkpoint_offset, 8);
    put_be(out_header + 24, info->metadata_offset, 8);
    put_be(out_header + 32, (uint64_t)info->start_wall_ns, 8);
    put_be(out_header + 40, (uint64_t)info->duration_ns, 8);
    put_be(out_header + 48, (uint64_t)info->start_ticks, 8);
    put_be(out_header + 56, (uint64_t)info->ticks_per_s, 8);
    out_header[JFR_CHUNK_STATE_OFFSET] = info->state;
    out_header[65] = 0;
    put_be(out_header + 66, info->is_last ? 3 : 1, 2);
}

void
jfr_chunk_set_size(uint8_t header[JFR_CHUNK_HEADER_SIZE], uint64_t size_bytes)
{
    put_be(header + 8, size_bytes, 8);
}

static int64_t
greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool
jfr_chunk_start_behind(jfr_chunk_info *info, int64_t wall_ns)
{
    LP_ASSERT(info->ticks_per_s > 0);
    LP_REQUIRE(info->start_wall_ns <= wall_ns, false);
    int64_t divisor = greatest_common_divisor(info->ticks_per_s, 1000000000);
    int64_t step_ns = 1000000000 / divisor;
    __int128 steps = ((__int128)wall_ns - info->start_wall_ns) / step_ns + 1;
    __int128 later_ns = steps * step_ns;
    __int128 start_wall_ns = info->start_wall_ns + later_ns;
    LP_REQUIRE(start_wall_ns <= INT64_MAX, false);
    uint64_t later_ticks = (uint64_t)steps * (uint64_t)(info->ticks_per_s / divisor); // may wrap
    info->start_wall_ns = (int64_t)start_wall_ns;
    info->start_ticks = (int64_t)((uint64_t)info->start_ticks + later_ticks);
    info->duration_ns -= info->duration_ns >= later_ns ? (int64_t)later_ns : info->duration_ns;
    return true;
}
