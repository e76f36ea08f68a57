// SPDX-License-Identifier: Apache-2.0
// server_parts: the members of a server, for the server's own files alone.
//
// Threads: the loop's, unless a member says otherwise; before server_start and after its thread has
//          ended, that of the caller.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_SERVER_PARTS_H
#define LP_COLLECTOR_SERVER_SERVER_PARTS_H

#include "collector/chunks/chunk_queue.h"
#include "collector/chunks/pack_sweep.h"
#include "collector/chunks/packs.h"
#include "collector/chunks/snapshots.h"
#include "collector/cluster/node.h"
#include "collector/intake/agent_protocol.h"
#include "collector/intake/day_quotas.h"
#include "collector/intake/disk_reserve.h"
#include "collector/intake/journal_sink.h"
#include "collector/keep/retention.h"
#include "collector/log/log_route.h"
#include "collector/server/readiness.h"
#include "collector/server/server_config.h"
#include "collector/session/lost_chunks.h"
#include "collector/session/sessions.h"
#include "collector/start/server_store.h"
#include "collector/store/catalog/catalog_waits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

_Static_assert((int)LOG_URL_TITLE_BYTES <= (int)CATALOG_NODE_LOG_BYTES_MAX, "the catalog has it");

// What others count, as the metrics have it so far.
typedef struct server_counted {
    catalog_counts catalog;
    catalog_waits waits;      // for it
    uint64_t ranges_left_out; // by sets of batches (lp_ranges.h)
    size_t policies_unread;
} server_counted;

typedef struct server {
    const char *agents_url; // to listen on; until server_start returns
    bool is_local;          // see agent_listener.h
    uint64_t idle_ms_max;
    uint64_t killed_ms_max;
    uint64_t linger_ms_max;
    uint64_t lack_ms_max;
    readiness *readiness;
    server_store store;
    server_counted counted;
    const char *node_name; // see server_config
    node *node;            // NULL: nobody shares the catalog, or it has not joined yet
    // When sessions of others that are left are looked for next: not before this one has been in
    // charge for as long as they have to be left. 0: it has not looked who is.
    uint64_t left_ms;
    char *journals_path;
    char *damaged_path;
    sync_rounds *rounds;
    sessions *sessions;
    tls_files *tls; // NULL: none
    policy_dir *policies;
    policy_cache *cache;
    agent_protocol protocol;
    journal_sink journals;
    const log_url *log_url; // until server_start returns; NULL: there is none
    char log_title[LOG_URL_TITLE_BYTES];
    log_route *log; // NULL: the same, or it was not started
    uint64_t sessions_peer_max;
    size_t incoming_bytes_max; // of messages of agents
    size_t tls_connections_max;
    memory_room memory; // of the jobs of these two
    char *data_path;
    disk_reserve reserve;
    day_quotas *quotas;
    retention *retention;
    packs *packs;      // NULL: each chunk is stored by itself
    pack_sweep *sweep; // NULL: no object has several chunks
    policy_unmet_log unmet;
    chunk_queue queue;
    snapshots snapshots;
    lost_chunks lost;

    bool is_marked; // run_mark_begin has written to the store's running_path

    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t tick;
    size_t tick_count;
    bool has_loop;
    bool has_thread;
    pthread_t thread;

    // Read by those who wake the loop, written by it to close wake: see side_work.c.
    pthread_rwlock_t closing;
    pthread_mutex_t mutex; // guards what follows
    snapshots_request *first_request;
    snapshots_request **last_request; // where the next one goes
    uint64_t last_ticket;
    bool is_stopping;
} server;

// server_parts_drain is server_drain (server.h). Any thread.
static inline void
server_parts_drain(server *self, bool is_drained)
{
    atomic_store_explicit(&self->protocol.is_drained, is_drained, memory_order_relaxed);
}

#endif // LP_COLLECTOR_SERVER_SERVER_PARTS_H
