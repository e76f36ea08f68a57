// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/rollup_pick.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <string.h>

enum {
    VARINT_BYTES_MAX = 10,
    // Bytes of the length of a nested message, which is known only when the message is copied:
    // readers accept a longer varint than necessary.
    LENGTH_BYTES = 5,
    // Wire types.
    VARINT = 0,
    FIXED64 = 1,
    BYTES = 2,
    FIXED32 = 5,
    // Numbers of fields in rollup.proto.
    ROLLUP_TYPES = 2,
    ROLLUP_REQUEST_TYPES = 7,
    TYPE_ATTRIBUTES = 3,
    ATTRIBUTE_VALUES = 3,
    NAME = 1, // of an attribute; the text of a value
};

// A field of a message.
typedef struct field {
    uint64_t number;
    unsigned wire_type;
    lp_slice whole; // with its key
    lp_slice bytes; // its content, if it has a length
} field;

static bool
take_varint(lp_slice *rest, uint64_t *out_value)
{
    *out_value = 0;
    for (unsigned i = 0; i < VARINT_BYTES_MAX && i < rest->len; i++) {
        *out_value |= (uint64_t)(rest->ptr[i] & 0x7f) << (7 * i);
        if (rest->ptr[i] < 0x80) {
            *rest = (lp_slice){rest->ptr + i + 1, rest->len - i - 1};
            return true;
        }
    }
    return false;
}

// take_field takes the first field of *rest, which is not empty. False if it is damaged.
static bool
take_field(lp_slice *rest, field *out_field)
{
    LP_ASSERT(rest->len > 0);
    const lp_slice begin = *rest;
    uint64_t key;
    uint64_t size = 0;
    LP_REQUIRE(take_varint(rest, &key), false);
    field found = {.number = key >> 3, .wire_type = (unsigned)(key & 7)};
    switch (found.wire_type) {
    case VARINT:
    case BYTES:
        LP_REQUIRE(take_varint(rest, &size), false);
        size = found.wire_type == BYTES ? size : 0;
        break;
    case FIXED64:
        size = sizeof(uint64_t);
        break;
    case FIXED32:
        size = sizeof(uint32_t);
        break;
    default:
        return false;
    }
    LP_REQUIRE(size <= rest->len, false);
    found.bytes = (lp_slice){rest->ptr, (size_t)size};
    *rest = (lp_slice){rest->ptr + size, rest->len - (size_t)size};
    found.whole = (lp_slice){begin.ptr, begin.len - rest->len};
    *out_field = found;
    return true;
}

static bool
is_nested(const field *one, uint64_t number)
{
    return one->number == number && one->wire_type == BYTES;
}

// has_name tells whether the name, or text, of a message is `wanted`: that of its last such field,
// and empty without one. False if the message is damaged.
static bool
has_name(lp_slice message, lp_slice wanted, bool *out_has)
{
    lp_slice name = {0};
    field one;
    while (message.len > 0) {
        LP_REQUIRE(take_field(&message, &one), false);
        name = is_nested(&one, NAME) ? one.bytes : name;
    }
    *out_has = lp_order_slices(name, wanted) == 0;
    return true;
}

static void
append(lp_buf *out, lp_slice bytes)
{
    lp_buf_append(out, bytes.ptr, bytes.len);
}

// A part of a nested message to copy. False if the message is damaged.
typedef bool pick(const rollup_wanted *wanted, lp_slice message, lp_buf *out);

// append_nested appends a field with a part of its message.
static bool
append_nested(const rollup_wanted *wanted, const field *one, pick *pick_part, lp_buf *out)
{
    LP_ASSERT(one->wire_type == BYTES && one->number < 16); // its key is a byte
    uint8_t key = (uint8_t)(one->number << 3 | BYTES);
    lp_buf_append(out, &key, 1);
    size_t at = out->len;
    uint8_t length[LENGTH_BYTES] = {0};
    lp_buf_append(out, length, LENGTH_BYTES);
    LP_REQUIRE(pick_part(wanted, one->bytes, out), false);
    if (lp_buf_check(out) != LP_OK) {
        return true; // rollup_pick returns it
    }
    size_t size = out->len - at - LENGTH_BYTES;
    for (unsigned i = 0; i < LENGTH_BYTES; i++) {
        length[i] = (uint8_t)((size >> (7 * i) & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
    }
    memcpy(out->ptr + at, length, LENGTH_BYTES);
    return true;
}

static bool
pick_attribute(const rollup_wanted *wanted, lp_slice message, lp_buf *out)
{
    field one;
    while (message.len > 0) {
        LP_REQUIRE(take_field(&message, &one), false);
        bool is_wanted = true;
        if (is_nested(&one, ATTRIBUTE_VALUES) && wanted->has_value) {
            LP_REQUIRE(has_name(one.bytes, wanted->value, &is_wanted), false);
        }
        if (is_wanted) {
            append(out, one.whole);
        }
    }
    return true;
}

static bool
pick_type(const rollup_wanted *wanted, lp_slice message, lp_buf *out)
{
    const char *key = wanted->key;
    field one;
    while (message.len > 0) {
        LP_REQUIRE(take_field(&message, &one), false);
        if (!is_nested(&one, TYPE_ATTRIBUTES)) {
            append(out, one.whole);
            continue;
        }
        bool is_wanted = true;
        if (key != NULL) {
            const lp_slice name = {(const uint8_t *)key, strlen(key)};
            LP_REQUIRE(has_name(one.bytes, name, &is_wanted), false);
        }
        LP_REQUIRE(!is_wanted || append_nested(wanted, &one, pick_attribute, out), false);
    }
    return true;
}

static bool
pick_rollup(const rollup_wanted *wanted, lp_slice message, lp_buf *out)
{
    field one;
    while (message.len > 0) {
        LP_REQUIRE(take_field(&message, &one), false);
        bool is_request = is_nested(&one, ROLLUP_REQUEST_TYPES);
        if (!is_request && !is_nested(&one, ROLLUP_TYPES)) {
            append(out, one.whole);
            continue;
        }
        bool is_wanted = !wanted->has_unit || is_request == (wanted->unit == ROLLUP_REQUESTS);
        if (is_wanted && wanted->key == NULL && !wanted->has_value) {
            append(out, one.whole);
        } else if (is_wanted) {
            LP_REQUIRE(append_nested(wanted, &one, pick_type, out), false);
        }
    }
    return true;
}

lp_err
rollup_pick(const rollup_wanted *wanted, lp_slice bytes, lp_buf *out)
{
    LP_ASSERT(wanted->unit < ROLLUP_UNITS);
    LP_REQUIRE(pick_rollup(wanted, bytes, out), LP_ECORRUPT);
    return lp_buf_check(out);
}
