// SPDX-License-Identifier: Apache-2.0
#include "engine/write/account_event.h"

#include "common/jfr/jfr_string.h"
#include "engine/write/account.h"
#include "engine/write/accounting_class.h"
#include "engine/write/context_class.h"

static void
append_account(compact_writer *w, const jfr_chunk_info *info, const compact_account *account)
{
    uint64_t type_id = compact_accounting_class_add(&w->classes);
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    jfr_varint_append(payload, compact_writer_duration_ticks(info));
    jfr_varint_append(payload, account->kept + compact_dropped_sum(&account->dropped));
    jfr_varint_append(payload, account->kept);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        jfr_varint_append(payload, account->dropped.by[i]);
    }
    jfr_string_append(payload, lp_buf_slice(&account->types));
    compact_writer_end_event(w, type_id);
}

static void
add_types(const compact_writer *w, compact_account *account)
{
    const compact_view *view = w->view;
    const jfr_metadata *metadata = &view->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const compact_dropped dropped = compact_account_of_type(view, i, &w->out->by_type[i]);
        compact_account_add(account, jfr_metadata_text(metadata, metadata->types.items[i].name),
            w->out->by_type[i].events, &dropped);
    }
    for (size_t i = 0; i < w->frame->type_count; i++) {
        const compact_dropped dropped =
            compact_account_of_contexts(&w->decided->contexts_gone[i], w->out->lost_contexts[i]);
        compact_account_add(account, compact_context_class_name(w->arena, &w->decided->types[i]),
            w->out->by_context[i].events, &dropped);
    }
}

void
compact_account_event_append(compact_writer *w, const jfr_chunk_info *info)
{
    compact_account account = {0};
    add_types(w, &account);
    if (account.types.len > 0) {
        append_account(w, info, &account);
    }
    w->out->jfr.is_failed |= account.types.is_failed;
    compact_account_fini(&account);
}
