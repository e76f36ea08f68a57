// SPDX-License-Identifier: Apache-2.0
// server_tick: the regular checks of a server: ends of JVMs, changes of policies and
// files, limits, faults.
//
// Threads: the loop's.
// Tests:   tests/unit/collector/server/test_server_silence.c

#ifndef LP_COLLECTOR_SERVER_SERVER_TICK_H
#define LP_COLLECTOR_SERVER_SERVER_TICK_H

#include <uv.h>

// server_tick is called each SERVER_TICK_MS; tick->data is the server.
void server_tick(uv_timer_t *tick);

#endif // LP_COLLECTOR_SERVER_SERVER_TICK_H
