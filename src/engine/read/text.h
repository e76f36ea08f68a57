// SPDX-License-Identifier: Apache-2.0
// text: values as text, as Java's String.valueOf returns them unless a comment says otherwise.
//
// Threads: any thread.

#ifndef LP_ENGINE_READ_TEXT_H
#define LP_ENGINE_READ_TEXT_H

#include "common/base/lp_buf.h"

#include <stdint.h>

void compact_text_append_integer(lp_buf *out, int64_t value);

// compact_text_append_hex appends 16 digits, as tracers show ids of 64 bits;
// compact_text_append_hex_string appends them as a string of an event (jfr_string.h).
void compact_text_append_hex(lp_buf *out, uint64_t value);
void compact_text_append_hex_string(lp_buf *out, uint64_t value);

// compact_text_append_string appends text as a string of an event.
void compact_text_append_string(lp_buf *out, const char *text);

// compact_text_append_char appends one UTF-16 unit; half of a surrogate pair becomes U+FFFD.
void compact_text_append_char(lp_buf *out, uint16_t unit);

// compact_text_append_double and _float append the shortest decimal that is read as value again,
// with two digits at least, as Double.toString and Float.toString do since JDK 19.
void compact_text_append_double(lp_buf *out, double value);
void compact_text_append_float(lp_buf *out, float value);

// compact_text_cut returns how many bytes of utf8, bytes_max at most, end with a whole character.
size_t compact_text_cut(lp_slice utf8, size_t bytes_max);

#endif // LP_ENGINE_READ_TEXT_H
