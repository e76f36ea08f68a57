// SPDX-License-Identifier: Apache-2.0
// http_policies: GET /api/v1/policies and /api/v1/policies/{service}: the policies in force, and
// the files that could not be used.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_POLICIES_H
#define LP_COLLECTOR_HTTP_HTTP_POLICIES_H

#include "collector/access/access_caller.h"
#include "policy/policy_dir.h"

#include <microhttpd.h>
#include <stdbool.h>

// Where policies come from.
typedef struct http_policies {
    policy_dir *dir; // NULL: there are none, defaults hold
} http_policies;

// http_policies_is_default returns whether it is the name of what services have that have none of
// their own: who may read anything may read it.
bool http_policies_is_default(const char *service);

// http_policies_list lists those of services that caller may read, and default.
enum MHD_Result http_policies_list(
    struct MHD_Connection *connection, const http_policies *from, const access_caller *caller);
enum MHD_Result http_policies_show(
    struct MHD_Connection *connection, const http_policies *from, const char *service);

#endif // LP_COLLECTOR_HTTP_HTTP_POLICIES_H
