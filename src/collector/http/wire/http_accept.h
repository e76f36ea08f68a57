// SPDX-License-Identifier: Apache-2.0
// http_accept: which of two media types, or of two codings, a client would rather have (RFC 9110,
// 12.5.1 and 12.5.3).
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c

#ifndef LP_COLLECTOR_HTTP_HTTP_ACCEPT_H
#define LP_COLLECTOR_HTTP_HTTP_ACCEPT_H

#include <stdbool.h>

// http_accept_prefers returns whether Accept or Accept-Encoding (NULL: there is none) names `type`,
// and gives it no less weight than `other`, where it names that. Ranges like */* are for `other`.
bool http_accept_prefers(const char *accept, const char *type, const char *other);

#endif // LP_COLLECTOR_HTTP_HTTP_ACCEPT_H
