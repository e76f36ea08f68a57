// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/settings.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"
#include "engine/read/view.h"
#include "policy/policy_setting.h"
#include "query/chunk/chunk.h"

#include <string.h>

static const char accounting[] = "dev.loupe.Accounting";
// The setting in which the engine records, in a chunk that it writes, its policy.
static const char policy_name[] = "policy";

enum { NAME_SIZE = 100 }; // with the zero; no setting of Loupe has a longer name

typedef struct found_setting {
    const char *event;
    const char *name;
    const char *value;
    bool counts;
} found_setting;

typedef struct reading {
    compact_schema *schema; // of the last readable chunk
    lp_arena arena;         // for the texts
    LP_VEC(found_setting) found;
    bool is_full;
} reading;

static bool
is_ours(const char *event, const char *name)
{
    size_t index = policy_setting_find(event, name);
    return index < POLICY_SETTING_COUNT && !policy_setting_get(index)->is_jvm;
}

static const char *
name_of(const jfr_metadata *metadata, const jfr_type *type)
{
    return jfr_metadata_text(metadata, type->name);
}

// declares returns whether a type declares a setting with a name; name NULL: any setting of Loupe.
static bool
declares(const jfr_metadata *metadata, const jfr_type *type, const char *name)
{
    uint32_t child = metadata->elements.items[type->element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        const char *own = jfr_metadata_is_named(metadata, child, "setting")
                              ? jfr_metadata_find_attribute(metadata, child, "name")
                              : NULL;
        if (own != NULL &&
            (name == NULL ? is_ours(name_of(metadata, type), own) : strcmp(own, name) == 0)) {
            return true;
        }
    }
    return false;
}

static bool
has_declared(const jfr_metadata *metadata)
{
    return LP_FIND(metadata->types.items, metadata->types.count,
               at->is_event && declares(metadata, at, NULL)) != NULL;
}

// read_schema replaces r->schema by that of a chunk. Returns false if the chunk is unreadable.
static bool
read_schema(reading *r, lp_slice bytes)
{
    jfr_chunk_info info;
    compact_schema *schema = NULL;
    lp_err err = compact_view_read_last_schema(bytes, NULL, r->schema, &schema, &info);
    r->arena.is_failed |= err == LP_ENOMEM;
    if (err == LP_OK) {
        compact_schema_release(r->schema);
        r->schema = schema;
    }
    return err == LP_OK;
}

static found_setting *
find(const reading *r, const char *event, const char *name)
{
    return LP_FIND(r->found.items, r->found.count,
        strcmp(at->event, event) == 0 && strcmp(at->name, name) == 0);
}

static void
add(reading *r, const char *event, lp_slice name, lp_slice value)
{
    LP_ASSERT(r->found.count <= QUERY_SETTINGS_MAX);
    if (r->found.count == QUERY_SETTINGS_MAX) {
        if (!r->is_full) {
            lp_log(LP_LOG_WARN, QUERY_SETTINGS_ORIGIN ": all but the first %d are ignored",
                QUERY_SETTINGS_MAX);
        }
        r->is_full = true;
        return;
    }
    const found_setting found = {
        .event = lp_arena_text(&r->arena, event),
        .name = lp_arena_string(&r->arena, name),
        .value = lp_arena_string(&r->arena, value),
        .counts = true,
    };
    if (!r->arena.is_failed) { // else a text is NULL
        lp_arena_note(&r->arena, LP_VEC_ADD(&r->found, found));
    }
}

// is_decided returns whether Loupe has written the chunk: it has an accounting, or a policy.
static bool
is_decided(query_chunk *chunk)
{
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    bool is_so = jfr_metadata_find_type_named(metadata, accounting) != JFR_NONE;
    jfr_cursor rest = query_chunk_events(chunk);
    query_event event;
    while (!is_so && query_chunk_next_setting(chunk, &rest, &event)) {
        const query_setting setting = query_chunk_setting(chunk, &event);
        is_so = setting.type == event.type_index && query_setting_is(setting.name, policy_name);
    }
    return is_so;
}

