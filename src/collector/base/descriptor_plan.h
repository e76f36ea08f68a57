// SPDX-License-Identifier: Apache-2.0

// descriptor_plan: how the descriptors that the collector may have (ulimit -n) are divided. Agents
// get what is left: so many connections that they take none from what must go on without them.
//
//   journals   a quarter, at most DESCRIPTOR_PLAN_JOURNALS_MAX (journal_files.h)
//   others     DESCRIPTOR_PLAN_OTHERS: connections of HTTP, the chunks that these are sent, and
//              what does not grow with them; where a quarter of all is less, that quarter, of
//              which HTTP has what the last of these three leaves
//   agents     the rest, at least half of all
//
// Each of these counts what it has, so that none takes what is another's.
//
// Threads: any thread; pure.
// Tests:   tests/unit/collector/journal/test_journal_files.c

#ifndef LP_COLLECTOR_BASE_DESCRIPTOR_PLAN_H
#define LP_COLLECTOR_BASE_DESCRIPTOR_PLAN_H

#include <stdint.h>

enum {
    DESCRIPTOR_PLAN_JOURNALS_MAX = 4096,
    DESCRIPTOR_PLAN_HTTP = 768,       // connections, those that leave included
    DESCRIPTOR_PLAN_HTTP_FILES = 736, // one for each that may be sent a recording
    // The catalog's and the index's files, a few for each thread that compacts, answers or writes,
    // and what libraries have.
    DESCRIPTOR_PLAN_REST = 256,
    DESCRIPTOR_PLAN_OTHERS =
        DESCRIPTOR_PLAN_HTTP + DESCRIPTOR_PLAN_HTTP_FILES + DESCRIPTOR_PLAN_REST,
};

typedef struct descriptor_plan {
    uint64_t journals;
    uint64_t http;   // connections, those that leave included
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

#endif // LP_COLLECTOR_BASE_DESCRIPTOR_PLAN_H
