// SPDX-License-Identifier: Apache-2.0

// wire_scan: how much a message is made of, before it is unpacked. Two bytes may stand for a
// message inside it, which takes a hundred bytes of memory and some hundred nanoseconds to unpack.
//
// What an agent sends at most in one batch, by the limits of context types (ctx_record.h),
// RecordingContexts (ship_known.c) and filters (ctx_filter.h), is three quarters of
// WIRE_SUBMESSAGES_MAX and of WIRE_FIELDS_MAX: in messages 33 types with 528 attributes, 1,024 maps
// with 16,384 entries, and 1,536 filters with 29,000 rules.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/common/wire/test_wire_scan.c, tests/fuzz/fuzz_intake.c

#ifndef LP_COMMON_WIRE_WIRE_SCAN_H
#define LP_COMMON_WIRE_WIRE_SCAN_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

enum {
    WIRE_SUBMESSAGES_MAX = 1 << 16, // messages inside one message, at any depth
    WIRE_FIELDS_MAX = 1 << 18,      // fields of a message and of those inside it; of a packed field
                                    // each value
};

typedef struct wire_counts {
    size_t submessages;
    size_t fields;
} wire_counts;

// wire_scan counts what unpacking bytes as a message of this kind would make, up to the limits.
// Its time is that of reading the bytes once.
// Errors: LP_ELIMIT   over one of the limits: *out_counts has one more of that than there may be
//         LP_ECORRUPT the bytes are no message
LP_MUST_USE lp_err wire_scan(
    const ProtobufCMessageDescriptor *kind, lp_slice bytes, wire_counts *out_counts);

#endif // LP_COMMON_WIRE_WIRE_SCAN_H
