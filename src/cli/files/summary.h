// SPDX-License-Identifier: Apache-2.0
// summary: the numbers that loupe summary prints of a recording: its time, its events by type, and
// the events that it says were dropped.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_SUMMARY_H
#define LP_CLI_SUMMARY_H

#include "common/jfr/jfr_chunk.h"
#include "offline/event_tally.h"

#include <stdbool.h>
#include <stdint.h>

// A summary starts zeroed, but for its tally, which the caller owns.
typedef struct summary {
    uint64_t chunks;
    uint16_t major;
    uint16_t minor;
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    event_tally tally;
} summary;

// summary_add_header adds the time of a chunk.
void summary_add_header(summary *s, const jfr_chunk_info *info);

// summary_count_events returns how many events there are, without metadata and checkpoints.
uint64_t summary_count_events(const summary *s);

// summary_print_text and summary_print_json write it to standard output, once the tally is
// finished. JSON: false where memory or the output's disk ran out.
void summary_print_text(const summary *s);
bool summary_print_json(const summary *s);

#endif // LP_CLI_SUMMARY_H
