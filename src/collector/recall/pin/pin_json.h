// SPDX-License-Identifier: Apache-2.0

// pin_json: a pin as JSON, in the file of pins (pin_file.h) and between collectors (pin_peers.h).
//
//   {"key": .., "services": .., "recording": .., "kind": 1, "id": .., "reason": .., "owner": ..,
//     "from": NS, "to": NS, "made": NS, "outcomes": [..], "waiting": 0, "left_out": 0,
//     "is_settled": false, "found": 0, "stored": 0, "is_copy": false, "is_anytime": false,
//     "origin": 0}
//
// Threads: any.
// Tests:   tests/unit/collector/recall/pin/test_pin_file.c

#pragma once

#include "collector/recall/pin/pins.h"

#include <jansson.h>
#include <stdbool.h>

// pin_json_write returns NULL if memory ran out, or the name of a service is not UTF-8. The caller
// owns the result.
json_t *pin_json_write(const pin *of);

// pin_json_read returns false if a pin is malformed. It may come from an earlier version.
bool pin_json_read(json_t *item, pin *out);
