// SPDX-License-Identifier: Apache-2.0
// lp_byte_count: reads numbers of bytes as people write them: 4096, 64M, 50G.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

// lp_byte_count_parse reads a whole number, optionally followed by K, M, G or T for powers of
// 1,024. Returns false and leaves *out unchanged for anything else, and for more than 2^63 - 1.
bool lp_byte_count_parse(const char *text, uint64_t *out);
