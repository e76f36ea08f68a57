// SPDX-License-Identifier: Apache-2.0

// lp_assert: what can be proved about our own code, checked in every build. Input is never
// asserted.
//
//   LP_ASSERT(x)                     x is true; where it is not, nothing goes on behind it
//   if (LP_NEVER(x)) { return ...; } x is not true; where it is, the branch is taken
//   LP_DEBUG_ASSERT(x)               LP_ASSERT in the presets dev, asan, tsan and fuzz; nothing in
//                                    release, for what costs as much as the work that it guards
//
// In the collector and in tests both print the condition and abort: a collector with a broken
// invariant must stop before it writes. The agent, a guest, calls lp_assert_init: then
// LP_ASSERT ends the work of its thread, which sleeps for good, and LP_NEVER takes the branch. So
// code that threads of the application run, or that holds a lock which they take, has LP_NEVER
// only; tests/tree has the list.
//
// Threads: any thread; lp_assert_init before there are others.

#ifndef LP_COMMON_BASE_LP_ASSERT_H
#define LP_COMMON_BASE_LP_ASSERT_H

#include <stdbool.h>

#define LP_ASSERT(cond) ((cond) ? (void)0 : lp_assert_fail(__FILE__, __LINE__, #cond))
#define LP_NEVER(cond)  ((cond) && lp_assert_never(__FILE__, __LINE__, #cond))

#ifdef LOUPE_DEBUG
#define LP_DEBUG_ASSERT(cond) LP_ASSERT(cond)
#else
#define LP_DEBUG_ASSERT(cond) ((void)(false && (cond)))
#endif

// lp_assert_init has on_broken called instead of printing and aborting. Its argument what is "not
// true" or "true".
void lp_assert_init(
    void (*on_broken)(const char *file, int line, const char *what, const char *text));

_Noreturn void lp_assert_fail(const char *file, int line, const char *text);

// lp_assert_never returns true.
bool lp_assert_never(const char *file, int line, const char *text);

#endif // LP_COMMON_BASE_LP_ASSERT_H
