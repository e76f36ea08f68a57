// SPDX-License-Identifier: Apache-2.0
// kind_values: attribute values of contexts, in the form in which fields of other events can hold
// them.
//
// A value is one of:
//   a text, as Java's String.valueOf returns it, cut after CTX_VALUE_BYTES_MAX bytes
//   a number or a boolean: a byte 1, then its form in JFR
//   a reference into the pool of its type (a class, a method, a thread)
// Null is one zero byte in each form. A constant that consists of one text, such as the JVM's
// enumerations, becomes a text: its key may be 0, like null. String constants become texts, too.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_shown_values.c

#pragma once

#include "common/base/lp_buf.h"
#include "engine/read/kinds.h"

#include <stdbool.h>
#include <stdint.h>

// compact_kind_append_event appends the values of an event, whose fields start at payload, and null
// for each attribute that the event lacks. If copies_constants, string constants are copied as they
// are, without a limit of length.
void compact_kind_append_event(const compact_kind *kind, const compact_reading *reading,
    jfr_cursor payload, bool copies_constants, lp_buf *out);

// compact_kind_next_value moves cursor behind a value and returns the value's bytes. For references
// it also sets *out_key.
lp_slice compact_kind_next_value(
    const compact_attribute *attribute, jfr_cursor *cursor, uint64_t *out_key);

// compact_kind_append_nulls appends null for each attribute.
void compact_kind_append_nulls(const compact_kind *kind, lp_buf *out);

void compact_kind_append_null(lp_buf *out);

// compact_kind_append_text appends a text, cut after CTX_VALUE_BYTES_MAX bytes.
void compact_kind_append_text(lp_buf *out, const lp_buf *utf8);

// The next two functions append the bits of a primitive from a context record: as a text, and as a
// number (compact_attribute_number).
void compact_kind_append_bits(ctx_kind primitive, uint64_t bits, lp_buf *out);
void compact_kind_append_number(ctx_kind primitive, uint64_t bits, lp_buf *out);

// compact_kind_fixed_bytes returns the size of a primitive in JFR; 0 for varints and texts.
size_t compact_kind_fixed_bytes(ctx_kind primitive);

// compact_kind_append_primitive appends the bits of a primitive that is no text, in JFR's form.
void compact_kind_append_primitive(ctx_kind primitive, uint64_t bits, lp_buf *out);
