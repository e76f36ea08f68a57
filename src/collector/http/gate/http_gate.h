// SPDX-License-Identifier: Apache-2.0

// http_gate: which connections of HTTP there are, what each of them does, and which one has to go.
//
// A connection waits for its client (for the head of a request, for its body, between two
// requests), works on an answer, or sends one. What waits for its client has a time to do so, and
// an answer that is sent a rate at which it is taken at least.
//
// There are so many connections in all, and so many of one address (peers.h). For one more of an
// address that has all of its own, the one of them goes that waited for its client for the longest.
// Where all are taken, one goes of the address that has most: one that waits for its client, or
// else one that works or sends, if that address has more of them than that of the newcomer will
// have then. Where none can go, the newcomer gets one of those that are reserved: there /healthz
// and /readyz are answered, and nothing else. Of these one goes for a newcomer in any case.
//
// Threads: any thread. Functions of ops are called under a lock.
// Tests:   tests/unit/collector/http/gate/test_http_gate.c

#ifndef LP_COLLECTOR_HTTP_HTTP_GATE_H
#define LP_COLLECTOR_HTTP_HTTP_GATE_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct http_gate http_gate;

// A connection.
typedef struct http_line http_line;

typedef struct http_gate_limits {
    unsigned connections; // in all, but for those that are reserved
    unsigned per_address;
    unsigned reserved;
    unsigned leaving; // that were cut and are not closed yet, before another one comes in
    int64_t head_ms;  // from the first byte of a request, or the connection's beginning
    int64_t body_ms;  // from the end of the head
    int64_t idle_ms;  // between two requests
    // While an answer waits to be taken, the client takes so many bytes of it in each such time.
    int64_t answer_ms;
    uint64_t answer_bytes;
} http_gate_limits;

// Descriptors are planned for these (descriptor_plan.h), where there are enough of them.
enum {
    HTTP_GATE_USUAL_CONNECTIONS = 480,
    HTTP_GATE_USUAL_RESERVED = 32,
    HTTP_GATE_USUAL_LEAVING = 256,
};

// Many proxies keep a connection for 60 s: they are to close it first, or a request of theirs may
// meet its end. 64 KiB in a minute are 9 kbit/s, half of what the slowest mobile line carries.
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

// http_gate_limits_within returns the usual limits for so many descriptors: with fewer than
// DESCRIPTOR_PLAN_HTTP all kinds of connections have the same share of what they have usually, but
// one at least, and an address half of them at most. Pure.
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

// Bytes of a connection, those of TLS included.
typedef struct http_gate_bytes {
    uint64_t received;
    uint64_t taken;  // of what was sent: the other side has it
    bool is_waiting; // there is more to be taken
} http_gate_bytes;

typedef struct http_gate_ops {
    // Ends a connection that has begun; its descriptor is closed later.
    void (*cut)(void *arg, int fd, http_gate_limit limit);
    bool (*measure)(void *arg, int fd, http_gate_bytes *out_bytes); // false: not known
    void *arg;
} http_gate_ops;

typedef enum http_gate_phase {
    HTTP_GATE_AWAITS_HEAD,
    HTTP_GATE_AWAITS_BODY,
    HTTP_GATE_WORKS,
    HTTP_GATE_SENDS,
    HTTP_GATE_RESTS, // between two requests
} http_gate_phase;

// http_gate_create returns NULL if memory ran out. limits are copied.
http_gate *http_gate_create(const http_gate_limits *limits, const http_gate_ops *ops);

// http_gate_destroy also forgets connections that have not left. NULL is fine.
void http_gate_destroy(http_gate *gate);

// http_gate_is_crowded returns whether so many are leaving that others have to wait.
bool http_gate_is_crowded(http_gate *gate);

// http_gate_admit lets a connection in, which may cost another one its place. *out_id is a number
// that no other connection has had. False: memory ran out, and the caller closes it.
bool http_gate_admit(
    http_gate *gate, int fd, const struct sockaddr *address, int64_t now_ms, uint64_t *out_id);

// http_gate_begin lends the connection with this descriptor, which is open from now on until
// http_gate_leave: what had to go before that goes now. NULL: there is none, or it was forgotten,
// and the caller ends it.
http_line *http_gate_begin(http_gate *gate, int fd);

// http_gate_leave forgets the connection with this descriptor, before it is closed, or after that
// where it did not begin.
void http_gate_leave(http_gate *gate, int fd);

// http_gate_check cuts what is over its time, and forgets what has not begun within that for a
// head; to be called each second. It returns how many connections there are then.
size_t http_gate_check(http_gate *gate, int64_t now_ms);

// http_line_enter notes what the connection does from now on. NULL is fine.
void http_line_enter(http_line *line, http_gate_phase phase, int64_t now_ms);

// http_line_is_reserved returns whether only /healthz and /readyz are answered there. NULL is not.
bool http_line_is_reserved(const http_line *line);

// --- Clients that leave

// http_gate_note_gone notes that the client with this number has gone, or has closed its half.
void http_gate_note_gone(http_gate *gate, uint64_t id);

// http_line_watch has on_gone called, once and under the lock, as soon as the client has gone,
// which may be before it returns. on_gone must not call the gate. NULL is fine: it is never called.
void http_line_watch(http_line *line, void (*on_gone)(void *arg), void *arg);

// http_line_unwatch ends that: when it returns on_gone is not called any more.
void http_line_unwatch(http_line *line);

#endif // LP_COLLECTOR_HTTP_HTTP_GATE_H
