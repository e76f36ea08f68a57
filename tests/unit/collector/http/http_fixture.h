// SPDX-License-Identifier: Apache-2.0
// http_fixture: a real HTTP server over a real catalog and real blobs in a temporary directory. The
// session server behind it is the test's: it answers with the snapshot the test set.

#pragma once

#include "support/temp_dir.h"

#include "collector/base/snapshot.h"
#include "collector/http/http_server.h"
#include "collector/index/id_index.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// The session server: the outcome of the next snapshot.
typedef struct fake_server {
    pthread_mutex_t mutex;
    pthread_cond_t is_asked; // one more request is held
    bool is_held;            // requests are kept until http_fixture_release or http_fixture_open
    bool is_threaded;        // answers come on a thread of their own
    bool has_no_memory;      // there is not even a snapshot that says so
    lp_err err;
    uint32_t next_chunk;
    lp_buf tail;
    blobs *blobs; // which have the files of snapshots
    catalog_totals totals;
    snapshot_waiting waiting;
    uint64_t last_ticket;
    struct fake_request {
        uint64_t ticket;
        snapshot_kind kind;
        snapshot_receiver *on_snapshot;
        void *arg;
    } held[64];
    unsigned held_count;
    pthread_t threads[64];
    size_t thread_count;
} fake_server;

// The chunks reported lost by the blobs.
typedef struct lost_log {
    atomic_uint count;
    atomic_uint ordinal; // of the last one
} lost_log;

typedef struct http_fixture {
    temp_dir dir;
    char catalog_path[300];
    catalog *catalog;
    blobs *blobs;
    lost_log lost;
    char ids_path[300];
    id_index *ids;
    fake_server server;
    snapshot_source snapshots; // it
    http_server *http;
    audit_log *audit;      // of the next server; NULL, as at first: none
    const char *base_path; // the same
    bool has_forwarded_prefix;
    http_links links;       // the same
    const uploads *uploads; // the same
    pins *pins;             // the same
    raw_list *raw;          // the same
    recall_budget *budget;  // the same
    uint16_t port;
    char policies_path[300]; // an empty directory at first
    policy_dir *policies;
} http_fixture;

// For cmocka: *state is a http_fixture with nothing in its catalog; snapshots say LP_ENOENT.
int http_fixture_setup(void **state);
int http_fixture_teardown(void **state);

// http_fixture_serve ends the HTTP server and starts another one, with tokens (NULL: none), or
// that serves this machine alone.
void http_fixture_serve(http_fixture *f, access_file *access, bool is_local);

// http_fixture_serve_within is the same for everybody, within these limits of connections.
void http_fixture_serve_within(http_fixture *f, const http_gate_limits *limits);

// http_fixture_session is a session of id `digit` 32 times, one hour long, ended.
catalog_session http_fixture_session(char digit, const char *service);

// http_fixture_put puts the session into the catalog.
void http_fixture_put(http_fixture *f, const catalog_session *session);

// http_fixture_make_chunk appends a chunk of size_bytes (68 or more): a valid header, and bytes of
// a pattern that differs by seed.
void http_fixture_make_chunk(lp_buf *out, size_t size_bytes, unsigned seed);

// http_fixture_no_ids returns the ids of a chunk without ids.
catalog_chunk_ids http_fixture_no_ids(const http_fixture *f);

// http_fixture_store stores a chunk as the next one of the session.
void http_fixture_store(
    http_fixture *f, catalog_session *session, lp_slice bytes, const char *types_json);

// http_fixture_store_file stores a recording of a service with one chunk.
void http_fixture_store_file(http_fixture *f, char digit, const char *service);

// http_fixture_release answers the one request that is held.
void http_fixture_release(http_fixture *f);

// http_fixture_open answers all that are held, and holds no more.
void http_fixture_open(http_fixture *f);
