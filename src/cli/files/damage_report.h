// SPDX-License-Identifier: Apache-2.0
// damage_report: prints on standard error which parts of the input could not be used, and where,
// and counts them.
//
//   loupe compact: a.jfr: offset 4096: 120 bytes skipped: not a JFR chunk (no magic FLR\0)
//
// Offsets are in the recording as it is when unpacked, but for damage of the wrapping itself.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/cli.py, tests/e2e/damage.py

#ifndef LP_CLI_DAMAGE_REPORT_H
#define LP_CLI_DAMAGE_REPORT_H

#include "engine/damage.h"
#include "offline/inputs.h"

#include <stdbool.h>
#include <stdint.h>

enum { DAMAGE_REPORT_LINES_MAX = 100 }; // a file of garbage would have no end of them

// A report starts with program and is_strict, everything else 0.
typedef struct damage_report {
    const char *program;        // what the lines begin with
    bool is_strict;             // the first damage ends it
    uint64_t skipped_bytes;     // that could not be used
    uint64_t damaged_chunks;    // of which some can be used
    uint64_t unreadable_chunks; // of which nothing can be used
    uint64_t damaged_places;    // in chunks
    uint64_t duplicate_chunks;  // that were in the input before
    uint64_t line_count;        // those beyond the limit, too
} damage_report;

// damage_report_input is the on_note of inputs_open; arg is the report. A chunk that is cut is left
// to the functions below, unless is_strict.
bool damage_report_input(void *arg, const input_note *note);

// damage_report_chunk reports the parts that the engine left out of a chunk.
void damage_report_chunk(
    damage_report *report, const input_chunk *chunk, const compact_damage *damage);

// damage_report_unreadable reports a chunk that was left out, and why; problem has an offset into
// the chunk, or none.
void damage_report_unreadable(
    damage_report *report, const input_chunk *chunk, const lp_problem *problem);

// damage_report_end prints how many lines were not written.
void damage_report_end(const damage_report *report);

#endif // LP_CLI_DAMAGE_REPORT_H
