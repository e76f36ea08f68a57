// SPDX-License-Identifier: Apache-2.0
// request_times: how long threads worked for requests, and how long tasks of requests waited.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "engine/requests/request_types.h"

// compact_request_times_wait finds the request of each hand-over: the one for which the taking
// thread works when it takes the task, else the next one before it takes another task.
// Errors: as of arena, here and below
void compact_request_times_wait(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests);

// compact_request_times_add adds to each request its times in the window, clipped to the request's
// begin and end. A wait that began before the window counts from worked_until.
void compact_request_times_add(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests);
