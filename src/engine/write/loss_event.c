// SPDX-License-Identifier: Apache-2.0
#include "engine/write/loss_event.h"

#include "common/jfr/jfr_string.h"
#include "engine/write/own_class.h"
#include "engine/write/type_ids.h"

#include <string.h>

static const compact_own_field fields[] = {
    {"startTime", "long", "Start Time"},
    {"duration", "long", "Duration"},
    {"kind", "java.lang.String", "Kind"},
    {"amount", "long", "Amount"},
    {"message", "java.lang.String", "Message"},
};

static const compact_own_class loss_class = {
    .name = "dev.loupe.Loss",
    .label = "Loss",
    .description = "What this recording lacks although no setting dropped it: it was lost on the "
                   "way, or damaged. The amount is in the unit that the kind's name has. The time "
                   "is that of the chunk in which it was noticed.",
    .wanted_id = COMPACT_TYPE_IDS_LOSS,
    .fields = fields,
    .field_count = sizeof(fields) / sizeof(fields[0]),
};

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
append_loss(
    compact_writer *w, uint64_t type_id, const jfr_chunk_info *info, const compact_loss *loss)
{
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    jfr_varint_append(payload, compact_writer_duration_ticks(info));
    jfr_string_append(payload, slice_of(loss->kind));
    jfr_varint_append(payload, loss->amount);
    jfr_string_append(payload, slice_of(loss->message));
    compact_writer_end_event(w, type_id);
}

void
compact_loss_events_append(compact_writer *w, const jfr_chunk_info *info)
{
    const compact_options *options = w->frame->options;
    if (options->loss_count == 0) {
        return;
    }
    uint64_t type_id = compact_own_class_add(&w->classes, &loss_class);
    for (size_t i = 0; i < options->loss_count; i++) {
        append_loss(w, type_id, info, &options->losses[i]);
    }
}