// take_setting stores a setting of Loupe. It copies only texts that it stores: a day may have
// millions of these events.
static void
take_setting(reading *r, query_chunk *chunk, const query_event *event)
{
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    const query_setting setting = query_chunk_setting(chunk, event);
    char name[NAME_SIZE];
    if (setting.type == JFR_NONE || setting.name.len >= sizeof(name)) {
        return;
    }
    memcpy(name, setting.name.ptr, setting.name.len);
    name[setting.name.len] = '\0';
    const char *type = name_of(metadata, &metadata->types.items[setting.type]);
    if (!is_ours(type, name)) {
        return;
    }
    found_setting *before = find(r, type, name);
    if (before == NULL) {
        add(r, type, setting.name, setting.value);
    } else if (before->counts && !query_setting_is(setting.value, before->value)) {
        before->counts = false;
        lp_log(LP_LOG_WARN,
            QUERY_SETTINGS_ORIGIN
            ": event type %s, setting %s: ignored, as it is first '%.200s' and then '%.200s'",
            before->event, before->name, before->value, lp_arena_string(&r->arena, setting.value));
    }
}

// lacks returns whether some type with the setting's type name does not declare it: several class
// loaders may each have a class of this name.
static bool
lacks(const jfr_metadata *metadata, const found_setting *found)
{
    return LP_FIND(metadata->types.items, metadata->types.count,
               at->is_event && strcmp(name_of(metadata, at), found->event) == 0 &&
                   !declares(metadata, at, found->name)) != NULL;
}

static void
check_types(reading *r, const jfr_metadata *metadata, bool has_settings)
{
    for (size_t i = 0; i < r->found.count; i++) {
        found_setting *found = &r->found.items[i];
        const bool is_described = jfr_metadata_find_type_named(metadata, found->event) != JFR_NONE;
        if (found->counts && is_described && (!has_settings || lacks(metadata, found))) {
            found->counts = false;
            lp_log(LP_LOG_WARN,
                QUERY_SETTINGS_ORIGIN
                ": event type %s, setting %s: ignored, as a part of the recording does not declare "
                "it, or was written by Loupe",
                found->event, found->name);
        }
    }
}

// visit stores the settings of a chunk, or checks the stored ones against it.
static void
visit(reading *r, lp_slice bytes, bool checks)
{
    bool has_settings = false;
    if (!read_schema(r, bytes)) {
        return;
    }
    if (has_declared(&r->schema->metadata)) {
        query_chunk chunk;
        query_names names = {0};
        lp_err err = query_chunk_open(&chunk, bytes, &names, NULL);
        if (err == LP_OK) {
            has_settings = !is_decided(&chunk);
            query_event event;
            jfr_cursor rest = query_chunk_events(&chunk);
            while (has_settings && !checks && query_chunk_next_setting(&chunk, &rest, &event)) {
                take_setting(r, &chunk, &event);
            }
            err = query_chunk_err(&chunk);
            query_chunk_close(&chunk);
        }
        query_names_fini(&names);
        r->arena.is_failed |= err == LP_ENOMEM;
        if (err != LP_OK) {
            return;
        }
    }
    if (checks) {
        check_types(r, &r->schema->metadata, has_settings);
    }
}

static lp_err
add_all(const reading *r, policy *rules)
{
    LP_TRY(lp_arena_err(&r->arena));
    for (size_t i = 0; i < r->found.count; i++) {
        const found_setting *found = &r->found.items[i];
        LP_TRY(found->counts ? policy_add(rules, QUERY_SETTINGS_ORIGIN, found->event, found->name,
                                   found->value)
                             : LP_OK);
    }
    return LP_OK;
}

lp_err
query_settings_read(const lp_slice *chunks, size_t count, policy *rules)
{
    reading r = {0};
    for (size_t i = 0; i < count && !r.arena.is_failed; i++) {
        visit(&r, chunks[i], false);
    }
    for (size_t i = 0; r.found.count > 0 && i < count && !r.arena.is_failed; i++) {
        visit(&r, chunks[i], true);
    }
    lp_err err = add_all(&r, rules);
    compact_schema_release(r.schema);
    lp_arena_fini(&r.arena);
    LP_VEC_FINI(&r.found);
    return err;
}
