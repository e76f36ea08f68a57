// SPDX-License-Identifier: Apache-2.0

// agent_listener: listens for agents and accepts their connections.
//
// If the owner or the system has no descriptor for another connection, the listener accepts none
// for TCP_LISTEN_PAUSE_MS (tcp_listen.h). Meanwhile agents wait in the kernel's queue or dial
// again, at no cost to the loop.
//
// TCP keep-alive detects peers that vanish (AGENT_LISTENER_GONE_MS_MAX).
//
// Threads: the loop that owns it; agent_listener_start before the loop runs.

#pragma once

#include "collector/net/sp_frame.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    AGENT_LISTENER_GONE_MS_MAX = 45 * 1000, // without acknowledgement, until a peer counts as gone
};

typedef struct agent_listener_config {
    uv_loop_t *loop;
    // tcp://HOST:PORT, tcp://[IPV6]:PORT, tcp://*:PORT for all addresses; port 0: any free one.
    // tls+tcp:// is the same with TLS. Or ipc://PATH, a Unix socket.
    const char *url;
    bool is_local; // refuse a URL that other machines reach
    // Takes ownership of fd, which is non-blocking. peer identifies the address (peers.h). If there
    // is no descriptor for the connection, closes fd and returns false.
    bool (*on_accepted)(void *arg, int fd, uint64_t peer);
    void *arg;
} agent_listener_config;

typedef struct agent_listener {
    uv_poll_t poll;
    uv_timer_t pause;
    int fd;
    char *url;  // with the actual port
    char *path; // of a Unix socket, which is deleted at the end; NULL for TCP
    bool (*on_accepted)(void *arg, int fd, uint64_t peer);
    void *arg;
    uint64_t log_ms; // loop time of the next line about a pause, at the earliest
    bool is_open;
} agent_listener;

// agent_listener_start listens; it accepts once the loop runs. The listener must not move until
// agent_listener_fini. Errors: LP_ECORRUPT for a malformed URL; LP_EIO if it cannot listen;
// LP_ENOMEM
LP_MUST_USE lp_err agent_listener_start(
    agent_listener *listener, const agent_listener_config *config, lp_problem *out_problem);

sp_transport agent_listener_get_transport(const agent_listener *listener);

// agent_listener_is_tls returns whether url begins with tls+tcp://.
bool agent_listener_is_tls(const char *url);

// agent_listener_stop stops listening. Another listener may then use the URL. The handles are
// closed once the loop has run.
void agent_listener_stop(agent_listener *listener);

// agent_listener_fini frees the listener's memory. Call it after agent_listener_stop, when the loop
// has run once more.
void agent_listener_fini(agent_listener *listener);
