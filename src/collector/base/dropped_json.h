// SPDX-License-Identifier: Apache-2.0
// dropped_json: the numbers of dropped events by setting, as every JSON output has them.
//
// Threads: any thread.
// Tests:   tests/e2e/cli.py

#ifndef LP_COLLECTOR_BASE_DROPPED_JSON_H
#define LP_COLLECTOR_BASE_DROPPED_JSON_H

#include "engine/reason.h"

#include <jansson.h>

// dropped_json returns an object with the reasons for which events were dropped. The caller owns
// it. NULL: out of memory.
json_t *dropped_json(const compact_dropped *dropped);

#endif // LP_COLLECTOR_BASE_DROPPED_JSON_H
