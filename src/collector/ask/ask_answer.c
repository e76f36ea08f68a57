// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/ask_answer.h"

#include <stdlib.h>

void
ask_answer_destroy(ask_answer *answer)
{
    if (answer != NULL) {
        lp_buf_fini(&answer->body);
        free(answer);
    }
}

lp_err
ask_answer_refuse(ask_answer *answer)
{
    answer->err = lp_problem_set(&answer->problem, LP_ELIMIT,
        "the answer would be longer than %d MB: ask for less", ASK_ANSWER_BYTES_MAX >> 20);
    return answer->err;
}

static int
append(const char *text, size_t len, void *arg)
{
    ask_answer *answer = arg;
    if (len > ASK_ANSWER_BYTES_MAX - answer->body.len) {
        (void)ask_answer_refuse(answer);
        return -1;
    }
    lp_buf_append(&answer->body, text, len);
    return answer->body.is_failed ? -1 : 0;
}

lp_err
ask_answer_set_json(ask_answer *answer, json_t *json)
{
    answer->type = "application/json";
    answer->err = LP_OK; // of an answer that was too long
    lp_buf_clear(&answer->body);
    int failure = json == NULL ? -1 : json_dump_callback(json, append, answer, JSON_COMPACT);
    json_decref(json);
    if (failure != 0 && answer->err == LP_OK) {
        answer->err = LP_ENOMEM;
    }
    return answer->err;
}
