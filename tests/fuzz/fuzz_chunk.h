// SPDX-License-Identifier: Apache-2.0
// fuzz_chunk: a chunk out of any bytes that has a header.

#pragma once

#include "support/be64.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Of fewer bytes there is no chunk.
enum { FUZZ_CHUNK_BYTES_MIN = 68 };

// fuzz_chunk returns a copy with a header that can be read, and if is_sized with its size right.
// The caller ends it with fuzz_chunk_free.
static inline lp_slice
fuzz_chunk(const uint8_t *bytes, size_t count, bool is_sized)
{
    uint8_t *chunk = malloc(count + 1);
    LP_ASSERT(chunk != NULL && count >= FUZZ_CHUNK_BYTES_MIN);
    memcpy(chunk, bytes, count);
    memcpy(chunk, "FLR\0\0\2\0\1", 8);
    if (is_sized) {
        be64_put(chunk + 8, count);
    }
    return (lp_slice){chunk, count};
}

static inline void
fuzz_chunk_free(lp_slice chunk)
{
    free((void *)(uintptr_t)chunk.ptr);
}
