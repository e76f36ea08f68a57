// SPDX-License-Identifier: Apache-2.0
// class_sample: a class file, written by hand: a class A with one method m of the descriptor
// (LT;)V, whose Code attribute the caller gives.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

// What is in the file before the fields. The constant pool:
//   1 "A"  2 class 1  3 "m"  4 "(LT;)V"  5 "Code"  6 "run"  7 "()V"  8 6:7  9 interface method 2.8
//   10 a long (two indexes)  12 "LineNumberTable"  13 "LocalVariableTable"  14 "StackMapTable"
//   15 "RuntimeVisibleTypeAnnotations"  16 "Other"  17 method 2.8
#define CLASS_SAMPLE_TEXT(len, ...) 1, 0, len, __VA_ARGS__
static const uint8_t class_sample_head[] = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 18, //
    CLASS_SAMPLE_TEXT(1, 'A'), 7, 0, 1, CLASS_SAMPLE_TEXT(1, 'm'),
    CLASS_SAMPLE_TEXT(6, '(', 'L', 'T', ';', ')', 'V'), CLASS_SAMPLE_TEXT(4, 'C', 'o', 'd', 'e'),
    CLASS_SAMPLE_TEXT(3, 'r', 'u', 'n'), CLASS_SAMPLE_TEXT(3, '(', ')', 'V'), 12, 0, 6, 0, 7, 11, 0,
    2, 0, 8, 5, 0, 0, 0, 0, 0, 0, 0, 1,
    CLASS_SAMPLE_TEXT(
        15, 'L', 'i', 'n', 'e', 'N', 'u', 'm', 'b', 'e', 'r', 'T', 'a', 'b', 'l', 'e'),
    CLASS_SAMPLE_TEXT(18, 'L', 'o', 'c', 'a', 'l', 'V', 'a', 'r', 'i', 'a', 'b', 'l', 'e', 'T', 'a',
        'b', 'l', 'e'),
    CLASS_SAMPLE_TEXT(13, 'S', 't', 'a', 'c', 'k', 'M', 'a', 'p', 'T', 'a', 'b', 'l', 'e'),
    CLASS_SAMPLE_TEXT(29, 'R', 'u', 'n', 't', 'i', 'm', 'e', 'V', 'i', 's', 'i', 'b', 'l', 'e', 'T',
        'y', 'p', 'e', 'A', 'n', 'n', 'o', 't', 'a', 't', 'i', 'o', 'n', 's'),
    CLASS_SAMPLE_TEXT(5, 'O', 't', 'h', 'e', 'r'), 10, 0, 2, 0, 8};

// Behind the pool: access, class, no superclass, no interface, one field without attributes.
static const uint8_t class_sample_middle[] = {0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 7, 0, 0};

// What the pool gets for the helper "H" with one method "h" of descriptor "(LT;)LT;" at 18 to 23.
static const uint8_t class_sample_added[] = {CLASS_SAMPLE_TEXT(1, 'H'), 7, 0, 18,
    CLASS_SAMPLE_TEXT(1, 'h'), CLASS_SAMPLE_TEXT(8, '(', 'L', 'T', ';', ')', 'L', 'T', ';'), 12, 0,
    20, 0, 21, 10, 0, 19, 0, 22};
enum { CLASS_SAMPLE_HELPER = 23, CLASS_SAMPLE_POOL_AFTER = 24 };

#define CLASS_SAMPLE_PUT(out, ...)                                                                 \
    do {                                                                                           \
        const uint8_t bytes_[] = {__VA_ARGS__};                                                    \
        lp_buf_append(out, bytes_, sizeof(bytes_));                                                \
    } while (0)

// class_sample_put appends a class whose method m has this Code attribute; with is_edited as it is
// behind an edit.
static inline void
class_sample_put(lp_buf *out, lp_slice code, bool is_edited)
{
    size_t begin = out->len;
    lp_buf_append(out, class_sample_head, sizeof(class_sample_head));
    if (is_edited) {
        lp_buf_append(out, class_sample_added, sizeof(class_sample_added));
        out->ptr[begin + 9] = CLASS_SAMPLE_POOL_AFTER;
    }
    lp_buf_append(out, class_sample_middle, sizeof(class_sample_middle));
    CLASS_SAMPLE_PUT(out, 0, 1); // a method: access, name, descriptor, one attribute
    CLASS_SAMPLE_PUT(out, 0, 1, 0, 3, 0, 4, 0, 1, 0, 5);
    CLASS_SAMPLE_PUT(out, 0, 0, (uint8_t)(code.len >> 8), (uint8_t)code.len);
    lp_buf_append(out, code.ptr, code.len);
    CLASS_SAMPLE_PUT(out, 0, 0); // no attributes of the class
}

// Stack 0, locals 3; code: aload_1, if back to it, new, return; a handler; lines at 0 and 4; a
// variable from the begin and one from 1; frames at 0 (same) and 4 (full, with an object of the
// `new` at 4); type annotations.
static const uint8_t class_sample_code[] = {0, 0, 0, 3, 0, 0, 0, 8,                       //
    0x2b, 0xc6, 0xff, 0xff, 0xbb, 0, 2, 0xb1,                                             //
    0, 1, 0, 0, 0, 4, 0, 7, 0, 2,                                                         //
    0, 4,                                                                                 //
    0, 12, 0, 0, 0, 10, 0, 2, 0, 0, 0, 9, 0, 4, 0, 10,                                    //
    0, 13, 0, 0, 0, 22, 0, 2, 0, 0, 0, 8, 0, 3, 0, 4, 0, 1, 0, 1, 0, 7, 0, 3, 0, 4, 0, 2, //
    0, 14, 0, 0, 0, 16, 0, 2, 0, 255, 0, 3, 0, 1, 7, 0, 2, 0, 1, 8, 0, 4,                 //
    0, 15, 0, 0, 0, 2, 0, 0};
// nop; tableswitch 0..1 at 1 (padded to 4); lookupswitch of one pair at 24 (padded to 28);
// wide iinc; wide iload; ldc with the call's opcode as its operand; invokeinterface run;
// invokevirtual run; return.
#define CLASS_SAMPLE_SWITCHES                                                                      \
    0x00, 0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, /* 24 */         \
        0xab, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,            /* 44 */         \
        0xc4, 0x84, 0, 1, 0, 1, 0xc4, 0x15, 0, 1, 0x12, 0xb9                      /* 56 */
static const uint8_t class_sample_switches[] = {0, 2, 0, 6, 0, 0, 0, 65, CLASS_SAMPLE_SWITCHES,
    0xb9, 0, 9, 1, 0, 0xb6, 0, 17, 0xb1, 0, 0, 0, 0};
