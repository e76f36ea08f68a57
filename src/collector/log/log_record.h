// SPDX-License-Identifier: Apache-2.0

// log_record: the format of a record of the log. Its key is the session's id, as text.
//
//   OFFSET  SIZE  FIELD, little-endian
//        0     4  magic "LPL1"
//        4     8  acknowledged: the session's batches below this number were acknowledged before
//                 this record was appended
//       12     -  the Request (proto/loupe.proto) as the agent sent it; a Hello without secret
//                 and token (hello_file.h)
//
// If batches before a record are missing, `acknowledged` tells the reader whether the log has lost
// them, or the agent will resend them.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/log/test_log_record.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

enum { LOG_RECORD_HEAD_BYTES = 12 };

typedef struct log_record {
    uint64_t acknowledged;
    lp_slice message; // borrowed from the record's bytes
} log_record;

// log_record_write writes the head of a record; the Request follows it.
void log_record_write(uint64_t acknowledged, uint8_t out_head[LOG_RECORD_HEAD_BYTES]);

// log_record_read parses a record. Errors: LP_ECORRUPT; LP_EVERSION if it is of another version
LP_MUST_USE lp_err log_record_read(lp_slice bytes, log_record *out_record);
