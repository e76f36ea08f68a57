// SPDX-License-Identifier: Apache-2.0

// lp_err: the result of every function that can fail. Values come back through out_ parameters,
// which are written only on LP_OK unless a header says otherwise; out_problem is written on errors.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LP_MUST_USE __attribute__((warn_unused_result))

typedef enum lp_err {
    LP_OK = 0,
    LP_EAGAIN,   // not now; the same call may succeed later
    LP_EEND,     // nothing more to come
    LP_ENOMEM,   // an allocation failed
    LP_EIO,      // the operating system refused; errno has the reason
    LP_ENOENT,   // no such thing
    LP_ECORRUPT, // bytes from outside contradict their format
    LP_EVERSION, // a version that this program does not read or speak
    LP_ELIMIT,   // over a named limit
    LP_ECLOSED,  // used after its end, or cancelled
} lp_err;

// LP_TRY(call) returns call's error from the enclosing function, unless call returns LP_OK. Use it
// only where there is nothing to free.
#define LP_TRY(...)                                                                                \
    do {                                                                                           \
        lp_err lp_try_err = (__VA_ARGS__);                                                         \
        if (lp_try_err != LP_OK) {                                                                 \
            return lp_try_err;                                                                     \
        }                                                                                          \
    } while (0)

// LP_REQUIRE(condition, failure) returns failure from the enclosing function if condition is false.
// failure is an error, a call that returns an error, false or NULL; it is evaluated only if
// condition is false. Use LP_REQUIRE only where there is nothing to free.
#define LP_REQUIRE(condition, ...)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return (__VA_ARGS__);                                                                  \
        }                                                                                          \
    } while (0)

// LP_THEN(err, call) runs call if err is LP_OK, and stores its result in err.
#define LP_THEN(err, ...) ((err) = (err) == LP_OK ? (__VA_ARGS__) : (err))

// lp_err_text names err in a few words, for messages to people. It returns a string literal.
const char *lp_err_text(lp_err err);

// lp_err_reason returns strerror(errno) for LP_EIO, and lp_err_text for every other
// error. errno must still be that of the failure: free (glibc 2.33, musl 1.2.3) and lp_io_close
// preserve it.
const char *lp_err_reason(lp_err err);

// A problem of an input, as one line of text without a full stop.
typedef struct lp_problem {
    uint64_t offset; // of the bad byte in the input, if has_offset
    bool has_offset;
    char text[256];
} lp_problem;

// lp_problem_set fills problem (NULL is fine) and returns err, so that a check can end in one line.
lp_err lp_problem_set(lp_problem *problem, lp_err err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// lp_problem_at is lp_problem_set with the offset of the bad byte.
lp_err lp_problem_at(lp_problem *problem, lp_err err, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
