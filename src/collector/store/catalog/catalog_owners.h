// SPDX-License-Identifier: Apache-2.0
// catalog_owners: the collectors that share a catalog (nodes), and which of them each session is
// of. A session's owner has a term, which becomes higher with each new owner: who writes a session
// by the functions of catalog.h says for which term, and is refused once it is another one's
// (catalog_session.term). So it does not matter what a collector believes that was stopped for a
// while, or what its clock says: the database decides.
//
// A node is there for as long as it renews its lease. That a lease is over takes nothing from the
// node by itself: it is told to others, and its sessions may be taken.
//
// Times of leases are by the clock of the database's server in PostgreSQL, and by this machine's in
// SQLite, in which all nodes are of one machine (tests).
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog_owners.c
// Errors:  as the catalog's.

#ifndef LP_COLLECTOR_STORE_CATALOG_OWNERS_H
#define LP_COLLECTOR_STORE_CATALOG_OWNERS_H

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
    const char *url;     // at which the others reach its HTTP
    const char *key;     // by which it knows that one of the others asks
    const char *version; // of its program
    const char *log;     // that its batches come from; "": its own journals
    bool is_draining;    // its agents are to go to others
    // For reading alone.
    int64_t left_ms;   // of its lease; below 0: it has been over for so long
    uint64_t sessions; // that run and are its own
} catalog_node;

// catalog_nodes_join writes the row of the node with which the catalog was opened, with a lease of
// lease_ms from now on, and not draining.
LP_MUST_USE lp_err catalog_nodes_join(catalog *catalog, const catalog_node *self, int64_t lease_ms);

// catalog_nodes_renew has its lease be of lease_ms from now on. A lease of 0 ends it.
// Errors: LP_ENOENT its row is gone
LP_MUST_USE lp_err catalog_nodes_renew(catalog *catalog, int64_t lease_ms, bool *out_is_draining);

// catalog_nodes_find_first writes the id of the first node, in their order, whose lease is not
// over;
// "": there is none.
LP_MUST_USE lp_err catalog_nodes_find_first(
    catalog *catalog, char out_id[CATALOG_NODE_ID_CHARS + 1]);

// catalog_nodes_list calls on_node for each node, by name. What it has is lent until on_node
// returns.
LP_MUST_USE lp_err catalog_nodes_list(
    catalog *catalog, void (*on_node)(void *arg, const catalog_node *node), void *arg);

// catalog_nodes_drain has nodes with this id or name drain, or not any more. Returns in *out_count
// how many they are.
LP_MUST_USE lp_err catalog_nodes_drain(
    catalog *catalog, const char *id_or_name, bool is_draining, uint64_t *out_count);

// catalog_nodes_forget removes the rows of nodes that own nothing and whose lease has been over for
// over_ms.
LP_MUST_USE lp_err catalog_nodes_forget(catalog *catalog, int64_t over_ms);

// Whose a session is.
typedef struct catalog_owner {
    char node[CATALOG_NODE_ID_CHARS + 1];
    uint64_t term;   // from 1
    bool is_there;   // the node's lease is not over
    bool is_running; // the session has not ended
    bool is_known;   // with LP_ENOENT only: it has a row
    char url[CATALOG_NODE_URL_BYTES_MAX + 1];
    char key[CATALOG_NODE_KEY_CHARS + 1];
} catalog_owner;

// catalog_owners_find returns whose a session is, which the catalog may not have a row of. Errors:
// LP_ENOENT nobody's
LP_MUST_USE lp_err catalog_owners_find(
    catalog *catalog, const char *session_id, catalog_owner *out_owner);

// catalog_owners_take makes a session that of the catalog's node, if it is not, and returns its
// term. Errors: LP_EAGAIN also while it is being removed
LP_MUST_USE lp_err catalog_owners_take(
    catalog *catalog, const char *session_id, uint64_t *out_term);

// A session to be taken.
typedef struct catalog_own {
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t term;
} catalog_own;

// catalog_owners_take_all does that for count sessions in one transaction, and writes their terms:
// 0 for one that is being removed.
LP_MUST_USE lp_err catalog_owners_take_all(catalog *catalog, catalog_own *sessions, size_t count);

// A session that has not ended. Strings are never NULL.
typedef struct catalog_running {
    const char *id;
    const char *service;
    const char *instance;
    int64_t heard_wall_ns; // when something came of it last; 0: unknown
    uint64_t term;         // 0: it has no owner
    const char *node;      // the name of its owner; "": it has none, or that has gone for good
    bool is_there;         // its lease is not over
} catalog_running;

// catalog_owners_list_running calls on_session for each, by node and service.
LP_MUST_USE lp_err catalog_owners_list_running(
    catalog *catalog, void (*on_session)(void *arg, const catalog_running *session), void *arg);

// catalog_owners_list_own calls on_session for the sessions of the catalog's node that have not
// ended.
LP_MUST_USE lp_err catalog_owners_list_own(catalog *catalog,
    void (*on_session)(void *arg, const char *session_id, uint64_t term), void *arg);

// catalog_owners_list_left calls on_session for up to count_max sessions that have not ended, and
// are of a node whose lease has been over for over_ms, or nobody's and were not heard of for as
// long.
LP_MUST_USE lp_err catalog_owners_list_left(catalog *catalog, int64_t over_ms, size_t count_max,
    void (*on_session)(void *arg, const char *session_id), void *arg);

#endif // LP_COLLECTOR_STORE_CATALOG_OWNERS_H
