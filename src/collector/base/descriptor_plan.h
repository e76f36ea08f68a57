// SPDX-License-Identifier: Apache-2.0

// descriptor_plan: the division of the collector's descriptors (ulimit -n).
//
//   journals   a quarter, at most DESCRIPTOR_PLAN_JOURNALS_MAX (journal_files.h)
//   others     DESCRIPTOR_PLAN_OTHERS, at most a quarter: HTTP connections, the files of their
//              downloads, and a rest. The rest is DESCRIPTOR_PLAN_REST, at most half of the others
//   agents     the remainder, at least half of all
//
// Each part of the collector counts its descriptors and stays within its share.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/journal/test_journal_files.c

#pragma once

#include <stdint.h>

enum {
    DESCRIPTOR_PLAN_JOURNALS_MAX = 4096,
    DESCRIPTOR_PLAN_HTTP = 768,       // connections, closing ones included
    DESCRIPTOR_PLAN_HTTP_FILES = 736, // one for each download
    // Files of the catalog, the index, the threads that compact, answer or write, and libraries.
    DESCRIPTOR_PLAN_REST = 256,
    DESCRIPTOR_PLAN_OTHERS =
        DESCRIPTOR_PLAN_HTTP + DESCRIPTOR_PLAN_HTTP_FILES + DESCRIPTOR_PLAN_REST,
};

typedef struct descriptor_plan {
    uint64_t journals;
    uint64_t http;   // connections, closing ones included
    uint64_t agents; // connections
} descriptor_plan;

static inline descriptor_plan
descriptor_plan_make(uint64_t limit)
{
    uint64_t journals =
        limit / 4 < DESCRIPTOR_PLAN_JOURNALS_MAX ? limit / 4 : DESCRIPTOR_PLAN_JOURNALS_MAX;
    uint64_t most = limit / 2 - journals;
    uint64_t others = most < DESCRIPTOR_PLAN_OTHERS ? most : DESCRIPTOR_PLAN_OTHERS;
    uint64_t rest = others / 2 < DESCRIPTOR_PLAN_REST ? others / 2 : DESCRIPTOR_PLAN_REST;
    return (descriptor_plan){
        .journals = journals == 0 ? 1 : journals,
        .http = (others - rest) * DESCRIPTOR_PLAN_HTTP /
                (DESCRIPTOR_PLAN_HTTP + DESCRIPTOR_PLAN_HTTP_FILES),
        .agents = limit - journals - others,
    };
}
