// SPDX-License-Identifier: Apache-2.0
// http_policies: the policies in force, and the files that could not be used.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_POLICIES_H
#define LP_COLLECTOR_HTTP_HTTP_POLICIES_H

#include <stdbool.h>

// http_policies_is_default returns whether it is the name of what services have that have none of
// their own: who may read anything may read it.
bool http_policies_is_default(const char *service);

#endif // LP_COLLECTOR_HTTP_HTTP_POLICIES_H
