// SPDX-License-Identifier: Apache-2.0
// jfr_string: the encodings of a java.lang.String in events, pools and metadata. The first byte is
// the encoding:
//
//   0 null    1 empty    2 key into the pool of java.lang.String    3 UTF-8: length in bytes, bytes
//   4 UTF-16: number of units, each a varint    5 Latin-1: length in bytes, bytes
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum jfr_string_encoding {
    JFR_STRING_NULL = 0,
    JFR_STRING_EMPTY = 1,
    JFR_STRING_CONSTANT = 2,
    JFR_STRING_UTF8 = 3,
    JFR_STRING_UTF16 = 4,
    JFR_STRING_LATIN1 = 5,
} jfr_string_encoding;

// jfr_string_skip moves over one string. *out_key is its pool key if it is a constant, else 0.
// False if the bytes end within it or the encoding is unknown.
bool jfr_string_skip(jfr_cursor *cursor, uint64_t *out_key);

// jfr_string_read_utf8 reads one string that is not a constant and appends it to out as UTF-8; null
// reads as empty. Lone surrogates become U+FFFD, and so does each invalid byte of a string in
// UTF-8. False as jfr_string_skip, or if the string is a constant.
bool jfr_string_read_utf8(jfr_cursor *cursor, lp_buf *out);

// jfr_string_find_ascii finds the bytes of one string whose characters are ASCII, which are its
// UTF-8 as well. False for any other string, for null, JFR_STRING_EMPTY and constants, and as
// jfr_string_skip.
bool jfr_string_find_ascii(jfr_cursor cursor, lp_slice *out);

// jfr_string_append writes text as JFR_STRING_UTF8, or as JFR_STRING_EMPTY if it has no bytes.
void jfr_string_append(lp_buf *out, lp_slice utf8);

// jfr_utf8_append_latin1 and _utf16 convert to UTF-8. utf16 is little-endian, an even number of
// bytes.
void jfr_utf8_append_latin1(lp_buf *out, lp_slice latin1);
void jfr_utf8_append_utf16(lp_buf *out, lp_slice utf16);

// jfr_utf8_append_valid copies UTF-8, with U+FFFD for each invalid byte.
void jfr_utf8_append_valid(lp_buf *out, lp_slice utf8);
