// SPDX-License-Identifier: Apache-2.0
// expression: a regular expression that matches in linear time and in fixed memory (Thompson,
// 1968). Expressions and texts may come from an attacker.
//
// The syntax is the common part of POSIX extended expressions. Texts are bytes.
//
//   abc        these bytes                      .          any byte
//   [a-z_]     one of these   [^a-z]  none      [[:digit:]] of a class, as of POSIX
//   (x)        a group                          x|y        either
//   x* x+ x?   0 or more, 1 or more, 0 or 1     x{n} x{n,} x{n,m}  n, at least n, n to m (to 255)
//   ^ \`       the beginning of the text        $ \'       its end
//   \b \B      an edge of a word; none          \< \>      a beginning of a word; an end of one
//   \w \s \d   of a word (A-Z a-z 0-9 _); a space; a digit   \W \S \D   the other bytes
//   \. \{ ...  a byte that is neither a letter nor a digit
//
// Back references such as \1 are refused, as no linear algorithm is known for them. So are other
// letters and digits behind a backslash.
//
// Cost: each byte of a text enters each state of the expression at most once.
//
// Threads: any thread; pure functions. A match does not change the expression.
// Tests:   tests/unit/query/select/test_expression.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_EXPRESSION_BYTES_MAX = 256,
    QUERY_EXPRESSION_STATES_MAX = 512, // x{n,m} takes m times the states of x
    QUERY_EXPRESSION_SETS_MAX = QUERY_EXPRESSION_BYTES_MAX / 2, // the shortest is \w
    QUERY_EXPRESSION_REPEATS_MAX = 255,
};

// A state. It leads to the next state of the array, to the state at its own index plus `jump`, or
// to both.
typedef struct query_state {
    uint8_t kind;
    uint8_t arg; // a byte, or the index of a set
    int16_t jump;
} query_state;

typedef struct query_byte_set {
    uint64_t words[4]; // a bit for each byte
} query_byte_set;

typedef struct query_expression {
    uint16_t state_count;
    uint16_t set_count;
    query_state states[QUERY_EXPRESSION_STATES_MAX];
    query_byte_set sets[QUERY_EXPRESSION_SETS_MAX];
} query_expression;

// query_expression_compile translates text. The expression does not refer to text afterwards.
// Errors: LP_ECORRUPT not an expression, too long, or too many states: *out_problem says why
LP_MUST_USE lp_err query_expression_compile(
    query_expression *expression, const char *text, lp_problem *out_problem);

// query_expression_matches returns whether a part of text matches. Adds to *steps the number of
// entered states: at most QUERY_EXPRESSION_STATES_MAX * (text.len + 1).
bool query_expression_matches(const query_expression *expression, lp_slice text, uint64_t *steps);
