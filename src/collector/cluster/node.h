// SPDX-License-Identifier: Apache-2.0

// node: this collector as one of several that share a catalog: who it is, and its lease.
//
// Its id is in the file `node` of its data directory, so it is the same after a restart, and still
// owns the sessions that it owned before; one whose directory was lost is another node. Its lease
// (catalog_owners.h) says to the others that it is there; it is renewed each NODE_RENEW_MS and ends
// NODE_LEASE_MS after the last time, or when the collector stops.
//
// What one collector alone has to do, one node is in charge of: the first by its id of those that
// are there. Two may believe that they are, for as long as a lease: what they do must bear it.
//
// Threads: the loop that owns it, but for node_read_id and node_get_key.
// Tests:   tests/unit/collector/cluster/test_node.c

#ifndef LP_COLLECTOR_SERVER_NODE_H
#define LP_COLLECTOR_SERVER_NODE_H

#include "collector/journal/data_dir.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    NODE_LEASE_MS = 8000,
    NODE_RENEW_MS = 2000,
    // A node that owns nothing is forgotten so long after its lease.
    NODE_FORGET_MS = 24 * 3600 * 1000,
};

typedef struct node node;

// node_read_id reads the id of a data directory's node, or makes one.
// Errors: LP_ECORRUPT the file has something else; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err node_read_id(
    const data_dir *dir, char out_id[CATALOG_NODE_ID_CHARS + 1], lp_problem *out_problem);

// node_join begins the lease of the node with which the catalog was opened. log is the title of the
// log that its batches come from (log_url.h); "": there is none. All is borrowed until
// node_destroy.
// Errors: LP_ELIMIT name or url is too long, or a node that is there has another log, so that the
//         two would take sessions from each other; LP_EIO, LP_ENOMEM; the catalog's
LP_MUST_USE lp_err node_join(catalog *catalog, const char *name, const char *url, const char *log,
    node **out_node, lp_problem *out_problem);

// node_tick renews the lease if that is due at now_ms, a monotonic time, and looks who is there. A
// catalog that cannot be reached is counted, and tried again with the next tick.
void node_tick(node *node, uint64_t now_ms);

// node_is_draining returns whether the node's agents are to go to others.
bool node_is_draining(const node *node);

// node_is_in_charge returns whether the node was the first by the last look. Not while its lease
// could not be renewed.
bool node_is_in_charge(const node *node);

// node_get_key returns the key by which other nodes show themselves; as long as the node is there.
const char *node_get_key(const node *node);

// node_destroy ends the lease. NULL is fine.
void node_destroy(node *node);

#endif // LP_COLLECTOR_SERVER_NODE_H
