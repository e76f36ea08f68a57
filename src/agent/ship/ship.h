// SPDX-License-Identifier: Apache-2.0

// ship: follows the JVM's JFR repository, drains the context rings, and gets both to the collector.
//
// It owns the agent's one working thread. In every cycle the rings are drained after the published
// JFR bytes have been determined, so all begins that matter for those bytes are in the same batch
// or an earlier one.
//
// While the collector is away the JFR repository on disk is the spool for events (chunk files are
// held open, so that JFR deleting them loses nothing up to a limit), and a bounded spool in memory
// holds the context records. What is lost is counted and the counts are sent.
//
// Threads: start and finish on any one thread. Nothing here runs on application threads.

#ifndef LP_AGENT_SHIP_SHIP_H
#define LP_AGENT_SHIP_SHIP_H

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
    // NNG URLs, tcp://host:port or tls+tcp://host:port, 1 to SHIP_NAMES_MAX. The agent is at one of
    // them, and goes to another when that does not answer.
    const char *const *collectors;
    size_t collector_count;
    const ship_tls *tls; // files for TLS; NULL: none
    const char *service;
    const char *instance;
    const char *version; // of the service; "": it is not known
    const char *token;   // see ship_token.h; NULL: none
    const char *jvm_name;
    const char *jvm_version;
    const char *repository; // the JVM's chunk files are here (system property jdk.jfr.repository)
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    const char *own_policy; // of all chunks, until others are set; NULL is ""
} ship_config;

// ship_start starts the thread. The collector need not be there.
// Errors: LP_ECORRUPT for a URL that NNG does not understand; as ship_tls_read; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err ship_start(const ship_config *config, ship **out_ship, lp_problem *out_problem);

// ship_move follows the JVM, which puts its chunks into another directory from now on. One that
// cannot be read is logged.
// Threads: any thread, after ship_start and before ship_finish
void ship_move(ship *ship, const char *repository);

// ship_count_restart counts that the JFR recording was started again, as somebody had stopped it.
// Threads: any thread, after ship_start
void ship_count_restart(ship *ship);

// ship_drain_soon has the rings drained at once, also where little has come so far.
// Threads: any thread, after ship_start; it waits for nothing
void ship_drain_soon(ship *ship);

// ship_is_chunk_full returns whether JFR should begin another chunk: there are so many contexts in
// this one.
// Threads: any thread, after ship_start
bool ship_is_chunk_full(const ship *ship);

// ship_take_policy returns the policy that the collector has for the JVM, if it has changed since
// the last call; at first there is none. The caller owns *out_policy.
// Threads: any thread, after ship_start
bool ship_take_policy(ship *ship, ship_policy *out_policy);

// ship_set_own_policy sets the JVM's own settings, the text of a .jfc file, and since when they
// hold (ship_own.h); "": the JVM has none. Each chunk gets the settings that were in force when it
// began, also if it has waited, or is sent again. They decide the chunk if the collector has no
// policy for the service. Returns false if memory ran out: then the settings are as before.
// Threads: any thread, after ship_start
bool ship_set_own_policy(ship *ship, int64_t from_wall_ns, const char *text);

// ship_watch_events and ship_count_events are tail_events_watch and tail_events_get, of the events
// that are sent.
// Threads: any thread, after ship_start
void ship_watch_events(ship *ship, const uint64_t *types, size_t count);
tail_events_counts ship_count_events(ship *ship);

// ship_finish is for the death of the JVM, after JFR has closed its last chunk: it sends everything
// that is left and returns once it is acknowledged, or once the collector has taken nothing for
// wait_ms, at the latest after SHIP_PATIENCE_WAITS_MAX times that. What did not get through is
// logged. The memory is not freed: the process is about to end.
void ship_finish(ship *ship, int wait_ms);

#endif // LP_AGENT_SHIP_SHIP_H
