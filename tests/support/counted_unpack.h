// SPDX-License-Identifier: Apache-2.0
// counted_unpack: what protobuf-c takes of memory to unpack a message.

#pragma once

#include "common/base/lp_slice.h"

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct counted_unpack {
    bool is_message;
    size_t allocations;
    size_t bytes; // of all of them, those that are freed before the end as well
} counted_unpack;

static inline void *
counted_unpack_allocate(void *arg, size_t size)
{
    counted_unpack *counts = arg;
    counts->allocations++;
    counts->bytes += size;
    return malloc(size);
}

static inline void
counted_unpack_release(void *arg, void *allocated)
{
    (void)arg;
    free(allocated);
}

static inline counted_unpack
counted_unpack_run(const ProtobufCMessageDescriptor *kind, lp_slice bytes)
{
    counted_unpack counts = {0};
    ProtobufCAllocator allocator = {.alloc = counted_unpack_allocate,
        .free = counted_unpack_release,
        .allocator_data = &counts};
    ProtobufCMessage *message = protobuf_c_message_unpack(kind, &allocator, bytes.len, bytes.ptr);
    counts.is_message = message != NULL;
    protobuf_c_message_free_unpacked(message, &allocator); // NULL is fine
    return counts;
}
