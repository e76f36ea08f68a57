// SPDX-License-Identifier: Apache-2.0
// dropped_json: how many events were dropped, by setting, as everything that writes JSON
// has it.
//
// Threads: any thread.
// Tests: tests/e2e/cli.py

#ifndef LP_COLLECTOR_BASE_DROPPED_JSON_H
#define LP_COLLECTOR_BASE_DROPPED_JSON_H

#include "engine/reason.h"

#include <jansson.h>

// dropped_json makes an object of the reasons for which anything was dropped, and no
// others. The caller owns it. NULL: out of memory.
json_t *dropped_json(const compact_dropped *dropped);

#endif // LP_COLLECTOR_BASE_DROPPED_JSON_H
