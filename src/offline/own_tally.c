// SPDX-License-Identifier: Apache-2.0
#include "offline/own_tally.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <stdio.h>
#include <string.h>

// --- Events of one of Loupe's own types

// A type is Loupe's own if it has this name and its first fields are these.
typedef struct own_events_field {
    const char *name;
    const char *type;
} own_events_field;

typedef struct own_events_type {
    const char *name;
    const own_events_field *fields;
    size_t field_count;
} own_events_type;

static bool
is_field(const jfr_metadata *metadata, const jfr_field *field, const own_events_field *expected)
{
    return field->type != JFR_NONE && !field->is_constant && !field->is_array &&
           strcmp(jfr_metadata_text(metadata, field->name), expected->name) == 0 &&
           strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
               expected->type) == 0;
}

// is_own returns whether a type is one that Loupe describes.
static bool
is_own(const jfr_metadata *metadata, const jfr_type *type, const own_events_type *own)
{
    if (!type->is_event || type->field_count < own->field_count ||
        strcmp(jfr_metadata_text(metadata, type->name), own->name) != 0) {
        return false;
    }
    for (size_t i = 0; i < own->field_count; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        if (!is_field(metadata, field, &own->fields[i])) {
            return false;
        }
    }
    return true;
}

static bool
own_events_are_in(const jfr_metadata *metadata, const own_events_type *type)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        if (is_own(metadata, &metadata->types.items[i], type)) {
            return true;
        }
    }
    return false;
}

// own_events_each calls on_event for each event of the type in a chunk. on_event returns
// LP_ECORRUPT for an event that it cannot read.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; any error of on_event
static lp_err
own_events_each(const jfr_metadata *metadata, const own_events_type *type, lp_slice chunk,
    lp_err (*on_event)(void *arg, jfr_cursor payload), void *arg, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        uint32_t found = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                             ? JFR_NONE
                             : jfr_metadata_find_type(metadata, event.type_id);
        if (found == JFR_NONE || !is_own(metadata, &metadata->types.items[found], type)) {
            continue;
        }
        err = on_event(arg, event.payload);
        if (err == LP_ECORRUPT) {
            return lp_problem_at(out_problem, err, (uint64_t)(event.begin - chunk.ptr),
                "an event %s that cannot be read", type->name);
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}

// --- Losses

static const own_events_field loss_fields[] = {{"startTime", "long"}, {"duration", "long"},
    {"kind", "java.lang.String"}, {"amount", "long"}, {"message", "java.lang.String"}};

static const own_events_type loss = {
    "dev.loupe.Loss", loss_fields, sizeof(loss_fields) / sizeof(loss_fields[0])};

void
loss_tally_fini(loss_tally *tally)
{
    lp_buf_fini(&tally->text);
    *tally = (loss_tally){0};
}

bool
loss_tally_is_in(const jfr_metadata *metadata)
{
    return own_events_are_in(metadata, &loss);
}

static loss_tally_kind *
find_or_add(loss_tally *tally, const char *name)
{
    for (size_t i = 0; i < tally->count; i++) {
        if (strncmp(tally->kinds[i].name, name, LOSS_TALLY_KIND_BYTES - 1) == 0) {
            return &tally->kinds[i];
        }
    }
    if (tally->count == LOSS_TALLY_KINDS_MAX) {
        return &tally->kinds[LOSS_TALLY_KINDS_MAX - 1];
    }
    loss_tally_kind *kind = &tally->kinds[tally->count++];
    (void)snprintf(kind->name, sizeof(kind->name), "%s", name);
    return kind;
}

// add_loss adds an event. Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
add_loss(void *arg, jfr_cursor payload)
{
    loss_tally *tally = arg;
    uint64_t amount;
    lp_buf_clear(&tally->text);
    if (!jfr_varint_skip_many(&payload, 2) || // startTime, duration
        !jfr_string_read_utf8(&payload, &tally->text) || !jfr_varint_read(&payload, &amount)) {
        return LP_ECORRUPT;
    }
    lp_buf_append(&tally->text, "", 1);
    lp_err err = lp_buf_check(&tally->text);
    if (err == LP_OK) {
        find_or_add(tally, (const char *)tally->text.ptr)->amount += amount;
    }
    return err;
}

lp_err
loss_tally_add(
    loss_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return own_events_each(metadata, &loss, chunk, add_loss, tally, out_problem);
}

// --- Requests

static const own_events_field request_fields[] = {
    {"startTime", "long"},
    {"duration", "long"},
    {"offered", "long"},
    {"kept", "long"},
#define COMPACT_REQUEST_LOSS(id, field, label) {field, "long"},
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
#define COMPACT_REQUEST_KEPT(id, name, field, label)    {field, "long"},
#define COMPACT_REQUEST_DROPPED(id, name, field, label) {field, "long"},
#include "engine/request_reasons.def"
#undef COMPACT_REQUEST_KEPT
#undef COMPACT_REQUEST_DROPPED
};

static const own_events_type request_account = {"dev.loupe.RequestAccounting", request_fields,
    sizeof(request_fields) / sizeof(request_fields[0])};

bool
request_tally_is_in(const jfr_metadata *metadata)
{
    return own_events_are_in(metadata, &request_account);
}

// add_account adds an event. Errors: LP_ECORRUPT
static lp_err
add_account(void *arg, jfr_cursor payload)
{
    request_tally *tally = arg;
    request_tally one = {0};
    bool is_whole = jfr_varint_skip_many(&payload, 2) && // startTime, duration
                    jfr_varint_read(&payload, &one.offered) &&
                    jfr_varint_read(&payload, &one.kept) && one.kept <= one.offered;
#define COMPACT_REQUEST_LOSS(id, field, label)                                                     \
    is_whole = is_whole && jfr_varint_read(&payload, &one.losses.id);
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        is_whole = is_whole && jfr_varint_read(&payload, &one.reasons.kept[i]);
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        is_whole = is_whole && jfr_varint_read(&payload, &one.reasons.dropped[i]);
    }
    if (!is_whole) {
        return LP_ECORRUPT;
    }
    tally->offered += one.offered;
    tally->kept += one.kept;
    compact_request_losses_add(&tally->losses, &one.losses);
    compact_request_reasons_add(&tally->reasons, &one.reasons);
    return LP_OK;
}

lp_err
request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return own_events_each(metadata, &request_account, chunk, add_account, tally, out_problem);
}
