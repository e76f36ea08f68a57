// SPDX-License-Identifier: Apache-2.0
// catalog_owners: the collectors that share a catalog (nodes), and the node that owns each session.
// Each new owner of a session gets a higher term. A write of catalog.h to a session passes the term
// (catalog_session.term), and fails if the session has another owner by now. So a collector that
// was stopped for a while, or has a wrong clock, does no harm: the database decides.
//
// A node renews its lease. If the lease expires, the node keeps its sessions, but other nodes may
// take them.
//
// Leases use the clock of PostgreSQL's server. In SQLite (for tests) all nodes are on one machine
// and use its clock.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_owners.c
// Errors:  as the catalog.

#pragma once

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CATALOG_NODE_NAME_BYTES_MAX = 128,
    CATALOG_NODE_URL_BYTES_MAX = 512,
    CATALOG_NODE_KEY_CHARS = 64,
    CATALOG_NODE_LOG_BYTES_MAX = 600,
};

// Strings are never NULL.
typedef struct catalog_node {
    const char *id;      // CATALOG_NODE_ID_CHARS in lower-case hex
    const char *name;    // for people; two nodes may have the same
    const char *url;     // of its HTTP server, for the other nodes
    const char *key;     // with which the other nodes authenticate
    const char *version; // of its program
    const char *log;     // the log from which it reads batches; "": its own journals
    bool is_draining;    // its agents move to other nodes
    // For reading only.
    int64_t left_ms;   // time left of its lease; negative: time since it expired
    uint64_t sessions; // running sessions that the node owns
} catalog_node;

// catalog_nodes_join writes the row of the catalog's own node: not draining, with a lease of
// lease_ms from now on.
LP_MUST_USE lp_err catalog_nodes_join(catalog *catalog, const catalog_node *self, int64_t lease_ms);

// catalog_nodes_renew renews the lease of the catalog's own node for lease_ms from now on; 0 ends
// the lease. Errors: LP_ENOENT if the node's row was deleted
LP_MUST_USE lp_err catalog_nodes_renew(catalog *catalog, int64_t lease_ms, bool *out_is_draining);

// catalog_nodes_find_first writes the lowest id of the nodes with a valid lease; "" if there is
// none.
LP_MUST_USE lp_err catalog_nodes_find_first(
    catalog *catalog, char out_id[CATALOG_NODE_ID_CHARS + 1]);

// catalog_nodes_list calls on_node for each node, by name. The node is borrowed until on_node
// returns.
LP_MUST_USE lp_err catalog_nodes_list(
    catalog *catalog, void (*on_node)(void *arg, const catalog_node *node), void *arg);

// catalog_nodes_drain starts or stops draining the nodes with this id or name. Writes the number of
// these nodes.
LP_MUST_USE lp_err catalog_nodes_drain(
    catalog *catalog, const char *id_or_name, bool is_draining, uint64_t *out_count);

// catalog_nodes_forget deletes the rows of nodes that own no running session and whose lease
// expired at least over_ms ago.
LP_MUST_USE lp_err catalog_nodes_forget(catalog *catalog, int64_t over_ms);

// The owner of a session.
typedef struct catalog_owner {
    char node[CATALOG_NODE_ID_CHARS + 1];
    uint64_t term;   // from 1
    bool is_there;   // the node's lease is valid
    bool is_running; // the session has not ended
    bool is_known;   // the session has a row; valid only with LP_ENOENT
    char url[CATALOG_NODE_URL_BYTES_MAX + 1];
    char key[CATALOG_NODE_KEY_CHARS + 1];
} catalog_owner;

// catalog_owners_find finds the owner of a session, which may have no row. Errors: LP_ENOENT if the
// session has no owner
LP_MUST_USE lp_err catalog_owners_find(
    catalog *catalog, const char *session_id, catalog_owner *out_owner);

// catalog_owners_take makes the catalog's own node the owner of a session, and writes the term.
// Errors: LP_EAGAIN also if the session is being removed
LP_MUST_USE lp_err catalog_owners_take(
    catalog *catalog, const char *session_id, uint64_t *out_term);

// A session to take.
typedef struct catalog_own {
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t term;
} catalog_own;

// catalog_owners_take_all does the same for count sessions in one transaction. For a session that
// is being removed, it writes a term of 0.
LP_MUST_USE lp_err catalog_owners_take_all(catalog *catalog, catalog_own *sessions, size_t count);

// A session that has not ended. Strings are never NULL.
typedef struct catalog_running {
    const char *id;
    const char *service;
    const char *instance;
    int64_t heard_wall_ns; // when its last message arrived; 0: unknown
    uint64_t term;         // 0: it has no owner
    const char *node;      // the name of its owner; "": none, or forgotten
    bool is_there;         // the owner's lease is valid
} catalog_running;

// catalog_owners_list_running calls on_session for each running session, by node and service.
LP_MUST_USE lp_err catalog_owners_list_running(
    catalog *catalog, void (*on_session)(void *arg, const catalog_running *session), void *arg);

// catalog_owners_list_own calls on_session for each running session that the catalog's own node
// owns.
LP_MUST_USE lp_err catalog_owners_list_own(catalog *catalog,
    void (*on_session)(void *arg, const char *session_id, uint64_t term), void *arg);

// catalog_owners_list_left calls on_session for up to count_max running sessions without an active
// owner: the owner's lease expired over_ms ago, or the session has no owner and sent nothing for
// over_ms.
LP_MUST_USE lp_err catalog_owners_list_left(catalog *catalog, int64_t over_ms, size_t count_max,
    void (*on_session)(void *arg, const char *session_id), void *arg);
