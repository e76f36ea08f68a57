// SPDX-License-Identifier: Apache-2.0

// raw_seal: notes in the journal of a compacted chunk how it was compacted (Sealed of
// proto/loupe.proto), so that raw data can be compacted again: with the same result, or with more
// events.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/chunks/chunk_commit.h"
#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_tail.h"
#include "collector/recall/rule/latency_watch.h"
#include "collector/recall/rule/trace_keep.h"
#include "policy/policy_dir.h"

// All are borrowed.
typedef struct raw_seal {
    const raw_tail *raw;
    raw_list *list;
    pins *pins;
    trace_keep *traces;
    latency_watch *watch; // NULL: nobody looks for slow services
    policy_dir *policies; // of services; NULL: none
    uint64_t run;         // a number of this run of the collector, not 0, which records have
} raw_seal;

// These are the functions of a chunk_seal, whose arg is a raw_seal. raw_seal_wants returns whether
// the raw data of the session's service is kept. raw_seal_write appends the record to the journal
// with the chunk's JFR bytes, and tells the list, the pins, the watch and, if any service wants
// whole traces, trace_keep of the chunk. A failure is counted.
// raw_seal_wants_traces returns whether any service wants whole traces.
bool raw_seal_wants(void *seal, const session *session);
bool raw_seal_wants_traces(void *seal);
void raw_seal_write(void *seal, const chunk_commit *commit);
