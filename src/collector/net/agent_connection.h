// SPDX-License-Identifier: Apache-2.0

// agent_connection: one connection of an agent, or of anybody who could reach the port: reads
// messages from it, writes answers to it, and closes it where it is over a limit.
//
// It is not read from, so that the sender has to wait,
// - between two messages, while the owner has no room for the next one,
// - while AGENT_CONNECTION_UNANSWERED_MAX messages of it are unanswered,
// - while answers wait for it to take them.
//
// Under TLS it begins with the handshake, which is part of the greeting.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_AGENT_CONNECTION_H
#define LP_COLLECTOR_SERVER_AGENT_CONNECTION_H

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
    AGENT_CONNECTION_TURN_MAX = 4,                // messages, before others get their turn
    AGENT_CONNECTION_TURN_BYTES_MAX = 1 << 20,    // the same; one message may be more
    AGENT_CONNECTION_UNANSWERED_MAX = 64,         // messages
    AGENT_CONNECTION_ANSWERS_BYTES_MAX = 2 << 20, // that wait to be taken
    // How long things may take before the connection is closed:
    AGENT_CONNECTION_GREETING_MS_MAX = 10 * 1000, // from the connection to the end of the greeting
    AGENT_CONNECTION_MESSAGE_MS_MAX = 60 * 1000,  // from the first byte of a message to the last
    // While other connections wait for the room that a message has, its connection is also closed
    // once the message has been coming for longer than AGENT_CONNECTION_CROWDED_MS, at less than
    // AGENT_CONNECTION_CROWDED_BYTES_MIN bytes a millisecond on average since its first byte.
    AGENT_CONNECTION_CROWDED_BYTES_MIN = 16,
    AGENT_CONNECTION_CROWDED_MS = 1000,
    AGENT_CONNECTION_ANSWERS_MS_MAX = 60 * 1000, // until answers are taken
    AGENT_CONNECTION_STOP_MS_MAX = 1000,         // the same, once nothing more is read
    AGENT_CONNECTION_IDLE_MS_MAX =
        5 * 60 * 1000, // without a message; a live agent sends every second
};
_Static_assert((int)AGENT_CONNECTION_ANSWERS_BYTES_MAX > (int)WIRE_REPLY_BYTES_MAX, "one fits");

// Why a connection is closed.
typedef enum agent_end {
    AGENT_END_NONE, // it was over no limit: its peer is gone, or the collector ends
    AGENT_END_FOREIGN,
    AGENT_END_MESSAGE_LARGE,
    AGENT_END_MESSAGE_SLOW,
    AGENT_END_GREETING_SLOW,
    AGENT_END_ANSWERS_LARGE,
    AGENT_END_ANSWERS_SLOW,
    AGENT_END_IDLE,
    AGENT_END_NO_MEMORY,
    AGENT_END_TLS,
    AGENT_END_HANDSHAKE_LARGE,
    AGENT_END_PEER,
    AGENT_END_TLS_CONNECTIONS,
} agent_end;

// agent_end_find_metric returns the metric that counts connections closed for this; it is not
// AGENT_END_NONE.
metrics_id agent_end_find_metric(agent_end why);

typedef struct agent_connection agent_connection;

// The owner's side. Any of these may have the connection closed before it returns.
typedef struct agent_connection_owner {
    uv_loop_t *loop;
    tls_files *tls; // what connections begin with; NULL: none, and the next three are not called
    // Returns whether a handshake may take its next step now: that costs time which all share.
    bool (*may_shake)(void *arg);
    // A handshake has more bytes: shaken_bytes is the owner's to bring up to date. Returns whether
    // there is room for them.
    bool (*has_shaking_room)(void *arg, agent_connection *connection);
    void (*on_shaken)(void *arg, agent_connection *connection); // the handshake is done
    // A message of connection->reader.message.size_bytes comes. Returns whether there is room for
    // it; if not, agent_connection_admit is due once there is.
    bool (*has_room)(void *arg, agent_connection *connection);
    // The message is there; the owner frees its bytes, and calls agent_connection_end_request once.
    void (*on_message)(void *arg, agent_connection *connection, sp_message message);
    // It is closing: nothing comes from it any more, nothing goes to it. It is counted already.
    void (*on_closing)(void *arg, agent_connection *connection, agent_end why);
    void *arg;
} agent_connection_owner;

struct agent_connection {
    uv_poll_t poll;
    agent_stream stream;
    uint64_t id;   // the owner's
    uint64_t peer; // the same (peers.h)
    const agent_connection_owner *owner;
    sp_reader reader;
    lp_buf answers;      // that wait to be taken
    size_t answers_sent; // bytes of them that are taken
    size_t unanswered;   // messages
    size_t room_bytes;   // that its message has, for the owner
    bool awaits_room;    // the reader has announced a message
    size_t shaken_bytes; // of its handshake, as the owner has counted them
    bool awaits_shake;   // the owner counts it among the handshakes
    bool is_stopped;     // nothing more is read
    bool is_reading;
    bool is_closed;
    int events;                            // that the loop waits for
    uint64_t heard_ms;                     // loop time of the last message
    uint64_t begun_ms;                     // of what is being read: since when we have read it
    uint64_t answering_ms;                 // since when answers wait
    TAILQ_ENTRY(agent_connection) waiting; // the owner's; so while it shakes hands
};

// agent_connection_start makes a connection of fd, which does not block. It frees itself after it
// was closed, once the loop has run.
// Owns:   takes fd, also after an error; owner is borrowed for as long as the connection is there
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err agent_connection_start(const agent_connection_owner *owner, int fd,
    sp_transport transport, uint64_t id, agent_connection **out_connection);

// agent_connection_greet begins to speak, and to listen.
void agent_connection_greet(agent_connection *connection);

// agent_connection_admit has the message read that was announced when there was no room for it.
void agent_connection_admit(agent_connection *connection);

// agent_connection_answer sends a message of these pieces.
void agent_connection_answer(agent_connection *connection, lp_slice header, lp_slice body);

// agent_connection_end_request notes that a message was answered, or never will be.
void agent_connection_end_request(agent_connection *connection);

// agent_connection_stop reads nothing more; answers can still be sent.
void agent_connection_stop(agent_connection *connection);

// agent_connection_look closes the connection if something takes longer than it may. is_crowded:
// others wait for room.
void agent_connection_look(agent_connection *connection, bool is_crowded);

// agent_connection_close is for any time; answers that wait are lost. It counts why.
void agent_connection_close(agent_connection *connection, agent_end why);

#endif // LP_COLLECTOR_SERVER_AGENT_CONNECTION_H
