// SPDX-License-Identifier: Apache-2.0

// agent_connection: one connection to the agents' port. It reads messages, writes answers, and
// closes the connection if the peer exceeds a limit.
//
// In these cases it stops reading, so that the sender has to wait:
// - between two messages, while the owner has no room for the next one
// - while AGENT_CONNECTION_UNANSWERED_MAX messages are unanswered
// - while the peer does not read its answers
//
// The handshake of TLS counts as a part of the greeting.
//
// Threads: the loop that owns it.

#pragma once

#include "collector/base/metrics.h"
#include "collector/net/agent_stream.h"
#include "collector/net/sp_frame.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <uv.h>

enum {
    AGENT_CONNECTION_TURN_MAX = 4,             // messages read before other connections get a turn
    AGENT_CONNECTION_TURN_BYTES_MAX = 1 << 20, // bytes read in a turn, plus up to a message
    AGENT_CONNECTION_UNANSWERED_MAX = 64,      // messages
    AGENT_CONNECTION_ANSWERS_BYTES_MAX = 2 << 20, // of unsent answers
    // Times after which the connection is closed:
    AGENT_CONNECTION_GREETING_MS_MAX = 10 * 1000, // from the connection to the end of the greeting
    AGENT_CONNECTION_MESSAGE_MS_MAX = 60 * 1000,  // from the first byte of a message to the last
    // While other connections wait for room, a connection is also closed if its message has taken
    // longer than AGENT_CONNECTION_CROWDED_MS, at an average of less than
    // AGENT_CONNECTION_CROWDED_BYTES_MIN bytes a millisecond.
    AGENT_CONNECTION_CROWDED_BYTES_MIN = 16,
    AGENT_CONNECTION_CROWDED_MS = 1000,
    AGENT_CONNECTION_ANSWERS_MS_MAX = 60 * 1000,  // until the peer has read an answer
    AGENT_CONNECTION_STOP_MS_MAX = 1000,          // the same, after agent_connection_stop
    AGENT_CONNECTION_IDLE_MS_MAX = 5 * 60 * 1000, // without a message; agents send every second
};
_Static_assert((int)AGENT_CONNECTION_ANSWERS_BYTES_MAX > (int)WIRE_REPLY_BYTES_MAX, "one fits");

// Why a connection is closed.
typedef enum agent_end {
    AGENT_END_NONE,    // no limit was exceeded: the peer closed it, or the collector stops
    AGENT_END_FOREIGN, // the peer is no agent
    AGENT_END_MESSAGE_LARGE,
    AGENT_END_MESSAGE_SLOW,
    AGENT_END_GREETING_SLOW,
    AGENT_END_ANSWERS_LARGE,
    AGENT_END_ANSWERS_SLOW,
    AGENT_END_IDLE,
    AGENT_END_NO_MEMORY,
    AGENT_END_TLS,
    AGENT_END_HANDSHAKE_LARGE,
    AGENT_END_PEER,            // too many connections from its address
    AGENT_END_TLS_CONNECTIONS, // too many connections with TLS
} agent_end;

// agent_end_find_metric returns the metric of connections closed for this reason, other than
// AGENT_END_NONE.
metrics_id agent_end_find_metric(agent_end why);

typedef struct agent_connection agent_connection;

// The owner's callbacks. Each may close the connection before it returns.
typedef struct agent_connection_owner {
    uv_loop_t *loop;
    tls_files *tls; // NULL: no TLS, and the next three are not called
    // Returns whether the handshake may make a step now. A step takes time of the loop.
    bool (*may_shake)(void *arg);
    // A handshake has received more bytes. Updates connection->shaken_bytes, and returns whether
    // there is room for them.
    bool (*has_shaking_room)(void *arg, agent_connection *connection);
    void (*on_shaken)(void *arg, agent_connection *connection); // the handshake is done
    // A message of connection->reader.message.size_bytes follows. Returns whether there is room for
    // it. If not, the owner calls agent_connection_admit once there is.
    bool (*has_room)(void *arg, agent_connection *connection);
    // A message is complete. The owner frees its bytes, and calls agent_connection_end_request
    // once.
    void (*on_message)(void *arg, agent_connection *connection, sp_message message);
    // The connection is closing, and has been counted. No other callback follows.
    void (*on_closing)(void *arg, agent_connection *connection, agent_end why);
    void *arg;
} agent_connection_owner;

struct agent_connection {
    uv_poll_t poll;
    agent_stream stream;
    uint64_t id;   // the owner's
    uint64_t peer; // the owner's (peers.h)
    const agent_connection_owner *owner;
    sp_reader reader;
    lp_buf answers;      // not sent completely
    size_t answers_sent; // bytes of answers that were sent
    size_t unanswered;   // messages
    size_t room_bytes;   // the owner's: what its message takes of the room
    bool awaits_room;    // for the announced message
    size_t shaken_bytes; // the owner's: bytes of the handshake that it has counted
    bool awaits_shake;   // the owner's: it is in the list of unfinished handshakes
    bool is_stopped;     // see agent_connection_stop
    bool is_reading;
    bool is_closed;
    int events;            // that the loop polls for
    uint64_t heard_ms;     // loop time of the last message
    uint64_t begun_ms;     // loop time of the first byte of the message being received
    uint64_t answering_ms; // loop time since which answers wait
    TAILQ_ENTRY(agent_connection) waiting; // the owner's: for room, or during the handshake
};

// agent_connection_start makes a connection of fd, which is non-blocking. After
// agent_connection_close, the connection frees itself when the loop runs.
// Owns:   takes fd, even after an error; borrows owner while the connection exists
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err agent_connection_start(const agent_connection_owner *owner, int fd,
    sp_transport transport, uint64_t id, agent_connection **out_connection);

// agent_connection_greet begins the handshake or sends the greeting, and begins to read.
void agent_connection_greet(agent_connection *connection);

// agent_connection_admit reads the announced message, for which there is now room.
void agent_connection_admit(agent_connection *connection);

void agent_connection_answer(agent_connection *connection, lp_slice header, lp_slice body);

// agent_connection_end_request notes that a message was answered or dropped.
void agent_connection_end_request(agent_connection *connection);

// agent_connection_stop stops reading; answers can still be sent.
void agent_connection_stop(agent_connection *connection);

// agent_connection_expire closes the connection if it has exceeded one of the times above.
// is_crowded: other connections wait for room.
void agent_connection_expire(agent_connection *connection, bool is_crowded);

// agent_connection_close closes the connection and counts the reason. Unsent answers are lost. It
// ignores a closed connection.
void agent_connection_close(agent_connection *connection, agent_end why);
