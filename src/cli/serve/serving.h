// SPDX-License-Identifier: Apache-2.0
// serving: prepares a process to become a collector.
//
// Threads: the first thread of the program, before there is another.
// Tests:   tests/e2e/cli.py, tests/e2e/ending.py

#pragma once

#include "collector/base/memory_plan.h"

#include <stdbool.h>

// serving_begin hides new files (cmd_hide_files), gives up the system calls that a collector
// does not need, and watches for SIGTERM, SIGINT and, if has_hangup, SIGHUP (end_watch.h). Returns
// false after printing the reason, with the prefix program.
bool serving_begin(const char *program, bool has_hangup);

// serving_plan lets the process use all processors, the planned memory, and as many open files as
// the system allows.
void serving_plan(const memory_plan *plan);
