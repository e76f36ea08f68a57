// SPDX-License-Identifier: Apache-2.0
// tail_dir: opens every chunk file that appears in the JVM's repository directory, exactly once.
//
// A file is told apart by inode and time of birth, because the JVM uses a name again when it
// deletes and creates a chunk in the same second. inotify only is the signal to look: the files are
// found by reading the directory, so a lost or missing notification costs time and nothing else.
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

// tail_dir_get_fd is readable when the directory has changed; -1 where inotify is not to be had,
// and then tail_dir_scan always reads the directory.
int tail_dir_get_fd(const tail_dir *dir);

// on_file takes fd; after an error it gets the same file again in the next scan.
typedef lp_err (*tail_dir_on_file)(void *arg, int fd);

// tail_dir_scan calls on_file for each chunk file that is new since the last call, in no order. A
// directory that is gone counts as empty. With is_forced it is read even if nothing was notified.
// Errors: LP_EIO, and those of on_file; files that it did not take are found by the next call
LP_MUST_USE lp_err tail_dir_scan(
    tail_dir *dir, bool is_forced, tail_dir_on_file on_file, void *arg);

// tail_dir_get_missed counts files that were created and gone again before they could be opened.
uint64_t tail_dir_get_missed(const tail_dir *dir);

#endif // LP_AGENT_TAIL_TAIL_DIR_H
