// SPDX-License-Identifier: Apache-2.0
#include "offline/request_tally.h"

#include "offline/own_events.h"

static const own_events_field fields[] = {
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

static const own_events_type account = {
    "dev.loupe.RequestAccounting", fields, sizeof(fields) / sizeof(fields[0])};

bool
request_tally_is_in(const jfr_metadata *metadata)
{
    return own_events_are_in(metadata, &account);
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
    return own_events_each(metadata, &account, chunk, add_account, tally, out_problem);
}
