// SPDX-License-Identifier: Apache-2.0
#include "offline/request_tally.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"

#include <string.h>

// is_account returns whether a type is one that Loupe describes.
static bool
is_account(const jfr_metadata *metadata, const jfr_type *type)
{
    static const char *const fields[] = {
        "startTime",
        "duration",
        "offered",
        "kept",
#define COMPACT_REQUEST_LOSS(id, field, label) field,
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
    };
    enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };
    if (!type->is_event || type->field_count < FIELDS ||
        strcmp(jfr_metadata_text(metadata, type->name), "dev.loupe.RequestAccounting") != 0) {
        return false;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        if (field->type == JFR_NONE || field->is_constant || field->is_array ||
            strcmp(jfr_metadata_text(metadata, field->name), fields[i]) != 0 ||
            strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name), "long") !=
                0) {
            return false;
        }
    }
    return true;
}

bool
request_tally_is_in(const jfr_metadata *metadata)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        if (is_account(metadata, &metadata->types.items[i])) {
            return true;
        }
    }
    return false;
}

// add_account adds an event. False if it cannot be read.
static bool
add_account(request_tally *tally, jfr_cursor payload)
{
    uint64_t offered;
    uint64_t kept;
    compact_request_losses losses;
    bool is_whole = jfr_varint_skip_many(&payload, 2) && // startTime, duration
                    jfr_varint_read(&payload, &offered) && jfr_varint_read(&payload, &kept) &&
                    kept <= offered;
#define COMPACT_REQUEST_LOSS(id, field, label)                                                     \
    is_whole = is_whole && jfr_varint_read(&payload, &losses.id);
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
    if (is_whole) {
        tally->offered += offered;
        tally->kept += kept;
        compact_request_losses_add(&tally->losses, &losses);
    }
    return is_whole;
}

lp_err
request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        uint32_t type = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                            ? JFR_NONE
                            : jfr_metadata_find_type(metadata, event.type_id);
        if (type == JFR_NONE || !is_account(metadata, &metadata->types.items[type])) {
            continue;
        }
        if (!add_account(tally, event.payload)) {
            return lp_problem_at(out_problem, LP_ECORRUPT, (uint64_t)(event.begin - chunk.ptr),
                "an event dev.loupe.RequestAccounting that cannot be read");
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}
