// SPDX-License-Identifier: Apache-2.0
#include "offline/loss_tally.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <stdio.h>
#include <string.h>

void
loss_tally_fini(loss_tally *tally)
{
    lp_buf_fini(&tally->text);
    *tally = (loss_tally){0};
}

// is_loss returns whether a type is one that Loupe describes.
static bool
is_loss(const jfr_metadata *metadata, const jfr_type *type)
{
    static const struct {
        const char *name;
        const char *type;
    } fields[] = {{"startTime", "long"}, {"duration", "long"}, {"kind", "java.lang.String"},
        {"amount", "long"}, {"message", "java.lang.String"}};
    enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };
    if (!type->is_event || type->field_count < FIELDS ||
        strcmp(jfr_metadata_text(metadata, type->name), "dev.loupe.Loss") != 0) {
        return false;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        if (field->type == JFR_NONE || field->is_constant || field->is_array ||
            strcmp(jfr_metadata_text(metadata, field->name), fields[i].name) != 0 ||
            strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
                fields[i].type) != 0) {
            return false;
        }
    }
    return true;
}

bool
loss_tally_is_in(const jfr_metadata *metadata)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        if (is_loss(metadata, &metadata->types.items[i])) {
            return true;
        }
    }
    return false;
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
add_loss(loss_tally *tally, jfr_cursor payload)
{
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
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        uint32_t type = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                            ? JFR_NONE
                            : jfr_metadata_find_type(metadata, event.type_id);
        if (type == JFR_NONE || !is_loss(metadata, &metadata->types.items[type])) {
            continue;
        }
        err = add_loss(tally, event.payload);
        if (err == LP_ECORRUPT) {
            return lp_problem_at(out_problem, err, (uint64_t)(event.begin - chunk.ptr),
                "an event dev.loupe.Loss that cannot be read");
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}
