// SPDX-License-Identifier: Apache-2.0
// serving: what a process sets for itself before it is a collector.
//
// Threads: the first thread of the program, before there is another.
// Tests:   tests/e2e/cli.py, tests/e2e/ending.py

#ifndef LP_CLI_SERVING_H
#define LP_CLI_SERVING_H

#include "collector/base/memory_plan.h"

#include <stdbool.h>

// serving_begin has the process write files that others cannot read, give up the system calls that
// a collector does not need, and end as end_watch.h says: by SIGTERM, SIGINT and, if asked to,
// SIGHUP. Returns whether it does; else standard error has why not, as a message of program's.
bool serving_begin(const char *program, bool has_hangup);

// serving_plan has it use all processors, memory as planned, and as many files as it may.
void serving_plan(const memory_plan *plan);

#endif // LP_CLI_SERVING_H
