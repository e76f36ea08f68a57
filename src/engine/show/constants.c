// SPDX-License-Identifier: Apache-2.0
#include "engine/show/constants.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_varint.h"

#include <string.h>

// 56 bits: a varint of 8 bytes. If chunks have 100,000 different constants each, two constants of
// neighbouring chunks share a key by accident once in seven million pairs of chunks.
static const uint64_t KEY_MASK = ((uint64_t)1 << 56) - 1;

void
compact_constants_fini(compact_constants *constants)
{
    lp_buf_fini(&constants->values);
    LP_VEC_FINI(&constants->items);
    lp_map_fini(&constants->by_key);
    *constants = (compact_constants){0};
}

// constants_check may be called until memory runs out.
static void
constants_check(const compact_constants *constants)
{
    LP_ASSERT(constants->by_key.count == constants->items.count);
}

void
compact_constants_salt(compact_constants *constants, lp_slice text)
{
    LP_ASSERT(constants->items.count == 0); // keys depend on the salt
    constants->salt = lp_hash_bytes(constants->salt, text);
}

static bool
is_value(const compact_constants *constants, uint32_t index, lp_slice value)
{
    const struct compact_constant *constant = &constants->items.items[index];
    return constant->size_bytes == value.len &&
           memcmp(constants->values.ptr + constant->offset, value.ptr, value.len) == 0;
}

static void
add_new(compact_constants *constants, uint64_t key, lp_slice value)
{
    if (!LP_VEC_ROOM(&constants->items) ||
        lp_map_put(&constants->by_key, key, (uint32_t)constants->items.count) != LP_OK) {
        constants->values.is_failed = true;
        return;
    }
    constants->items.items[constants->items.count++] = (struct compact_constant){
        .key = key,
        .offset = constants->values.len,
        .size_bytes = value.len,
    };
    constants_check(constants);
    lp_buf_append(&constants->values, value.ptr, value.len);
}

uint64_t
compact_constants_add(compact_constants *constants, lp_slice value)
{
    constants_check(constants);
    uint64_t key = lp_hash_bytes(constants->salt, value) & KEY_MASK;
    for (; !constants->values.is_failed; key = (key + 1) & KEY_MASK) {
        uint32_t index = lp_map_find(&constants->by_key, key);
        if (index == LP_MAP_NONE && key != 0) {
            add_new(constants, key, value);
            break;
        }
        if (index != LP_MAP_NONE && is_value(constants, index, value)) {
            break;
        }
    }
    return key;
}

lp_err
compact_constants_check(const compact_constants *constants)
{
    return lp_buf_check(&constants->values);
}

void
compact_constants_append(const compact_constants *constants, lp_buf *out)
{
    LP_ASSERT(!constants->values.is_failed);
    constants_check(constants);
    for (size_t i = 0; i < constants->items.count; i++) {
        const struct compact_constant *constant = &constants->items.items[i];
        jfr_varint_append(out, constant->key);
        lp_buf_append(out, constants->values.ptr + constant->offset, constant->size_bytes);
    }
}
