// SPDX-License-Identifier: Apache-2.0

// lp_assert: invariants of our own code, checked in every build. Input is never asserted.
//
//   LP_ASSERT(x)                     x is true; if it is false, no code after it runs
//   if (LP_NEVER(x)) { return ...; } x is false; if it is true, the branch runs
//   LP_DEBUG_ASSERT(x)               LP_ASSERT in the presets dev, asan, tsan and fuzz, for checks
//                                    that are too expensive for release
//
// In the collector and in tests a broken assertion prints the condition and aborts: a collector
// with a broken invariant must stop before it writes. The agent calls lp_assert_init: there
// LP_ASSERT parks its thread for good, and LP_NEVER runs the branch. So code that application
// threads run, or that holds a lock which they take, uses LP_NEVER only; tests/tree/check_layers.py
// has the list of these files.
//
// Threads: any thread; call lp_assert_init before there are other threads.

#pragma once

#include <stdbool.h>

#define LP_ASSERT(cond) ((cond) ? (void)0 : lp_assert_fail(__FILE__, __LINE__, #cond))
#define LP_NEVER(cond)  ((cond) && lp_assert_never(__FILE__, __LINE__, #cond))

#ifdef LOUPE_DEBUG
#define LP_DEBUG_ASSERT(cond) LP_ASSERT(cond)
#else
#define LP_DEBUG_ASSERT(cond) ((void)(false && (cond)))
#endif

// lp_assert_init makes broken assertions call on_broken instead of printing and aborting. `what` is
// "not true" for LP_ASSERT and "true" for LP_NEVER.
void lp_assert_init(
    void (*on_broken)(const char *file, int line, const char *what, const char *text));

_Noreturn void lp_assert_fail(const char *file, int line, const char *text);

// lp_assert_never returns true.
bool lp_assert_never(const char *file, int line, const char *text);
