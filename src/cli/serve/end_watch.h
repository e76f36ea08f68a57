// SPDX-License-Identifier: Apache-2.0
// end_watch: the signals that end the process, and what ends it if it does not end by itself.
//
// A thread waits for SIGTERM, SIGINT and, if asked to, SIGHUP. From the first SIGTERM or SIGINT on
// the process has ms_max to exit. Then the thread writes one line that says what still runs, and
// ends the process with status (_exit): what is on the disk is as after SIGKILL. A second SIGTERM
// or SIGINT ends the process at once, by that signal.
//
// The thread takes no lock that anybody else takes. If standard error does not take the line
// either, a timer of the kernel's ends the process END_WATCH_LINE_S_MAX later.
//
// Threads: begin and next on the first thread of the program; is_told any thread.
// Tests:   tests/unit/cli/serve/test_end_watch.c, tests/e2e/ending.py

#ifndef LP_CLI_END_WATCH_H
#define LP_CLI_END_WATCH_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
// The time to exit. The grace periods in deploy/ are longer.
#ifdef LOUPE_SANITIZED // slower by as much
    END_WATCH_MS_MAX = 60 * 1000,
#else
    END_WATCH_MS_MAX = 10 * 1000,
#endif
    END_WATCH_LINE_S_MAX = 1, // for the line
};

typedef struct end_watch_config {
    int ms_max;      // END_WATCH_MS_MAX, or less in tests
    bool has_hangup; // SIGHUP is waited for as well
    int status;      // of a process that did not exit in time
    // Writes what still runs. It takes no lock, and allocates nothing.
    void (*describe)(char *out_text, size_t text_bytes);
} end_watch_config;

// end_watch_begin blocks the signals and starts the thread, once in a process, before any other
// thread is there: all threads inherit what is blocked. Errors: LP_ENOMEM
LP_MUST_USE lp_err end_watch_begin(const end_watch_config *config);

// end_watch_is_told returns whether SIGTERM or SIGINT came. arg is not looked at.
bool end_watch_is_told(void *arg);

// end_watch_next waits for the next signal and returns it: SIGHUP, or the one that ends the
// process.
int end_watch_next(void);

#endif // LP_CLI_END_WATCH_H
