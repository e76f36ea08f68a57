// SPDX-License-Identifier: Apache-2.0
#include "engine/show/aware.h"

#include "common/base/lp_assert.h"

#include <string.h>

policy_with_context
compact_aware_annotated(const jfr_metadata *metadata, uint32_t type)
{
    LP_ASSERT(type < metadata->types.count);
    policy_with_context said = POLICY_WITH_CONTEXT_UNSAID;
    uint32_t child = metadata->elements.items[metadata->types.items[type].element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (jfr_metadata_annotation_of(metadata, child) == JFR_ANNOTATION_CONTEXT_AWARE) {
            const char *value = jfr_metadata_find_attribute(metadata, child, "value");
            bool is_no = value != NULL && strcmp(value, "false") == 0;
            said = is_no ? POLICY_WITH_CONTEXT_NO : POLICY_WITH_CONTEXT_YES;
        }
    }
    return said;
}

// said_of returns the setting of an event type: the policy's, or else the annotation's.
static policy_with_context
said_of(const compact_schema *schema, uint32_t type)
{
    policy_with_context said = schema->plans[type].with_context;
    return said == POLICY_WITH_CONTEXT_UNSAID ? compact_aware_annotated(&schema->metadata, type)
                                              : said;
}

static bool
is_of_jvm(const compact_schema *schema, uint32_t type)
{
    const jfr_metadata *metadata = &schema->metadata;
    return strncmp(jfr_metadata_type_name(metadata, type), "jdk.", 4) == 0;
}

static bool
is_chosen(compact_aware_choice choice, bool is_jvm)
{
    return is_jvm ? choice.is_of_jvm : choice.is_of_others;
}

static void
choose(compact_aware_choice *choice, bool is_jvm)
{
    bool *chosen = is_jvm ? &choice->is_of_jvm : &choice->is_of_others;
    *chosen = true;
}

// --- A chunk

compact_aware_choice
compact_aware_choose(const compact_aware *aware, const compact_schema *schema)
{
    compact_aware_choice choice = aware->by_policy;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        if (schema->metadata.types.items[i].is_event &&
            said_of(schema, i) == POLICY_WITH_CONTEXT_YES) {
            choose(&choice, is_of_jvm(schema, i));
        }
    }
    return choice;
}

bool
compact_aware_shows(compact_aware_choice choice, const compact_schema *schema, uint32_t type)
{
    LP_ASSERT(type < schema->metadata.types.count);
    policy_with_context said = said_of(schema, type);
    return said == POLICY_WITH_CONTEXT_YES ||
           (said == POLICY_WITH_CONTEXT_UNSAID && !is_chosen(choice, is_of_jvm(schema, type)));
}

uint32_t
compact_aware_find_sign(const compact_schema *schema, const bool *is_there, bool is_jvm)
{
    uint32_t first = JFR_NONE;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        if (schema->metadata.types.items[i].is_event && is_of_jvm(schema, i) == is_jvm &&
            said_of(schema, i) == POLICY_WITH_CONTEXT_YES) {
            if (is_there[i]) {
                return JFR_NONE;
            }
            first = first == JFR_NONE ? i : first;
        }
    }
    return first;
}

// --- All chunks of a file

static void
aware_check(const compact_aware *aware)
{
    LP_ASSERT(aware->is_full == (aware->bytes > COMPACT_AWARE_BYTES_MAX));
}

// add_name adds a copy of a name, unless it is there.
static void
add_name(compact_aware *aware, lp_names *names, lp_arena *arena, const char *name)
{
    aware_check(aware);
    enum { PLACE_BYTES = 40 }; // lp_names.h
    if (aware->is_full || lp_names_find(names, name) != LP_MAP_NONE) {
        return;
    }
    aware->bytes += strlen(name) + PLACE_BYTES;
    aware->is_full = aware->bytes > COMPACT_AWARE_BYTES_MAX;
    if (!aware->is_full) {
        lp_arena_note(arena, lp_names_add(names, lp_arena_text(arena, name)));
    }
}

void
compact_aware_add(compact_aware *aware, lp_arena *arena, const compact_schema *schema)
{
    aware_check(aware);
    const jfr_metadata *metadata = &schema->metadata;
    compact_aware_choice choice = compact_aware_choose(&(compact_aware){0}, schema);
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        if (!metadata->types.items[i].is_event) {
            continue;
        }
        if (schema->plans[i].with_context == POLICY_WITH_CONTEXT_YES) {
            choose(&aware->by_policy, is_of_jvm(schema, i));
        }
        if (compact_aware_shows(choice, schema, i)) {
            bool is_said = said_of(schema, i) == POLICY_WITH_CONTEXT_YES;
            add_name(aware, is_said ? &aware->chosen : &aware->unchosen, arena,
                jfr_metadata_type_name(metadata, i));
        }
    }
}

void
compact_aware_fini(compact_aware *aware)
{
    lp_names_fini(&aware->chosen);
    lp_names_fini(&aware->unchosen);
    *aware = (compact_aware){0};
}

bool
compact_aware_has_place(const compact_aware *aware, const compact_schema *schema, uint32_t type)
{
    aware_check(aware);
    const jfr_metadata *metadata = &schema->metadata;
    LP_ASSERT(type < metadata->types.count);
    const char *name = jfr_metadata_type_name(metadata, type);
    return aware->is_full || lp_names_find(&aware->chosen, name) != LP_MAP_NONE ||
           (!is_chosen(aware->by_policy, is_of_jvm(schema, type)) &&
               lp_names_find(&aware->unchosen, name) != LP_MAP_NONE);
}
