// SPDX-License-Identifier: Apache-2.0
// kind_values: the attributes of contexts, as values that other events can have in their fields.
//
// A value is a text, as Java's String.valueOf returns it and cut after CTX_VALUE_BYTES_MAX bytes;
// a number or a boolean, as JFR has it in events behind a byte 1; or a reference into the pool of
// its type (a class, a method, a thread). Null is one zero byte for all of them. References to
// constants that are nothing but a text, as a JVM's enumerations are, become texts: key 0 may be a
// constant of the enumeration. Strings that are constants are spelled out.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_shown_values.c

#ifndef LP_ENGINE_READ_KIND_VALUES_H
#define LP_ENGINE_READ_KIND_VALUES_H

#include "common/base/lp_buf.h"
#include "engine/read/kinds.h"

#include <stdbool.h>
#include <stdint.h>

// compact_kind_append_event appends the values of an event whose fields begin at payload, and nulls
// for the attributes that it does not have. Strings that are constants are copied as they are,
// and not cut, if copies_constants.
void compact_kind_append_event(const compact_kind *kind, const compact_reading *reading,
    jfr_cursor payload, bool copies_constants, lp_buf *out);

// compact_kind_next_value moves cursor over the value of one attribute and returns its bytes.
// *out_key is the key of a reference.
lp_slice compact_kind_next_value(
    const compact_attribute *attribute, jfr_cursor *cursor, uint64_t *out_key);

// compact_kind_append_nulls appends the values of a context that has none.
void compact_kind_append_nulls(const compact_kind *kind, lp_buf *out);

// These append one value: null; a text, which is cut after CTX_VALUE_BYTES_MAX bytes; a primitive
// as a text, or a number or a boolean as such (compact_attribute_number), from its bits in a
// context record.
void compact_kind_append_null(lp_buf *out);
void compact_kind_append_text(lp_buf *out, const lp_buf *utf8);
void compact_kind_append_bits(ctx_kind primitive, uint64_t bits, lp_buf *out);
void compact_kind_append_number(ctx_kind primitive, uint64_t bits, lp_buf *out);

// compact_kind_fixed_bytes returns the size of a primitive in JFR; 0 for varints and texts.
size_t compact_kind_fixed_bytes(ctx_kind primitive);

// compact_kind_append_primitive appends the bits of a primitive that is no text, as JFR has it.
void compact_kind_append_primitive(ctx_kind primitive, uint64_t bits, lp_buf *out);

#endif // LP_ENGINE_READ_KIND_VALUES_H
