// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_owners.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdio.h>
#include <string.h>

// start_at starts a statement whose first value is the time, for a database without a server's.
static void
start_at(catalog *self, catalog_db_statement which, catalog_db_call *out_call)
{
    catalog_db_start(self, which, out_call);
    catalog_db_bind_int(out_call, lp_time_now() / 1000000);
}

static void
copy_text(catalog_db_call *call, int column, char *out, size_t out_bytes)
{
    const char *text = catalog_db_get_text(call, column);
    (void)snprintf(out, out_bytes, "%s", text == NULL ? "" : text);
}

// run_in_transaction runs a call, and commits or undoes the transaction that was begun for it.
static lp_err
run_in_transaction(catalog *self, catalog_db_call *call, uint64_t *out_changed)
{
    return catalog_db_end(self, catalog_db_run_counted(call, out_changed));
}

// --- Nodes

static lp_err
put_node(catalog *self, const catalog_node *node, int64_t lease_ms)
{
    catalog_db_call call;
    start_at(self, CATALOG_DB_PUT_NODE, &call);
    catalog_db_bind_text(&call, self->node);
    catalog_db_bind_text(&call, node->name);
    catalog_db_bind_text(&call, node->url);
    catalog_db_bind_text(&call, node->key);
    catalog_db_bind_text(&call, node->version);
    catalog_db_bind_text(&call, node->log);
    catalog_db_bind_int(&call, lease_ms);
    return catalog_db_run(&call);
}

lp_err
catalog_nodes_join(catalog *self, const catalog_node *node, int64_t lease_ms)
{
    LP_ASSERT(catalog_is_shared(self));
    lp_err err = catalog_db_begin(self);
    return err == LP_OK ? catalog_db_end(self, put_node(self, node, lease_ms)) : err;
}

static lp_err
renew(catalog *self, int64_t lease_ms)
{
    catalog_db_call call;
    start_at(self, CATALOG_DB_RENEW_NODE, &call);
    catalog_db_bind_text(&call, self->node);
    catalog_db_bind_int(&call, lease_ms);
    return catalog_db_run(&call);
}

static lp_err
look_at_node(catalog *self, bool *out_is_draining)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_FIND_NODE, &call);
    catalog_db_bind_text(&call, self->node);
    bool is_there = catalog_db_step(&call);
    *out_is_draining = is_there && catalog_db_get_int(&call, 0) != 0;
    lp_err err = catalog_db_finish(&call);
    return err == LP_OK && !is_there ? LP_ENOENT : err;
}

lp_err
catalog_nodes_renew(catalog *self, int64_t lease_ms, bool *out_is_draining)
{
    LP_ASSERT(catalog_is_shared(self));
    bool is_draining = false;
    LP_TRY(catalog_db_begin(self));
    lp_err err = renew(self, lease_ms);
    LP_THEN(err, look_at_node(self, &is_draining));
    err = catalog_db_end(self, err);
    if (err == LP_OK) {
        *out_is_draining = is_draining;
    }
    return err;
}

lp_err
catalog_nodes_find_first(catalog *self, char out_id[CATALOG_NODE_ID_CHARS + 1])
{
    catalog_db_call call;
    start_at(self, CATALOG_DB_FIRST_NODE, &call);
    out_id[0] = '\0';
    if (catalog_db_step(&call)) {
        copy_text(&call, 0, out_id, CATALOG_NODE_ID_CHARS + 1);
    }
    return catalog_db_finish(&call);
}

lp_err
catalog_nodes_list(catalog *self, void (*on_node)(void *arg, const catalog_node *node), void *arg)
{
    catalog_db_call call;
    start_at(self, CATALOG_DB_LIST_NODES, &call);
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
    catalog_db_call call;
    LP_TRY(catalog_db_begin(self));
    catalog_db_start(self, CATALOG_DB_DRAIN_NODE, &call);
    catalog_db_bind_text(&call, id_or_name);
    catalog_db_bind_int(&call, is_draining ? 1 : 0);
    return run_in_transaction(self, &call, out_count);
}

lp_err
catalog_nodes_forget(catalog *self, int64_t over_ms)
{
    catalog_db_call call;
    uint64_t count;
    LP_TRY(catalog_db_begin(self));
    start_at(self, CATALOG_DB_FORGET_NODES, &call);
    catalog_db_bind_int(&call, over_ms);
    return run_in_transaction(self, &call, &count);
}

