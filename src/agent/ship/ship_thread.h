// SPDX-License-Identifier: Apache-2.0
// ship_thread: starts the agent's threads, and wakes up a thread that waits for an eventfd.
//
// Threads: any thread.
// Tests:   tests/unit/agent/ship/test_ship.c

#pragma once

#include <stdint.h>

// Starts a detached thread, which inherits this thread's signal mask. Returns 0, or an errno value
// if the thread could not be started.
int ship_thread_start(const char *name, void *(*run)(void *arg), void *arg);

void ship_wake(int wake_fd);
