// SPDX-License-Identifier: Apache-2.0

// agent_listener: listens for agents and accepts their connections, as long as there are
// descriptors for them.
//
// Where its owner has no descriptor for one more connection, or the system has none left, nobody is
// accepted for TCP_LISTEN_PAUSE_MS (tcp_listen.h). Who wants to connect meanwhile waits in the
// kernel's queue or dials again, and takes no time of the loop's.
//
// TCP finds out by itself which peers are gone without a word (AGENT_LISTENER_GONE_MS_MAX).
//
// Threads: the loop that owns it; start before the loop runs.

#ifndef LP_COLLECTOR_SERVER_AGENT_LISTENER_H
#define LP_COLLECTOR_SERVER_AGENT_LISTENER_H

#include "collector/net/sp_frame.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    AGENT_LISTENER_GONE_MS_MAX = 45 * 1000, // until a peer that acknowledges nothing is gone
};

typedef struct agent_listener_config {
    uv_loop_t *loop;
    // tcp://HOST:PORT, tcp://[IPV6]:PORT, tcp://*:PORT for all addresses; port 0: any. tls+tcp://
    // is the same for connections under TLS. Or ipc://PATH, a Unix socket.
    const char *url;
    bool is_local; // refuse a URL that other machines reach
    // Takes fd, which does not block, of a peer (peers.h). False: there is no descriptor for it; fd
    // is closed.
    bool (*on_accepted)(void *arg, int fd, uint64_t peer);
    void *arg;
} agent_listener_config;

typedef struct agent_listener {
    uv_poll_t poll;
    uv_timer_t pause;
    int fd;
    char *url;  // with the actual port
    char *path; // of a Unix socket, which is removed at the end; NULL for TCP
    bool (*on_accepted)(void *arg, int fd, uint64_t peer);
    void *arg;
    uint64_t log_ms; // loop time before which no line is due
    bool is_open;
} agent_listener;

// agent_listener_start accepts from the moment that the loop runs. The listener stays where it is
// until agent_listener_fini.
// Errors: LP_ECORRUPT for a URL that cannot be read; LP_EIO if it cannot be listened on; LP_ENOMEM
LP_MUST_USE lp_err agent_listener_start(
    agent_listener *listener, const agent_listener_config *config, lp_problem *out_problem);

sp_transport agent_listener_get_transport(const agent_listener *listener);

// agent_listener_is_tls returns whether url is for connections under TLS.
bool agent_listener_is_tls(const char *url);

// agent_listener_stop accepts no more. The URL can be listened on again; the handles are closed
// once the loop has run.
void agent_listener_stop(agent_listener *listener);

// agent_listener_fini frees memory, when the loop has run after agent_listener_stop.
void agent_listener_fini(agent_listener *listener);

#endif // LP_COLLECTOR_SERVER_AGENT_LISTENER_H
