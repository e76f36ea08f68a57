// SPDX-License-Identifier: Apache-2.0
// text: values as Java's String.valueOf shows them, unless a comment says otherwise.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"

#include <stdint.h>

void compact_text_append_integer(lp_buf *out, int64_t value);

// compact_text_append_hex appends 16 digits, as tracers show ids. compact_text_append_hex_string
// appends the same digits as a string of an event (jfr_string.h).
void compact_text_append_hex(lp_buf *out, uint64_t value);
void compact_text_append_hex_string(lp_buf *out, uint64_t value);

// compact_text_append_string appends text as a string of an event.
void compact_text_append_string(lp_buf *out, const char *text);

// compact_text_append_char appends a UTF-16 unit; half of a surrogate pair becomes U+FFFD.
void compact_text_append_char(lp_buf *out, uint16_t unit);

// The next two functions append the shortest decimal number, of at least two digits, that reads
// back as value: what Double.toString and Float.toString return since JDK 19.
void compact_text_append_double(lp_buf *out, double value);
void compact_text_append_float(lp_buf *out, float value);

// compact_text_take returns the bytes of a buffer as a text in arena, and frees the buffer. If
// memory ran out, it returns "", and arena fails.
const char *compact_text_take(lp_buf *buf, lp_arena *arena);

// compact_text_cut returns the length of the longest prefix of whole characters within bytes_max.
size_t compact_text_cut(lp_slice utf8, size_t bytes_max);
