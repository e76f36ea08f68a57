// SPDX-License-Identifier: Apache-2.0
// grafana_call: a call of Pyroscope's API as Connect has it, a POST of a message: JSON if the body
// begins with {, else protobuf. The answer has the form of the call.
//
//   grafana_call_read(&call, "SelectSeries", body);
//   while ((query = grafana_call_next(&call)) != NULL) {
//       // ask query
//       grafana_call_add(&call, answer);  // or grafana_call_fail
//   }
//   grafana_call_write(&call, &out);  // send it with call.status and grafana_call_get_type
//   grafana_call_fini(&call);
//
// Errors are JSON, {"code": "invalid_argument", "message": ".."}:
//
//   400  invalid_argument   the body, a type, a selector, a time or a limit
//   404  not_found          no such recording
//   501  unimplemented      a procedure, a format or a selector that Loupe does not have
//   503  unavailable        too many questions
//   504  deadline_exceeded  the questions of a call take longer than GRAFANA_ANSWER_S_MAX
//   500  internal           see the collector's log
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py

#pragma once

#include "collector/grafana/grafana_procedures.h"
#include "common/base/lp_buf.h"

#include <stdbool.h>

enum { GRAFANA_ANSWER_S_MAX = 120 }; // for all questions of a call

// {0} is a call that is not read yet.
typedef struct grafana_call {
    unsigned status; // of HTTP; 0: the call is not answered yet
    bool is_failed;  // memory ran out
    // Private
    bool is_json;
    const grafana_procedure *procedure;
    grafana_work work;
    int64_t deadline_mono_ms;
} grafana_call;

void grafana_call_fini(grafana_call *call);

// grafana_call_is_read returns whether the call was read, or cannot be.
bool grafana_call_is_read(const grafana_call *call);

void grafana_call_read(grafana_call *call, const char *procedure, lp_slice body);

// grafana_call_next returns the next question, which the caller owns. NULL: the answer is complete.
ask_query *grafana_call_next(grafana_call *call);

// grafana_call_add adds the answer to the question.
void grafana_call_add(grafana_call *call, lp_slice answer);

// grafana_call_fail tells that the question failed with err, and why.
void grafana_call_fail(grafana_call *call, lp_err err, const char *why);

// grafana_call_get_type returns the content type of the answer.
const char *grafana_call_get_type(const grafana_call *call);

// grafana_call_write appends the complete answer, once. If memory ran out, out fails. It frees what
// the answer was made from, which takes ten times its bytes: a client may read slowly.
void grafana_call_write(grafana_call *call, lp_buf *out);
