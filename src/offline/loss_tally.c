// SPDX-License-Identifier: Apache-2.0
#include "offline/loss_tally.h"

#include "common/jfr/jfr_string.h"
#include "offline/own_events.h"

#include <stdio.h>
#include <string.h>

static const own_events_field fields[] = {{"startTime", "long"}, {"duration", "long"},
    {"kind", "java.lang.String"}, {"amount", "long"}, {"message", "java.lang.String"}};

static const own_events_type loss = {"dev.loupe.Loss", fields, sizeof(fields) / sizeof(fields[0])};

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
