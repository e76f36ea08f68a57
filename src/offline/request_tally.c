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
    if (!is_whole) {
        return LP_ECORRUPT;
    }
    tally->offered += offered;
    tally->kept += kept;
    compact_request_losses_add(&tally->losses, &losses);
    return LP_OK;
}

lp_err
request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return own_events_each(metadata, &account, chunk, add_account, tally, out_problem);
}
