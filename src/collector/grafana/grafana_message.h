// SPDX-License-Identifier: Apache-2.0
// grafana_message: messages of pyroscope.proto from their JSON form, as protobuf defines it: names
// as they are or in lowerCamelCase, 64-bit numbers also as strings, enums by name or number.
// Unknown members are ignored, so that newer clients are understood, unless they are selectors:
// without them, an answer would be about more than the client asked for.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include "common/base/lp_err.h"

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>

// grafana_message_read makes a message. The caller ends it with protobuf_c_message_free_unpacked.
// Errors: LP_ECORRUPT a member of a wrong type, or given twice; LP_EVERSION an unknown selector or
// name of an enum; LP_ENOMEM
LP_MUST_USE lp_err grafana_message_read(const ProtobufCMessageDescriptor *of, const json_t *json,
    ProtobufCMessage **out_message, lp_problem *out_problem);
