// SPDX-License-Identifier: Apache-2.0
#include "engine/write/account_event.h"

#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_name.h"
#include "common/jfr/jfr_string.h"
#include "engine/write/account.h"
#include "engine/write/accounting_class.h"

static uint64_t
account_duration_ticks(const jfr_chunk_info *info)
{
    __int128 ticks = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    bool is_sane =
        ticks >= 0 && ticks <= INT64_MAX - (info->start_ticks > 0 ? info->start_ticks : 0);
    return is_sane ? (uint64_t)ticks : 0;
}

static lp_err
append_account(compact_writer *w, const jfr_chunk_info *info, const compact_account *account)
{
    uint64_t type_id;
    lp_err err = compact_accounting_class_add(&w->classes, &type_id);
    if (err != LP_OK) {
        return err;
    }
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    jfr_varint_append(payload, account_duration_ticks(info));
    jfr_varint_append(payload, account->kept + compact_dropped_sum(&account->dropped));
    jfr_varint_append(payload, account->kept);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        jfr_varint_append(payload, account->dropped.by[i]);
    }
    jfr_string_append(payload, lp_buf_slice(&account->types));
    jfr_event_append(&w->out->jfr, type_id, lp_buf_slice(payload));
    return lp_buf_check(payload);
}

static lp_err
add_contexts(const compact_writer *w, size_t type, compact_account *account)
{
    const compact_dropped dropped =
        compact_account_of_contexts(&w->decided->contexts_gone[type], w->out->lost_contexts[type]);
    lp_buf name = {0}; // as compact_context_class_add names it
    jfr_type_name_append(&name, w->decided->types[type].name);
    lp_buf_append(&name, "", 1);
    lp_err err = lp_buf_check(&name);
    if (err == LP_OK) {
        compact_account_add(
            account, (const char *)name.ptr, w->out->by_context[type].events, &dropped);
    }
    lp_buf_fini(&name);
    return err;
}

static lp_err
add_types(const compact_writer *w, compact_account *account)
{
    const compact_view *view = w->view;
    const jfr_metadata *metadata = &view->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const compact_dropped dropped = compact_account_of_type(view, i, &w->out->by_type[i]);
        compact_account_add(account, jfr_metadata_text(metadata, metadata->types.items[i].name),
            w->out->by_type[i].events, &dropped);
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < w->frame->type_count && err == LP_OK; i++) {
        err = add_contexts(w, i, account);
    }
    return err == LP_OK ? lp_buf_check(&account->types) : err;
}

lp_err
compact_account_event_append(compact_writer *w, const jfr_chunk_info *info)
{
    compact_account account = {0};
    lp_err err = add_types(w, &account);
    if (err == LP_OK && account.types.len > 0) {
        err = append_account(w, info, &account);
    }
    compact_account_fini(&account);
    return err;
}
