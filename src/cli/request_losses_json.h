// SPDX-License-Identifier: Apache-2.0
// request_losses_json: what of requests was not as it should be, as JSON.
//
// Threads: any thread; pure functions.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_REQUEST_LOSSES_JSON_H
#define LP_CLI_REQUEST_LOSSES_JSON_H

#include "engine/request_losses.h"

#include <jansson.h>

// request_losses_json returns an object with a number for each of request_losses.def, which the
// caller owns; NULL where memory ran out.
static inline json_t *
request_losses_json(const compact_request_losses *losses)
{
    json_t *json = json_object();
#define COMPACT_REQUEST_LOSS(id, field, label)                                                     \
    (void)json_object_set_new(json, #id, json_integer((json_int_t)losses->id));
#include "engine/request_losses.def"
#undef COMPACT_REQUEST_LOSS
    return json;
}

#endif // LP_CLI_REQUEST_LOSSES_JSON_H
