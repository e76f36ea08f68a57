// SPDX-License-Identifier: Apache-2.0

// journal_files: the descriptors of journals. A file has one while it is used: it is opened when it
// is needed, and closed when it was not used for JOURNAL_FILES_IDLE_MS, or when another one needs
// its place. So a session that sends nothing has none.
//
// At most max files are open (descriptor_plan.h). One that is held is not closed: what was written
// to it is not on the disk yet, and a write that fails is only reported to descriptors that were
// open by then (sync_rounds.h). Where all that are open are held, no other one is opened until the
// next round has ended.
//
// Threads: the loop that owns it.
// Owns:    the descriptors. The files belong to their journals.
// Tests:   tests/unit/collector/journal/test_journal_files.c

#ifndef LP_COLLECTOR_SERVER_JOURNAL_FILES_H
#define LP_COLLECTOR_SERVER_JOURNAL_FILES_H

#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

enum { JOURNAL_FILES_IDLE_MS = 2000 };

typedef struct journal_files journal_files;

typedef struct journal_file {
    journal_files *files; // NULL: it is open until it is closed
    const char *path;
    int fd; // below 0: it is closed
    unsigned holds;
    uint64_t used_ms;                // files->now_ms when it was used last
    TAILQ_ENTRY(journal_file) place; // among the idle, while it is open and not held
} journal_file;

struct journal_files {
    TAILQ_HEAD(journal_files_idle, journal_file) idle; // open, not held; used longest ago first
    size_t count;                                      // open files
    size_t max;
    uint64_t now_ms; // as of the last look
};

// journal_files_init makes the limit that of the process's descriptors.
void journal_files_init(journal_files *files);

// journal_files_make opens a file, or makes it, and its directory where that is missing. Returns
// the descriptor, which the caller closes; below 0: there is none, and errno.
int journal_files_make(const char *path, int flags);

// journal_files_open opens the file, or makes it, unless it is open, and notes that it is used.
// Errors: LP_EIO with errno; EMFILE where all that may be open are held
LP_MUST_USE lp_err journal_files_open(journal_file *file);

// journal_files_close is for the end of a file, whether it is open or not.
void journal_files_close(journal_file *file);

// journal_files_hold has the file stay open, if it is, until journal_files_release was called as
// often.
void journal_files_hold(journal_file *file);
void journal_files_release(journal_file *file);

// journal_files_look closes what was not used for a while. now_ms is the loop's time.
void journal_files_look(journal_files *files, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_JOURNAL_FILES_H
