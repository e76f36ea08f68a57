// SPDX-License-Identifier: Apache-2.0
// Packed context records: what is taken as such gives the same records when they are packed again,
// but for their flags, which become 0.
// The first two bytes say how many bytes of records there should be.

#include "fuzz.h"
#include "support/ctx_packing.h"

#include "common/base/lp_assert.h"

#include <string.h>

// clear_flags does what packing does. records are whole.
static void
clear_flags(lp_buf *records)
{
    ctx_record_header header;
    for (size_t at = 0; at < records->len; at += header.size_bytes) {
        memcpy(&header, records->ptr + at, sizeof(header));
        records->ptr[at + offsetof(ctx_record_header, flags)] = 0;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint16_t size;
    if (count < sizeof(size)) {
        return 0;
    }
    memcpy(&size, bytes, sizeof(size));
    lp_slice packed = {bytes + sizeof(size), count - sizeof(size)};
    lp_buf records = {0};
    ctx_packer again = {.run_bytes = 100};
    lp_buf back = {0};
    if (ctx_unpack(packed, size, &records) == LP_OK) {
        LP_ASSERT(records.len == size);
        if (ctx_packing_pack(lp_buf_slice(&records), &again) == LP_OK) {
            clear_flags(&records);
            LP_ASSERT(ctx_packing_unpack(&again, &back) == LP_OK);
            LP_ASSERT(back.len == size && (size == 0 || memcmp(back.ptr, records.ptr, size) == 0));
        }
    }
    lp_buf_fini(&records);
    ctx_packer_fini(&again);
    lp_buf_fini(&back);
    return 0;
}
