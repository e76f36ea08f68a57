// SPDX-License-Identifier: Apache-2.0

// recall: raw data, and the chunks that pins and whole traces store again from it: one part of the
// server, which owns the parts of this room and a timer of its own.
//
//   commit of a chunk -> seal -> list, pins, traces, watch      its journal -> raw_tail
//   timer -> raw_tail, traces, watch (-> auto_pin) -> queue -> pin_file
//   peers: the other collectors' pins, on a thread
//
// The timer fires every RECALL_TICK_MS. It fires every RECALL_IDLE_MS if no raw data is there or
// can come, and no other collector shares the catalog: then it only answers pins.
//
// Life: recall_create, as sessions need it -> recall_open, as it needs sessions -> recall_start
//       -> recall_stop_peers, then recall_stop on the loop -> the loop ends -> recall_destroy.
//
// Threads: the loop that owns the sessions; before it runs and after it has ended, the caller's.
//          recall_get_..: any thread, and so are pins, list, budget and peers themselves.
//          recall_stop_peers: the caller's, as it waits for an answer of another collector.
// Tests:   tests/unit/collector/server/test_server_recall.c,
//          tests/unit/collector/server/test_server_raw.c
// Memory:  that of its parts, which their headers state

#pragma once

#include "collector/base/memory_room.h"
#include "collector/chunks/chunk_commit.h"
#include "collector/index/id_index.h"
#include "collector/journal/data_dir.h"
#include "collector/keep/retention.h"
#include "collector/recall/peers/pin_peers.h"
#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/recall/rule/recall_budget.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    RECALL_TICK_MS = 1000,
    RECALL_IDLE_MS = 5000,
};

typedef struct recall recall;

// All are borrowed until recall_destroy.
typedef struct recall_config {
    int64_t keep_ns;       // how long raw data is kept (raw_tail.h); 0: not at all
    int64_t age_ns;        // how long chunks are kept; 0: unlimited
    uint64_t bytes_max;    // of raw data; 0: a part of the free space
    int64_t trace_wait_ns; // of TRACE_KEEP_WAIT_S, or less in tests
    policy_dir *policies;  // of services; NULL: none
    const data_dir *dir;
    catalog *catalog;          // the loop's
    const char *catalog_place; // for the peers' thread
} recall_config;

// recall_create lists the raw data that is there. Errors: LP_ENOMEM
LP_MUST_USE lp_err recall_create(
    const recall_config *config, recall **out_recall, lp_problem *out_problem);

// The other parts of the server. All are borrowed until recall_destroy.
typedef struct recall_host {
    uv_loop_t *loop;
    sessions *sessions;
    blobs *blobs;
    retention *retention;
    memory_room *memory;
    id_index *ids;
    policy *policy; // of chunks without one of their own; NULL: defaults
} recall_host;

// recall_open starts the threads that compact again, and continues the pins of earlier runs. After
// an error some parts stay open until recall_stop and recall_destroy. Errors: LP_ENOMEM, also for
// threads; LP_EIO
LP_MUST_USE lp_err recall_open(recall *recall, const recall_host *host, lp_problem *out_problem);

// recall_start starts the timer, after recall_open, and the peers' thread. Errors: LP_ENOMEM
LP_MUST_USE lp_err recall_start(recall *recall, lp_problem *out_problem);

// recall_stop_peers ends the peers' thread. recall_stop begins nothing more, and closes the timer;
// the loop runs on until the work in progress is done. NULL, and one that was not opened or
// started, are fine.
void recall_stop_peers(recall *recall);
void recall_stop(recall *recall);

// recall_destroy is called after the loop and the sessions have ended. It writes changed pins. NULL
// is fine.
void recall_destroy(recall *recall);

// The functions of sessions_raw (raw_tail_take) and of disk_reserve (raw_tail_relieve), whose arg
// is a recall.
bool recall_take(void *recall, const char *session_id, const char *service, uint32_t ordinal);
bool recall_relieve(void *recall);

// recall_get_seal returns what notes in the journal of a compacted chunk how it was compacted
// (Sealed of proto/loupe.proto), so that raw data can be compacted again: with the same result, or
// with more events. It borrows recall.
chunk_seal recall_get_seal(recall *recall);

// recall_note_killed pins the last minutes of a JVM that was killed or crashed, if its service asks
// for it (auto_pin.h).
void recall_note_killed(const recall *recall, const catalog_session *recording);

// For other threads, lent until recall_destroy.
pins *recall_get_pins(const recall *recall);
raw_list *recall_get_list(const recall *recall);
recall_budget *recall_get_budget(const recall *recall);
pin_peers *recall_get_peers(const recall *recall); // NULL: the catalog is not shared
