// SPDX-License-Identifier: Apache-2.0
// http_questions: questions about contexts, from the parameters of a request to the answer.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/ask/test_ask_work.c

#ifndef LP_COLLECTOR_HTTP_HTTP_QUESTIONS_H
#define LP_COLLECTOR_HTTP_HTTP_QUESTIONS_H

#include "collector/ask/work/ask_query.h"

#include <microhttpd.h>

// http_questions_read reads the question that caller asks by a request; whoever calls owns it.
// Where it cannot, it answers with the reason, and *out_query is not written.
enum MHD_Result http_questions_read(struct MHD_Connection *connection, const ask_route *route,
    const char *rest, const access_caller *caller, ask_query **out_query);

// http_questions_reply sends an answer, and takes it.
enum MHD_Result http_questions_reply(struct MHD_Connection *connection, ask_answer *answer);

#endif // LP_COLLECTOR_HTTP_HTTP_QUESTIONS_H
