// SPDX-License-Identifier: Apache-2.0

// latency_watch: finds out when the requests of a service are slow, by the rule in its .keep file
// (policy_keep.h).
//
//   chunk -> its slices (rollup.h) -> minutes of the service -> a percentile, compared -> finding
//
// All requests count, of all JVMs and types, kept or not: in the minute in which they began, or if
// that was before their chunk, in which the chunk began. A minute is judged once, some time after
// its end, when all JVMs have sent it. Requests that come later do not count. If the clock is set
// back by more than that, minutes are judged anew.
//
// A percentile is that of the page: within its bucket of 19 % (histogram.h) it is an estimate.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/recall/rule/test_latency_watch.c
// Memory:  2 KB for each minute of a service that waits, usually four of them

#pragma once

#include "common/rollup/rollup.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LATENCY_WATCH_MINUTE_S = 60,
    LATENCY_WATCH_WAIT_S = 120,         // from the end of a minute until it is judged
    LATENCY_WATCH_SERVICES_MAX = 10000, // with a rule; requests of further ones are left out
    LATENCY_WATCH_MINUTES_MAX = 64,     // of a service, that wait; more are left out
    LATENCY_WATCH_MINUTES_ALL_MAX = 20000,
    LATENCY_WATCH_IDLE_S = 3600, // without requests, until a service is forgotten
};

// The requests of a service in a minute.
typedef struct latency_minute {
    int64_t begin_wall_ns;
    histogram lengths;
} latency_minute;

// The slow minutes in a row. {0}: none.
typedef struct latency_run {
    policy_pin_rule rule; // by which they are slow
    int64_t end_wall_ns;  // of the last one
    unsigned minutes;
} latency_run;

// latency_run_add adds a minute of minute_ns, later than those before it. Returns whether the rule
// applies: this minute and as many before it as the rule says are slow. *out_value_ns is the
// percentile of this one.
bool latency_run_add(latency_run *run, const policy_pin_rule *rule, const latency_minute *minute,
    int64_t minute_ns, int64_t *out_value_ns);

// A rule applies.
typedef struct latency_finding {
    const char *service;  // lent by latency_watch_tick
    policy_keep keep;     // with the rule
    int64_t from_wall_ns; // the slow minutes
    int64_t to_wall_ns;
    int64_t value_ns; // the percentile of the last minute
} latency_finding;

typedef struct latency_watch latency_watch;

// latency_watch_create borrows policies (NULL: no rules) until latency_watch_destroy. minute_ns and
// wait_ns: of LATENCY_WATCH_MINUTE_S and LATENCY_WATCH_WAIT_S, or less in tests. NULL if memory ran
// out.
latency_watch *latency_watch_create(policy_dir *policies, int64_t minute_ns, int64_t wait_ns);
void latency_watch_destroy(latency_watch *watch); // NULL is fine

// latency_watch_add adds the requests of a chunk of a service, unless it has no rule. Requests more
// than a minute ahead of now_wall_ns are left out.
void latency_watch_add(
    latency_watch *watch, const char *service, const rollup *chunk, int64_t now_wall_ns);

// latency_watch_tick judges the minutes that are due, by the rules as they are now, and calls
// on_slow for each at whose end a rule applies.
void latency_watch_tick(latency_watch *watch, int64_t now_wall_ns,
    void (*on_slow)(void *arg, const latency_finding *found), void *arg);
