// SPDX-License-Identifier: Apache-2.0
// generated_jvm: what the agent has to do with in a JVM that runs SequenceE2E, without the JVM:
// chunk files in a directory, and context records in rings. Rings, tail, spool, endpoints and ship
// are the agent's, with a thread of its own, as libloupe.so has them.
//
// Tick N has the sequence number N. Every tenth is in a context e2e-order whose id is N, and in a
// RecordingContext whose entry seq is N; in the middle between those a context with the id -N is
// around nothing.
//
// With traces, the RecordingContext also has a traceId, of 32 hexadecimal digits of N. In the one
// JVM that is named for the trace it has the entry slow, too: by this entry a policy can keep the
// tick.
//
// A JVM is never freed, as its ship is not. What cannot be ends the program.
//
// Threads: one at a time.

#pragma once

#include "e2e/support/generated_chunk.h"

#include "agent/ship/ship.h"

#include <stdint.h>

enum {
    GENERATED_JVM_PATH_BYTES = 1000,
    // Chunk files that stay: the agent has older ones open, or has read them.
    GENERATED_JVM_CHUNKS_MAX = 16,
    GENERATED_JVM_TRACE_TICKS = 10, // from one tick in contexts to the next
    GENERATED_JVM_NONE = 255,
};

// Which JVM has the entry slow of each trace. {0}: there are no traces.
typedef struct generated_jvm_traces {
    const uint8_t *slow; // the number of a JVM, or GENERATED_JVM_NONE, of the trace 10, 20, ..
    size_t count;        // no JVM is slow in further ones
} generated_jvm_traces;

typedef struct generated_jvm {
    char name[32];
    unsigned number;
    generated_jvm_traces traces; // may be set before the first tick
    char repository[GENERATED_JVM_PATH_BYTES];
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ship *ship;
    int64_t now_ticks; // of the last record or event: each has a time of its own
    uint64_t sequence; // of the last tick
    unsigned chunk_count;
    generated_chunk chunk;
} generated_jvm;

// generated_jvm_start makes its directory in parent, and starts to record and to send. The
// addresses are of collectors, as in the agent's option. The service is borrowed for good; NULL:
// the JVM's name.
void generated_jvm_start(generated_jvm *jvm, unsigned number, const char *service,
    const char *parent, const char *const *addresses, size_t address_count);

void generated_jvm_tick(generated_jvm *jvm);

// generated_jvm_cross is a tick after which another chunk begins. If the tick is in contexts, they
// end in that chunk.
void generated_jvm_cross(generated_jvm *jvm);

// generated_jvm_flush publishes all ticks so far; generated_jvm_rotate does so as well, and begins
// another chunk.
void generated_jvm_flush(generated_jvm *jvm);
void generated_jvm_rotate(generated_jvm *jvm);

// generated_jvm_end ends the chunk, and returns when the agent has sent all that is left, or after
// timeout_ms.
void generated_jvm_end(generated_jvm *jvm, int timeout_ms);
