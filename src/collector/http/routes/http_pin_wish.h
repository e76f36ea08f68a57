// SPDX-License-Identifier: Apache-2.0
// http_pin_wish: what a POST of a pin asks for.
//
//   trace=ID, request=ID, thread=NAME   what to keep of the chunks: one of them; none: everything
//   service=, recording=                whose chunks: one of them. A trace may have none: those of
//                                       all services that the caller may pin. A request has a
//                                       recording
//   from=, to=, key=, reason=           see pins.h
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#pragma once

#include "collector/recall/pin/pins.h"
#include "common/base/lp_err.h"

#include <microhttpd.h>
#include <stdbool.h>

typedef struct http_pin_wish {
    pin pin; // without id and owner. The service of a recording or a trace may be missing
    bool has_recording;
    bool has_from;
} http_pin_wish;

// http_pin_wish_read reads the parameters of a request, but not whether the recording exists.
// Errors: LP_ECORRUPT
LP_MUST_USE lp_err http_pin_wish_read(
    struct MHD_Connection *connection, http_pin_wish *out, lp_problem *out_problem);

// http_pin_wish_set_times sets the times of a pin without from= and to=, around now_wall_ns.
void http_pin_wish_set_times(pin *pin, int64_t from_wall_ns, int64_t to_wall_ns);
