// SPDX-License-Identifier: Apache-2.0

// wire_scan: counts the parts of a message before it is unpacked. A nested message of two bytes may
// take a hundred bytes of memory and some hundred nanoseconds to unpack.
//
// The largest batch of an agent, by the limits of context types (ctx_record.h), RecordingContexts
// (ship_known.c) and filters (ctx_filter.h), takes three quarters of both limits below: 35 types
// with 560 attributes, 1,024 maps with 16,384 entries, and 1,536 filters with 29,000 rules.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/common/wire/test_wire_scan.c, tests/fuzz/fuzz_intake.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

enum {
    WIRE_SUBMESSAGES_MAX = 1 << 16, // nested messages, at any depth
    WIRE_FIELDS_MAX = 1 << 18,      // with those of nested messages; each value of a packed field
                                    // counts
};

typedef struct wire_counts {
    size_t submessages;
    size_t fields;
} wire_counts;

// wire_scan counts what unpacking bytes as a message of this kind would create, up to the limits.
// It reads the bytes once.
// Errors: LP_ELIMIT   over one of the limits: the count is then the limit plus one
//         LP_ECORRUPT not a message
LP_MUST_USE lp_err wire_scan(
    const ProtobufCMessageDescriptor *kind, lp_slice bytes, wire_counts *out_counts);
