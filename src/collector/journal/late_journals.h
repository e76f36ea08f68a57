// SPDX-License-Identifier: Apache-2.0

// late_journals: the open files for batches that come after their chunk was compacted
// (DATA_DIR_LATE). A file stays open until it is on the disk. Opening it again returns the same
// journal: after a failed sync, two journals of one file would be copied separately.
//
// Each file uses a descriptor of the rest (descriptor_plan.h), which does not grow with the number
// of agents. Agents choose the chunks of late batches, so at most LATE_JOURNALS_MAX files are open.
//
// Threads: the loop that owns it.
// Owns:    a reference to each journal.
// Tests:   tests/unit/collector/journal/test_late_journals.c

#pragma once

#include "collector/journal/journal.h"
#include "collector/journal/sync_rounds.h"
#include "common/base/lp_err.h"

#include <stddef.h>

// Half of the rest if the collector has 1,024 descriptors.
enum { LATE_JOURNALS_MAX = 64 };

// A zeroed late_journals is empty.
typedef struct late_journals {
    journal *items[LATE_JOURNALS_MAX]; // in no order
    size_t count;
} late_journals;

void late_journals_fini(late_journals *late);

// late_journals_open opens the journal at path, or returns it if it is open. *out_journal is
// borrowed until the next late_journals_tidy or late_journals_remove. Errors: LP_EIO with errno,
// EMFILE if LATE_JOURNALS_MAX others are open; LP_ENOMEM
LP_MUST_USE lp_err late_journals_open(late_journals *late, const char *path, journal **out_journal);

// late_journals_tidy closes journals that are on the disk.
void late_journals_tidy(late_journals *late, const sync_rounds *rounds);

// late_journals_remove deletes the file at path if it is open, so that no round writes it again. If
// it is not open, the caller deletes it. Errors: LP_EIO with errno, EBUSY while a round syncs it
LP_MUST_USE lp_err late_journals_remove(late_journals *late, const char *path);
