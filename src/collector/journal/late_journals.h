// SPDX-License-Identifier: Apache-2.0

// late_journals: the files of batches that came after their chunk was compacted
// (DATA_DIR_LATE), while they are written to and until the disk has them. Who opens one goes
// on with that which is open: two of one file would be copied apart where the disk refuses them.
//
// Each has a descriptor for as long, of those that are for what does not grow with agents
// (DESCRIPTOR_PLAN_REST), so that there are at most LATE_JOURNALS_MAX: agents choose the chunks
// that their batches are late for.
//
// Threads: the loop that owns it.
// Owns:    a reference to each journal.
// Tests:   tests/unit/collector/journal/test_late_journals.c

#ifndef LP_COLLECTOR_SERVER_LATE_JOURNALS_H
#define LP_COLLECTOR_SERVER_LATE_JOURNALS_H

#include "collector/journal/journal.h"
#include "collector/journal/sync_rounds.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

enum { LATE_JOURNALS_MAX = 64 }; // half of DESCRIPTOR_PLAN_REST where the process may have 1,024

// A zeroed one is empty.
typedef struct late_journals {
    LP_VEC(journal *) items; // in no order
    lp_map by_path;          // hash of a path to a place
} late_journals;

void late_journals_fini(late_journals *late);

// late_journals_open opens the journal at a path, or finds it. It is borrowed until the next call.
// Errors: LP_EIO with errno, which is EMFILE where LATE_JOURNALS_MAX others are open; LP_ENOMEM
LP_MUST_USE lp_err late_journals_open(late_journals *late, const char *path, journal **out_journal);

// late_journals_tidy forgets those that the disk has.
void late_journals_tidy(late_journals *late, const sync_rounds *rounds);

// late_journals_remove removes the file, for good, if it is open: no round makes it again. One that
// is not open is left to the caller. Errors: LP_EIO with errno, which is EBUSY while a round brings
// it to the disk
LP_MUST_USE lp_err late_journals_remove(late_journals *late, const char *path);

#endif // LP_COLLECTOR_SERVER_LATE_JOURNALS_H
