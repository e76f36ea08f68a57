// SPDX-License-Identifier: Apache-2.0

// agent_request: unpacks and validates the requests of agents, which are not trusted.
//
// Threads: any thread.
// Tests:   tests/unit/collector/server/test_server_messages.c

#pragma once

#include "collector/intake/agent_verdict.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

// agent_request_unpack unpacks a request, which the caller frees. Errors: LP_ECORRUPT if the bytes
// are not a message of the protocol; LP_ELIMIT if it has too many parts; LP_ENOMEM
LP_MUST_USE lp_err agent_request_unpack(lp_slice bytes, Loupe__Wire__Request **out_message);

// agent_request_open unpacks a Hello or Batch of this version. Only with AGENT_VERDICT_OK is
// *out_message written; any other verdict is the answer.
agent_verdict agent_request_open(lp_slice bytes, Loupe__Wire__Request **out_message);

// agent_request_find_fault returns a text about how a batch breaks the protocol; NULL if it does
// not.
const char *agent_request_find_fault(const Loupe__Wire__Batch *batch);
