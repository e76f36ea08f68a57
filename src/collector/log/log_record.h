// SPDX-License-Identifier: Apache-2.0

// log_record: what a record of the log has: a Request as its agent sent it, or a Hello of which
// secret and token are left out (hello_file.h), behind the number that its session's agent had been
// acknowledged by then. The record's key is the id of the session, as text.
//
//   OFFSET  SIZE  FIELD, little-endian
//        0     4  magic "LPL1"
//        4     8  batches of the session below this number were acknowledged before
//       12     -  the Request (proto/loupe.proto)
//
// By that number who reads the log tells a batch that will come again, as nobody was told that it
// is here, from one that the log has lost.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/log/test_log_record.c

#ifndef LP_COLLECTOR_SERVER_LOG_RECORD_H
#define LP_COLLECTOR_SERVER_LOG_RECORD_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum { LOG_RECORD_HEAD_BYTES = 12 };

typedef struct log_record {
    uint64_t acknowledged;
    lp_slice message; // borrowed from the record's bytes
} log_record;

// log_record_write writes the head of a record; the message follows it.
void log_record_write(uint64_t acknowledged, uint8_t out_head[LOG_RECORD_HEAD_BYTES]);

// log_record_read takes a record apart. Errors: LP_ECORRUPT it is none; LP_EVERSION it is one of
// another version
LP_MUST_USE lp_err log_record_read(lp_slice bytes, log_record *out_record);

#endif // LP_COLLECTOR_SERVER_LOG_RECORD_H
