// SPDX-License-Identifier: Apache-2.0
// rewrite_class: makes methods of a class file call static methods of one helper class, according
// to edits. The table rewrite_places.def has the edits that make tasks carry contexts.
//
// The constant pool gets new entries at its end. Code that is inserted at the begin of a method has
// 8 bytes: a multiple of 4 keeps the operands of switches aligned. Jumps are relative, and stay.
// Exception handlers, lines, variables and stack map frames have absolute offsets, and are moved.
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

// Appends the class file with all edits to out. If the file refers to the helper class, it already
// has the edits; then appends nothing.
// Errors: LP_ENOENT if the file lacks the place of an edit; LP_EVERSION if it has an unknown
//         attribute; LP_ECORRUPT if it is no class file; LP_ELIMIT if the result is too large;
//         LP_ENOMEM. After an error out is unchanged
LP_MUST_USE lp_err rewrite_class(lp_slice file, const char *helper_class, const rewrite_edit *edits,
    size_t edit_count, lp_buf *out);

// Does the same as rewrite_class for a file whose methods have just been generated, and so have no
// edits. If its constant pool comes from a class with edits, the pool may still refer to the helper
// class.
LP_MUST_USE lp_err rewrite_class_made(lp_slice file, const char *helper_class,
    const rewrite_edit *edits, size_t edit_count, lp_buf *out);

// The names of a class and its superclass, with slashes. They point into the file.
typedef struct rewrite_class_names {
    lp_slice name;
    lp_slice superclass; // java/lang/Object also for an interface; empty: none
} rewrite_class_names;

// Finds the names in a class file. Errors: LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err rewrite_class_look(lp_slice file, rewrite_class_names *out_names);

// --- Places

enum {
    REWRITE_PLACES_MAX = 96, // for all versions of Java together
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

// Writes the places that a version of Java has, and returns their number. with_threads: includes
// those for platform threads.
size_t rewrite_places_list(
    long java, bool with_threads, rewrite_place out_places[REWRITE_PLACES_MAX]);
