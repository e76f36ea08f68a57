// SPDX-License-Identifier: Apache-2.0

// held_answers: answers to agents that wait for a round of sync_rounds, in the order of their
// rounds.
//
// Threads: the loop that owns it.
// Owns:    the requests, and the bytes of the answers.
// Tests:   tests/unit/collector/server/test_server_sync.c

#ifndef LP_COLLECTOR_SERVER_HELD_ANSWERS_H
#define LP_COLLECTOR_SERVER_HELD_ANSWERS_H

#include "collector/net/agent_socket.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { HELD_ANSWERS_MAX = 1 << 16 }; // that wait at a time; requests are put off then

typedef struct held_answer {
    agent_socket_request *request;
    lp_buf reply;
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t round;
} held_answer;

// A zeroed one is empty.
typedef struct held_answers {
    LP_VEC(held_answer) items;
    size_t first; // of those that wait
} held_answers;

// held_answers_has_room returns whether count more may wait.
bool held_answers_has_room(const held_answers *held, size_t count);

// held_answers_push takes the request and the reply of answer, whose round is none before that of
// the one before. Errors: LP_ENOMEM; nothing is taken then
LP_MUST_USE lp_err held_answers_push(held_answers *held, const held_answer *answer);

// held_answers_first returns the one that has waited longest, NULL if none does.
const held_answer *held_answers_first(const held_answers *held);

// held_answers_pop removes it. The caller owns what it has.
held_answer held_answers_pop(held_answers *held);

// held_answers_fini drops the requests.
void held_answers_fini(held_answers *held);

#endif // LP_COLLECTOR_SERVER_HELD_ANSWERS_H
