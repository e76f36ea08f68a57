// SPDX-License-Identifier: Apache-2.0
// be64: 64-bit numbers as the header of a chunk has them, without the code of src/.

#pragma once

#include <stddef.h>
#include <stdint.h>

static inline void
be64_put(uint8_t *at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> (56 - 8 * i));
    }
}

static inline uint64_t
be64_get(const uint8_t *at)
{
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++) {
        value = value << 8 | at[i];
    }
    return value;
}
