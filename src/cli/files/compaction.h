// SPDX-License-Identifier: Apache-2.0
// compaction: the chunks of the inputs, through the pipeline, into the output. Chunks of several
// JVMs are merged on the way. Whatever is wrong is a line on standard error.
//
// Threads: one thread, which starts others.
// Tests:   tests/e2e/cli.py, tests/e2e/corpus.py

#ifndef LP_CLI_COMPACTION_H
#define LP_CLI_COMPACTION_H

#include "cli/files/damage_report.h"
#include "engine/compact.h"
#include "engine/show/survey.h"
#include "engine/write/merge.h"
#include "offline/inputs.h"
#include "offline/merged_file.h"
#include "offline/output_file.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct compaction {
    const inputs *in;
    const output_file *out;
    compact_options how; // survey is set by compaction_run
    unsigned threads;
    damage_report *damage;

    // What came of it
    compact_stats total;
    size_t chunks_out;

    // The rest is compaction's own.
    compact_survey survey;
    compact_merge *merge; // NULL if all chunks are of one JVM
    merged_file merged;   // where their chunks go if not
} compaction;

// compaction_run returns whether all of the inputs is in the output, but for damage where that is
// allowed. compaction_fini frees what it made, either way.
bool compaction_run(compaction *c);
void compaction_fini(compaction *c);

#endif // LP_CLI_COMPACTION_H
