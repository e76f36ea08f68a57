// SPDX-License-Identifier: Apache-2.0

// constants: the constants that Loupe adds to a chunk.
//
// Keys are hashes of the values. If the previous chunk has a constant with the same key, the JDK's
// reader takes that one, even if its value or the fields of its type differ. With hashes as keys,
// equal keys mean equal constants.
//
// Threads: one thread at a time while they are made; then any thread may read them.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stddef.h>
#include <stdint.h>

// {0} is empty.
typedef struct compact_constants {
    uint64_t salt; // of all keys; LP_HASH_FIXED for the output
    lp_buf values; // fails if any memory runs out
    LP_VEC(struct compact_constant {
        uint64_t key;
        size_t offset; // into values
        size_t size_bytes;
    })
    items; // all different
    lp_map by_key;
} compact_constants;

void compact_constants_fini(compact_constants *constants);

// compact_constants_salt adds a text, such as the name of a field, to the hash of all keys.
void compact_constants_salt(compact_constants *constants, lp_slice text);

// compact_constants_add finds or adds the constant with this value. Returns its key, or any key
// once memory ran out.
uint64_t compact_constants_add(compact_constants *constants, lp_slice value);

// compact_constants_check returns LP_ENOMEM if a constant could not be added.
LP_MUST_USE lp_err compact_constants_check(const compact_constants *constants);

// compact_constants_append appends all keys and values, as in a pool.
void compact_constants_append(const compact_constants *constants, lp_buf *out);
