// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_proto.h"

#include <stdlib.h>

static void *
allocate(void *arg, size_t size)
{
    bool *is_short = arg;
    void *found = malloc(size);
    *is_short |= found == NULL;
    return found;
}

static void
release(void *arg, void *allocated)
{
    (void)arg;
    free(allocated);
}

ProtobufCAllocator
lp_proto_allocator(bool *out_is_short)
{
    *out_is_short = false;
    return (ProtobufCAllocator){.alloc = allocate, .free = release, .allocator_data = out_is_short};
}

lp_err
lp_proto_append(const ProtobufCMessage *message, lp_buf *to)
{
    uint8_t *bytes = lp_buf_extend(to, protobuf_c_message_get_packed_size(message));
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    (void)protobuf_c_message_pack(message, bytes);
    return LP_OK;
}
