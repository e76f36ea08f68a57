// SPDX-License-Identifier: Apache-2.0
// rewrite_class: makes methods of a class file call static methods of one helper class, according
// to edits. The table rewrite_places.def has the edits that make tasks carry contexts.
//
// The constant pool gets entries at its end. Code at the begin of a method has 8 bytes, a multiple
// of 4, so that the operands of switches stay aligned; all jumps are relative. Everything else that
// names an offset in the code is moved: exception handlers, lines, variables and stack map frames.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c, tests/fuzz/fuzz_rewrite.c,
//          tests/e2e/carried.py

#pragma once

#include "agent/rewrite/rewrite_edit.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// --- Places

enum {
    REWRITE_PLACES_MAX = 96, // of all versions
    REWRITE_PLACE_EDITS_MAX = 12,
};

// The class with the helpers.
extern const char rewrite_places_helper[];

// A class that hands over tasks, and the edits that make its tasks carry contexts.
typedef struct rewrite_place {
    const char *class_name; // with slashes
    bool is_library;        // not of the JDK: any class loader may define it
    size_t edit_count;
    rewrite_edit edits[REWRITE_PLACE_EDITS_MAX];
} rewrite_place;

// Writes the places that a version of Java has, with platform threads if with_threads, and returns
// their number.
size_t rewrite_places_list(
    long java, bool with_threads, rewrite_place out_places[REWRITE_PLACES_MAX]);
