// SPDX-License-Identifier: Apache-2.0
#include "query/events/jvm_facts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "query/select/json_list.h"

#include <string.h>

enum { FIELDS_MAX = 6 };

// The facts by event type: the name of a field, and that of the fact.
static const struct source_type {
    const char *type;
    const char *fields[FIELDS_MAX];
    const char *facts[FIELDS_MAX];
} table[] = {
    {"jdk.JVMInformation",
        {"jvmName", "jvmVersion", "jvmArguments", "jvmFlags", "javaArguments", "pid"},
        {"jvm_name", "jvm_version", "jvm_arguments", "jvm_flags", "java_arguments", "pid"}},
    {"jdk.OSInformation", {"osVersion"}, {"os"}},
    {"jdk.CPUInformation", {"cpu", "hwThreads"}, {"cpu", "hardware_threads"}},
    {"jdk.PhysicalMemory", {"totalSize"}, {"memory_bytes"}},
    {"jdk.GCConfiguration", {"youngCollector", "oldCollector"},
        {"young_collector", "old_collector"}},
    {"jdk.GCHeapConfiguration", {"maxSize"}, {"heap_max_bytes"}},
};

void
query_jvm_facts_fini(query_jvm_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        json_decref(facts->items[i].facts);
    }
    *facts = (query_jvm_facts){0};
}

static void
facts_check(const query_jvm_facts *facts)
{
    LP_ASSERT(facts->count <= QUERY_JVM_FACTS_MAX);
    LP_ASSERT(facts->names != NULL && facts->sources != NULL && facts->recording != NULL);
}

static const struct source_type *
find_type(const char *type)
{
    return LP_FIND(table, LP_COUNT(table), strcmp(at->type, type) == 0);
}

// find finds or adds the JVM of a source; *out_facts is NULL if there are too many.
static lp_err
find(query_jvm_facts *facts, uint32_t source, json_t **out_facts)
{
    LP_ASSERT(source < facts->sources->count);
    uint32_t session = facts->sources->items[source].session;
    *out_facts = NULL;
    const struct query_jvm_known *known =
        LP_FIND(facts->items, facts->count, at->session == session);
    if (known != NULL) {
        *out_facts = known->facts;
        return LP_OK;
    }
    if (facts->count == QUERY_JVM_FACTS_MAX) {
        facts->is_truncated = true;
        return LP_OK;
    }
    json_t *made = query_json_set(
        json_object(), "recording", query_json_name(facts->recording(facts->arg, source)));
    LP_REQUIRE(made != NULL, LP_ENOMEM);
    facts->items[facts->count++] = (struct query_jvm_known){session, made};
    *out_facts = made;
    return LP_OK;
}

lp_err
query_jvm_facts_add(
    void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    query_jvm_facts *facts = arg;
    facts_check(facts);
    const struct source_type *source = find_type(query_names_text(facts->names, event->type->name));
    json_t *known = NULL;
    lp_err err = source == NULL ? LP_OK : find(facts, item->source, &known);
    if (err != LP_OK || known == NULL || json_object_get(known, source->facts[0]) != NULL) {
        return err;
    }
    query_attribute values[FIELDS_MAX];
    size_t count = 0;
    while (count < FIELDS_MAX && source->fields[count] != NULL) {
        count++;
    }
    query_chunk_fields(chunk, event, source->fields, count, values);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        bool is_set = values[i].is_null || json_object_set_new(known, source->facts[i],
                                               query_json_attribute(&values[i])) == 0;
        err = is_set ? LP_OK : LP_ENOMEM;
    }
    return err;
}

json_t *
query_jvm_facts_json(const query_jvm_facts *facts)
{
    facts_check(facts);
    return QUERY_JSON_LIST(item, facts->items, facts->count, json_incref(item->facts));
}
