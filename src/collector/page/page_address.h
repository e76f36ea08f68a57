// SPDX-License-Identifier: Apache-2.0
// page_address: addresses of the page's screens (docs/find/page.md), such as
// /s/checkout?from=10m&where=endpoint%3D%2Forders. If memory runs out, out fails.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/page/test_page.c

#pragma once

#include "common/base/lp_buf.h"

// page_address_part appends / and a part of a path. Browsers remove the parts "", "." and "..", so
// these get a ~ in front, as in the page (web/src/base/address.ts).
void page_address_part(lp_buf *out, const char *name);

// page_address_parameter appends a parameter to an address that ends here.
void page_address_parameter(lp_buf *out, const char *name, const char *value);
