// SPDX-License-Identifier: Apache-2.0
// Objects with several chunks, as a store returns them: what is read of any bytes lies within them,
// and makes the same footer again.

#include "fuzz.h"

#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <string.h>

// read_chunks checks what is read of an object.
static void
read_chunks(lp_slice object)
{
    object_pack_chunks chunks = {0};
    lp_buf footer = {0};
    if (object_pack_read(object, &chunks) == LP_OK) {
        size_t footer_at =
            object.len - OBJECT_PACK_TAIL_BYTES - chunks.count * (size_t)OBJECT_PACK_ENTRY_BYTES;
        for (size_t i = 0; i < chunks.count; i++) {
            const object_pack_chunk *chunk = &chunks.items[i];
            LP_ASSERT(chunk->offset <= footer_at);
            LP_ASSERT(chunk->stored_bytes <= footer_at - chunk->offset);
            object_pack_append(&footer, chunk);
        }
        object_pack_finish(&footer, footer_at);
        LP_ASSERT(lp_buf_check(&footer) == LP_OK);
        LP_ASSERT(footer.len == object.len - footer_at);
        // Zeros that a later version may use are not looked at.
        LP_ASSERT(memcmp(footer.ptr, object.ptr + footer_at, 16) == 0);
    }
    lp_buf_fini(&footer);
    LP_VEC_FINI(&chunks);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    read_chunks((lp_slice){bytes, count});
    if (count < OBJECT_PACK_TAIL_BYTES) {
        return 0;
    }
    // Once more with the right hash, which nobody guesses.
    uint8_t *sealed = malloc(count);
    LP_ASSERT(sealed != NULL);
    memcpy(sealed, bytes, count);
    uint64_t entries = 0;
    memcpy(&entries, sealed + count - OBJECT_PACK_TAIL_BYTES + 8, 4);
    size_t room = count - OBJECT_PACK_TAIL_BYTES;
    if (entries <= room / OBJECT_PACK_ENTRY_BYTES) {
        size_t begin = room - (size_t)entries * OBJECT_PACK_ENTRY_BYTES;
        uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){sealed + begin, count - begin - 8});
        memcpy(sealed + count - 8, &hash, 8);
        read_chunks((lp_slice){sealed, count});
    }
    free(sealed);
    return 0;
}
