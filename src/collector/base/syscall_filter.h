// SPDX-License-Identifier: Apache-2.0
// syscall_filter: denies the process system calls that no collector needs, to limit code injected
// by an attacker.
//
// Design notes. The filter lists denied calls, not allowed ones: libraries and the system's
// configuration (getaddrinfo's modules, TLS, allocators) decide which calls a collector needs, and
// a call missing in a list of allowed ones would kill a healthy collector. Denied calls are of two
// kinds:
//
//   ends the process   calls that no library tries: other programs, other processes' memory,
//                      mounts, modules, users, the clock
//   fails              calls that a library may try and can do without: new processes, io_uring,
//                      sockets of other families, writable and executable memory
//
// An attacker (docs/secure/security.md) is left with the collector's own means: files of its user,
// and connections.
//
// Threads: the first thread of the program, before it starts others, which inherit the filter.
// Tests:   tests/unit/collector/base/test_syscall_filter.c, tests/e2e/hardening.py (case calls)

#pragma once

#include "common/base/lp_err.h"

// syscall_filter_load denies the calls until the process ends. In builds with a sanitizer, which
// starts processes of its own, it does nothing.
// Errors, with no call denied: LP_EIO: the kernel has no filters, or refuses this one; LP_ENOMEM
LP_MUST_USE lp_err syscall_filter_load(lp_problem *out_problem);
