// SPDX-License-Identifier: Apache-2.0
// request_rules_bytes: saves, loads and copies the state of the rules for requests.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_request_rules.c, tests/prop/test_request_rules_prop.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_RULES_BYTES_H
#define LP_ENGINE_REQUESTS_REQUEST_RULES_BYTES_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/jfr/jfr_varint.h"
#include "engine/requests/request_rules.h"

// compact_request_rules_save appends the state to out.
void compact_request_rules_save(const compact_request_rules *rules, lp_buf *out);

// compact_request_rules_load reads a saved state into rules, which are {0}. The caller ends rules
// with compact_request_rules_fini, also after an error. Errors: LP_ECORRUPT; LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_load(jfr_cursor *cursor, compact_request_rules *rules);

// compact_request_rules_copy makes out, which is {0}, an independent copy. The caller ends out,
// also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_request_rules_copy(
    const compact_request_rules *rules, compact_request_rules *out);

#endif // LP_ENGINE_REQUESTS_REQUEST_RULES_BYTES_H
