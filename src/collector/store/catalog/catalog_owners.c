// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_owners.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdio.h>

// now_ms returns the value by which a database without a server has the time.
static int64_t
now_ms(void)
{
    return lp_time_now() / 1000000;
}

// --- Nodes

lp_err
catalog_nodes_join(catalog *self, const catalog_node *node, int64_t lease_ms)
{
    LP_ASSERT(catalog_is_shared(self));
    return CATALOG_DB_WRITE(self, PUT_NODE, now_ms(), self->node, node->name, node->url, node->key,
        node->version, node->log, lease_ms);
}

static lp_err
read_is_draining(catalog *self, bool *out_is_draining)
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIND_NODE, &call, self->node);
    return catalog_db_finish_row(&call, CATALOG_DB_NEXT(&call, out_is_draining));
}

lp_err
catalog_nodes_renew(catalog *self, int64_t lease_ms, bool *out_is_draining)
{
    LP_ASSERT(catalog_is_shared(self));
    bool is_draining = false;
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, RENEW_NODE, now_ms(), self->node, lease_ms);
    LP_THEN(err, read_is_draining(self, &is_draining));
    LP_TRY(catalog_db_end(self, err));
    *out_is_draining = is_draining;
    return LP_OK;
}

lp_err
catalog_nodes_find_first(catalog *self, char out_id[CATALOG_NODE_ID_CHARS + 1])
{
    catalog_db_call call;
    catalog_db_chars id = {out_id, CATALOG_NODE_ID_CHARS + 1};
    CATALOG_DB_START(self, FIRST_NODE, &call, now_ms());
    out_id[0] = '\0';
    (void)CATALOG_DB_NEXT(&call, &id);
    return catalog_db_finish(&call);
}

lp_err
catalog_nodes_list(catalog *self, void (*on_node)(void *arg, const catalog_node *node), void *arg)
{
    LP_ASSERT(on_node != NULL);
    catalog_db_call call;
    catalog_node node;
    CATALOG_DB_START(self, LIST_NODES, &call, now_ms());
    while (CATALOG_DB_NEXT(&call, &node.id, &node.name, &node.url, &node.key, &node.version,
        &node.is_draining, &node.left_ms, &node.sessions, &node.log)) {
        on_node(arg, &node);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_nodes_drain(catalog *self, const char *id_or_name, bool is_draining, uint64_t *out_count)
{
    return catalog_db_write(
        self, CATALOG_DB_DRAIN_NODE, CATALOG_DB_VALUES(id_or_name, is_draining), out_count);
}

lp_err
catalog_nodes_forget(catalog *self, int64_t over_ms)
{
    return CATALOG_DB_WRITE(self, FORGET_NODES, now_ms(), over_ms);
}

// --- Owners

static lp_err
has_row_of(catalog *self, catalog_db_statement which, const char *session_id, bool *out_has_row)
{
    catalog_db_call call;
    catalog_db_start(self, which, CATALOG_DB_VALUES(session_id), &call);
    *out_has_row = catalog_db_step(&call);
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_find(catalog *self, const char *session_id, catalog_owner *out_owner)
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIND_OWNER, &call, now_ms(), session_id);
    bool has_row = CATALOG_DB_NEXT(&call, CATALOG_DB_CHARS(out_owner->node), &out_owner->term,
        &out_owner->is_there, CATALOG_DB_CHARS(out_owner->url), CATALOG_DB_CHARS(out_owner->key),
        &out_owner->is_running);
    lp_err err = catalog_db_finish_row(&call, has_row);
    if (err == LP_ENOENT) {
        LP_TRY(has_row_of(self, CATALOG_DB_IS_KNOWN, session_id, &out_owner->is_known));
    }
    return err;
}

static lp_err
get_term(catalog *self, const char *session_id, uint64_t *out_term)
{
    catalog_db_call call;
    CATALOG_DB_START(self, GET_TERM, &call, session_id);
    *out_term = 0;
    (void)CATALOG_DB_NEXT(&call, out_term);
    return catalog_db_finish(&call);
}

// take_one takes a session before it looks for a removal: afterwards no removal of it can begin.
static lp_err
take_one(catalog *self, catalog_own *session)
{
    catalog_db_check_begun(self);
    const char *id = session->session_id;
    bool is_removed = false;
    session->term = 0;
    lp_err err = CATALOG_DB_RUN(self, TAKE_OWNER, id, self->node);
    LP_THEN(err, has_row_of(self, CATALOG_DB_IS_REMOVED, id, &is_removed));
    if (err == LP_OK && is_removed) {
        return CATALOG_DB_RUN(self, RELEASE_OWNER, id);
    }
    return err == LP_OK ? get_term(self, id, &session->term) : err;
}

lp_err
catalog_owners_take_all(catalog *self, catalog_own *sessions, size_t count)
{
    LP_ASSERT(catalog_is_shared(self));
    LP_TRY(catalog_db_begin(self));
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = take_one(self, &sessions[i]);
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_owners_take(catalog *self, const char *session_id, uint64_t *out_term)
{
    catalog_own session;
    (void)snprintf(session.session_id, sizeof(session.session_id), "%s", session_id);
    LP_TRY(catalog_owners_take_all(self, &session, 1));
    *out_term = session.term;
    return session.term == 0 ? LP_EAGAIN : LP_OK;
}

lp_err
catalog_owners_list_running(
    catalog *self, void (*on_session)(void *arg, const catalog_running *session), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    catalog_running session;
    CATALOG_DB_START(self, LIST_RUNNING, &call, now_ms());
    while (CATALOG_DB_NEXT(&call, &session.id, &session.service, &session.instance,
        &session.heard_wall_ns, &session.term, &session.node, &session.is_there)) {
        if (catalog_id_is_valid(session.id)) { // else somebody changed the catalog; as below
            on_session(arg, &session);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_list_own(
    catalog *self, void (*on_session)(void *arg, const char *session_id, uint64_t term), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    const char *id;
    uint64_t term;
    CATALOG_DB_START(self, LIST_OWN, &call, self->node);
    while (CATALOG_DB_NEXT(&call, &id, &term)) {
        if (catalog_id_is_valid(id)) {
            on_session(arg, id, term);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_list_left(catalog *self, int64_t over_ms, size_t count_max,
    void (*on_session)(void *arg, const char *session_id), void *arg)
{
    LP_ASSERT(on_session != NULL);
    catalog_db_call call;
    const char *id;
    CATALOG_DB_START(self, LIST_LEFT, &call, now_ms(), over_ms, count_max);
    while (CATALOG_DB_NEXT(&call, &id)) {
        if (catalog_id_is_valid(id)) {
            on_session(arg, id);
        }
    }
    return catalog_db_finish(&call);
}
