// SPDX-License-Identifier: Apache-2.0
// fsck_pieces: the files in damaged/ that can be used after all, and journals of missing chunks.
//
// Usable are:
// - a journal (SESSION-CHUNK.log, .unread.log: damaged_files.h) whose chunk has no row in the
//   catalog, or whose file is lost. If the session still waits for the chunk, the journal returns
//   to its place for the next start. Otherwise the chunk is compacted alone, by the policy in its
//   journal and without the contexts that were open at its begin. The file of a lost chunk moves to
//   damaged/ then. Journals still in journal/ are compacted in the same way.
// - a chunk that could not be read (SESSION-CHUNK.jfr.zst) and can be read now. It returns to its
//   place.
// A name may have a number: SESSION-CHUNK-2.log.
//
// A journal that is used again takes back the losses it counted for. All other files stay, and so
// do damaged journals, even if their readable part is compacted.
//
// Threads: one thread at a time, while nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_fsck.c
// Memory:  a chunk while it is read or compacted

#pragma once

#include "collector/mend/reconcile_session.h"
#include "common/base/lp_err.h"

#include <stdint.h>

// fsck_pieces_check reports each usable file in damaged/, and uses it if self is repairing.
// *out_kept is how many files stay there. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err fsck_pieces_check(reconciler *self, uint64_t *out_kept);

// fsck_pieces_check_left does the same for a journal in journal/ whose chunk is missing: the next
// start would move it to damaged/. Errors: as above
LP_MUST_USE lp_err fsck_pieces_check_left(
    reconciler *self, const char *session_id, uint32_t ordinal, const char *path);
