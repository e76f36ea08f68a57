// SPDX-License-Identifier: Apache-2.0
// agent_fuse: turns the agent off for good when one of its invariants is broken. The JVM runs on as
// if the agent were not there.
//
// The first broken invariant (lp_assert.h) is logged as an error and blows the fuse. From then on
// the agent's thread ships nothing and its natives do nothing. Within a second, the Java class
// Housekeeping deactivates the API and stops the recording; later if the wall clock was set back.
// Unsent data is lost; to the collector the JVM looks killed. The agent's thread closes its
// connection. If this thread itself broke the invariant, it sleeps instead, and NNG's threads keep
// the connection, reconnect, and resend the batches in flight.
//
// Threads: agent_fuse_init before any other thread exists; agent_fuse_is_blown on any thread,
//          wait-free.
// Tests:   tests/agent/fuse.py, tests/unit/agent/ship/test_ship_exit.c

#pragma once

#include <stdbool.h>

void agent_fuse_init(void);

bool agent_fuse_is_blown(void);
