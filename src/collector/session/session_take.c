// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_take.h"

#include "collector/base/metrics.h"
#include "collector/journal/journal_list.h"
#include "collector/session/session_log.h"
#include "collector/session/session_settle.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// forget_earlier deletes the state of an earlier term of a session.
static lp_err
forget_earlier(sessions *all, const char *session_id)
{
    session *s = sessions_find(all, session_id);
    if (s != NULL) {
        session_note_lost(s);
        return sessions_remove(all, s) ? LP_OK : LP_EAGAIN;
    }
    return journal_list_remove(all->dir, session_id);
}

// take_from takes a session that another node, or nobody, owns.
static lp_err
take_from(sessions *all, const char *session_id, const char *before, uint64_t *out_term)
{
    lp_err err = forget_earlier(all, session_id);
    LP_THEN(err, catalog_owners_take(all->catalog, session_id, out_term));
    if (err == LP_OK && before[0] != '\0') {
        metrics_add(METRICS_sessions_taken, 1);
        lp_log(session_log_get_level(&all->log, SESSION_LOG_TAKEN),
            "session %s: taken from node %s, term %" PRIu64, session_id, before, *out_term);
    }
    return err;
}

lp_err
session_own(sessions *all, const char *session_id, uint64_t *out_term)
{
    catalog *of = all->catalog;
    if (!catalog_is_shared(of)) {
        *out_term = 0;
        return LP_OK;
    }
    catalog_owner owner = {.node = ""};
    lp_err err = catalog_owners_find(of, session_id, &owner);
    LP_REQUIRE(err == LP_OK || err == LP_ENOENT, err);
    const session *s = sessions_find(all, session_id);
    bool is_own = strcmp(owner.node, catalog_get_node(of)) == 0;
    if (is_own && (s == NULL || (s->standing != SESSION_LOST && s->row.term == owner.term))) {
        *out_term = owner.term;
        return LP_OK;
    }
    return take_from(all, session_id, owner.node, out_term);
}

lp_err
session_take(sessions *all, const char *session_id, session **out_session, uint64_t *out_term)
{
    *out_term = 0;
    LP_TRY(session_own(all, session_id, out_term));
    bool was_here = sessions_find(all, session_id) != NULL;
    lp_err err = sessions_load(all, session_id, out_session);
    if (err != LP_OK || was_here || *out_term == 0) {
        return err;
    }
    session *s = *out_session;
    s->row.term = *out_term;
    if (!session_has_ended(s)) {
        session_count_recovered(s);
    }
    session_note_stored(s);
    return LP_OK;
}

// --- Sessions of nodes that have left

typedef struct left_list {
    char ids[SESSION_TAKE_AT_ONCE][CATALOG_ID_CHARS + 1];
    size_t count;
} left_list;

static void
note_left(void *arg, const char *session_id)
{
    left_list *list = arg;
    LP_ASSERT(list->count <= SESSION_TAKE_AT_ONCE);
    if (list->count < SESSION_TAKE_AT_ONCE) {
        (void)snprintf(list->ids[list->count++], sizeof(list->ids[0]), "%s", session_id);
    }
}

static void
take_left(sessions *all, const char *session_id, uint64_t now_ms)
{
    session *s;
    uint64_t term;
    lp_err err = session_take(all, session_id, &s, &term);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "session %s: cannot be taken from its node: %s", session_id,
            lp_err_reason(err));
        return;
    }
    s->heard_ms = now_ms;
    sessions_save(all, s);
}

void
session_take_left(sessions *all, uint64_t over_ms, uint64_t now_ms)
{
    left_list list = {.count = 0};
    lp_err err = catalog_owners_list_left(
        all->catalog, (int64_t)over_ms, SESSION_TAKE_AT_ONCE, note_left, &list);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "cannot list the sessions of stopped nodes: %s", lp_err_reason(err));
    }
    for (size_t i = 0; i < list.count && err == LP_OK; i++) {
        take_left(all, list.ids[i], now_ms);
    }
}
