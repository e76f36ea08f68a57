// SPDX-License-Identifier: Apache-2.0

// ship: sends the chunks of the JVM's JFR repository and the records of the context rings to the
// collector.
//
// It owns the agent's one working thread. In every cycle the thread determines the published JFR
// bytes and then drains the rings. So the begins of all contexts that matter for these bytes are in
// the same batch or an earlier one.
//
// While the collector is unreachable, the JFR repository on disk stores the events: the agent keeps
// the chunk files open, up to a limit, so that their data survives when JFR deletes them. A bounded
// buffer in memory stores the context records. Losses are counted and reported to the collector.
//
// Threads: ship_start and ship_finish on one thread. Nothing here runs on application threads,
//          except where a function says so.

#pragma once

#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"
#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/ship_policy.h"
#include "agent/tail/tail_events.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ship ship;

// Strings are borrowed until ship_start returns; rings, registry, recordings and filters for good.
typedef struct ship_config {
    // NNG URLs, tcp://host:port or tls+tcp://host:port, 1 to SHIP_NAMES_MAX. The agent uses one
    // collector, and moves to another when the current one does not answer.
    const char *const *collectors;
    size_t collector_count;
    const ship_tls *tls; // files for TLS; NULL: none
    const char *service;
    const char *instance;
    const char *version; // of the service; "": unknown
    const char *token;   // see ship_window.h; NULL: none
    const char *jvm_name;
    const char *jvm_version;
    const char *repository; // directory of the chunk files (system property jdk.jfr.repository)
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    const char *own_policy; // initial settings, see ship_set_own_policy; NULL: ""
} ship_config;

// Starts the thread. The collector may be unreachable.
// Errors: LP_ECORRUPT for an invalid URL; as ship_tls_read; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err ship_start(const ship_config *config, ship **out_ship, lp_problem *out_problem);

// Continues in another directory, in which the JVM now writes its chunks. Logs a directory that
// cannot be read.
// Threads: any thread, after ship_start and before ship_finish
void ship_move(ship *ship, const char *repository);

// Counts a restart of the JFR recording, which somebody had stopped.
// Threads: any thread, after ship_start
void ship_count_restart(ship *ship);

// Makes the thread drain the rings at once.
// Threads: any thread, after ship_start; does not block
void ship_drain_soon(ship *ship);

// Returns whether JFR should begin another chunk, because the current one has many context records.
// Threads: any thread, after ship_start
bool ship_is_chunk_full(const ship *ship);

// Writes the collector's policy for this JVM to *out_policy and returns true if it has changed
// since the last call. At first there is no policy. The caller owns *out_policy.
// Threads: any thread, after ship_start
bool ship_take_policy(ship *ship, ship_policy *out_policy);

// Sets the JVM's own settings, which hold from from_wall_ns on (ship_own.h). text is the text of a
// .jfc file; "": no settings. Each chunk gets the settings that were in force when it began,
// whenever it is sent. They apply if the collector has no policy for the service. Returns false if
// memory ran out: the settings are unchanged.
// Threads: any thread, after ship_start
bool ship_set_own_policy(ship *ship, int64_t from_wall_ns, const char *text);

// The next two functions do what tail_events_watch and tail_events_get do, for the events that the
// agent sends.
// Threads: any thread, after ship_start
void ship_watch_events(ship *ship, const uint64_t *types, size_t count);
tail_events_counts ship_count_events(ship *ship);

// For the end of the JVM, after JFR has closed its last chunk. Sends everything that is left.
// Returns once the collector has acknowledged it, or has accepted nothing for wait_ms, but at the
// latest after SHIP_PATIENCE_WAITS_MAX times wait_ms. Logs undelivered data. Frees no memory: the
// process is about to end.
void ship_finish(ship *ship, int wait_ms);
