// SPDX-License-Identifier: Apache-2.0
// lp_proto: packs messages of protobuf-c into buffers, and unpacks them. protobuf-c alone does not
// tell invalid bytes from a failed allocation.
//
//     bool is_short;
//     ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
//     message = loupe__wire__hello__unpack(&allocator, size, bytes);
//     return message != NULL ? LP_OK : lp_proto_err(is_short);
//
// The message is freed with its free_unpacked and NULL.
//
// Threads: any thread.
// Tests:   tests/e2e/faults.py, tests/unit/collector/server/test_server_faults.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

// lp_proto_allocator returns malloc as an allocator that sets *out_is_short if it fails.
ProtobufCAllocator lp_proto_allocator(bool *out_is_short);

// lp_proto_append appends a packed message. Errors: LP_ENOMEM; `to` has failed then
LP_MUST_USE lp_err lp_proto_append(const ProtobufCMessage *message, lp_buf *to);

// lp_proto_err returns the reason for a failed unpack.
static inline lp_err
lp_proto_err(bool is_short)
{
    return is_short ? LP_ENOMEM : LP_ECORRUPT;
}
