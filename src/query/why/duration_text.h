// SPDX-License-Identifier: Apache-2.0
// duration_text: durations for people.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/why/test_why_markdown.c

#pragma once

#include <stdint.h>

enum { QUERY_DURATION_BYTES = 32 };

// query_duration_text writes a duration with three digits and a unit, such as 12.3 ms.
void query_duration_text(int64_t ns, char out_text[QUERY_DURATION_BYTES]);