// --- Owners

static lp_err
find_row(catalog *self, const char *session_id, bool *out_is_known)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_IS_KNOWN, &call);
    catalog_db_bind_text(&call, session_id);
    *out_is_known = catalog_db_step(&call);
    return catalog_db_finish(&call);
}

lp_err
catalog_owners_find(catalog *self, const char *session_id, catalog_owner *out_owner)
{
    catalog_db_call call;
    start_at(self, CATALOG_DB_FIND_OWNER, &call);
    catalog_db_bind_text(&call, session_id);
    bool is_there = catalog_db_step(&call);
    if (is_there) {
        copy_text(&call, 0, out_owner->node, sizeof(out_owner->node));
        out_owner->term = catalog_db_get_uint(&call, 1);
        out_owner->is_there = catalog_db_get_int(&call, 2) != 0;
        copy_text(&call, 3, out_owner->url, sizeof(out_owner->url));
        copy_text(&call, 4, out_owner->key, sizeof(out_owner->key));
        out_owner->is_running = catalog_db_get_int(&call, 5) != 0;
    }
    lp_err err = catalog_db_finish(&call);
    if (err != LP_OK || is_there) {
        return err;
    }
    err = find_row(self, session_id, &out_owner->is_known);
    return err == LP_OK ? LP_ENOENT : err;
}

static lp_err
take(catalog *self, const char *session_id)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_TAKE_OWNER, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_text(&call, self->node);
    return catalog_db_run(&call);
}

static lp_err
get_term(catalog *self, const char *session_id, uint64_t *out_term)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_GET_TERM, &call);
    catalog_db_bind_text(&call, session_id);
    *out_term = catalog_db_step(&call) ? catalog_db_get_uint(&call, 0) : 0;
    return catalog_db_finish(&call);
}

static lp_err
is_removed(catalog *self, const char *session_id, bool *out_is_removed)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_IS_REMOVED, &call);
    catalog_db_bind_text(&call, session_id);
    *out_is_removed = catalog_db_step(&call);
    return catalog_db_finish(&call);
}

// release gives back what was taken of a session that is being removed.
static lp_err
release(catalog *self, const char *session_id)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_RELEASE_OWNER, &call);
    catalog_db_bind_text(&call, session_id);
    return catalog_db_run(&call);
}

// take_one takes a session first: from then on nobody begins to remove it.
static lp_err
take_one(catalog *self, catalog_own *session)
{
    bool is_leaving = false;
    session->term = 0;
    lp_err err = take(self, session->session_id);
    LP_THEN(err, is_removed(self, session->session_id, &is_leaving));
    if (err == LP_OK && is_leaving) {
        return release(self, session->session_id);
    }
    return err == LP_OK ? get_term(self, session->session_id, &session->term) : err;
}

lp_err
catalog_owners_take_all(catalog *self, catalog_own *sessions, size_t count)
{
    LP_ASSERT(catalog_is_shared(self));
    lp_err err = catalog_db_begin(self);
    if (err != LP_OK) {
        return err;
    }
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
    catalog_db_call call;
    start_at(self, CATALOG_DB_LIST_RUNNING, &call);
    while (catalog_db_step(&call)) {
        const catalog_running session = {
            .id = catalog_db_get_text(&call, 0),
            .service = catalog_db_get_text(&call, 1),
            .instance = catalog_db_get_text(&call, 2),
            .heard_wall_ns = catalog_db_get_int(&call, 3),
            .term = catalog_db_get_uint(&call, 4),
            .node = catalog_db_get_text(&call, 5),
            .is_there = catalog_db_get_int(&call, 6) != 0,
        };
        if (call.err == LP_OK) {
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
    catalog_db_start(self, CATALOG_DB_LIST_OWN, &call);
    catalog_db_bind_text(&call, self->node);
    while (catalog_db_step(&call)) {
        const char *session_id = catalog_db_get_text(&call, 0);
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
    start_at(self, CATALOG_DB_LIST_LEFT, &call);
    catalog_db_bind_int(&call, over_ms);
    catalog_db_bind_uint(&call, count_max);
    while (catalog_db_step(&call)) {
        const char *session_id = catalog_db_get_text(&call, 0);
        if (session_id != NULL) {
            on_session(arg, session_id);
        }
    }
    return catalog_db_finish(&call);
}
