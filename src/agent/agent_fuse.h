// SPDX-License-Identifier: Apache-2.0
// agent_fuse: turns the agent off for good when it is wrong about itself. The JVM runs on as if it
// were not there.
//
// The first invariant that does not hold (lp_assert.h) is an error in the log, and blows the fuse.
// From then on the thread of the agent ships nothing, what Java calls does nothing, and within a
// second Housekeeping has made the API inactive and ended the recording (unless the wall clock is
// behind: then later). What was not sent is lost; to the collector it looks like a JVM that was
// killed. The thread of the agent closes its connection, unless the invariant is one of its own: it
// sleeps then, and NNG's threads keep the connection, dial a collector that comes back, and send
// the batches in flight again.
//
// Threads: agent_fuse_init before there are others; agent_fuse_is_blown on any, wait-free.
// Tests: tests/agent/fuse.py, tests/unit/agent/ship/test_ship_exit.c

#ifndef LP_AGENT_AGENT_FUSE_H
#define LP_AGENT_AGENT_FUSE_H

#include <stdbool.h>

void agent_fuse_init(void);

bool agent_fuse_is_blown(void);

#endif // LP_AGENT_AGENT_FUSE_H
