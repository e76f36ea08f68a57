// SPDX-License-Identifier: Apache-2.0
// survey: collects which kinds of contexts the chunks of a file have, and which event types show
// them (aware.h).
//
// In the context styles `fields` and `ref`, an event type has the same fields in all chunks of a
// file: otherwise JMC would show several types. The types that a chunk describes do not tell which
// kinds it has (JDK 25 describes jdk.MethodTrace in every chunk), so a survey reads the events.
//
// Threads: one thread at a time while it is made; then any thread may read it.
// Tests:   tests/unit/engine/show/test_style.c
// Cost:    reads the size and the type of each event

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/read/kinds.h"
#include "engine/read/schema.h"
#include "engine/show/aware.h"
#include "policy/policy.h"

typedef struct compact_survey {
    lp_arena arena; // owns kinds, and the names of aware
    compact_kinds kinds;
    compact_aware aware;
    compact_schema *like; // the last chunk's schema, for the next chunk to share
} compact_survey;

// compact_survey_add adds a chunk to a survey, which starts zeroed. rules may be NULL; they are the
// same for all chunks. Events after the first damage are ignored. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_survey_add(compact_survey *survey, lp_slice chunk, const policy *rules);

void compact_survey_fini(compact_survey *survey);

// compact_survey_may_have returns whether events of a type may be contexts that are kept.
bool compact_survey_may_have(const compact_schema *schema, uint32_t type);
