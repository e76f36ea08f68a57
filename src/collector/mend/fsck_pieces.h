// SPDX-License-Identifier: Apache-2.0
// fsck_pieces: the files in damaged/: which of them can be used now, and using them.
//
// That is a journal (SESSION-CHUNK.log, .unread.log: damaged_files.h) whose chunk the catalog does
// not have, or whose file is lost: of a chunk that the session still waits for, it is put back for
// the next start; of an earlier one it is compacted, if that can be done now, by the policy in it
// and without the contexts that were open when the chunk began. So is one that is still in
// journal/. The file of a chunk that is lost goes to damaged/ then. A chunk that could not be read
// (SESSION-CHUNK.jfr.zst) is put back if it can be. Names may have a number: SESSION-CHUNK-2.log.
//
// What counted as lost of a journal that could not be read is taken back.
//
// Everything else is kept as it is, and so is a journal that is damaged, also where what can be
// read of it is compacted.
//
// Threads: as reconcile.
// Tests:   tests/unit/collector/mend/test_fsck.c, tests/e2e/mend.py

#ifndef LP_COLLECTOR_FSCK_PIECES_H
#define LP_COLLECTOR_FSCK_PIECES_H

#include "collector/mend/reconcile_session.h"
#include "common/base/lp_err.h"

#include <stdint.h>

// fsck_pieces_check looks at all of damaged/, and at journals of earlier chunks. *out_kept is the
// number of pieces of which nothing can be made. Errors: those of a catalog; LP_ECLOSED, LP_ENOMEM.
// What cannot be read is kept
LP_MUST_USE lp_err fsck_pieces_check(reconciler *self, uint64_t *out_kept);

#endif // LP_COLLECTOR_FSCK_PIECES_H
