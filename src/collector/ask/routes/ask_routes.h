// SPDX-License-Identifier: Apache-2.0

// ask_routes: the table of all questions. To add a question, add a file with its route, its
// parameters and its answer, and a line in ask_routes.def.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_ask.c

#pragma once

#include "collector/ask/work/ask_query.h"

#define ASK_ROUTE(name) extern const ask_route ask_##name##_route;
#include "collector/ask/routes/ask_routes.def"
#undef ASK_ROUTE

// ask_routes_find returns the route of a path after /api/v1/, and sets *out_rest to the rest of the
// path; NULL if there is none.
const ask_route *ask_routes_find(const char *path, const char **out_rest);
