// SPDX-License-Identifier: Apache-2.0

// pin_peers: pins and whole traces over several collectors that share a catalog. The raw data of a
// chunk stays at the collector that stored it, and only that one can store the chunk again. So each
// collector asks the others every PIN_PEERS_MS for their news: their pins, their services with raw
// data, and ids of kept traces. It makes a copy of a pin that it lacks, for the chunks that it has;
// and it counts what the others say of their copies.
//
//   a thread   nodes in the catalog -> GET /internal/v1/recall of each running one
//              -> pins_add of the pins that this collector lacks, while they are young
//              -> trace_ids_hear
//
// News are:
//
//   {"pins": [.., as in pin_json.h],
//    "services": [{"name": .., "from": NS, "chunks": 1, "bytes": 2, "dropped": [..]}, ..],
//    "ids": {"run": 1, "next": 2, "missed": 0, "hashes": [..]}}
//
// from is null without raw data. A hash is its number as a signed one. Agents choose the names of
// services: those that would make the answer too long are left out, and counted.
//
// A collector that does not run takes part once it runs again, if the pin is still young. A pin is
// forgotten everywhere some time later than copies of it are made, so it does not come back.
//
// Threads: any; a mutex protects what the others said. The caller creates and destroys it, and
//          starts and stops its thread.
// Tests:   tests/e2e/cluster.py, tests/unit/collector/recall/peers/test_pin_peers.c
// Memory:  up to 0.5 MB of pins for each collector, and its list of services

#pragma once

#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/recall/rule/trace_ids.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PIN_PEERS_MS = 1000,        // between two rounds
    PIN_PEERS_LIST_ROUNDS = 5,  // after so many rounds the catalog is asked for nodes again
    PIN_PEERS_ANSWER_MS = 3000, // for an answer; a collector that hangs delays the round
    PIN_PEERS_NODES_MAX = 64,   // further collectors are not asked
    PIN_PEERS_UNHEARD_S = 30,   // after that, a collector without the pin counts as away
    PIN_PEERS_FORGET_S = 3600,  // after its lease, a collector's raw data counts as gone

    // Pins and services, as they are written. With TRACE_IDS_READ_MAX hashes of up to 30 bytes the
    // news are shorter than the longest answer that is read (client_http.h).
    PIN_PEERS_NEWS_BYTES_MAX = 3 << 20,
};

// {0} is empty.
typedef struct pin_peers_news {
    LP_VEC(pin) pins;
    LP_VEC(raw_list_service) services; // own their names
    rollup_hashes ids;
    trace_ids_mark mark; // for the next ones
    uint64_t missed;     // ids
} pin_peers_news;

void pin_peers_news_fini(pin_peers_news *news);

// pin_peers_read reads news. Pins and services that are malformed are skipped: a later version may
// have made them. Errors: LP_ECORRUPT; LP_ENOMEM
LP_MUST_USE lp_err pin_peers_read(lp_slice text, pin_peers_news *out);

typedef struct pin_peers pin_peers;

// All are borrowed until pin_peers_destroy, but node, which is copied.
typedef struct pin_peers_config {
    const char *catalog_place;
    const char *node; // this collector's id
    pins *pins;
    raw_list *raw;
    trace_ids *ids;
} pin_peers_config;

// pin_peers_create returns NULL if memory ran out.
pin_peers *pin_peers_create(const pin_peers_config *config);
void pin_peers_destroy(pin_peers *peers); // NULL is fine

// pin_peers_start starts the thread. Errors: LP_ENOMEM
LP_MUST_USE lp_err pin_peers_start(pin_peers *peers);
void pin_peers_stop(pin_peers *peers); // NULL, and one that was not started, are fine

// pin_peers_hear takes what a collector said at a time. It is a part of the thread's work. Takes
// ownership of news; NULL: the collector does not run, or did not answer.
void pin_peers_hear(
    pin_peers *peers, const catalog_node *from, pin_peers_news *news, int64_t now_wall_ns);

// pin_peers_write tells the others what this collector has, with the ids since a mark. NULL if
// memory ran out. The caller owns the result.
json_t *pin_peers_write(pin_peers *peers, trace_ids_mark since);

// What the other collectors say of a pin.
typedef struct pin_peers_view {
    uint64_t unasked;                             // running ones that do not have it yet
    void (*on_away)(void *arg, const char *name); // one whose raw data is out of reach
    void *arg;
} pin_peers_view;

// pin_peers_add adds to a pin what the others have done for it. Chunks that nobody had raw data of
// count as missing once all running collectors have been asked.
void pin_peers_add(pin_peers *peers, pin *of, int64_t now_wall_ns, pin_peers_view *view);

// pin_peers_each_service calls on_service for each service of each other collector, and on_away for
// each one that cannot be asked.
void pin_peers_each_service(pin_peers *peers,
    void (*on_service)(void *arg, const raw_list_service *service),
    void (*on_away)(void *arg, const char *name), void *arg);
