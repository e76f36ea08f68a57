// SPDX-License-Identifier: Apache-2.0
#include "engine/job/frame_open.h"

#include "common/context/ctx_type.h"
#include "engine/carry/identities.h"
#include "engine/contexts/complete.h"
#include "engine/job/chunk_times.h"

#include <stdlib.h>

typedef struct opener {
    compact_frame *frame;
    compact_carry *new_carry;
    compact_opened *made;
} opener;

// --- Contexts

static lp_err
take_carry(opener *o)
{
    if (o->frame->carry == NULL) {
        return LP_OK;
    }
    lp_err err = compact_carry_add_types(
        o->new_carry, o->frame->carry->types.items, o->frame->carry->types.count);
    if (err == LP_OK) {
        err = compact_carry_add_types(
            o->new_carry, o->frame->carry->completing.items, o->frame->carry->completing.count);
    }
    if (err == LP_OK) {
        err = compact_recordings_copy(&o->frame->carry->recordings, &o->new_carry->recordings);
    }
    if (err == LP_OK) {
        err = compact_filters_copy(&o->frame->carry->filters, &o->new_carry->filters);
    }
    if (err == LP_OK) {
        err = compact_throttles_copy(&o->frame->carry->throttles, &o->new_carry->throttles);
    }
    if (err == LP_OK) {
        err = compact_weights_copy(&o->frame->carry->weights, &o->new_carry->weights);
    }
    if (err == LP_OK) {
        err = compact_throttles_copy(&o->frame->carry->quotas, &o->new_carry->quotas);
    }
    return err != LP_OK ? err
                        : compact_contexts_copy(
                              &o->frame->carry->contexts, INT64_MIN, &o->new_carry->contexts);
}

// note_written_ahead tells which of the contexts from first on have a part in the chunk before
// already.
static void
note_written_ahead(opener *o, size_t first)
{
    compact_contexts *known = &o->new_carry->contexts;
    size_t next = 0; // both lists ascend
    for (size_t i = first; o->frame->carry != NULL && i < known->items.count; i++) {
        compact_context *context = &known->items.items[i];
        while (next < o->frame->carry->written_ahead.count &&
               o->frame->carry->written_ahead.items[next] < context->id) {
            next++;
        }
        context->is_written = next < o->frame->carry->written_ahead.count &&
                              o->frame->carry->written_ahead.items[next] == context->id;
    }
}

// note_standings tells what was decided with the chunk before of the contexts from first on.
static void
note_standings(opener *o, size_t first)
{
    compact_contexts *known = &o->new_carry->contexts;
    size_t next = 0; // both lists ascend
    for (size_t i = first; o->frame->carry != NULL && i < known->items.count; i++) {
        compact_context *context = &known->items.items[i];
        while (next < o->frame->carry->standings_ahead.count &&
               o->frame->carry->standings_ahead.items[next].id < context->id) {
            next++;
        }
        if (next < o->frame->carry->standings_ahead.count &&
            o->frame->carry->standings_ahead.items[next].id == context->id) {
            context->standing = o->frame->carry->standings_ahead.items[next].standing;
        }
    }
}

// count_contexts counts those from first on, by type.
static lp_err
count_contexts(opener *o, size_t first)
{
    const compact_carry *carry = o->new_carry;
    o->made->contexts_in = calloc(carry->types.count + 1, sizeof(*o->made->contexts_in));
    if (o->made->contexts_in == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = first; i < carry->contexts.items.count; i++) {
        const compact_context *context = &carry->contexts.items.items[i];
        size_t type = ctx_type_find(carry->types.items, carry->types.count, context->type_id);
        o->made->contexts_in[type].events++; // the last is for those of an unknown type
        o->made->contexts_in[type].bytes += CTX_RECORD_HEADER_BYTES + context->values_bytes;
    }
    return LP_OK;
}

static lp_err
add_recordings(opener *o, const compact_source *source)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < source->recording_count && err == LP_OK; i++) {
        err = compact_recordings_add(&o->new_carry->recordings, &source->recordings[i], false);
    }
    return err;
}

static lp_err
add_filters(opener *o, const compact_source *source)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < source->filter_count && err == LP_OK; i++) {
        err = compact_filters_add(&o->new_carry->filters, &source->filters[i]);
    }
    return err;
}

// add_keys adds the keys of the maps that came with the chunk.
static lp_err
add_keys(opener *o)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < o->frame->source->recording_count; i++) {
        const ctx_recording *map = &o->frame->source->recordings[i];
        for (size_t k = 0; k < map->entry_count && err == LP_OK; k++) {
            err = compact_recordings_add_key(&o->new_carry->recordings, map->entries[k].key);
        }
    }
    return err;
}

// feed applies records to contexts, with the types that are known now.
static lp_err
feed(const opener *o, compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *problem)
{
    const compact_carry *carry = o->new_carry;
    completions->types = carry->completing.items;
    completions->type_count = carry->completing.count;
    lp_err err = compact_contexts_feed(contexts, records, completions, problem);
    lp_err applied =
        compact_completions_apply(completions, carry->types.items, carry->types.count, contexts);
    return err == LP_OK ? applied : err;
}

