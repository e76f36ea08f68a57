// SPDX-License-Identifier: Apache-2.0

// pin_find: the stored chunks that a pin names.
//
// Threads: any, with a catalog of its own.
// Tests:   tests/unit/collector/http/routes/test_http_pins.c, tests/e2e/cluster.py

#pragma once

#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

enum { PIN_FIND_BEFORE_S = 600 }; // a trace's pin begins so long before its first chunk

// pin_find_time sets the begin of a trace's pin, if raw data has the trace before the pin's end.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err pin_find_time(raw_list *raw, pin *of);

// pin_find_fill adds the chunks of a new pin to it. Those of a trace come from the list of raw
// data, others from the catalog, the oldest first. is_shared: several collectors share the catalog,
// and a chunk's raw data is at the one that stored it. Then all come from the list, and the catalog
// only says how many there are. *now is the pin as it is then. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err pin_find_fill(catalog *from, raw_list *raw, bool is_shared, pins *to, pin *now);

// pin_find_fill_copy does the same for a pin that another collector made.
LP_MUST_USE lp_err pin_find_fill_copy(raw_list *raw, pins *to, pin *now);
