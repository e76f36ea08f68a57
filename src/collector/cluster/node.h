// SPDX-License-Identifier: Apache-2.0

// node: this collector as one of several that share a catalog: its id and its lease.
//
// The id is in the file `node` of the data directory, so a restarted node still owns its sessions.
// A node whose directory was lost gets a new id. The lease (catalog_owners.h) tells the others that
// the node runs. The node renews it every NODE_RENEW_MS; it ends NODE_LEASE_MS after the last
// renewal, or when the collector stops.
//
// One node is in charge of the tasks that only one collector should do: the running node with the
// lowest id. For the length of a lease, two nodes may believe that they are in charge, so these
// tasks must tolerate two.
//
// Threads: the loop that owns it, but for node_read_id and node_get_key.
// Tests:   tests/unit/collector/cluster/test_node.c

#pragma once

#include "collector/journal/data_dir.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    NODE_LEASE_MS = 8000,
    NODE_RENEW_MS = 2000,
    // A node that owns nothing is deleted this long after its lease has ended.
    NODE_FORGET_MS = 24 * 3600 * 1000,
};

typedef struct node node;

// node_read_id reads the id of a data directory's node, or creates one.
// Errors: LP_ECORRUPT the file has no id; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err node_read_id(
    const data_dir *dir, char out_id[CATALOG_NODE_ID_CHARS + 1], lp_problem *out_problem);

// node_join begins the lease of the node that opened the catalog. log: the title of its log
// (log_url.h); "": none. Borrows all arguments until node_destroy.
// Errors: LP_ELIMIT name or url is too long, or a running node uses another log, so that the two
//         would take sessions from each other; LP_EIO, LP_ENOMEM; the catalog's errors
LP_MUST_USE lp_err node_join(catalog *catalog, const char *name, const char *url, const char *log,
    node **out_node, lp_problem *out_problem);

// node_tick renews the lease if that is due at now_ms, a monotonic time, and finds out which node
// is in charge. A failure is counted; the next tick tries again.
void node_tick(node *node, uint64_t now_ms);

// node_is_draining returns whether the node's agents should move to other nodes.
bool node_is_draining(const node *node);

// node_is_in_charge returns whether the node was in charge at the last tick. False while the lease
// cannot be renewed.
bool node_is_in_charge(const node *node);

// node_get_key returns the key that other nodes send in their requests; lent until node_destroy.
const char *node_get_key(const node *node);

// node_destroy ends the lease. NULL is fine.
void node_destroy(node *node);
