// SPDX-License-Identifier: Apache-2.0
// dropped_json: the numbers of dropped events by setting, in all JSON outputs.
//
// Threads: any thread.
// Tests:   tests/e2e/cli.py

#pragma once

#include "engine/reason.h"

#include <jansson.h>

// Returns an object with a count for each setting that dropped events, owned by the caller. NULL if
// memory ran out.
json_t *dropped_json(const compact_dropped *dropped);
