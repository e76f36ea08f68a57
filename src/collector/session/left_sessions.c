// SPDX-License-Identifier: Apache-2.0

#include "collector/session/left_sessions.h"

#include "collector/session/session_take.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_log.h"

#include <stdio.h>

typedef struct left_list {
    char ids[LEFT_SESSIONS_AT_ONCE][CATALOG_ID_CHARS + 1];
    size_t count;
} left_list;

static void
note_left(void *arg, const char *session_id)
{
    left_list *list = arg;
    if (list->count < LEFT_SESSIONS_AT_ONCE) {
        (void)snprintf(list->ids[list->count++], sizeof(list->ids[0]), "%s", session_id);
    }
}

static void
take(sessions *all, const char *session_id, uint64_t now_ms)
{
    session *s;
    uint64_t term;
    lp_err err = session_take(all, session_id, &s, &term);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: cannot be taken: %s", session_id, lp_err_reason(err));
        return;
    }
    s->heard_ms = now_ms;
    sessions_save(all, s);
}

void
left_sessions_take(sessions *all, uint64_t over_ms, uint64_t now_ms)
{
    left_list list = {.count = 0};
    lp_err err = catalog_owners_list_left(
        sessions_get_catalog(all), (int64_t)over_ms, LEFT_SESSIONS_AT_ONCE, note_left, &list);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "sessions that are left cannot be listed: %s", lp_err_reason(err));
    }
    for (size_t i = 0; i < list.count && err == LP_OK; i++) {
        take(all, list.ids[i], now_ms);
    }
}
