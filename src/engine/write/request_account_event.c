// SPDX-License-Identifier: Apache-2.0
#include "engine/write/request_account_event.h"

#include "engine/requests/requests.h"
#include "engine/write/own_class.h"
#include "engine/write/type_ids.h"

static const compact_own_field fields[] = {
    {"startTime", "long", "Start Time"},
    {"duration", "long", "Duration"},
    {"offered", "long", "Offered"},
    {"kept", "long", "Kept"},
#define COMPACT_REQUEST_LOSS(id, field, label) {field, "long", label},
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
#define COMPACT_REQUEST_KEPT(id, name, field, label)    {field, "long", label},
#define COMPACT_REQUEST_DROPPED(id, name, field, label) {field, "long", label},
#include "engine/request_reasons.def"
#undef COMPACT_REQUEST_KEPT
#undef COMPACT_REQUEST_DROPPED
};

static const compact_own_class own = {
    .name = COMPACT_REQUEST_ACCOUNT_EVENT,
    .label = "Request Accounting",
    .description = "How many requests ended in a chunk of the JVM's recording (offered), how many "
                   "of them are in this recording (kept), and what was missing of requests. The "
                   "time is that of the chunk.",
    .wanted_id = COMPACT_TYPE_IDS_REQUEST_ACCOUNT,
    .fields = fields,
    .field_count = sizeof(fields) / sizeof(fields[0]),
};

static void
append(compact_writer *w, const jfr_chunk_info *info, const compact_request_counts *counts,
    const compact_requests *requests)
{
    const compact_request_losses *losses = &requests->losses;
    const compact_request_reasons reasons = compact_requests_count_reasons(requests);
    uint64_t type_id = compact_own_class_add(&w->classes, &own);
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    jfr_varint_append(payload, compact_writer_duration_ticks(info));
    jfr_varint_append(payload, counts->in);
    jfr_varint_append(payload, counts->out);
#define COMPACT_REQUEST_LOSS(id, field, label) jfr_varint_append(payload, losses->id);
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        jfr_varint_append(payload, reasons.kept[i]);
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        jfr_varint_append(payload, reasons.dropped[i]);
    }
    compact_writer_end_event(w, type_id);
}

void
compact_request_account_event_append(compact_writer *w, const jfr_chunk_info *info)
{
    const compact_requests *requests = w->decided->requests;
    if (requests == NULL) {
        return;
    }
    compact_request_counts counts = compact_requests_count(requests);
    if (counts.in > 0 || compact_request_losses_sum(&requests->losses) > 0) {
        append(w, info, &counts, requests);
    }
}
