// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_facts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <string.h>

size_t
ask_facts_describe(
    const void *arg, uint32_t source, query_otlp_fact out_facts[QUERY_OTLP_FACTS_MAX])
{
    const ask_sources *sources = &((const ask_work *)arg)->sources;
    LP_ASSERT(source < sources->chunks.count);
    const ask_recording *of = &sources->recordings.items[sources->chunks.items[source].recording];
    const query_otlp_fact facts[] = {
        {.key = "service.name", .text = of->service},
        {.key = "service.instance.id", .text = of->instance},
        {.key = "service.version", .text = of->version},
        {.key = "process.pid", .number = (int64_t)of->pid},
        {.key = "process.runtime.name", .text = of->jvm_name},
        {.key = "process.runtime.version", .text = of->jvm_version},
        {.key = "telemetry.sdk.language", .text = "java"},
        {.key = "loupe.recording", .text = of->id},
    };
    _Static_assert(LP_COUNT(facts) <= QUERY_OTLP_FACTS_MAX, "there is room");
    memcpy(out_facts, facts, sizeof(facts));
    return LP_COUNT(facts);
}
