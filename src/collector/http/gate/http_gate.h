// SPDX-License-Identifier: Apache-2.0

// http_gate: the HTTP connections, what each of them is doing, and which one to close when there
// are too many.
//
// A connection waits for its client (for a head, for a body, between two requests), works on an
// answer, or sends one. Waiting has a time limit per phase; sending has a lowest rate.
//
// Two limits apply: all connections, and the connections of one address (peers.h).
//   - If an address is at its limit, the connection of that address that waited longest is closed.
//   - If all places are taken, one connection of the address with most connections is closed: one
//     that waits, or else one that works or sends if that address has more connections than the
//     newcomer's.
//   - If none can be closed, the newcomer gets a reserved place, where only /healthz and /readyz
//     are answered. If all reserved places are taken, one of their connections is closed.
//
// Threads: any thread. The functions of ops are called under a lock.
// Tests:   tests/unit/collector/http/gate/test_http_gate.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct http_gate http_gate;

// A connection.
typedef struct http_line http_line;

typedef struct http_gate_limits {
    unsigned connections; // in all, without the reserved ones
    unsigned per_address;
    unsigned reserved;
    unsigned leaving;  // cut but not closed yet; with this many, no connection is accepted
    int64_t head_ms;   // from the first byte of a request, or the connection's beginning
    int64_t body_ms;   // from the end of the head
    int64_t idle_ms;   // between two requests
    int64_t answer_ms; // in which the client must take answer_bytes of a pending answer
    uint64_t answer_bytes;
} http_gate_limits;

// The descriptor plan provides for these (descriptor_plan.h).
enum {
    HTTP_GATE_USUAL_CONNECTIONS = 480,
    HTTP_GATE_USUAL_RESERVED = 32,
    HTTP_GATE_USUAL_LEAVING = 256,
};

// idle_ms is longer than the 60 s for which many proxies keep a connection, so that the proxy
// closes it first. 64 KiB a minute are 9 kbit/s, half the rate of the slowest mobile line.
static const http_gate_limits http_gate_limits_usual = {
    .connections = HTTP_GATE_USUAL_CONNECTIONS,
    .per_address = 128,
    .reserved = HTTP_GATE_USUAL_RESERVED,
    .leaving = HTTP_GATE_USUAL_LEAVING,
    .head_ms = 20000,
    .body_ms = 20000,
    .idle_ms = 75000,
    .answer_ms = 60000,
    .answer_bytes = 65536,
};

// http_gate_limits_within returns the limits for this number of descriptors. Below
// DESCRIPTOR_PLAN_HTTP each count shrinks by the same factor, to at least 1, and an address gets at
// most half of the connections. Pure.
http_gate_limits http_gate_limits_within(uint64_t descriptors);

typedef enum http_gate_limit {
    HTTP_GATE_ADDRESS,
    HTTP_GATE_CONNECTIONS,
    HTTP_GATE_RESERVED,
    HTTP_GATE_HEAD_SLOW,
    HTTP_GATE_BODY_SLOW,
    HTTP_GATE_IDLE,
    HTTP_GATE_ANSWER_SLOW,
} http_gate_limit;

// The bytes of a connection, including TLS.
typedef struct http_gate_bytes {
    uint64_t received;
    uint64_t taken;  // acknowledged by the client
    bool is_waiting; // sent bytes are unacknowledged, or bytes wait to be sent
} http_gate_bytes;

typedef struct http_gate_ops {
    // Shuts down a begun connection; its descriptor is closed later.
    void (*cut)(void *arg, int fd, http_gate_limit limit);
    bool (*measure)(void *arg, int fd, http_gate_bytes *out_bytes); // false: unknown
    void *arg;
} http_gate_ops;

typedef enum http_gate_phase {
    HTTP_GATE_AWAITS_HEAD,
    HTTP_GATE_AWAITS_BODY,
    HTTP_GATE_WORKS,
    HTTP_GATE_SENDS,
    HTTP_GATE_RESTS, // between two requests
} http_gate_phase;

// http_gate_create copies limits. NULL: out of memory.
http_gate *http_gate_create(const http_gate_limits *limits, const http_gate_ops *ops);

// http_gate_destroy also frees connections that have not left. NULL is fine.
void http_gate_destroy(http_gate *gate);

// http_gate_is_crowded returns whether limits.leaving connections are cut but not closed yet.
bool http_gate_is_crowded(http_gate *gate);

// http_gate_admit adds a connection, and may cut another one. *out_id is a number that is never
// reused. False: out of memory, and the caller closes fd.
bool http_gate_admit(
    http_gate *gate, int fd, const struct sockaddr *address, int64_t now_ms, uint64_t *out_id);

// http_gate_begin lends the connection with this descriptor until http_gate_leave. If it was cut
// before, ops.cut is called now. NULL: the gate does not know it, and the caller ends it.
http_line *http_gate_begin(http_gate *gate, int fd);

// http_gate_leave frees the connection with this descriptor. Call it before the descriptor is
// closed, or at any time if the connection did not begin.
void http_gate_leave(http_gate *gate, int fd);

// http_gate_check cuts connections over their time, and frees those that did not begin within
// head_ms. Call it every second. Returns the number of remaining connections.
size_t http_gate_check(http_gate *gate, int64_t now_ms);

// http_line_enter begins a phase of the connection. NULL is fine.
void http_line_enter(http_line *line, http_gate_phase phase, int64_t now_ms);

// http_line_is_reserved returns whether the connection has a reserved place. NULL has none.
bool http_line_is_reserved(const http_line *line);

// --- Clients that leave

// http_gate_note_gone notes that a client has closed the connection with this id, or only the
// client's half of it.
void http_gate_note_gone(http_gate *gate, uint64_t id);

// http_line_watch makes the gate call on_gone once, under its lock, when the client leaves,
// possibly before http_line_watch returns. on_gone must not call the gate. If line is NULL, on_gone
// is never called.
void http_line_watch(http_line *line, void (*on_gone)(void *arg), void *arg);

// http_line_unwatch ends the watch: on_gone is not called after it returns. NULL is fine.
void http_line_unwatch(http_line *line);
