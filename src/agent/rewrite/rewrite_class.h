// SPDX-License-Identifier: Apache-2.0
// rewrite_class: has methods of a class file call static methods of one helper class, by the edits
// of rewrite_edit.h.
//
// The constant pool gets entries at its end. A beginning is 8 bytes long, a multiple of 4, so that
// the operands of switches stay aligned; all jumps are relative. What else names a place in the
// code, exception handlers, lines, variables and stack map frames, is moved on.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c, tests/fuzz/fuzz_rewrite.c

#ifndef LP_AGENT_REWRITE_REWRITE_CLASS_H
#define LP_AGENT_REWRITE_REWRITE_CLASS_H

#include "agent/rewrite/rewrite_edit.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>

// rewrite_class appends to out the class file with all the edits. If the file names the helper
// class, it has such edits already, and rewrite_class appends nothing.
// Errors: LP_ENOENT if an edit has no place in it; LP_EVERSION if it has something that this code
//         does not know; LP_ECORRUPT if it is no class file; LP_ELIMIT if it would be too large;
//         LP_ENOMEM. On any error out is as before
LP_MUST_USE lp_err rewrite_class(lp_slice file, const char *helper_class, const rewrite_edit *edits,
    size_t edit_count, lp_buf *out);

// rewrite_class_made is rewrite_class for a file whose methods were generated just now, and so have
// no edits. The file may name the helper class nevertheless: in a constant pool that it has from a
// class with edits. Errors: as of rewrite_class
LP_MUST_USE lp_err rewrite_class_made(lp_slice file, const char *helper_class,
    const rewrite_edit *edits, size_t edit_count, lp_buf *out);

// The names of a class and its superclass in a class file, with slashes. The bytes are the file's.
typedef struct rewrite_class_names {
    lp_slice name;
    lp_slice superclass; // java/lang/Object also of an interface; empty: there is none
} rewrite_class_names;

// rewrite_class_look finds the names in a class file. Errors: LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err rewrite_class_look(lp_slice file, rewrite_class_names *out_names);

#endif // LP_AGENT_REWRITE_REWRITE_CLASS_H
