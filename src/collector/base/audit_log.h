// SPDX-License-Identifier: Apache-2.0

// audit_log: a file with one line of JSON, with its time, for each action of a user. A thread of
// its own writes the lines in the order of the pushes, so that no caller waits for the disk. Lines
// for which queue, memory or disk have no room are dropped and counted. The next line written is
// preceded by their number:
//
//   {"time":"2026-01-02T03:04:05.123456789Z","event":"dropped","lines":12}
//
// If the file is moved or deleted (logrotate), the next line creates a new one. A line cut off by a
// full disk or a killed collector stays; the next line begins on a line of its own.
//
// Threads: any thread pushes; open and close on one.
// Tests:   tests/unit/collector/base/test_audit_log.c
// Memory:  AUDIT_LOG_WAITING_MAX lines at most

#pragma once

#include "common/base/lp_err.h"

#include <jansson.h>

enum {
    AUDIT_LOG_WAITING_MAX = 4096, // queued lines
    AUDIT_LOG_MODE = 0640,        // of a new file
};

typedef struct audit_log audit_log;

// audit_log_open opens or creates the file at path, and starts the thread.
// Errors: LP_EIO if it is not writable or not a file; LP_ENOMEM
LP_MUST_USE lp_err audit_log_open(const char *path, audit_log **out_log, lp_problem *out_problem);

// audit_log_close writes the queued lines first. NULL is fine.
void audit_log_close(audit_log *log);

// audit_log_push takes ownership of an object and queues it, with the current time as its first
// member. NULL: memory ran out; counts as a dropped line.
void audit_log_push(audit_log *log, json_t *entry);

// audit_log_reopen opens a new file if the old one was moved or deleted, without waiting for a
// line.
void audit_log_reopen(audit_log *log);
