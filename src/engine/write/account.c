// SPDX-License-Identifier: Apache-2.0
#include "engine/write/account.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 64 }; // a key, a number and a NUL

compact_dropped
compact_account_of_type(const compact_view *view, uint32_t type, const compact_amount *kept)
{
    compact_dropped dropped = view->dropped[type];
    LP_ASSERT(kept->events <= view->amounts[type].events);
    uint64_t left = view->amounts[type].events - kept->events;
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        dropped.by[i] = dropped.by[i] < left ? dropped.by[i] : left;
        left -= dropped.by[i];
    }
    dropped.by[COMPACT_BY_SELECT] += left;
    return dropped;
}

bool
compact_account_is_over(const compact_frame *frame, const compact_context *context, size_t index)
{
    const compact_carry *carry = frame->carry;
    bool was_over = carry != NULL && index < carry->contexts.items.count &&
                    carry->contexts.items.items[index].end < carry->border_ticks;
    return context->end < frame->window.hi && !was_over;
}

void
compact_account_contexts(const compact_frame *frame, const compact_contexts *known,
    const compact_parts *parts, compact_dropped *out_by_type)
{
    const compact_context *judged = frame->contexts->items.items;
    LP_ASSERT(known->items.count <= frame->contexts->items.count);
    size_t next = 0;
    for (size_t i = 0; i < known->items.count; i++) {
        const compact_context *context = &known->items.items[i];
        bool is_kept = context->is_written || compact_parts_find(parts, &next, i) != NULL;
        if (!is_kept && compact_account_is_over(frame, context, i)) {
            size_t type = ctx_type_find(frame->types, frame->type_count, context->type_id);
            compact_reason reason = judged[i].is_ignored ? judged[i].ignored_by : COMPACT_BY_SELECT;
            out_by_type[type].by[reason]++;
        }
    }
}

static void
append_name(lp_buf *out, const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        if ((uint8_t)*c <= ' ' || *c == 0x7f || *c == ';' || *c == '%') {
            char escaped[4];
            (void)snprintf(escaped, sizeof(escaped), "%%%02X", (uint8_t)*c);
            lp_buf_append(out, escaped, strlen(escaped));
        } else {
            lp_buf_append(out, c, 1);
        }
    }
}

static void
append_number(lp_buf *out, const char *key, uint64_t number)
{
    char text[NUMBER_BYTES];
    if (number > 0) {
        (void)snprintf(text, sizeof(text), " %s=%" PRIu64, key, number);
        lp_buf_append(out, text, strlen(text));
    }
}

void
compact_account_add(
    compact_account *account, const char *type_name, uint64_t kept, const compact_dropped *dropped)
{
    LP_ASSERT(type_name != NULL);
    uint64_t dropped_sum = compact_dropped_sum(dropped);
    lp_buf *out = &account->types;
    if (dropped_sum == 0) {
        return;
    }
    lp_buf_append(out, "; ", out->len > 0 ? 2 : 0);
    append_name(out, type_name);
    append_number(out, "offered", kept + dropped_sum);
    append_number(out, "kept", kept);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        append_number(out, compact_reason_field((compact_reason)i), dropped->by[i]);
    }
    account->kept += kept;
    compact_dropped_add(&account->dropped, dropped);
}

void
compact_account_fini(compact_account *account)
{
    lp_buf_fini(&account->types);
    *account = (compact_account){0};
}
