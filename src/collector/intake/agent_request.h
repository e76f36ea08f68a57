// SPDX-License-Identifier: Apache-2.0

// agent_request: a request of an agent as bytes, and as the message that it is, once that was
// judged by itself: nothing that comes in is trusted.
//
// Threads: any thread.
// Tests:   tests/unit/collector/server/test_server_messages.c

#ifndef LP_COLLECTOR_SERVER_AGENT_REQUEST_H
#define LP_COLLECTOR_SERVER_AGENT_REQUEST_H

#include "collector/intake/agent_verdict.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdint.h>

// agent_request_unpack reads a request, which the caller frees. Errors: LP_ECORRUPT if the bytes
// are no message of the protocol; LP_ELIMIT if they would be one of too many parts; LP_ENOMEM
LP_MUST_USE lp_err agent_request_unpack(lp_slice bytes, Loupe__Wire__Request **out_message);

// agent_request_open is that for who answers it: AGENT_VERDICT_OK, and *out_message is a Hello or a
// Batch of this version; or what the answer is, and there is no message.
agent_verdict agent_request_open(lp_slice bytes, Loupe__Wire__Request **out_message);

// agent_request_find_fault returns what a batch has that none may have, as a text for people; NULL:
// nothing.
const char *agent_request_find_fault(const Loupe__Wire__Batch *batch);

#endif // LP_COLLECTOR_SERVER_AGENT_REQUEST_H
