// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_record.h"

#include <endian.h>
#include <string.h>

static const uint8_t magic[4] = {'L', 'P', 'L', '1'};

enum { FAMILY_BYTES = 3 }; // of the magic, same in all versions

void
log_record_write(uint64_t acknowledged, uint8_t out_head[LOG_RECORD_HEAD_BYTES])
{
    const uint64_t number = htole64(acknowledged);
    memcpy(out_head, magic, sizeof(magic));
    memcpy(out_head + sizeof(magic), &number, sizeof(number));
}

lp_err
log_record_read(lp_slice bytes, log_record *out_record)
{
    LP_REQUIRE(
        bytes.len >= sizeof(magic) && memcmp(bytes.ptr, magic, FAMILY_BYTES) == 0, LP_ECORRUPT);
    LP_REQUIRE(bytes.ptr[FAMILY_BYTES] == magic[FAMILY_BYTES], LP_EVERSION);
    LP_REQUIRE(bytes.len >= LOG_RECORD_HEAD_BYTES, LP_ECORRUPT);
    uint64_t number;
    memcpy(&number, bytes.ptr + sizeof(magic), sizeof(number));
    *out_record = (log_record){
        .acknowledged = le64toh(number),
        .message = {bytes.ptr + LOG_RECORD_HEAD_BYTES, bytes.len - LOG_RECORD_HEAD_BYTES},
    };
    return LP_OK;
}
