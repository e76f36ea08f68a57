// SPDX-License-Identifier: Apache-2.0
// jfr_printable: detects constants that the JDK's tools cannot print.
//
// The JDK's reader reads a reference to a missing constant as null, and `jfr print` prints null as
// N/A. For the following constants `jfr print` throws an exception if the listed part is missing,
// and stops:
//
//   class         needs a name. The name of an array's class has to be a descriptor
//   class loader  needs a name, or a class
//   method        needs a class, and a descriptor with its parameters in brackets
//   frame         needs a method
//
// All other references may be null, in events and in constants: HotSpot's own recordings have such
// nulls after a class was unloaded or a thread ended. The rules are those of JDK 17 and 25
// (PrettyWriter, RecordedClass).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/test_printable.c, tests/e2e/damage.py

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_pool.h"
#include "common/jfr/rewrite/jfr_rewrite.h"

#include <stdbool.h>
#include <stdint.h>

// A field that holds a reference or a text.
typedef struct jfr_printable_place {
    bool is_there;
    bool is_constant;       // a key into pool; else a text in place
    bool is_behind_numbers; // all fields before it are numbers or keys
    jfr_program before;     // the fields before it
    uint32_t pool;
} jfr_printable_place;

// The parts that the constants of a pool need. The reader treats missing or mistyped fields as
// null.
struct jfr_printable {
    bool (*fits)(jfr_pools *pools, const jfr_printable *self, jfr_cursor value);
    bool is_needed_by_frames;
    bool is_usual;              // owner and text are keys behind numbers, in this order
    jfr_printable_place text;   // its name or descriptor
    jfr_printable_place owner;  // its class or method
    jfr_printable_place loader; // the class loader of its class
};

// jfr_printable_prepare determines the required parts for each pool, before constants are marked.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_printable_prepare(jfr_pools *pools, const jfr_metadata *metadata);

// jfr_printable_fits returns whether a constant and all its required parts can be printed. If
// memory runs out, pools fails.
bool jfr_printable_fits(jfr_pools *pools, uint32_t type, uint32_t index);

// jfr_printable_check_all calls jfr_printable_fits for all constants of a pool and of those that
// they need, in the order of memory. Calls in any other order take twice the time.
void jfr_printable_check_all(jfr_pools *pools, uint32_t type);

// The layout of a stack trace type.
typedef struct jfr_printable_trace {
    jfr_program before;        // the fields before the frames
    jfr_program behind;        // the fields behind the frames
    jfr_program frame;         // of one frame; empty where frames are constants
    jfr_program before_method; // of one frame
    uint32_t pool;             // of the methods, or of the frames; JFR_NONE: no frame has a method
} jfr_printable_trace;

// jfr_printable_find_trace returns whether a type (an index) is that of stack traces.
bool jfr_printable_find_trace(const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type,
    jfr_printable_trace *out_trace);

// jfr_printable_append_trace is jfr_rewrite_value for a stack trace, but drops unprintable frames.
// Returns the number of dropped frames, and their size in *out_bytes. value must be whole;
// jfr_pools_add accepts only whole values.
uint64_t jfr_printable_append_trace(const jfr_rewrite *rewrite, const jfr_printable_trace *trace,
    jfr_cursor value, lp_buf *out, uint64_t *out_bytes);
