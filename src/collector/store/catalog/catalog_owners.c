// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_owners.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdio.h>
#include <string.h>

// now_ms returns the value by which a database without a server has the time.
static catalog_db_value
now_ms(void)
{
    return catalog_db_int(lp_time_now() / 1000000);
}

// --- Nodes

lp_err
catalog_nodes_join(catalog *self, const catalog_node *node, int64_t lease_ms)
{
    LP_ASSERT(catalog_is_shared(self));
    return CATALOG_DB_WRITE(self, PUT_NODE, now_ms(), catalog_db_text(self->node),
        catalog_db_text(node->name), catalog_db_text(node->url), catalog_db_text(node->key),
        catalog_db_text(node->version), catalog_db_text(node->log), catalog_db_int(lease_ms));
}

static lp_err
read_is_draining(catalog *self, bool *out_is_draining)
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIND_NODE, &call, catalog_db_text(self->node));
    bool is_there = catalog_db_step(&call);
    *out_is_draining = is_there && catalog_db_get_int(&call, 0) != 0;
    return catalog_db_finish_row(&call, is_there);
}

lp_err
catalog_nodes_renew(catalog *self, int64_t lease_ms, bool *out_is_draining)
{
    LP_ASSERT(catalog_is_shared(self));
    bool is_draining = false;
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(
        self, RENEW_NODE, now_ms(), catalog_db_text(self->node), catalog_db_int(lease_ms));
    LP_THEN(err, read_is_draining(self, &is_draining));
    LP_TRY(catalog_db_end(self, err));
    *out_is_draining = is_draining;
    return LP_OK;
}

lp_err
catalog_nodes_find_first(catalog *self, char out_id[CATALOG_NODE_ID_CHARS + 1])
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIRST_NODE, &call, now_ms());
    out_id[0] = '\0';
    if (catalog_db_step(&call)) {
        catalog_db_copy_text(&call, 0, out_id, CATALOG_NODE_ID_CHARS + 1);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_nodes_list(catalog *self, void (*on_node)(void *arg, const catalog_node *node), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_NODES, &call, now_ms());
    while (catalog_db_step(&call)) {
        const catalog_node node = {
            .id = catalog_db_get_text(&call, 0),
            .name = catalog_db_get_text(&call, 1),
            .url = catalog_db_get_text(&call, 2),
            .key = catalog_db_get_text(&call, 3),
            .version = catalog_db_get_text(&call, 4),
            .is_draining = catalog_db_get_int(&call, 5) != 0,
            .left_ms = catalog_db_get_int(&call, 6),
            .sessions = catalog_db_get_uint(&call, 7),
            .log = catalog_db_get_text(&call, 8),
        };
        if (call.err == LP_OK) {
            on_node(arg, &node);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_nodes_drain(catalog *self, const char *id_or_name, bool is_draining, uint64_t *out_count)
{
    return catalog_db_write(self, CATALOG_DB_DRAIN_NODE,
        CATALOG_DB_VALUES(catalog_db_text(id_or_name), catalog_db_int(is_draining)), out_count);
}

lp_err
catalog_nodes_forget(catalog *self, int64_t over_ms)
{
    return CATALOG_DB_WRITE(self, FORGET_NODES, now_ms(), catalog_db_int(over_ms));
}

// --- Owners

static lp_err
has_row(catalog *self, catalog_db_statement which, const char *session_id, bool *out_has_row)
{
    catalog_db_call call;
    catalog_db_start_values(self, which, CATALOG_DB_VALUES(catalog_db_text(session_id)), &call);
    *out_has_row = catalog_db_step(&call);
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_find(catalog *self, const char *session_id, catalog_owner *out_owner)
{
    catalog_db_call call;
    CATALOG_DB_START(self, FIND_OWNER, &call, now_ms(), catalog_db_text(session_id));
    bool is_there = catalog_db_step(&call);
    if (is_there) {
        catalog_db_copy_text(&call, 0, out_owner->node, sizeof(out_owner->node));
        out_owner->term = catalog_db_get_uint(&call, 1);
        out_owner->is_there = catalog_db_get_int(&call, 2) != 0;
        catalog_db_copy_text(&call, 3, out_owner->url, sizeof(out_owner->url));
        catalog_db_copy_text(&call, 4, out_owner->key, sizeof(out_owner->key));
        out_owner->is_running = catalog_db_get_int(&call, 5) != 0;
    }
    lp_err err = catalog_db_finish(&call);
    if (err != LP_OK || is_there) {
        return err;
    }
    LP_TRY(has_row(self, CATALOG_DB_IS_KNOWN, session_id, &out_owner->is_known));
    return LP_ENOENT;
}

static lp_err
get_term(catalog *self, const char *session_id, uint64_t *out_term)
{
    catalog_db_call call;
    CATALOG_DB_START(self, GET_TERM, &call, catalog_db_text(session_id));
    *out_term = catalog_db_step(&call) ? catalog_db_get_uint(&call, 0) : 0;
    return catalog_db_finish(&call);
}

// take_one takes a session before it looks for a removal: afterwards no removal of it can begin.
static lp_err
take_one(catalog *self, catalog_own *session)
{
    const catalog_db_value id = catalog_db_text(session->session_id);
    bool is_removed = false;
    session->term = 0;
    lp_err err = CATALOG_DB_RUN(self, TAKE_OWNER, id, catalog_db_text(self->node));
    LP_THEN(err, has_row(self, CATALOG_DB_IS_REMOVED, session->session_id, &is_removed));
    if (err == LP_OK && is_removed) {
        return CATALOG_DB_RUN(self, RELEASE_OWNER, id);
    }
    return err == LP_OK ? get_term(self, session->session_id, &session->term) : err;
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

// get_id returns the id in the first column; NULL if it is not one: somebody changed the catalog.
static const char *
get_id(catalog_db_call *call)
{
    const char *id = catalog_db_get_text(call, 0);
    return id != NULL && catalog_id_is_valid(id) ? id : NULL;
}

lp_err
catalog_owners_list_running(
    catalog *self, void (*on_session)(void *arg, const catalog_running *session), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_RUNNING, &call, now_ms());
    while (catalog_db_step(&call)) {
        const catalog_running session = {
            .id = get_id(&call),
            .service = catalog_db_get_text(&call, 1),
            .instance = catalog_db_get_text(&call, 2),
            .heard_wall_ns = catalog_db_get_int(&call, 3),
            .term = catalog_db_get_uint(&call, 4),
            .node = catalog_db_get_text(&call, 5),
            .is_there = catalog_db_get_int(&call, 6) != 0,
        };
        if (call.err == LP_OK && session.id != NULL) {
            on_session(arg, &session);
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_list_own(
    catalog *self, void (*on_session)(void *arg, const char *session_id, uint64_t term), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_OWN, &call, catalog_db_text(self->node));
    while (catalog_db_step(&call)) {
        const char *session_id = get_id(&call);
        if (session_id != NULL) {
            on_session(arg, session_id, catalog_db_get_uint(&call, 1));
        }
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_list_left(catalog *self, int64_t over_ms, size_t count_max,
    void (*on_session)(void *arg, const char *session_id), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(
        self, LIST_LEFT, &call, now_ms(), catalog_db_int(over_ms), catalog_db_uint(count_max));
    while (catalog_db_step(&call)) {
        const char *session_id = get_id(&call);
        if (session_id != NULL) {
            on_session(arg, session_id);
        }
    }
    return catalog_db_finish(&call);
}
