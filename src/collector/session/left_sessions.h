// SPDX-License-Identifier: Apache-2.0

// left_sessions: sessions of a shared catalog whose collector is gone and whose agent went to no
// other one: their JVMs have ended, as a rule. Somebody has to end them, or they would run for
// ever.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/session/test_session_take.c

#ifndef LP_COLLECTOR_SERVER_LEFT_SESSIONS_H
#define LP_COLLECTOR_SERVER_LEFT_SESSIONS_H

#include "collector/session/sessions.h"

#include <stdint.h>

enum { LEFT_SESSIONS_AT_ONCE = 64 };

// left_sessions_take takes up to LEFT_SESSIONS_AT_ONCE sessions of nodes whose lease has been over
// for over_ms, or that are nobody's and were not heard of for as long. From now_ms on, the loop's
// time, they count as silent, and end as any other does. What their node had and did not store is
// counted as lost; if it comes back before they end here, it is lost all the same.
void left_sessions_take(sessions *sessions, uint64_t over_ms, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_LEFT_SESSIONS_H
