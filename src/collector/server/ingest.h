// SPDX-License-Identifier: Apache-2.0

// ingest: receives requests from agents over NNG and hands them to one loop, in order.
//
// A raw REP socket with one receive in flight at a time, so what one agent sends keeps its order
// and any number of its requests may be unanswered. While more than INGEST_QUEUE_BYTES_MAX wait to
// be taken nothing more is received, and the agents' TCP connections fill up: that is the
// back-pressure.
//
// Threads: everything on the loop that owns it; on_waiting is called on NNG's threads.

#ifndef LP_COLLECTOR_SERVER_INGEST_H
#define LP_COLLECTOR_SERVER_INGEST_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>

enum { INGEST_QUEUE_BYTES_MAX = 64 << 20 };

typedef struct ingest ingest;
typedef struct ingest_request ingest_request;

typedef struct ingest_config {
    const char *url;               // an NNG URL; a TCP port of 0 means any
    void (*on_waiting)(void *arg); // there is something to take
    void *arg;
} ingest_config;

// Errors: LP_ECORRUPT for a URL that NNG does not understand; LP_EIO if it cannot be listened on
LP_MUST_USE lp_err ingest_start(
    const ingest_config *config, ingest **out_ingest, lp_problem *out_problem);

// ingest_get_url is the URL that is listened on, with the actual port.
const char *ingest_get_url(const ingest *ingest);

// ingest_take gives the oldest request that waits, NULL if none does. The caller owns it and ends
// it with ingest_answer or ingest_drop.
ingest_request *ingest_take(ingest *ingest);

// ingest_get_taken_bytes is the size of all requests that were taken and have not ended.
size_t ingest_get_taken_bytes(const ingest *ingest);

// ingest_get_bytes lends the message, until the request's end.
lp_slice ingest_get_bytes(const ingest_request *request);

// ingest_answer sends reply to whoever sent request, if it is still there.
void ingest_answer(ingest *ingest, ingest_request *request, lp_slice reply);

// ingest_drop ends a request without an answer; the agent resends it. NULL is fine.
void ingest_drop(ingest_request *request);

// ingest_stop receives nothing more; what waits can still be taken and answered.
void ingest_stop(ingest *ingest);

// ingest_destroy comes after the end of every request that was taken. It stops, drops what waits,
// and shuts the listener and every connection; the URL can be listened on again. The socket itself
// stays until the process ends: NNG 1.5.2 may wait for ever for a connection that is closed while a
// message comes in over it, and nng_close would wait with it. NULL is fine.
void ingest_destroy(ingest *ingest);

#endif // LP_COLLECTOR_SERVER_INGEST_H
