// SPDX-License-Identifier: Apache-2.0

// audit_log: a file of lines of JSON, each with its time, one for each thing that somebody did. A
// thread of its own writes them, in the order in which they were pushed, so that nobody waits for
// the disk. Lines for which there is no room in its queue, in memory or on the disk are counted,
// and the file says how many are missing as soon as it takes lines again:
//
//   {"time":"2026-01-02T03:04:05.123456789Z","event":"dropped","lines":12}
//
// The file may be moved or removed meanwhile (logrotate): the next line goes to a new one. A line
// that was cut off, by a full disk or an earlier collector's end, is left as it is; the next one is
// a line of its own.
//
// Threads: any thread pushes; open and close on one.
// Tests:   tests/unit/collector/base/test_audit_log.c
// Memory:  AUDIT_LOG_WAITING_MAX lines at most

#ifndef LP_COLLECTOR_BASE_AUDIT_LOG_H
#define LP_COLLECTOR_BASE_AUDIT_LOG_H

#include "common/base/lp_err.h"

#include <jansson.h>

enum {
    AUDIT_LOG_WAITING_MAX = 4096, // lines that are not written yet
    AUDIT_LOG_MODE = 0640,        // of a new file
};

typedef struct audit_log audit_log;

// audit_log_open opens the file at path, or makes it, and starts the thread.
// Errors: LP_EIO if it cannot be written, or is no file; LP_ENOMEM
LP_MUST_USE lp_err audit_log_open(const char *path, audit_log **out_log, lp_problem *out_problem);

// audit_log_close returns when all lines are written. NULL is fine.
void audit_log_close(audit_log *log);

// audit_log_push takes an object, and has it written with the time of now as its first member.
// NULL: memory ran out, which counts as a line.
void audit_log_push(audit_log *log, json_t *entry);

// audit_log_reopen has the file opened anew if it was moved or removed, though no line comes.
void audit_log_reopen(audit_log *log);

#endif // LP_COLLECTOR_BASE_AUDIT_LOG_H
