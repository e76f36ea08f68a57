// SPDX-License-Identifier: Apache-2.0

// sp_client: an agent's connection, byte by byte, right or wrong. The test's thread also runs the
// collector's loop, so nothing happens concurrently.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <uv.h>

enum { SP_CLIENT_WAIT_S_MAX = 60 };

extern const uint8_t SP_CLIENT_GREETING[8];

// sp_client_connect connects to url, "tcp://127.0.0.1:PORT" or "ipc://PATH", and sends nothing.
int sp_client_connect(const char *url);

// sp_client_connect_from does so for TCP from an IPv4 address of this machine.
int sp_client_connect_from(const char *url, const char *from);

// sp_client_limit_descriptors sets the limit of descriptors of this process, in which the collector
// runs, and returns the old one.
rlim_t sp_client_limit_descriptors(rlim_t count);

// sp_client_send sends all of bytes; the loop runs while the kernel has no room for them.
void sp_client_send(uv_loop_t *loop, int fd, const void *bytes, size_t size);

// sp_client_greet connects and exchanges greetings.
int sp_client_greet(uv_loop_t *loop, const char *url);

// sp_client_ask sends a message with this id and size_bytes of body, all of them mark.
void sp_client_ask(uv_loop_t *loop, int fd, uint32_t id, uint8_t mark, size_t size_bytes);

// sp_client_receive runs the loop until size bytes are received. False at the end of the
// connection.
bool sp_client_receive(uv_loop_t *loop, int fd, void *out, size_t size);

// sp_client_await_end runs the loop until the collector has closed the connection, and closes it.
void sp_client_await_end(uv_loop_t *loop, int fd);

// sp_client_reset closes a connection as the kernel does for a killed process.
void sp_client_reset(int fd);

// sp_client_turn runs the loop once, and waits briefly if it has no work.
void sp_client_turn(uv_loop_t *loop);

// SP_CLIENT_AWAIT runs the loop until condition.
#define SP_CLIENT_AWAIT(loop, condition)                                                           \
    do {                                                                                           \
        uint64_t sp_client_until_ = uv_hrtime() + SP_CLIENT_WAIT_S_MAX * UINT64_C(1000000000);     \
        while (!(condition)) {                                                                     \
            assert_true(uv_hrtime() < sp_client_until_);                                           \
            sp_client_turn(loop);                                                                  \
        }                                                                                          \
    } while (0)

// sp_client_count_descriptors returns how many this process has.
size_t sp_client_count_descriptors(void);
