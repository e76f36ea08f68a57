// SPDX-License-Identifier: Apache-2.0
// http_pins: makes a pin for a request, and shows it.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#pragma once

#include "collector/http/routes/http_call.h"
#include "collector/recall/pin/pins.h"

// http_pins_make makes a pin that the caller may make, and writes the audit. *out_pin is the pin as
// it is now, and *out_is_new whether it is new. asked gets its owner, and a key if it has none.
// Errors: as pins_add; as pin_find_fill
LP_MUST_USE lp_err http_pins_make(http_call *call, pin *asked, pin *out_pin, bool *out_is_new);

// http_pins_reply_failure answers a failure of http_pins_make.
enum MHD_Result http_pins_reply_failure(http_call *call, lp_err err);

// http_pins_json describes a pin, with what other collectors did for it; NULL if memory ran out.
json_t *http_pins_json(const http_call *call, const pin *pin);
