// SPDX-License-Identifier: Apache-2.0
// server_open: opens the parts of a server, in their order, and tells them of each other.
//
// Threads: that of server_create.
// Tests:   tests/unit/collector/server/test_server_restart.c

#ifndef LP_COLLECTOR_SERVER_SERVER_OPEN_H
#define LP_COLLECTOR_SERVER_SERVER_OPEN_H

#include "collector/server/server_parts.h"

// server_open opens all parts but those that server_start does. If it fails, parts stay open,
// which server_destroy closes. Errors: as server_create
LP_MUST_USE lp_err server_open(server *self, const server_config *config, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_SERVER_OPEN_H
