// SPDX-License-Identifier: Apache-2.0
// http_grafana: POST /querier.v1.QuerierService/PROCEDURE, calls of Pyroscope's API
// (grafana_call.h). They ask the questions of /api/v1, with the rights of the caller.
//
// Threads: the thread that handles the connection; http_grafana_add: the thread that answered,
//          while the connection is suspended.
// Tests:   tests/e2e/pyroscope.py

#pragma once

#include "collector/http/routes/http_call.h"

// http_grafana_next reads call->body the first time, and returns the next question of the call,
// which the caller owns. NULL: the call can be answered.
ask_query *http_grafana_next(http_call *call);

// http_grafana_add adds the answer to the question. Takes ownership of answer. NULL: out of memory.
void http_grafana_add(http_call *call, ask_answer *answer);
