// SPDX-License-Identifier: Apache-2.0
// statistics: the numbers that loupe compact prints at its end: how much went in and came out, and
// how much was damaged.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_STATISTICS_H
#define LP_CLI_STATISTICS_H

#include "cli/files/damage_report.h"
#include "engine/compact.h"

#include <stdbool.h>
#include <stdio.h>

void statistics_print_text(FILE *out, const compact_stats *stats, const damage_report *damage);

// statistics_print_json has the event types as well. Returns false where memory or out's disk ran
// out.
bool statistics_print_json(FILE *out, const compact_stats *stats, const damage_report *damage);

#endif // LP_CLI_STATISTICS_H
