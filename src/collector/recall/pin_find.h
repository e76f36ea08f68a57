// SPDX-License-Identifier: Apache-2.0

// pin_find: the stored chunks that a pin names.
//
// Threads: any, with a catalog of its own.
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#pragma once

#include "collector/recall/pins.h"
#include "collector/recall/raw_list.h"
#include "common/base/lp_err.h"

// pin_find_chunks adds the chunks to out. Those of a trace come from the list of raw data, others
// from the catalog. Adds up to PINS_CHUNKS_MAX + 1. Errors: LP_ENOMEM; as the catalog's
LP_MUST_USE lp_err pin_find_chunks(catalog *from, raw_list *raw, const pin *of, pin_chunks *out);
