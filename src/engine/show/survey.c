// SPDX-License-Identifier: Apache-2.0
#include "engine/show/survey.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "engine/read/view.h"

#include <stdlib.h>

bool
compact_survey_may_have(const compact_schema *schema, uint32_t type)
{
    LP_ASSERT(type < schema->metadata.types.count);
    const compact_plan *plan = &schema->plans[type];
    return plan->rule == COMPACT_RULE_CONTEXTUAL && !plan->is_disabled &&
           plan->thread_field != COMPACT_THREAD_NONE;
}

static size_t
list_wanted(const compact_survey *survey, const compact_schema *schema, bool *out_wanted)
{
    size_t count = 0;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        const jfr_metadata *metadata = &schema->metadata;
        const char *name = jfr_metadata_type_name(metadata, i);
        out_wanted[i] = compact_survey_may_have(schema, i) &&
                        compact_kinds_find(&survey->kinds, name) == COMPACT_KINDS_MAX;
        count += out_wanted[i];
    }
    return count;
}

static void
find_events(compact_survey *survey, lp_slice chunk, const compact_schema *schema, bool *wanted,
    size_t wanted_count)
{
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    while (wanted_count > 0 && jfr_event_next(&rest, &event) == LP_OK) {
        uint32_t type = jfr_metadata_find_type(&schema->metadata, event.type_id);
        if (type != JFR_NONE && wanted[type]) {
            wanted[type] = false;
            wanted_count--;
            compact_kinds_add_event(&survey->kinds, &schema->metadata, type);
        }
    }
}

// widen turns attributes into texts if the chunk describes them differently from earlier chunks.
static void
widen(compact_survey *survey, const compact_schema *schema)
{
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        if (compact_survey_may_have(schema, i)) {
            compact_kinds_widen(&survey->kinds, &schema->metadata, i);
        }
    }
}

lp_err
compact_survey_add(compact_survey *survey, lp_slice chunk, const policy *rules)
{
    compact_schema *schema;
    jfr_chunk_info info;
    lp_err err = compact_view_read_schema(chunk, rules, survey->like, &schema, &info);
    if (err != LP_OK) {
        return err == LP_ENOMEM ? err : LP_OK; // compacting the chunk reports other errors
    }
    if (schema != survey->like) {
        widen(survey, schema);
        compact_aware_add(&survey->aware, &survey->arena, schema);
    }
    compact_schema_release(survey->like);
    survey->like = schema;
    survey->kinds.arena = &survey->arena;
    survey->kinds.has_numbers = true;
    bool *wanted = calloc(schema->metadata.types.count + 1, sizeof(*wanted));
    LP_REQUIRE(wanted != NULL, LP_ENOMEM);
    find_events(survey, chunk, schema, wanted, list_wanted(survey, schema, wanted));
    free(wanted);
    return lp_arena_err(&survey->arena);
}

void
compact_survey_fini(compact_survey *survey)
{
    compact_aware_fini(&survey->aware);
    lp_arena_fini(&survey->arena);
    compact_schema_release(survey->like);
    *survey = (compact_survey){0};
}
