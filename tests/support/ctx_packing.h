// SPDX-License-Identifier: Apache-2.0
// ctx_packing: runs of packed context records from records, and back.

#pragma once

#include "common/context/ctx_pack.h"

#include <string.h>

// ctx_packing_pack adds records to packer. Errors: LP_ECORRUPT if they are no run of whole records
static inline lp_err
ctx_packing_pack(lp_slice records, ctx_packer *packer)
{
    lp_err err = ctx_packer_reserve(packer, records.len);
    while (records.len > 0 && err == LP_OK) {
        ctx_record_header header = {0};
        if (records.len >= sizeof(header)) {
            memcpy(&header, records.ptr, sizeof(header));
        }
        if (header.size_bytes < sizeof(header) || header.size_bytes > records.len ||
            header.size_bytes > CTX_RECORD_BYTES_MAX) {
            return LP_ECORRUPT;
        }
        ctx_packer_put(packer, &header, records.ptr);
        records.ptr += header.size_bytes;
        records.len -= header.size_bytes;
    }
    return err;
}

// ctx_packing_unpack appends the records of all runs to out.
static inline lp_err
ctx_packing_unpack(const ctx_packer *packer, lp_buf *out)
{
    lp_err err = LP_OK;
    size_t begin = 0;
    for (size_t i = 0; i < packer->runs.count && err == LP_OK; i++) {
        const ctx_pack_run *run = &packer->runs.items[i];
        lp_slice packed = {packer->packed.ptr + begin, run->packed_end - begin};
        err = ctx_unpack(packed, run->size_bytes, out);
        begin = run->packed_end;
    }
    return err;
}
