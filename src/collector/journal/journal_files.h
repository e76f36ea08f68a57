// SPDX-License-Identifier: Apache-2.0

// journal_files: manages the descriptors of journals. A file is opened when it is needed. It is
// closed after JOURNAL_FILES_IDLE_MS without use, or earlier when another file needs a descriptor.
// So an idle session has no open journals.
//
// At most max files are open (descriptor_plan.h). A held file stays open: its data is not on the
// disk yet, and the kernel reports a failed write only to descriptors that were open when it failed
// (sync_rounds.h). If max files are open and held, no other file can be opened until the next
// round ends.
//
// Threads: the loop that owns it.
// Owns:    the descriptors. The files belong to their journals.
// Tests:   tests/unit/collector/journal/test_journal_files.c

#pragma once

#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

enum { JOURNAL_FILES_IDLE_MS = 2000 };

typedef struct journal_files journal_files;

typedef struct journal_file {
    journal_files *files; // NULL: it stays open until journal_files_close
    const char *path;
    int fd; // below 0: closed
    unsigned holds;
    uint64_t used_ms;                // files->now_ms at the last use
    TAILQ_ENTRY(journal_file) place; // in files->idle, while it is open and not held
} journal_file;

struct journal_files {
    TAILQ_HEAD(journal_files_idle, journal_file)
    idle;         // open and not held, least recently used first
    size_t count; // open files
    size_t max;
    uint64_t now_ms; // at the last journal_files_close_idle
};

// journal_files_init computes the limit from the process's limit of descriptors.
void journal_files_init(journal_files *files);

// journal_files_make opens a file, and creates the file and its directory if they are missing.
// Returns the descriptor, which the caller closes; -1 with errno on failure.
int journal_files_make(const char *path, int flags);

// journal_files_open opens or creates the file if it is not open yet, and notes the use.
// Errors: LP_EIO with errno, EMFILE if max files are open and held
LP_MUST_USE lp_err journal_files_open(journal_file *file);

// Closes the file if it is open.
void journal_files_close(journal_file *file);

// journal_files_hold keeps an open file open until a matching journal_files_release.
void journal_files_hold(journal_file *file);
void journal_files_release(journal_file *file);

// journal_files_close_idle closes files that were not used for JOURNAL_FILES_IDLE_MS. now_ms is the
// loop's current time.
void journal_files_close_idle(journal_files *files, uint64_t now_ms);
