// SPDX-License-Identifier: Apache-2.0
// ship_wake: wakes up the thread that waits for an eventfd.
//
// Threads: any thread.
// Tests: tests/unit/agent/ship/test_ship.c

#pragma once

#include <stdint.h>
#include <unistd.h>

static inline void
ship_wake(int wake_fd)
{
    uint64_t one = 1;
    ssize_t count = write(wake_fd, &one, sizeof(one));
    (void)count; // it fails only if the counter is full: then the thread is awake
}
