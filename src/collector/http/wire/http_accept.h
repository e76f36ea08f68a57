// SPDX-License-Identifier: Apache-2.0
// http_accept: which of two media types or codings a client prefers (RFC 9110, 12.5.1 and 12.5.3).
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c

#pragma once

#include <stdbool.h>

// http_accept_prefers returns whether Accept or Accept-Encoding (NULL: not sent) names `type` and
// gives it at least the weight of `other`. Ranges like */* do not name `type`.
bool http_accept_prefers(const char *accept, const char *type, const char *other);
