// SPDX-License-Identifier: Apache-2.0
// sim_loop: takes the place of libuv's loop and of the collector's threads: timers are due by the
// simulated clock, and what would run on another thread runs a while later, between two callbacks.
// There is one loop at a time.
//
// Threads: the one of the test.

#pragma once

// sim_loop_step runs what is due.
void sim_loop_step(void);
