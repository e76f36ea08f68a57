// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_varint.h"

bool
jfr_varint_read_near_end(jfr_cursor *cursor, uint64_t *out_value)
{
    const uint8_t *at = cursor->at;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        if (at == cursor->end) {
            return false;
        }
        uint8_t byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out_value = value;
            cursor->at = at;
            return true;
        }
    }
    if (at == cursor->end) {
        return false;
    }
    *out_value = value | (uint64_t)*at++ << 56;
    cursor->at = at;
    return true;
}
