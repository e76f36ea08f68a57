// SPDX-License-Identifier: Apache-2.0
// rewrite_class: makes methods of a class file call static methods of one helper class, according
// to edits (rewrite_edit.h).
//
// The constant pool gets entries at its end. Code at the begin of a method has 8 bytes, a multiple
// of 4, so that the operands of switches stay aligned; all jumps are relative. Everything else that
// names an offset in the code is moved: exception handlers, lines, variables and stack map frames.
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

// Appends the class file with all edits to out. Appends nothing if the file names the helper class:
// then it has such edits already.
// Errors: LP_ENOENT if an edit has no place in it; LP_EVERSION if it has an unknown attribute;
//         LP_ECORRUPT if it is no class file; LP_ELIMIT if it would be too large; LP_ENOMEM. On
//         any error out is unchanged
LP_MUST_USE lp_err rewrite_class(lp_slice file, const char *helper_class, const rewrite_edit *edits,
    size_t edit_count, lp_buf *out);

// Does the same for a file whose methods were generated just now, and so have no edits. The file
// may name the helper class nevertheless: in a constant pool from a class with edits.
LP_MUST_USE lp_err rewrite_class_made(lp_slice file, const char *helper_class,
    const rewrite_edit *edits, size_t edit_count, lp_buf *out);

// The names of a class and its superclass, with slashes. The bytes are the file's.
typedef struct rewrite_class_names {
    lp_slice name;
    lp_slice superclass; // java/lang/Object also for an interface; empty: none
} rewrite_class_names;

// Finds the names in a class file. Errors: LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err rewrite_class_look(lp_slice file, rewrite_class_names *out_names);

#endif // LP_AGENT_REWRITE_REWRITE_CLASS_H
