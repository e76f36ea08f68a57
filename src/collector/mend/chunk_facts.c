// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/chunk_facts.h"

#include "collector/base/dropped_json.h"
#include "collector/base/request_totals.h"
#include "common/jfr/jfr_chunk.h"
#include "offline/event_tally.h"
#include "query/chunk/chunk.h"

#include <jansson.h>
#include <stdlib.h>

// --- Ids

static lp_err
note_ids(query_chunk *chunk, const query_event *event, rollup_ids *ids)
{
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    size_t count = query_chunk_attributes(chunk, event, attributes);
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        const query_attribute *a = &attributes[i];
        uint64_t hash;
        if (!a->is_null && a->is_id && rollup_id_hash(a->value, &hash)) {
            err = LP_VEC_ADD(&ids->kept, hash);
        }
    }
    return err;
}

lp_err
chunk_facts_find_ids(lp_slice bytes, rollup_ids *ids)
{
    query_names names = {0};
    query_chunk chunk;
    lp_err err = query_chunk_open(&chunk, bytes, &names, NULL);
    if (err == LP_OK) {
        query_chunk_find_ids(&chunk);
        jfr_cursor rest = query_chunk_events(&chunk);
        query_event event;
        while (err == LP_OK && query_chunk_next(&chunk, &rest, &event)) {
            if (event.type->role == QUERY_ROLE_CONTEXT) {
                err = note_ids(&chunk, &event, ids);
            }
        }
        LP_THEN(err, query_chunk_err(&chunk));
        query_chunk_close(&chunk);
    }
    query_names_fini(&names);
    return err;
}

// --- Numbers

static json_t *
type_as_json(const event_tally_type *type, const account_tally_dropped *dropped)
{
    uint64_t in = type->events + account_tally_sum(dropped);
    json_t *reasons = dropped_json(&dropped->known);
    if (dropped->unknown > 0) {
        (void)json_object_set_new(reasons, "unknown", json_integer((json_int_t)dropped->unknown));
    }
    return json_pack("{s:I,s:I,s:I,s:I,s:o}", "in", (json_int_t)in, "out", (json_int_t)type->events,
        "bytes_in", (json_int_t)type->bytes, "bytes_out", (json_int_t)type->bytes, "dropped",
        reasons);
}

static lp_err
add_types(const event_tally *tally, chunk_facts *facts)
{
    json_t *all = json_object();
    for (size_t i = 0; i < tally->types.count; i++) {
        const event_tally_type *type = &tally->types.items[i];
        if (type->is_built_in) {
            continue;
        }
        const account_tally_type *account = account_tally_find(&tally->accounts, type->name);
        account_tally_dropped dropped =
            account == NULL ? (account_tally_dropped){0} : account->dropped;
        uint64_t in = type->events + account_tally_sum(&dropped);
        if (in == 0) {
            continue;
        }
        // JSON cannot hold a name that is not UTF-8: such a type is left out.
        (void)json_object_set_new(all, type->name, type_as_json(type, &dropped));
        facts->totals.events_in += in;
        facts->totals.events_out += type->events;
        facts->totals.contexts_in += type->is_contextual ? in : 0;
        facts->totals.contexts_out += type->is_contextual ? type->events : 0;
    }
    facts->types_json = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    return facts->types_json == NULL ? LP_ENOMEM : LP_OK;
}

static lp_err
tally_events(
    lp_slice bytes, const jfr_chunk_info *info, chunk_facts *facts, lp_problem *out_problem)
{
    event_tally tally;
    lp_err err = event_tally_init(&tally);
    LP_THEN(err, event_tally_add(&tally, info, bytes, out_problem));
    if (err == LP_OK) {
        event_tally_finish(&tally);
        err = add_types(&tally, facts);
        request_totals_add(
            &facts->totals, tally.requests.offered, tally.requests.kept, &tally.requests.reasons);
    }
    event_tally_fini(&tally);
    return err;
}

lp_err
chunk_facts_read(lp_slice bytes, chunk_facts *out_facts, lp_problem *out_problem)
{
    jfr_chunk_info info;
    chunk_facts facts = {0};
    lp_err err = jfr_chunk_parse(bytes, &info, out_problem);
    if (err == LP_EEND || (err == LP_OK && info.size_bytes != bytes.len)) {
        return lp_problem_set(
            out_problem, LP_ECORRUPT, "its size differs from the size in its header");
    }
    if (err == LP_OK) {
        facts.start_wall_ns = info.start_wall_ns;
        facts.duration_ns = info.duration_ns;
        facts.totals.bytes_in = bytes.len;
        facts.totals.bytes_out = bytes.len;
        err = tally_events(bytes, &info, &facts, out_problem);
    }
    LP_THEN(err, chunk_facts_find_ids(bytes, &facts.ids));
    if (err != LP_OK) {
        chunk_facts_fini(&facts);
        return err;
    }
    rollup_ids_tidy(&facts.ids);
    *out_facts = facts;
    return LP_OK;
}

void
chunk_facts_fini(chunk_facts *facts)
{
    free(facts->types_json);
    rollup_ids_fini(&facts->ids);
    *facts = (chunk_facts){0};
}
