// SPDX-License-Identifier: Apache-2.0
#include "offline/event_tally.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/jfr/jfr_event.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL_IDS = 1 << 16, // ids below are counted without a search
    IDS_MAX = 1 << 17,   // no JVM has that many event types
    STEP_BYTES = 8 << 20,
};

lp_err
event_tally_init(event_tally *tally)
{
    *tally = (event_tally){0};
    jfr_metadata_init(&tally->metadata);
    tally->count_by_small_id = calloc(SMALL_IDS, sizeof(*tally->count_by_small_id));
    event_tally_count *metadata = LP_VEC_PUSH(&tally->counts);
    LP_REQUIRE(tally->count_by_small_id != NULL && metadata != NULL, LP_ENOMEM);
    *metadata = (event_tally_count){.id = JFR_TYPE_ID_METADATA, .type = JFR_NONE};
    return LP_OK;
}

void
event_tally_fini(event_tally *tally)
{
    LP_VEC_FINI_EACH(&tally->types, free(at->name));
    LP_VEC_FINI(&tally->counts);
    free(tally->count_by_small_id);
    lp_map_fini(&tally->count_by_id);
    LP_VEC_FINI(&tally->payloads);
    account_tally_fini(&tally->accounts);
    loss_tally_fini(&tally->losses);
    jfr_metadata_fini(&tally->metadata);
    *tally = (event_tally){0};
}

// --- Counting

// find_count finds or makes the count of an id that has none in count_by_small_id.
static lp_err
find_count(event_tally *t, uint64_t id, event_tally_count **out_count, lp_problem *problem)
{
    uint32_t index = id < SMALL_IDS ? LP_MAP_NONE : lp_map_find(&t->count_by_id, id);
    if (id == JFR_TYPE_ID_METADATA || index != LP_MAP_NONE) {
        *out_count = &t->counts.items[id == JFR_TYPE_ID_METADATA ? 0 : index];
        return LP_OK;
    }
    LP_REQUIRE(t->counts.count < IDS_MAX,
        lp_problem_set(problem, LP_ELIMIT, "events of over %d types", IDS_MAX));
    index = (uint32_t)t->counts.count;
    if (!LP_VEC_ROOM(&t->counts) ||
        (id >= SMALL_IDS && lp_map_put(&t->count_by_id, id, index) != LP_OK)) {
        return LP_ENOMEM;
    }
    if (id < SMALL_IDS) {
        t->count_by_small_id[id] = index;
    }
    *out_count = &t->counts.items[t->counts.count++];
    **out_count = (event_tally_count){.id = id, .type = JFR_NONE};
    return LP_OK;
}

// count_rare counts an event of a type that is new, or has a large id, or is a metadata event.
static lp_err
count_rare(event_tally *t, const jfr_event *event, lp_problem *problem)
{
    event_tally_count *count = NULL;
    LP_TRY(find_count(t, event->type_id, &count, problem));
    count->events++;
    count->bytes += event->size;
    if (event->type_id == JFR_TYPE_ID_METADATA) {
        LP_TRY(LP_VEC_ADD(&t->payloads, jfr_event_payload(event)));
    }
    return LP_OK;
}

// count_until counts the events that begin before stop.
static lp_err
count_until(event_tally *t, jfr_cursor *rest, const uint8_t *stop, lp_problem *problem)
{
    jfr_cursor cursor = *rest; // in registers
    lp_err err = LP_OK;
    while (err == LP_OK && cursor.at < stop) {
        jfr_event event;
        err = jfr_event_next(&cursor, &event);
        if (err != LP_OK) {
            break;
        }
        uint32_t index = event.type_id < SMALL_IDS ? t->count_by_small_id[event.type_id] : 0;
        if (index == 0) {
            jfr_event copy = event;
            err = count_rare(t, &copy, problem);
            continue;
        }
        event_tally_count *count = &t->counts.items[index];
        count->events++;
        count->bytes += event.size;
    }
    rest->at = cursor.at;
    return err;
}

