// SPDX-License-Identifier: Apache-2.0
// syscall_filter: takes from the process the system calls that no collector needs, so that whoever
// finds a way to run code in it has less to run.
//
// Design notes. What is named is taken, and the rest stays: what a collector needs is decided by
// libraries and by the system's configuration (getaddrinfo's modules, TLS, allocators), and a call
// that a list of what is allowed forgets would end a collector that is well. Two kinds are taken:
//
//   ends the process   calls that nothing asks for to see whether it has them: other programs,
//                      other processes' memory, mounts, modules, users, the clock
//   fails              calls that a library may try, and does without: new processes, io_uring,
//                      sockets of other families, memory that is written and executed
//
// What is left of docs/secure/security.md's attackers is what the collector does itself: files
// of its user, and connections.
//
// Threads: the first thread of the program, before there are others; they inherit it.
// Tests:   tests/unit/collector/base/test_syscall_filter.c, tests/e2e/hardening.py (case calls)

#ifndef LP_COLLECTOR_BASE_SYSCALL_FILTER_H
#define LP_COLLECTOR_BASE_SYSCALL_FILTER_H

#include "common/base/lp_err.h"

// syscall_filter_load takes the calls, for good. Sanitizers start processes of their own, so a
// build with one takes none.
// Errors: LP_EIO   the kernel has no filters, or refuses this one; LP_ENOMEM. Nothing is taken then
LP_MUST_USE lp_err syscall_filter_load(lp_problem *out_problem);

#endif // LP_COLLECTOR_BASE_SYSCALL_FILTER_H