// read_next_records adds what the next chunk tells. What is wrong in it is an error when its own
// turn comes.
static lp_err
read_next_records(opener *o, compact_completions *completions)
{
    lp_err err =
        compact_carry_add_types(o->new_carry, o->frame->next->types, o->frame->next->type_count);
    if (err == LP_OK || err == LP_ELIMIT) {
        err = add_recordings(o, o->frame->next);
    }
    if (err == LP_OK) {
        err = add_filters(o, o->frame->next);
    }
    if (err == LP_OK) {
        err = feed(o, &o->made->contexts, o->frame->next->records, completions, NULL);
    }
    return err == LP_ECORRUPT || err == LP_ELIMIT ? LP_OK : err;
}

static lp_err
read_records(opener *o, compact_completions *completions, lp_problem *problem)
{
    compact_contexts *known = &o->new_carry->contexts;
    size_t carried = known->items.count;
    lp_err err = compact_carry_add_types(
        o->new_carry, o->frame->source->types, o->frame->source->type_count);
    if (err == LP_OK) {
        err = add_recordings(o, o->frame->source);
    }
    if (err == LP_OK) {
        err = add_filters(o, o->frame->source);
    }
    if (err == LP_OK) {
        err = add_keys(o);
    }
    if (err == LP_OK) {
        err = feed(o, known, o->frame->source->records, completions, problem);
    }
    o->made->completions_lost = completions->damaged_count;
    for (size_t i = 0; i < o->frame->source->recordings_ended_count; i++) {
        compact_recordings_end(&o->new_carry->recordings, o->frame->source->recordings_ended[i]);
    }
    note_written_ahead(o, carried);
    note_standings(o, carried);
    if (err == LP_OK) {
        err = compact_contexts_copy(known, INT64_MIN, &o->made->contexts);
    }
    if (err == LP_OK && o->frame->next != NULL) {
        err = read_next_records(o, completions);
    }
    return err == LP_OK ? count_contexts(o, carried) : err;
}

// lend_made has the frame borrow what was made.
static void
lend_made(const opener *o)
{
    compact_frame *frame = o->frame;
    frame->types = o->new_carry->types.items;
    frame->type_count = o->new_carry->types.count;
    frame->contexts = &o->made->contexts;
    frame->recordings = &o->new_carry->recordings;
    frame->recorded = &o->made->recorded;
    frame->filters = &o->new_carry->filters;
}

// --- Threads

static lp_err
identify(opener *o)
{
    compact_frame *frame = o->frame;
    compact_opened *made = o->made;
    made->identities = compact_identities_identify(frame->view, NULL, frame->carry, frame->ahead);
    if (frame->ahead != NULL) {
        made->ahead_identities =
            compact_identities_identify(frame->ahead, frame->view, frame->carry, NULL);
    }
    frame->identities = made->identities;
    frame->ahead_identities = made->ahead_identities;
    bool has_all =
        made->identities != NULL && (frame->ahead == NULL || made->ahead_identities != NULL);
    return has_all ? LP_OK : LP_ENOMEM;
}

// read_recorded reads the RecordingContexts that are events.
static lp_err
read_recorded(opener *o)
{
    lp_err err = LP_OK;
    if (o->frame->carry != NULL) {
        err = compact_recorded_copy(&o->frame->carry->recorded, INT64_MIN, &o->made->recorded);
    }
    if (err == LP_OK) {
        err = compact_recorded_read(o->frame->view, o->made->identities, &o->made->recorded);
    }
    if (err == LP_OK) {
        err = compact_recorded_copy(
            &o->made->recorded, o->frame->recent_min, &o->new_carry->recorded);
    }
    return err == LP_OK && o->frame->ahead != NULL
               ? compact_recorded_read(
                     o->frame->ahead, o->made->ahead_identities, &o->made->recorded)
               : err;
}

static lp_err
take_records(opener *o, lp_problem *problem)
{
    compact_completions completions = {0};
    lp_err err = read_records(o, &completions, problem);
    compact_completions_fini(&completions);
    return err;
}

lp_err
compact_frame_open(compact_frame *frame, compact_carry *new_carry, compact_opened *out_opened,
    lp_problem *out_problem)
{
    opener o = {.frame = frame, .new_carry = new_carry, .made = out_opened};
    *out_opened = (compact_opened){0};
    compact_contexts_init(&out_opened->contexts);
    frame->is_first = frame->carry == NULL;
    lp_err err = take_carry(&o);
    if (err == LP_OK) {
        err = take_records(&o, out_problem);
    }
    if (err != LP_OK) {
        return err;
    }
    lend_made(&o);
    compact_frame_find_times(frame);
    err = identify(&o);
    return err == LP_OK ? read_recorded(&o) : err;
}

void
compact_opened_fini(compact_opened *opened)
{
    free(opened->identities);
    free(opened->ahead_identities);
    compact_contexts_fini(&opened->contexts);
    compact_recorded_fini(&opened->recorded);
    free(opened->contexts_in);
    *opened = (compact_opened){0};
}