static lp_err
count_events(event_tally *t, lp_slice chunk, lp_problem *problem)
{
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    const uint8_t *passed = chunk.ptr;
    lp_err err = LP_OK;
    while (err == LP_OK && rest.at < rest.end) {
        size_t left = jfr_cursor_left(&rest);
        const uint8_t *stop = left < STEP_BYTES ? rest.end : rest.at + STEP_BYTES;
        err = count_until(t, &rest, stop, problem);
        if (t->on_passed != NULL) {
            t->on_passed(t->arg, (lp_slice){passed, (size_t)(rest.at - passed)});
        }
        passed = rest.at;
    }
    return err == LP_ECORRUPT ? jfr_event_problem(chunk, &rest, problem) : err;
}

// --- Names

static lp_err
add_metadata(event_tally *t, lp_slice chunk, lp_problem *problem)
{
    for (size_t i = 0; i < t->payloads.count; i++) {
        lp_slice payload = t->payloads.items[i];
        lp_err err = jfr_metadata_add(&t->metadata, payload, problem);
        if (err != LP_OK) {
            if (problem != NULL && problem->has_offset) {
                problem->offset += (uint64_t)(payload.ptr - chunk.ptr);
            }
            return err;
        }
    }
    return jfr_metadata_resolve(&t->metadata, problem);
}

// read_metadata makes t->metadata that of the chunk at hand.
static lp_err
read_metadata(event_tally *t, lp_slice chunk, lp_problem *problem)
{
    if (t->payloads.count > 0 &&
        jfr_metadata_is_made_of(&t->metadata, t->payloads.items, t->payloads.count)) {
        return LP_OK;
    }
    for (size_t i = 0; i < t->counts.count; i++) {
        t->counts.items[i].type = JFR_NONE;
    }
    jfr_metadata_fini(&t->metadata);
    lp_err err = add_metadata(t, chunk, problem);
    if (err != LP_OK) {
        jfr_metadata_fini(&t->metadata);
    }
    return err;
}

// find_metadata reads the metadata at the offset in the header, for chunks that are damaged before
// it.
static lp_err
find_metadata(event_tally *t, const jfr_chunk_info *info, lp_slice chunk)
{
    if (info->metadata_offset < JFR_CHUNK_HEADER_SIZE || info->metadata_offset >= chunk.len) {
        return LP_OK;
    }
    jfr_cursor rest = {chunk.ptr + info->metadata_offset, chunk.ptr + chunk.len};
    jfr_event event;
    if (jfr_event_next(&rest, &event) == LP_OK && event.type_id == JFR_TYPE_ID_METADATA) {
        return count_rare(t, &event, NULL);
    }
    return LP_OK;
}

// push_type takes a copy of name and of everything else in type.
static lp_err
push_type(event_tally *t, const char *name, event_tally_type type)
{
    type.name = strdup(name);
    event_tally_type *slot = type.name == NULL ? NULL : LP_VEC_PUSH(&t->types);
    if (slot == NULL) {
        free(type.name);
        return LP_ENOMEM;
    }
    *slot = type;
    return LP_OK;
}

// name_built_in returns the name that the JDK's tool gives to metadata or checkpoints of a chunk.
static const char *
name_built_in(uint64_t id, bool is_version_1)
{
    if (id == JFR_TYPE_ID_METADATA) {
        return is_version_1 ? "com.oracle.jdk.Metadata" : "jdk.Metadata";
    }
    return is_version_1 ? "com.oracle.jdk.Checkpoint" : "jdk.Checkpoint";
}

static lp_err
name_count(event_tally *t, event_tally_count *count, bool is_version_1)
{
    event_tally_type type = {.is_built_in = count->id <= JFR_TYPE_ID_CHECKPOINT};
    uint32_t described = jfr_metadata_find_type(&t->metadata, count->id);
    const char *name = "(not described)";
    if (type.is_built_in) {
        name = name_built_in(count->id, is_version_1);
    } else if (described != JFR_NONE) {
        name = jfr_metadata_text(&t->metadata, t->metadata.types.items[described].name);
        type.is_contextual = t->metadata.types.items[described].is_contextual;
    }
    lp_err err = push_type(t, name, type);
    if (err == LP_OK) {
        count->type = (uint32_t)(t->types.count - 1);
    }
    return err;
}

