// SPDX-License-Identifier: Apache-2.0

#include "common/wire/wire_scan.h"

#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DEPTH_MAX = 8, // of the messages of loupe.proto, none of which can hold one of its own kind
    VARINT_BYTES_MAX = 10,
    // Wire types.
    VARINT = 0,
    FIXED64 = 1,
    BYTES = 2,
    FIXED32 = 5,
};

// A message that is being read.
typedef struct level {
    const uint8_t *end;
    const ProtobufCMessageDescriptor *kind;
} level;

typedef struct scan {
    const uint8_t *at;
    level levels[DEPTH_MAX];
    size_t depth;
    wire_counts counts;
} scan;

static bool
take_varint(scan *self, const uint8_t *end, uint64_t *out_value)
{
    *out_value = 0;
    for (unsigned i = 0; i < VARINT_BYTES_MAX && self->at < end; i++) {
        uint8_t byte = *self->at++;
        *out_value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

static bool
skip(scan *self, const uint8_t *end, uint64_t count)
{
    LP_REQUIRE(count <= (uint64_t)(end - self->at), false);
    self->at += count;
    return true;
}

// count_packed returns the number of values packed into size bytes. loupe.proto packs no values of
// fixed size.
static size_t
count_packed(const uint8_t *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += bytes[i] < 0x80 ? 1 : 0;
    }
    return count;
}

static bool
is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES;
}

// take_bytes reads a field with a length before it: goes into a message, and over everything else.
static bool
take_bytes(scan *self, const level *in, uint32_t number)
{
    uint64_t size;
    LP_REQUIRE(take_varint(self, in->end, &size) && size <= (uint64_t)(in->end - self->at), false);
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(in->kind, number);
    if (field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE) {
        LP_ASSERT(self->depth < DEPTH_MAX);
        self->counts.submessages++;
        self->levels[self->depth++] = (level){self->at + size, field->descriptor};
        return true;
    }
    if (field != NULL && field->label == PROTOBUF_C_LABEL_REPEATED && !is_text(field)) {
        self->counts.fields += count_packed(self->at, (size_t)size);
    }
    self->at += size;
    return true;
}

static bool
take_field(scan *self)
{
    const level in = self->levels[self->depth - 1];
    uint64_t key;
    LP_REQUIRE(take_varint(self, in.end, &key), false);
    self->counts.fields++;
    switch (key & 7) {
    case VARINT: {
        uint64_t value;
        return take_varint(self, in.end, &value);
    }
    case FIXED64:
        return skip(self, in.end, sizeof(uint64_t));
    case FIXED32:
        return skip(self, in.end, sizeof(uint32_t));
    case BYTES:
        return take_bytes(self, &in, (uint32_t)(key >> 3));
    default:
        return false;
    }
}

lp_err
wire_scan(const ProtobufCMessageDescriptor *kind, lp_slice bytes, wire_counts *out_counts)
{
    scan self = {.at = bytes.ptr, .levels = {{bytes.ptr + bytes.len, kind}}, .depth = 1};
    lp_err err = LP_OK;
    while (err == LP_OK && self.depth > 0) {
        if (self.at == self.levels[self.depth - 1].end) {
            self.depth--;
        } else if (!take_field(&self)) {
            err = LP_ECORRUPT;
        } else if (self.counts.submessages > WIRE_SUBMESSAGES_MAX ||
                   self.counts.fields > WIRE_FIELDS_MAX) {
            err = LP_ELIMIT;
        }
    }
    *out_counts = self.counts;
    return err;
}
