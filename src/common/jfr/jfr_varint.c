// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_varint.h"

#include "common/jfr/jfr_block.h"

bool
jfr_varint_has_pext(void)
{
#ifdef __x86_64__
    // AMD's before Zen 3 take up to 250 cycles.
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
#else
    return false;
#endif
}

bool
jfr_varint_read_near_end(jfr_cursor *cursor, uint64_t *out_value)
{
    const uint8_t *at = cursor->at;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        LP_REQUIRE(at != cursor->end, false);
        uint8_t byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out_value = value;
            cursor->at = at;
            return true;
        }
    }
    LP_REQUIRE(at != cursor->end, false);
    *out_value = value | (uint64_t)*at++ << 56;
    cursor->at = at;
    return true;
}

enum {
    RAW_AT_ONCE = 8,           // numbers skipped by the word where one of them is of nine bytes
    BYTES_ASKED_FOR = 16 * 64, // prefetch distance for long runs
};

bool
jfr_varint_skip_blocks(jfr_cursor *cursor, uint64_t count)
{
    jfr_cursor rest = *cursor;
    while (count > 0 && jfr_cursor_left(&rest) >= JFR_BLOCK_BYTES) {
        __builtin_prefetch(rest.at + BYTES_ASKED_FOR);
        uint64_t stops = jfr_block_stops(rest.at);
        unsigned stop_count = jfr_block_count(stops);
        if (jfr_block_has_raw(stops)) {
            uint64_t few = count < RAW_AT_ONCE ? count : RAW_AT_ONCE;
            LP_REQUIRE(jfr_varint_skip_words(&rest, few), false);
            count -= few;
        } else if (stop_count <= count) {
            // On to behind the last stop, so that a block always begins with a number.
            rest.at += JFR_BLOCK_BYTES - (unsigned)__builtin_clzll(stops);
            count -= stop_count;
        } else {
            rest.at += jfr_block_size(stops, (unsigned)count);
            count = 0;
        }
    }
    LP_REQUIRE(jfr_varint_skip_words(&rest, count), false);
    cursor->at = rest.at;
    return true;
}
