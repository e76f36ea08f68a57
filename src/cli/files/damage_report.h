// SPDX-License-Identifier: Apache-2.0
// damage_report: prints the damaged parts of the input on standard error, and counts them.
//
//   loupe compact: a.jfr: offset 4096: 120 bytes skipped: not a JFR chunk (no magic FLR\0)
//
// Offsets are in the unpacked recording, except for damage of the compression.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/cli.py, tests/e2e/damage.py

#ifndef LP_CLI_DAMAGE_REPORT_H
#define LP_CLI_DAMAGE_REPORT_H

#include "engine/damage.h"
#include "offline/inputs.h"

#include <stdbool.h>
#include <stdint.h>

enum { DAMAGE_REPORT_LINES_MAX = 100 }; // a file of garbage has any number

// A report starts with program and is_strict, everything else 0.
typedef struct damage_report {
    const char *program;        // prefix of the lines
    bool is_strict;             // end at the first damage
    uint64_t skipped_bytes;     // unusable
    uint64_t damaged_chunks;    // partly usable
    uint64_t unreadable_chunks; // unusable
    uint64_t damaged_places;    // in chunks
    uint64_t duplicate_chunks;  // repeated in the input
    uint64_t line_count;        // including lines beyond the limit
} damage_report;

// damage_report_input is the on_note of inputs_open; arg is the report. Unless is_strict, it leaves
// cut chunks to the functions below.
bool damage_report_input(void *arg, const input_note *note);

// damage_report_chunk reports the parts that the engine left out of a chunk.
void damage_report_chunk(
    damage_report *report, const input_chunk *chunk, const compact_damage *damage);

// damage_report_unreadable reports a skipped chunk and the reason; problem may have an offset in
// the chunk.
void damage_report_unreadable(
    damage_report *report, const input_chunk *chunk, const lp_problem *problem);

// damage_report_end prints the number of suppressed lines.
void damage_report_end(const damage_report *report);

#endif // LP_CLI_DAMAGE_REPORT_H
