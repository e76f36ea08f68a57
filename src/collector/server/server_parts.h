// SPDX-License-Identifier: Apache-2.0
// server_parts: the members of a server, and the functions that its files call in each other. No
// other file includes this header.
//
// Threads: the loop's, unless a member or a function says otherwise; before server_start and after
//          the loop's thread has ended, the caller's.
// Tests:   tests/unit/collector/server/test_server.c

#pragma once

#include "collector/chunks/chunk_queue.h"
#include "collector/chunks/pack_sweep.h"
#include "collector/chunks/packs.h"
#include "collector/chunks/snapshots.h"
#include "collector/cluster/node.h"
#include "collector/intake/agent_protocol.h"
#include "collector/intake/day_quotas.h"
#include "collector/intake/disk_reserve.h"
#include "collector/intake/journal_sink.h"
#include "collector/journal/run_mark.h"
#include "collector/keep/retention.h"
#include "collector/log/log_route.h"
#include "collector/net/agent_socket.h"
#include "collector/recall/recall.h"
#include "collector/server/readiness.h"
#include "collector/server/server.h"
#include "collector/session/lost_chunks.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog_waits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

_Static_assert((int)LOG_URL_TITLE_BYTES <= (int)CATALOG_NODE_LOG_BYTES_MAX, "the catalog has it");

// Where a server keeps its data.
typedef struct server_store {
    data_dir *dir;
    data_path running_path; // of the run mark
    run_mark before;        // as earlier runs left it
    char *catalog_place;    // for catalog_open_reader
    catalog *catalog;       // the loop's connection
    blobs *blobs;
    id_index *ids;
} server_store;

// The counts of other modules that the metrics include already.
typedef struct server_counted {
    catalog_counts catalog;
    catalog_waits waits;      // for the catalog
    uint64_t ranges_left_out; // by sets of batches (lp_ranges.h)
    size_t policies_unread;
} server_counted;

// Requests of other threads to the loop. A thread holds `closing` for reading while it uses `wake`;
// the loop holds `closing` for writing while it closes `wake` (snapshots.c does the same).
typedef struct server_asked {
    pthread_rwlock_t closing;
    pthread_mutex_t mutex; // guards the rest
    snapshots_request *first;
    snapshots_request **last; // where the next one goes
    uint64_t last_ticket;
    bool is_stopping;
} server_asked;

struct server {
    server_config config; // server.h says which pointers are borrowed, and how long
    server_store store;
    server_counted counted;
    readiness *readiness;
    disk_reserve reserve;
    memory_room memory; // of the jobs of queue and snapshots

    // Accepting batches.
    agent_protocol protocol;
    journal_sink journals;
    log_route *log; // NULL: there is no log, or it is not open yet
    char log_title[LOG_URL_TITLE_BYTES];
    day_quotas *quotas;
    policy_cache *cache;

    // Storing and compacting them.
    sessions *sessions;
    char *data_path;
    data_path journals_path;
    data_path damaged_path;
    sync_rounds *rounds;
    chunk_queue queue;
    packs *packs;      // NULL: each chunk is an object or a file of its own
    pack_sweep *sweep; // NULL: no object holds several chunks
    policy_unmet_log unmet;
    snapshots snapshots;
    lost_chunks lost;
    retention *retention;
    recall *recall;
    bool is_marked; // run_mark_begin has written to store.running_path
    bool has_ended; // run_mark_end has removed that

    // With a shared catalog.
    node *node; // NULL: the catalog is not shared, or server_join was not called yet
    // When to look next for sessions of stopped nodes. The first look is linger_ms_max after the
    // server came to be in charge. 0: it is not in charge.
    uint64_t left_ms;

    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t tick;
    size_t tick_count;
    bool has_loop;
    bool has_thread;
    pthread_t thread;
    server_asked asked;
};

// server_check asserts that all parts that server_open opens are open. Any thread.
void server_check(const server *self);

// server_open opens all parts except the ones that server_start opens. After an error some parts
// stay open until server_destroy. Errors: as server_create
LP_MUST_USE lp_err server_open(server *self, const server_config *config, lp_problem *out_problem);

// server_tick runs the periodic checks: ended JVMs, edited files, limits, faults. The loop calls it
// every SERVER_TICK_MS; tick->data is the server.
void server_tick(uv_timer_t *tick);

// server_loop_wake wakes the loop. The caller knows that `wake` is not closed. Any thread.
void server_loop_wake(server *self);

// server_loop_pass_on queues a request, unless it is NULL, and wakes the loop. Returns false if the
// server is stopping. Any thread.
bool server_loop_pass_on(server *self, snapshots_request *request);

// server_loop_on_session is called when a session got a batch, or its chunks were committed. arg is
// the server.
void server_loop_on_session(void *arg, session *s);

// server_loop_on_request answers a message of an agent. arg is the server.
void server_loop_on_request(void *arg, agent_socket_request *request);

void server_loop_on_wake(uv_async_t *wake);

// server_loop_run runs the loop until the server is stopped and all its work has ended. It is the
// function of the loop's thread. arg is the server. Returns NULL.
void *server_loop_run(void *arg);
