// SPDX-License-Identifier: Apache-2.0
// tail_dir: opens every chunk file in the JVM's repository directory, exactly once.
//
// Files are identified by inode and time of birth, because the JVM reuses a name when it deletes
// and creates a chunk in the same second. inotify is only a signal: the files are found by reading
// the directory, so a lost or missing notification costs only time.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/tail/test_tail.c

#ifndef LP_AGENT_TAIL_TAIL_DIR_H
#define LP_AGENT_TAIL_TAIL_DIR_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tail_dir tail_dir;

// Errors: LP_EIO if path is not a directory that can be read; LP_ENOMEM
LP_MUST_USE lp_err tail_dir_open(const char *path, tail_dir **out_dir, lp_problem *out_problem);

void tail_dir_close(tail_dir *dir);

// Returns a descriptor that is readable when the directory has changed; -1 without inotify: then
// tail_dir_scan always reads the directory.
int tail_dir_get_fd(const tail_dir *dir);

// Takes ownership of fd; after an error it gets the same file again in the next scan.
typedef lp_err (*tail_dir_on_file)(void *arg, int fd);

// Calls on_file for each new chunk file since the last call, in no order. A deleted directory
// counts as empty. With is_forced it reads the directory even without a notification.
// Errors: LP_EIO, and those of on_file: the next call finds the files that it did not take
LP_MUST_USE lp_err tail_dir_scan(
    tail_dir *dir, bool is_forced, tail_dir_on_file on_file, void *arg);

// Returns the number of files that were deleted before they could be opened.
uint64_t tail_dir_get_missed(const tail_dir *dir);

#endif // LP_AGENT_TAIL_TAIL_DIR_H