// name_counts moves the counts of the chunk at hand over to the types.
static lp_err
name_counts(event_tally *t, bool is_version_1)
{
    for (size_t i = 0; i < t->counts.count; i++) {
        event_tally_count *count = &t->counts.items[i];
        if (count->events == 0) {
            continue;
        }
        LP_TRY(count->type == JFR_NONE ? name_count(t, count, is_version_1) : LP_OK);
        t->types.items[count->type].events += count->events;
        t->types.items[count->type].bytes += count->bytes;
    }
    return LP_OK;
}

// add_own adds the events of Loupe's own, for which it reads the chunk once more.
static lp_err
add_own(event_tally *t, lp_slice chunk, lp_problem *problem)
{
    size_t known = t->accounts.types.count;
    lp_err damage = account_tally_add(&t->accounts, &t->metadata, chunk, problem);
    lp_err err = LP_OK;
    for (size_t i = known; i < t->accounts.types.count && err == LP_OK; i++) {
        err = push_type(t, t->accounts.types.items[i].name, (event_tally_type){0});
    }
    LP_THEN(err, damage);
    LP_THEN(err, loss_tally_add(&t->losses, &t->metadata, chunk, problem));
    LP_THEN(err, request_tally_add(&t->requests, &t->metadata, chunk, problem));
    if (t->on_passed != NULL) {
        t->on_passed(t->arg, chunk);
    }
    return err;
}

static void
forget_counts(event_tally *t)
{
    for (size_t i = 0; i < t->counts.count; i++) {
        t->counts.items[i].events = 0;
        t->counts.items[i].bytes = 0;
    }
    t->payloads.count = 0;
}

lp_err
event_tally_add(
    event_tally *tally, const jfr_chunk_info *info, lp_slice chunk, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    lp_err damage = count_events(tally, chunk, out_problem);
    lp_err err = damage == LP_ECORRUPT ? LP_OK : damage;
    lp_problem *problem = damage == LP_OK ? out_problem : NULL; // of what follows
    if (damage == LP_ECORRUPT && tally->payloads.count == 0) {
        err = find_metadata(tally, info, chunk);
    }
    LP_THEN(err, read_metadata(tally, chunk, problem));
    LP_THEN(err, name_counts(tally, info->major == 1));
    LP_THEN(err, own_tally_is_in(&tally->metadata) ? add_own(tally, chunk, problem) : LP_OK);
    forget_counts(tally);
    return damage == LP_ECORRUPT && err != LP_ENOMEM ? damage : err;
}

// --- The end

LP_COMPARE(compare_names, event_tally_type, strcmp(one->name, other->name))

LP_COMPARE(compare_events, event_tally_type,
    LP_ORDER(other->events, one->events) ?: strcmp(one->name, other->name))

void
event_tally_finish(event_tally *tally)
{
    size_t count = 0;
    event_tally_type *types = tally->types.items;
    if (tally->types.count == 0) {
        return;
    }
    qsort(types, tally->types.count, sizeof(*types), compare_names);
    for (size_t i = 0; i < tally->types.count; i++) {
        event_tally_type *to = count == 0 ? NULL : &types[count - 1];
        if (to == NULL || strcmp(to->name, types[i].name) != 0) {
            types[count++] = types[i];
            continue;
        }
        to->is_built_in &= types[i].is_built_in;
        to->is_contextual |= types[i].is_contextual;
        to->events += types[i].events;
        to->bytes += types[i].bytes;
        free(types[i].name);
    }
    tally->types.count = count;
    qsort(types, count, sizeof(*types), compare_events);
}
