// SPDX-License-Identifier: Apache-2.0
// rewrite_places: the classes that hand over tasks, and the edits that make tasks carry contexts.
//
// The table is rewrite_places.def. A class has a place in a version of Java if it has an edit
// there.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c, tests/e2e/carried.py

#ifndef LP_AGENT_REWRITE_REWRITE_PLACES_H
#define LP_AGENT_REWRITE_REWRITE_PLACES_H

#include "agent/rewrite/rewrite_edit.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    REWRITE_PLACES_MAX = 96, // of all versions
    REWRITE_PLACE_EDITS_MAX = 12,
};

// The class with the helpers.
extern const char rewrite_places_helper[];

typedef struct rewrite_place {
    const char *class_name; // with slashes
    bool is_library;        // not of the JDK: any class loader may define it
    size_t edit_count;
    rewrite_edit edits[REWRITE_PLACE_EDITS_MAX];
} rewrite_place;

// Writes the places of a version, with platform threads if with_threads, and returns their number.
size_t rewrite_places_list(
    long java, bool with_threads, rewrite_place out_places[REWRITE_PLACES_MAX]);

#endif // LP_AGENT_REWRITE_REWRITE_PLACES_H
