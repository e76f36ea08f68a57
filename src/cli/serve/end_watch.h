// SPDX-License-Identifier: Apache-2.0
// end_watch: receives the signals that end the process, and kills the process if it does not end in
// time.
//
// A thread waits for SIGTERM, SIGINT and optionally SIGHUP. After the first SIGTERM or SIGINT the
// process has ms_max to exit. Its waits for other programs get the first part of that (lp_end.h).
// After ms_max the thread writes one line about the running work and ends the process with status
// (_exit), which leaves the disk as after SIGKILL. A second SIGTERM or SIGINT kills the process at
// once, by that signal.
//
// The thread shares no lock with other threads. If standard error blocks, a kernel timer ends the
// process after END_WATCH_LINE_S_MAX.
//
// Threads: call end_watch_begin and end_watch_next on the first thread of the program, and
//          end_watch_is_told on any thread.
// Tests:   tests/unit/cli/serve/test_end_watch.c, tests/e2e/ending.py

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
// The time to exit. The grace periods in deploy/ are longer.
#ifdef LOUPE_SANITIZED // sanitizers are slow
    END_WATCH_MS_MAX = 60 * 1000,
#else
    END_WATCH_MS_MAX = 10 * 1000,
#endif
    END_WATCH_WAITS_PERCENT = 50, // of the time to exit, for waits for other programs
    END_WATCH_LINE_S_MAX = 1,     // for the line
};

typedef struct end_watch_config {
    int ms_max;      // END_WATCH_MS_MAX, or less in tests
    bool has_hangup; // wait for SIGHUP, too
    int status;      // exit status after ms_max
    // Describes the running work. It takes no lock and does not allocate.
    void (*describe)(char *out_text, size_t text_bytes);
} end_watch_config;

// end_watch_begin blocks the signals and starts the thread. Call it once, before other threads
// start, as they inherit the blocked signals. Errors: LP_ENOMEM
LP_MUST_USE lp_err end_watch_begin(const end_watch_config *config);

// end_watch_is_told returns whether SIGTERM or SIGINT came. It ignores arg.
bool end_watch_is_told(void *arg);

// end_watch_next waits for the next signal and returns it: SIGHUP, or the signal that ends the
// process.
int end_watch_next(void);
